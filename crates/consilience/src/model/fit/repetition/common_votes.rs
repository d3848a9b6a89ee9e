//! On how many items two sources both vote, and cast the same vote.

use super::pairs::Pairs;
use crate::parallel;

/// For each pair of sources, row by row of a square: items on which both vote, and on which both cast the same vote.
pub(crate) struct Common {
    pub(crate) both: Vec<f64>,
    pub(crate) same: Vec<f64>,
}

impl Common {
    /// Of the rows of `pairs`: by bits if that is less work than going over the pairs of votes of each row.
    pub(crate) fn new(pairs: &Pairs) -> Self {
        let n = pairs.n;
        let visits: usize = pairs.rows.iter().map(|row| row.len() * row.len()).sum();
        let words = n.saturating_mul(n).saturating_mul(pairs.k + 1).saturating_mul(pairs.rows.len() / 64 + 1);
        let columns = (words < VISIT * visits).then(|| Columns::new(pairs));
        let later: Vec<Vec<(f64, f64)>> = parallel::map(0..n, |j| match &columns {
            Some(columns) => columns.with_later(pairs, j),
            None => with_later(pairs, j),
        });
        let mut common = Self { both: vec![0.0; n * n], same: vec![0.0; n * n] };
        for (j, later) in later.iter().enumerate() {
            for (l, &(both, same)) in (j..n).zip(later) {
                for at in [j * n + l, l * n + j] {
                    (common.both[at], common.same[at]) = (both, same);
                }
            }
        }
        common
    }
}

/// Words of bits that are counted in the time of one visit to a pair of votes.
const VISIT: usize = 4;

/// Source `j` and each from `j` on, over the votes of each row.
fn with_later(pairs: &Pairs, j: usize) -> Vec<(f64, f64)> {
    crate::watch::look();
    let mut common = vec![(0.0, 0.0); pairs.n - j];
    for &(u, _) in &pairs.rows_of[j] {
        let row = &pairs.rows[u as usize];
        let count = pairs.counts[u as usize];
        let later = &row[row.partition_point(|&(l, _)| (l as usize) < j)..];
        let own = later[0].1;
        for &(l, vote) in later {
            let common = &mut common[l as usize - j];
            common.0 += count;
            common.1 += if vote == own { count } else { 0.0 };
        }
    }
    common
}

/// The votes of each source as bits, one per row; rows of the same count share words, whose counts they have.
struct Columns {
    /// For each word, what a bit of it counts.
    counts: Vec<f64>,
    /// For each source, the rows on which it votes; then, for each class, those on which it votes for the class.
    voted: Vec<Vec<u64>>,
    cast: Vec<Vec<Vec<u64>>>,
}

impl Columns {
    fn new(pairs: &Pairs) -> Self {
        let mut order: Vec<usize> = (0..pairs.rows.len()).collect();
        order.sort_by(|&u, &w| pairs.counts[u].total_cmp(&pairs.counts[w]));
        // A new word begins where the count changes.
        let mut counts: Vec<f64> = Vec::new();
        let mut place = vec![(0, 0); order.len()];
        let mut filled = 64;
        for u in order {
            let count = pairs.counts[u];
            if filled == 64 || counts.last().is_none_or(|last| last.to_bits() != count.to_bits()) {
                counts.push(count);
                filled = 0;
            }
            place[u] = (counts.len() - 1, filled);
            filled += 1;
        }
        let words = counts.len();
        let mut voted = vec![vec![0u64; words]; pairs.n];
        let mut cast = vec![vec![Vec::new(); pairs.k]; pairs.n];
        for (row, &(word, bit)) in pairs.rows.iter().zip(&place) {
            for &(j, vote) in row {
                voted[j as usize][word] |= 1 << bit;
                let of_class: &mut Vec<u64> = &mut cast[j as usize][usize::from(vote) - 1];
                if of_class.is_empty() {
                    of_class.resize(words, 0);
                }
                of_class[word] |= 1 << bit;
            }
        }
        Self { counts, voted, cast }
    }

    fn with_later(&self, pairs: &Pairs, j: usize) -> Vec<(f64, f64)> {
        crate::watch::look();
        let common = |a: &[u64], b: &[u64]| -> f64 {
            a.iter()
                .zip(b)
                .zip(&self.counts)
                .map(|((a, b), count)| f64::from((a & b).count_ones()) * count)
                .sum()
        };
        let with = |l: usize| {
            let same = self.cast[j].iter().zip(&self.cast[l]).map(|(a, b)| common(a, b)).sum();
            (common(&self.voted[j], &self.voted[l]), same)
        };
        (j..pairs.n).map(with).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fit::likelihood::rows::Rows;
    use crate::rng::{Streams, unit};
    use crate::sources::{Classes, Sources, Vote};
    use crate::votes::VotesBuilder;

    #[test]
    fn bits_count_as_rows_do() {
        let mut random = Streams::new(4).stream(0);
        let mut builder = VotesBuilder::new(Sources::numbered(5).unwrap());
        for _ in 0..900 {
            let row: Vec<Vote> = (0..5).map(|_| (unit(&mut random) * 4.0) as Vote).collect();
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(3).unwrap()).unwrap();
        let pairs = Pairs::new(&votes, &Rows::voted(&votes));
        assert!(pairs.counts.iter().any(|&count| count > 1.0));
        let columns = Columns::new(&pairs);
        for j in 0..5 {
            assert_eq!(columns.with_later(&pairs, j), with_later(&pairs, j));
        }
    }
}
