//! What a model that was planted has to be found as.

use consilience::dependency::{Dependency, DependencyType as _};
use consilience::model::Model;
use consilience::structure::{LearnedDependency, Structure};

/// The structure of the model's dependencies between sources, all selected, their weights not told.
pub fn structure_of(model: &Model, items: usize) -> Structure {
    let learned = |dependency: &Dependency| LearnedDependency {
        dependency: dependency.clone(),
        weight: 0.0,
        stderr: None,
        z: None,
        p: None,
        q: None,
        selected: true,
    };
    let joint = model.factors().list().iter().filter(|factor| factor.dependency.sources().len() > 1);
    Structure {
        sources: model.sources().clone(),
        classes: model.classes().clone(),
        dependencies: joint.map(|factor| learned(&factor.dependency)).collect(),
        copies: Vec::new(),
        method: "planted".to_string(),
        select: "all".to_string(),
        items,
        unsettled: Vec::new(),
    }
}
