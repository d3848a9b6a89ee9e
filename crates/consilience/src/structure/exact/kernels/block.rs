//! The scores of a block of rows: where the kernels write and the sums read.

use std::ops::Range;

use super::many_classes::AbsentSums;
use crate::optim::{LANES, Lane, Lane64, SumOfLogs, add_times, larger, ln, map, map2};
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::Rows;

/// Rows whose logarithms are taken together.
const FEW: usize = 16;

/// For each row of a block, the derivatives of log p(the vote cast) by every parameter.
///
/// The score of a link depends only on what its other source voted in the row, so one table a feature serves all links. Of the
/// further parameters and the probabilities themselves, only the sums over the rows and all blocks are kept where `SUMMED`: what a
/// pass works on then stays in the nearest cache.
#[derive(Clone, Debug)]
pub(crate) struct BlockScores<const SUMMED: bool> {
    rows: usize,
    stride: usize,
    /// For each row and lane: 0 if the source abstains, else 1 + the place of its vote among the batch's classes.
    pub(crate) observed: Vec<Lane>,
    /// For each feature and cell (row and class), of a link whose other source voted so, less `abstained`; and for the
    /// cell behind the last, 0.
    voted: Vec<Lane>,
    /// For each feature and row, of a link whose other source abstains.
    abstained: Vec<Lane>,
    /// For each further parameter (vote rates, class terms, accuracy) and row; or the sum over rows, each times its count.
    further: Vec<Lane>,
    /// For each row, p(the vote cast), above 0; where summed, of the last few rows, whose logarithms are still to be taken.
    cast: Vec<Lane>,
    /// The counts of the block's rows, and whether all are 1; only where summed.
    counts: Vec<f32>,
    each_counts_once: bool,
    /// Σ log p(the vote cast) of rows that count once, and of others; only where summed.
    logs: SumOfLogs,
    log_likelihood: Lane,
    /// What classes without a vote add to the further sums; only where summed.
    pub(crate) absent: AbsentSums,
}

impl<const SUMMED: bool> BlockScores<SUMMED> {
    pub(crate) fn new(rows: &Rows, layout: Numbering) -> Self {
        let lanes = |count: usize| vec![Lane::ZERO; count];
        let (block, stride) = (rows.block_rows(), rows.stride());
        let kept = if SUMMED { 1 } else { block };
        Self {
            rows: block,
            stride,
            observed: lanes(block),
            voted: lanes(layout.features * (block * stride + 1)),
            abstained: lanes(layout.features * block),
            further: lanes((layout.len() - layout.links()) * kept),
            cast: lanes(if SUMMED { FEW } else { block }),
            counts: vec![1.0; kept],
            each_counts_once: true,
            logs: SumOfLogs::new(),
            log_likelihood: Lane::ZERO,
            absent: AbsentSums::ZERO,
        }
    }

    /// Takes what the row at `at` says about the classes that nobody votes for in it.
    #[inline(always)]
    pub(crate) fn add_absent(&mut self, at: usize, sums: &AbsentSums) {
        self.absent.add(sums, self.counts[at]);
    }

    /// What one of them takes in memory.
    pub(crate) fn bytes(rows: &Rows, layout: Numbering) -> usize {
        let further = layout.len() - layout.links();
        let of_row = 2 + layout.features * (rows.stride() + 1) + further;
        rows.block_rows() * of_row * size_of::<Lane>()
    }

    /// Makes ready for the rows of `block`.
    #[inline(always)]
    pub(crate) fn start(&mut self, rows: &Rows, block: usize) {
        if SUMMED {
            let counts = &rows.counts[rows.block(block)];
            self.counts.clear();
            self.counts.extend_from_slice(counts);
            // Counts fall from row to row.
            self.each_counts_once = counts[0] < 1.5;
        }
    }

