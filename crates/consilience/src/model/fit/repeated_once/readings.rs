//! Which of two readings of the votes to believe.

use super::discounted::{Found, compared};
use super::implied::implied_shares;
use crate::model::fit::likelihood::prior::Counted;
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::options::{FitError, FitOptions};
use crate::model::fit::repetition::listing::Listing;
use crate::model::fit::repetition::pairs::Pairs;
use crate::structure::Structure;

/// Compares the sources twice, starting from their votes in full and from the shares that the links of `structure` imply, and keeps
/// the reading under which they repeat each other more.
///
/// # Formula
/// ```text
/// the smaller Σ_j δ_j, which is the effective number of votes
/// ```
/// The votes of a group that moves together can be read in two ways: its members follow one of them, or what they say is the
/// truth. Fitting ends in the reading that it starts near. Under the second one the members seem independent of each other, so
/// the panel seems to have more independent votes than it has.
pub(crate) fn most_repeated(
    pairs: &Pairs,
    part: Rows<'_>,
    counted: &Counted,
    once: &[Vec<usize>],
    listing: &Listing,
    structure: Option<&Structure>,
    options: &FitOptions,
) -> Result<Found, FitError> {
    let from = |start: &[f64]| compared(pairs, part, counted, once, listing, start, options);
    let in_full = vec![1.0; pairs.n];
    let found = from(&in_full)?;
    let implied = structure.map(|structure| implied_shares(part.votes, structure));
    let Some(implied) = implied.filter(|implied| *implied != in_full) else { return Ok(found) };
    let other = from(&implied)?;
    let votes = |found: &Found| found.shares.iter().sum::<f64>();
    Ok(if votes(&other) < votes(&found) { other } else { found })
}
