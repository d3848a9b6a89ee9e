//! The model in which repeated votes count once.

use super::few_sources::{FewSources, assumed_of_few};
use super::pooled_confusion::pooled_confusion;
use super::readings::most_repeated;
use super::worse_than_chance::worse_than_chance;
use crate::dependency::{Accuracy, Dependency, DependencyType as _, Factor, Table};
use crate::model::Model;
use crate::model::fit::impressions::with_impression::{states, with_impression};
use crate::model::fit::likelihood::expected::{Reader, Scores};
use crate::model::fit::likelihood::layout::Layout;
use crate::model::fit::likelihood::prior::{Counted, single_source_terms};
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::likelihood::weights::fit_raised;
use crate::model::fit::options::{FitError, FitOptions, Inference};
use crate::model::fit::repetition::listing::{Listed, Listing};
use crate::model::fit::repetition::pairs::{Excess, Pairs, Posteriors};
use crate::model::fit::{Ending, FitNote, Fitted, Repeat};
use crate::model::impression::POINTS;
use crate::num::softmax_in_place;
use crate::sources::ABSTAIN;
use crate::structure::{LearnedDependency, LinkType, Repetition, Repetitions, Structure};
use crate::votes::{Votes, VotesBuilder};

/// Rounds of fitting and comparing sources.
const ROUNDS: usize = 2;
/// The most rounds from the shares of the votes, which are far from any fit.
const MOST_ROUNDS: usize = 8;
/// Votes that are spread over all classes when shares of the votes are taken.
const SPREAD: f64 = 0.5;
/// Rows on which sources are compared, at least and at most, and the work on them: more rows where these have few votes.
const FEWEST_ROWS: usize = 1 << 13;
const MOST_ROWS: usize = 1 << 15;
const WORK: f64 = (1 << 22) as f64;
/// Their posteriors are computed in pieces of about this many.
const PIECE_OF_ROWS: usize = 1 << 10;
/// The first fit limits accuracies to this, so that a widely copied source is not mistaken for the truth.
const BEST_AT_FIRST: f64 = 0.95;
/// A source of several classes with a log odds below this says nothing, and is left with this share of it.
pub(crate) const USELESS: f64 = 0.1;
const LEFT_OF_USELESS: f64 = 0.01;
/// With this many votes that is sure: such a log odds is 2.5 points above chance, two standard errors of a share of so many votes.
const SURELY_USELESS: f64 = 1600.0;
/// If all sources have larger log odds than this, and their shares have changed by less than this part since they were fitted,
/// another fit would not find a useless one.
const FAR_FROM_CHANCE: f64 = 3.0 * USELESS;
const STEADY: f64 = 0.1;
/// With more sources than this, their pairs are not compared.
pub(crate) const MOST_SOURCES: usize = 4096;

/// The rows on which sources are compared: an even part of all.
pub(crate) fn rows_to_compare<'a>(votes: &'a Votes, counted: &Counted) -> Rows<'a> {
    let n = votes.sources().len();
    let votes_of_row = (0..n).map(|j| counted.total(j)).sum::<f64>() / counted.items;
    let rows = WORK / (votes_of_row.powi(2) + (2 * POINTS * votes.classes().len()) as f64);
    Rows::voted(votes).thinned((rows as usize).clamp(FEWEST_ROWS, MOST_ROWS))
}

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

/// Those of the `useless` sources that have enough votes to be sure of it.
pub(crate) fn surely(useless: &[bool], counted: &Counted) -> Vec<bool> {
    let sure = |(j, useless): (usize, &bool)| *useless && counted.total(j) >= SURELY_USELESS;
    useless.iter().enumerate().map(sure).collect()
}

