//! The file of a learned structure.

use consilience::dependency::DependencyType as _;
use consilience::structure::{LearnedDependency, Structure};
use serde::{Deserialize, Serialize};

use crate::truth::DependencyFile;

/// A structure as `structure.json` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructureFile {
    /// The names of the sources.
    pub sources: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The dependencies, most certain first.
    pub dependencies: Vec<DependencyFile>,
    /// Groups of sources that are exact copies of each other; only the first of each group has dependencies.
    pub copies: Vec<Vec<String>>,
    /// How it was learned.
    pub method: String,
    /// The rule that selected the dependencies.
    pub select: String,
    /// From how many items.
    pub items: usize,
}

impl StructureFile {
    /// The selected dependencies of `structure`, or with `all` every candidate.
    pub fn new(structure: &Structure, all: bool) -> Self {
        let name = |&j: &usize| structure.sources.name(j).to_string();
        let names = |sources: &[usize]| -> Vec<String> { sources.iter().map(name).collect() };
        let file = |learned: &LearnedDependency| DependencyFile {
            stderr: learned.stderr,
            z: learned.z,
            p: learned.p,
            q: learned.q,
            selected: Some(learned.selected),
            ..DependencyFile::new(
                learned.dependency.name(),
                names(learned.dependency.sources()),
                learned.dependency.class().map(|class| structure.classes.name(class).to_string()),
                learned.weight,
            )
        };
        Self {
            sources: structure.sources.names().to_vec(),
            classes: structure.classes.names().to_vec(),
            dependencies: structure.most_certain_first().filter(|d| all || d.selected).map(file).collect(),
            copies: structure.copies.iter().map(|group| names(group)).collect(),
            method: structure.method.clone(),
            select: structure.select.clone(),
            items: structure.items,
        }
    }
}
