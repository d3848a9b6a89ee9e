//! The scores of a block of rows: where the kernels write and the sums read.

use super::layout::Layout;
use super::rows::Rows;
use crate::optim::{Lane, exp, map, map2};

/// For each row of a block, the derivatives of log p(the vote cast) by every parameter.
///
/// The score of a link depends only on what its other source voted in the row, so one table a feature serves all links.
#[derive(Clone, Debug)]
pub(super) struct BlockScores {
    rows: usize,
    stride: usize,
    /// For each row and lane: 0 where the source abstains, else 1 + the place of its vote among the group's classes.
    pub(super) observed: Vec<Lane>,
    /// For each feature and cell (row and class), of a link whose other source voted so, less `abstained`; and for the
    /// cell behind the last, 0.
    voted: Vec<Lane>,
    /// For each feature and row, of a link whose other source abstains.
    abstained: Vec<Lane>,
    /// For each further parameter (vote rates, class terms, accuracy) and row.
    further: Vec<Lane>,
    /// For each row, log p(the vote cast).
    pub(super) log_likelihood: Vec<Lane>,
}

impl BlockScores {
    pub(super) fn new(rows: &Rows, layout: Layout) -> Self {
        let lanes = |count: usize| vec![Lane::ZERO; count];
        let (block, stride) = (rows.block_rows(), rows.stride());
        Self {
            rows: block,
            stride,
            observed: lanes(block),
            voted: lanes(layout.features * (block * stride + 1)),
            abstained: lanes(layout.features * block),
            further: lanes((layout.len() - layout.links()) * block),
            log_likelihood: lanes(block),
        }
    }

    /// What one of them takes in memory.
    pub(super) fn bytes(rows: &Rows, layout: Layout) -> usize {
        let further = layout.len() - layout.links();
        let of_row = 2 + layout.features * (rows.stride() + 1) + further;
        rows.block_rows() * of_row * size_of::<Lane>()
    }

    /// Multiplies all scores, but not the likelihood, by the counts of their rows.
    #[inline(always)]
    pub(super) fn weigh(&mut self, rows: &Rows, block: usize) {
        let counts = &rows.counts[rows.block(block)];
        // Counts fall from row to row.
        if counts[0] < 1.5 {
            return;
        }
        for part in [&mut self.abstained, &mut self.further] {
            for scores in part.chunks_exact_mut(self.rows) {
                for (score, &count) in scores.iter_mut().zip(counts) {
                    *score = map(*score, |score| score * count);
                }
            }
        }
        for cells in self.voted.chunks_exact_mut(self.rows * self.stride + 1) {
            for (row, &count) in cells.chunks_exact_mut(self.stride).zip(counts) {
                for score in row {
                    *score = map(*score, |score| score * count);
                }
            }
        }
    }

    /// Multiplies all scores by the root of the probability of the vote they belong to, so that their products count as often
    /// as that vote is expected.
    #[inline(always)]
    pub(super) fn weigh_by_probability(&mut self) {
        let (rows, stride) = (self.rows, self.stride);
        for at in 0..rows {
            let root = exp(map(self.log_likelihood[at], |log| 0.5 * log));
            let by_root = |score: &mut Lane| *score = map2(*score, root, |score, root| score * root);
            self.abstained.iter_mut().skip(at).step_by(rows).for_each(by_root);
            self.further.iter_mut().skip(at).step_by(rows).for_each(by_root);
            for cells in self.voted.chunks_exact_mut(rows * stride + 1) {
                cells[at * stride..(at + 1) * stride].iter_mut().for_each(by_root);
            }
        }
    }

    /// The cells of feature `t`.
    #[inline(always)]
    pub(super) fn voted(&self, t: usize) -> &[Lane] {
        let cells = self.rows * self.stride + 1;
        &self.voted[t * cells..(t + 1) * cells]
    }

    /// The cells of feature `t` in the row at `at`.
    #[inline(always)]
    pub(super) fn voted_row_mut(&mut self, t: usize, at: usize) -> &mut [Lane] {
        let start = t * (self.rows * self.stride + 1) + at * self.stride;
        &mut self.voted[start..start + self.stride]
    }

    /// The rows of feature `t`.
    #[inline(always)]
    pub(super) fn abstained(&self, t: usize) -> &[Lane] {
        &self.abstained[t * self.rows..(t + 1) * self.rows]
    }

    #[inline(always)]
    pub(super) fn set_abstained(&mut self, t: usize, at: usize, score: Lane) {
        self.abstained[t * self.rows + at] = score;
    }

    /// The rows of further parameter `x`.
    #[inline(always)]
    pub(super) fn further(&self, x: usize) -> &[Lane] {
        &self.further[x * self.rows..(x + 1) * self.rows]
    }

    #[inline(always)]
    pub(super) fn further_at(&self, x: usize, at: usize) -> Lane {
        self.further[x * self.rows + at]
    }

    #[inline(always)]
    pub(super) fn set_further(&mut self, x: usize, at: usize, score: Lane) {
        self.further[x * self.rows + at] = score;
    }
}
