//! Which of several readings of the votes to believe.

use super::compared::{Found, Start, compared};
use super::implied::implied_shares;
use crate::model::fit::likelihood::prior::Counted;
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::options::{FitError, FitOptions};
use crate::model::fit::repetition::listing::Listing;
use crate::model::fit::repetition::pairs::Pairs;
use crate::structure::Structure;

/// A reading explains the votes if the mean z² of the pairs that do not repeat each other is at most this. It is below 1 if they are
/// independent, and mostly above 4 if a group is taken for the truth.
const EXPLAINED: f64 = 1.5;
/// Another reading must leave less than this part of what the first one leaves.
const MUCH_LESS: f64 = 1.0 / 3.0;

/// Compares the sources starting from their votes in full and from the shares that the links of `structure` imply, and keeps the
/// reading under which they repeat each other more. If that leaves agreement unexplained, the shares of the votes are another start.
///
/// # Formula
/// ```text
/// of the first two: the smaller Σ_j δ_j, which is the effective number of votes
/// u: mean z² over the pairs that do not count as repetition
/// the third, if u > 1.5 and its own u' <= 1.5 and u' < u / 3
/// ```
/// The votes of a group that moves together can be read in two ways: its members follow one of them, or what they say is the
/// truth. Fitting ends in the reading that it starts near. Under the second one the members seem independent of each other, so
/// the panel seems to have more independent votes than it has. And when members do not follow, they agree with sources outside
/// the group by more than that reading explains.
pub(crate) fn most_repeated(
    pairs: &Pairs,
    part: Rows<'_>,
    counted: &Counted,
    once: &[Vec<usize>],
    listing: &Listing,
    structure: Option<&Structure>,
    options: &FitOptions,
) -> Result<Found, FitError> {
    let from = |start: Start<'_>| compared(pairs, part, counted, once, listing, start, options);
    let explains = |found: &Found| found.unexplained <= EXPLAINED;
    let votes = |found: &Found| found.shares.iter().sum::<f64>();
    let in_full = vec![1.0; pairs.n];
    let mut fewest = from(Start::Shares(&in_full))?;
    let implied = structure.map(|structure| implied_shares(part.votes, structure));
    if let Some(implied) = implied.filter(|implied| *implied != in_full) {
        let found = from(Start::Shares(&implied))?;
        if votes(&found) < votes(&fewest) {
            fewest = found;
        }
    }
    if explains(&fewest) {
        return Ok(fewest);
    }
    let found = from(Start::VoteShares)?;
    let is_better = explains(&found) && found.unexplained < MUCH_LESS * fewest.unexplained;
    Ok(if is_better { found } else { fewest })
}
