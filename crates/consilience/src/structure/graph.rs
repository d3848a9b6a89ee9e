//! The learned structure.

use super::candidates::{LinkType, exact_copies};
use super::composition::Composition;
use super::mirrors::mirror_images;
use super::origin::Origin;
use super::select::Select;
use crate::components::components;
use crate::dependency::{Dependency, DependencyType as _};
use crate::sources::{Classes, Sources};
use crate::votes::Votes;

/// A candidate dependency and its evidence in the votes.
///
/// ```
/// use consilience::dependency::Correlation;
/// use consilience::structure::LearnedDependency;
///
/// let given = LearnedDependency::given(Correlation::new(0, 1)?.into());
/// assert!(given.selected && given.z.is_none());
/// let learned = LearnedDependency { weight: 0.8, stderr: Some(0.1), z: Some(8.0), ..given };
/// assert_eq!(learned.certainty(), 8.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedDependency {
    /// The dependency.
    pub dependency: Dependency,
    /// Its weight, averaged over both directions.
    pub weight: f64,
    /// The standard error of the weight, if the method gives one.
    pub stderr: Option<f64>,
    /// weight / stderr.
    pub z: Option<f64>,
    /// The probability of a |z| at least this large if there were no dependency.
    pub p: Option<f64>,
    /// The smallest false discovery rate at which it is selected (Benjamini-Hochberg).
    pub q: Option<f64>,
    /// Whether it is part of the structure.
    pub selected: bool,
}

impl LearnedDependency {
    /// A dependency that is given, not learned; its weight is unknown.
    pub fn given(dependency: Dependency) -> Self {
        Self { dependency, weight: 0.0, stderr: None, z: None, p: None, q: None, selected: true }
    }

    /// How certain it is: |z|, or |weight| if the method gives no standard errors.
    pub fn certainty(&self) -> f64 {
        self.z.unwrap_or(self.weight).abs()
    }
}

/// Two sources that repeat each other: they agree more often than the class and the difficulty of the items explain.
///
/// ```
/// use consilience::sources::{Classes, Sources};
/// use consilience::structure::{Repetition, Repetitions, Structure};
///
/// let sources = Sources::new(["a", "b", "c"].map(String::from).to_vec())?;
/// let mut structure = Structure::without_dependencies(sources, Classes::numbered(2)?, 500);
/// let pair = Repetition { sources: [0, 1], share: 0.0, z: None }; // the model measures the share
/// structure.repetitions = Some(Repetitions { pairs: vec![pair], once: Vec::new() });
/// assert_eq!(structure.groups(), [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repetition {
    /// The sources, ascending.
    pub sources: [usize; 2],
    /// How much they repeat each other, as a share of the maximum; 0 if not yet measured.
    pub share: f64,
    /// Excess agreement in standard deviations; `None` for pairs that a person listed.
    pub z: Option<f64>,
}

/// Sources whose votes count only in part because others repeat them.
///
/// ```
/// use consilience::sources::{Classes, Sources};
/// use consilience::structure::{Repetitions, Structure};
///
/// let sources = Sources::new(["a", "b", "c"].map(String::from).to_vec())?;
/// let mut structure = Structure::without_dependencies(sources, Classes::numbered(2)?, 500);
/// // All three count as one source.
/// structure.repetitions = Some(Repetitions { pairs: Vec::new(), once: vec![vec![0, 1, 2]] });
/// assert!(structure.check().is_ok());
/// assert_eq!(structure.groups(), [[0, 1, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repetitions {
    /// Pairs, by source numbers.
    pub pairs: Vec<Repetition>,
    /// Groups of sources that count as one: near copies, and echoes that no other source agrees with.
    pub once: Vec<Vec<usize>>,
}

