//! Accuracy after each answer.

use crate::interval::{Interval, Z_95, wilson};
use crate::labels::{Labels, Ties};
use crate::sources::Vote;

/// The share of correct labels after each of `answers` (an item and its class), in their order; items without a label do not count.
///
/// The last one is the accuracy of a certificate of the same answers.
///
/// ```
/// use consilience::findings::running_accuracy;
/// use consilience::pipeline::{Votes, majority_vote};
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "yes", "no"], ["no", "no", "no"]])?;
/// let shares = running_accuracy(&majority_vote(&votes), &[(0, 2), (1, 2)]); // the second label is wrong
/// let estimates: Vec<f64> = shares.iter().flatten().map(|share| share.estimate).collect();
/// assert_eq!(estimates, [1.0, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn running_accuracy(labels: &Labels, answers: &[(usize, Vote)]) -> Vec<Option<Interval>> {
    let (mut right, mut judged) = (0.0, 0.0);
    let mut found = Vec::with_capacity(answers.len());
    for (place, &(i, answer)) in answers.iter().enumerate() {
        if let Some(label) = labels.decide(i, Ties::Empty) {
            judged += 1.0;
            right += f64::from(u8::from(label == answer));
        }
        let fraction = (place + 1) as f64 / labels.items() as f64;
        found.push(wilson(right, judged, fraction, Z_95));
    }
    found
}