/// The votes of the sources that are not `useless`, if there are both; all sources keep their places.
pub(crate) fn without_useless(votes: &Votes, useless: &[bool]) -> Result<Option<Votes>, FitError> {
    let speak = (0..useless.len()).any(|j| !useless[j] && !votes.domains()[j].classes().is_empty());
    if !speak || !useless.contains(&true) {
        return Ok(None);
    }
    let mut builder = VotesBuilder::new(votes.sources().clone());
    let mut row = Vec::new();
    for i in 0..votes.items() {
        row.clear();
        let kept = votes.row_of_item(i).filter(|&(j, _)| !useless[j]);
        row.extend(kept.map(|(j, vote)| (j as u32, vote)));
        builder.push(&row)?;
    }
    Ok(Some(builder.finish_as(votes.classes().clone())?))
}

/// The model of the informative sources, with the `useless` ones added as `all` has them.
fn with_useless(mut kept: Fitted, all: Fitted, votes: &Votes, useless: &[bool]) -> Result<Fitted, FitError> {
    let of_useless = |factor: &&Factor| matches!(factor.dependency.sources(), [j] if useless[*j]);
    let mut factors = kept.model.factors().list().to_vec();
    factors.extend(all.model.factors().list().iter().filter(of_useless).cloned());
    kept.model =
        Model::new(votes.sources().clone(), votes.classes().clone(), votes.domains().to_vec(), factors)?;
    for (j, share) in kept.shares.iter_mut().enumerate().filter(|(j, _)| useless[*j]) {
        *share = all.shares[j];
    }
    kept.repeats.retain(|repeat| !useless[repeat.source]);
    kept.repeats.extend(all.repeats.iter().filter(|repeat| useless[repeat.source]));
    kept.repeats.sort_by_key(|repeat| (repeat.source, repeat.of));
    Ok(Fitted { items: votes.items(), copies: all.copies, notes: all.notes, ..kept })
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

/// What comparing the sources has found.
pub(crate) struct Found {
    /// The share of each source's votes that counts.
    pub(crate) shares: Vec<f64>,
    /// Which sources are worse than chance.
    below: Vec<bool>,
    /// The pairs that made the shares.
    pub(crate) excess: Vec<Excess>,
    /// Whether no source of several classes is anywhere near chance, so that it need not be asked.
    far_from_chance: bool,
    /// How far the pairs that did not make the shares are from independence, given the class.
    pub(crate) unexplained: f64,
}

impl Found {
    /// Before anything is compared.
    fn new(shares: Vec<f64>) -> Self {
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

/// What follows from repetitions with known shares.
fn taken(
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

/// The share of each of `n` sources that counts if the members of `once` count as one.
fn alone(n: usize, once: &[Vec<usize>]) -> Vec<f64> {
    let mut alone = vec![1.0; n];
    for group in once {
        for &j in group {
            alone[j] = f64::min(alone[j], 1.0 / group.len() as f64);
        }
    }
    alone
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

/// For each source, the log odds of one vote in the share that counts.
fn log_odds(model: &Model, shares: &[f64]) -> Vec<f64> {
    let mut odds = vec![0.0; shares.len()];
    for factor in model.factors().list() {
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            odds[*j] = 2.0 * factor.weight * shares[*j];
        }
    }
    odds
}

/// Which sources of several classes are no better than chance.
fn useless(model: &Model, votes: &Votes) -> Vec<bool> {
    near_chance(model, votes, USELESS)
}

/// Which sources of several classes have log odds below `limit`, for or against their votes.
fn near_chance(model: &Model, votes: &Votes, limit: f64) -> Vec<bool> {
    let mut near = vec![false; votes.sources().len()];
    for factor in model.factors().list() {
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            let several = votes.domains()[*j].classes().len() > 1;
            near[*j] = several && 2.0 * factor.weight.abs() < limit;
        }
    }
    near
}

fn fit_accuracies(
    rows: Rows<'_>,
    counted: &Counted,
    shares: &[f64],
    below: &[bool],
    best: Option<f64>,
    options: &FitOptions,
) -> Result<(Model, Ending), FitError> {
    let votes = rows.votes;
    let mut terms = single_source_terms(votes, counted, shares, options);
    for term in terms.iter_mut().filter(|term| matches!(term.dependency, Dependency::Accuracy(_))) {
        if let [j] = *term.dependency.sources()
            && below[j]
        {
            term.prior = term.prior.turned();
        }
    }
    if let Some(best) = best {
        let k = votes.classes().len() as f64;
        let most = 0.5 * (best * (k - 1.0) / (1.0 - best)).ln();
        for term in terms.iter_mut().filter(|term| matches!(term.dependency, Dependency::Accuracy(_))) {
            term.prior.upper = term.prior.upper.min(most);
        }
    }
    let (model, ending, _) = fit_raised(rows, &terms, shares, options)?;
    Ok((model, ending))
}

/// The posterior of every row, classes fastest.
fn posteriors(model: &Model, shares: &[f64], votes: &Votes, rows: &Rows<'_>) -> Vec<f64> {
    let (layout, energies) = raised_energies(model, shares, votes);
    let scores = Scores::new(&layout, &energies);
    let k = layout.k;
    let pieces = rows.in_pieces(k * PIECE_OF_ROWS, |range| {
        let mut reader = Reader::new(&layout, votes.patterns(), false);
        let mut q = vec![0.0; range.len() * k];
        for (row, q) in range.zip(q.chunks_exact_mut(k)) {
            reader.read(rows.pattern(row));
            scores.of_row(&reader, q);
            softmax_in_place(q);
        }
        q
    });
    pieces.concat()
}

fn raised_energies(
    model: &Model,
    shares: &[f64],
    votes: &Votes,
) -> (Layout, crate::model::fit::likelihood::layout::Tables) {
    let dependencies: Vec<Dependency> =
        model.factors().list().iter().map(|factor| factor.dependency.clone()).collect();
    let layout = Layout::new(&dependencies, votes.domains(), votes.classes().len());
    let mut energies = layout.energies(&model.factors().weights());
    for (places, share) in layout.starts.windows(2).zip(shares) {
        let cells = places[0] * layout.k..places[1] * layout.k;
        energies.unary[cells].iter_mut().for_each(|cell| *cell *= share);
    }
    (layout, energies)
}

/// The model whose scores count every vote in its share: accuracies times δ, and for three classes and more what all
/// sources mistake together.
fn with_shares(
    model: &Model,
    votes: &Votes,
    shares: &[f64],
    useless: &[bool],
    pooled: bool,
) -> Result<Model, FitError> {
    let k = votes.classes().len();
    let several: Vec<bool> = votes.domains().iter().map(|domain| domain.classes().len() > 1).collect();
    let mut factors: Vec<Factor> = Vec::with_capacity(model.factors().len());
    for factor in model.factors().list() {
        let mut factor = factor.clone();
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            factor.weight *= if useless[*j] { LEFT_OF_USELESS } else { 1.0 };
        }
        factors.push(factor);
    }
    if pooled && k > 2 && several.iter().any(|&several| several) {
        let plain = raised_energies(model, &vec![1.0; shares.len()], votes);
        let useful = Model::new(
            model.sources().clone(),
            model.classes().clone(),
            model.domains().to_vec(),
            factors.clone(),
        )?;
        let (layout, scores_of) = raised_energies(&useful, shares, votes);
        let ratio = pooled_confusion(&layout, &Rows::voted(votes), &plain.1, &scores_of, shares, &several);
        for j in (0..several.len()).filter(|&j| several[j]) {
            let energy = |scope: &[u16], y: u16| match scope[0] {
                ABSTAIN => 0.0,
                vote => ratio[(usize::from(vote) - 1) * k + usize::from(y) - 1],
            };
            if let Ok(table) = Table::from_fn(vec![j], k, energy) {
                factors.push(Factor::new(table, shares[j]));
            }
        }
    }
    for factor in &mut factors {
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            let j = *j;
            *factor = Factor::new(Accuracy::new(j), factor.weight * shares[j]);
        }
    }
    Ok(Model::new(model.sources().clone(), model.classes().clone(), model.domains().to_vec(), factors)?)
}
