//! The marginal pseudolikelihood of one source given all others: Eq. (4) of the paper, and its gradient, Eq. (5).

use crate::dependency::{DependencyType, Factors};
use crate::num::log_sum_exp;
use crate::sources::{Domain, Vote};

/// A vote outside the domain of its source, to which the model gives no probability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("source {source_number} votes {vote}, which is not one of the votes that it can cast")]
pub struct OutsideDomain {
    /// The source, counted from 0.
    pub source_number: usize,
    /// The vote.
    pub vote: Vote,
}

/// The distribution of one vote and the class, given the votes of all other sources on an item.
///
/// # Formula
/// ```text
/// p(λ_j = v, y | λ_others) = exp( Σ_d θ_d φ_d((v, λ_others), y) ) / Σ over v', y' of the same
/// ```
/// over the dependencies d that read λ_j or y; all others cancel.
///
/// # Reference
/// Bach et al. (2017), Eq. (4): the summand of the learning objective.
#[derive(Clone, Debug)]
pub struct Conditional<'a> {
    factors: &'a Factors,
    votes: &'a [Vote],
    source: usize,
    domain: &'a Domain,
    classes: usize,
    /// log p(v, y | others), classes fastest.
    log_p: Vec<f64>,
}

impl<'a> Conditional<'a> {
    /// Of source `j` with domain `domain`, for an item with one vote per source in `votes` and `k` classes.
    pub fn new(factors: &'a Factors, votes: &'a [Vote], j: usize, domain: &'a Domain, k: usize) -> Self {
        let mut row = votes.to_vec();
        let class_alone = factors.of_class().iter().map(|&d| &factors.list()[d as usize]);
        let class_alone = class_alone.filter(|factor| !factor.dependency.sources().contains(&j));
        let mut score = vec![0.0; k];
        for factor in class_alone {
            for (score, y) in score.iter_mut().zip(1..) {
                *score += factor.energy(votes, y);
            }
        }
        let mut log_p = Vec::with_capacity(domain.len() * k);
        for &v in domain.values() {
            row[j] = v;
            for (score, y) in score.iter().zip(1..) {
                let touching = factors.of_source(j).iter().map(|&d| &factors.list()[d as usize]);
                log_p.push(score + touching.map(|factor| factor.energy(&row, y)).sum::<f64>());
            }
        }
        let log_z = log_sum_exp(&log_p);
        for log_p in &mut log_p {
            *log_p -= log_z;
        }
        Self { factors, votes, source: j, domain, classes: k, log_p }
    }

    /// log p(λ_j = v, y | others) for each value v of the domain and each class y, classes fastest.
    pub fn log_probabilities(&self) -> &[f64] {
        &self.log_p
    }

    /// log p(λ_j = the vote it cast | others), with the class summed out.
    pub fn log_likelihood(&self) -> Result<f64, OutsideDomain> {
        Ok(log_sum_exp(self.observed()?))
    }

    fn observed(&self) -> Result<&[f64], OutsideDomain> {
        let vote = self.votes[self.source];
        let position =
            self.domain.position(vote).ok_or(OutsideDomain { source_number: self.source, vote })?;
        Ok(&self.log_p[position * self.classes..(position + 1) * self.classes])
    }

    /// Adds the gradient of -log p(λ_j | others) with respect to the weights to `gradient`, one entry per factor.
    ///
    /// # Formula
    /// ```text
    /// α - β,   α = Σ_{v,y} p(v, y | λ_others) φ((v, λ_others), y),   β = Σ_y p(y | λ) φ(λ, y)
    /// ```
    /// # Reference
    /// Bach et al. (2017), Eq. (5).
    pub fn add_gradient(&self, gradient: &mut [f64]) -> Result<(), OutsideDomain> {
        let mut row = self.votes.to_vec();
        let observed = self.observed()?;
        let log_likelihood = log_sum_exp(observed);
        for (&v, log_p) in self.domain.values().iter().zip(self.log_p.chunks_exact(self.classes)) {
            row[self.source] = v;
            self.add_expected(&row, log_p, 0.0, 1.0, gradient);
        }
        self.add_expected(self.votes, observed, log_likelihood, -1.0, gradient);
        Ok(())
    }

    /// Adds `sign × Σ_y exp(log_p[y] - log_z) φ(votes, y)` for every factor that reads the source or the class.
    fn add_expected(&self, votes: &[Vote], log_p: &[f64], log_z: f64, sign: f64, gradient: &mut [f64]) {
        let class_only =
            |d: &&u32| !self.factors.list()[**d as usize].dependency.sources().contains(&self.source);
        let touched = self.factors.of_source(self.source).iter();
        for &d in touched.chain(self.factors.of_class().iter().filter(class_only)) {
            let dependency = &self.factors.list()[d as usize].dependency;
            for (&log_p, y) in log_p.iter().zip(1..) {
                gradient[d as usize] +=
                    sign * (log_p - log_z).exp() * crate::dependency::phi_of_row(dependency, votes, y);
            }
        }
    }
}
