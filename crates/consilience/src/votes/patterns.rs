//! Distinct rows of votes with their counts, in one canonical order.
//!
//! A table is kept by vote (the encoded rows) or by cell (one byte per source), whichever is smaller. Both read alike.

use rayon::prelude::*;

use super::encoding::{Decode, Form};
use super::pattern_set::PatternSet;
use crate::parallel;
use crate::sources::{ABSTAIN, Vote};

/// Rows or cells that one piece of work takes at least.
const PIECE: usize = 1 << 14;

#[derive(Clone, Debug)]
enum Store {
    /// Encoded rows, one behind the other; row `p` ends at `ends[p]`. `each` is how many bytes a vote takes, if all take as many.
    ByVote { bytes: Vec<u8>, ends: Vec<u64>, form: Form, each: Option<u64> },
    /// One byte per cell, row by row; only if all classes fit a byte.
    ByCell { cells: Vec<u8>, sources: usize },
}

/// The distinct rows of a vote table, each with the number of items that have it.
#[derive(Clone, Debug)]
pub struct Patterns {
    store: Store,
    counts: Vec<u64>,
}

impl Patterns {
    /// The rows of `set` with each vote `v` replaced by `relabel[v]`, in canonical order, and for each row of `set` its
    /// place there.
    pub(super) fn from_set(mut set: PatternSet, sources: usize, relabel: &[Vote]) -> (Self, Vec<u32>) {
        set.forget_slots();
        let mut merged = None;
        let widest = relabel.iter().copied().max().unwrap_or(ABSTAIN);
        let form = Form::of(sources, widest);
        if !is_one_to_one(relabel) {
            let (smaller, number) = merge(&set, relabel, form);
            (set, merged) = (smaller, Some(number));
        } else if relabel.iter().enumerate().any(|(from, &to)| from != to as usize) {
            set = relabelled(&set, relabel, form);
        }
        let form = set.form();
        let mut order: Vec<([u64; 2], u32)> =
            (0..set.len()).map(|p| (prefix(set.row(p)), p as u32)).collect();
        order.par_sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| set.row(a.1 as usize).cmp(set.row(b.1 as usize)))
        });

        let counts = order.iter().map(|&(_, p)| set.count(p as usize)).collect();
        let mut place = vec![0; set.len()];
        for (to, &(_, from)) in order.iter().enumerate() {
            place[from as usize] = to as u32;
        }
        let rows = || order.iter().map(|&(_, p)| set.row(p as usize));
        let length: usize = rows().map(<[u8]>::len).sum();
        // Cells are quicker to read than votes. Votes of one byte count as two, so that they are kept only where most are missing.
        let by_vote = if form == Form::Narrow { 2 * length } else { length } + 8 * set.len();
        let by_cell = set.len().saturating_mul(sources);
        let store = if widest <= Vote::from(u8::MAX) && by_cell <= by_vote {
            let mut cells = vec![0; by_cell];
            if sources > 0 {
                for (cells, row) in cells.chunks_exact_mut(sources).zip(rows()) {
                    Decode::new(form, row).for_each(|(source, vote)| cells[source as usize] = vote as u8);
                }
            }
            Store::ByCell { cells, sources }
        } else {
            let mut bytes = Vec::with_capacity(length);
            let mut ends = Vec::with_capacity(set.len());
            for row in rows() {
                bytes.extend_from_slice(row);
                ends.push(bytes.len() as u64);
            }
            let each = form.bytes_per_vote(sources, widest).map(|each| each as u64);
            Store::ByVote { bytes, ends, form, each }
        };
        if let Some(number) = merged {
            place = number.into_iter().map(|row| place[row as usize]).collect();
        }
        (Self { store, counts }, place)
    }

    /// How many distinct rows there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// For each row, how many items have it.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The votes of row `p`, ascending by source, without abstains.
    #[inline]
    pub fn row(&self, p: usize) -> Row<'_> {
        Row(match &self.store {
            Store::ByVote { bytes, ends, form, .. } => {
                let start = if p == 0 { 0 } else { ends[p - 1] as usize };
                Inner::ByVote(Decode::new(*form, &bytes[start..ends[p] as usize]))
            }
            Store::ByCell { cells, sources } => {
                Inner::ByCell(cells[p * sources..(p + 1) * sources].iter().enumerate())
            }
        })
    }

    /// The number of votes in row `p`.
    fn votes_in(&self, p: usize) -> u64 {
        match &self.store {
            Store::ByVote { ends, each: Some(each), .. } => {
                (ends[p] - if p == 0 { 0 } else { ends[p - 1] }) / each
            }
            Store::ByVote { .. } => self.row(p).count() as u64,
            Store::ByCell { cells, sources } => {
                cells[p * sources..(p + 1) * sources].iter().map(|&vote| u64::from(vote != 0)).sum()
            }
        }
    }

    /// The number of votes of all items.
    pub(crate) fn votes_of_items(&self) -> u64 {
        let of_rows = match &self.store {
            Store::ByVote { bytes, each: Some(each), .. } => bytes.len() as u64 / each,
            Store::ByVote { .. } => parallel::map(parallel::few_ranges(self.len(), PIECE), |rows| {
                rows.map(|p| self.votes_in(p)).sum::<u64>()
            })
            .into_iter()
            .sum(),
            Store::ByCell { cells, .. } => parallel::map(cells.chunks(PIECE), filled).into_iter().sum(),
        };
        // Most rows of a large table are those of one item.
        let repeated = self.counts.iter().enumerate().filter(|&(_, &count)| count != 1);
        of_rows + repeated.map(|(p, &count)| (count - 1) * self.votes_in(p)).sum::<u64>()
    }

    /// Writes row `p` into `votes`, abstains included; `votes` has one place per source.
    pub fn read_into(&self, p: usize, votes: &mut [Vote]) {
        votes.fill(ABSTAIN);
        for (source, vote) in self.row(p) {
            votes[source] = vote;
        }
    }

    /// Bytes that the rows and counts take.
    pub fn bytes(&self) -> usize {
        8 * self.counts.len()
            + match &self.store {
                Store::ByVote { bytes, ends, .. } => bytes.len() + 8 * ends.len(),
                Store::ByCell { cells, .. } => cells.len(),
            }
    }
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Self) -> bool {
        self.counts == other.counts && (0..self.len()).all(|p| self.row(p).eq(other.row(p)))
    }
}

