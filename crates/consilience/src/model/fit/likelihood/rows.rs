//! The rows that a fit goes over, in pieces whose sums are added in a fixed order.

use crate::parallel;
use crate::votes::Votes;

/// Distinct rows of a table with their counts, all of them or every so many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) votes: &'a Votes,
    stride: usize,
    /// What a count is multiplied by, so that a part represents the whole.
    scale: f64,
    /// A pattern that counts nothing.
    silent: Option<usize>,
}

/// Rows of one piece, at least.
const PIECE: usize = 4096;
/// The most pieces, and the most numbers that their sums have together, so that they take bounded memory.
const MOST_PIECES: usize = 96;
const MOST_NUMBERS: usize = 1 << 24;

impl<'a> Rows<'a> {
    /// All rows.
    pub(crate) fn all(votes: &'a Votes) -> Self {
        Self { votes, stride: 1, scale: 1.0, silent: None }
    }

    /// All rows, but the items on which nobody votes count nothing: they say nothing of the sources' accuracies.
    pub(crate) fn voted(votes: &'a Votes) -> Self {
        let patterns = votes.patterns();
        // An empty row is the first in the canonical order.
        let silent = (!patterns.is_empty() && patterns.row(0).next().is_none()).then_some(0);
        Self { silent, ..Self::all(votes) }
    }

    /// About `wanted` of the rows, evenly spread over the canonical order, which stand for all their items.
    pub(crate) fn thinned(&self, wanted: usize) -> Self {
        let stride = (self.votes.patterns().len() / wanted.max(1)).max(1);
        let part = Self { stride, scale: 1.0, ..*self };
        let items: f64 = (0..part.len()).map(|row| part.count(row)).sum();
        let scale = if items > 0.0 { self.items() / items } else { 1.0 };
        Self { scale, ..part }
    }

    /// For how many items the rows stand.
    pub(crate) fn items(&self) -> f64 {
        let silent = self.silent.map_or(0, |p| self.votes.patterns().counts()[p]);
        (self.votes.items() as u64 - silent) as f64
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.votes.patterns().len().div_ceil(self.stride)
    }

    /// What a count is multiplied by.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// The pattern of row `row`.
    #[inline]
    pub(crate) fn pattern(&self, row: usize) -> usize {
        row * self.stride
    }

    /// For how many items row `row` stands.
    #[inline]
    pub(crate) fn count(&self, row: usize) -> f64 {
        let p = row * self.stride;
        if self.silent == Some(p) { 0.0 } else { self.votes.patterns().counts()[p] as f64 * self.scale }
    }

    /// Runs `work` over ranges of rows on all cores; the results, of `numbers` numbers each, come in the order of the rows, in
    /// pieces that do not depend on the number of threads.
    pub(crate) fn in_pieces<R: Send>(
        &self,
        numbers: usize,
        work: impl Fn(std::ops::Range<usize>) -> R + Sync,
    ) -> Vec<R> {
        let most = (MOST_NUMBERS / numbers.max(1)).clamp(2, MOST_PIECES);
        let length = PIECE.max(self.len().div_ceil(most)).min(self.len().div_ceil(2).max(1));
        parallel::map(parallel::ranges(self.len(), length), |rows| {
            crate::watch::look();
            work(rows)
        })
    }
}
