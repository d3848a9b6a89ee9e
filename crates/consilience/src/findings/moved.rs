//! The effect of changing the sources: coverage, conflicts, links and labels.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::dependency::{Dependency, DependencyType as _};
use crate::labels::Labels;
use crate::structure::{LearnedDependency, Structure};
use crate::votes::{Statistics, Votes, VotesError};

/// Flipped items that are named.
const MOST_EXAMPLES: usize = 20;

/// The state of a table at one time, to compare with another.
#[derive(Clone, Debug)]
pub struct Snapshot {
    names: Vec<String>,
    statistics: Statistics,
    links: BTreeSet<MovedLink>,
    labels: Option<Labels>,
}

impl Snapshot {
    /// Counts the votes; links and labels are added by [`Self::labelled`].
    pub fn new(votes: &Votes) -> Result<Self, VotesError> {
        let names = votes.sources().names().to_vec();
        Ok(Self { names, statistics: votes.statistics(None)?, links: BTreeSet::new(), labels: None })
    }

    /// The same with what was learned from the votes.
    #[must_use]
    pub fn labelled(mut self, structure: &Structure, labels: Labels) -> Self {
        let link = |link: &LearnedDependency| {
            let mut sources: Vec<String> =
                link.dependency.sources().iter().map(|&j| self.names[j].clone()).collect();
            let is_directed = matches!(link.dependency, Dependency::Reinforcing(_) | Dependency::Fixing(_));
            // Sources that change places in the table are still linked.
            if !is_directed {
                sources.sort();
            }
            MovedLink { sources, kind: link.dependency.name().to_string() }
        };
        self.links = structure.selected().map(link).collect();
        self.labels = Some(labels);
        self
    }

    /// The number of items.
    pub fn items(&self) -> u64 {
        self.statistics.items
    }

    /// Coverage and conflicts of the source `name`.
    pub fn source(&self, name: &str) -> Option<Shares> {
        let source = &self.statistics.sources[self.names.iter().position(|other| other == name)?];
        Some(self.shares(source.votes(), source.conflicts))
    }

    /// Coverage and conflicts of the table.
    pub fn table(&self) -> Shares {
        self.shares(self.statistics.covered, self.statistics.conflicts)
    }

    fn shares(&self, votes: u64, conflicts: u64) -> Shares {
        let items = self.statistics.items.max(1) as f64;
        Shares { coverage: votes as f64 / items, conflicts: conflicts as f64 / items }
    }
}

/// Shares of all items.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// With a vote.
    pub coverage: f64,
    /// With votes for different classes; for a source, on which another source votes for a different class.
    pub conflicts: f64,
}

impl Shares {
    /// Whether one of the shares differs.
    fn differs(&self, other: &Self) -> bool {
        (self.coverage - other.coverage).abs() > 1e-12 || (self.conflicts - other.conflicts).abs() > 1e-12
    }
}

/// What differs between two snapshots.
///
/// ```
/// use consilience::findings::{Moved, Snapshot};
/// use consilience::pipeline::{Votes, label};
///
/// let table = |third: &str| Votes::from_text(&["a", "b", "c"], [["x", "x", third], ["y", "y", "y"]].repeat(20));
/// let snapshot = |votes: Votes| -> Result<Snapshot, Box<dyn std::error::Error>> {
///     let made = label(&votes)?;
///     Ok(Snapshot::new(&votes)?.labelled(&made.structure, made.labels))
/// };
/// let moved = Moved::new(Some(&snapshot(table("")?)?), &snapshot(table("y")?)?);
/// let moves: Vec<&str> = moved.sources.iter().filter(|source| source.moved).map(|source| source.name.as_str()).collect();
/// assert_eq!(moves, ["a", "b", "c"]);
/// assert_eq!(moved.sources[2].after.coverage, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moved {
    /// The number of items now.
    pub items: u64,
    /// Coverage and conflicts of the table before, if there was one.
    pub before: Option<Shares>,
    /// The same now.
    pub after: Shares,
    /// All sources there are now, in order.
    pub sources: Vec<MovedSource>,
    /// Sources that are gone.
    pub removed: Vec<String>,
    /// New links.
    pub new_links: Vec<MovedLink>,
    /// Links that are gone.
    pub gone_links: Vec<MovedLink>,
    /// Labels; `None` if either side has none, or if the items are not the same.
    pub labels: Option<MovedLabels>,
}

/// Coverage and conflicts of a source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovedSource {
    /// Its name.
    pub name: String,
    /// Before; `None` for a new source.
    pub before: Option<Shares>,
    /// Now.
    pub after: Shares,
    /// Whether the two differ.
    pub moved: bool,
}

/// A link between sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MovedLink {
    /// Its sources.
    pub sources: Vec<String>,
    /// The type of the dependency.
    pub kind: String,
}

/// Labels that differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MovedLabels {
    /// Items whose label has changed.
    pub flipped: u64,
    /// The same by both labels.
    pub flips: Vec<Flip>,
    /// Some of the items.
    pub examples: Vec<FlippedItem>,
}

/// How many labels changed from one class to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flip {
    /// The label before; `None` if there was none.
    pub from: Option<String>,
    /// The label now; `None` if there is none.
    pub to: Option<String>,
    /// How many items.
    pub items: u64,
}

