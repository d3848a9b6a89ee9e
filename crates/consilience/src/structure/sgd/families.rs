//! The weights of one problem, by family: one weight for every other source.

use crate::dependency::{Accuracy, DependencyType};
use crate::sources::{ABSTAIN, Vote};
use crate::structure::LinkType;

/// What the weights of a family belong to, in the problem of source j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// The accuracies of the other sources l.
    Accuracy,
    /// The links j - l; for a directed type, j <- l.
    Link(LinkType),
    /// The links l <- j of a directed type.
    Reversed(LinkType),
}

impl Family {
    /// Accuracies first, then the links of each type, both directions of a directed type one after the other.
    pub(super) fn all(types: &[LinkType]) -> Vec<Self> {
        let links = types.iter().flat_map(|&kind| {
            [Some(Self::Link(kind)), kind.directed().then_some(Self::Reversed(kind))].into_iter().flatten()
        });
        std::iter::once(Self::Accuracy).chain(links).collect()
    }

    /// φ where j votes `own`, l votes `other` and the class is `y`.
    pub(super) fn phi(self, own: Vote, other: Vote, y: Vote) -> f64 {
        match self {
            Self::Accuracy => Accuracy::new(0).phi(&[other], y),
            Self::Link(kind) => kind.phi(own, other, y),
            Self::Reversed(kind) => kind.phi(other, own, y),
        }
    }

    /// Whether a source l that abstains can matter.
    pub(super) fn reads_abstain(self, k: usize) -> bool {
        // Three votes and two classes show every case there is: φ tells classes apart only as equal or different.
        let k = k.min(2) as Vote;
        (0..=k).any(|own| (1..=k).any(|y| self.phi(own, ABSTAIN, y).abs() > 0.0))
    }
}
