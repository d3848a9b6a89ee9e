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

/// Two sources that repeat each other: they agree beyond what the class and the difficulty of the items explain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repetition {
    /// The sources, ascending.
    pub sources: [usize; 2],
    /// How far they do, as a share of the most possible; 0 where it is still to be measured.
    pub share: f64,
    /// By how many standard deviations they agree more often than expected; not known of pairs that a person wrote down.
    pub z: Option<f64>,
}

/// What votes are counted in part because others repeat them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repetitions {
    /// Pairs, by source numbers.
    pub pairs: Vec<Repetition>,
    /// Groups of sources that count as one: near copies, and echoes that nobody else agrees with.
    pub once: Vec<Vec<usize>>,
}

/// Which sources depend on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// The sources.
    pub sources: Sources,
    /// The classes.
    pub classes: Classes,
    /// All candidates, by source numbers then type; where there are more than a million, those plainly absent are left out.
    pub dependencies: Vec<LearnedDependency>,
    /// How many dependencies were possible, whether listed or not: error rates are kept for all of them.
    pub tests: usize,
    /// Pairs of sources that have too few items in common to be tested.
    pub untested: usize,
    /// Groups of sources that are exact copies; by the exact method only the first of each group has dependencies.
    pub copies: Vec<Vec<usize>>,
    /// Sources that vote on the same items as another one and always for a class that its vote determines, such as the opposite:
    /// the other source, and its mirror image, which by the exact method has no dependencies of its own.
    pub mirrors: Vec<[usize; 2]>,
    /// Who repeats whom, where that was looked for ([`crate::model::with_repetitions`]); the default model counts these votes in
    /// part.
    pub repetitions: Option<Repetitions>,
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
    /// Dependencies that are given, not learned, from so many items; no copies are named.
    pub fn given(
        sources: Sources,
        classes: Classes,
        dependencies: Vec<LearnedDependency>,
        items: usize,
    ) -> Self {
        Self {
            sources,
            classes,
            tests: dependencies.len(),
            dependencies,
            untested: 0,
            copies: Vec::new(),
            mirrors: Vec::new(),
            repetitions: None,
            method: "given".to_string(),
            select: "all".to_string(),
            items,
            unsettled: Vec::new(),
        }
    }

    /// All candidates, the most certain first (by |z|, or by |weight| where there is none), then in their own order.
    pub fn most_certain_first(&self) -> impl Iterator<Item = &LearnedDependency> {
        let mut order: Vec<&LearnedDependency> = self.dependencies.iter().collect();
        order.sort_by(|a, b| b.certainty().total_cmp(&a.certainty()));
        order.into_iter()
    }

    /// Sources that depend on each other: the connected components of the selected dependencies, the copies and those that repeat
    /// each other, largest first.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut leader: Vec<usize> = (0..self.sources.len()).collect();
        let selected = self.selected().map(|learned| learned.dependency.sources());
        let copies =
            self.copies.iter().map(Vec::as_slice).chain(self.mirrors.iter().map(<[usize; 2]>::as_slice));
        let found = self.repetitions.iter();
        let repeated = found.clone().flat_map(|found| found.pairs.iter().map(|pair| &pair.sources[..]));
        let once = found.flat_map(|found| found.once.iter().map(Vec::as_slice));
        for joined in selected.chain(copies).chain(repeated).chain(once) {
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
        let sources = Sources::new((0..9).map(|j| format!("s{j}")).collect()).unwrap();
        let links = vec![link(6, 7, true), link(1, 4, true), link(4, 2, true), link(0, 7, false)];
        let given = Structure::given(sources, Classes::numbered(2).unwrap(), links, 1);
        let structure = Structure { copies: vec![vec![2, 5]], mirrors: vec![[6, 8]], ..given };
        assert_eq!(structure.groups(), [vec![1, 2, 4, 5], vec![6, 7, 8]]);
    }
}
