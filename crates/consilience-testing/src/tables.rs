//! Random tables of votes, for property tests.

use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};
use proptest::prelude::*;

/// A table of these sources and classes called 0, 1, ...
///
/// # Panics
/// If there are no rows, or rows that do not have a vote for each source.
pub fn votes_of(names: &[&str], k: usize, rows: &[Vec<Vote>]) -> Votes {
    let names = names.iter().map(ToString::to_string).collect();
    table_of(Sources::new(names).expect("names differ"), k, rows)
}

fn table_of(sources: Sources, k: usize, rows: &[Vec<Vote>]) -> Votes {
    let mut builder = VotesBuilder::new(sources);
    for row in rows {
        builder.push_dense(row).expect("one vote per source");
    }
    builder.finish_as(Classes::numbered(k).expect("classes")).expect("some rows")
}

/// A table of sources called s0, s1, ... and classes called 0, 1, ...
///
/// # Panics
/// As [`votes_of`].
pub fn numbered_votes(sources: usize, k: usize, rows: &[Vec<Vote>]) -> Votes {
    table_of(Sources::numbered(sources).expect("names differ"), k, rows)
}

/// A table as plainly as can be: one list of votes per item, [`ABSTAIN`] included.
#[derive(Clone, Debug)]
pub struct PlainTable {
    /// The number of classes.
    pub k: usize,
    /// How many sources there are.
    pub sources: usize,
    /// One row per item, one vote per source.
    pub rows: Vec<Vec<Vote>>,
}

impl PlainTable {
    /// The same table as [`Votes`], with sources called s0, s1, ... and classes called 0, 1, ...
    ///
    /// # Panics
    /// Where the plain table is none: no rows, or rows of different lengths.
    pub fn votes(&self) -> Votes {
        self.votes_of(&self.rows)
    }

    /// Some rows of the table as [`Votes`].
    ///
    /// # Panics
    /// As [`Self::votes`].
    pub fn votes_of(&self, rows: &[Vec<Vote>]) -> Votes {
        let mut builder = VotesBuilder::new(Sources::numbered(self.sources).expect("names are distinct"));
        for row in rows {
            builder.push_dense(row).expect("a row has one vote per source");
        }
        let classes = Classes::numbered(self.k).expect("there are two classes or more");
        builder.finish_as(classes).expect("there are rows, and votes are classes")
    }
}

/// What a source can say: nothing, one class only, or several.
fn habit(k: usize) -> impl Strategy<Value = Vec<Vote>> {
    let class = 1..=k as Vote;
    prop_oneof![
        1 => Just(vec![ABSTAIN]),
        3 => class.clone().prop_map(|class| vec![ABSTAIN, class]),
        2 => class.prop_map(|class| vec![class]),
        4 => Just((0..=k as Vote).collect()),
    ]
}

/// Tables of up to 6 sources, 2 to 5 classes and 1 to 80 items, with repeated rows, sources that know one class only,
/// sources that always vote and sources that never do.
pub fn plain_tables() -> impl Strategy<Value = PlainTable> {
    (2usize..=5, 1usize..=6)
        .prop_flat_map(|(k, sources)| (Just(k), prop::collection::vec(habit(k), sources)))
        .prop_flat_map(|(k, habits)| {
            let sources = habits.len();
            let row: Vec<_> = habits.into_iter().map(prop::sample::select).collect();
            let rows = prop::collection::vec(row, 1..=20);
            let repeats = prop::collection::vec(any::<prop::sample::Index>(), 0..=60);
            (rows, repeats).prop_map(move |(mut rows, repeats)| {
                let copies: Vec<_> = repeats.iter().map(|index| index.get(&rows).clone()).collect();
                rows.extend(copies);
                PlainTable { k, sources, rows }
            })
        })
}
