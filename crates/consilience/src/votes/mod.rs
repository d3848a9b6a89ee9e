//! The table of votes: distinct rows with counts, and the row of each item.

mod bits_by_source;
mod both_ways;
mod builder;
mod columns;
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

use rayon::prelude::*;

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

use crate::sources::{Classes, Domain, NamesError, Sources, Vote};

/// Why a table of votes cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VotesError {
    /// Bad source or class names.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// A vote that means nothing.
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
    patterns: Patterns,
    /// Shared with the labels of these votes.
    item_pattern: Arc<Vec<u32>>,
}

impl Votes {
    fn assemble(sources: Sources, classes: Classes, patterns: Patterns, item_pattern: Vec<u32>) -> Self {
        let domains = domains(&patterns, sources.len(), classes.len());
        Self { sources, classes, domains, patterns, item_pattern: Arc::new(item_pattern) }
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

/// Which classes each source ever votes for.
fn domains(patterns: &Patterns, sources: usize, classes: usize) -> Vec<Domain> {
    const CHUNK: usize = 1 << 16;
    let chunks = patterns.len().div_ceil(CHUNK);
    let words = (classes + 64) / 64;
    let voted = (0..chunks)
        .into_par_iter()
        .fold(
            || vec![0u64; sources * words],
            |mut voted, chunk| {
                for p in chunk * CHUNK..((chunk + 1) * CHUNK).min(patterns.len()) {
                    for (source, vote) in patterns.row(p) {
                        voted[source * words + vote as usize / 64] |= 1 << (vote % 64);
                    }
                }
                voted
            },
        )
        .reduce(
            || vec![0u64; sources * words],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
                a
            },
        );
    let classes_of = |bits: &[u64]| {
        let bits = bits.to_vec();
        (1..=classes as Vote).filter(move |&c| bits[c as usize / 64] >> (c % 64) & 1 == 1)
    };
    voted.chunks_exact(words).map(|bits| Domain::of(classes_of(bits))).collect()
}
