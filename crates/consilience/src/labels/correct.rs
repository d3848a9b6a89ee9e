//! Answers correct a fitted model.

use std::fmt;

use super::checked::{CheckedSource, at_or_below_chance};
use super::infer::{InferError, Matching};
use crate::answers::Answers;
use crate::model::{
    AnsweredRow, Correction, CorrectionPriors, Corrector, Fitted, Labeller, Learned, Lesson, Tally,
};
use crate::parallel;
use crate::sources::Vote;
use crate::votes::Votes;

/// Why answers cannot correct a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CorrectError {
    /// The model does not fit the votes.
    #[error(transparent)]
    Infer(#[from] InferError),
    /// Not one entry per item.
    #[error(
        "the table has {items} items, but there are answers for a table of {answers}; provide one per item"
    )]
    Length {
        /// How many items the table has.
        items: usize,
        /// How many entries the answers have.
        answers: usize,
    },
}

/// A model that answers have corrected, and what they reveal about the sources.
///
/// ```
/// use consilience::answers::Answers;
/// use consilience::model::CorrectionPriors;
/// use consilience::pipeline::{Votes, correct, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let mut answered = vec![0; votes.items()];
/// answered[..4].copy_from_slice(&[2, 1, 2, 1]); // spam, ham, spam, ham
/// let answers = Answers::new(answered, votes.items(), votes.classes())?;
/// let corrected = correct(&label(&votes)?.model, &votes, &answers, CorrectionPriors::default())?;
/// assert!(corrected.fitted.correction.is_some_and(|correction| correction.answers == 4));
/// assert!(corrected.notes.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Corrected {
    /// The model with its correction; unchanged if there are no answers.
    pub fitted: Fitted,
    /// Sources that were correct on the answered items no more often than chance.
    pub checked: Vec<CheckedSource>,
    /// Notes for the user.
    pub notes: Vec<AnswersNote>,
}

/// Notes on answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswersNote {
    /// All answers are the same class.
    OneClass {
        /// How many there are.
        answers: usize,
        /// The class.
        class: String,
    },
    /// Nearly all items are answered.
    NearlyAll {
        /// How many there are.
        answers: usize,
        /// The number of items.
        items: usize,
    },
}

impl fmt::Display for AnswersNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneClass { answers: 1, class } => write!(
                f,
                "the only answer is \"{class}\": it says little about the other classes; answer more items"
            ),
            Self::OneClass { answers, class } => write!(
                f,
                "all {answers} answers are \"{class}\": they say little about the other classes; answer more items"
            ),
            Self::NearlyAll { answers, items } => write!(
                f,
                "{answers} of {items} items are answered; if this is the gold column of a benchmark, scores against it are meaningless"
            ),
        }
    }
}

/// Corrects the model `fitted` with `answers` to items of `votes`. They replace any earlier correction; no answers change nothing.
///
/// ```
/// use consilience::answers::{Answers, sample};
/// use consilience::labels::{correct, infer};
/// use consilience::model::CorrectionPriors;
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let simulated = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?;
/// # let (votes, truth) = (simulated.votes, simulated.labels);
/// # let model = consilience::pipeline::label(&votes)?.model;
///
/// // People answer a random sample of 60 items.
/// let mut answered = vec![0; votes.items()];
/// for i in sample(votes.items(), 60, 1) {
///     answered[i] = truth[i];
/// }
/// let answers = Answers::new(answered, votes.items(), votes.classes())?;
/// let corrected = correct(&model, &votes, &answers, CorrectionPriors::default())?;
/// assert_eq!(corrected.fitted.correction.as_ref().map(|correction| correction.answers), Some(60));
/// let labels = infer(&corrected.fitted, &votes)?.with_answers(&answers);
/// assert_eq!(labels.items(), 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn correct(
    fitted: &Fitted,
    votes: &Votes,
    answers: &Answers,
    priors: CorrectionPriors,
) -> Result<Corrected, CorrectError> {
    Ok(Answered::new(fitted, votes, answers, priors)?.correct())
}

/// [`correct`] and [`held_out`] at a lower cost than calling both.
///
/// ```
/// use consilience::answers::Answers;
/// use consilience::labels::{correct, held_out, teach};
/// use consilience::model::CorrectionPriors;
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let simulated = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?;
/// # let (votes, truth) = (simulated.votes, simulated.labels);
/// # let model = consilience::pipeline::label(&votes)?.model;
///
/// let answered = truth.iter().enumerate().map(|(i, &class)| if i % 10 == 0 { class } else { 0 }).collect();
/// let answers = Answers::new(answered, votes.items(), votes.classes())?;
/// let priors = CorrectionPriors::default();
/// let (corrected, predicted) = teach(&model, &votes, &answers, priors)?;
/// assert_eq!(corrected.fitted, correct(&model, &votes, &answers, priors)?.fitted);
/// assert_eq!(predicted, held_out(&model, &votes, &answers, priors)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn teach(
    fitted: &Fitted,
    votes: &Votes,
    answers: &Answers,
    priors: CorrectionPriors,
) -> Result<(Corrected, HeldOut), CorrectError> {
    let answered = Answered::new(fitted, votes, answers, priors)?;
    Ok((answered.correct(), answered.held_out()))
}

