//! Maximum likelihood over all pairs with Gibbs sampling, the paper's baseline for Algorithm 1 (section 5.2).
//!
//! The model has an accuracy for every source and a correlation for every pair. Its marginal likelihood is maximized item
//! by item, with the step size, epochs, truncation and threshold of Algorithm 1, but the expectation under the model, which
//! cannot be computed, is replaced by one draw. Every item has its own chain, which starts at the item's votes and makes
//! one sweep per visit (the class given its votes, then every vote given the class and the other votes). After every sweep,
//! all weights make one small step. Fast samplers of factor graphs learn in this way.
//!
//! The paper draws the class of an observed item; we take its expectation, which costs nothing more, because correlations
//! do not depend on the class.
//!
//! What makes it fast? The weights of pairs form one square matrix in single precision, and votes are stored as one row of
//! zeros and ones per possible vote. A draw is then decided by products of rows, and a step adds rows to rows.
//!
//! # Formula
//! ```text
//! θ <- θ - η ( φ(λ', y') - E[ φ(λ, y) | λ ] ),   λ', y' the item's chain after a sweep
//! θ <- sign(θ) max(0, |θ| - T η ε)   every T items
//! ```
//! # Reference
//! Bach et al. (2017), section 2 and section 5.2; Hinton (2002) and Tieleman (2008) for persistent chains.

use super::candidates::LinkType;
use super::graph::{LearnedDependency, Structure};
use super::origin::Origin;
use super::select::Select;
use super::sgd::{SgdError, SgdOptions};
use crate::num::{pick, softmax_in_place};
use crate::optim::dispatch;
use crate::rng::{Stream, Streams, unit};
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// Numbers that are worked on together.
const LANES: usize = 16;

/// The settings of maximum likelihood over all pairs.
///
/// The defaults are those of Algorithm 1.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelihoodOptions {
    /// ε: both the penalty on every weight and the threshold above which a link is selected. 0 to 10. Default: 0.03.
    pub epsilon: f64,
    /// η: the step size per item. Above 0, at most 1; default: one over the number of items.
    pub step: Option<f64>,
    /// Passes over the items. 1 to 100,000. Default: 10.
    pub epochs: usize,
    /// T: the number of items between truncations. 1 to 1,000,000,000. Default: 10.
    pub truncation: usize,
    /// The initial value of all accuracies. -10 to 10. Default: 1.
    pub accuracy_start: f64,
    /// Seed of the chains. Default: 0.
    pub seed: u64,
}

impl Default for LikelihoodOptions {
    fn default() -> Self {
        let SgdOptions { epsilon, step, epochs, truncation, accuracy_start, .. } = SgdOptions::default();
        Self { epsilon, step, epochs, truncation, accuracy_start, seed: 0 }
    }
}

impl LikelihoodOptions {
    /// Checks every setting.
    pub fn check(&self) -> Result<(), SgdError> {
        let Self { epsilon, step, epochs, truncation, accuracy_start, .. } = *self;
        SgdOptions { epsilon, step, epochs, truncation, accuracy_start, ..SgdOptions::default() }.check()
    }
}

/// The estimated weights.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelihoodFit {
    /// One per source.
    pub accuracies: Vec<f64>,
    /// One per pair of sources j < l, at `j * n + l`; the rest is 0.
    links: Vec<f64>,
    epsilon: f64,
}

impl LikelihoodFit {
    /// The weight of the correlation of two sources.
    pub fn link(&self, j: usize, l: usize) -> f64 {
        self.links[j.min(l) * self.accuracies.len() + j.max(l)]
    }

    /// The structure of the `votes` it was estimated from: correlations with |weight| > ε.
    pub fn structure(&self, votes: &Votes) -> Structure {
        let n = self.accuracies.len();
        let ever_votes = |j: usize| votes.domains()[j].len() > 1;
        let mut dependencies = Vec::new();
        for j in (0..n).filter(|&j| ever_votes(j)) {
            for l in (j + 1..n).filter(|&l| ever_votes(l)) {
                let Ok(dependency) = LinkType::Correlation.between(j, l) else { continue };
                let weight = self.link(j, l);
                let selected = weight.abs() > self.epsilon;
                let (stderr, z, p, q) = (None, None, None, None);
                dependencies.push(LearnedDependency { dependency, weight, stderr, z, p, q, selected });
            }
        }
        Structure {
            tests: dependencies.len(),
            dependencies,
            origin: Origin::Likelihood,
            select: Some(Select::Threshold(self.epsilon)),
            ..Structure::of_votes(votes)
        }
    }
}

