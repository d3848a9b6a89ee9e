//! Factors as tables over the domains of their sources, for the algorithms that visit every value.

use super::{DependencyType, Factors};
use crate::sources::{Domain, Vote};

/// θ φ of one factor for all values of its sources and, if it reads it, the class.
///
/// A cell's index is the sum over the scope of `position in the domain × stride`, plus `(y - 1) × class stride`.
#[derive(Clone, Debug)]
pub struct CompiledFactor {
    /// The sources it reads.
    pub scope: Vec<usize>,
    /// For each source of the scope, the distance between neighbouring values.
    pub strides: Vec<usize>,
    /// The distance between neighbouring classes; 0 if the class does not matter.
    pub class_stride: usize,
    /// φ in each cell.
    pub phi: Vec<f64>,
    /// θ φ in each cell.
    pub energy: Vec<f64>,
}

/// All factors of a model as tables.
#[derive(Clone, Debug)]
pub struct Compiled {
    factors: Vec<CompiledFactor>,
}

/// The distances between neighbouring values of each source of `scope` in a table over their domains, the last source
/// fastest, and the number of cells.
pub(crate) fn strides(scope: &[usize], domains: &[Domain]) -> (Vec<usize>, usize) {
    let mut strides = vec![0; scope.len()];
    let mut cells = 1;
    for (stride, &j) in strides.iter_mut().zip(scope).rev() {
        *stride = cells;
        cells *= domains[j].len();
    }
    (strides, cells)
}

impl Compiled {
    /// The number of cells in the tables of `factors`, known before they are built.
    pub fn cells(factors: &Factors, domains: &[Domain], k: usize) -> u64 {
        let cells = |factor: &super::Factor| {
            let classes = if factor.dependency.reads_class() { k as u64 } else { 1 };
            factor
                .dependency
                .sources()
                .iter()
                .fold(classes, |cells, &j| cells.saturating_mul(domains[j].len() as u64))
        };
        factors.list().iter().map(cells).fold(0, u64::saturating_add)
    }

    /// The tables of `factors` for sources with these `domains` and `k` classes.
    pub fn new(factors: &Factors, domains: &[Domain], k: usize) -> Self {
        let compile = |factor: &super::Factor| {
            let dependency = &factor.dependency;
            let scope = dependency.sources().to_vec();
            let (strides, cells) = strides(&scope, domains);
            let classes = if dependency.reads_class() { k } else { 1 };
            let class_stride = if dependency.reads_class() { cells } else { 0 };
            let mut phi = Vec::with_capacity(cells * classes);
            let mut votes: Vec<Vote> = vec![0; scope.len()];
            for y in 1..=classes as Vote {
                for cell in 0..cells {
                    for ((vote, &stride), &j) in votes.iter_mut().zip(&strides).zip(&scope) {
                        let domain = &domains[j];
                        *vote = domain.values()[cell / stride % domain.len()];
                    }
                    phi.push(dependency.phi(&votes, y));
                }
            }
            let energy = phi.iter().map(|phi| factor.weight * phi).collect();
            CompiledFactor { scope, strides, class_stride, phi, energy }
        };
        Self { factors: factors.list().iter().map(compile).collect() }
    }

    /// The tables, in the order of the factors.
    pub fn factors(&self) -> &[CompiledFactor] {
        &self.factors
    }
}
