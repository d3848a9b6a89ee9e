//! Candidates for dependencies: the types of links, and sources that are exact copies of each other.

use std::fmt;
use std::str::FromStr;

use crate::dependency::{
    Agreement, Conjunction, Correlation, Dependency, DependencyError, DependencyType, Exclusive, Fixing,
    Reinforcing,
};
use crate::parallel;
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;
use hashbrown::HashMap;

/// A type of dependency between two sources that can be learned.
///
/// ```
/// use consilience::structure::LinkType;
///
/// let kind: LinkType = "reinforcing".parse()?;
/// assert!(kind.directed());
/// assert_eq!(kind.between(0, 1)?.to_string(), "reinforcing[0, 1]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LinkType {
    /// Two sources cast the same vote, including abstentions, as in the paper.
    Correlation,
    /// Two sources vote for the same class.
    Agreement,
    /// Two sources are correct together.
    Conjunction,
    /// One source backs up another.
    Reinforcing,
    /// One source corrects another.
    Fixing,
    /// Two sources do not vote together.
    Exclusive,
}

impl LinkType {
    /// All types.
    pub const ALL: [Self; 6] = [
        Self::Correlation,
        Self::Agreement,
        Self::Conjunction,
        Self::Reinforcing,
        Self::Fixing,
        Self::Exclusive,
    ];

    /// The dependency of this type between `j` and `l`; for a directed type, j <- l.
    pub fn between(self, j: usize, l: usize) -> Result<Dependency, DependencyError> {
        Ok(match self {
            Self::Correlation => Correlation::new(j, l)?.into(),
            Self::Agreement => Agreement::new(j, l)?.into(),
            Self::Conjunction => Conjunction::new(j, l)?.into(),
            Self::Reinforcing => Reinforcing::new(j, l)?.into(),
            Self::Fixing => Fixing::new(j, l)?.into(),
            Self::Exclusive => Exclusive::new(j, l)?.into(),
        })
    }

    /// Whether j <- l and l <- j are different dependencies.
    pub fn directed(self) -> bool {
        matches!(self, Self::Reinforcing | Self::Fixing)
    }

    /// Whether its value depends on the class.
    pub fn reads_class(self) -> bool {
        matches!(self, Self::Conjunction | Self::Reinforcing | Self::Fixing)
    }

    /// φ of the votes of j and l and the class.
    pub fn phi(self, vote_j: Vote, vote_l: Vote, y: Vote) -> f64 {
        // The sources' numbers play no part in φ.
        self.between(0, 1).map_or(0.0, |dependency| dependency.phi(&[vote_j, vote_l], y))
    }

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Correlation => "correlation",
            Self::Agreement => "agreement",
            Self::Conjunction => "conjunction",
            Self::Reinforcing => "reinforcing",
            Self::Fixing => "fixing",
            Self::Exclusive => "exclusive",
        }
    }
}

impl fmt::Display for LinkType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No type of link has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a type of dependency between sources; choose from correlation, agreement, conjunction, reinforcing, fixing, exclusive"
)]
pub struct UnknownLinkType(pub String);

impl FromStr for LinkType {
    type Err = UnknownLinkType;
    fn from_str(text: &str) -> Result<Self, UnknownLinkType> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text.trim())
            .ok_or_else(|| UnknownLinkType(text.to_string()))
    }
}

/// Rows that one thread takes at a time.
const CHUNK: usize = 1024;

