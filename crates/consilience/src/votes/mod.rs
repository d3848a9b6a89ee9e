//! The table of votes: distinct rows with counts, and the row of each item.

mod bits_by_source;
mod both_ways;
mod builder;
mod columns;
mod counts;
mod encoding;
mod first;
mod hints;
mod ids;
mod long;
mod marks;
mod meaning;
mod merge;
mod notes;
mod pairs;
mod pattern_set;
mod patterns;
mod repeat;
mod statistics;
pub mod survey;
mod text;
mod thin;
mod vocabulary;

use std::sync::Arc;

pub use bits_by_source::BitsBySource;
pub use builder::VotesBuilder;
pub use ids::{LonelySource, MOST_ALONE};
pub use long::{LongVotes, LongVotesBuilder};
pub use marks::AbstainMarks;
pub use meaning::Meaning;
pub use notes::{NotSource, ReadingNote};
pub use pairs::{PairCounts, TooManyPairs};
pub use patterns::{Patterns, Row};
pub(crate) use statistics::share;
pub use statistics::{GoldCounts, SourceCounts, Statistics};
pub use vocabulary::{Vocabulary, VoteError};

use counts::domains_and_counts;

use crate::sources::{Classes, Domain, NamesError, Sources, Vote};

/// Why a table of votes cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VotesError {
    /// Bad source or class names.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// A cell that is not a valid vote.
    #[error(transparent)]
    Vote(#[from] VoteError),
    /// No rows.
    #[error("the table has no items; at least one row of votes is needed")]
    NoItems,
    /// A row that does not match the sources.
    #[error(
        "item {item}: its votes do not match the table's {sources} sources; provide one vote per source, in the order of the sources"
    )]
    Row {
        /// The item, counted from 1.
        item: usize,
        /// How many sources the table has.
        sources: usize,
    },
    /// A vote number without a class.
    #[error("source \"{source_name}\": the vote {vote} is not one of the {classes} classes")]
    NoSuchClass {
        /// The vote.
        vote: Vote,
        /// Whose vote.
        source_name: String,
        /// How many classes there are.
        classes: usize,
    },
    /// One source voted twice on one item, differently.
    #[error("item \"{item}\": source \"{source_name}\" has two different votes; keep one of them")]
    TwoVotes {
        /// The item.
        item: String,
        /// The source.
        source_name: String,
    },
    /// Parts of one table have different sources.
    #[error("the parts of the table have different sources")]
    OtherSources,
    /// Gold and table have different lengths.
    #[error(
        "the table has {items} items, but gold has {gold}; provide one per item, in the same order, and leave unknown ones empty"
    )]
    GoldLength {
        /// How many items the table has.
        items: usize,
        /// How many gold labels came.
        gold: usize,
    },
    /// Not one count per item.
    #[error(
        "the table has {items} items, but there are {times} counts; provide one per item, in the same order"
    )]
    Times {
        /// How many items the table has.
        items: usize,
        /// How many counts came.
        times: usize,
    },
    /// More items than memory has room for.
    #[error("{items} items do not fit into memory; use a sample of them")]
    TooManyItems {
        /// How many there are.
        items: usize,
    },
    /// More distinct rows than there are numbers for them.
    #[error("more than 4,294,967,295 distinct rows; split the table")]
    TooManyPatterns,
}

/// A table of votes: one row per item, one column per source.
///
/// ```
/// use consilience::votes::Votes;
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "no", ""], ["no", "no", "no"], ["yes", "no", ""]])?;
/// assert_eq!((votes.items(), votes.sources().len()), (3, 3));
/// assert_eq!(votes.patterns().counts(), [1, 2]); // equal rows are stored once
/// assert_eq!(votes.row_of_item(0).collect::<Vec<_>>(), [(0, 2), (1, 1)]); // classes are no = 1, yes = 2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Votes {
    sources: Sources,
    classes: Classes,
    domains: Vec<Domain>,
    vote_counts: Vec<Vec<u64>>,
    patterns: Patterns,
    /// Shared with the labels of these votes.
    item_pattern: Arc<Vec<u32>>,
}

impl Votes {
    fn assemble(sources: Sources, classes: Classes, patterns: Patterns, item_pattern: Vec<u32>) -> Self {
        let (domains, vote_counts) = domains_and_counts(&patterns, sources.len(), classes.len());
        Self { sources, classes, domains, vote_counts, patterns, item_pattern: Arc::new(item_pattern) }
    }

    /// The sources, in the order of the columns.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// For each source, abstain plus the classes it ever votes for.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// For each source, how often it votes for each class of its domain.
    pub(crate) fn vote_counts(&self) -> &[Vec<u64>] {
        &self.vote_counts
    }

    /// The distinct rows with their counts.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// For each item, the number of its row among the patterns.
    pub fn item_pattern(&self) -> &[u32] {
        &self.item_pattern
    }

    /// The same, to keep along with what is made of these votes.
    pub(crate) fn shared_item_pattern(&self) -> Arc<Vec<u32>> {
        Arc::clone(&self.item_pattern)
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        self.item_pattern.len()
    }

    /// The votes on item `i`, ascending by source, without abstains.
    pub fn row_of_item(&self, i: usize) -> Row<'_> {
        self.patterns.row(self.item_pattern[i] as usize)
    }

    /// The size of the table in bytes, without names.
    pub fn bytes(&self) -> usize {
        self.patterns.bytes() + 4 * self.item_pattern.len()
    }
}
