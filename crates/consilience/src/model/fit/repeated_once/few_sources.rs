//! Who repeats whom among a few sources.
//!
//! With fewer than six sources of several classes, agreement that class and difficulty do not explain cannot be compared with what is
//! usual. Two that agree often may both be right, or one may follow the other. Which of these readings is more probable can still
//! be computed: a reading in which two sources are nearly always right and the others hardly ever needs more luck than one in which
//! all are about as good as sources are, and one follows another.

use crate::components::components;
use crate::dependency::{Agreement, Dependency, DependencyType as _};
use crate::model::fit::likelihood::prior::{Counted, Free, WeightPrior, single_source_terms};
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::likelihood::weights::{curvature_along, fit_raised};
use crate::model::fit::options::{FitError, FitOptions, Inference};
use crate::model::fit::repetition::pairs::FEWEST_COMPARED;
use crate::num::log_determinant_and_variances;
use crate::sources::Vote;
use crate::structure::Repetition;
use crate::votes::{Votes, VotesBuilder};

/// The assumed share of correct votes of a source, and the standard deviation of its log odds around that while readings are compared.
const ACCURACY: f64 = 0.7;
const SPREAD: f64 = 0.6;
/// Once a reading is chosen, the prior is more precise than usual by this factor per vote: what else a few sources share cannot be seen,
/// so their votes show less about their accuracies than the model believes.
const MORE_PRECISE: f64 = 40.0;
/// How probable it is that two sources are linked, before any vote is seen, and the standard deviation of the weight if they are.
const LINKED: f64 = 0.03;
const LINK_SPREAD: f64 = 3.0;
/// Links with a smaller share say little, and are not considered.
const KEPT: f64 = 0.4;
/// The largest weight of a link: e^8 is nearly three thousand.
const LARGEST_LINK: f64 = 8.0;
/// Agreement within this many standard errors of chance is no agreement.
const CHANCE: f64 = 4.0;
/// Searches start from links with shares between these.
const LEAST_START: f64 = 0.1;
const MOST_START: f64 = 0.95;
/// Readings are compared on so many rows, divided by the number of classes; with more classes than this, no links are searched for.
const ROWS: usize = 1 << 12;
const MOST_CLASSES: usize = 16;
/// Readings are compared if all sources vote on so many items, and on this share of those on which any of them votes.
const FEWEST_ITEMS: usize = 100;
const FEWEST_OF_ALL: f64 = 1.0 / 3.0;

/// One way to read the votes: who repeats whom, and the logarithm of how probable that is, up to a constant.
#[derive(Clone, Debug)]
struct Reading {
    links: Vec<Repetition>,
    evidence: f64,
}

/// The `options` with what is assumed of a few sources.
pub(crate) fn assumed_of_few(options: &FitOptions, k: usize) -> FitOptions {
    let mut options = FitOptions { inference: Inference::Exact, ..options.clone() };
    let (accuracy, k) = (options.priors.accuracy.unwrap_or(ACCURACY), k as f64);
    options.priors.accuracy = Some(accuracy);
    options.priors.precision *= SPREAD.powi(-2);
    options.priors.vote_precision *= MORE_PRECISE;
    options.priors.start = (accuracy * (k - 1.0) / (1.0 - accuracy)).ln().clamp(0.0, 12.0);
    options
}

/// A few sources, and what is assumed of them.
pub(crate) struct FewSources {
    votes: Votes,
    counted: Counted,
    options: FitOptions,
    /// 0 for sources that are left out because they say what another one says.
    kept: Vec<f64>,
    /// Those that vote for several classes and are kept.
    several: Vec<usize>,
    /// The share of the common votes of any two of these that are the same, row by row of a square.
    agreement: Vec<f64>,
}

impl FewSources {
    /// The sources of `votes`; of each group in `once`, only the first counts. `options` are those of [`assumed_of_few`].
    ///
    /// `None` unless three to five sources of several classes vote, and all of them together on enough items. Only these items are
    /// read: on others, that two sources vote on the same items would pass for repetition.
    pub(crate) fn new(
        votes: &Votes,
        once: &[Vec<usize>],
        options: &FitOptions,
    ) -> Result<Option<Self>, FitError> {
        let n = votes.sources().len();
        let mut kept = vec![1.0; n];
        for group in once {
            let first = group.iter().copied().min();
            group.iter().filter(|&&j| Some(j) != first).for_each(|&j| kept[j] = 0.0);
        }
        let mut options = options.clone();
        options.priors.vote_precision = 0.0;
        let several = |&j: &usize| kept[j] > 0.0 && votes.domains()[j].classes().len() > 1;
        let several: Vec<usize> = (0..n).filter(several).collect();
        if !(3..FEWEST_COMPARED).contains(&several.len()) {
            return Ok(None);
        }
        let Some(votes) = voted_by_all(votes, &several)? else { return Ok(None) };
        let counted = crate::model::fit::count(&votes);
        let mut few = Self { votes, counted, options, kept, several, agreement: Vec::new() };
        few.agreement = agreement(&few.rows(), &few.several);
        Ok(Some(few))
    }

