//! Which weight is what in a model of class priors, vote rates and accuracies.

use crate::dependency::{Dependency, DependencyType as _};
use crate::model::fit::likelihood::layout::Layout;
use crate::model::fit::likelihood::prior::Free;

/// The positions of the weights of class priors, vote rates and accuracies among those of all terms.
#[derive(Clone, Debug)]
pub(super) struct PanelTerms {
    /// For each class, its prior.
    pub(super) class: Vec<Option<usize>>,
    /// For each place of a vote, its rate; none at the places of abstaining.
    pub(super) rate: Vec<Option<usize>>,
    /// For each source, its accuracy.
    pub(super) accuracy: Vec<Option<usize>>,
}

/// The weights themselves; a term that is not there has the weight 0.
#[derive(Clone, Debug)]
pub(super) struct PanelWeights {
    pub(super) class: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) accuracy: Vec<f64>,
}

impl PanelTerms {
    /// Of `terms`, if they are nothing but these, each at most once.
    pub(super) fn new(layout: &Layout, terms: &[Free]) -> Option<Self> {
        Self::of_some(layout, &terms.iter().map(Some).collect::<Vec<_>>())
    }

    /// The same of some of the terms.
    pub(super) fn of_some(layout: &Layout, terms: &[Option<&Free>]) -> Option<Self> {
        let mut panel = Self {
            class: vec![None; layout.k],
            rate: vec![None; layout.places()],
            accuracy: vec![None; layout.domains.len()],
        };
        for (d, term) in terms.iter().enumerate().filter_map(|(d, term)| Some((d, (*term)?))) {
            let class = term.dependency.class();
            let slot = match (&term.dependency, term.dependency.sources(), class) {
                (Dependency::ClassPrior(_), [], Some(class)) => &mut panel.class[usize::from(class) - 1],
                (Dependency::VoteRate(_), &[j], Some(class))
                    if layout.domains[j].classes().contains(&class) =>
                {
                    &mut panel.rate[layout.place(j, class)]
                }
                (Dependency::Accuracy(_), &[j], _) => &mut panel.accuracy[j],
                _ => return None,
            };
            if slot.replace(d).is_some() {
                return None;
            }
        }
        Some(panel)
    }

    pub(super) fn weights(&self, weights: &[f64]) -> PanelWeights {
        let of = |places: &[Option<usize>]| places.iter().map(|d| d.map_or(0.0, |d| weights[d])).collect();
        PanelWeights { class: of(&self.class), rate: of(&self.rate), accuracy: of(&self.accuracy) }
    }
}