/// Learns correlations by maximum likelihood over all pairs, with Gibbs sampling.
///
/// # Example
/// ```
/// use consilience::model::{CellLimit, Links, Planted, simulate};
/// use consilience::structure::{LikelihoodOptions, learn_likelihood};
///
/// let mut planted = Planted::new(10)?;
/// planted.links = Links::Pairs(1);
/// planted.strength = 1.0;
/// let votes = simulate(&planted.model()?, 3_000, 1, CellLimit::default(), |_| {})?.votes;
/// let structure = learn_likelihood(&votes, &LikelihoodOptions::default())?.structure(&votes);
/// let strongest = structure.selected().max_by(|a, b| a.weight.total_cmp(&b.weight));
/// assert_eq!(strongest.map(|link| link.dependency.to_string()), Some("correlation[0, 1]".to_string()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn_likelihood(votes: &Votes, options: &LikelihoodOptions) -> Result<LikelihoodFit, SgdError> {
    options.check()?;
    Ok(dispatch(
        #[inline(always)]
        || climb(votes, options),
    ))
}

#[inline(always)]
fn climb(votes: &Votes, options: &LikelihoodOptions) -> LikelihoodFit {
    let (n, items) = (votes.sources().len(), votes.items());
    let step = options.step.unwrap_or(1.0 / items.max(1) as f64) as f32;
    let shrink = (options.truncation as f64 * f64::from(step) * options.epsilon) as f32;
    let mut weights = Weights::new(votes, options.accuracy_start as f32);
    let mut rng = Streams::new(options.seed).stream(0);
    // The chains, one row per item; each starts at the item's own votes.
    let mut chains = vec![ABSTAIN; n * items];
    for (i, chain) in chains.chunks_exact_mut(n.max(1)).enumerate() {
        votes.row_of_item(i).for_each(|(j, vote)| chain[j] = vote);
    }
    let mut seen = State::new(n, votes.classes().len());
    let mut drawn = seen.clone();
    let mut row = vec![ABSTAIN; n];
    // As the printed Algorithm 1 counts: epochs and items from 1.
    let mut passed = items % options.truncation;
    for _ in 0..options.epochs {
        for (i, chain) in chains.chunks_exact_mut(n.max(1)).enumerate() {
            row.fill(ABSTAIN);
            votes.row_of_item(i).for_each(|(j, vote)| row[j] = vote);
            seen.take(&row);
            drawn.take(chain);
            let class = weights.sweep(chain, &mut drawn, &mut rng);
            weights.step(step, (&row, &seen), (chain, &drawn), class);
            passed += 1;
            if passed == options.truncation {
                passed = 0;
                weights.truncate(shrink);
            }
        }
    }
    weights.finish(options.epsilon)
}

/// Votes as rows of zeros and ones, one row for each vote that can be cast, abstaining first.
#[derive(Clone, Debug)]
struct State {
    width: usize,
    ones: Vec<f32>,
}

impl State {
    fn new(sources: usize, classes: usize) -> Self {
        let width = sources.next_multiple_of(LANES);
        Self { width, ones: vec![0.0; width * (classes + 1)] }
    }

    #[inline(always)]
    fn take(&mut self, row: &[Vote]) {
        self.ones.fill(0.0);
        for (j, &vote) in row.iter().enumerate() {
            self.ones[usize::from(vote) * self.width + j] = 1.0;
        }
    }

    #[inline(always)]
    fn of(&self, vote: Vote) -> &[f32] {
        &self.ones[usize::from(vote) * self.width..][..self.width]
    }

    #[inline(always)]
    fn change(&mut self, j: usize, from: Vote, to: Vote) {
        self.ones[usize::from(from) * self.width + j] = 0.0;
        self.ones[usize::from(to) * self.width + j] = 1.0;
    }
}