    fn rows(&self) -> Rows<'_> {
        Rows::voted(&self.votes).thinned(ROWS / self.votes.classes().len().clamp(1, MOST_CLASSES))
    }

    /// How far two sources agree beyond what is expected of sources that are as good as assumed, as a share of what is possible. A search
    /// that starts from independent sources would end in the reading that those who agree are right.
    fn excess(&self, j: usize, l: usize) -> f64 {
        let (n, k) = (self.several.len(), self.votes.classes().len() as f64);
        let right = self.options.priors.accuracy.unwrap_or(ACCURACY);
        let expected = right * right + (1.0 - right).powi(2) / (k - 1.0);
        let place = |source: usize| self.several.iter().position(|&other| other == source).unwrap_or(0);
        ((self.agreement[place(j) * n + place(l)] - expected) / (1.0 - expected))
            .clamp(LEAST_START, MOST_START)
    }

    /// Which of these sources agree with none of the others more than by chance, and so say nothing: what a reading makes of them depends on
    /// what is assumed.
    pub(crate) fn agree_with_nobody(&self) -> Vec<usize> {
        let is_beyond_chance = |j: usize, l: usize| {
            let k = self.votes.classes().len();
            let (mut both, mut same, mut cast) = (0.0, 0.0, vec![[0.0; 2]; k]);
            let rows = self.rows();
            for row in 0..rows.len() {
                let vote_of = |source| {
                    let mut votes = self.votes.patterns().row(rows.pattern(row));
                    votes.find(|&(other, _)| other == source).map(|(_, vote)| usize::from(vote) - 1)
                };
                if let (Some(first), Some(second)) = (vote_of(j), vote_of(l)) {
                    let count = rows.count(row);
                    both += count;
                    same += if first == second { count } else { 0.0 };
                    cast[first][0] += count;
                    cast[second][1] += count;
                }
            }
            let chance = cast.iter().map(|[a, b]| a * b).sum::<f64>() / f64::max(both * both, 1.0);
            (same - both * chance).abs() > CHANCE * (both * chance * (1.0 - chance)).sqrt()
        };
        let alone = |&j: &usize| self.several.iter().all(|&l| l == j || !is_beyond_chance(j, l));
        self.several.iter().copied().filter(alone).collect()
    }

    /// The reading that a person or an earlier search says: those of `listed` that join two of these sources, each with its share; a share
    /// that is not known is as large as the votes say.
    pub(crate) fn said(&self, listed: &[([usize; 2], Option<f64>)]) -> Result<Vec<Repetition>, FitError> {
        let is_here = |j: usize| self.several.contains(&j);
        let mut links: Vec<_> =
            listed.iter().copied().filter(|&([j, l], _)| is_here(j) && is_here(l)).collect();
        links.sort_unstable_by_key(|&(pair, _)| pair);
        links.dedup_by_key(|&mut (pair, _)| pair);
        let known = |&(sources, share): &([usize; 2], Option<f64>)| {
            share.map(|share| Repetition { sources, share, z: None })
        };
        let all_known: Option<Vec<Repetition>> = links.iter().map(known).collect();
        all_known.map_or_else(|| self.reading(&links).map(|reading| reading.links), Ok)
    }

    /// The most probable of all readings in which the sources fall into two groups or more. Within a group, links join those that agree
    /// most often.
    pub(crate) fn most_probable(&self) -> Result<Vec<Repetition>, FitError> {
        let mut best = self.reading(&[])?;
        if self.votes.classes().len() > MOST_CLASSES {
            return Ok(best.links);
        }
        for groups in partitions(self.several.len()) {
            let links = joined(&groups, &self.agreement);
            if links.is_empty() || links.len() + 1 >= self.several.len() {
                continue;
            }
            let links = links.iter().map(|pair| (pair.map(|place| self.several[place]), None));
            let reading = self.reading(&links.collect::<Vec<_>>())?;
            if reading.evidence > best.evidence && reading.links.iter().all(|link| link.share > KEPT) {
                best = reading;
            }
        }
        Ok(best.links)
    }

    /// The reading in which `links` repeat each other, each by the share that is known, or as much as the votes say.
    ///
    /// # Formula
    /// ```text
    /// 2 θ_j ~ N( log( α (k-1) / (1 - α) ), 0.6² ),   α = 0.7;   links: agreement with weights w ~ N( 0, 3² ), 0 <= w <= 8
    /// share of a link = (e^w - 1) / (e^w + k - 1)
    /// log evidence = log p(votes, weights) - ½ log |H| + ½ Σ log prior precisions + links · log( 0.03 / 0.97 )
    /// ```
    /// with H minus the second derivative of the first term along accuracies and links (Laplace's approximation).
    fn reading(&self, links: &[([usize; 2], Option<f64>)]) -> Result<Reading, FitError> {
        crate::watch::look();
        let (votes, rows) = (&self.votes, self.rows());
        let k = votes.classes().len() as f64;
        let mut terms = single_source_terms(votes, &self.counted, &self.kept, &self.options);
        let groups = components(self.kept.len(), links.iter().map(|&(pair, _)| pair));
        for term in terms.iter_mut().filter(|term| matches!(term.dependency, Dependency::Accuracy(_))) {
            let [j] = *term.dependency.sources() else { continue };
            // A group says as much as one source, if it only repeats itself.
            let size = groups.iter().find(|group| group.contains(&j)).map_or(1, Vec::len);
            term.prior.start /= size as f64;
        }
        let first_link = terms.len();
        for &([j, l], share) in links {
            let prior = match share {
                Some(share) => WeightPrior::fixed(weight_of(share, k)),
                None => WeightPrior {
                    mean: 0.0,
                    precision: LINK_SPREAD.powi(-2),
                    lower: 0.0,
                    upper: LARGEST_LINK,
                    start: weight_of(self.excess(j, l), k),
                },
            };
            // Two different sources always make one.
            let Ok(agreement) = Agreement::new(j, l) else { continue };
            terms.push(Free { dependency: agreement.into(), prior });
        }
        let powers = vec![1.0; votes.sources().len()];
        let (model, ending, _) = fit_raised(rows, &terms, &powers, &self.options)?;
        let weights = model.factors().weights();
        let is_uncertain = |term: &Free| {
            matches!(term.dependency, Dependency::Accuracy(_)) && {
                let [j] = *term.dependency.sources() else { return false };
                self.several.contains(&j)
            }
        };
        let free_link = |at: usize| at >= first_link && terms[at].prior.precision > 0.0;
        let places: Vec<usize> =
            (0..terms.len()).filter(|&at| free_link(at) || is_uncertain(&terms[at])).collect();
        let curvature = curvature_along(rows, &terms, &weights, &places, &self.options)?;
        let (log_determinant, variances) = log_determinant_and_variances(&curvature);
        let of_priors: f64 = places.iter().map(|&at| 0.5 * terms[at].prior.precision.ln()).sum();
        let evidence = ending.objective.unwrap_or(f64::NEG_INFINITY) + of_priors - 0.5 * log_determinant
            + links.len() as f64 * (LINKED / (1.0 - LINKED)).ln();
        let repetition = |(&(sources, share), at): (&([usize; 2], Option<f64>), usize)| {
            let error = places.iter().position(|&place| place == at).map(|place| variances[place].sqrt());
            Repetition {
                sources,
                share: share.unwrap_or_else(|| share_of(weights[at], k)),
                z: error.map(|error| weights[at] / error).filter(|z| z.is_finite()),
            }
        };
        let links = links.iter().zip(first_link..).map(repetition).collect();
        // At a bound, or where the votes say nothing, the maximum is not curved, and the approximation means nothing.
        Ok(Reading { links, evidence: if evidence.is_nan() { f64::NEG_INFINITY } else { evidence } })
    }
}

