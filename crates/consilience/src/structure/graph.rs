//! The learned structure.

use crate::dependency::{Dependency, DependencyType as _};
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

impl LearnedDependency {
    /// One that is part of the structure without having been learned: no weight is known.
    pub fn given(dependency: Dependency) -> Self {
        Self { dependency, weight: 0.0, stderr: None, z: None, p: None, q: None, selected: true }
    }

    /// How certain it is: |z|, or |weight| where the method gives no standard errors.
    pub fn certainty(&self) -> f64 {
        self.z.unwrap_or(self.weight).abs()
    }
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
    /// Groups of sources that are exact copies; by the exact method only the first of each group has dependencies.
    pub copies: Vec<Vec<usize>>,
    /// How it was learned: "exact" or "sgd".
    pub method: String,
    /// The rule that selected the dependencies.
    pub select: String,
    /// From how many items.
    pub items: usize,
    /// Sources whose own problem was not solved to its optimum, so that the weights of their dependencies may be off.
    pub unsettled: Vec<usize>,
}

impl Structure {
    /// All candidates, the most certain first (by |z|, or by |weight| where there is none), then in their own order.
    pub fn most_certain_first(&self) -> impl Iterator<Item = &LearnedDependency> {
        let mut order: Vec<&LearnedDependency> = self.dependencies.iter().collect();
        order.sort_by(|a, b| b.certainty().total_cmp(&a.certainty()));
        order.into_iter()
    }

    /// Sources that depend on each other: the connected components of the selected dependencies and the copies, largest first.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut leader: Vec<usize> = (0..self.sources.len()).collect();
        let selected = self.selected().map(|learned| learned.dependency.sources());
        for joined in selected.chain(self.copies.iter().map(Vec::as_slice)) {
            for pair in joined.windows(2) {
                let (a, b) = (find(&mut leader, pair[0]), find(&mut leader, pair[1]));
                leader[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); leader.len()];
        for j in 0..leader.len() {
            let first = find(&mut leader, j);
            groups[first].push(j);
        }
        groups.retain(|group| group.len() > 1);
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups
    }

    /// The selected dependencies.
    pub fn selected(&self) -> impl Iterator<Item = &LearnedDependency> {
        self.dependencies.iter().filter(|learned| learned.selected)
    }
}

/// The first source of the group that `j` is known to be in.
fn find(leader: &mut [usize], mut j: usize) -> usize {
    while leader[j] != j {
        leader[j] = leader[leader[j]];
        j = leader[j];
    }
    j
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependency::Correlation;

    #[test]
    fn groups_join_dependencies_and_copies() {
        let link = |j, l, selected| LearnedDependency {
            dependency: Correlation::new(j, l).unwrap().into(),
            weight: 1.0,
            stderr: None,
            z: None,
            p: None,
            q: None,
            selected,
        };
        let structure = Structure {
            sources: Sources::new((0..8).map(|j| format!("s{j}")).collect()).unwrap(),
            classes: Classes::numbered(2).unwrap(),
            dependencies: vec![link(6, 7, true), link(1, 4, true), link(4, 2, true), link(0, 7, false)],
            copies: vec![vec![2, 5]],
            method: String::new(),
            select: String::new(),
            items: 1,
            unsettled: Vec::new(),
        };
        assert_eq!(structure.groups(), [vec![1, 2, 4, 5], vec![6, 7]]);
    }
}
