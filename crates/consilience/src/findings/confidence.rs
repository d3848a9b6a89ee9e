//! How confident labels are, and how often they are correct.

use serde::Serialize;

use crate::labels::Labels;
use crate::sources::{ABSTAIN, Vote};

/// Ranges of confidence.
const BINS: usize = 20;

/// The items whose confidence is in one range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ConfidenceBin {
    /// Where the range begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Items with votes in it.
    pub items: u64,
    /// Those among them whose true class is known.
    pub judged: u64,
    /// The mean confidence of these.
    pub confidence: Option<f64>,
    /// The share of correct labels among them; ties count by chance.
    pub right: Option<f64>,
}

/// The items with votes by confidence, in ranges of equal width from 0 to 1; `truth` has one class per item, abstain if it is not
/// known.
///
/// ```
/// use consilience::findings::confidence_bins;
/// use consilience::pipeline::{Votes, majority_vote};
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "yes", "yes"], ["yes", "yes", "no"]])?;
/// let bins = confidence_bins(&majority_vote(&votes), Some(&[2, 2]));
/// assert_eq!(bins.iter().map(|bin| bin.items).sum::<u64>(), 2);
/// assert_eq!(bins.last().and_then(|bin| bin.right), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn confidence_bins(labels: &Labels, truth: Option<&[Vote]>) -> Vec<ConfidenceBin> {
    bins(labels, &labels.counts(), truth)
}

/// The same where it is known how many items each pattern has.
pub(super) fn bins(labels: &Labels, counts: &[u64], truth: Option<&[Vote]>) -> Vec<ConfidenceBin> {
    let mut bins: Vec<ConfidenceBin> = (0..BINS)
        .map(|bin| ConfidenceBin {
            low: bin as f64 / BINS as f64,
            high: (bin + 1) as f64 / BINS as f64,
            ..ConfidenceBin::default()
        })
        .collect();
    let mut sums = vec![(0.0, 0.0); BINS];
    let bin_of = |confidence: f64| ((confidence * BINS as f64) as usize).min(BINS - 1);
    // Pattern by pattern: items come in an order that no cache likes.
    let confidences = labels.confidences();
    for (p, (&count, &confidence)) in counts.iter().zip(&confidences).enumerate() {
        if labels.is_voted(p) {
            bins[bin_of(confidence)].items += count;
        }
    }
    for (i, &known) in truth.unwrap_or_default().iter().enumerate() {
        if known != ABSTAIN && labels.has_votes(i) {
            let confidence = confidences[labels.pattern_of(i)];
            let bin = bin_of(confidence);
            bins[bin].judged += 1;
            sums[bin].0 += confidence;
            sums[bin].1 += labels.chance_of(i, known);
        }
    }
    for (bin, (confidence, right)) in bins.iter_mut().zip(sums).filter(|(bin, _)| bin.judged > 0) {
        bin.confidence = Some(confidence / bin.judged as f64);
        bin.right = Some(right / bin.judged as f64);
    }
    bins
}
