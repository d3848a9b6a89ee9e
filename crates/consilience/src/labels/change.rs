//! Labels by a model that answers have corrected, and what the answers change.

use super::Labels;
use super::decide::likeliest;
use super::infer::{InferError, Notes, label_rows};
use crate::answers::Answers;
use crate::model::Fitted;
use crate::sources::Vote;
use crate::votes::Votes;

/// What answers change about the labels of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The items without an answer whose likeliest class is another one.
    pub labels: usize,
    /// The mean probability of each class over all items, without the correction.
    pub before: Vec<f64>,
    /// The same with it.
    pub after: Vec<f64>,
}

/// Labels `votes` like [`super::infer()`] by a model that `answers` have corrected, and compares with the labels without the
/// correction on the way. [`Labels::with_answers`] then gives answered items their answers.
///
/// ```
/// use consilience::answers::Answers;
/// use consilience::labels::{correct, infer_changed};
/// use consilience::model::CorrectionPriors;
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let simulated = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?;
/// # let (votes, truth) = (simulated.votes, simulated.labels);
/// # let model = consilience::pipeline::label(&votes)?.model;
///
/// let answered = truth.iter().enumerate().map(|(i, &class)| if i % 10 == 0 { class } else { 0 }).collect();
/// let answers = Answers::new(answered, votes.items(), votes.classes())?;
/// let taught = correct(&model, &votes, &answers, CorrectionPriors::default())?.fitted;
/// let (labels, change) = infer_changed(&taught, &votes, &answers)?;
/// assert_eq!((labels.items(), change.before.len()), (500, 2));
/// assert!(change.labels < 450);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn infer_changed(
    fitted: &Fitted,
    votes: &Votes,
    answers: &Answers,
) -> Result<(Labels, Change), InferError> {
    let k = fitted.model.classes().len();
    let counts = votes.patterns().counts();
    let start = || Comparison { counts, before: vec![0.0; k], after: vec![0.0; k], differ: Vec::new() };
    let (labels, pieces) = label_rows(fitted, votes, start)?;
    let (mut before, mut after) = (vec![0.0; k], vec![0.0; k]);
    for piece in &pieces {
        add(&mut before, 1.0 / votes.items() as f64, &piece.before);
        add(&mut after, 1.0 / votes.items() as f64, &piece.after);
    }
    // Ascending, as pieces and their patterns are.
    let differ: Vec<usize> = pieces.into_iter().flat_map(|piece| piece.differ).collect();
    let items: u64 = differ.iter().map(|&p| counts[p]).sum();
    let answered =
        answers.iter().filter(|&(i, _)| differ.binary_search(&labels.pattern_of(i)).is_ok()).count();
    Ok((labels, Change { labels: items as usize - answered, before, after }))
}

/// Patterns before and after their correction.
struct Comparison<'a> {
    counts: &'a [u64],
    /// Sums of the probabilities over all items.
    before: Vec<f64>,
    after: Vec<f64>,
    /// The patterns whose likeliest class is another one, ascending.
    differ: Vec<usize>,
}

fn add(sums: &mut [f64], times: f64, numbers: &[f64]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += times * number);
}

impl Notes for Comparison<'_> {
    #[inline(always)]
    fn before(&mut self, p: usize, probabilities: &[f64]) -> Vote {
        add(&mut self.before, self.counts[p] as f64, probabilities);
        likeliest(probabilities)
    }

    #[inline(always)]
    fn after(&mut self, p: usize, probabilities: &[f64], before: Vote) {
        add(&mut self.after, self.counts[p] as f64, probabilities);
        if likeliest(probabilities) != before {
            self.differ.push(p);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{correct, infer};
    use crate::model::{CellLimit, CorrectionPriors, Dependence, FitOptions, Planted, fit, simulate};

    /// The labels are those of [`infer`], and the change is what comparing them with the uncorrected ones item by item gives.
    #[test]
    fn the_change_is_that_of_the_items() {
        let simulated =
            simulate(&Planted::new(5).unwrap().model().unwrap(), 12_000, 3, CellLimit::default(), |_| {})
                .unwrap();
        let votes = simulated.votes;
        // Answers of one class only, so that many labels change.
        let answered: Vec<Vote> = (0..votes.items()).map(|i| Vote::from(i % 60 == 0)).collect();
        let answers = Answers::new(answered, votes.items(), votes.classes()).unwrap();
        let plain = fit(&votes, Dependence::Independent, &FitOptions::default()).unwrap();
        let taught = correct(&plain, &votes, &answers, CorrectionPriors::default()).unwrap().fitted;
        let (labels, change) = infer_changed(&taught, &votes, &answers).unwrap();
        let before = infer(&plain, &votes).unwrap();
        assert_eq!(labels, infer(&taught, &votes).unwrap());
        assert_eq!(labels, before.clone().corrected(&taught, &votes).unwrap());
        let other = |&i: &usize| {
            answers.of_items()[i] == 0
                && before.likeliest(before.pattern_of(i)) != labels.likeliest(labels.pattern_of(i))
        };
        assert_eq!(change.labels, (0..votes.items()).filter(other).count());
        assert!(change.labels > 100, "{change:?}");
        for c in 0..2 {
            let mean = |labels: &Labels| {
                (0..votes.items()).map(|i| labels.item(i)[c]).sum::<f64>() / votes.items() as f64
            };
            assert!((change.before[c] - mean(&before)).abs() < 1e-9);
            assert!((change.after[c] - mean(&labels)).abs() < 1e-9);
        }
        // Without answers nothing changes.
        let none = Answers::new(vec![0; votes.items()], votes.items(), votes.classes()).unwrap();
        let (labels, change) = infer_changed(&plain, &votes, &none).unwrap();
        assert_eq!((labels, change.labels), (before, 0));
        assert_eq!(change.before, change.after);
    }
}
