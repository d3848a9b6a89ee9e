//! The exact marginal likelihood of the votes and its slopes.

use super::dense::Dense;
use super::expected::{Scores, observed_joints};
use super::layout::{Layout, Tables};
use super::rows::Rows;
use crate::model::Model;
use crate::model::elimination::Elimination;
use crate::model::plan::{CellLimit, Plan, TooWide};
use crate::num::{log_sum_exp, softmax_in_place};

/// The marginal likelihood of the votes, the class summed out, the partition function by elimination.
///
/// # Formula
/// ```text
/// ℓ(θ) = Σ_u c_u log Σ_y exp( Σ_d θ_d φ_d(λ_u, y) ) - N log Z(θ)
/// ∂ℓ/∂θ_d = Σ_u c_u E[φ_d | λ_u] - N E[φ_d]
/// ```
/// Where votes repeat each other and no dependency between sources says so, source j enters to the power δ_j of 0 to 1, in
/// the likelihood of an item as in Z: a vote cast three times counts once.
///
/// # Reference
/// Bach et al. (2017), Eq. (2): the objective whose gradient the paper estimates by Gibbs sampling.
pub(crate) struct ExactLikelihood<'a> {
    layout: &'a Layout,
    rows: Rows<'a>,
    items: f64,
    observed: Vec<f64>,
    /// The rows turned, if that pays.
    dense: Option<Dense>,
    /// δ_j of each source: to which power its probability enters.
    powers: &'a [f64],
    /// Where sources are joined: the model whose weights are set again, and the plan of its elimination.
    joined: Option<(Model, Option<Plan>)>,
}

impl<'a> ExactLikelihood<'a> {
    /// `model` has the dependencies of `layout`; refused where elimination would fill more than `limit` cells.
    pub(crate) fn new(
        layout: &'a Layout,
        rows: Rows<'a>,
        model: &Model,
        powers: &'a [f64],
        limit: CellLimit,
    ) -> Result<Self, TooWide> {
        let joined = if layout.joints.is_empty() {
            None
        } else {
            Some((model.clone(), Some(Elimination::new(model, limit)?.into_plan())))
        };
        let items = rows.items();
        let dense = Dense::new(layout, &rows);
        Ok(Self { layout, rows, items, observed: observed_joints(layout, &rows), dense, powers, joined })
    }

    /// Whether rows are summed in single precision.
    pub(crate) fn is_single(&self) -> bool {
        self.dense.is_some()
    }

    /// -ℓ, and its slopes into `slopes`.
    pub(crate) fn loss(&mut self, weights: &[f64], slopes: &mut [f64]) -> f64 {
        let plain = self.layout.energies(weights);
        let energies = self.raised(plain.clone());
        let mut expected = Scores::new(self.layout, &energies).expected(&self.rows, self.dense.as_ref());
        let mut log_sum = expected.log_sum;
        // Cells of joints that read no class are counted once and for all; elsewhere these are zero.
        for ((count, observed), energy) in
            expected.counts.joint.iter_mut().zip(&self.observed).zip(&energies.joint)
        {
            *count += observed;
            log_sum += observed * energy;
        }
        let mut by_weight = vec![0.0; weights.len()];
        self.layout.add_slopes(&self.raised(expected.counts), &mut by_weight);
        let (log_partition, expectations) = self.partition(weights, &plain);
        for ((slope, seen), mean) in slopes.iter_mut().zip(&by_weight).zip(&expectations) {
            *slope = self.items * mean - seen;
        }
        self.items * log_partition - log_sum
    }

    /// Tables with what is of source j multiplied by δ_j.
    fn raised(&self, mut tables: Tables) -> Tables {
        let k = self.layout.k;
        for (places, &power) in self.layout.starts.windows(2).zip(self.powers) {
            for cell in &mut tables.unary[places[0] * k..places[1] * k] {
                *cell *= power;
            }
        }
        tables
    }

    /// log Z and `E[φ_d]` of each dependency.
    fn partition(&mut self, weights: &[f64], energies: &Tables) -> (f64, Vec<f64>) {
        let Some((model, plan)) = &mut self.joined else {
            let (log_partition, means) = independent_partition(self.layout, energies, self.powers);
            let mut expectations = vec![0.0; weights.len()];
            self.layout.add_slopes(&self.raised(means), &mut expectations);
            return (log_partition, expectations);
        };
        model.factors.set_weights(weights);
        let Some(taken) = plan.take() else { return (f64::NAN, vec![0.0; weights.len()]) };
        let elimination = Elimination::planned(model, taken);
        let marginals = elimination.marginals();
        *plan = Some(elimination.into_plan());
        (marginals.log_partition, marginals.expectations)
    }
}

/// log Z if no two sources are joined, and the probability of every vote with every class.
///
/// # Formula
/// ```text
/// Z = Σ_y e^{class(y)} Π_j Z_j(y)^δ_j,   Z_j(y) = Σ_v e^{unary(j, v, y)}
/// ```
pub(crate) fn independent_partition(layout: &Layout, energies: &Tables, powers: &[f64]) -> (f64, Tables) {
    let k = layout.k;
    let mut means = Tables::zero(layout);
    let mut class = energies.class.clone();
    let mut column = Vec::new();
    for (places, power) in layout.starts.windows(2).zip(powers) {
        for (y, class) in class.iter_mut().enumerate() {
            column.clear();
            column.extend((places[0]..places[1]).map(|place| energies.unary[place * k + y]));
            let log_z = log_sum_exp(&column);
            *class += power * log_z;
            for (place, energy) in (places[0]..places[1]).zip(&column) {
                means.unary[place * k + y] = (energy - log_z).exp();
            }
        }
    }
    let log_partition = softmax_in_place(&mut class);
    for cells in means.unary.chunks_exact_mut(k) {
        cells.iter_mut().zip(&class).for_each(|(cell, p)| *cell *= p);
    }
    means.class = class;
    (log_partition, means)
}
