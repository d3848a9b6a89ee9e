//! Distinct rows while a table is being built: each row is stored once and counted.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::encoding::{Decode, Form};
use crate::sources::Vote;

/// A row's place in the table of hashes: its number, and half of its hash so that growing does not read the rows again.
#[derive(Clone, Copy, Debug)]
struct Slot {
    row: u32,
    hash: u32,
}

impl Slot {
    fn spread(self) -> u64 {
        spread(self.hash)
    }
}

/// The table takes its control bits from the top and its position from the bottom of 64 bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Distinct encoded rows with counts, in the order of their first appearance.
#[derive(Clone, Debug)]
pub(super) struct PatternSet {
    form: Form,
    bytes: Vec<u8>,
    ends: Vec<u64>,
    counts: Vec<u64>,
    slots: HashTable<Slot>,
    hasher: FixedState,
}

impl PatternSet {
    /// No rows yet; they will have this form.
    pub(super) fn new(form: Form) -> Self {
        Self {
            form,
            bytes: Vec::new(),
            ends: Vec::new(),
            counts: Vec::new(),
            slots: HashTable::new(),
            hasher: FixedState::default(),
        }
    }

    /// How rows are written.
    #[inline]
    pub(super) fn form(&self) -> Form {
        self.form
    }

    /// Writes all rows in the wide form if the narrow one cannot hold a table of so many sources whose votes are at most `widest`.
    #[inline]
    pub(super) fn admit(&mut self, sources: usize, widest: Vote) {
        if self.form == Form::Narrow && Form::of(sources, widest) == Form::Wide {
            *self = self.widened();
        }
    }

    /// The same rows with the same numbers in the wide form.
    #[cold]
    fn widened(&self) -> Self {
        let mut wide = Self::new(Form::Wide);
        let mut row = Vec::new();
        for number in 0..self.len() {
            row.clear();
            Form::Wide.encode(self.votes(number), &mut row);
            // Rows that differ in one form differ in the other, so that each gets its old number.
            wide.add(&row, self.count(number));
        }
        wide
    }

    /// The votes of a row.
    #[inline]
    pub(super) fn votes(&self, number: usize) -> Decode<'_> {
        Decode::new(self.form, self.row(number))
    }

    /// Counts `encoded` `times` times and returns its number; `None` when there are no numbers left.
    pub(super) fn add(&mut self, encoded: &[u8], times: u64) -> Option<u32> {
        self.add_hashed(self.hash(encoded), encoded, times)
    }

    /// Half of a row's hash.
    #[inline]
    pub(super) fn hash(&self, encoded: &[u8]) -> u32 {
        (self.hasher.hash_one(encoded) >> 32) as u32
    }

    /// The same as [`Self::add`] if the row's hash is known.
    #[inline]
    pub(super) fn add_hashed(&mut self, hash: u32, encoded: &[u8], times: u64) -> Option<u32> {
        let (bytes, ends) = (&self.bytes, &self.ends);
        let found = self
            .slots
            .find(spread(hash), |slot| slot.hash == hash && row(bytes, ends, slot.row as usize) == encoded);
        if let Some(slot) = found {
            self.counts[slot.row as usize] += times;
            return Some(slot.row);
        }
        let number = u32::try_from(self.ends.len()).ok()?;
        self.push_distinct(encoded, times);
        self.slots.insert_unique(spread(hash), Slot { row: number, hash }, |slot| slot.spread());
        Some(number)
    }

    /// Stores a row that is known to be new; such a set can be read but not added to by [`Self::add`].
    pub(super) fn push_distinct(&mut self, encoded: &[u8], count: u64) {
        self.bytes.extend_from_slice(encoded);
        self.ends.push(self.bytes.len() as u64);
        self.counts.push(count);
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All rows, one behind the other.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn row(&self, number: usize) -> &[u8] {
        row(&self.bytes, &self.ends, number)
    }

    pub(super) fn count(&self, number: usize) -> u64 {
        self.counts[number]
    }

    /// Gives up the look-up table, which nobody needs once all rows are in.
    pub(super) fn forget_slots(&mut self) {
        self.slots = HashTable::new();
    }
}

fn row<'a>(bytes: &'a [u8], ends: &[u64], number: usize) -> &'a [u8] {
    let start = if number == 0 { 0 } else { ends[number - 1] as usize };
    &bytes[start..ends[number] as usize]
}