/// The items on which all sources in `list` vote, if there are enough of them.
fn voted_by_all(votes: &Votes, list: &[usize]) -> Result<Option<Votes>, FitError> {
    let mut builder = VotesBuilder::new(votes.sources().clone());
    let (mut row, mut items) = (Vec::new(), 0);
    for i in 0..votes.items() {
        row.clear();
        row.extend(votes.row_of_item(i).map(|(j, vote)| (j as u32, vote)));
        if list.iter().all(|&j| row.iter().any(|&(other, _)| other as usize == j)) {
            builder.push(&row)?;
            items += 1;
        }
    }
    // Where sources seldom meet, the items on which they do are unlike the others.
    if items < FEWEST_ITEMS || (items as f64) < FEWEST_OF_ALL * Rows::voted(votes).items() {
        return Ok(None);
    }
    let all = builder.finish_as(votes.classes().clone())?;
    let enough = list.iter().all(|&j| all.domains()[j].classes().len() > 1);
    Ok(enough.then_some(all))
}

/// The share of the common votes of any two sources in `list` that are the same, row by row of a square.
fn agreement(rows: &Rows<'_>, list: &[usize]) -> Vec<f64> {
    let n = list.len();
    let (mut both, mut same) = (vec![0.0; n * n], vec![0.0; n * n]);
    for row in 0..rows.len() {
        let place = |(j, vote)| list.iter().position(|&other| other == j).map(|at| (at, vote));
        let cast: Vec<(usize, Vote)> =
            rows.votes.patterns().row(rows.pattern(row)).filter_map(place).collect();
        for &(a, first) in &cast {
            for &(b, second) in &cast {
                both[a * n + b] += rows.count(row);
                same[a * n + b] += if first == second { rows.count(row) } else { 0.0 };
            }
        }
    }
    same.iter().zip(&both).map(|(same, both)| same / f64::max(*both, 1.0)).collect()
}

