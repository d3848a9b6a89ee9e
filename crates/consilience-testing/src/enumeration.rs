//! All states of a small model, one by one.

use consilience::dependency::DependencyType as _;
use consilience::model::Model;
use consilience::sources::Vote;

/// Every combination of votes and class with its energy.
#[derive(Clone, Debug)]
pub struct Enumeration<'a> {
    model: &'a Model,
    states: Vec<(Vec<Vote>, Vote, f64)>,
}

impl<'a> Enumeration<'a> {
    /// Visits all states of `model`; their number is the product of all domain sizes and the number of classes.
    pub fn new(model: &'a Model) -> Self {
        let mut rows: Vec<Vec<Vote>> = vec![Vec::new()];
        for domain in model.domains() {
            rows = rows
                .iter()
                .flat_map(|row| {
                    domain.values().iter().map(move |&v| row.iter().copied().chain([v]).collect())
                })
                .collect();
        }
        let mut states = Vec::new();
        for row in rows {
            for y in model.classes().votes() {
                let energy = energy(model, &row, y);
                states.push((row.clone(), y, energy));
            }
        }
        Self { model, states }
    }

    /// log Z.
    pub fn log_partition(&self) -> f64 {
        let top = self.states.iter().map(|state| state.2).fold(f64::NEG_INFINITY, f64::max);
        top + self.states.iter().map(|state| (state.2 - top).exp()).sum::<f64>().ln()
    }

    /// The probability that `holds`.
    pub fn probability(&self, holds: impl Fn(&[Vote], Vote) -> bool) -> f64 {
        self.expectation(|votes, y| f64::from(u8::from(holds(votes, y))))
    }

    /// The expectation of `f`.
    pub fn expectation(&self, f: impl Fn(&[Vote], Vote) -> f64) -> f64 {
        let log_z = self.log_partition();
        self.states.iter().map(|(votes, y, energy)| (energy - log_z).exp() * f(votes, *y)).sum()
    }

    /// The expectation of φ of each factor.
    pub fn expectations(&self) -> Vec<f64> {
        let phi = |d: usize| move |votes: &[Vote], y: Vote| phi(self.model, d, votes, y);
        (0..self.model.factors().len()).map(|d| self.expectation(phi(d))).collect()
    }

    /// p(y | votes) for each class.
    pub fn posterior(&self, votes: &[Vote]) -> Vec<f64> {
        let of_row: Vec<f64> = self
            .model
            .classes()
            .votes()
            .map(|y| self.probability(|row, class| row == votes && class == y))
            .collect();
        let total: f64 = of_row.iter().sum();
        of_row.iter().map(|p| p / total).collect()
    }

    /// p(λ_j = v, y | the other votes), for each value of j's domain and each class, classes fastest.
    pub fn conditional(&self, votes: &[Vote], j: usize) -> Vec<f64> {
        let others_agree =
            |row: &[Vote]| row.iter().zip(votes).enumerate().all(|(l, (a, b))| l == j || a == b);
        let mut table = Vec::new();
        for &v in self.model.domains()[j].values() {
            for y in self.model.classes().votes() {
                table.push(self.probability(|row, class| others_agree(row) && row[j] == v && class == y));
            }
        }
        let total: f64 = table.iter().sum();
        table.iter().map(|p| p / total).collect()
    }

    /// All rows of votes.
    pub fn rows(&self) -> impl Iterator<Item = &[Vote]> {
        self.states.iter().step_by(self.model.classes().len()).map(|state| state.0.as_slice())
    }
}

fn phi(model: &Model, d: usize, votes: &[Vote], y: Vote) -> f64 {
    let dependency = &model.factors().list()[d].dependency;
    let scope: Vec<Vote> = dependency.sources().iter().map(|&j| votes[j]).collect();
    dependency.phi(&scope, y)
}

fn energy(model: &Model, votes: &[Vote], y: Vote) -> f64 {
    (0..model.factors().len()).map(|d| model.factors().list()[d].weight * phi(model, d, votes, y)).sum()
}
