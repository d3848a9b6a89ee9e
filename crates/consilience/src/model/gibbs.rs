//! Gibbs sampling: one vote after the other is redrawn, given the class and all other votes.
//!
//! The class is held fixed within a chain. In a panel of many good sources the votes determine it, so a chain that
//! resampled it would never leave its initial class. Annealing weighs the classes against each other instead (`anneal.rs`).

use super::Model;
use super::conditionals::Conditionals;
use crate::dependency::{Compiled, DependencyType};
use crate::num::{pick, softmax_in_place};
use crate::rng::{Stream, unit};
use crate::sources::Vote;

/// A model prepared for sampling.
#[derive(Clone, Debug)]
pub struct Gibbs<'a> {
    pub(super) model: &'a Model,
    pub(super) compiled: Compiled,
    /// Factors over two or more sources: those that annealing turns on.
    pub(super) joint: Vec<usize>,
    /// The model's conditionals as products, where numbers are large enough for them.
    conditionals: Option<Conditionals>,
}

/// One item of a chain: the place of each source's vote in its domain, and the class counted from 0.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) places: Vec<u16>,
    pub(super) class: usize,
}

/// The number and length of chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplingOptions {
    /// Independent chains for each class; the standard errors come from their spread. At least 2; default 128.
    pub chains: usize,
    /// Number of sweeps that gradually turn on the joint factors, from independent sources to the model. At least 1; default 50.
    pub annealing: usize,
    /// Number of sweeps discarded after that. Default 50.
    pub burn_in: usize,
    /// Number of sweeps that count. At least 1; default 200.
    pub sweeps: usize,
    /// The seed of all chains.
    pub seed: u64,
}

impl Default for SamplingOptions {
    fn default() -> Self {
        Self { chains: 128, annealing: 50, burn_in: 50, sweeps: 200, seed: 0 }
    }
}

/// Estimates with standard errors, laid out like [`super::Marginals`].
#[derive(Clone, Debug)]
pub struct SampledMarginals {
    /// log Z.
    pub log_partition: Estimate,
    /// p(y) for each class.
    pub classes: Vec<Estimate>,
    /// p(λ_j = v, y): for each source, for each value of its domain, for each class (classes fastest).
    pub votes: Vec<Vec<Estimate>>,
    /// `E[φ_d]` for each factor.
    pub expectations: Vec<Estimate>,
}

/// A number that was estimated by sampling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub stderr: f64,
}

/// The tables of the dependencies do not fit into memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "sampling needs {cells} table cells for the dependencies, more than {limit}; use fewer classes or dependencies"
)]
pub struct TooLarge {
    /// The cells needed.
    pub cells: u64,
    /// The cells allowed.
    pub limit: u64,
}

/// Table cells that sampling may fill: 2 GB.
const MOST_CELLS: u64 = 1 << 27;

impl<'a> Gibbs<'a> {
    /// Prepares `model` for sampling; an error if its dependencies need tables that are too large.
    pub fn new(model: &'a Model) -> Result<Self, TooLarge> {
        let cells = Compiled::cells(&model.factors, &model.domains, model.classes.len());
        if cells > MOST_CELLS {
            return Err(TooLarge { cells, limit: MOST_CELLS });
        }
        let compiled = Compiled::new(&model.factors, &model.domains, model.classes.len());
        let list = model.factors.list();
        let joint = (0..list.len()).filter(|&d| list[d].dependency.sources().len() > 1).collect();
        let conditionals = Conditionals::new(model, &compiled);
        Ok(Self { model, compiled, joint, conditionals })
    }

    /// An item of class `class` drawn as if the sources were independent: the factors over several sources left out.
    pub(super) fn independent(&self, class: usize, rng: &mut Stream) -> State {
        let mut state = State { places: vec![0; self.model.sources.len()], class };
        self.sweep(&mut state, 0.0, rng);
        state
    }

