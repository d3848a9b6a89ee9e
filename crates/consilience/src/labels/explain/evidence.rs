//! Sums over the votes of each source, in one pass over the table.

use super::common_items::CommonItems;
use crate::labels::Labels;
use crate::labels::infer::Matching;
use crate::model::{Fitted, Labeller};
use crate::num::log_odds;
use crate::optim::dispatch;
use crate::parallel;
use crate::sources::Vote;
use crate::votes::Votes;

/// Rows on which votes are left out one by one.
const SAMPLED: usize = 4096;

/// Sums over the votes of each source.
pub(super) struct Evidence {
    /// Votes.
    pub(super) cast: Vec<u64>,
    /// The expected number of correct votes.
    pub(super) right: Vec<f64>,
    /// The variance of that number, given the labels.
    pub(super) doubt: Vec<f64>,
    /// In a sample of the rows: what votes add to those of the others, and their number.
    pub(super) beyond_others: Vec<(f64, f64)>,
    /// What answers add to the votes.
    pub(super) taught: Vec<f64>,
    /// The other sources that vote on the same items.
    pub(super) common_items: CommonItems,
}

/// Rows summed at a time. Pieces are added in order, so results do not depend on the number of threads.
const PIECE: usize = 4096;

impl Evidence {
    fn nothing(fitted: &Fitted) -> Self {
        let n = fitted.model.sources().len();
        Self {
            cast: vec![0; n],
            right: vec![0.0; n],
            doubt: vec![0.0; n],
            beyond_others: vec![(0.0, 0.0); n],
            taught: vec![0.0; n],
            common_items: CommonItems::new(fitted),
        }
    }

    /// Sums over all rows of `votes`; their labels are taken from `labels` if they are known.
    pub(super) fn of(fitted: &Fitted, votes: &Votes, matching: &Matching, labels: Option<&Labels>) -> Self {
        let labeller = Labeller::new(fitted);
        let rows = votes.patterns().len();
        let stride = rows.div_ceil(SAMPLED);
        let in_order = matching.sources.is_sorted();
        let piece = |piece: usize| {
            let mut evidence = Self::nothing(fitted);
            let (mut row, mut q) = (Vec::new(), vec![0.0; fitted.model.classes().len()]);
            let mut of_votes = Vec::new();
            for p in piece * PIECE..((piece + 1) * PIECE).min(rows) {
                row.clear();
                matching.votes(votes, p).for_each(|vote| row.push(vote));
                if !in_order {
                    row.sort_unstable();
                }
                match labels {
                    Some(labels) => q.copy_from_slice(labels.pattern(p)),
                    None => labeller.posterior(&row, &mut q),
                }
                let count = votes.patterns().counts()[p];
                evidence.add_row(fitted, &row, &q, count, &mut of_votes);
                if p % stride == 0 {
                    dispatch(
                        #[inline(always)]
                        || evidence.add_beyond_others(&labeller, &row, &q, count),
                    );
                }
            }
            evidence
        };
        let pieces: Vec<Self> = parallel::map(0..rows.div_ceil(PIECE), piece);
        let mut pieces = pieces.into_iter();
        let first = pieces.next().unwrap_or_else(|| Self::nothing(fitted));
        pieces.fold(first, |sum, piece| sum.add(&piece))
    }

    /// Adds the votes of one row that `count` items have; `q` is its label, and `of_votes` a buffer.
    fn add_row(
        &mut self,
        fitted: &Fitted,
        row: &[(usize, Vote)],
        q: &[f64],
        count: u64,
        of_votes: &mut Vec<(f64, f64)>,
    ) {
        self.common_items.meet(row);
        // All votes for one class are right and in doubt to the same degree.
        let of_vote = |&sure: &f64| (count as f64 * sure, count as f64 * sure * (1.0 - sure));
        of_votes.clear();
        of_votes.extend(q.iter().map(of_vote));
        for &(j, vote) in row {
            let (right, doubt) = of_votes[usize::from(vote) - 1];
            self.cast[j] += count;
            self.right[j] += right;
            self.doubt[j] += doubt;
        }
        let Some(correction) = &fitted.correction else { return };
        for &(j, vote) in row {
            if let Some(scores) = correction.shift(j, vote) {
                let own = scores[usize::from(vote) - 1];
                let others = (scores.iter().sum::<f64>() - own) / (q.len() as f64 - 1.0);
                self.taught[j] += count as f64 * (own - others);
            }
        }
    }

    /// Adds what each vote of the row adds to those of the others.
    #[inline(always)]
    fn add_beyond_others(&mut self, labeller: &Labeller<'_>, row: &[(usize, Vote)], q: &[f64], count: u64) {
        let mut without = vec![0.0; q.len()];
        let mut others: Vec<(usize, Vote)> = Vec::with_capacity(row.len());
        for &(j, vote) in row {
            others.clear();
            others.extend(row.iter().copied().filter(|&(l, _)| l != j));
            labeller.posterior(&others, &mut without);
            let (sure, before) = (q[usize::from(vote) - 1], without[usize::from(vote) - 1]);
            let within = |p: f64| log_odds(p.clamp(1e-9, 1.0 - 1e-9));
            self.beyond_others[j].0 += count as f64 * (within(sure) - within(before));
            self.beyond_others[j].1 += count as f64;
        }
    }

    fn add(mut self, other: &Self) -> Self {
        self.common_items.add(&other.common_items);
        for j in 0..self.cast.len() {
            self.cast[j] += other.cast[j];
            self.right[j] += other.right[j];
            self.doubt[j] += other.doubt[j];
            self.beyond_others[j].0 += other.beyond_others[j].0;
            self.beyond_others[j].1 += other.beyond_others[j].1;
            self.taught[j] += other.taught[j];
        }
        self
    }
}