/// Why dependencies do not form a valid structure.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StructureError {
    /// A source that is not there.
    #[error("source number {number} does not exist; the {sources} sources are numbered from 0")]
    NoSuchSource {
        /// Its number.
        number: usize,
        /// How many there are.
        sources: usize,
    },
    /// A class that is not there.
    #[error("class {class} does not exist; classes are numbered from 1 to {classes}")]
    NoSuchClass {
        /// Its number.
        class: usize,
        /// How many there are.
        classes: usize,
    },
    /// A group of copies, or of sources that count as one, that lists no source.
    #[error("a group of sources is empty; groups need at least one source")]
    EmptyGroup,
    /// A repetition between a source and itself.
    #[error("a repetition needs two different sources, but lists number {number} twice")]
    RepeatsItself {
        /// The source.
        number: usize,
    },
    /// A weight that is not a number.
    #[error("{dependency}: the weight must be a finite number, but is {weight}")]
    Weight {
        /// The dependency.
        dependency: String,
        /// Its weight.
        weight: f64,
    },
}

/// Which sources depend on each other.
///
/// ```
/// use consilience::dependency::Correlation;
/// use consilience::sources::{Classes, Sources};
/// use consilience::structure::{LearnedDependency, Structure};
///
/// let sources = Sources::new(["a", "b", "c"].map(String::from).to_vec())?;
/// let links = vec![LearnedDependency::given(Correlation::new(0, 2)?.into())];
/// let structure = Structure::new(sources, Classes::numbered(2)?, links, 1_000)?;
/// assert_eq!(structure.groups(), [[0, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Structure {
    /// The sources.
    pub sources: Sources,
    /// The classes.
    pub classes: Classes,
    /// All candidates, ordered by source numbers and then by type. If there are more than a million, clearly absent ones are
    /// left out.
    pub dependencies: Vec<LearnedDependency>,
    /// The number of possible dependencies, whether listed or not; error rates account for all of them.
    pub tests: usize,
    /// Pairs of sources that have too few items in common to be tested.
    pub untested: usize,
    /// Groups of sources that are exact copies; by the exact method only the first of each group has dependencies.
    pub copies: Vec<Vec<usize>>,
    /// Sources that vote on the same items as another one and always for a class that its vote determines, such as the opposite:
    /// the other source, and its mirror image, which has no dependencies with the exact method.
    pub mirrors: Vec<[usize; 2]>,
    /// Sources that repeat each other, if these were looked for ([`crate::model::with_repetitions`]); the default model counts
    /// their votes in part.
    pub repetitions: Option<Repetitions>,
    /// How it was made.
    pub origin: Origin,
    /// The rule that selected the dependencies; `None` if they were given.
    pub select: Option<Select>,
    /// The number of items it was learned from.
    pub items: usize,
    /// Sources whose problem did not converge, so that the weights of their dependencies may be off.
    pub unsettled: Vec<usize>,
    /// Sources that are declared as combinations of others. They explain links ([`Structure::explanation`]); no method uses them.
    pub compositions: Vec<Composition>,
}

