//! Answers correct a fitted model.

use std::fmt;

use rayon::prelude::*;

use super::checked::{CheckedSource, at_or_below_chance};
use super::infer::{InferError, Matching};
use crate::answers::Answers;
use crate::model::{AnsweredRow, CorrectionPriors, Corrector, Fitted, Labeller, Lesson, answered_rows};
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
        /// Of so many items.
        items: usize,
    },
}

impl fmt::Display for AnswersNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
    Ok(Answered::new(fitted, votes, answers)?.correct(priors))
}

/// [`correct`] and [`held_out`] for less work than both.
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
    let answered = Answered::new(fitted, votes, answers)?;
    Ok((answered.correct(priors), answered.held_out(priors)))
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

/// Predicts each answer from the others: the answers are split into [`FOLDS`] parts, and each part is labelled by a model
/// corrected with all other parts.
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
    Ok(Answered::new(fitted, votes, answers)?.held_out(priors))
}

/// Patterns that one piece of work takes.
const PIECE: usize = 1 << 14;

/// The mean number of votes on an item that has any.
fn usual_votes(votes: &Votes) -> f64 {
    let patterns = votes.patterns();
    let counts = |range: std::ops::Range<usize>| {
        let rows = range.map(|p| (patterns.counts()[p], patterns.row(p).count() as u64));
        rows.filter(|&(_, cast)| cast > 0)
            .fold((0, 0), |(items, all), (count, cast)| (items + count, all + count * cast))
    };
    let pieces = (0..patterns.len().div_ceil(PIECE)).into_par_iter();
    let (items, cast) = pieces
        .map(|piece| counts(piece * PIECE..((piece + 1) * PIECE).min(patterns.len())))
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    cast as f64 / items.max(1) as f64
}

/// Answers with the votes and uncorrected probabilities of the answered items.
struct Answered<'a> {
    fitted: &'a Fitted,
    votes: &'a Votes,
    answers: &'a Answers,
    matching: Matching,
    usual_votes: f64,
    /// The answered items, ascending, with their patterns and answers.
    given: Vec<(usize, u32, Vote)>,
    /// Their patterns, ascending.
    patterns: Vec<u32>,
    /// For each of them, its votes in the model's numbers and the probability of each class.
    posteriors: Vec<KnownRow>,
}

/// The votes of a row, and the probability of each class.
type KnownRow = (Vec<(usize, Vote)>, Vec<f64>);

impl<'a> Answered<'a> {
    fn new(fitted: &'a Fitted, votes: &'a Votes, answers: &'a Answers) -> Result<Self, CorrectError> {
        if answers.items() != votes.items() {
            return Err(CorrectError::Length { items: votes.items(), answers: answers.items() });
        }
        let matching = Matching::new(fitted, votes)?;
        let labeller = Labeller::new(fitted);
        let given: Vec<(usize, u32, Vote)> =
            answers.iter().map(|(i, answer)| (i, votes.item_pattern()[i], answer)).collect();
        let mut patterns: Vec<u32> = given.iter().map(|&(_, pattern, _)| pattern).collect();
        patterns.sort_unstable();
        patterns.dedup();
        let posterior = |&pattern: &u32| {
            let row = matching.row(votes, pattern as usize);
            let mut p = vec![0.0; fitted.model.classes().len()];
            labeller.posterior(&row, &mut p);
            (row, p)
        };
        let posteriors = patterns.par_iter().map(posterior).collect();
        let usual_votes = usual_votes(votes);
        Ok(Self { fitted, votes, answers, matching, usual_votes, given, patterns, posteriors })
    }

    /// The votes and probabilities of a pattern that has answers.
    fn posterior(&self, pattern: u32) -> (Vec<(usize, Vote)>, Vec<f64>) {
        self.posteriors[self.patterns.partition_point(|&other| other < pattern)].clone()
    }

    fn lesson(&self, priors: CorrectionPriors) -> Lesson<'a> {
        let (k, domains) = (self.fitted.model.classes().len(), self.fitted.model.domains());
        Lesson { k, domains, usual_votes: self.usual_votes, priors }
    }

    /// The answers that `keep` accepts by their place among all, by pattern and in the model's numbers.
    fn rows(&self, keep: impl Fn(usize) -> bool) -> Vec<AnsweredRow> {
        let kept = self.given.iter().enumerate().filter(|&(place, _)| keep(place));
        let kept = kept.map(|(_, &(_, pattern, answer))| (pattern, answer));
        answered_rows(kept, &self.matching.classes, |p| self.posterior(p as u32))
    }

    fn correct(&self, priors: CorrectionPriors) -> Corrected {
        let mut fitted = self.fitted.clone();
        if !self.answers.is_empty() {
            let (rows, lesson) = (self.rows(|_| true), self.lesson(priors));
            fitted.correction = Some(lesson.learned(&rows, lesson.share_of_answers(&rows)));
        }
        let checked = at_or_below_chance(self.votes, self.answers);
        Corrected { fitted, checked, notes: notes(self.votes, self.answers) }
    }

    fn held_out(&self, priors: CorrectionPriors) -> HeldOut {
        let (k, n) = (self.fitted.model.classes().len(), self.fitted.model.sources().len());
        let lesson = self.lesson(priors);
        let folds = FOLDS.min(self.given.len());
        let predict = |fold: usize| {
            let rows = self.rows(|place| place % folds != fold);
            let correction = lesson.learned(&rows, lesson.share_of_answers(&rows));
            let corrector = Corrector::new(&correction, n);
            let predicted = self.given.iter().skip(fold).step_by(folds).map(|&(_, pattern, _)| {
                let (row, mut p) = self.posterior(pattern);
                corrector.apply(row.into_iter(), &mut p);
                p
            });
            predicted.collect::<Vec<_>>()
        };
        let mut by_fold: Vec<_> = (0..folds).into_par_iter().map(|fold| predict(fold).into_iter()).collect();
        let mut probabilities = Vec::with_capacity(self.given.len() * k);
        for place in 0..self.given.len() {
            probabilities.extend(by_fold[place % folds].next().into_iter().flatten());
        }
        HeldOut { items: self.given.iter().map(|&(i, _, _)| i).collect(), probabilities }
    }
}