/// All ways to divide `n` things into groups, each as the group of every thing.
fn partitions(n: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..n {
        let longer = |groups: Vec<usize>| {
            let next = groups.iter().max().map_or(0, |last| last + 1);
            (0..=next).map(move |group| [groups.as_slice(), &[group]].concat())
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    found
}

/// The pairs that join each group into one, by the greatest agreement possible, ascending.
fn joined(groups: &[usize], agreement: &[f64]) -> Vec<[usize; 2]> {
    let n = groups.len();
    let mut pairs: Vec<[usize; 2]> = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).collect();
    pairs.retain(|&[a, b]| groups[a] == groups[b]);
    pairs.sort_by(|&[a, b], &[c, d]| agreement[c * n + d].total_cmp(&agreement[a * n + b]));
    let mut tree: Vec<usize> = (0..n).collect();
    let mut kept = Vec::new();
    for [a, b] in pairs {
        if tree[a] != tree[b] {
            let (into, from) = (tree[a], tree[b]);
            tree.iter_mut().filter(|root| **root == from).for_each(|root| *root = into);
            kept.push([a, b]);
        }
    }
    kept.sort_unstable();
    kept
}

/// The agreement beyond chance that a link with this weight implies.
fn share_of(weight: f64, k: f64) -> f64 {
    let odds = weight.exp();
    (odds - 1.0) / (odds + k - 1.0)
}

/// The weight of a link that implies this share.
fn weight_of(share: f64, k: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    ((1.0 + (k - 1.0) * share) / (1.0 - share).max(f64::MIN_POSITIVE)).ln().min(LARGEST_LINK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_weights_are_inverse() {
        for k in [2.0, 5.0] {
            for weight in [0.0, 0.3, 2.0, 7.5] {
                assert!((weight_of(share_of(weight, k), k) - weight).abs() < 1e-9);
            }
            assert!((weight_of(1.0, k) - LARGEST_LINK).abs() < 1e-12);
        }
    }

    #[test]
    fn every_partition_is_found_once() {
        let counts = [1, 1, 2, 5, 15, 52];
        for (n, count) in counts.into_iter().enumerate() {
            let mut found = partitions(n);
            assert_eq!(found.len(), count, "{n} things");
            found.dedup();
            assert_eq!(found.len(), count, "{n} things");
        }
    }

    /// A leader that two follow, and another pair: followers are joined through their leader.
    #[test]
    fn groups_are_joined_by_those_that_agree_most() {
        let mut agreement = vec![0.5; 25];
        for ([a, b], share) in [([0, 3], 0.9), ([0, 4], 0.85), ([3, 4], 0.8), ([1, 2], 0.7)] {
            (agreement[a * 5 + b], agreement[b * 5 + a]) = (share, share);
        }
        assert_eq!(joined(&[0, 1, 1, 0, 0], &agreement), [[0, 3], [0, 4], [1, 2]]);
        assert!(joined(&[0, 1, 2, 3, 4], &agreement).is_empty());
    }
}
