//! How far pairs of sources agree beyond chance.

use crate::sources::Vote;
use crate::votes::Votes;

/// Larger tables are not looked at.
const MOST_SOURCES: usize = 64;
const MOST_ROWS: usize = 1 << 15;

/// The votes that pairs of sources cast on the same items.
pub(super) struct PairAgreement {
    sources: usize,
    /// For each pair, items on which both vote, and on which they vote alike.
    both: Vec<f64>,
    same: Vec<f64>,
    /// For each source and class, the share of its votes.
    share: Vec<f64>,
    classes: usize,
}

impl PairAgreement {
    /// `None` if the table is too large.
    pub(super) fn new(votes: &Votes) -> Option<Self> {
        let sources = votes.sources().len();
        if sources > MOST_SOURCES || votes.patterns().len() > MOST_ROWS {
            return None;
        }
        let counts = votes.patterns().counts().iter();
        let rows = counts.enumerate().map(|(p, &times)| (votes.patterns().row(p).collect(), times));
        Some(Self::of(sources, votes.classes().len(), rows))
    }

    /// Of rows of votes, each there so many times.
    pub(super) fn of(
        sources: usize,
        classes: usize,
        rows: impl Iterator<Item = (Vec<(usize, Vote)>, u64)>,
    ) -> Self {
        let classes = classes + 1;
        let (mut both, mut same) = (vec![0.0; sources * sources], vec![0.0; sources * sources]);
        let (mut share, mut cast) = (vec![0.0; sources * classes], vec![0.0; sources]);
        for (row, times) in rows {
            for (i, &(j, vote)) in row.iter().enumerate() {
                share[j * classes + usize::from(vote)] += times as f64;
                cast[j] += times as f64;
                for &(l, other) in &row[i + 1..] {
                    both[j * sources + l] += times as f64;
                    same[j * sources + l] += if vote == other { times as f64 } else { 0.0 };
                }
            }
        }
        for (share, cast) in share.chunks_exact_mut(classes).zip(&cast) {
            for share in share {
                *share /= f64::max(*cast, 1.0);
            }
        }
        Self { sources, both, same, share, classes }
    }

    /// How much more often than by chance the pairs that `is_asked` for agree, as a share of their common items, and that in
    /// standard errors.
    pub(super) fn beyond_chance(&self, is_asked: impl Fn(usize, usize) -> bool) -> (f64, f64) {
        let of = |j: usize| &self.share[j * self.classes..(j + 1) * self.classes];
        let (mut items, mut beyond, mut variance) = (0.0, 0.0, 0.0);
        for j in 0..self.sources {
            for l in (j + 1..self.sources).filter(|&l| is_asked(j, l)) {
                let by_chance: f64 = of(j).iter().zip(of(l)).map(|(a, b)| a * b).sum();
                let both = self.both[j * self.sources + l];
                items += both;
                beyond += self.same[j * self.sources + l] - both * by_chance;
                variance += both * by_chance * (1.0 - by_chance);
            }
        }
        if variance > 0.0 { (beyond / items, beyond / variance.sqrt()) } else { (0.0, 0.0) }
    }
}
