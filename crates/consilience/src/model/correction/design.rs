//! The answered items as many fits read them: laid out once, with the answers that count for each fit.

use super::objective::AnsweredRow;
use super::{LEAST, crowd};
use crate::sources::Vote;

/// One vote of an answered row.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedVote {
    /// The class it is for, counted from 0.
    pub(super) class: usize,
    /// The places of its source among the sources, and of source and vote among the cells.
    pub(super) source: usize,
    pub(super) cell: usize,
}

/// The votes and uncorrected probabilities of all answered rows.
#[derive(Clone, Debug)]
pub(super) struct Design {
    pub(super) k: usize,
    pub(super) usual_votes: f64,
    /// The sources that vote on answered items, ascending.
    pub(super) sources: Vec<usize>,
    /// Their votes there, ascending by source and vote.
    pub(super) cells: Vec<(usize, Vote)>,
    /// The votes, row by row; row `u` starts at `starts[u]`.
    votes: Vec<PlacedVote>,
    starts: Vec<usize>,
    /// The logarithm of the uncorrected probability of each class, row by row; at least that of [`LEAST`].
    log_p: Vec<f64>,
    /// What the trend is multiplied by, for each row.
    pub(super) crowds: Vec<f64>,
}

impl Design {
    /// `usual_votes` is the mean number of votes on an item of the table.
    pub(super) fn new(rows: &[AnsweredRow], k: usize, usual_votes: f64) -> Self {
        let usual_votes = usual_votes.max(1.0);
        let mut cells: Vec<(usize, Vote)> = rows.iter().flat_map(|row| row.votes.iter().copied()).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut sources: Vec<usize> = cells.iter().map(|&(j, _)| j).collect();
        sources.dedup();
        let place = |&(j, vote): &(usize, Vote)| PlacedVote {
            class: usize::from(vote) - 1,
            source: sources.partition_point(|&source| source < j),
            cell: cells.partition_point(|&cell| cell < (j, vote)),
        };
        let votes = rows.iter().flat_map(|row| row.votes.iter().map(place)).collect();
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.votes.len();
            Some(*end)
        });
        Self {
            k,
            usual_votes,
            votes,
            starts: [0].into_iter().chain(ends).collect(),
            log_p: rows.iter().flat_map(|row| &row.log_p).map(|log_p| log_p.max(LEAST.ln())).collect(),
            crowds: rows.iter().map(|row| crowd(row.votes.len(), usual_votes)).collect(),
            sources,
            cells,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.crowds.len()
    }

    pub(super) fn votes(&self, row: usize) -> &[PlacedVote] {
        &self.votes[self.starts[row]..self.starts[row + 1]]
    }

    pub(super) fn log_p(&self, row: usize) -> &[f64] {
        &self.log_p[row * self.k..(row + 1) * self.k]
    }
}

/// The answers that count for a fit.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    k: usize,
    /// The rows that have any, ascending.
    rows: Vec<usize>,
    /// How many answers each class has, row by row.
    counts: Vec<f64>,
}

impl Tally {
    /// Of all rows, `counts` answers for each class, row by row; rows without answers do not count.
    pub(crate) fn new(k: usize, counts: &[f64]) -> Self {
        let answered = |row: &&[f64]| row.iter().any(|&count| count > 0.0);
        let rows = counts.chunks(k).enumerate().filter(|(_, row)| answered(row)).map(|(u, _)| u).collect();
        let counts = counts.chunks(k).filter(answered).flatten().copied().collect();
        Self { k, rows, counts }
    }

    /// The same without the rows that `keep` rejects.
    pub(super) fn filter(&self, keep: impl Fn(usize) -> bool) -> Self {
        let kept = || self.iter().filter(|&(row, _)| keep(row));
        let counts = kept().flat_map(|(_, counts)| counts).copied().collect();
        Self { k: self.k, rows: kept().map(|(row, _)| row).collect(), counts }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of answers.
    pub(super) fn answers(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The number of answers for each class.
    pub(super) fn by_class(&self) -> Vec<f64> {
        (0..self.k).map(|y| self.counts.iter().skip(y).step_by(self.k).sum()).collect()
    }

    /// The row at `place` of this list, and its answers for each class.
    pub(super) fn at(&self, place: usize) -> (usize, &[f64]) {
        (self.rows[place], &self.counts[place * self.k..(place + 1) * self.k])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.rows.iter().copied().zip(self.counts.chunks(self.k))
    }
}
