//! The learned structure.

use crate::dependency::Dependency;
use crate::sources::{Classes, Sources};

/// A candidate dependency and what the votes say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedDependency {
    /// The dependency.
    pub dependency: Dependency,
    /// Its weight, both directions averaged.
    pub weight: f64,
    /// The weight's standard error; not every method gives one.
    pub stderr: Option<f64>,
    /// weight / stderr.
    pub z: Option<f64>,
    /// The probability of a |z| this large where there is no dependency.
    pub p: Option<f64>,
    /// The smallest false discovery rate at which it is selected (Benjamini-Hochberg).
    pub q: Option<f64>,
    /// Whether it is part of the structure.
    pub selected: bool,
}

/// Which sources depend on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// The sources.
    pub sources: Sources,
    /// The classes.
    pub classes: Classes,
    /// All candidates, by source numbers then type.
    pub dependencies: Vec<LearnedDependency>,
    /// Groups of sources that are exact copies; only the first of each group has dependencies.
    pub copies: Vec<Vec<usize>>,
    /// How it was learned: "exact" or "sgd".
    pub method: String,
    /// The rule that selected the dependencies.
    pub select: String,
    /// From how many items.
    pub items: usize,
}

impl Structure {
    /// The selected dependencies.
    pub fn selected(&self) -> impl Iterator<Item = &LearnedDependency> {
        self.dependencies.iter().filter(|learned| learned.selected)
    }
}
