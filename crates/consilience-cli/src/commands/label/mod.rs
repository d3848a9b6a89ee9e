//! `consilience label`: gives every item a probability for each class.

mod disagreement;
mod streamed;
mod summary;

use anyhow::{Context as _, bail};
use consilience::labels::{
    Disagreement, F1Decision, HeldOut, Labels, Matching, Ties, infer, infer_changed, majority_vote,
};
use consilience::model::Fitted;
use consilience::sources::{ABSTAIN, Vote};
use consilience::structure::{Composition, Structure};
use consilience::votes::Votes;
use consilience_io::{
    AnsweredLabel, AnswersFile, LabelRow, LabelWriter, Output, VoteTable, WriteError, check_format,
};

pub use self::summary::Summary;
use super::{Heavy, answers, fit, input};
use crate::args::{BalanceArg, InferenceArg, LabelArgs, TiesArg};
use crate::terminal::{Talk, counted};

pub(super) fn run(args: &LabelArgs, heavy: &dyn Heavy, talk: Talk) -> anyhow::Result<()> {
    if let Some(below) = args.abstain_below
        && !(0.0..=1.0).contains(&below)
    {
        bail!("--abstain-below must be between 0 and 1, but is {below}");
    }
    refuse_idle_flags(args)?;
    #[cfg(feature = "cluster")]
    if args.how.cluster.is_some() {
        return heavy.label_on_cluster(args, talk);
    }
    let output = Output::from_arg(&args.output)?;
    check_format(&output)?;
    fit::keep_apart(&output, args.model.as_deref(), "model")?;
    fit::keep_apart(&output, args.fit.structure.as_deref(), "structure")?;
    fit::keep_apart(&output, args.answers.answers.as_deref(), "answers")?;
    let request = request(args)?;
    // A model is read before the votes: it says what their classes are.
    let known = args.model.as_deref().map(fit::read_models).transpose()?;
    let Some(budget) = budget(args)? else {
        let votes = votes(args, known.as_ref(), heavy, &output, talk)?;
        return whole(args, votes, request, known, output, talk);
    };
    match (known, request) {
        (Some(models), _) => streamed::by_known_model(args, budget, models, output, talk),
        (None, request) => {
            let sampled = input::read_sampled(&args.votes, budget, true, &output, talk)?;
            if sampled.is_sample() {
                streamed::by_sample(args, budget, sampled, request, output, talk)
            } else {
                whole(args, sampled.named, request, None, output, talk)
            }
        }
    }
}

/// How many distinct rows may be held; `None` if all items are needed at once.
fn budget(args: &LabelArgs) -> anyhow::Result<Option<usize>> {
    #[cfg(feature = "apply")]
    let applies = args.sources.is_some();
    #[cfg(not(feature = "apply"))]
    let applies = false;
    let of_all = [
        (applies, "--sources"),
        (args.decide.is_some(), "--decide"),
        (args.answers.answers.is_some(), "--answers"),
        (args.answers.answers_column.is_some(), "--answers-column"),
    ];
    args.budget.patterns(&args.votes.table, &of_all)
}

