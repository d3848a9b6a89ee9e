//! The structure that the default model reads: the sources that repeat each other, and the learned links.

use std::collections::BTreeMap;

use super::compared::rows_to_compare;
use super::discounted::{MOST_SOURCES, count_as_one, positive_links, with_groups};
use super::few_sources::{FewSources, assumed_of_few};
use super::readings::most_repeated;
use super::useless::{surely, without_useless};
use crate::model::fit::likelihood::prior::Counted;
use crate::model::fit::options::{FitError, FitOptions, Inference};
use crate::model::fit::repetition::listing::{Listed, Listing};
use crate::model::fit::repetition::pairs::{Excess, Pairs};
use crate::parallel;
use crate::structure::{ExactOptions, Repetition, Repetitions, Select, Structure, exact_copies, learn_exact};
use crate::votes::Votes;

/// Labels look for links if the table has at most this many rows that differ, so that they cost seconds and not minutes, ...
const LINK_ROWS: usize = 1 << 14;
/// ... and where these times the work on each is at most this, a quarter of a second.
const LINK_WORK: f64 = (1 << 23) as f64;
/// A few rows are always enough, if the work on each is no more than this.
const FEW_ROWS: usize = 1 << 10;
const MOST_WORK: f64 = (1 << 17) as f64;

/// Whether the default model reads links. Those of a table that is too large for it say nothing that the agreement of so many
/// votes does not say as well.
///
/// # Formula
/// ```text
/// work on a row: mean of (votes of the row)² · (1 + k / 8)
/// ```
fn reads_links(votes: &Votes) -> bool {
    let patterns = votes.patterns();
    if patterns.len() > LINK_ROWS {
        return false;
    }
    let squares: usize = parallel::map(parallel::few_ranges(patterns.len(), parallel::ROWS), |rows| {
        rows.map(|p| patterns.row(p).count().pow(2)).sum::<usize>()
    })
    .into_iter()
    .sum();
    let work = squares as f64 * (1.0 + votes.classes().len() as f64 / 8.0);
    let rows = patterns.len();
    let few = rows <= FEW_ROWS && work <= MOST_WORK * rows as f64;
    rows > 0 && (few || work <= LINK_WORK)
}

/// The structure of `votes` that the default model uses: learned links if the table is of moderate size, exact copies, and
/// sources that repeat each other.
///
/// [`with_repetitions`] finds the same repetitions for a structure learned from the same votes with the default settings.
///
/// ```
/// use consilience::model::default_structure;
/// use consilience::votes::Votes;
///
/// let rows = [["yes", "yes", "no"], ["no", "no", "no"], ["yes", "yes", "yes"]].repeat(40);
/// let structure = default_structure(&Votes::from_text(&["a", "a_copy", "b"], rows)?)?;
/// assert_eq!(structure.copies, [[0, 1]]);
/// assert!(structure.repetitions.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn default_structure(votes: &Votes) -> Result<Structure, FitError> {
    with_repetitions(votes, linked(votes))
}

/// The links that labels look for, or none if the table is too large for that or too small, and exact copies.
fn linked(votes: &Votes) -> Structure {
    let learned = reads_links(votes).then(|| learn_exact(votes, &ExactOptions::default(), Select::Auto).ok());
    learned.flatten().unwrap_or_else(|| {
        let (sources, classes) = (votes.sources().clone(), votes.classes().clone());
        Structure {
            copies: exact_copies(votes),
            ..Structure::without_dependencies(sources, classes, votes.items())
        }
    })
}

/// Adds to `structure` the pairs and groups of sources that repeat each other on `votes`.
///
/// A pair counts if its agreement beyond what class and difficulty explain is large and certain, or if a link with a
/// positive weight joins it; in large tables, if that agreement is certain and stands out. `repetition/pairs.rs` has the formulas.
///
/// Sources that are certainly no better than chance have no influence on the others: these are compared without them, and with
/// the links found without them.
pub fn with_repetitions(votes: &Votes, structure: Structure) -> Result<Structure, FitError> {
    crate::model::fit::check_structure(votes, &structure)?;
    if votes.sources().len() > MOST_SOURCES {
        return Ok(Structure { repetitions: Some(Repetitions::default()), ..structure });
    }
    let all = Comparison::new(votes, &structure)?;
    let useless = &all.useless;
    let Some(speaking) = without_useless(votes, useless)? else {
        return Ok(Structure { repetitions: Some(all.repetitions()), ..structure });
    };
    let mut found = Comparison::new(&speaking, &linked(&speaking))?;
    found.excess.extend(all.excess.iter().filter(|pair| useless[pair.source] || useless[pair.of]));
    found.once.extend(all.once.iter().filter(|group| group.iter().all(|&j| useless[j])).cloned());
    Ok(Structure { repetitions: Some(found.repetitions()), ..structure })
}

