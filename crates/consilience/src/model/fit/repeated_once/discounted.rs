//! The model in which repeated votes count once.

use super::accuracies::{fit_accuracies, with_shares};
use super::compared::{Found, alone, rows_to_compare, taken};
use super::few_sources::{FewSources, assumed_of_few};
use super::readings::most_repeated;
use super::useless::{SURELY_USELESS, surely, useless, with_useless, without_useless};
use crate::dependency::DependencyType as _;
use crate::model::fit::impressions::with_impression::with_impression;
use crate::model::fit::likelihood::prior::Counted;
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::options::{FitError, FitOptions, Inference};
use crate::model::fit::repetition::listing::{Listed, Listing};
use crate::model::fit::repetition::pairs::{Excess, Pairs};
use crate::model::fit::{FitNote, Fitted, Repeat};
use crate::structure::{LearnedDependency, LinkType, Repetition, Structure};
use crate::votes::Votes;

/// With more sources than this, their pairs are not compared.
pub(crate) const MOST_SOURCES: usize = 4096;

/// Fits the accuracies of the sources with each one's votes counted in the share δ_j that repeats nobody, by the pairs and groups
/// that `structure` lists; without a structure all δ are 1, which is the independent model.
///
/// ```text
/// δ from copies and echoes;   twice: fit accuracies -> posteriors -> δ from agreement beyond what these explain;   fit
/// ```
/// `repetition/pairs.rs` has the formula of δ, `exact.rs` that of the likelihood, `pooled_confusion.rs` what is added for three classes and
/// more, `worse_than_chance.rs` which sources count against their votes, `impressions/` how labels are made.
///
/// Sources that are surely no better than chance take no part in what is made of the others, nor do the items on which
/// nobody else votes: all is fitted once more without them, so that adding coins to a table changes none of its labels.
///
/// If so few sources of several classes vote that they cannot be compared, the structure says how to read their votes
/// (`few_sources.rs`).
pub(crate) fn fit_shared(
    votes: &Votes,
    counted: &Counted,
    structure: Option<&Structure>,
    options: &FitOptions,
) -> Result<Fitted, FitError> {
    let (all, useless) = fit_together(votes, counted, structure, options)?;
    let Some(structure) = structure else { return Ok(all) };
    let surely_useless = surely(&useless, counted);
    let Some(speak) = without_useless(votes, &surely_useless)? else { return Ok(all) };
    let (kept, _) = fit_together(&speak, &crate::model::fit::count(&speak), Some(structure), options)?;
    with_useless(kept, all, votes, &surely_useless)
}

/// Whether `structure` says that no source repeats another. One that was learned only says that none was found to.
fn is_declared_independent(structure: &Structure) -> bool {
    structure.repetitions.is_none() && structure.groups().is_empty()
}

/// Fits all sources together, and says which of those that vote for several classes are no better than chance.
fn fit_together(
    votes: &Votes,
    counted: &Counted,
    structure: Option<&Structure>,
    options: &FitOptions,
) -> Result<(Fitted, Vec<bool>), FitError> {
    let n = votes.sources().len();
    let mut options = FitOptions { inference: Inference::Exact, ..options.clone() };
    let mut found = Found::new(vec![1.0; n]);
    let mut notes = Vec::new();
    let mut once = Vec::new();
    let mut agree_with_nobody = Vec::new();
    if n > MOST_SOURCES && structure.is_some() {
        notes.push(FitNote::TooManyToCompare { sources: n });
    } else if let Some(structure) = structure {
        let part = rows_to_compare(votes, counted);
        let pairs = Pairs::new(votes, &part);
        let listing;
        (once, listing) = listed(structure);
        found = match &structure.repetitions {
            Some(known) if known.pairs.iter().all(|pair| pair.share > 0.0) => {
                taken(&pairs, part, counted, known, &options)?
            }
            _ => most_repeated(&pairs, part, counted, &once, &listing, Some(structure), &options)?,
        };
        let of_few = assumed_of_few(&options, votes.classes().len());
        let few =
            if is_declared_independent(structure) { None } else { FewSources::new(votes, &once, &of_few)? };
        if let Some(few) = few {
            options = of_few;
            agree_with_nobody = with_groups(&few.agree_with_nobody(), &once);
            read_few(&few, &pairs, votes, &once, structure, &mut found)?;
        }
    }
    let mut copies = structure.map_or(Vec::new(), |structure| structure.copies.clone());
    copies.retain(|group| once.iter().any(|once| group.iter().all(|j| once.contains(j))));
    let Found { shares, below, excess, .. } = found;
    let rows = Rows::voted(votes);
    let (model, ending) = fit_accuracies(rows, counted, &shares, &below, None, &options)?;
    let mut useless = useless(&model, votes);
    // Among a few sources, the prior keeps accuracies away from chance.
    for j in agree_with_nobody {
        useless[j] |= counted.total(j) >= SURELY_USELESS;
    }
    // Independent sources do not share mistakes.
    let is_pooled = structure.is_some_and(|structure| !is_declared_independent(structure));
    let model = with_shares(&model, votes, &shares, &useless, is_pooled)?;
    let (model, impression) = with_impression(model, votes, counted, &shares, &options)?;
    let repeats =
        excess.iter().map(|&Excess { source, of, share, .. }| Repeat { source, of, share }).collect();
    let (items, correction) = (votes.items(), None);
    Ok((Fitted { model, impression, ending, items, shares, repeats, copies, correction, notes }, useless))
}