/// Labels a table that is held as a whole.
fn whole(
    args: &LabelArgs,
    votes: input::NamedTable,
    request: Option<fit::Request>,
    known: Option<fit::Models>,
    output: Output,
    talk: Talk,
) -> anyhow::Result<()> {
    talk.notes(&votes.table.notes);
    let given = answers::read(&args.answers, &args.votes.votes, &args.votes.table, &votes.table)?;
    let made = made(args, request, known, &votes, given.as_ref(), talk)?;
    let Made { labels, independent, held, taught, way } = made;
    let table = votes.table;
    let choice = Choice::new(args);
    let decision = args.decide.as_deref().map(|class| decision(&labels, class)).transpose()?.flatten();
    if let Some(decision) = &decision {
        talk.say(&format!(
            "labelled as {} with a probability of {:.3} or more, for an expected F1 of {:.1}%",
            labels.classes().name(decision.class),
            decision.threshold,
            100.0 * decision.expected
        ));
    }

    let wait = talk.wait("writing labels");
    let count_column = args.votes.table.count.as_deref().filter(|_| votes.counts.is_some());
    let mut writer = writer(output, &labels, &table.votes, held.is_some(), count_column)?;
    let mut pattern = vec![ABSTAIN; table.votes.sources().len()];
    let mut held_rows = held.iter().flat_map(HeldOut::rows).peekable();
    let without_answers = held.as_ref().map(|held| labels.with_held_out(held, &table.votes));
    let label_of = |labels: &Labels, i: usize| match &decision {
        Some(decision) if labels.has_votes(i) => (labels.decide_f1(i, decision), false),
        _ => choice.of(labels, i),
    };
    let mut summary = Summary::new(way);
    if held.is_some() {
        summary = summary.without_gold_of_answered();
    }
    for i in 0..labels.items() {
        let (label, unsure) = label_of(&labels, i);
        let times = votes.counts.as_ref().map_or(1, |counts| counts[i]);
        let answered =
            held.is_some() && given.as_ref().is_some_and(|given| given.answers.of_items()[i] != ABSTAIN);
        let gold = table.gold.as_ref().filter(|_| !answered).map_or(ABSTAIN, |gold| gold[i]);
        summary.add(&labels, i, times, label, unsure, gold);
        let item = table.items.name(i);
        let row = LabelRow::of(&labels, i, &item, label);
        match &given {
            _ if count_column.is_some() => {
                table.votes.patterns().read_into(table.votes.item_pattern()[i] as usize, &mut pattern);
                writer.write_pattern(&pattern, times, &row)?;
            }
            Some(given) if held.is_some() => {
                let held = held_rows.next_if(|&(item, _)| item == i);
                let name = |class: Vote| labels.classes().name(class);
                let answered = held.map(|(_, probabilities)| AnsweredLabel {
                    answer: name(given.answers.of_items()[i]),
                    held_out: without_answers.as_ref().and_then(|labels| label_of(labels, i).0).map(name),
                    probabilities,
                });
                writer.write_answered(&row, answered)?;
            }
            _ => writer.write(&row)?,
        }
        if i % PROGRESS_EVERY == 0 {
            wait.progress(Some(i as f64 / labels.items() as f64), "");
        }
    }
    writer.finish()?;
    drop(wait);
    // Answers have corrected these labels and not the others: differences would say little about dependence.
    if let Some(independent) = independent.filter(|_| count_column.is_none() && held.is_none()) {
        let mut disagreement = Disagreement::default();
        disagreement.add(&labels, &independent, |i| table.items.name(i).into_owned());
        talk.notes(&disagreement::line(&disagreement).into_iter().collect::<Vec<_>>());
    }
    if let Some(line) = taught {
        talk.say(&line);
    }
    talk.say(&summary.line());
    Ok(())
}

/// What to fit, if anything.
pub fn request(args: &LabelArgs) -> anyhow::Result<Option<fit::Request>> {
    if args.majority || args.model.is_some() {
        return Ok(None);
    }
    Ok(Some(fit::Request::new(&args.fit, args.seed)?))
}

/// Fits the model to the votes if needed, and labels them.
pub fn made(
    args: &LabelArgs,
    mut request: Option<fit::Request>,
    known: Option<fit::Models>,
    votes: &input::NamedTable,
    given: Option<&AnswersFile>,
    talk: Talk,
) -> anyhow::Result<Made> {
    let table = &votes.table;
    let counted = votes.counts.as_ref().map(|counts| table.votes.repeated(counts));
    let counted = counted.transpose().with_context(|| votes.name.clone())?;
    let all = counted.as_ref().unwrap_or(&table.votes);
    if let Some(request) = &mut request {
        request.name_balance(&args.fit, table.votes.classes())?;
    }
    let (fitted, told) = talk.watched("fitting", || request.map(|request| request.models(all)).transpose());
    let models = known.or(fitted.with_context(|| votes.name.clone())?);
    match models {
        Some(models) => {
            talk.notes(&declared_repeats(&models.chosen, &votes.compositions));
            by_model(models, &votes.name, table, given, &told, talk)
        }
        None => Ok(Made {
            labels: majority_vote(&table.votes),
            independent: None,
            held: None,
            taught: None,
            way: "by majority vote",
        }),
    }
}

