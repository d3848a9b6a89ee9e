//! How much each source's votes count, according to the weights of a model.

use crate::dependency::{Dependency, DependencyType as _, Factor};
use crate::model::Model;
use crate::sources::{ABSTAIN, Vote};

/// The scores and rates of all sources, each vote in full; [`Voices::shares`] says how much of it counts.
///
/// # Formula
/// ```text
/// w_j(v, c) = own_j(v) 1{v = c} + table_j(v, c),   own_j(v) = 2 θ_j of the accuracy,   table: what other dependencies on the class add
/// rate_j(v) = e^{r_jv} / Σ_v' e^{r_jv'} over the classes that j votes for
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Voices {
    pub(crate) k: usize,
    /// δ_j.
    pub(crate) shares: Vec<f64>,
    /// Whether the source votes for several classes.
    pub(crate) several: Vec<bool>,
    /// For each source its log odds; the same for all its votes.
    pub(crate) own: Vec<f64>,
    /// For each source and class.
    pub(crate) rates: Vec<f64>,
    /// For each source, which of `tables` it has.
    pub(crate) table: Vec<Option<usize>>,
    /// Votes by classes, classes fastest; sources that share one have it once.
    pub(crate) tables: Vec<Vec<f64>>,
}

impl Voices {
    /// Of `model`, whose weights have the `shares`; `None` if a dependency over several sources reads the class.
    pub(crate) fn of(model: &Model, shares: &[f64]) -> Option<Self> {
        let (n, k) = (model.sources().len(), model.classes().len());
        let mut voices = Self {
            k,
            shares: shares.to_vec(),
            several: model.domains().iter().map(|domain| domain.classes().len() > 1).collect(),
            own: vec![0.0; n],
            rates: vec![0.0; n * k],
            table: vec![None; n],
            tables: Vec::new(),
        };
        for j in 0..n {
            let factors = model.factors().of_source(j).iter().map(|&d| &model.factors().list()[d as usize]);
            let mut others = Vec::new();
            for &class in model.domains()[j].classes() {
                voices.rates[j * k + usize::from(class) - 1] = 1.0;
            }
            for factor in factors {
                if factor.dependency.reads_class() && factor.dependency.sources().len() > 1 {
                    return None;
                }
                match &factor.dependency {
                    Dependency::Accuracy(_) if shares[j] > 0.0 => {
                        voices.own[j] += 2.0 * factor.weight / shares[j];
                    }
                    Dependency::VoteRate(rate) => {
                        if let Some(class) = rate.class() {
                            voices.rates[j * k + usize::from(class) - 1] *= factor.weight.exp();
                        }
                    }
                    dependency if dependency.reads_class() && shares[j] > 0.0 => others.push(factor),
                    _ => {}
                }
            }
            let rates = &mut voices.rates[j * k..(j + 1) * k];
            let total: f64 = rates.iter().sum();
            for rate in rates {
                *rate /= total.max(f64::MIN_POSITIVE);
            }
            if !others.is_empty() {
                voices.add_table(j, &others);
            }
        }
        Some(voices)
    }

    /// Source `j` has the scores of `factors` too.
    fn add_table(&mut self, j: usize, factors: &[&Factor]) {
        let k = self.k;
        let mut table = vec![0.0; k * k];
        for factor in factors {
            let weight = factor.weight / self.shares[j];
            for (cells, vote) in table.chunks_exact_mut(k).zip(1..) {
                for (cell, y) in cells.iter_mut().zip(1..) {
                    let phi = |vote: Vote| factor.dependency.phi(&[vote], y);
                    *cell += weight * (phi(vote) - phi(ABSTAIN));
                }
            }
        }
        // Sources that share a table mostly follow on each other.
        let same = self.tables.last().is_some_and(|last| *last == table);
        if !same {
            self.tables.push(table);
        }
        self.table[j] = Some(self.tables.len() - 1);
    }

    /// How many sources there are.
    pub(crate) fn sources(&self) -> usize {
        self.own.len()
    }

    /// w_j(v, c), vote and class counted from 0.
    pub(crate) fn score(&self, j: usize, v: usize, c: usize) -> f64 {
        let table = self.table[j].map_or(0.0, |table| self.tables[table][v * self.k + c]);
        if v == c { self.own[j] + table } else { table }
    }

    /// The same with the accuracies alone.
    pub(crate) fn without_tables(&self) -> Self {
        Self { table: vec![None; self.sources()], tables: Vec::new(), ..self.clone() }
    }

    /// The same for three or more classes: a vote never supports another class more than its own.
    ///
    /// # Formula
    /// ```text
    /// off(v) = max_{c ≠ v} w(v, c);   w(v, c) <- w(v, c) - off(v) for c ≠ v,   w(v, v) <- max( w(v, v) - off(v), 0 )
    /// ```
    /// So that votes never hurt the class they are for.
    pub(crate) fn own_of_vote(&self, j: usize, v: usize) -> f64 {
        let Some(table) = self.table[j] else { return self.own[j] };
        let row = &self.tables[table][v * self.k..][..self.k];
        let difference = self.own[j] + row[v] - off(row, v);
        if self.own[j] < 0.0 { difference } else { difference.max(0.0) }
    }

    /// The tables of [`Voices::own_of_vote`]: what a vote says about the other classes, at most 0.
    pub(crate) fn tables_below_own(&self) -> Vec<Vec<f64>> {
        let k = self.k;
        let lowered = |table: &Vec<f64>| {
            let mut lowered = table.clone();
            for (v, row) in lowered.chunks_exact_mut(k).enumerate() {
                let most = off(row, v);
                for cell in row.iter_mut() {
                    *cell -= most;
                }
                row[v] = 0.0;
            }
            lowered
        };
        self.tables.iter().map(lowered).collect()
    }
}

/// The largest score of another class than the vote's.
fn off(row: &[f64], v: usize) -> f64 {
    let others = row.iter().enumerate().filter(|(c, _)| *c != v).map(|(_, cell)| *cell);
    others.fold(f64::NEG_INFINITY, f64::max)
}