/// The share of the items from which on answers look like the gold column of a benchmark.
const NEARLY_ALL: f64 = 0.9;

fn notes(votes: &Votes, answers: &Answers) -> Vec<AnswersNote> {
    let mut notes = Vec::new();
    let counts = answers.counts(votes.classes().len());
    let given: Vec<&str> = votes
        .classes()
        .votes()
        .filter(|&c| counts[usize::from(c) - 1] > 0)
        .map(|c| votes.classes().name(c))
        .collect();
    if let [only] = given[..] {
        notes.push(AnswersNote::OneClass { answers: answers.len(), class: only.to_string() });
    }
    if answers.len() as f64 >= NEARLY_ALL * answers.items() as f64 && answers.items() > 1 {
        notes.push(AnswersNote::NearlyAll { answers: answers.len(), items: answers.items() });
    }
    notes
}

/// The labels that answered items would have without their answers.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// The answered items, ascending.
    pub items: Vec<usize>,
    /// The probability of each class, item by item.
    pub probabilities: Vec<f64>,
}

impl HeldOut {
    /// The items and the probability of each class for each.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let k = self.probabilities.len() / self.items.len().max(1);
        self.items.iter().copied().zip(self.probabilities.chunks(k.max(1)))
    }
}

/// The number of parts into which [`held_out`] splits the answers.
pub const FOLDS: usize = 20;

/// Groups of parts for which the weight of answers alone is chosen together.
const GROUPS: usize = 5;

/// Predicts each answer from the others: the answers are split into [`FOLDS`] parts, and each part is labelled by a model
/// corrected with all other parts. How much weight training on the answers alone gets is chosen for a group of parts at a time, by
/// the answers of all other groups.
///
/// ```
/// use consilience::answers::Answers;
/// use consilience::labels::held_out;
/// use consilience::model::CorrectionPriors;
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let simulated = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?;
/// # let (votes, truth) = (simulated.votes, simulated.labels);
/// # let model = consilience::pipeline::label(&votes)?.model;
///
/// let answered = truth.iter().enumerate().map(|(i, &class)| if i % 10 == 0 { class } else { 0 }).collect();
/// let answers = Answers::new(answered, votes.items(), votes.classes())?;
/// let predicted = held_out(&model, &votes, &answers, CorrectionPriors::default())?;
/// assert_eq!(predicted.items.len(), 50);
/// let right = predicted.rows().filter(|&(i, p)| p[usize::from(truth[i]) - 1] > 0.5).count();
/// assert!(right > 40); // judged by models that had not seen these answers
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn held_out(
    fitted: &Fitted,
    votes: &Votes,
    answers: &Answers,
    priors: CorrectionPriors,
) -> Result<HeldOut, CorrectError> {
    Ok(Answered::new(fitted, votes, answers, priors)?.held_out())
}

/// The mean number of votes on an item that has any.
fn usual_votes(votes: &Votes) -> f64 {
    let patterns = votes.patterns();
    // A row without votes comes before all others.
    let silent =
        if patterns.is_empty() || patterns.row(0).next().is_some() { 0 } else { patterns.counts()[0] };
    let with_votes = patterns.counts().iter().sum::<u64>() - silent;
    patterns.votes_of_items() as f64 / with_votes.max(1) as f64
}

/// Answers with the votes and uncorrected probabilities of the answered items, and what they teach.
struct Answered<'a> {
    fitted: &'a Fitted,
    votes: &'a Votes,
    answers: &'a Answers,
    /// The answered items, ascending.
    given: Vec<Given>,
    /// The distinct rows of votes that they have, and the uncorrected probability of each class for each.
    rows: Vec<AnsweredRow>,
    posteriors: Vec<Vec<f64>>,
    lesson: Lesson<'a>,
    /// What all answers teach; `None` without answers to items with votes.
    learned: Option<(Tally, Learned)>,
}

/// An answered item.
struct Given {
    item: usize,
    /// Its row among those of answered items.
    row: usize,
    /// The answer in the model's numbers, counted from 0.
    class: usize,
}

