//! Majority vote: every vote counts the same. The baseline for every model.

use super::Labels;
use crate::parallel;
use crate::votes::Votes;

/// Rows that one piece of work takes, at least.
const ROWS: usize = 4096;

/// Labels by majority vote: the share of votes for each class, equal shares if nobody votes.
///
/// # Formula
/// ```text
/// p(y = c | votes) = votes for c / votes cast
/// ```
///
/// ```
/// use consilience::labels::majority_vote;
/// use consilience::votes::Votes;
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "yes", "no"]])?;
/// assert_eq!(majority_vote(&votes).item(0), [1.0 / 3.0, 2.0 / 3.0]); // no, yes
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn majority_vote(votes: &Votes) -> Labels {
    let k = votes.classes().len();
    let patterns = votes.patterns();
    let mut probabilities = vec![0.0; patterns.len() * k];
    let of_row = |(p, shares): (usize, &mut [f64])| {
        let mut cast = 0.0;
        for (_, vote) in patterns.row(p) {
            shares[vote as usize - 1] += 1.0;
            cast += 1.0;
        }
        if cast > 0.0 {
            for share in shares {
                *share /= cast;
            }
        } else {
            shares.fill(1.0 / k as f64);
        }
    };
    parallel::for_each(probabilities.chunks_mut(ROWS * k).enumerate(), |(piece, rows)| {
        (piece * ROWS..).zip(rows.chunks_exact_mut(k)).for_each(of_row);
    });
    Labels::new(votes, probabilities)
}
