//! The exact marginal likelihood of a panel: class priors, vote rates and one accuracy per source.
//!
//! | file | holds |
//! |---|---|
//! | `terms.rs` | which weight is what |
//! | `slots.rs` | the rows, and the sums over them, vote by vote |
//! | `lanes.rs` | the same sums if most sources vote on few classes, sixteen rows at a time |
//! | `partition.rs` | the partition function in closed form |
//! | `scaling.rs` | what a step is divided by |
//! | `pseudo.rs`, `links.rs`, `linked.rs` | the pseudolikelihood if sources are linked, and its scaling |

mod lanes;
mod linked;
mod links;
mod partition;
mod pseudo;
mod scaling;
mod slots;
mod terms;
#[cfg(test)]
mod tests;

use crate::model::fit::likelihood::dense::Dense;
use crate::model::fit::likelihood::expected::Scores;
use crate::model::fit::likelihood::layout::Layout;
use crate::model::fit::likelihood::prior::Free;
use crate::model::fit::likelihood::rows::Rows;
use crate::optim::Scaling;
use lanes::LaneRows;
use partition::Partition;
pub(crate) use pseudo::PanelPseudo;
use scaling::{PanelScaling, Problem};
use slots::{PanelSums, Slots};
use terms::{PanelTerms, PanelWeights};

/// The marginal likelihood of [`crate::model::fit::likelihood::exact::ExactLikelihood`] if no two sources are joined and each has one accuracy.
///
/// # Formula
/// ```text
/// ℓ(θ) = Σ_{j,v} n_jv δ_j (r_jv - θ_j) + Σ_u c_u log Σ_y exp( class(y) + Σ_{j: λ_uj = y} 2 δ_j θ_j ) - N log Z(θ)
/// ∂ℓ/∂r_jv = δ_j (n_jv - N p(λ_j = v)),   ∂ℓ/∂θ_j = δ_j (2 Σ_u c_u q_u(λ_uj) - n_j - N (p(right) - p(wrong)))
/// ```
/// Votes for one class weigh the same against all others, so that a row costs what its votes cost, for any number of classes.
pub(crate) struct PanelLikelihood<'a> {
    layout: &'a Layout,
    terms: PanelTerms,
    precision: Vec<f64>,
    rows: PanelRows<'a>,
    /// For each place, for how many items its vote is cast.
    cast: Vec<f64>,
    items: f64,
    powers: &'a [f64],
}

/// Whether `terms` are class priors, vote rates and accuracies, each at most once.
pub(crate) fn is_panel(layout: &Layout, terms: &[Free]) -> bool {
    PanelTerms::new(layout, terms).is_some()
}

/// Sums over many rows in single precision are good to about this share.
const ROUNDING: f64 = 1e-10;

enum PanelRows<'a> {
    /// Two classes, if most sources vote: rows side by side.
    Dense {
        rows: Rows<'a>,
        dense: Dense,
    },
    /// Few classes, if most sources vote: the same.
    Lanes(LaneRows),
    Slots(Slots),
}

impl<'a> PanelLikelihood<'a> {
    /// Of `terms`, if they make a panel; `layout` has their places.
    pub(crate) fn new(layout: &'a Layout, rows: Rows<'a>, terms: &[Free], powers: &'a [f64]) -> Option<Self> {
        let panel = PanelTerms::new(layout, terms)?;
        let (rows, cast, items) = if let Some(dense) = Dense::new(layout, &rows) {
            let cast = dense.cast().to_vec();
            (PanelRows::Dense { rows, dense }, cast, rows.items())
        } else if let Some(lanes) = LaneRows::new(layout, &rows) {
            let cast = lanes.cast.clone();
            (PanelRows::Lanes(lanes), cast, rows.items())
        } else {
            let heard: Vec<bool> = panel.accuracy.iter().map(Option::is_some).collect();
            let slots = Slots::new(layout, &rows, &heard);
            let cast = slots.cast.clone();
            (PanelRows::Slots(slots), cast, rows.items())
        };
        let precision = terms.iter().map(|term| term.prior.precision).collect();
        Some(Self { layout, terms: panel, precision, rows, cast, items, powers })
    }