/// Groups of sources that cast exactly the same votes, and at least one; each group ascending, groups by first member.
///
/// No data can distinguish such sources, so learning keeps the first of each group and lists the rest as its copies.
///
/// ```
/// use consilience::structure::exact_copies;
/// use consilience::votes::Votes;
///
/// let votes = Votes::from_text(&["a", "b", "a_again"], [["yes", "no", "yes"], ["no", "no", "no"]])?;
/// assert_eq!(exact_copies(&votes), [[0, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exact_copies(votes: &Votes) -> Vec<Vec<usize>> {
    let patterns = votes.patterns();
    let n = votes.sources().len();
    let alike = alike_by_counts(votes);
    if !alike.contains(&true) {
        return Vec::new();
    }
    // Two independent sums over the patterns tell columns apart, whatever the order they are added in; equal sums are then compared
    // vote by vote.
    let nothing = || vec![[0u64; 2]; n];
    let add_row = |print: &mut [[u64; 2]], p: usize| {
        let first = mix(p as u64 + 1);
        let second = mix(first);
        patterns.row(p).filter(|&(j, _)| alike[j]).for_each(|(j, vote)| {
            // A vote may not count as none.
            let vote = u64::from(vote) + 1;
            print[j][0] = print[j][0].wrapping_add(first.wrapping_mul(vote));
            print[j][1] = print[j][1].wrapping_add(second.wrapping_mul(vote));
        });
    };
    let of_rows = |rows: std::ops::Range<usize>| {
        let mut print = nothing();
        rows.for_each(|p| add_row(&mut print, p));
        print
    };
    let both = |mut a: Vec<[u64; 2]>, b: Vec<[u64; 2]>| {
        for (a, b) in a.iter_mut().zip(b) {
            *a = [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])];
        }
        a
    };
    let parts = parallel::map(parallel::few_ranges(patterns.len(), CHUNK), of_rows);
    let print = parts.into_iter().fold(nothing(), both);
    let mut by_print: HashMap<[u64; 2], Vec<usize>> = HashMap::new();
    for (j, &print) in print.iter().enumerate().filter(|(j, _)| alike[*j]) {
        by_print.entry(print).or_default().push(j);
    }
    let mut groups: Vec<Vec<usize>> = by_print.into_values().filter(|group| group.len() > 1).collect();
    groups.retain(|group| same_columns(votes, group));
    groups.sort_unstable();
    groups
}

/// Whether each source votes as often as another one for every class, as copies do.
fn alike_by_counts(votes: &Votes) -> Vec<bool> {
    let key = |j: usize| (votes.domains()[j].classes(), &votes.vote_counts()[j]);
    let voting = || (0..votes.sources().len()).filter(|&j| votes.domains()[j].len() > 1);
    let mut sources_with: HashMap<_, usize> = HashMap::new();
    for j in voting() {
        *sources_with.entry(key(j)).or_default() += 1;
    }
    let mut alike = vec![false; votes.sources().len()];
    voting().for_each(|j| alike[j] = sources_with[&key(j)] > 1);
    alike
}

fn same_columns(votes: &Votes, group: &[usize]) -> bool {
    let patterns = votes.patterns();
    (0..patterns.len()).all(|p| {
        let mut seen = 0;
        let mut first = ABSTAIN;
        for (j, vote) in patterns.row(p) {
            if group.binary_search(&j).is_ok() {
                if seen > 0 && vote != first {
                    return false;
                }
                (seen, first) = (seen + 1, vote);
            }
        }
        seen == 0 || seen == group.len()
    })
}

/// A one-to-one scrambling of 64 bits (the finaliser of splitmix64).
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;

    #[test]
    fn link_types_are_dependency_types() {
        for kind in LinkType::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            let dependency = kind.between(3, 2).unwrap();
            assert_eq!(dependency.name(), kind.name());
            assert_eq!(dependency.reads_class(), kind.reads_class());
            assert_eq!(kind.between(2, 3) != kind.between(3, 2), kind.directed());
        }
        assert!("friendship".parse::<LinkType>().is_err());
    }

    #[test]
    fn copies_are_named_and_near_copies_are_not() {
        let sources = Sources::numbered(6).unwrap();
        let mut builder = VotesBuilder::new(sources);
        for row in [[1, 2, 1, 0, 0, 2], [0, 2, 0, 0, 0, 2], [2, 1, 2, 0, 0, 1], [2, 2, 2, 0, 0, 0]] {
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
        assert_eq!(exact_copies(&votes), [vec![0, 2]]);
    }
}
