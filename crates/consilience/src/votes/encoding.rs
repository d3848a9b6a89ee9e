//! One row of votes as a string of bytes.
//!
//! Each vote is written as the number of sources passed over since the last one, then the class; an abstain costs nothing. There are
//! two forms, and all rows of a table have the same:
//!
//! | form | tables | gap | class | bytes per vote |
//! |---|---|---|---|---|
//! | [`Form::Narrow`] | up to 127 sources and 2 classes | seven bits | one bit | 1 |
//! | [`Form::Wide`] | all others | seven bits a byte | one byte up to class 254, three bytes beyond | 2 in tables of up to 128 sources |
//!
//! Equal rows are equal strings, so rows are hashed, compared and sorted as bytes. Both forms sort rows alike.

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
mod bmi2;
mod narrow;

use crate::optim::step_by_step;
use crate::sources::{ABSTAIN, Vote};

/// Marks that the class is in the next two bytes.
const LARGE: u8 = u8::MAX;

/// How the rows of a table are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One byte per vote.
    Narrow,
    /// Two bytes per vote, or more.
    Wide,
}

impl Form {
    /// The shorter form that can hold a table of so many sources whose votes are at most `widest`.
    pub(super) fn of(sources: usize, widest: Vote) -> Self {
        if sources <= narrow::MOST_SOURCES && widest <= narrow::MOST_CLASSES {
            Self::Narrow
        } else {
            Self::Wide
        }
    }

    /// The bytes of every vote in a table of so many sources whose votes are at most `widest`; `None` if they differ.
    pub(super) fn bytes_per_vote(self, sources: usize, widest: Vote) -> Option<usize> {
        match self {
            Self::Narrow => Some(1),
            Self::Wide => (sources <= SHORT && widest < Vote::from(LARGE)).then_some(2),
        }
    }

    /// Writes `votes`, ascending by source and without abstains, behind what `bytes` holds.
    pub(super) fn encode(self, votes: impl IntoIterator<Item = (u32, Vote)>, bytes: &mut Vec<u8>) {
        match self {
            Self::Narrow => narrow::encode(votes, bytes),
            Self::Wide => encode(votes, bytes),
        }
    }

    /// The same for one vote per source, abstains included.
    pub(super) fn encode_dense(self, votes: &[Vote], bytes: &mut Vec<u8>) {
        if votes.len() > SHORT || votes.iter().any(|&vote| vote >= Vote::from(LARGE)) {
            let filled = (0..).zip(votes.iter().copied()).filter(|&(_, vote)| vote != ABSTAIN);
            return self.encode(filled, bytes);
        }
        let mut cells = [0; SHORT];
        cells.iter_mut().zip(votes).for_each(|(cell, &vote)| *cell = vote as u8);
        self.encode_short(&cells[..votes.len()], bytes);
    }

    /// The same for votes of one byte each.
    pub(super) fn encode_bytes(self, votes: &[u8], bytes: &mut Vec<u8>) {
        if votes.len() > SHORT || votes.contains(&LARGE) {
            let cast = votes.iter().map(|&vote| Vote::from(vote));
            return self.encode((0..).zip(cast).filter(|&(_, vote)| vote != ABSTAIN), bytes);
        }
        self.encode_short(votes, bytes);
    }

    /// The same for a row in which every vote takes as many bytes.
    #[inline]
    pub(super) fn encode_short(self, votes: &[u8], bytes: &mut Vec<u8>) {
        match self {
            Self::Narrow => narrow::encode_cells(votes, bytes),
            Self::Wide => encode_cells(votes, bytes),
        }
    }

    /// How often `vote` occurs in rows in which every vote takes as many bytes.
    pub(super) fn count_votes(self, rows: &[u8], vote: u8) -> u64 {
        match self {
            Self::Narrow => narrow::count_votes(rows, vote),
            Self::Wide => count_short_votes(rows, vote),
        }
    }
}

