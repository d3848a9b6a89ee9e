//! Which sources repeat each other: fitting and comparing by turns.

use super::accuracies::{fit_accuracies, log_odds, posteriors};
use super::useless::{USELESS, near_chance, surely, useless};
use super::worse_than_chance::worse_than_chance;
use crate::model::fit::impressions::with_impression::states;
use crate::model::fit::likelihood::prior::Counted;
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::options::{FitError, FitOptions};
use crate::model::fit::repetition::listing::Listing;
use crate::model::fit::repetition::pairs::{Excess, Pairs, Posteriors};
use crate::model::impression::POINTS;
use crate::structure::Repetitions;
use crate::votes::Votes;

/// Votes that are spread over all classes when shares of the votes are taken.
const SPREAD: f64 = 0.5;
/// Rounds of fitting and comparing sources.
const ROUNDS: usize = 2;
/// The most rounds from the shares of the votes, which are far from any fit.
const MOST_ROUNDS: usize = 8;
/// Rows on which sources are compared, at least and at most, and the work on them: more rows where these have few votes.
const FEWEST_ROWS: usize = 1 << 13;
const MOST_ROWS: usize = 1 << 15;
const WORK: f64 = (1 << 22) as f64;
/// The first fit limits accuracies to this, so that a widely copied source is not mistaken for the truth.
const BEST_AT_FIRST: f64 = 0.95;
/// If all sources have larger log odds than this, and their shares have changed by less than this part since they were fitted,
/// another fit would not find a useless one.
const FAR_FROM_CHANCE: f64 = 3.0 * USELESS;
const STEADY: f64 = 0.1;

/// The rows on which sources are compared: an even part of all.
pub(crate) fn rows_to_compare<'a>(votes: &'a Votes, counted: &Counted) -> Rows<'a> {
    let n = votes.sources().len();
    let votes_of_row = (0..n).map(|j| counted.total(j)).sum::<f64>() / counted.items;
    let rows = WORK / (votes_of_row.powi(2) + (2 * POINTS * votes.classes().len()) as f64);
    Rows::voted(votes).thinned((rows as usize).clamp(FEWEST_ROWS, MOST_ROWS))
}

/// What comparing the sources has found.
pub(crate) struct Found {
    /// The share of each source's votes that counts.
    pub(crate) shares: Vec<f64>,
    /// Which sources are worse than chance.
    pub(crate) below: Vec<bool>,
    /// The pairs that made the shares.
    pub(crate) excess: Vec<Excess>,
    /// Whether no source of several classes is anywhere near chance, so that it need not be asked.
    far_from_chance: bool,
    /// How far the pairs that did not make the shares are from independence, given the class.
    pub(crate) unexplained: f64,
}

impl Found {
    /// Before anything is compared.
    pub(crate) fn new(shares: Vec<f64>) -> Self {
        let below = vec![false; shares.len()];
        Self { shares, below, excess: Vec::new(), far_from_chance: false, unexplained: 0.0 }
    }

    /// Which sources of several classes are surely no better than chance.
    pub(crate) fn surely_useless(
        &self,
        part: Rows<'_>,
        counted: &Counted,
        options: &FitOptions,
    ) -> Result<Vec<bool>, FitError> {
        if self.far_from_chance {
            return Ok(vec![false; self.shares.len()]);
        }
        let (model, _) = fit_accuracies(part, counted, &self.shares, &self.below, None, options)?;
        Ok(surely(&useless(&model, part.votes), counted))
    }
}

/// Where fitting and comparing start.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a> {
    /// The first fit counts every source in no more than this share.
    Shares(&'a [f64]),
    /// Sources are compared before any fit, as if each class were as probable as its share of the votes.
    VoteShares,
}