impl<'a> Answered<'a> {
    fn new(
        fitted: &'a Fitted,
        votes: &'a Votes,
        answers: &'a Answers,
        priors: CorrectionPriors,
    ) -> Result<Self, CorrectError> {
        if answers.items() != votes.items() {
            return Err(CorrectError::Length { items: votes.items(), answers: answers.items() });
        }
        let matching = Matching::new(fitted, votes)?;
        let labeller = Labeller::new(fitted);
        let k = fitted.model.classes().len();
        let pattern_of = |item: usize| votes.item_pattern()[item];
        let mut patterns: Vec<u32> = answers.iter().map(|(item, _)| pattern_of(item)).collect();
        patterns.sort_unstable();
        patterns.dedup();
        let known = |&pattern: &u32| {
            let votes = matching.row(votes, pattern as usize);
            let mut p = vec![0.0; k];
            labeller.posterior(&votes, &mut p);
            (pattern, AnsweredRow { votes, log_p: p.iter().map(|p| p.ln()).collect() }, p)
        };
        let mut known: Vec<(u32, AnsweredRow, Vec<f64>)> = parallel::map(&patterns, known);
        // In an order that does not depend on how the table numbers its columns and classes.
        known.sort_by(|a, b| a.1.votes.cmp(&b.1.votes));
        let mut row_of = vec![0; patterns.len()];
        for (row, (pattern, _, _)) in known.iter().enumerate() {
            row_of[patterns.partition_point(|other| other < pattern)] = row;
        }
        let given = |(item, answer): (usize, Vote)| Given {
            item,
            row: row_of[patterns.partition_point(|&other| other < pattern_of(item))],
            class: usize::from(matching.classes[usize::from(answer)]) - 1,
        };
        let given: Vec<Given> = answers.iter().map(given).collect();
        let (rows, posteriors): (Vec<AnsweredRow>, Vec<Vec<f64>>) =
            known.into_iter().map(|(_, row, p)| (row, p)).unzip();
        let lesson = Lesson::new(&rows, k, fitted.model.domains(), usual_votes(votes), priors);
        let mut answered = Self { fitted, votes, answers, given, rows, posteriors, lesson, learned: None };
        if answered.rows.iter().any(|row| !row.votes.is_empty()) {
            let all = answered.tally(|_| true);
            let learned = answered.lesson.learn(&all);
            answered.learned = Some((all, learned));
        }
        Ok(answered)
    }

    fn has_votes(&self, given: &Given) -> bool {
        !self.rows[given.row].votes.is_empty()
    }

    /// The answers that `keep` accepts by their place among all, of items with votes: the classes of the others say nothing about how
    /// votes are misread, and would pull the labels of all items towards their own shares.
    fn tally(&self, keep: impl Fn(usize) -> bool) -> Tally {
        let k = self.fitted.model.classes().len();
        let mut counts = vec![0.0; self.rows.len() * k];
        for (_, given) in
            self.given.iter().enumerate().filter(|&(place, given)| keep(place) && self.has_votes(given))
        {
            counts[given.row * k + given.class] += 1.0;
        }
        Tally::new(k, &counts)
    }

    /// `correction`, with the class shares of items without votes by those of their answers that `keep` accepts.
    fn with_shares_without_votes(&self, correction: Correction, keep: impl Fn(usize) -> bool) -> Correction {
        let Some(row) = self.rows.iter().position(|row| row.votes.is_empty()) else { return correction };
        let mut counts = vec![0.0; self.fitted.model.classes().len()];
        for (_, given) in
            self.given.iter().enumerate().filter(|&(place, given)| given.row == row && keep(place))
        {
            counts[given.class] += 1.0;
        }
        correction.with_answers_without_votes(&self.posteriors[row], &counts)
    }

    fn correct(&self) -> Corrected {
        let mut fitted = self.fitted.clone();
        if !self.given.is_empty() {
            let none = || Correction::none(fitted.model.classes().len());
            let by_votes = self
                .learned
                .as_ref()
                .map_or_else(none, |(all, learned)| self.lesson.correction(all, learned));
            fitted.correction = Some(self.with_shares_without_votes(by_votes, |_| true));
        }
        let checked = at_or_below_chance(self.votes, self.answers);
        Corrected { fitted, checked, notes: notes(self.votes, self.answers) }
    }

    fn held_out(&self) -> HeldOut {
        let (k, n) = (self.fitted.model.classes().len(), self.fitted.model.sources().len());
        let folds = FOLDS.min(self.given.len());
        if self.given.is_empty() {
            return HeldOut { items: Vec::new(), probabilities: Vec::new() };
        }
        let without =
            |group: usize| self.lesson.learn_roughly(&self.tally(|place| place % folds % GROUPS != group));
        let without_group: Vec<Learned> = parallel::map(0..GROUPS.min(folds), without);
        let predict = |fold: usize| {
            let others = self.tally(|place| place % folds != fold);
            let learned = self.lesson.learn_more(&others, &without_group[fold % GROUPS]);
            let by_votes = self.lesson.correction(&others, &learned);
            let correction = self.with_shares_without_votes(by_votes, |place| place % folds != fold);
            let corrector = Corrector::new(&correction, n);
            let predicted = self.given.iter().skip(fold).step_by(folds).map(|given| {
                let mut p = self.posteriors[given.row].clone();
                corrector.apply(self.rows[given.row].votes.iter().copied(), &mut p);
                p
            });
            predicted.collect::<Vec<_>>()
        };
        let mut by_fold = parallel::map(0..folds, |fold| predict(fold).into_iter());
        let mut probabilities = Vec::with_capacity(self.given.len() * k);
        for place in 0..self.given.len() {
            probabilities.extend(by_fold[place % folds].next().into_iter().flatten());
        }
        HeldOut { items: self.given.iter().map(|given| given.item).collect(), probabilities }
    }
}
