//! The structure that the default model reads: who repeats whom, next to the learned links.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::discounted::{MOST_SOURCES, ROWS, compared, positive_links};
use super::options::{FitError, FitOptions, Inference};
use super::repeats::{Listed, Listing, Pairs};
use super::rows::Rows;
use crate::structure::{ExactOptions, Repetition, Repetitions, Select, Structure, exact_copies, learn_exact};
use crate::votes::{Votes, VotesBuilder};

/// Links are looked for in at most so many rows, so that labels cost seconds and not minutes.
const LINK_ROWS: usize = 1 << 14;
/// ... and in fewer where rows have many votes: rows times the work on each is at most this, a quarter of a second.
const LINK_WORK: f64 = (1 << 23) as f64;
/// ... but in no fewer than this.
const FEWEST_LINK_ROWS: usize = 1 << 10;
/// Where the work on a row is more than this, links are not looked for.
const MOST_WORK: f64 = (1 << 17) as f64;

/// How many rows links are looked for in; none where they have too many votes.
///
/// # Formula
/// ```text
/// work on a row: mean of (votes of the row)² · (1 + k / 8)
/// ```
fn rows_for_links(votes: &Votes) -> Option<usize> {
    let patterns = votes.patterns();
    let squares: usize = (0..patterns.len()).into_par_iter().map(|p| patterns.row(p).count().pow(2)).sum();
    let rows = patterns.len();
    let work = squares as f64 / rows.max(1) as f64 * (1.0 + votes.classes().len() as f64 / 8.0);
    let allowed = ((LINK_WORK / work.max(1.0)) as usize).clamp(FEWEST_LINK_ROWS, LINK_ROWS);
    (work <= MOST_WORK && rows > 0).then_some(allowed.min(rows))
}

/// The structure of `votes` that the default model is fitted with: the learned links where the table is of moderate size, exact
/// copies, and who repeats whom.
///
/// [`with_repetitions`] of a structure learned from the same votes by the default settings says the same of repetition.
pub fn default_structure(votes: &Votes) -> Result<Structure, FitError> {
    let all = rows_for_links(votes).is_some_and(|rows| rows == votes.patterns().len());
    let learned = all.then(|| learn_exact(votes, &ExactOptions::default(), Select::Auto).ok()).flatten();
    let structure = learned.unwrap_or_else(|| {
        let (sources, classes) = (votes.sources().clone(), votes.classes().clone());
        Structure {
            copies: exact_copies(votes),
            ..Structure::given(sources, classes, Vec::new(), votes.items())
        }
    });
    with_repetitions(votes, structure)
}

/// `structure` with the pairs and groups of sources that repeat each other on `votes`.
///
/// A pair counts where its agreement beyond what class and difficulty explain is large and certain, or where a link with a
/// positive weight joins it (of a table with very many rows, one that shows in an even part of them). `repeats.rs` has the
/// formulas.
pub fn with_repetitions(votes: &Votes, structure: Structure) -> Result<Structure, FitError> {
    super::check_names(votes, &structure)?;
    let n = votes.sources().len();
    if n > MOST_SOURCES {
        return Ok(Structure { repetitions: Some(Repetitions::default()), ..structure });
    }
    let options = FitOptions { inference: Inference::Exact, ..FitOptions::default() };
    let part = Rows::voted(votes).thinned(ROWS);
    let pairs = Pairs::new(votes, &part);
    let near = pairs.near_copies();
    let mut listing = Listing::new(n, Listed::Open);
    let linked = linked(votes, &structure)?;
    let copies = structure.copies.iter().flat_map(|group| {
        group.iter().flat_map(|&j| group.iter().map(move |&l| [j, l])).filter(|[j, l]| j != l)
    });
    let near_pairs = (0..n * n).filter(|&at| near[at]).map(|at| [at / n, at % n]);
    for [j, l] in linked.into_iter().chain(copies).chain(near_pairs) {
        listing.set(j, l, Listed::Linked);
    }
    let once = pairs.echoes(&near);
    let counted = super::count(votes);
    let found = compared(&pairs, part, &counted, &once, &listing, &options)?;
    // Both directions of a pair, the stronger one.
    let mut strongest: BTreeMap<[usize; 2], Repetition> = BTreeMap::new();
    for excess in &found.excess {
        let sources = [excess.source.min(excess.of), excess.source.max(excess.of)];
        let pair = strongest.entry(sources).or_insert(Repetition { sources, share: 0.0, z: None });
        pair.share = pair.share.max(excess.share);
        pair.z = Some(pair.z.map_or(excess.z, |z| z.max(excess.z)));
    }
    let repetitions = Repetitions { pairs: strongest.into_values().collect(), once };
    Ok(Structure { repetitions: Some(repetitions), ..structure })
}

/// The pairs that links join: those of `structure`, or of a table with many rows those of an even part of it.
fn linked(votes: &Votes, structure: &Structure) -> Result<Vec<[usize; 2]>, FitError> {
    let Some(rows) = rows_for_links(votes) else { return Ok(Vec::new()) };
    if rows == votes.patterns().len() {
        return Ok(positive_links(structure).collect());
    }
    let part = Rows::all(votes).thinned(rows);
    let patterns = votes.patterns();
    let mut builder = VotesBuilder::new(votes.sources().clone());
    let mut times = Vec::with_capacity(part.len());
    let mut row = Vec::new();
    for at in 0..part.len() {
        row.clear();
        row.extend(patterns.row(part.pattern(at)).map(|(j, vote)| (j as u32, vote)));
        builder.push(&row)?;
        times.push(patterns.counts()[part.pattern(at)]);
    }
    let part = builder.finish_as(votes.classes().clone())?.repeated(&times)?;
    let learned = learn_exact(&part, &ExactOptions::default(), Select::Auto);
    // Too few sources have no links.
    Ok(learned.map_or(Vec::new(), |learned| positive_links(&learned).collect()))
}