/// Writes `votes`, ascending by source and without abstains, behind what `bytes` holds.
fn encode(votes: impl IntoIterator<Item = (u32, Vote)>, bytes: &mut Vec<u8>) {
    let mut next = 0;
    for (source, vote) in votes {
        debug_assert!(source >= next && vote != 0);
        let gap = source - next;
        next = source + 1;
        if gap < 0x80 && vote < Vote::from(LARGE) {
            bytes.extend_from_slice(&[gap as u8, vote as u8]);
            continue;
        }
        write_gap(gap, bytes);
        match u8::try_from(vote) {
            Ok(vote) if vote < LARGE => bytes.push(vote),
            _ => {
                bytes.push(LARGE);
                bytes.extend(vote.to_be_bytes());
            }
        }
    }
}

/// In tables of at most this many sources, gaps take one byte.
const SHORT: usize = 0x80;

/// How often `vote` occurs in rows in which every vote takes two bytes.
fn count_short_votes(rows: &[u8], vote: u8) -> u64 {
    // Counted in bytes as long as the count fits one, which takes vectors.
    let (pairs, _) = rows.as_chunks::<2>();
    let of_few = |few: &[[u8; 2]]| few.iter().map(|pair| u8::from(pair[1] == vote)).sum::<u8>();
    pairs.chunks(usize::from(u8::MAX)).map(|few| u64::from(of_few(few))).sum()
}

/// A row in which every vote takes two bytes.
#[inline]
fn encode_cells(votes: &[u8], bytes: &mut Vec<u8>) {
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    if bmi2::available() {
        return bmi2::encode(votes, bytes);
    }
    encode_filled(votes, bytes);
}

/// The same on any processor. It visits filled cells only, a bit for each: which cells are filled cannot be foreseen, so a branch
/// per cell would be guessed wrong.
fn encode_filled(votes: &[u8], bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.resize(start + 2 * votes.len(), 0);
    let (pairs, _) = bytes[start..].as_chunks_mut::<2>();
    let (mut filled, mut next) = (0, 0);
    for (first, cells) in (0..).step_by(CELLS).zip(votes.chunks(CELLS)) {
        let mut cast = filled_cells(cells);
        while cast != 0 {
            let at = first + cast.trailing_zeros() as usize;
            pairs[filled] = [(at - next) as u8, votes[at]];
            (filled, next) = (filled + 1, at + 1);
            cast &= cast - 1;
        }
    }
    bytes.truncate(start + 2 * filled);
}

/// Cells whose bits fit into one number.
const CELLS: usize = u64::BITS as usize;

/// One bit for each of at most 64 cells: whether it is not 0.
fn filled_cells(cells: &[u8]) -> u64 {
    let (eights, rest) = cells.as_chunks::<8>();
    let mut filled = filled_bytes(last_cells(cells, rest)).checked_shl(8 * eights.len() as u32).unwrap_or(0);
    for (place, eight) in eights.iter().enumerate() {
        // Compilers that take several eights at once multiply in three steps each.
        step_by_step();
        filled |= filled_bytes(u64::from_le_bytes(*eight)) << (8 * place);
    }
    filled
}

/// The last cells, fewer than eight, one in each byte.
#[inline(always)]
fn last_cells(cells: &[u8], rest: &[u8]) -> u64 {
    match cells.last_chunk::<8>() {
        _ if rest.is_empty() => 0,
        // The last eight cells without those before `rest`: numbers put together from single bytes take longer.
        Some(last) => u64::from_le_bytes(*last) >> (8 * (8 - rest.len())),
        None => rest.iter().rev().fold(0, |number, &cell| number << 8 | u64::from(cell)),
    }
}

