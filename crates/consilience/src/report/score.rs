//! Scores of decisions and probabilities against gold. Items without gold (abstain) do not count.
//!
//! Every function returns `None` if no item counts, and never NaN.

use serde::Serialize;

use crate::sources::{ABSTAIN, Vote};

/// [`log_loss`] keeps probabilities this far from 0 and 1, so that one confident mistake does not make it infinite.
pub const LOG_LOSS_CLIP: f64 = 1e-6;

/// Ranges of confidence that [`calibration_error`] compares with accuracy.
pub const CALIBRATION_BINS: usize = 10;

/// The share of items whose decision is the gold class; no decision (abstain) counts as wrong.
///
/// ```
/// use consilience::report::score::accuracy;
///
/// // The last item has no gold and does not count; the third has no decision and counts as wrong.
/// assert_eq!(accuracy(&[1, 2, 0, 2], &[1, 2, 1, 0]), Some(2.0 / 3.0));
/// assert_eq!(accuracy(&[1], &[0]), None);
/// ```
pub fn accuracy(decided: &[Vote], gold: &[Vote]) -> Option<f64> {
    mean(known(decided.iter(), gold).map(|(&decided, gold)| f64::from(u8::from(decided == gold))))
}

/// Precision, recall and F1 of one class.
///
/// # Formula
/// ```text
/// precision = right / decided for the class      recall = right / of the class      F1 = 2 right / (decided + of the class)
/// ```
///
/// ```
/// use consilience::report::score::ClassScore;
///
/// let spam = ClassScore::new(2, &[2, 2, 1, 1], &[2, 1, 2, 1]).expect("gold is known");
/// assert_eq!((spam.precision, spam.recall, spam.f1), (0.5, 0.5, 0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassScore {
    /// The share of items decided for the class that belong to it; 0 if there are none.
    pub precision: f64,
    /// The share of items of the class that were decided for it; 0 if there are none.
    pub recall: f64,
    /// The harmonic mean of both; 0 if no decision is correct.
    pub f1: f64,
}

impl ClassScore {
    /// The scores of `class`.
    pub fn new(class: Vote, decided: &[Vote], gold: &[Vote]) -> Option<Self> {
        let (mut right, mut chosen, mut there, mut items) = (0u64, 0u64, 0u64, 0u64);
        for (&decided, gold) in known(decided.iter(), gold) {
            items += 1;
            right += u64::from(decided == class && gold == class);
            chosen += u64::from(decided == class);
            there += u64::from(gold == class);
        }
        let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        (items > 0).then(|| Self {
            precision: share(right, chosen),
            recall: share(right, there),
            f1: share(2 * right, chosen + there),
        })
    }
}

/// The mean negative log probability of the gold class, in nats.
///
/// # Formula
/// ```text
/// mean over items of -log( p(gold class) clipped to [1e-6, 1 - 1e-6] )
/// ```
/// `probabilities` has one entry per item: the probability of each class. A gold class beyond them has probability 0.
///
/// ```
/// use consilience::report::score::log_loss;
///
/// let p = [[0.5, 0.5], [0.25, 0.75]];
/// let loss = log_loss(p.iter().map(|p| &p[..]), &[1, 2]).expect("gold is known");
/// assert!((loss - (2.0_f64.ln() - 0.75_f64.ln()) / 2.0).abs() < 1e-12);
/// ```
pub fn log_loss<'a>(probabilities: impl Iterator<Item = &'a [f64]>, gold: &[Vote]) -> Option<f64> {
    mean(known(probabilities, gold).map(|(p, gold)| {
        let p = p.get(gold as usize - 1).copied().unwrap_or(0.0);
        -p.clamp(LOG_LOSS_CLIP, 1.0 - LOG_LOSS_CLIP).ln()
    }))
}

/// The mean squared distance between the probabilities and the truth, from 0 to 2.
///
/// # Formula
/// ```text
/// mean over items of Σ_c ( p_c - 1{c = gold class} )²
/// ```
///
/// ```
/// use consilience::report::score::brier;
///
/// let p = [[1.0, 0.0], [0.5, 0.5]];
/// assert_eq!(brier(p.iter().map(|p| &p[..]), &[1, 2]), Some(0.25)); // the mean of 0 and 0.5
/// ```
pub fn brier<'a>(probabilities: impl Iterator<Item = &'a [f64]>, gold: &[Vote]) -> Option<f64> {
    mean(known(probabilities, gold).map(|(p, gold)| {
        let of_gold = p.get(gold as usize - 1).copied().unwrap_or(0.0);
        // (p - 1)² takes the place of p² at the gold class.
        p.iter().map(|p| p * p).sum::<f64>() + 1.0 - 2.0 * of_gold
    }))
}