    /// Draws every vote again once, the factors over several sources weighted by `heat` of 0 to 1.
    pub(super) fn sweep(&self, state: &mut State, heat: f64, rng: &mut Stream) {
        let mut weights: Vec<f64> = Vec::new();
        if let Some(conditionals) = &self.conditionals
            && heat >= 1.0
        {
            return conditionals.sweep(state.class, &mut state.places, &mut weights, rng);
        }
        for (j, domain) in self.model.domains.iter().enumerate() {
            weights.clear();
            weights.resize(domain.len(), 0.0);
            for &d in self.model.factors.of_source(j) {
                let factor = &self.compiled.factors()[d as usize];
                let mut stride = 0;
                let mut place = state.class * factor.class_stride;
                for (&l, &step) in factor.scope.iter().zip(&factor.strides) {
                    if l == j {
                        stride = step;
                    } else {
                        place += step * usize::from(state.places[l]);
                    }
                }
                let share = if factor.scope.len() > 1 { heat } else { 1.0 };
                for (v, weight) in weights.iter_mut().enumerate() {
                    *weight += share * factor.energy[place + v * stride];
                }
            }
            softmax_in_place(&mut weights);
            state.places[j] = pick(&weights, unit(rng)) as u16;
        }
    }

    /// Σ θ φ over the factors over several sources.
    pub(super) fn joint_energy(&self, state: &State) -> f64 {
        self.joint.iter().map(|&d| self.compiled.factors()[d].energy[self.cell(d, state)]).sum()
    }

    /// φ of factor `d`.
    pub(super) fn phi(&self, d: usize, state: &State) -> f64 {
        self.compiled.factors()[d].phi[self.cell(d, state)]
    }

    fn cell(&self, d: usize, state: &State) -> usize {
        let factor = &self.compiled.factors()[d];
        let places = factor
            .scope
            .iter()
            .zip(&factor.strides)
            .map(|(&j, stride)| stride * usize::from(state.places[j]));
        state.class * factor.class_stride + places.sum::<usize>()
    }

    /// Draws an item of class `class` (of 1..=k) after `burn_in` sweeps from independent sources.
    pub fn draw(&self, class: Vote, burn_in: usize, rng: &mut Stream, votes: &mut [Vote]) {
        let mut state = self.independent(usize::from(class) - 1, rng);
        for _ in 0..burn_in {
            self.sweep(&mut state, 1.0, rng);
        }
        for ((vote, domain), &place) in votes.iter_mut().zip(&self.model.domains).zip(&state.places) {
            *vote = domain.values()[usize::from(place)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Links, Planted};
    use crate::rng::Streams;
    use crate::sources::Classes;

    /// The same random numbers draw the same votes, whether energies are added or their exponentials multiplied.
    #[test]
    fn products_draw_what_sums_draw() {
        for kind in ["correlation", "fixing", "conjunction"] {
            let planted = Planted {
                classes: Classes::numbered(3).unwrap(),
                links: Links::Density(0.3),
                link_type: kind.to_string(),
                strength: 0.7,
                seed: 4,
                ..Planted::new(12).unwrap()
            };
            let model = planted.model().unwrap();
            let products = Gibbs::new(&model).unwrap();
            let sums = Gibbs { conditionals: None, ..products.clone() };
            assert!(products.conditionals.is_some());
            let drawn = |gibbs: &Gibbs<'_>| {
                let mut rng = Streams::new(1).stream(0);
                let mut votes = vec![0; 12 * 60];
                for (item, votes) in votes.chunks_exact_mut(12).enumerate() {
                    gibbs.draw(1 + (item % 3) as Vote, 5, &mut rng, votes);
                }
                votes
            };
            let votes = drawn(&products);
            assert_eq!(votes, drawn(&sums), "{kind}");
            assert!((0..4).all(|vote| votes.contains(&vote)));
        }
    }

    #[test]
    fn energies_beyond_all_numbers_are_left_to_sums() {
        let planted = Planted { links: Links::Density(1.0), strength: 10.0, ..Planted::new(40).unwrap() };
        let model = planted.model().unwrap();
        let gibbs = Gibbs::new(&model).unwrap();
        assert!(gibbs.conditionals.is_none());
        let mut votes = [9; 40];
        gibbs.draw(1, 3, &mut Streams::new(1).stream(0), &mut votes);
        assert!(votes.iter().all(|&vote| vote <= 2));
    }
}