struct Weights {
    /// What each source can say, abstaining first.
    domains: Vec<Vec<Vote>>,
    accuracies: Vec<f32>,
    /// One row per source, `width` long, symmetric, 0 on the diagonal.
    links: Vec<f32>,
    width: usize,
    /// Room for the numbers of one draw.
    table: Vec<f64>,
    posterior: Vec<f64>,
}

impl Weights {
    fn new(votes: &Votes, accuracy: f32) -> Self {
        let n = votes.sources().len();
        let width = n.next_multiple_of(LANES);
        let domain = |domain: &crate::sources::Domain| {
            std::iter::once(ABSTAIN).chain(domain.classes().iter().copied()).collect()
        };
        Self {
            domains: votes.domains().iter().map(domain).collect(),
            accuracies: vec![accuracy; n],
            links: vec![0.0; n * width],
            width,
            table: Vec::new(),
            posterior: vec![0.0; votes.classes().len()],
        }
    }

    /// p(class | votes) into `posterior`.
    #[inline(always)]
    fn classes_given(&mut self, row: &[Vote]) {
        self.posterior.fill(0.0);
        for (&vote, &accuracy) in row.iter().zip(&self.accuracies) {
            if vote != ABSTAIN {
                // Right is worth 1 and wrong -1, so that a vote sets its class 2 above all others.
                self.posterior[usize::from(vote) - 1] += 2.0 * f64::from(accuracy);
            }
        }
        softmax_in_place(&mut self.posterior);
    }

    /// Draws the class, then every vote; gives the class.
    #[inline(always)]
    fn sweep(&mut self, chain: &mut [Vote], state: &mut State, rng: &mut Stream) -> Vote {
        self.classes_given(chain);
        let class = pick(&self.posterior, unit(rng)) as Vote + 1;
        for j in 0..chain.len() {
            let links = &self.links[j * self.width..][..self.width];
            let accuracy = f64::from(self.accuracies[j]);
            self.table.clear();
            for &vote in &self.domains[j] {
                let right = match vote {
                    ABSTAIN => 0.0,
                    vote if vote == class => accuracy,
                    _ => -accuracy,
                };
                self.table.push(right + f64::from(product(links, state.of(vote))));
            }
            softmax_in_place(&mut self.table);
            let vote = self.domains[j][pick(&self.table, unit(rng))];
            if vote != chain[j] {
                state.change(j, chain[j], vote);
                chain[j] = vote;
            }
        }
        class
    }

    /// One step of all weights: up by what was seen, down by what was drawn.
    #[inline(always)]
    fn step(&mut self, step: f32, seen: (&[Vote], &State), drawn: (&[Vote], &State), class: Vote) {
        self.classes_given(seen.0);
        for (j, accuracy) in self.accuracies.iter_mut().enumerate() {
            let (up, down) = (seen.0[j], drawn.0[j]);
            if up != ABSTAIN {
                *accuracy += step * (2.0 * self.posterior[usize::from(up) - 1] as f32 - 1.0);
            }
            if down != ABSTAIN {
                *accuracy -= if down == class { step } else { -step };
            }
        }
        for (j, links) in self.links.chunks_exact_mut(self.width.max(1)).enumerate() {
            let (up, down) = (seen.1.of(seen.0[j]), drawn.1.of(drawn.0[j]));
            for (link, (up, down)) in links.iter_mut().zip(up.iter().zip(down)) {
                *link += step * (up - down);
            }
        }
    }

    /// Moves every weight towards 0 by `by`, and not past it.
    #[inline(always)]
    fn truncate(&mut self, by: f32) {
        for weight in self.accuracies.iter_mut().chain(&mut self.links) {
            *weight -= weight.clamp(-by, by);
        }
    }

    fn finish(self, epsilon: f64) -> LikelihoodFit {
        let n = self.accuracies.len();
        let mut links = vec![0.0; n * n];
        for j in 0..n {
            for l in j + 1..n {
                links[j * n + l] = f64::from(self.links[j * self.width + l]);
            }
        }
        let accuracies = self.accuracies.into_iter().map(f64::from).collect();
        LikelihoodFit { accuracies, links, epsilon }
    }
}

/// The sum of products of two rows; the lanes are added in a fixed order.
#[inline(always)]
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}