/// Alternates between fitting and comparing. The members of `once` count as one source, and the pairs that `listing` admits count
/// as repetition.
pub(crate) fn compared(
    pairs: &Pairs,
    part: Rows<'_>,
    counted: &Counted,
    once: &[Vec<usize>],
    listing: &Listing,
    start: Start<'_>,
    options: &FitOptions,
) -> Result<Found, FitError> {
    let votes = part.votes;
    let alone = alone(votes.sources().len(), once);
    let limited = |shares: &[f64]| alone.iter().zip(shares).map(|(alone, &share)| alone.min(share)).collect();
    let (mut found, rounds) = match start {
        Start::Shares(first) => (Found::new(limited(first)), ROUNDS),
        Start::VoteShares => {
            let classes = vote_shares(votes, &part, &alone);
            let discounts = pairs.discounts(&Posteriors { classes, states: None }, listing);
            (Found::new(limited(&discounts.shares)), MOST_ROUNDS)
        }
    };
    let mut strength = None;
    for round in 0..rounds {
        let best = if round == 0 { Some(BEST_AT_FIRST) } else { None };
        let fit = |found: &Found| fit_accuracies(part, counted, &found.shares, &found.below, best, options);
        let (mut model, _) = fit(&found)?;
        let mut classes = posteriors(&model, &found.shares, votes, &part);
        if round == 0 {
            found.below = worse_than_chance(pairs, &classes, &log_odds(&model, &found.shares));
            if found.below.contains(&true) {
                (model, _) = fit(&found)?;
                classes = posteriors(&model, &found.shares, votes, &part);
            }
        }
        let states =
            states(&model, pairs, &part, counted, &found.shares, &options.priors.impression(), &mut strength);
        let discounts = pairs.discounts(&Posteriors { classes, states }, listing);
        found.excess = discounts.excess;
        found.unexplained = discounts.unexplained;
        let before = std::mem::replace(&mut found.shares, limited(&discounts.shares));
        let steady =
            before.iter().zip(&found.shares).all(|(before, share)| (share - before).abs() < STEADY * before);
        found.far_from_chance =
            steady && near_chance(&model, votes, FAR_FROM_CHANCE).iter().all(|near| !near);
        if steady && round + 1 >= ROUNDS {
            break;
        }
    }
    Ok(found)
}

/// For every row, the share of the votes for each class, each source's in its share; classes fastest.
fn vote_shares(votes: &Votes, rows: &Rows<'_>, shares: &[f64]) -> Vec<f64> {
    let k = votes.classes().len();
    let mut of_rows = vec![SPREAD / k as f64; rows.len() * k];
    for (row, of_row) in of_rows.chunks_exact_mut(k).enumerate() {
        for (j, vote) in votes.patterns().row(rows.pattern(row)) {
            of_row[usize::from(vote) - 1] += shares[j];
        }
        let total: f64 = of_row.iter().sum();
        for share in of_row {
            *share /= total;
        }
    }
    of_rows
}

/// The share of each of `n` sources that counts if the members of `once` count as one.
pub(crate) fn alone(n: usize, once: &[Vec<usize>]) -> Vec<f64> {
    let mut alone = vec![1.0; n];
    for group in once {
        for &j in group {
            alone[j] = f64::min(alone[j], 1.0 / group.len() as f64);
        }
    }
    alone
}

/// What follows from repetitions with known shares.
pub(crate) fn taken(
    pairs: &Pairs,
    part: Rows<'_>,
    counted: &Counted,
    known: &Repetitions,
    options: &FitOptions,
) -> Result<Found, FitError> {
    let n = part.votes.sources().len();
    let (discounts, excess) = pairs.known_discounts(&known.pairs);
    let shares =
        alone(n, &known.once).iter().zip(&discounts).map(|(&alone, &share)| alone.min(share)).collect();
    let mut found = Found { excess, ..Found::new(shares) };
    let (model, _) =
        fit_accuracies(part, counted, &found.shares, &found.below, Some(BEST_AT_FIRST), options)?;
    let classes = posteriors(&model, &found.shares, part.votes, &part);
    found.below = worse_than_chance(pairs, &classes, &log_odds(&model, &found.shares));
    Ok(found)
}
