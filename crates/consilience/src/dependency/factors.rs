//! Dependencies with their weights, and which of them touch a source or the class.

use super::{Dependency, DependencyType};
use crate::sources::{ABSTAIN, Vote};

/// A dependency and its weight θ.
///
/// ```
/// use consilience::dependency::{Accuracy, Factor};
///
/// let factor = Factor::new(Accuracy::new(0), 0.7);
/// assert_eq!(factor.energy(&[1], 1), 0.7); // a right vote
/// assert_eq!(factor.energy(&[2], 1), -0.7); // a wrong one
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The dependency.
    pub dependency: Dependency,
    /// Its weight.
    pub weight: f64,
}

impl Factor {
    /// `dependency` with weight `weight`.
    pub fn new(dependency: impl Into<Dependency>, weight: f64) -> Self {
        Self { dependency: dependency.into(), weight }
    }

    /// θ φ of one vote per source and the class `y`.
    pub fn energy(&self, votes: &[Vote], y: Vote) -> f64 {
        self.weight * phi_of_row(&self.dependency, votes, y)
    }
}

/// φ where `votes` holds one vote for every source of the table.
pub(crate) fn phi_of_row(dependency: &Dependency, votes: &[Vote], y: Vote) -> f64 {
    match *dependency.sources() {
        [] => dependency.phi(&[], y),
        [j] => dependency.phi(&[votes[j]], y),
        [j, l] => dependency.phi(&[votes[j], votes[l]], y),
        ref many => {
            let scope: Vec<Vote> = many.iter().map(|&j| votes[j]).collect();
            dependency.phi(&scope, y)
        }
    }
}

/// All factors of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Factors {
    list: Vec<Factor>,
    /// For each source, the factors that read its vote, ascending.
    of_source: Vec<Vec<u32>>,
    /// The factors that read the class, ascending.
    of_class: Vec<u32>,
}

impl Factors {
    /// The factors in `list` over `sources` sources; every factor must refer to these sources.
    pub fn new(list: Vec<Factor>, sources: usize) -> Self {
        let mut of_source = vec![Vec::new(); sources];
        let mut of_class = Vec::new();
        for (number, factor) in (0..).zip(&list) {
            for &j in factor.dependency.sources() {
                of_source[j].push(number);
            }
            if factor.dependency.reads_class() {
                of_class.push(number);
            }
        }
        Self { list, of_source, of_class }
    }

    /// The factors in order.
    pub fn list(&self) -> &[Factor] {
        &self.list
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many sources there are.
    pub fn sources(&self) -> usize {
        self.of_source.len()
    }

    /// The numbers of the factors that read the vote of source `j`.
    pub fn of_source(&self, j: usize) -> &[u32] {
        &self.of_source[j]
    }

    /// The numbers of the factors that read the class.
    pub fn of_class(&self) -> &[u32] {
        &self.of_class
    }

    /// Sets the weights, in the order of the factors.
    pub fn set_weights(&mut self, weights: &[f64]) {
        for (factor, &weight) in self.list.iter_mut().zip(weights) {
            factor.weight = weight;
        }
    }

    /// The weights, in the order of the factors.
    pub fn weights(&self) -> Vec<f64> {
        self.list.iter().map(|factor| factor.weight).collect()
    }

    /// Σ θ φ over all factors for one vote per source and the class `y`.
    pub fn energy(&self, votes: &[Vote], y: Vote) -> f64 {
        self.list.iter().map(|factor| factor.energy(votes, y)).sum()
    }

    /// For each class, Σ θ φ over the factors that read the class, if every source abstains.
    pub fn silent_scores(&self, k: usize) -> Vec<f64> {
        let silence = vec![ABSTAIN; self.sources()];
        let of_class = || self.of_class.iter().map(|&d| &self.list[d as usize]);
        (1..=k as Vote).map(|y| of_class().map(|factor| factor.energy(&silence, y)).sum()).collect()
    }
}