/// At most this many pairs are explained.
const MOST_EXPLAINED: usize = 6;

/// Which sources repeat each other because one is declared from the other, or both from a third.
fn declared_repeats(fitted: &Fitted, compositions: &[Composition]) -> Vec<String> {
    if compositions.is_empty() {
        return Vec::new();
    }
    let (sources, classes) = (fitted.model.sources().clone(), fitted.model.classes().clone());
    let mut structure = Structure::without_dependencies(sources, classes, fitted.items);
    structure.compositions = compositions.to_vec();
    let copies = fitted.copies.iter().flat_map(|group| group[1..].iter().map(|&copy| [group[0], copy]));
    let mut pairs: Vec<[usize; 2]> = fitted.repeats.iter().map(|repeat| [repeat.source, repeat.of]).collect();
    pairs.extend(copies);
    for pair in &mut pairs {
        pair.sort_unstable();
    }
    pairs.sort_unstable();
    pairs.dedup();
    let told = pairs.iter().filter_map(|&[a, b]| {
        let name = |j| fitted.model.sources().name(j);
        let why = structure.explanation(a, b)?;
        Some(format!("{} and {} repeat each other: {why}", name(a), name(b)))
    });
    let mut notes: Vec<String> = told.collect();
    if notes.len() > MOST_EXPLAINED {
        let more = (notes.len() - MOST_EXPLAINED) as u64;
        notes.truncate(MOST_EXPLAINED);
        notes.push(format!(
            "{} repeat each other because of how they are declared",
            counted(more, "more pair", "more pairs")
        ));
    }
    notes
}

