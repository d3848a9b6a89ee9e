//! Sources that repeat each other: exact copies, and near copies.

use super::rows::Rows;
use crate::votes::Votes;

/// Sources that say the same on nearly every item on which one of them votes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Repeats {
    /// Groups of exact copies with enough votes to be sure, each ascending.
    pub(super) copies: Vec<Vec<usize>>,
    /// For each source, the size of its group of near copies, itself included.
    pub(super) group_size: Vec<usize>,
}

/// Fewer votes than this may agree by chance.
const ENOUGH_VOTES: u64 = 30;
/// Near copies agree on at least this share of the items on which one of the two votes.
const NEAR: f64 = 0.95;
/// Rows that are compared pair by pair; exact copies among them are then compared on all rows.
const ROWS: usize = 1 << 14;
/// With more sources than this, their pairs are not compared.
const MOST_SOURCES: usize = 4096;

impl Repeats {
    /// Of the sources of `votes`.
    ///
    /// # Formula
    /// ```text
    /// near copies:  items on which both cast the same vote / items on which either votes >= 0.95
    /// ```
    pub(super) fn of(votes: &Votes) -> Self {
        let n = votes.sources().len();
        let mut repeats = Self { copies: Vec::new(), group_size: vec![1; n] };
        if n > MOST_SOURCES {
            return repeats;
        }
        let rows = Rows::part(votes, ROWS);
        let (cast, same) = agreements(&rows, n);
        let is_near = |j: usize, l: usize| {
            let either = cast[j] + cast[l] - same[j * n + l];
            same[j * n + l] > 0 && same[j * n + l] as f64 >= NEAR * either as f64
        };
        let is_same = |j: usize, l: usize| {
            cast[j] >= ENOUGH_VOTES && cast[j] == same[j * n + l] && cast[l] == same[j * n + l]
        };
        let near = groups(n, is_near);
        for group in &near {
            for &j in group {
                repeats.group_size[j] = group.len();
            }
        }
        let same = groups(n, is_same);
        repeats.copies =
            if rows.is_whole() { same } else { same.into_iter().flat_map(|g| split(votes, &g)).collect() };
        repeats
    }
}

/// For each source its votes, and for each pair the items on which both cast the same vote.
fn agreements(rows: &Rows<'_>, n: usize) -> (Vec<u64>, Vec<u64>) {
    let patterns = rows.votes.patterns();
    let (mut cast, mut same) = (vec![0; n], vec![0; n * n]);
    let mut row: Vec<(usize, u16)> = Vec::new();
    for at in 0..rows.len() {
        let p = rows.pattern(at);
        let count = patterns.counts()[p];
        row.clear();
        row.extend(patterns.row(p));
        for (i, &(j, vote)) in row.iter().enumerate() {
            cast[j] += count;
            for &(l, other) in &row[i + 1..] {
                same[j * n + l] += count * u64::from(vote == other);
            }
        }
    }
    (cast, same)
}

/// The connected components of two sources or more; `joined` is asked with the smaller source first.
fn groups(n: usize, joined: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut seen = vec![false; n];
    let mut groups = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        let mut group = vec![start];
        let mut at = 0;
        while at < group.len() {
            let j = group[at];
            for l in start + 1..n {
                if !seen[l] && l != j && joined(j.min(l), j.max(l)) {
                    seen[l] = true;
                    group.push(l);
                }
            }
            at += 1;
        }
        if group.len() > 1 {
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}

/// `group`, whose sources are the same on some rows, split by what they say on all rows.
fn split(votes: &Votes, group: &[usize]) -> Vec<Vec<usize>> {
    let patterns = votes.patterns();
    let differ = Rows::all(votes)
        .in_pieces(|range| {
            let mut differ = vec![false; group.len() * group.len()];
            let mut said = vec![0; group.len()];
            for p in range {
                said.fill(0);
                patterns.row(p).for_each(|(j, vote)| {
                    if let Ok(i) = group.binary_search(&j) {
                        said[i] = vote;
                    }
                });
                if said.iter().any(|&vote| vote != said[0]) {
                    for i in 0..group.len() {
                        for l in i + 1..group.len() {
                            differ[i * group.len() + l] |= said[i] != said[l];
                        }
                    }
                }
            }
            differ
        })
        .into_iter()
        .reduce(|mut a, b| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
            a
        })
        .unwrap_or_default();
    let parts = groups(group.len(), |i, l| !differ[i * group.len() + l]);
    parts.into_iter().map(|part| part.into_iter().map(|i| group[i]).collect()).collect()
}
