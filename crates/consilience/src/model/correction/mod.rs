//! What answers change: a correction of the finished model's probabilities.
//!
//! | file | holds |
//! |---|---|
//! | `priors.rs` | how far answers may move each part of the correction |
//! | `contradiction.rs` | how far the answers are from the class shares that the model expects |
//! | `objective.rs` | the penalised likelihood of the answers and its slope |
//! | `fit.rs` | the correction with the highest penalised likelihood |
//! | `blend.rs` | how much training on the answers alone has to say |
//!
//! [`crate::labels::correct`] brings model, votes and answers together.

mod blend;
mod contradiction;
mod fit;
mod objective;
mod priors;

pub(crate) use blend::Lesson;
pub(crate) use objective::{AnsweredRow, answered_rows};
pub use priors::CorrectionPriors;

use crate::num::softmax_in_place;
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
/// confidence, and a shift the weight of one vote.
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
    /// Of two classes, for each source and vote what it adds to the log odds of the second.
    odds: Vec<f64>,
    /// For each number of votes up to some, [`crowd`].
    crowds: Vec<f64>,
}

/// Numbers of votes whose logarithm is kept.
const MOST_CROWDS: usize = 1 << 10;

impl<'a> Corrector<'a> {
    pub(crate) fn new(correction: &'a Correction, sources: usize) -> Self {
        let k = correction.biases.len();
        let mut places = vec![0; sources * k];
        let mut odds = vec![0.0; if k == 2 { sources * 2 } else { 0 }];
        for (place, shift) in (1..).zip(&correction.shifts) {
            let at = shift.source * k + usize::from(shift.vote) - 1;
            places[at] = place;
            if let [first, second] = shift.scores[..] {
                odds[at] = second - first;
            }
        }
        let crowds =
            (0..=sources.min(MOST_CROWDS)).map(|votes| crowd(votes, correction.usual_votes)).collect();
        Self { correction, k, places, odds, crowds }
    }

    /// Corrects the probabilities `p` of a row of `(source, vote)`.
    pub(crate) fn apply(&self, votes: impl Iterator<Item = (usize, Vote)>, p: &mut [f64]) {
        if let [first, second] = p {
            let (low, high) = self.second_of_two(votes, *first, *second);
            (*first, *second) = (low, high);
            return;
        }
        for (p, bias) in p.iter_mut().zip(&self.correction.biases) {
            *p = self.correction.slope * p.max(LEAST).ln() + bias;
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
        let crowd = self.crowd(cast);
        p.iter_mut().zip(&self.correction.trends).for_each(|(p, trend)| *p += crowd * trend);
        softmax_in_place(p);
    }

    fn crowd(&self, votes: usize) -> f64 {
        self.crowds.get(votes).copied().unwrap_or_else(|| crowd(votes, self.correction.usual_votes))
    }

    /// Both probabilities of two classes, with one logarithm and one exponential.
    fn second_of_two(
        &self,
        votes: impl Iterator<Item = (usize, Vote)>,
        first: f64,
        second: f64,
    ) -> (f64, f64) {
        let apart = |pair: &[f64]| pair[1] - pair[0];
        let mut odds = self.correction.slope * (second.max(LEAST) / first.max(LEAST)).ln()
            + apart(&self.correction.biases);
        let mut cast = 0;
        for (j, vote) in votes {
            cast += 1;
            odds += self.odds[j * 2 + usize::from(vote) - 1];
        }
        odds += self.crowd(cast) * apart(&self.correction.trends);
        let small = (-odds.abs()).exp();
        let (likely, unlikely) = (1.0 / (1.0 + small), small / (1.0 + small));
        if odds > 0.0 { (unlikely, likely) } else { (likely, unlikely) }
    }
}
