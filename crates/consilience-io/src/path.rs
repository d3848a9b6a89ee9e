//! The file of the structures along the penalty.

use consilience::dependency::{Dependency, DependencyType as _};
use consilience::structure::{Path, PathStep};
use consilience::votes::Votes;
use serde::{Deserialize, Serialize};

use crate::truth::DependencyFile;

/// All structures along ε, from the strongest penalty to the weakest.
///
/// ```
/// use consilience::structure::{ExactOptions, learn_path};
/// use consilience::votes::Votes;
/// use consilience_io::PathFile;
///
/// let rows = [["1", "1", "2"], ["2", "2", "2"], ["1", "2", "1"], ["2", "1", "1"]].repeat(50);
/// let votes = Votes::from_text(&["a", "b", "c"], rows)?;
/// let path = learn_path(&votes, &ExactOptions::default(), &[0.1, 0.01])?;
/// let file = PathFile::new(&path, &votes);
/// assert_eq!((file.steps.len(), file.items), (2, 200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathFile {
    /// The names of the sources.
    pub sources: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// One structure per penalty.
    pub steps: Vec<PathStepFile>,
    /// The number of items it was learned from.
    pub items: usize,
}

/// The structure at one penalty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathStepFile {
    /// The penalty.
    pub epsilon: f64,
    /// The dependencies whose weight is not 0; selected are those above the penalty.
    pub dependencies: Vec<DependencyFile>,
}

impl PathFile {
    /// The name of this kind of document in messages.
    pub const KIND: &'static str = "path";

    /// The file of `path`, learned from `votes`.
    pub fn new(path: &Path, votes: &Votes) -> Self {
        let name = |&j: &usize| votes.sources().name(j).to_string();
        let file = |epsilon: f64, (dependency, weight): &(Dependency, f64)| DependencyFile {
            selected: Some(weight.abs() > epsilon),
            ..DependencyFile::new(
                dependency.name(),
                dependency.sources().iter().map(name).collect(),
                dependency.class().map(|class| votes.classes().name(class).to_string()),
                *weight,
            )
        };
        let step = |step: &PathStep| PathStepFile {
            epsilon: step.epsilon,
            dependencies: step.dependencies.iter().map(|dependency| file(step.epsilon, dependency)).collect(),
        };
        Self {
            sources: votes.sources().names().to_vec(),
            classes: votes.classes().names().to_vec(),
            steps: path.steps.iter().map(step).collect(),
            items: votes.items(),
        }
    }
}
