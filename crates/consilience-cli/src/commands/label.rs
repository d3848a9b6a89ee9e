//! `consilience label`: gives every item a probability for each class.

use anyhow::{Context as _, bail};
use consilience::labels::{F1Decision, HeldOut, Labels, Ties, held_out, infer, majority_vote};
use consilience::model::CorrectionPriors;
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;
use consilience_io::{
    AnswersFile, ItemNames, LabelRow, LabelWriter, Output, VoteTable, WriteError, check_format,
};

use super::{answers, fit, input};
use crate::args::{BalanceArg, InferenceArg, LabelArgs, TiesArg};
use crate::terminal::{Talk, counted, thousands};

pub(super) fn run(args: &LabelArgs, talk: Talk) -> anyhow::Result<()> {
    if let Some(below) = args.abstain_below
        && !(0.0..=1.0).contains(&below)
    {
        bail!("--abstain-below must be between 0 and 1, but is {below}");
    }
    refuse_idle_flags(args)?;
    #[cfg(feature = "cluster")]
    if args.how.cluster.is_some() {
        return super::label_on_cluster::run(args, talk);
    }
    let output = Output::from_arg(&args.output)?;
    check_format(&output)?;
    fit::keep_apart(&output, args.model.as_deref(), "model")?;
    fit::keep_apart(&output, args.fit.structure.as_deref(), "structure")?;
    fit::keep_apart(&output, args.answers.answers.as_deref(), "answers")?;
    let request = request(args)?;
    // A model is read before the votes: it says what their classes are.
    let known = args.model.as_deref().map(fit::read_models).transpose()?;
    let votes = votes(args, known.as_ref(), &output, talk)?;
    talk.notes(&votes.table.notes);
    let given = answers::read(&args.answers, &args.votes.votes, &args.votes.table, &votes.table)?;
    let made = made(args, request, known, &votes, given.as_ref(), talk)?;
    let Made { labels, independent, held, taught, way } = made;
    let table = votes.table;
    let ties = match args.ties {
        TiesArg::Empty => Ties::Empty,
        TiesArg::First => Ties::First,
        TiesArg::Random => Ties::Random(args.seed),
    };
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
    let mut summary = Summary::new(way);
    for i in 0..labels.items() {
        let unsure = args.abstain_below.is_some_and(|below| labels.confidence(i) < below);
        let label = match &decision {
            _ if unsure => None,
            Some(decision) if labels.has_votes(i) => labels.decide_f1(i, decision),
            _ => labels.decide(i, ties),
        };
        let times = votes.counts.as_ref().map_or(1, |counts| counts[i]);
        let gold = table.gold.as_ref().map_or(ABSTAIN, |gold| gold[i]);
        summary.add(&labels, i, times, label, unsure, gold);
        let item = table.items.name(i);
        let row = LabelRow::of(&labels, i, &item, label);
        match &given {
            _ if count_column.is_some() => {
                table.votes.patterns().read_into(table.votes.item_pattern()[i] as usize, &mut pattern);
                writer.write_pattern(&pattern, times, &row)?;
            }
            Some(given) if held.is_some() => {
                let answer = held_rows.next_if(|&(item, _)| item == i);
                let class = given.answers.of_items()[i];
                writer.write_answered(&row, answer.map(|(_, p)| (labels.classes().name(class), p)))?;
            }
            _ => writer.write(&row)?,
        }
        if i % PROGRESS_EVERY == 0 {
            wait.progress(Some(i as f64 / labels.items() as f64), "");
        }
    }
    writer.finish()?;
    drop(wait);
    if let Some(line) = independent
        .filter(|_| count_column.is_none())
        .and_then(|independent| disagreement(&labels, &independent, &table.items))
    {
        talk.notes(&[line]);
    }
    if let Some(line) = taught {
        talk.say(&line);
    }
    talk.say(&summary.line());
    Ok(())
}

/// What is to be fitted, if anything.
pub(super) fn request(args: &LabelArgs) -> anyhow::Result<Option<fit::Request>> {
    if args.majority || args.model.is_some() {
        return Ok(None);
    }
    Ok(Some(fit::Request::new(&args.fit, args.seed)?))
}

/// Fits what is to be fitted to the votes, and labels them.
pub(super) fn made(
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
        Some(models) => by_model(models, &votes.name, table, given, &told, talk),
        None => Ok(Made {
            labels: majority_vote(&table.votes),
            independent: None,
            held: None,
            taught: None,
            way: "by majority vote",
        }),
    }
}

