//! What a model that was planted has to be found as.

use consilience::dependency::DependencyType as _;
use consilience::model::Model;
use consilience::structure::{LearnedDependency, Structure};

/// The structure of the model's dependencies between sources, all selected, without their weights.
///
/// # Panics
/// Where a dependency of the model is not one of its structure, which no model allows.
pub fn structure_of(model: &Model, items: usize) -> Structure {
    let joint = model.factors().list().iter().filter(|factor| factor.dependency.sources().len() > 1);
    let links = joint.map(|factor| LearnedDependency::given(factor.dependency.clone())).collect();
    Structure::new(model.sources().clone(), model.classes().clone(), links, items)
        .expect("a model's own dependencies")
}