    /// The share of the loss that is rounding, if rows are summed in single precision.
    pub(crate) fn rounding(&self) -> Option<f64> {
        match self.rows {
            PanelRows::Dense { .. } | PanelRows::Lanes(_) => Some(ROUNDING),
            PanelRows::Slots(_) => None,
        }
    }

    /// -ℓ, and its slopes into `slopes`.
    pub(crate) fn loss(&self, weights: &[f64], slopes: &mut [f64]) -> f64 {
        let panel = self.terms.weights(weights);
        let partition = Partition::new(self.layout, &panel, self.powers);
        let sums = self.sums(&panel);
        let mut log_likelihood = sums.log_sum;
        let mut put = |d: Option<usize>, slope: f64| {
            if let Some(d) = d {
                slopes[d] = slope;
            }
        };
        for (y, &d) in self.terms.class.iter().enumerate() {
            put(d, self.items * partition.class[y] - sums.class[y]);
        }
        for (j, &power) in self.powers.iter().enumerate() {
            let places = self.layout.starts[j] + 1..self.layout.starts[j + 1];
            let mut votes = 0.0;
            for place in places {
                let cast = self.cast[place];
                votes += cast;
                log_likelihood += power * cast * (panel.rate[place] - panel.accuracy[j]);
                put(self.terms.rate[place], power * (self.items * partition.vote[place] - cast));
            }
            let expected = self.items * partition.accuracy(self.layout, j);
            put(self.terms.accuracy[j], power * (expected - (2.0 * sums.right[j] - votes)));
        }
        self.items * partition.log - log_likelihood
    }

    /// A rough inverse of the loss's curvature at `weights`, over those that are `free`.
    pub(crate) fn scaling(&self, weights: &[f64], free: &[bool]) -> impl Scaling + use<> {
        let panel = self.terms.weights(weights);
        let partition = Partition::new(self.layout, &panel, self.powers);
        let odds: Vec<f64> = panel.accuracy.iter().map(|theta| (2.0 * theta).exp()).collect();
        let problem = Problem {
            layout: self.layout,
            terms: &self.terms,
            partition: &partition,
            items: self.items,
            powers: self.powers,
            precision: &self.precision,
            free,
        };
        PanelScaling::new(&problem, &odds)
    }

    fn sums(&self, panel: &PanelWeights) -> PanelSums {
        let lift: Vec<f64> =
            panel.accuracy.iter().zip(self.powers).map(|(theta, power)| 2.0 * power * theta).collect();
        match &self.rows {
            PanelRows::Lanes(lanes) => lanes.sums(&panel.class, &lift),
            PanelRows::Slots(slots) => {
                let with_class = self.terms.class.iter().any(Option::is_some);
                slots.sums(&panel.class, &lift, with_class)
            }
            PanelRows::Dense { rows, dense } => self.dense_sums(rows, dense, panel, &lift),
        }
    }

    /// The same sums from rows side by side, which know energies of votes and classes.
    fn dense_sums(&self, rows: &Rows<'_>, dense: &Dense, panel: &PanelWeights, lift: &[f64]) -> PanelSums {
        let layout = self.layout;
        let mut energies = crate::model::fit::likelihood::layout::Tables::zero(layout);
        energies.class.clone_from(&panel.class);
        for (j, domain) in layout.domains.iter().enumerate() {
            for (&vote, place) in domain.classes().iter().zip(layout.starts[j] + 1..) {
                energies.unary[2 * place + usize::from(vote) - 1] = lift[j];
            }
        }
        let expected = Scores::new(layout, &energies).expected(rows, Some(dense));
        let mut right = vec![0.0; lift.len()];
        for (j, domain) in layout.domains.iter().enumerate() {
            for (&vote, place) in domain.classes().iter().zip(layout.starts[j] + 1..) {
                right[j] += expected.counts.unary[2 * place + usize::from(vote) - 1];
            }
        }
        PanelSums { log_sum: expected.log_sum, right, class: expected.counts.class }
    }
}