/// The votes: of declared sources, or of a table.
fn votes(
    args: &LabelArgs,
    known: Option<&fit::Models>,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<input::NamedTable> {
    let votes_args = answers::without_answers(&args.votes, &args.answers)?;
    match (known, applied(args, output, talk)?) {
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

/// The votes of declared sources, where a file of them is named.
#[cfg(feature = "apply")]
fn applied(args: &LabelArgs, output: &Output, talk: Talk) -> anyhow::Result<Option<input::NamedTable>> {
    let Some(sources) = &args.sources else { return Ok(None) };
    super::apply::votes(sources, &args.votes, &args.how, output, talk).map(Some)
}

#[cfg(not(feature = "apply"))]
#[expect(clippy::unnecessary_wraps, reason = "the same as with the feature")]
fn applied(_: &LabelArgs, _: &Output, _: Talk) -> anyhow::Result<Option<input::NamedTable>> {
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

const PROGRESS_EVERY: usize = 1 << 14;

/// Labels and what is to be said of them.
pub(super) struct Made {
    pub(super) labels: Labels,
    independent: Option<Labels>,
    /// What models say of the answered items that have not seen their answers.
    held: Option<HeldOut>,
    /// What answers changed.
    taught: Option<String>,
    pub(super) way: &'static str,
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
    let mut labels = infer(&models.chosen, &table.votes).with_context(|| name.to_string())?;
    talk.notes(&labels.missing_sources().into_iter().collect::<Vec<_>>());
    if let Some(given) = given {
        let fitted = answers::teach(&models.chosen, &table.votes, given, talk)?;
        if table.votes.classes() != fitted.model.classes() {
            bail!("the model's classes differ from --classes; leave out --classes when using answers");
        }
        if !given.answers.is_empty() {
            let priors = CorrectionPriors::default();
            held = Some(held_out(&models.chosen, &table.votes, &given.answers, priors)?);
            let after = labels.clone().corrected(&fitted, &table.votes)?;
            taught = Some(answers::told(&labels, &after, &given.answers));
            labels = after.with_answers(&given.answers);
        }
    } else if let Some(correction) = &models.chosen.correction {
        talk.notes(&[format!(
            "the model was corrected by {}; to certify these labels with the same answers, label with --answers",
            counted(correction.answers as u64, "answer", "answers")
        )]);
    }
    let other = models.independent.filter(|independent| independent.model != models.chosen.model);
    let independent = other.map(|fitted| infer(&fitted, &table.votes)).transpose()?;
    Ok(Made { labels, independent, held, taught, way: "by the model" })
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
        bail!("{flag} is about single items, but with --count rows are patterns; leave out one of the two");
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

/// Fewer items than this share that two models label differently are no reason to speak.
const MUCH: f64 = 0.05;
/// At most this many items are named.
const MOST_ITEMS: usize = 8;

/// What to say where the model and the independent one disagree on many items, the surest ones named first.
fn disagreement(labels: &Labels, independent: &Labels, items: &ItemNames) -> Option<String> {
    let least_sure = |i: usize| labels.confidence(i).min(independent.confidence(i));
    let mut differ: Vec<(f64, usize)> = labels.differing(independent).map(|i| (least_sure(i), i)).collect();
    let voted = (0..labels.items()).filter(|&i| labels.has_votes(i)).count();
    if differ.is_empty() || (differ.len() as f64) < MUCH * voted as f64 {
        return None;
    }
    differ.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let named: Vec<String> =
        differ.iter().take(MOST_ITEMS).map(|&(_, i)| items.name(i).into_owned()).collect();
    let more = if differ.len() > MOST_ITEMS { ", ..." } else { "" };
    Some(format!(
        "independent sources would label {} of {} differently (items {}{more}); look at some of them, or compare with --independent",
        thousands(differ.len() as u64),
        counted(voted as u64, "item", "items"),
        named.join(", ")
    ))
}

/// What became of the items.
#[derive(Debug, Default)]
pub(super) struct Summary {
    way: &'static str,
    items: u64,
    labelled: u64,
    tied: u64,
    unsure: u64,
    without_votes: u64,
    silent: u64,
    judged: u64,
    right: f64,
}

impl Summary {
    /// No items yet, which are labelled in this way.
    pub(super) fn new(way: &'static str) -> Self {
        Self { way, ..Self::default() }
    }

    /// Adds item `i`, or so many `times` a pattern.
    pub(super) fn add(
        &mut self,
        labels: &Labels,
        i: usize,
        times: u64,
        label: Option<Vote>,
        unsure: bool,
        gold: Vote,
    ) {
        self.items += times;
        self.silent += times * u64::from(!labels.has_votes(i));
        match label {
            Some(class) => {
                self.labelled += times;
                self.judged += times * u64::from(gold != ABSTAIN);
                self.right += times as f64 * f64::from(gold == class);
            }
            None if !labels.has_votes(i) => self.without_votes += times,
            None if unsure => self.unsure += times,
            None => {
                self.tied += times;
                if gold != ABSTAIN {
                    self.judged += times;
                    self.right += times as f64 * labels.chance_of(i, gold);
                }
            }
        }
    }

    pub(super) fn line(&self) -> String {
        let mut said = vec![format!(
            "labelled {} of {} {}",
            thousands(self.labelled),
            counted(self.items, "item", "items"),
            self.way
        )];
        let tied = counted(self.tied, "tie", "ties");
        let without_votes = format!("{} without votes", counted(self.without_votes, "item", "items"));
        match (self.tied, self.without_votes) {
            (0, 0) => {}
            (_, 0) => said.push(format!("{tied} left empty (see --ties)")),
            (0, _) => said.push(format!("{without_votes} left empty (see --ties)")),
            _ => said.push(format!("{tied} and {without_votes} left empty (see --ties)")),
        }
        if self.silent > self.without_votes {
            let labelled = self.silent - self.without_votes;
            said.push(format!("{} without votes labelled by --ties", counted(labelled, "item", "items")));
        }
        if self.unsure > 0 {
            said.push(format!(
                "{} left empty (below --abstain-below)",
                counted(self.unsure, "item", "items")
            ));
        }
        if self.judged > 0 {
            let share = 100.0 * self.right / self.judged as f64;
            let ties = if self.tied > 0 { ", ties by chance" } else { "" };
            said.push(format!("right on {share:.2}% of {} with gold{ties}", thousands(self.judged)));
        }
        said.join("; ")
    }
}