/// The votes: of declared sources, or of a table.
fn votes(
    args: &LabelArgs,
    known: Option<&fit::Models>,
    heavy: &dyn Heavy,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<input::NamedTable> {
    let votes_args = answers::without_answers(&args.votes, &args.answers)?;
    match (known, applied(args, heavy, output, talk)?) {
        (_, Some(applied)) => Ok(applied),
        (Some(models), None) => input::read_patterns_for(&votes_args, &models.chosen.model, output, talk),
        (None, None) => input::read_patterns(&votes_args, output, talk),
    }
}

fn writer(
    output: Output,
    labels: &Labels,
    votes: &Votes,
    answered: bool,
    count: Option<&str>,
) -> Result<LabelWriter, WriteError> {
    match count {
        Some(count) => {
            LabelWriter::of_patterns(output, labels.classes(), votes.sources().names(), count, None)
        }
        None if answered => LabelWriter::with_answers(output, labels.classes(), None),
        None => LabelWriter::new(output, labels.classes(), None),
    }
}

/// The votes of declared sources, if a file of them is named.
#[cfg(feature = "apply")]
fn applied(
    args: &LabelArgs,
    heavy: &dyn Heavy,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<Option<input::NamedTable>> {
    let Some(sources) = &args.sources else { return Ok(None) };
    heavy.votes(sources, &args.votes, &args.how, output, talk).map(Some)
}

#[cfg(not(feature = "apply"))]
#[expect(clippy::unnecessary_wraps, reason = "the same as with the feature")]
fn applied(_: &LabelArgs, _: &dyn Heavy, _: &Output, _: Talk) -> anyhow::Result<Option<input::NamedTable>> {
    Ok(None)
}

/// How to decide for the F1 of the class of this name.
fn decision(labels: &Labels, class: &str) -> anyhow::Result<Option<F1Decision>> {
    let Some(vote) = labels.classes().vote(class) else {
        bail!(
            "--decide: \"{class}\" is not a class; the classes are {}",
            labels.classes().names().join(", ")
        );
    };
    Ok(labels.expected_f1(vote))
}

/// Which label an item gets.
#[derive(Clone, Copy, Debug)]
struct Choice {
    ties: Ties,
    abstain_below: Option<f64>,
}

impl Choice {
    fn new(args: &LabelArgs) -> Self {
        let ties = match args.ties {
            TiesArg::Empty => Ties::Empty,
            TiesArg::First => Ties::First,
            TiesArg::Random => Ties::Random(args.seed),
        };
        Self { ties, abstain_below: args.abstain_below }
    }

    /// The class of item `i`, if it gets one, and whether it is too unsure to get one.
    fn of(&self, labels: &Labels, i: usize) -> (Option<Vote>, bool) {
        let unsure = self.abstain_below.is_some_and(|below| labels.confidence(i) < below);
        (if unsure { None } else { labels.decide(i, self.ties) }, unsure)
    }
}

const PROGRESS_EVERY: usize = 1 << 14;

/// Labels and the notes on them.
pub struct Made {
    pub labels: Labels,
    independent: Option<Labels>,
    /// Predictions for the answered items by models that have not seen their answers.
    held: Option<HeldOut>,
    /// What answers changed.
    taught: Option<String>,
    pub way: &'static str,
}

fn by_model(
    models: fit::Models,
    name: &str,
    table: &VoteTable,
    given: Option<&AnswersFile>,
    told: &[String],
    talk: Talk,
) -> anyhow::Result<Made> {
    let (mut taught, mut held) = (None, None);
    talk.other_notes(&models.chosen.notes, told);
    let missing = Matching::new(&models.chosen, &table.votes).with_context(|| name.to_string())?.missing();
    talk.notes(&missing.into_iter().collect::<Vec<_>>());
    let labels = if let Some(given) = given {
        let (fitted, held_out) = answers::teach(&models.chosen, &table.votes, given, talk)?;
        if table.votes.classes() != fitted.model.classes() {
            bail!("the model's classes differ from --classes; leave out --classes when using answers");
        }
        let (labels, change) = infer_changed(&fitted, &table.votes, &given.answers)?;
        if !given.answers.is_empty() {
            held = Some(held_out);
            taught = Some(answers::told(&change, labels.classes(), &given.answers));
        }
        labels.with_answers(&given.answers)
    } else {
        note_correction(&models.chosen, talk);
        infer(&models.chosen, &table.votes)?
    };
    let other = models.independent.filter(|independent| independent.model != models.chosen.model);
    let independent = other.map(|fitted| infer(&fitted, &table.votes)).transpose()?;
    Ok(Made { labels, independent, held, taught, way: "by the model" })
}

fn note_correction(fitted: &Fitted, talk: Talk) {
    if let Some(correction) = &fitted.correction {
        talk.notes(&[format!(
            "the model was corrected by {}; to certify these labels with the same answers, label with --answers",
            counted(correction.answers as u64, "answer", "answers")
        )]);
    }
}

/// Flags of fitting say nothing where nothing is fitted, and patterns are not items.
fn refuse_idle_flags(args: &LabelArgs) -> anyhow::Result<()> {
    let fit = &args.fit;
    let of_items = [
        (args.answers.answers.is_some(), "--answers"),
        (args.answers.answers_column.is_some(), "--answers-column"),
        (args.decide.is_some(), "--decide"),
    ];
    if let Some((_, flag)) = of_items.iter().find(|(given, _)| *given && args.votes.table.count.is_some()) {
        bail!(
            "{flag} needs individual items, but with --count each row is a pattern; leave out one of the two"
        );
    }
    let given = [
        (fit.inference != InferenceArg::Auto, "--inference"),
        (fit.balance.as_ref().is_some_and(|balance| *balance != BalanceArg::Even), "--balance"),
        (fit.accuracy.is_some(), "--accuracy"),
        (fit.one_class_accuracy.is_some(), "--one-class-accuracy"),
        (fit.precision.is_some(), "--precision"),
        (fit.vote_precision.is_some(), "--vote-precision"),
        (fit.one_class_precision.is_some(), "--one-class-precision"),
        (fit.below_chance, "--below-chance"),
        (fit.equal_difficulty, "--equal-difficulty"),
        (args.majority && args.answers.answers.is_some(), "--answers"),
        (args.majority && args.answers.answers_column.is_some(), "--answers-column"),
    ];
    let instead = match (&args.model, args.majority) {
        (Some(_), _) => "--model, which is already fitted",
        (_, true) => "--majority, which fits no model",
        _ => return Ok(()),
    };
    match given.iter().find(|(given, _)| *given) {
        Some((_, flag)) => bail!("{flag} has no effect with {instead}; leave it out"),
        None => Ok(()),
    }
}
