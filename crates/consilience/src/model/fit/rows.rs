//! The rows that a fit goes over, in pieces whose sums are added in a fixed order.

use rayon::prelude::*;

use crate::votes::Votes;

/// Distinct rows of a table with their counts, all of them or every so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    pub(super) votes: &'a Votes,
    stride: usize,
    /// What a count is multiplied by, so that a part speaks for the whole.
    scale: f64,
}

/// Rows of one piece, at least.
const PIECE: usize = 4096;
/// The most pieces, so that their sums take bounded memory.
const MOST_PIECES: usize = 96;

impl<'a> Rows<'a> {
    /// All rows.
    pub(super) fn all(votes: &'a Votes) -> Self {
        Self { votes, stride: 1, scale: 1.0 }
    }

    /// About `wanted` rows, evenly spread over the canonical order, which stand for all items.
    pub(super) fn part(votes: &'a Votes, wanted: usize) -> Self {
        let stride = (votes.patterns().len() / wanted.max(1)).max(1);
        let part = Self { votes, stride, scale: 1.0 };
        let items: u64 = (0..part.len()).map(|row| votes.patterns().counts()[row * stride]).sum();
        Self { scale: votes.items() as f64 / items.max(1) as f64, ..part }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.votes.patterns().len().div_ceil(self.stride)
    }

    /// What a count is multiplied by.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether these are all rows of the table.
    pub(super) fn is_whole(&self) -> bool {
        self.stride == 1
    }

    /// The pattern of row `row`.
    #[inline]
    pub(super) fn pattern(&self, row: usize) -> usize {
        row * self.stride
    }

    /// For how many items row `row` stands.
    #[inline]
    pub(super) fn count(&self, row: usize) -> f64 {
        self.votes.patterns().counts()[row * self.stride] as f64 * self.scale
    }

    /// Runs `work` over ranges of rows on all cores; the results come in the order of the rows, in pieces that do not
    /// depend on the number of threads.
    pub(super) fn in_pieces<R: Send>(&self, work: impl Fn(std::ops::Range<usize>) -> R + Sync) -> Vec<R> {
        let length = PIECE.max(self.len().div_ceil(MOST_PIECES)).min(self.len().div_ceil(2).max(1));
        let pieces = self.len().div_ceil(length);
        (0..pieces)
            .into_par_iter()
            .map(|piece| work(piece * length..((piece + 1) * length).min(self.len())))
            .collect()
    }
}
