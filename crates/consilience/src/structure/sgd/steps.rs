//! The votes in the order in which the descent reads them: two items at a time, sources with the same two votes together.

use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// Sources that cast the same vote on the first item of a pair, and the same on the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Their votes on the two items; not both abstain.
    pub(super) votes: [Vote; 2],
    start: usize,
    end: usize,
}

impl Run {
    /// How many sources it has.
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }
}

/// All items, in pairs.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    items: usize,
    classes: usize,
    /// The sources of all runs, one behind the other.
    sources: Vec<u32>,
    runs: Vec<Run>,
    /// Where the runs of each pair end.
    ends: Vec<usize>,
    /// One vote per source and item: group by group of `width` sources, then item by item; the last group is filled up
    /// with abstains.
    dense: Vec<Vote>,
    width: usize,
}

impl Steps {
    /// The items of `votes`, for groups of `width` sources.
    pub(super) fn new(votes: &Votes, width: usize) -> Self {
        let (items, k) = (votes.items(), votes.classes().len());
        let n = votes.sources().len();
        let mut dense = vec![ABSTAIN; n.div_ceil(width) * width * items];
        for i in 0..items {
            for (l, vote) in votes.row_of_item(i) {
                dense[(l / width * items + i) * width + l % width] = vote;
            }
        }
        let mut steps = Self {
            items,
            classes: k,
            sources: Vec::new(),
            runs: Vec::new(),
            ends: Vec::with_capacity(items.div_ceil(2)),
            dense,
            width,
        };
        let mut codes: Vec<(Vote, Vote, u32)> = Vec::new();
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); if k < 32 { (k + 1) * (k + 1) } else { 0 }];
        let mut rows = [vec![ABSTAIN; n], vec![ABSTAIN; n]];
        for pair in 0..items.div_ceil(2) {
            for (i, row) in (2 * pair..).zip(&mut rows) {
                row.fill(ABSTAIN);
                if i < items {
                    votes.patterns().read_into(votes.item_pattern()[i] as usize, row);
                }
            }
            let voting = (0..)
                .zip(rows[0].iter().zip(&rows[1]))
                .filter(|&(_, (&a, &b))| a != ABSTAIN || b != ABSTAIN)
                .map(|(l, (&a, &b))| (a, b, l));
            if buckets.is_empty() {
                codes.extend(voting);
                codes.sort_unstable();
                let mut rest = codes.as_slice();
                while let Some(&(a, b, _)) = rest.first() {
                    let same = rest.iter().take_while(|&&(c, d, _)| (c, d) == (a, b)).count();
                    let sources = rest[..same].iter().map(|&(_, _, l)| l);
                    push_run(&mut steps.runs, &mut steps.sources, [a, b], sources);
                    rest = &rest[same..];
                }
                codes.clear();
            } else {
                for (a, b, l) in voting {
                    buckets[usize::from(a) * (k + 1) + usize::from(b)].push(l);
                }
                for (code, bucket) in buckets.iter_mut().enumerate().filter(|(_, bucket)| !bucket.is_empty())
                {
                    let pair = [(code / (k + 1)) as Vote, (code % (k + 1)) as Vote];
                    push_run(&mut steps.runs, &mut steps.sources, pair, bucket.drain(..));
                }
            }
            steps.ends.push(steps.runs.len());
        }
        steps
    }

    /// The number of items.
    pub(super) fn items(&self) -> usize {
        self.items
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> usize {
        self.classes
    }

    /// The number of pairs; the last one may have no second item.
    pub(super) fn pairs(&self) -> usize {
        self.ends.len()
    }

    /// The runs of pair `p`.
    #[inline(always)]
    pub(super) fn runs(&self, p: usize) -> &[Run] {
        let start = if p == 0 { 0 } else { self.ends[p - 1] };
        &self.runs[start..self.ends[p]]
    }

    /// The sources of a run, ascending.
    #[inline(always)]
    pub(super) fn sources(&self, run: Run) -> &[u32] {
        &self.sources[run.start..run.end]
    }

    /// The votes on item `i` of the `L` sources from `first`, with which a group starts; sources beyond the last abstain.
    #[inline(always)]
    pub(super) fn votes<const L: usize>(&self, i: usize, first: usize) -> Option<&[Vote; L]> {
        self.dense[(first / self.width * self.items + i) * self.width..].first_chunk()
    }
}

fn push_run(runs: &mut Vec<Run>, all: &mut Vec<u32>, votes: [Vote; 2], sources: impl Iterator<Item = u32>) {
    let start = all.len();
    all.extend(sources);
    runs.push(Run { votes, start, end: all.len() });
}