/// Sources with fewer votes may be mirror images of each other by chance.
const FEWEST_MIRRORED: f64 = 20.0;

/// Adds mirror images to the groups that count as one: a source and its opposite say the same thing once.
fn join_mirrors(once: &mut Vec<Vec<usize>>, mirrors: &[[usize; 2]], counted: &Counted) {
    for &[source, image] in mirrors.iter().filter(|mirror| counted.total(mirror[1]) >= FEWEST_MIRRORED) {
        match once.iter_mut().find(|group| group.contains(&source)) {
            Some(group) if group.contains(&image) => {}
            Some(group) => group.push(image),
            None => once.push(vec![source, image]),
        }
    }
}

/// What comparing all sources has found.
struct Comparison {
    excess: Vec<Excess>,
    once: Vec<Vec<usize>>,
    /// Which sources are surely no better than chance.
    useless: Vec<bool>,
}

impl Comparison {
    fn new(votes: &Votes, structure: &Structure) -> Result<Self, FitError> {
        let n = votes.sources().len();
        let options = FitOptions { inference: Inference::Exact, ..FitOptions::default() };
        let counted = crate::model::fit::count(votes);
        let part = rows_to_compare(votes, &counted);
        let pairs = Pairs::new(votes, &part);
        let near = pairs.near_copies();
        let reads_links = reads_links(votes);
        let mut listing = Listing::new(n, if reads_links { Listed::Open } else { Listed::Unread });
        let links = positive_links(structure).filter(|_| reads_links);
        let copies = structure.copies.iter().flat_map(|group| {
            group.iter().flat_map(|&j| group.iter().map(move |&l| [j, l])).filter(|[j, l]| j != l)
        });
        let near_pairs = (0..n * n).filter(|&at| near[at]).map(|at| [at / n, at % n]);
        for [j, l] in links.chain(copies).chain(near_pairs) {
            listing.set(j, l, Listed::Linked);
        }
        let mut once = pairs.echoes(&near);
        if reads_links {
            join_mirrors(&mut once, &structure.mirrors, &counted);
        }
        let links = reads_links.then_some(structure);
        let mut found = most_repeated(&pairs, part, &counted, &once, &listing, links, &options)?;
        let of_few = assumed_of_few(&options, votes.classes().len());
        if let Some(few) = FewSources::new(votes, &once, &of_few)? {
            let several = |j: usize| votes.domains()[j].classes().len() > 1;
            let repetitions = few.most_probable()?;
            found
                .excess
                .retain(|pair| !(several(pair.source) && several(pair.of)) || count_as_one(pair, &once));
            found.excess.extend(pairs.known_discounts(&repetitions).1);
            let alone = with_groups(&few.agree_with_nobody(), &once);
            let useless: Vec<bool> = (0..n).map(|j| alone.contains(&j)).collect();
            return Ok(Self { excess: found.excess, once, useless: surely(&useless, &counted) });
        }
        let useless = found.surely_useless(part, &counted, &options)?;
        Ok(Self { excess: found.excess, once, useless })
    }

    fn repetitions(self) -> Repetitions {
        // Both directions of a pair, the stronger one.
        let mut strongest: BTreeMap<[usize; 2], Repetition> = BTreeMap::new();
        for excess in &self.excess {
            let sources = [excess.source.min(excess.of), excess.source.max(excess.of)];
            let pair = strongest.entry(sources).or_insert(Repetition { sources, share: 0.0, z: None });
            pair.share = pair.share.max(excess.rho);
            pair.z = Some(pair.z.map_or(excess.z, |z| z.max(excess.z)));
        }
        Repetitions { pairs: strongest.into_values().collect(), once: self.once }
    }
}