impl Structure {
    /// A structure with given dependencies, for a table of `items` items; it lists no copies.
    ///
    /// ```
    /// use consilience::dependency::Correlation;
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::structure::{LearnedDependency, Structure};
    ///
    /// let sources = Sources::new(["a", "b", "c", "d"].map(String::from).to_vec())?;
    /// let link = |j, l| Correlation::new(j, l).map(|link| LearnedDependency::given(link.into()));
    /// let links = vec![link(0, 2)?, link(1, 9)?];
    /// let refused = Structure::new(sources, Classes::numbered(2)?, links, 1_000);
    /// assert!(refused.is_err()); // there is no source 9
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        sources: Sources,
        classes: Classes,
        dependencies: Vec<LearnedDependency>,
        items: usize,
    ) -> Result<Self, StructureError> {
        let structure = Self {
            tests: dependencies.len(),
            dependencies,
            ..Self::without_dependencies(sources, classes, items)
        };
        structure.check()?;
        Ok(structure)
    }

    /// A structure without dependencies.
    ///
    /// ```
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::structure::Structure;
    ///
    /// let sources = Sources::new(vec!["a".into(), "b".into()])?;
    /// let independent = Structure::without_dependencies(sources, Classes::numbered(2)?, 500);
    /// assert!(independent.selected().next().is_none() && independent.groups().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_dependencies(sources: Sources, classes: Classes, items: usize) -> Self {
        Self {
            sources,
            classes,
            dependencies: Vec::new(),
            tests: 0,
            untested: 0,
            copies: Vec::new(),
            mirrors: Vec::new(),
            repetitions: None,
            origin: Origin::Given,
            select: None,
            items,
            unsettled: Vec::new(),
            compositions: Vec::new(),
        }
    }

    /// What every method knows about `votes` before learning: the sources, and which of them are copies or mirror images.
    pub(super) fn of_votes(votes: &Votes) -> Self {
        Self {
            copies: exact_copies(votes),
            mirrors: mirror_images(votes),
            ..Self::without_dependencies(votes.sources().clone(), votes.classes().clone(), votes.items())
        }
    }

    /// A structure with a correlation between every pair of sources, whose weights are not fitted yet.
    ///
    /// ```
    /// use consilience::structure::Structure;
    /// use consilience::votes::Votes;
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "no", ""], ["no", "no", "no"]])?;
    /// assert_eq!(Structure::all_pairs(&votes).selected().count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_pairs(votes: &Votes) -> Self {
        let n = votes.sources().len();
        let pairs = (0..n).flat_map(|j| (j + 1..n).map(move |l| (j, l)));
        let link = |(j, l)| LinkType::Correlation.between(j, l).ok().map(LearnedDependency::given);
        let dependencies: Vec<LearnedDependency> = pairs.filter_map(link).collect();
        Self {
            tests: dependencies.len(),
            dependencies,
            mirrors: Vec::new(),
            origin: Origin::AllPairs,
            ..Self::of_votes(votes)
        }
    }

    /// Checks that all sources and classes exist, no group is empty, and all weights are finite numbers.
    ///
    /// ```
    /// use consilience::dependency::Correlation;
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::structure::{LearnedDependency, Structure};
    ///
    /// let sources = Sources::new(vec!["a".into(), "b".into()])?;
    /// let mut structure = Structure::without_dependencies(sources, Classes::numbered(2)?, 500);
    /// structure.dependencies.push(LearnedDependency::given(Correlation::new(0, 7)?.into()));
    /// assert!(structure.check().is_err()); // there is no source 7
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self) -> Result<(), StructureError> {
        let (n, k) = (self.sources.len(), self.classes.len());
        for learned in &self.dependencies {
            let dependency = &learned.dependency;
            if let Some(class) = dependency.class().filter(|&class| usize::from(class) > k) {
                return Err(StructureError::NoSuchClass { class: class.into(), classes: k });
            }
            if !learned.weight.is_finite() {
                let (dependency, weight) = (dependency.to_string(), learned.weight);
                return Err(StructureError::Weight { dependency, weight });
            }
        }
        let repetitions = self.repetitions.iter();
        let pairs = repetitions.clone().flat_map(|found| &found.pairs);
        if let Some(pair) = pairs.clone().find(|pair| !pair.share.is_finite()) {
            let dependency = format!("repetition{:?}", pair.sources);
            return Err(StructureError::Weight { dependency, weight: pair.share });
        }
        if let Some(pair) = pairs.clone().find(|pair| pair.sources[0] == pair.sources[1]) {
            return Err(StructureError::RepeatsItself { number: pair.sources[0] });
        }
        let pairs = pairs.map(|pair| &pair.sources[..]);
        let once = repetitions.flat_map(|found| found.once.iter().map(Vec::as_slice));
        if self.copies.iter().map(Vec::as_slice).chain(once.clone()).any(<[usize]>::is_empty) {
            return Err(StructureError::EmptyGroup);
        }
        let linked = self.dependencies.iter().map(|learned| learned.dependency.sources());
        let alike = self.copies.iter().map(Vec::as_slice);
        let mirrors = self.mirrors.iter().map(<[usize; 2]>::as_slice);
        let composed = self.compositions.iter();
        let composed = composed.flat_map(|made| [std::slice::from_ref(&made.source), made.parts.as_slice()]);
        let all = linked.chain(alike).chain(mirrors).chain(pairs).chain(once).chain([&self.unsettled[..]]);
        let all = all.chain(composed);
        match all.flatten().find(|&&j| j >= n) {
            Some(&number) => Err(StructureError::NoSuchSource { number, sources: n }),
            None => Ok(()),
        }
    }

    /// All candidates, most certain first (by |z|, or by |weight| if there is no z); ties keep their order.
    ///
    /// ```
    /// # use consilience::structure::{ExactOptions, Select, learn_exact};
    /// # use consilience::model::{CellLimit, Links, Planted, simulate};
    /// # let planted = Planted { links: Links::Pairs(1), strength: 1.0, ..Planted::new(5)? };
    /// # let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
    /// let structure = learn_exact(&votes, &ExactOptions::default(), Select::Auto)?;
    /// let first = structure.most_certain_first().next().expect("five sources have ten pairs");
    /// assert!(first.selected && first.z.is_some_and(|z| z > 10.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn most_certain_first(&self) -> impl Iterator<Item = &LearnedDependency> {
        let mut order: Vec<&LearnedDependency> = self.dependencies.iter().collect();
        order.sort_by(|a, b| b.certainty().total_cmp(&a.certainty()));
        order.into_iter()
    }

    /// Groups of sources that depend on each other, largest first: the connected components of selected dependencies, copies
    /// and repetitions.
    ///
    /// ```
    /// use consilience::dependency::Correlation;
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::structure::{LearnedDependency, Structure};
    ///
    /// let sources = Sources::new(["a", "b", "c", "d"].map(String::from).to_vec())?;
    /// let link = |j, l| Correlation::new(j, l).map(|link| LearnedDependency::given(link.into()));
    /// let links = vec![link(0, 2)?, link(2, 3)?];
    /// let structure = Structure::new(sources, Classes::numbered(2)?, links, 1_000)?;
    /// assert_eq!(structure.groups(), [[0, 2, 3]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let selected = self.selected().map(|learned| learned.dependency.sources());
        let copies =
            self.copies.iter().map(Vec::as_slice).chain(self.mirrors.iter().map(<[usize; 2]>::as_slice));
        let found = self.repetitions.iter();
        let repeated = found.clone().flat_map(|found| found.pairs.iter().map(|pair| &pair.sources[..]));
        let once = found.flat_map(|found| found.once.iter().map(Vec::as_slice));
        let joined = selected.chain(copies).chain(repeated).chain(once);
        let links = joined.flat_map(|joined| joined.windows(2).map(|pair| [pair[0], pair[1]]));
        let mut groups = components(self.sources.len(), links);
        groups.retain(|group| group.len() > 1);
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups
    }

    /// The selected dependencies.
    ///
    /// ```
    /// use consilience::dependency::Correlation;
    /// use consilience::sources::{Classes, Sources};
    /// use consilience::structure::{LearnedDependency, Structure};
    ///
    /// let sources = Sources::new(["a", "b", "c", "d"].map(String::from).to_vec())?;
    /// let link = |j, l| Correlation::new(j, l).map(|link| LearnedDependency::given(link.into()));
    /// let links = vec![link(0, 2)?, LearnedDependency { selected: false, ..link(1, 3)? }];
    /// let structure = Structure::new(sources, Classes::numbered(2)?, links, 1_000)?;
    /// assert_eq!(structure.selected().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn selected(&self) -> impl Iterator<Item = &LearnedDependency> {
        self.dependencies.iter().filter(|learned| learned.selected)
    }
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
        let sources = Sources::numbered(9).unwrap();
        let links = vec![link(6, 7, true), link(1, 4, true), link(4, 2, true), link(0, 7, false)];
        let given = Structure::new(sources, Classes::numbered(2).unwrap(), links, 1).unwrap();
        let structure = Structure { copies: vec![vec![2, 5]], mirrors: vec![[6, 8]], ..given };
        assert_eq!(structure.groups(), [vec![1, 2, 4, 5], vec![6, 7, 8]]);
    }
}
