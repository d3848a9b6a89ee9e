//! From columns of numbers to rows of votes.
//!
//! Two passes: the first finds the different numbers of each column, so that each is read as a vote once; the second turns
//! columns into rows on all threads, while the rows before are counted.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use consilience::sources::{ABSTAIN, Sources, Vote};
use consilience::votes::{ReadingNote, Vocabulary, VoteError, Votes, VotesBuilder, VotesError};
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::column::Cells;

/// Cells that one thread turns at a time: they stay in its cache.
const CELLS_A_STRIP: usize = 1 << 17;

/// Strips that are turned while as many are counted.
const STRIPS_AT_ONCE: usize = 16;

/// Numbers from -1 on that have a place of their own; the others are looked up.
const SMALL: usize = 256;

/// Why a table is refused: one of its cells, or the whole.
pub(crate) enum Refusal {
    /// A cell that is not a valid vote.
    Cell {
        /// Its item, counted from 0.
        row: usize,
        /// Its source.
        column: usize,
        /// What is wrong with it.
        error: VoteError,
    },
    /// The whole table.
    Whole(VotesError),
}

impl From<VotesError> for Refusal {
    fn from(error: VotesError) -> Self {
        Self::Whole(error)
    }
}

/// The place of a small number.
fn place(number: i64) -> Option<usize> {
    usize::try_from(number.checked_add(1)?).ok().filter(|&place| place < SMALL)
}

/// The different numbers of a column.
#[derive(Clone, Default)]
struct Seen {
    small: [u64; SMALL / 64],
    large: HashSet<i64>,
}

impl Seen {
    fn add(&mut self, number: i64) {
        match place(number) {
            Some(place) => self.small[place / 64] |= 1 << (place % 64),
            None => drop(self.large.insert(number)),
        }
    }

    fn join(&mut self, other: &Self) {
        self.small.iter_mut().zip(other.small).for_each(|(a, b)| *a |= b);
        self.large.extend(&other.large);
    }

    /// Ascending.
    fn numbers(&self) -> Vec<i64> {
        let small = (0..SMALL).filter(|place| self.small[place / 64] >> (place % 64) & 1 == 1);
        let mut numbers: Vec<i64> =
            small.map(|place| place as i64 - 1).chain(self.large.iter().copied()).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// What the numbers of a column mean.
struct Meaning {
    small: [Vote; SMALL],
    large: HashMap<i64, Vote>,
}

impl Meaning {
    fn vote(&self, number: i64) -> Vote {
        match place(number) {
            Some(place) => self.small[place],
            None => self.large.get(&number).copied().unwrap_or(ABSTAIN),
        }
    }
}

fn seen(columns: &[Cells<'_>], strips: &[Range<usize>], stopped: &AtomicBool) -> Vec<Seen> {
    let look = |mut all: Vec<Seen>, rows: &Range<usize>| {
        if !stopped.load(Ordering::Relaxed) {
            for (cells, seen) in columns.iter().zip(&mut all) {
                cells.for_each(rows.clone(), |_, number| {
                    if let Some(number) = number {
                        seen.add(number);
                    }
                });
            }
        }
        all
    };
    let none = || vec![Seen::default(); columns.len()];
    strips.par_iter().fold(none, look).reduce(none, |mut a, b| {
        a.iter_mut().zip(&b).for_each(|(a, b)| a.join(b));
        a
    })
}

fn meaning(cells: &Cells<'_>, seen: &Seen, vocabulary: &mut Vocabulary) -> Result<Meaning, (i64, VoteError)> {
    let mut meaning = Meaning { small: [ABSTAIN; SMALL], large: HashMap::new() };
    for number in seen.numbers() {
        let vote = match cells.texts {
            // A number without a text stands for nothing.
            Some(texts) => texts.get(number as usize).map_or(Ok(ABSTAIN), |text| vocabulary.read(text)),
            None => vocabulary.read_integer(number),
        }
        .map_err(|error| (number, error))?;
        match place(number) {
            Some(place) => meaning.small[place] = vote,
            None => drop(meaning.large.insert(number, vote)),
        }
    }
    Ok(meaning)
}

/// The first item with `number` in the column.
fn first_row(cells: &Cells<'_>, number: i64) -> usize {
    let mut first = None;
    cells.for_each(0..cells.len(), |row, found| {
        if first.is_none() && found == Some(number) {
            first = Some(row);
        }
    });
    first.unwrap_or_default()
}

/// The table of `columns`, all of which have `items` cells.
pub(crate) fn read(
    columns: &[Cells<'_>],
    items: usize,
    sources: Sources,
    mut vocabulary: Vocabulary,
    stopped: &AtomicBool,
) -> Result<(Votes, Vec<ReadingNote>), Refusal> {
    let n = columns.len();
    let height = (CELLS_A_STRIP / n.max(1)).clamp(16, 1024);
    let strips: Vec<Range<usize>> =
        (0..items).step_by(height).map(|first| first..(first + height).min(items)).collect();
    let mut meanings = Vec::with_capacity(n);
    for (j, (cells, seen)) in columns.iter().zip(seen(columns, &strips, stopped)).enumerate() {
        let meaning = meaning(cells, &seen, &mut vocabulary).map_err(|(number, error)| Refusal::Cell {
            row: first_row(cells, number),
            column: j,
            error,
        })?;
        meanings.push(meaning);
    }
    let turn = |rows: &Range<usize>| {
        let mut votes = vec![ABSTAIN; rows.len() * n];
        for (j, (cells, meaning)) in columns.iter().zip(&meanings).enumerate() {
            cells.for_each(rows.clone(), |row, number| {
                votes[(row - rows.start) * n + j] = number.map_or(ABSTAIN, |number| meaning.vote(number));
            });
        }
        votes
    };
    let turn_all = |strips: &[Range<usize>]| -> Vec<Vec<Vote>> { strips.par_iter().map(turn).collect() };
    let mut builder = VotesBuilder::new(sources);
    let mut count = |turned: &[Vec<Vote>]| -> Result<(), VotesError> {
        turned.iter().flat_map(|strip| strip.chunks_exact(n)).try_for_each(|row| builder.push_dense(row))
    };
    let mut turned = Vec::new();
    for next in strips.chunks(STRIPS_AT_ONCE) {
        if stopped.load(Ordering::Relaxed) {
            break;
        }
        let (counted, turned_next) = rayon::join(|| count(&turned), || turn_all(next));
        counted?;
        turned = turned_next;
    }
    count(&turned)?;
    Ok(builder.finish_noted(&vocabulary)?)
}
