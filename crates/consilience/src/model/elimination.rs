//! Exact inference: given the class, sources are summed out one by one within each group of connected sources.

use std::sync::OnceLock;

use super::Model;
use super::plan::{CellLimit, Cluster, Plan, TooWide};
use crate::dependency::Compiled;
use crate::num::log_sum_exp;
use crate::sources::Vote;

/// A model prepared for exact inference.
#[derive(Clone, Debug)]
pub struct Elimination<'a> {
    pub(super) model: &'a Model,
    pub(super) compiled: Compiled,
    pub(super) plan: Plan,
    log_partition: OnceLock<f64>,
}

/// The tables of one class after all sources are summed out.
pub(super) struct Collected {
    /// log Z_y: the sum over all votes, the class held fixed.
    pub(super) log_z: f64,
    /// For each cluster, the logarithm of the sum of its factors and incoming messages.
    pub(super) tables: Vec<Vec<f64>>,
    /// For each cluster, the logarithm of its table with the cluster's source summed out.
    pub(super) messages: Vec<Vec<f64>>,
}

impl<'a> Elimination<'a> {
    /// Plans the elimination (min-fill); an error if it would fill more than `limit` cells.
    pub fn new(model: &'a Model, limit: CellLimit) -> Result<Self, TooWide> {
        let k = model.classes.len();
        let plan = Plan::new(&model.sources, &model.domains, k, &model.factors, limit)?;
        Ok(Self::planned(model, plan))
    }

    /// By a plan that was made for the same dependencies with other weights.
    pub(super) fn planned(model: &'a Model, plan: Plan) -> Self {
        let compiled = Compiled::new(&model.factors, &model.domains, model.classes.len());
        Self { model, compiled, plan, log_partition: OnceLock::new() }
    }

    /// The plan, for another model with the same dependencies.
    pub(super) fn into_plan(self) -> Plan {
        self.plan
    }

    /// The number of table cells it fills, over all classes.
    pub fn cells(&self) -> u64 {
        self.plan.cells
    }

    /// log Z, the logarithm of the partition function, computed once.
    ///
    /// # Formula
    /// ```text
    /// Z = Σ_y Σ_λ exp( Σ_d θ_d φ_d(λ, y) )
    /// ```
    pub fn log_partition(&self) -> f64 {
        *self.log_partition.get_or_init(|| log_sum_exp(&self.log_partition_by_class()))
    }

    /// log Z_y for each class y: the part of the partition function with that class.
    pub fn log_partition_by_class(&self) -> Vec<f64> {
        (0..self.model.classes.len()).map(|y| self.collect(y).log_z).collect()
    }

    /// log p(λ, y) of one vote per source; negative infinity if a source casts a vote outside its domain.
    pub fn log_joint(&self, votes: &[Vote], y: Vote) -> f64 {
        let mut cast = self.model.domains.iter().zip(votes);
        if cast.any(|(domain, &vote)| domain.position(vote).is_none()) {
            return f64::NEG_INFINITY;
        }
        self.model.energy(votes, y) - self.log_partition()
    }

    /// Sums the sources out for class number `y` of 0..k.
    pub(super) fn collect(&self, y: usize) -> Collected {
        let clusters = &self.plan.clusters;
        let mut tables: Vec<Vec<f64>> = clusters.iter().map(|cluster| vec![0.0; cluster.cells]).collect();
        let mut messages: Vec<Vec<f64>> = Vec::with_capacity(clusters.len());
        let mut log_z = self.energy_without_sources(y);
        for (at, cluster) in clusters.iter().enumerate() {
            crate::watch::look();
            for (d, strides) in &cluster.factors {
                let factor = &self.compiled.factors()[*d];
                add(&mut tables[at], cluster, &factor.energy[y * factor.class_stride..], strides);
            }
            let message: Vec<f64> = tables[at].chunks_exact(cluster.values()).map(log_sum_exp).collect();
            match &cluster.parent {
                Some((parent, strides)) => add(&mut tables[*parent], &clusters[*parent], &message, strides),
                None => log_z += message[0],
            }
            messages.push(message);
        }
        Collected { log_z, tables, messages }
    }

    /// The factors that read no vote.
    fn energy_without_sources(&self, y: usize) -> f64 {
        let alone = self.compiled.factors().iter().filter(|factor| factor.scope.is_empty());
        alone.map(|factor| factor.energy[y * factor.class_stride]).sum()
    }
}

fn add(table: &mut [f64], cluster: &Cluster, part: &[f64], strides: &[usize]) {
    walk(&cluster.sizes, strides, |cell, place| table[cell] += part[place]);
}

/// Visits all cells of a table with these `sizes`, the last one fastest, with the place in another table that has
/// these `strides` for the same sources.
pub(super) fn walk(sizes: &[usize], strides: &[usize], mut visit: impl FnMut(usize, usize)) {
    let mut digits = vec![0; sizes.len()];
    let mut place = 0;
    for cell in 0..sizes.iter().product() {
        visit(cell, place);
        for i in (0..sizes.len()).rev() {
            digits[i] += 1;
            place += strides[i];
            if digits[i] < sizes[i] {
                break;
            }
            place -= sizes[i] * strides[i];
            digits[i] = 0;
        }
    }
}
