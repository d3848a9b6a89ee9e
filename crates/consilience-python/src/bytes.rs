//! From a matrix of bytes to rows of votes: the quickest way in, because a byte says which of 256 votes it is.

use std::sync::atomic::{AtomicBool, Ordering};

use consilience::sources::{ABSTAIN, Sources, Vote};
use consilience::votes::{ReadingNote, Vocabulary, Votes, VotesBuilder};
use rayon::prelude::*;

use crate::reader::Refusal;

/// Cells that are compared at once.
const STEP: usize = 16;

/// Cells that one thread looks at in a row, and rows between two looks at the flag.
const PIECE: usize = 1 << 20;
const ROWS_A_LOOK: usize = 1 << 14;

/// Rows that are translated before the first of them is added: bytes that were just written take long to read in other portions.
const ROWS_AT_ONCE: usize = 32;

/// A byte that is a number.
pub(crate) trait Byte: Copy + Eq + Send + Sync + Into<i64> {
    /// Its place among the 256.
    fn place(self) -> usize;

    /// The number at a place.
    fn at(place: usize) -> Self;

    /// The place of the next number: -1 comes just before 0, as 255 does.
    fn next(self) -> u8 {
        (self.place() as u8).wrapping_add(1)
    }
}

impl Byte for i8 {
    fn place(self) -> usize {
        usize::from(self.cast_unsigned())
    }

    fn at(place: usize) -> Self {
        (place as u8).cast_signed()
    }
}

impl Byte for u8 {
    fn place(self) -> usize {
        usize::from(self)
    }

    fn at(place: usize) -> Self {
        place as u8
    }
}

/// Up to this many numbers are looked for one after the other.
const FEW: usize = 16;

/// Which of the 256 numbers occur in `cells`.
fn seen<T: Byte>(cells: &[T]) -> [bool; 256] {
    let look = |piece: &[T]| {
        let mut seen = [false; 256];
        // A few numbers in a row, as in most tables: each is found early, and finding the range takes vectors.
        let places = || piece.iter().map(|cell| cell.next());
        let (least, most) = (places().fold(u8::MAX, u8::min), places().fold(0, u8::max));
        if usize::from(most.saturating_sub(least)) < FEW {
            for next in least..=most {
                let number = T::at(usize::from(next.wrapping_sub(1)));
                seen[number.place()] = piece.contains(&number);
            }
            return seen;
        }
        let mut last = None;
        for step in piece.chunks(STEP) {
            // Most steps of a sparse table are the same.
            if last != Some(step) {
                for cell in step {
                    seen[cell.place()] = true;
                }
                last = Some(step);
            }
        }
        seen
    };
    let join = |mut a: [bool; 256], b: [bool; 256]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
        a
    };
    cells.par_chunks(PIECE).map(look).reduce(|| [false; 256], join)
}

/// Rows that are inspected to distinguish a dense table from a sparse one.
const SAMPLE: usize = 256;
/// In a dense table there is a vote in every so many cells, so that most steps hold one.
const CELLS_A_VOTE: usize = 12;

/// Whether most steps of a row hold votes.
fn is_dense<T: Byte>(cells: &[T], n: usize, meaning: &[Vote; 256]) -> bool {
    let rows = cells.len() / n.max(1);
    let step = (rows / SAMPLE).max(1);
    let sampled = || cells.chunks_exact(n.max(1)).step_by(step).flatten();
    let votes = sampled().filter(|cell| meaning[cell.place()] != ABSTAIN).count();
    votes * CELLS_A_VOTE >= sampled().count()
}

/// What cells become if all votes fit into a byte; 256 classes do not.
enum Narrow {
    /// Each the next number: most tables have classes from 0 on, and -1 abstains.
    Next,
    /// By a table.
    Each(Box<[u8; 256]>),
}

impl Narrow {
    fn new(seen: &[bool; 256], meaning: &[Vote; 256]) -> Option<Self> {
        let mut table = [0; 256];
        for (narrow, &vote) in table.iter_mut().zip(meaning) {
            *narrow = u8::try_from(vote).ok()?;
        }
        let next = |place: usize| !seen[place] || table[place] == (place as u8).wrapping_add(1);
        Some(if (0..256).all(next) { Self::Next } else { Self::Each(Box::new(table)) })
    }

    fn translate<T: Byte>(&self, cells: &[T], row: &mut [u8]) {
        match self {
            Self::Next => {
                row.iter_mut().zip(cells).for_each(|(vote, cell)| *vote = cell.next());
            }
            Self::Each(table) => {
                row.iter_mut().zip(cells).for_each(|(vote, cell)| *vote = table[cell.place()]);
            }
        }
    }
}

/// The table of the rows of `cells`, one cell per source.
pub(crate) fn read<T: Byte>(
    cells: &[T],
    sources: Sources,
    mut vocabulary: Vocabulary,
    stopped: &AtomicBool,
) -> Result<(Votes, Vec<ReadingNote>), Refusal> {
    let n = sources.len();
    let mut meaning = [ABSTAIN; 256];
    let seen = seen(cells);
    let mut numbers: Vec<T> = (0..256).filter(|&place| seen[place]).map(T::at).collect();
    numbers.sort_by_key(|&number| number.into());
    for number in numbers {
        meaning[number.place()] = vocabulary.read_integer(number.into()).map_err(|error| {
            let at = cells.iter().position(|&cell| cell == number).unwrap_or_default();
            Refusal::Cell { row: at / n, column: at % n, error }
        })?;
    }
    // Steps of nothing but this mark are passed over: in a sparse table most are.
    let silence = (0..256).rev().find(|&place| seen[place] && meaning[place] == ABSTAIN);
    let silence = silence.map(|place| [T::at(place); STEP]);
    let mut builder = VotesBuilder::new(sources);
    if is_dense(cells, n, &meaning) {
        let narrow = Narrow::new(&seen, &meaning);
        let mut votes = Vec::new();
        for (i, cells) in cells.chunks(ROWS_AT_ONCE * n).enumerate() {
            if i % (ROWS_A_LOOK / ROWS_AT_ONCE) == 0 && stopped.load(Ordering::Relaxed) {
                break;
            }
            if let Some(narrow) = &narrow {
                votes.resize(cells.len(), 0);
                narrow.translate(cells, &mut votes);
                builder.push_matrix(&votes)?;
            } else {
                let wide: Vec<Vote> = cells.iter().map(|cell| meaning[cell.place()]).collect();
                wide.chunks_exact(n).try_for_each(|row| builder.push_dense(row))?;
            }
        }
        return Ok(builder.finish_noted(&vocabulary)?);
    }
    let mut row: Vec<(u32, Vote)> = Vec::with_capacity(n);
    for (i, cells) in cells.chunks_exact(n).enumerate() {
        if i % ROWS_A_LOOK == 0 && stopped.load(Ordering::Relaxed) {
            break;
        }
        row.clear();
        for (first, step) in (0..).step_by(STEP).zip(cells.chunks(STEP)) {
            if silence.is_some_and(|silence| step == &silence[..step.len()]) {
                continue;
            }
            for (source, cell) in (first..).zip(step) {
                let vote = meaning[cell.place()];
                if vote != ABSTAIN {
                    row.push((source, vote));
                }
            }
        }
        builder.push(&row)?;
    }
    Ok(builder.finish_noted(&vocabulary)?)
}