/// The expected calibration error: how far confidence is from accuracy.
///
/// # Formula
/// ```text
/// Σ_b n_b / n * | accuracy of bin b - mean confidence of bin b |      bins of equal width over confidence, 0 to 1
/// ```
///
/// ```
/// use consilience::report::score::calibration_error;
///
/// // Sure to 95%, but right on one item of two.
/// let error = calibration_error(&[0.95, 0.95], &[1, 1], &[1, 2]).expect("gold is known");
/// assert!((error - 0.45).abs() < 1e-12);
/// ```
pub fn calibration_error(confidences: &[f64], decided: &[Vote], gold: &[Vote]) -> Option<f64> {
    let mut bins = [(0.0f64, 0.0f64); CALIBRATION_BINS];
    let mut items = 0.0;
    for ((&confidence, &decided), gold) in known(confidences.iter().zip(decided), gold) {
        let bin = ((confidence * CALIBRATION_BINS as f64) as usize).min(CALIBRATION_BINS - 1);
        bins[bin].0 += f64::from(u8::from(decided == gold));
        bins[bin].1 += confidence;
        items += 1.0;
    }
    let gap: f64 = bins.iter().map(|(right, confidence)| (right - confidence).abs()).sum();
    (items > 0.0).then(|| gap / items)
}

fn known<'g, T: 'g>(
    items: impl Iterator<Item = T> + 'g,
    gold: &'g [Vote],
) -> impl Iterator<Item = (T, Vote)> + 'g {
    items.zip(gold.iter().copied()).filter(|&(_, gold)| gold != ABSTAIN)
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: [Vote; 6] = [1, 2, 2, 0, 2, 1];
    const DECIDED: [Vote; 6] = [1, 2, 1, 2, 0, 2];

    fn close(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    #[test]
    fn decisions_by_hand() {
        // Five items count; the first two are right, one has no decision.
        close(accuracy(&DECIDED, &GOLD), 2.0 / 5.0);
        let two = ClassScore::new(2, &DECIDED, &GOLD).unwrap();
        // Class 2: decided twice, once rightly, three times there.
        let expected = ClassScore { precision: 0.5, recall: 1.0 / 3.0, f1: 0.4 };
        close(Some(two.precision), expected.precision);
        close(Some(two.recall), expected.recall);
        close(Some(two.f1), expected.f1);
        let three = ClassScore::new(3, &DECIDED, &GOLD).unwrap();
        assert!(three.f1.abs() + three.precision.abs() + three.recall.abs() < 1e-300);
    }

    #[test]
    fn probabilities_by_hand() {
        let p = [[0.75, 0.25], [0.5, 0.5], [1.0, 0.0], [0.3, 0.7], [0.2, 0.8], [0.0, 1.0]];
        let rows = || p.iter().map(<[f64; 2]>::as_slice);
        let losses = [-0.75f64.ln(), -0.5f64.ln(), -1e-6f64.ln(), -0.8f64.ln(), -1e-6f64.ln()];
        close(log_loss(rows(), &GOLD), losses.iter().sum::<f64>() / 5.0);
        // 2 * (1 - p)² for two classes.
        let squares = [0.125, 0.5, 2.0, 0.08, 2.0];
        close(brier(rows(), &GOLD), squares.iter().sum::<f64>() / 5.0);
        // A sure and right answer is still a little uncertain, so that no model has a loss of 0.
        close(log_loss([[1.0, 0.0].as_slice()].into_iter(), &[1]), -(1.0f64 - 1e-6).ln());
        // A gold class that no source votes for.
        close(brier([[0.6, 0.4].as_slice()].into_iter(), &[Vote::MAX]), 0.36 + 0.16 + 1.0);
        close(log_loss([[0.6, 0.4].as_slice()].into_iter(), &[Vote::MAX]), -1e-6f64.ln());
    }

    #[test]
    fn calibration_by_hand() {
        // Bin 7: 0.75 and 0.72, one of two right. Bin 9: 0.95 and 1, both right. The item without gold does not count.
        let confidences = [0.75, 0.72, 0.95, 0.9, 1.0];
        let error = calibration_error(&confidences, &[1, 1, 2, 2, 1], &[1, 2, 2, 0, 1]);
        close(error, ((1.0 - 1.47f64).abs() + (2.0 - 1.95f64).abs()) / 4.0);
    }

    #[test]
    fn without_gold_there_is_no_score() {
        assert_eq!(accuracy(&[1], &[0]), None);
        assert_eq!(ClassScore::new(1, &[], &[]), None);
        assert_eq!(log_loss([[0.5, 0.5].as_slice()].into_iter(), &[0]), None);
        assert_eq!(brier([[0.5, 0.5].as_slice()].into_iter(), &[0]), None);
        assert_eq!(calibration_error(&[0.5], &[1], &[0]), None);
    }
}