/// The repetitions of `structure`: groups that count as one source, and pairs.
fn listed(structure: &Structure) -> (Vec<Vec<usize>>, Listing) {
    let mut listing = Listing::new(structure.sources.len(), Listed::Closed);
    let Some(found) = &structure.repetitions else {
        for [j, l] in positive_links(structure) {
            listing.set(j, l, Listed::Repetition);
        }
        return (structure.copies.clone(), listing);
    };
    for Repetition { sources: [j, l], .. } in &found.pairs {
        listing.set(*j, *l, Listed::Repetition);
    }
    // Copies with few votes may be so by chance; those that are not are among the groups.
    (found.once.clone(), listing)
}

/// The pairs of sources that a selected dependency with a positive weight joins, or one whose weight is not known.
pub(crate) fn positive_links(structure: &Structure) -> impl Iterator<Item = [usize; 2]> + '_ {
    let together = |learned: &&LearnedDependency| {
        let apart = learned.dependency.name() == LinkType::Exclusive.name();
        (learned.weight > 0.0 || learned.weight.abs() < f64::MIN_POSITIVE && learned.z.is_none()) && !apart
    };
    structure.selected().filter(together).filter_map(|learned| match *learned.dependency.sources() {
        [j, l] => Some([j, l]),
        _ => None,
    })
}

/// Replaces in `found` what it says of sources of several classes by the reading that `structure` says.
fn read_few(
    few: &FewSources,
    pairs: &Pairs,
    votes: &Votes,
    once: &[Vec<usize>],
    structure: &Structure,
    found: &mut Found,
) -> Result<(), FitError> {
    let listed: Vec<([usize; 2], Option<f64>)> = match &structure.repetitions {
        Some(known) => {
            let share = |pair: &Repetition| (pair.share > 0.0).then_some(pair.share);
            known.pairs.iter().map(|pair| (pair.sources, share(pair))).collect()
        }
        None => positive_links(structure).map(|pair| (pair, None)).collect(),
    };
    let repetitions = few.said(&listed)?;
    let n = votes.sources().len();
    let several = |j: usize| votes.domains()[j].classes().len() > 1;
    let (discounts, excess) = pairs.known_discounts(&repetitions);
    found.excess.retain(|pair| !(several(pair.source) && several(pair.of)) || count_as_one(pair, once));
    found.excess.extend(excess);
    found.excess.sort_by_key(|pair| (pair.source, pair.of));
    let alone = alone(n, once);
    for j in (0..n).filter(|&j| several(j)) {
        let first = once.iter().filter(|group| group.contains(&j)).flatten().copied().min().unwrap_or(j);
        found.shares[j] = alone[j] * discounts[first];
    }
    Ok(())
}

/// Whether a pair is in one of the groups that count as one.
pub(crate) fn count_as_one(pair: &Excess, once: &[Vec<usize>]) -> bool {
    once.iter().any(|group| group.contains(&pair.source) && group.contains(&pair.of))
}

/// The sources in `list`, and all that count as one with them.
pub(crate) fn with_groups(list: &[usize], once: &[Vec<usize>]) -> Vec<usize> {
    let groups = once.iter().filter(|group| group.iter().any(|j| list.contains(j)));
    list.iter().chain(groups.flatten()).copied().collect()
}
