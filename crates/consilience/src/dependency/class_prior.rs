//! The class prior dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::Vote;

/// Class c is more or less common than the others before any vote is seen.
///
/// # Formula
/// ```text
/// φ(y) = 1{ y = c }
/// ```
/// # Domain
/// 0 or 1.
///
/// # When it holds
/// Always; the weights of all classes together have one direction that changes nothing (add a constant to all).
///
/// # Reference
/// None: the paper's classes are equally common. Here classes may be of any balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassPrior {
    class: Vote,
}

impl ClassPrior {
    pub(crate) const SHAPE: Shape = Shape { name: "class_prior", sources: 0, class: true, ordered: false };

    /// Of class `class`.
    pub fn new(class: Vote) -> Self {
        Self { class }
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let ([], class) = Self::SHAPE.check(sources, class)?;
        Ok(Self { class })
    }
}

impl DependencyType for ClassPrior {
    fn name(&self) -> &'static str {
        Self::SHAPE.name
    }

    fn sources(&self) -> &[usize] {
        &[]
    }

    fn class(&self) -> Option<Vote> {
        Some(self.class)
    }

    fn reads_class(&self) -> bool {
        true
    }

    fn phi(&self, _votes: &[Vote], y: Vote) -> f64 {
        indicator(y == self.class)
    }
}