/// One bit for each of the eight bytes of `x`, the lowest first: whether it is not 0.
fn filled_bytes(x: u64) -> u64 {
    // Byte i's bit moves to place 56 + i; no two of the moved bits meet.
    (filled_highest_bits(x) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The highest bit of each byte of `x` that is not 0.
#[inline(always)]
fn filled_highest_bits(x: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // Adding carries into the highest bit of a byte if one of the others is set.
    (((x & LOW) + LOW) | x) & !LOW
}

fn write_gap(mut gap: u32, bytes: &mut Vec<u8>) {
    while gap >= 0x80 {
        bytes.push(gap as u8 | 0x80);
        gap >>= 7;
    }
    bytes.push(gap as u8);
}

/// The votes of an encoded row.
#[derive(Clone, Debug)]
pub(super) struct Decode<'a> {
    form: Form,
    bytes: &'a [u8],
    next: u32,
}

impl<'a> Decode<'a> {
    #[inline]
    pub(super) fn new(form: Form, bytes: &'a [u8]) -> Self {
        Self { form, bytes, next: 0 }
    }

    #[inline]
    fn read_byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    #[inline]
    fn read_gap(&mut self) -> Option<u32> {
        let mut byte = self.read_byte()?;
        let mut gap = u32::from(byte & 0x7f);
        let mut shift = 7;
        while byte & 0x80 != 0 {
            byte = self.read_byte()?;
            gap |= u32::from(byte & 0x7f) << shift;
            shift += 7;
        }
        Some(gap)
    }

    #[inline]
    fn read_vote(&mut self) -> Option<Vote> {
        match self.read_byte()? {
            LARGE => Some(Vote::from_be_bytes([self.read_byte()?, self.read_byte()?])),
            vote => Some(Vote::from(vote)),
        }
    }
}

impl Iterator for Decode<'_> {
    type Item = (u32, Vote);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (gap, vote) = match self.form {
            Form::Narrow => narrow::decode(self.read_byte()?),
            Form::Wide => (self.read_gap()?, self.read_vote()?),
        };
        let source = self.next + gap;
        self.next = source + 1;
        Some((source, vote))
    }

    /// Asks once for the form of the row. Votes of two bytes, which most are, are read at once. `add` stands in as few places as
    /// possible, so that compilers put it there instead of calling it.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, first: B, mut add: F) -> B {
        let mut sum = first;
        if self.form == Form::Narrow {
            for &byte in self.bytes {
                let (gap, vote) = narrow::decode(byte);
                let source = self.next + gap;
                self.next = source + 1;
                sum = add(sum, (source, vote));
            }
            return sum;
        }
        loop {
            let vote = if let [gap @ 0..=0x7f, vote @ 0..=0xfe, rest @ ..] = self.bytes {
                let source = self.next + u32::from(*gap);
                self.next = source + 1;
                self.bytes = rest;
                (source, Vote::from(*vote))
            } else if let Some(vote) = self.next() {
                vote
            } else {
                return sum;
            };
            sum = add(sum, vote);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let rows: [&[(u32, Vote)]; 6] = [
            &[],
            &[(0, 1)],
            &[(127, 127), (128, 128)],
            &[(1, 254), (2, 255), (3, 256)],
            &[(3, 1), (200_000, 65_534), (500_000, 2)],
            &[(0, 2), (1, 1)],
        ];
        for row in rows {
            let mut bytes = Vec::new();
            encode(row.iter().copied(), &mut bytes);
            let mut one_by_one = Decode::new(Form::Wide, &bytes);
            assert_eq!(std::iter::from_fn(|| one_by_one.next()).collect::<Vec<_>>(), row);
            let mut folded = Vec::new();
            Decode::new(Form::Wide, &bytes).for_each(|vote| folded.push(vote));
            assert_eq!(folded, row);
        }
    }

    #[test]
    fn cells_are_encoded_like_votes() {
        let step = |i: usize, by: usize| (i * by % 7).saturating_sub(3) as Vote;
        for sources in [0, 1, 5, 7, 8, 9, 63, 64, 65, 100, 127, 128, 129, 300] {
            for (by, large) in [(1, 0), (3, 0), (5, 0), (3, 250), (3, 252), (3, 300)] {
                let cells: Vec<Vote> =
                    (0..sources).map(|i| step(i, by) + if i == 4 { large } else { 0 }).collect();
                let (mut dense, mut sparse) = (vec![7], vec![7]);
                Form::Wide.encode_dense(&cells, &mut dense);
                encode((0..).zip(cells.iter().copied()).filter(|&(_, vote)| vote != 0), &mut sparse);
                assert_eq!(dense, sparse, "{sources} sources");
                if cells.len() <= SHORT && cells.iter().all(|&vote| vote < Vote::from(LARGE)) {
                    let narrow: Vec<u8> = cells.iter().map(|&vote| vote as u8).collect();
                    let mut anywhere = vec![7];
                    encode_filled(&narrow, &mut anywhere);
                    assert_eq!(anywhere, sparse, "{sources} sources, on any processor");
                }
                if let Ok(narrow) =
                    cells.iter().map(|&vote| u8::try_from(vote)).collect::<Result<Vec<u8>, _>>()
                {
                    let mut bytes = vec![7];
                    Form::Wide.encode_bytes(&narrow, &mut bytes);
                    assert_eq!(bytes, sparse, "{sources} sources");
                }
            }
        }
    }

    #[test]
    fn each_byte_has_its_bit() {
        for x in [0, 1, 0x80, 0xff00, 0x0100_0000_0000_0080, 0x8001_00ff_0010_7f00, u64::MAX] {
            let one_by_one =
                x.to_le_bytes().into_iter().enumerate().map(|(i, byte)| u64::from(byte != 0) << i);
            assert_eq!(filled_bytes(x), one_by_one.sum::<u64>(), "{x:x}");
        }
    }

    #[test]
    fn a_common_vote_costs_one_byte_or_two() {
        for (votes, form, length) in
            [([(5, 1), (90, 2)], Form::Narrow, 2), ([(5, 1), (90, 254)], Form::Wide, 4)]
        {
            assert_eq!(Form::of(100, votes[1].1), form);
            let mut bytes = Vec::new();
            form.encode(votes, &mut bytes);
            assert_eq!(bytes.len(), length);
            assert_eq!(form.bytes_per_vote(100, votes[1].1), Some(length / 2));
        }
        assert_eq!(Form::of(128, 2), Form::Wide);
        assert_eq!(Form::Wide.bytes_per_vote(129, 2), None);
    }

    /// Rows of random cells: both forms hold the same votes, count them alike and sort rows alike.
    #[test]
    fn both_forms_say_the_same() {
        use crate::rng::{Streams, unit};
        let mut rng = Streams::new(3).stream(0);
        for sources in [1, 7, 8, 9, 64, 100, 127] {
            let mut rows = Vec::new();
            for share in [0.02, 0.3, 0.3, 0.9, 1.0] {
                let mut cell = || u8::from(unit(&mut rng) < share) * (1 + u8::from(unit(&mut rng) < 0.5));
                let cells: Vec<u8> = (0..sources).map(|_| cell()).collect();
                let votes =
                    || (0..).zip(cells.iter().map(|&vote| Vote::from(vote))).filter(|vote| vote.1 > 0);
                let [narrow, wide] = [Form::Narrow, Form::Wide].map(|form| {
                    let (mut by_cell, mut by_vote, mut dense) = (vec![7], vec![7], vec![7]);
                    form.encode_bytes(&cells, &mut by_cell);
                    form.encode(votes(), &mut by_vote);
                    let wide: Vec<Vote> = cells.iter().map(|&vote| Vote::from(vote)).collect();
                    form.encode_dense(&wide, &mut dense);
                    assert_eq!((&by_cell, &dense), (&by_vote, &by_vote), "{sources} sources, {form:?}");
                    let row = by_vote.split_off(1);
                    let (mut one_by_one, mut folded) = (Decode::new(form, &row), Vec::new());
                    Decode::new(form, &row).for_each(|vote| folded.push(vote));
                    assert!(std::iter::from_fn(|| one_by_one.next()).eq(votes()));
                    assert!(folded.into_iter().eq(votes()));
                    for vote in [1, 2] {
                        let count = votes().filter(|cast| cast.1 == Vote::from(vote)).count() as u64;
                        assert_eq!(form.count_votes(&row, vote), count);
                    }
                    row
                });
                rows.push((narrow, wide));
            }
            for (narrow, wide) in &rows {
                for other in &rows {
                    assert_eq!(narrow.cmp(&other.0), wide.cmp(&other.1), "{sources} sources");
                }
            }
        }
    }
}