    /// Multiplies the scores of links by the counts of their rows.
    #[inline(always)]
    pub(crate) fn weigh(&mut self) {
        if self.each_counts_once {
            return;
        }
        for scores in self.abstained.chunks_exact_mut(self.rows) {
            for (score, &count) in scores.iter_mut().zip(&self.counts) {
                *score = map(*score, |score| score * count);
            }
        }
        for cells in self.voted.chunks_exact_mut(self.rows * self.stride + 1) {
            for (row, &count) in cells.chunks_exact_mut(self.stride).zip(&self.counts) {
                for score in row {
                    *score = map(*score, |score| score * count);
                }
            }
        }
    }

    /// Multiplies all scores by the root of the probability of the vote they belong to, so that their products count as often
    /// as that vote is expected.
    #[inline(always)]
    pub(crate) fn weigh_by_probability(&mut self) {
        let (rows, stride) = (self.rows, self.stride);
        for at in 0..rows {
            let root = map(self.cast[at], f32::sqrt);
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
    pub(crate) fn voted(&self, t: usize) -> &[Lane] {
        let cells = self.rows * self.stride + 1;
        &self.voted[t * cells..(t + 1) * cells]
    }

    /// The cells of feature `t` in the row at `at`.
    #[inline(always)]
    pub(crate) fn voted_row_mut(&mut self, t: usize, at: usize) -> &mut [Lane] {
        self.row_mut(t, at).1
    }

    /// What a link of feature `t` scores in the row at `at` if its other source abstains, and the cells of that row.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, t: usize, at: usize) -> (&mut Lane, &mut [Lane]) {
        let start = t * (self.rows * self.stride + 1) + at * self.stride;
        (&mut self.abstained[t * self.rows + at], &mut self.voted[start..start + self.stride])
    }

    /// The rows of feature `t`.
    #[inline(always)]
    pub(crate) fn abstained(&self, t: usize) -> &[Lane] {
        &self.abstained[t * self.rows..(t + 1) * self.rows]
    }

    #[inline(always)]
    pub(crate) fn set_abstained(&mut self, t: usize, at: usize, score: Lane) {
        self.abstained[t * self.rows + at] = score;
    }

    #[inline(always)]
    pub(crate) fn set_further(&mut self, x: usize, at: usize, score: Lane) {
        if SUMMED {
            add_times(&mut self.further[x], &score, self.counts[at]);
        } else {
            self.further[x * self.rows + at] = score;
        }
    }

    /// Takes p(the vote cast) of the row at `at`; rows come in order.
    #[inline(always)]
    pub(crate) fn set_cast(&mut self, at: usize, cast: Lane) {
        let cast = map(cast, |cast| larger(cast, f32::MIN_POSITIVE));
        if SUMMED {
            self.cast[at % FEW] = cast;
            if at % FEW == FEW - 1 || at + 1 == self.counts.len() {
                self.take_logarithms(at - at % FEW..at + 1);
            }
        } else {
            self.cast[at] = cast;
        }
    }

    /// Adds log p(the vote cast) of a few rows to their sums.
    #[inline(always)]
    fn take_logarithms(&mut self, rows: Range<usize>) {
        let cast = &self.cast[..rows.len()];
        if self.each_counts_once {
            self.logs.add(cast);
        } else {
            for (&cast, &count) in cast.iter().zip(&self.counts[rows]) {
                add_times(&mut self.log_likelihood, &ln(cast), count);
            }
        }
    }
}

impl BlockScores<false> {
    /// Of the further parameter `x` in the row at `at`.
    #[inline(always)]
    pub(crate) fn further_at(&self, x: usize, at: usize) -> Lane {
        self.further[x * self.rows + at]
    }
}

impl BlockScores<true> {
    /// The sums of the further parameters, which start at 0 again when they are taken.
    pub(crate) fn further_sums(&mut self) -> &mut [Lane] {
        &mut self.further
    }

    /// Adds what has come together of Σ log p(the vote cast) to `total`; it starts at 0 again.
    #[inline(always)]
    pub(crate) fn take_log_likelihood(&mut self, total: &mut Lane64) {
        let logs = std::mem::replace(&mut self.logs, SumOfLogs::new()).finish();
        let others = std::mem::replace(&mut self.log_likelihood, Lane::ZERO);
        for i in 0..LANES {
            total[i] += logs[i] + f64::from(others[i]);
        }
    }
}