/// An item whose label has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlippedItem {
    /// Its number, counted from 0.
    pub item: usize,
    /// The label before.
    pub from: Option<String>,
    /// The label now.
    pub to: Option<String>,
}

impl Moved {
    /// Compares `after` with `before`; without it, everything is new.
    pub fn new(before: Option<&Snapshot>, after: &Snapshot) -> Self {
        let source = |name: &String| {
            let now = after.source(name)?;
            let was = before.and_then(|before| before.source(name));
            let moved = was.is_none_or(|was| was.differs(&now));
            Some(MovedSource { name: name.clone(), before: was, after: now, moved })
        };
        let gone = |name: &&String| !after.names.contains(name);
        let none = BTreeSet::new();
        let old_links = before.map_or(&none, |before| &before.links);
        let labels = before.and_then(|before| before.labels.as_ref()).zip(after.labels.as_ref());
        // Where nothing was learned, links are not known to be gone.
        let learned = after.labels.is_some();
        Self {
            items: after.items(),
            before: before.map(Snapshot::table),
            after: after.table(),
            sources: after.names.iter().filter_map(source).collect(),
            removed: before
                .map_or_else(Vec::new, |before| before.names.iter().filter(gone).cloned().collect()),
            new_links: after.links.difference(old_links).cloned().collect(),
            gone_links: old_links.difference(&after.links).filter(|_| learned).cloned().collect(),
            labels: labels.and_then(|(before, after)| MovedLabels::new(before, after)),
        }
    }
}

impl MovedLabels {
    fn new(before: &Labels, after: &Labels) -> Option<Self> {
        if before.items() != after.items() {
            return None;
        }
        let owned = |class: Option<&str>| class.map(str::to_string);
        let mut counts: BTreeMap<(Option<&str>, Option<&str>), u64> = BTreeMap::new();
        let mut examples = Vec::new();
        for i in 0..after.items() {
            let (from, to) = (before.class(i), after.class(i));
            if from == to {
                continue;
            }
            *counts.entry((from, to)).or_default() += 1;
            if examples.len() < MOST_EXAMPLES {
                examples.push(FlippedItem { item: i, from: owned(from), to: owned(to) });
            }
        }
        let flip = |((from, to), items): (&(Option<&str>, Option<&str>), &u64)| Flip {
            from: owned(*from),
            to: owned(*to),
            items: *items,
        };
        Some(Self { flipped: counts.values().sum(), flips: counts.iter().map(flip).collect(), examples })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::majority_vote;

    fn snapshot(names: &[&str], rows: &[[&str; 3]]) -> Snapshot {
        let votes = Votes::from_text(names, rows).unwrap();
        let structure =
            Structure::without_dependencies(votes.sources().clone(), votes.classes().clone(), rows.len());
        Snapshot::new(&votes).unwrap().labelled(&structure, majority_vote(&votes))
    }

    #[test]
    fn what_moves_is_counted() {
        let before =
            snapshot(&["a", "b", "c"], &[["x", "x", ""], ["x", "", "x"], ["y", "y", "y"], ["", "", ""]]);
        let after =
            snapshot(&["a", "b", "d"], &[["x", "x", "y"], ["x", "y", "y"], ["y", "y", "y"], ["", "", "x"]]);
        let moved = Moved::new(Some(&before), &after);
        assert_eq!(moved.items, 4);
        assert_eq!(moved.before, Some(Shares { coverage: 0.75, conflicts: 0.0 }));
        assert_eq!(moved.after, Shares { coverage: 1.0, conflicts: 0.5 });
        assert_eq!(moved.removed, ["c"]);
        let of = |name: &str| moved.sources.iter().find(|source| source.name == name).unwrap();
        // a votes as before, but others now contradict it.
        assert_eq!(of("a").before, Some(Shares { coverage: 0.75, conflicts: 0.0 }));
        assert_eq!(of("a").after, Shares { coverage: 0.75, conflicts: 0.5 });
        assert!(of("a").moved && of("d").moved);
        assert_eq!(of("d").before, None);
        let labels = moved.labels.unwrap();
        assert_eq!(labels.flipped, 2);
        let text = |class: &Option<String>| class.clone().unwrap_or_default();
        let flips: Vec<(String, String, u64)> =
            labels.flips.iter().map(|flip| (text(&flip.from), text(&flip.to), flip.items)).collect();
        assert_eq!(flips, [(String::new(), "x".to_string(), 1), ("x".to_string(), "y".to_string(), 1)]);
        assert_eq!(labels.examples.iter().map(|flip| flip.item).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn nothing_moves_between_equals() {
        let same = snapshot(&["a", "b", "c"], &[["x", "x", ""], ["x", "", "y"]]);
        let moved = Moved::new(Some(&same), &same);
        assert!(moved.sources.iter().all(|source| !source.moved));
        assert!(moved.removed.is_empty() && moved.new_links.is_empty() && moved.gone_links.is_empty());
        assert_eq!(moved.labels.map(|labels| labels.flipped), Some(0));
        // Without a side to compare with, everything is new, and no label has flipped.
        let first = Moved::new(None, &same);
        assert!(first.sources.iter().all(|source| source.moved));
        assert_eq!(first.labels, None);
    }
}
