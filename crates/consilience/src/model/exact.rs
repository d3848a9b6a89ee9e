//! The results of exact inference: marginals, expectations, and independent draws.

use super::elimination::{Elimination, walk};
use crate::num::{pick, softmax_in_place};
use crate::rng::{Stream, unit};
use crate::sources::Vote;

/// Probabilities and expectations under the model, without observed votes.
#[derive(Clone, Debug)]
pub struct Marginals {
    /// log Z.
    pub log_partition: f64,
    /// p(y) for each class.
    pub classes: Vec<f64>,
    /// p(λ_j = v, y): for each source, for each value of its domain, for each class (classes fastest).
    pub votes: Vec<Vec<f64>>,
    /// `E[φ_d]` for each factor: the derivative of log Z with respect to its weight.
    pub expectations: Vec<f64>,
}

impl Elimination<'_> {
    /// All marginals and expectations, class by class.
    pub fn marginals(&self) -> Marginals {
        let k = self.model.classes().len();
        let mut by_class: Vec<ClassMarginals> = (0..k).map(|y| self.class_marginals(y)).collect();
        let mut classes: Vec<f64> = by_class.iter().map(|class| class.log_z).collect();
        let log_partition = softmax_in_place(&mut classes);

        let mut expectations = vec![0.0; self.model.factors().len()];
        let mut votes: Vec<Vec<f64>> =
            self.model.domains().iter().map(|domain| vec![0.0; domain.len() * k]).collect();
        for (y, class) in by_class.iter_mut().enumerate() {
            for (total, given_class) in expectations.iter_mut().zip(&class.expectations) {
                *total += classes[y] * given_class;
            }
            for (joint, given_class) in votes.iter_mut().zip(&class.votes) {
                for (v, p) in given_class.iter().enumerate() {
                    joint[v * k + y] = classes[y] * p;
                }
            }
        }
        Marginals { log_partition, classes, votes, expectations }
    }

    /// A sampler of independent items.
    pub fn sampler(&self) -> ExactSampler<'_> {
        let k = self.model.classes().len();
        let mut classes = Vec::with_capacity(k);
        let mut conditionals = Vec::with_capacity(k);
        for y in 0..k {
            let mut collected = self.collect(y);
            classes.push(collected.log_z);
            for (table, cluster) in collected.tables.iter_mut().zip(&self.plan.clusters) {
                for row in table.chunks_exact_mut(cluster.values()) {
                    softmax_in_place(row);
                }
            }
            conditionals.push(collected.tables);
        }
        softmax_in_place(&mut classes);
        ExactSampler { elimination: self, classes, conditionals }
    }

    /// Goes back from the last cluster to the first: each one's joint probability from its parent's.
    fn class_marginals(&self, y: usize) -> ClassMarginals {
        let collected = self.collect(y);
        let clusters = &self.plan.clusters;
        let mut joint: Vec<Vec<f64>> = collected.tables;
        let mut votes: Vec<Vec<f64>> =
            self.model.domains().iter().map(|domain| vec![0.0; domain.len()]).collect();
        let mut expectations: Vec<f64> = self.silent_expectations(y);
        for (at, cluster) in clusters.iter().enumerate().rev() {
            let separator = match &cluster.parent {
                None => vec![1.0],
                Some((parent, strides)) => {
                    let mut marginal = vec![0.0; cluster.cells / cluster.values()];
                    walk(&clusters[*parent].sizes, strides, |cell, place| {
                        marginal[place] += joint[*parent][cell];
                    });
                    marginal
                }
            };
            let rows =
                joint[at].chunks_exact_mut(cluster.values()).zip(&collected.messages[at]).zip(separator);
            for ((row, message), p) in rows {
                for (cell, total) in row.iter_mut().zip(&mut votes[cluster.variable()]) {
                    *cell = p * (*cell - message).exp();
                    *total += *cell;
                }
            }
            for (d, strides) in &cluster.factors {
                let factor = &self.compiled.factors()[*d];
                let phi = &factor.phi[y * factor.class_stride..];
                walk(&cluster.sizes, strides, |cell, place| expectations[*d] += joint[at][cell] * phi[place]);
            }
        }
        ClassMarginals { log_z: collected.log_z, votes, expectations }
    }

    /// φ of the factors that read no vote, 0 for all others.
    fn silent_expectations(&self, y: usize) -> Vec<f64> {
        let phi = |factor: &crate::dependency::CompiledFactor| {
            if factor.scope.is_empty() { factor.phi[y * factor.class_stride] } else { 0.0 }
        };
        self.compiled.factors().iter().map(phi).collect()
    }
}

/// Marginals with the class held fixed.
struct ClassMarginals {
    log_z: f64,
    votes: Vec<Vec<f64>>,
    expectations: Vec<f64>,
}

/// Draws independent items from the model, exactly.
#[derive(Clone, Debug)]
pub struct ExactSampler<'a> {
    elimination: &'a Elimination<'a>,
    classes: Vec<f64>,
    /// For each class and cluster, p(source's value | the separator's values, class).
    conditionals: Vec<Vec<Vec<f64>>>,
}

impl ExactSampler<'_> {
    /// Draws one item: writes its votes, one per source, into `votes`, and returns its class.
    pub fn draw(&self, rng: &mut Stream, votes: &mut [Vote]) -> Vote {
        let y = pick(&self.classes, unit(rng));
        let domains = self.elimination.model.domains();
        let clusters = self.elimination.plan.clusters.iter().zip(&self.conditionals[y]);
        // A separator's sources are eliminated after the cluster's own, so backwards they are already drawn.
        for (cluster, table) in clusters.rev() {
            let separator = &cluster.scope[..cluster.scope.len() - 1];
            let row = separator
                .iter()
                .zip(&cluster.sizes)
                .fold(0, |row, (&j, size)| row * size + domains[j].position(votes[j]).unwrap_or_default());
            let row = &table[row * cluster.values()..(row + 1) * cluster.values()];
            let j = cluster.variable();
            votes[j] = domains[j].values()[pick(row, unit(rng))];
        }
        y as Vote + 1
    }
}
