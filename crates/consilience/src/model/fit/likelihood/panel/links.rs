//! Dependencies between two sources that do not read the class, as what one source's vote does to the other.

use crate::dependency::{Dependency, DependencyType as _};
use crate::model::fit::likelihood::layout::Layout;
use crate::model::fit::likelihood::prior::Free;

/// What a vote of one source does to a vote of another: φ less what it is if the first abstains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// The place of the vote that is changed, and its source.
    pub(super) place: u32,
    pub(super) on: u32,
    pub(super) weight: u32,
    pub(super) phi: f64,
}

/// All such dependencies.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// The weight of each, and its two sources.
    pub(super) list: Vec<(usize, [usize; 2])>,
    /// For each place of a vote, what it does to others.
    pub(super) by_place: Vec<Vec<Change>>,
    /// For each source, what stands where the others abstain: the weight, the position and φ.
    pub(super) silent: Vec<Vec<(usize, u32, f64)>>,
}

/// Whether `dependency` joins two sources and does not read the class.
pub(super) fn is_link(dependency: &Dependency) -> bool {
    dependency.sources().len() == 2 && !dependency.reads_class()
}

impl Links {
    /// Of those among `terms` that are links.
    pub(super) fn new(layout: &Layout, terms: &[Free]) -> Self {
        let mut links = Self {
            list: Vec::new(),
            by_place: vec![Vec::new(); layout.places()],
            silent: vec![Vec::new(); layout.domains.len()],
        };
        for (weight, term) in terms.iter().enumerate().filter(|(_, term)| is_link(&term.dependency)) {
            let &[a, b] = term.dependency.sources() else { continue };
            let phi = |v: usize, w: usize| {
                term.dependency.phi(&[layout.domains[a].values()[v], layout.domains[b].values()[w]], 1)
            };
            links.list.push((weight, [a, b]));
            links.add(layout, weight, (a, b), phi);
            links.add(layout, weight, (b, a), |v, w| phi(w, v));
        }
        links
    }

    /// `phi` of the positions of `on` and of `by`.
    fn add(
        &mut self,
        layout: &Layout,
        weight: usize,
        (on, by): (usize, usize),
        phi: impl Fn(usize, usize) -> f64,
    ) {
        for v in 0..layout.domains[on].len() {
            let silent = phi(v, 0);
            if silent.abs() > 0.0 {
                self.silent[on].push((weight, v as u32, silent));
            }
            for w in 1..layout.domains[by].len() {
                let change = phi(v, w) - silent;
                if change.abs() > 0.0 {
                    self.by_place[layout.starts[by] + w].push(Change {
                        place: (layout.starts[on] + v) as u32,
                        on: on as u32,
                        weight: weight as u32,
                        phi: change,
                    });
                }
            }
        }
    }
}
