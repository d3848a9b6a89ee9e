//! What answers change: a correction of the finished model's probabilities.
//!
//! | file | holds |
//! |---|---|
//! | `priors.rs` | how far answers may move each part of the correction |
//! | `design.rs` | the answered items as the fits read them, and which answers count |
//! | `contradiction.rs` | how far the answers are from the class shares that the model expects |
//! | `objective.rs` | the penalised likelihood of the answers and its slope |
//! | `fit.rs` | the correction with the highest penalised likelihood |
//! | `two_classes.rs` | corrects rows of two classes, eight at a time |
//! | `blend.rs` | how much training on the answers alone has to say |
//! | `without_votes.rs` | the class shares of items without votes |
//!
//! [`crate::labels::correct`] brings model, votes and answers together.

mod blend;
mod contradiction;
mod design;
mod fit;
mod objective;
mod priors;
mod two_classes;
mod without_votes;

pub(crate) use blend::{Learned, Lesson};
pub(crate) use design::Tally;
pub(crate) use objective::AnsweredRow;
pub use priors::CorrectionPriors;

pub(crate) use two_classes::TwoClasses;

use crate::num::softmax_in_place;
use crate::optim::EIGHT;
use crate::sources::Vote;

/// Probabilities below this count as this: a certain model must not be beyond correction.
const LEAST: f64 = 1e-9;

/// A correction of a model's probabilities, learned from answers.
///
/// # Formula
/// ```text
/// log q(y) = slope · log p(y) + bias(y) + trend(y) · log( votes / usual votes ) + Σ over votes (j, v) of shift(j, v, y) + constant
/// ```
/// where p is the probability without answers. Without answers the slope is 1 and everything else is 0, which changes
/// nothing. The bias corrects the class shares, the trend how they depend on the number of votes, the slope the
/// confidence, and a shift the weight of one vote. Items without votes have a bias of their own (`without_votes`).
///
/// # When it holds
/// Answers must be drawn at random from the items: the bias takes their class shares for those of all items.
///
/// ```
/// use consilience::answers::Answers;
/// use consilience::labels::correct;
/// use consilience::model::CorrectionPriors;
/// use consilience::pipeline::label;
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let simulated = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?;
/// # let (votes, truth) = (simulated.votes, simulated.labels);
///
/// let answered = truth.iter().enumerate().map(|(i, &class)| if i < 50 { class } else { 0 }).collect();
/// let answers = Answers::new(answered, votes.items(), votes.classes())?;
/// let corrected = correct(&label(&votes)?.model, &votes, &answers, CorrectionPriors::default())?;
/// let correction = corrected.fitted.correction.expect("there are answers");
/// assert_eq!((correction.answers, correction.biases.len()), (50, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// What log probabilities are multiplied by; above 0.
    pub slope: f64,
    /// What is added to the score of each class.
    pub biases: Vec<f64>,
    /// What is added to the score of each class for every e-fold of votes above `usual_votes`.
    pub trends: Vec<f64>,
    /// The mean number of votes on an item that has any; at least 1.
    pub usual_votes: f64,
    /// What each vote adds, ascending by source and vote; votes that no answered item has are left out.
    pub shifts: Vec<Shift>,
    /// What is added to the score of each class of an item without votes, in place of bias and trend; `None` if no such item has
    /// an answer.
    pub without_votes: Option<Vec<f64>>,
    /// The number of answers that taught it.
    pub answers: usize,
}

/// What one vote of one source adds to the scores of the classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    /// The source.
    pub source: usize,
    /// Its vote.
    pub vote: Vote,
    /// What is added to the score of each class.
    pub scores: Vec<f64>,
}

impl Correction {
    /// What the vote of a source adds to the scores of the classes, if answered items have that vote.
    pub fn shift(&self, source: usize, vote: Vote) -> Option<&[f64]> {
        let place = self.shifts.binary_search_by_key(&(source, vote), |shift| (shift.source, shift.vote));
        place.ok().map(|place| self.shifts[place].scores.as_slice())
    }
}

/// log( votes / usual votes ); an item without votes counts as one with one vote.
fn crowd(votes: usize, usual_votes: f64) -> f64 {
    (votes.max(1) as f64 / usual_votes).ln()
}

/// The same with tables, for many rows.
#[derive(Clone, Debug)]
pub(crate) struct Corrector<'a> {
    correction: &'a Correction,
    k: usize,
    /// For each source and vote the number of its shift, counted from 1; 0 if there is none.
    places: Vec<u32>,
    /// For each number of votes up to some, [`crowd`].
    crowds: Vec<f64>,
    two: Option<TwoClasses>,
}

/// Numbers of votes whose logarithm is kept.
const MOST_CROWDS: usize = 1 << 10;

impl<'a> Corrector<'a> {
    pub(crate) fn new(correction: &'a Correction, sources: usize) -> Self {
        let k = correction.biases.len();
        let mut places = vec![0; sources * k];
        for (place, shift) in (1..).zip(&correction.shifts) {
            places[shift.source * k + usize::from(shift.vote) - 1] = place;
        }
        let crowds: Vec<f64> =
            (0..=sources.min(MOST_CROWDS)).map(|votes| crowd(votes, correction.usual_votes)).collect();
        let two = (k == 2).then(|| TwoClasses::new(correction, sources));
        Self { correction, k, places, crowds, two }
    }

    /// How to correct rows of two classes, if there are two.
    pub(crate) fn two_classes(&self) -> Option<&TwoClasses> {
        self.two.as_ref()
    }

    /// Corrects the probabilities `p` of a row of `(source, vote)`.
    pub(crate) fn apply(&self, votes: impl Iterator<Item = (usize, Vote)>, p: &mut [f64]) {
        if let Some(two) = &self.two {
            let mut odds = [0.0; EIGHT];
            odds[0] = two.odds(votes);
            two.correct_eight(&odds, p);
            return;
        }
        for p in p.iter_mut() {
            *p = self.correction.slope * p.max(LEAST).ln();
        }
        let mut cast = 0;
        for (j, vote) in votes {
            cast += 1;
            let place = self.places[j * self.k + usize::from(vote) - 1];
            if place > 0 {
                let scores = &self.correction.shifts[place as usize - 1].scores;
                p.iter_mut().zip(scores).for_each(|(p, score)| *p += score);
            }
        }
        if let (0, Some(scores)) = (cast, &self.correction.without_votes) {
            p.iter_mut().zip(scores).for_each(|(p, score)| *p += score);
            softmax_in_place(p);
            return;
        }
        let crowd =
            self.crowds.get(cast).copied().unwrap_or_else(|| crowd(cast, self.correction.usual_votes));
        let by_count = self.correction.biases.iter().zip(&self.correction.trends);
        p.iter_mut().zip(by_count).for_each(|(p, (bias, trend))| *p += bias + crowd * trend);
        softmax_in_place(p);
    }
}