/// The votes of one row as `(source, vote)`, ascending by source, without abstains.
#[derive(Clone, Debug)]
pub struct Row<'a>(Inner<'a>);

#[derive(Clone, Debug)]
enum Inner<'a> {
    ByVote(Decode<'a>),
    ByCell(std::iter::Enumerate<std::slice::Iter<'a, u8>>),
}

impl Iterator for Row<'_> {
    type Item = (usize, Vote);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Inner::ByVote(votes) => votes.next().map(|(source, vote)| (source as usize, vote)),
            Inner::ByCell(cells) => {
                cells.find(|&(_, &vote)| vote != 0).map(|(source, &vote)| (source, Vote::from(vote)))
            }
        }
    }

    /// Asks once for the form of the row, not once a vote.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, first: B, mut add: F) -> B {
        match self.0 {
            Inner::ByVote(votes) => {
                votes.fold(first, |sum, (source, vote)| add(sum, (source as usize, vote)))
            }
            Inner::ByCell(cells) => {
                cells.fold(
                    first,
                    |sum, (source, &vote)| {
                        if vote == 0 { sum } else { add(sum, (source, Vote::from(vote))) }
                    },
                )
            }
        }
    }
}

/// How many cells are not empty. Bytes are counted in bytes as long as the count fits one, which takes vectors.
fn filled(cells: &[u8]) -> u64 {
    let of_few = |few: &[u8]| few.iter().map(|&vote| u8::from(vote != 0)).sum::<u8>();
    cells.chunks(usize::from(u8::MAX)).map(|few| u64::from(of_few(few))).sum()
}

/// Replacing votes one for one keeps distinct rows distinct, so no look-up is needed.
fn relabelled(set: &PatternSet, relabel: &[Vote], form: Form) -> PatternSet {
    let mut result = PatternSet::new(form);
    let mut row = Vec::new();
    for p in 0..set.len() {
        row.clear();
        form.encode(set.votes(p).map(|(source, vote)| (source, relabel[vote as usize])), &mut row);
        result.push_distinct(&row, set.count(p));
    }
    result
}

/// Whether different votes stay different, and no vote becomes an abstention.
fn is_one_to_one(relabel: &[Vote]) -> bool {
    let mut taken = vec![false; relabel.iter().map(|&to| usize::from(to) + 1).max().unwrap_or(1)];
    relabel.iter().all(|&to| !std::mem::replace(&mut taken[usize::from(to)], true))
}

/// Replacing votes makes some rows the same; the number of each old row among the new ones.
fn merge(set: &PatternSet, relabel: &[Vote], form: Form) -> (PatternSet, Vec<u32>) {
    let mut result = PatternSet::new(form);
    let mut row = Vec::new();
    let number = (0..set.len())
        .map(|p| {
            row.clear();
            let votes = set.votes(p).map(|(source, vote)| (source, relabel[vote as usize]));
            form.encode(votes.filter(|&(_, vote)| vote != ABSTAIN), &mut row);
            // There are no more rows than before, so that there is a number for each.
            result.add(&row, set.count(p)).unwrap_or_default()
        })
        .collect();
    result.forget_slots();
    (result, number)
}

/// The first sixteen bytes as numbers that sort like them; fewer would leave many rows equal, to be looked up. Two numbers take less
/// room than one of 128 bits, which would have to be aligned.
fn prefix(row: &[u8]) -> [u64; 2] {
    let mut first = [[0; 8]; 2];
    let length = row.len().min(16);
    first.as_flattened_mut()[..length].copy_from_slice(&row[..length]);
    first.map(u64::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use crate::rng::{Streams, unit};
    use crate::sources::{Sources, Vote};
    use crate::votes::VotesBuilder;

    /// Whichever way a table is kept, and whether or not rows repeat: the votes are those that were cast.
    #[test]
    fn votes_are_counted_in_every_form() {
        // By cell; by vote with one byte each, and with two; by vote with more for far sources and for many classes.
        for (sources, filled, classes) in
            [(4, 0.9, 2), (100, 0.05, 2), (100, 0.05, 3), (300, 0.01, 2), (20, 0.1, 400)]
        {
            let mut rng = Streams::new(5).stream(0);
            let mut builder = VotesBuilder::new(Sources::numbered(sources).unwrap());
            let mut cast = 0;
            for _ in 0..3000 {
                let mut row = Vec::new();
                for j in 0..sources as u32 {
                    if unit(&mut rng) < filled {
                        row.push((j, 1 + (unit(&mut rng) * f64::from(classes)) as Vote));
                    }
                }
                cast += row.len() as u64;
                builder.push(&row).unwrap();
            }
            let names = crate::sources::Classes::numbered(classes as usize).unwrap();
            let votes = builder.finish_as(names).unwrap();
            assert_eq!(votes.patterns().votes_of_items(), cast, "{sources} sources, {classes} classes");
        }
    }
}
