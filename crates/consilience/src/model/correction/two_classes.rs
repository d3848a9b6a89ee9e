//! Corrects rows of two classes, eight at a time: one logarithm and one exponential each, by vector instructions.

use super::{Correction, LEAST, MOST_CROWDS, crowd};
use crate::optim::{EIGHT, exp_of_eight, ln_of_eight};
use crate::sources::Vote;

/// A correction of two classes as what it adds to the log odds of the second.
#[derive(Clone, Debug)]
pub(crate) struct TwoClasses {
    slope: f64,
    /// For each source and vote what it adds.
    of_votes: Vec<f64>,
    /// For each number of votes up to some, what bias and trend add.
    of_counts: Vec<f64>,
    bias: f64,
    trend: f64,
    usual_votes: f64,
    without_votes: Option<f64>,
}

impl TwoClasses {
    pub(super) fn new(correction: &Correction, sources: usize) -> Self {
        let apart = |pair: &[f64]| pair[1] - pair[0];
        let mut of_votes = vec![0.0; sources * 2];
        for shift in &correction.shifts {
            of_votes[shift.source * 2 + usize::from(shift.vote) - 1] = apart(&shift.scores);
        }
        let mut two = Self {
            slope: correction.slope,
            of_votes,
            of_counts: Vec::new(),
            bias: apart(&correction.biases),
            trend: apart(&correction.trends),
            usual_votes: correction.usual_votes,
            without_votes: correction.without_votes.as_deref().map(apart),
        };
        two.of_counts = (0..=sources.min(MOST_CROWDS)).map(|votes| two.of_count(votes)).collect();
        two
    }

    fn of_count(&self, votes: usize) -> f64 {
        if let (0, Some(added)) = (votes, self.without_votes) {
            return added;
        }
        self.bias + crowd(votes, self.usual_votes) * self.trend
    }

    /// What is added for a row of `votes`. Every fourth vote goes to the same of four sums, so that additions need not wait for each
    /// other.
    #[inline(always)]
    pub(crate) fn odds(&self, votes: impl Iterator<Item = (usize, Vote)>) -> f64 {
        let (mut sums, mut cast) = ([0.0; 4], 0);
        for (source, vote) in votes {
            sums[cast % 4] += self.of_votes[source * 2 + usize::from(vote) - 1];
            cast += 1;
        }
        let of_count = self.of_counts.get(cast).copied().unwrap_or_else(|| self.of_count(cast));
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + of_count
    }

    /// The same for votes in memory.
    #[inline(always)]
    pub(crate) fn odds_of(&self, votes: &[(usize, Vote)]) -> f64 {
        let of_vote = |&(source, vote): &(usize, Vote)| self.of_votes[source * 2 + usize::from(vote) - 1];
        let mut sums = [0.0; 4];
        let (fours, rest) = votes.as_chunks::<4>();
        for four in fours {
            for i in 0..4 {
                sums[i] += of_vote(&four[i]);
            }
        }
        for (sum, vote) in sums.iter_mut().zip(rest) {
            *sum += of_vote(vote);
        }
        let of_count = self.of_counts.get(votes.len()).copied().unwrap_or_else(|| self.of_count(votes.len()));
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + of_count
    }

    /// Corrects the probabilities of up to eight rows, two each, with what is added to each.
    #[inline(always)]
    pub(crate) fn correct_eight(&self, added: &[f64; EIGHT], p: &mut [f64]) {
        let mut ratios = [1.0; EIGHT];
        for (ratio, pair) in ratios.iter_mut().zip(p.chunks_exact(2)) {
            *ratio = pair[1].max(LEAST) / pair[0].max(LEAST);
        }
        let logs = ln_of_eight(&ratios);
        let (mut odds, mut minus) = ([0.0; EIGHT], [0.0; EIGHT]);
        for i in 0..EIGHT {
            odds[i] = self.slope * logs[i] + added[i];
            minus[i] = -odds[i].abs();
        }
        let small = exp_of_eight(&minus);
        let mut likely = [0.0; EIGHT];
        for i in 0..EIGHT {
            likely[i] = 1.0 / (1.0 + small[i]);
        }
        for (i, pair) in p.chunks_exact_mut(2).enumerate() {
            let unlikely = small[i] * likely[i];
            (pair[0], pair[1]) = if odds[i] > 0.0 { (unlikely, likely[i]) } else { (likely[i], unlikely) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Corrector, Shift};
    use super::*;
    use crate::num::softmax_in_place;
    use crate::rng::{Streams, unit};

    /// Eight rows at a time, fewer, and one by one: what the formula of [`Correction`] says of each.
    #[test]
    fn rows_are_those_of_the_formula() {
        let mut rng = Streams::new(6).stream(0);
        let mut some = |around: f64| around + unit(&mut rng) - 0.5;
        let mut shifts = Vec::new();
        for source in 0..9 {
            for vote in 1..=2 {
                shifts.push(Shift { source, vote, scores: vec![some(0.0), some(0.0)] });
            }
        }
        let correction = Correction {
            slope: 0.8,
            biases: vec![some(0.0), some(0.0)],
            trends: vec![some(0.0), some(0.0)],
            usual_votes: 1.7,
            shifts,
            without_votes: Some(vec![some(0.0), some(0.0)]),
            answers: 50,
        };
        let corrector = Corrector::new(&correction, 9);
        let two = corrector.two_classes().unwrap();
        let rows: [&[(usize, Vote)]; 5] = [
            &[],
            &[(0, 1)],
            &[(0, 2), (2, 1)],
            &[(0, 1), (1, 1), (2, 2), (3, 1), (5, 2), (6, 1), (8, 2)],
            &[(1, 2)],
        ];
        let before = [0.3, 0.7, 0.5, 0.5, 0.0, 1.0, 1.0 - 1e-10, 1e-10, 0.9, 0.1];
        let (mut together, mut added) = (before, [0.0; EIGHT]);
        for (added, row) in added.iter_mut().zip(rows) {
            *added = two.odds_of(row);
            assert_eq!(added.to_bits(), two.odds(row.iter().copied()).to_bits());
        }
        two.correct_eight(&added, &mut together);
        for (u, row) in rows.into_iter().enumerate() {
            let mut expected: Vec<f64> = (0..2)
                .map(|y| {
                    let crowd = (row.len().max(1) as f64 / 1.7).ln();
                    let by_count = correction.biases[y] + crowd * correction.trends[y];
                    let without_votes = correction.without_votes.as_ref().filter(|_| row.is_empty());
                    0.8 * before[2 * u + y].max(1e-9).ln()
                        + without_votes.map_or(by_count, |scores| scores[y])
                        + row.iter().map(|&(j, vote)| correction.shift(j, vote).unwrap()[y]).sum::<f64>()
                })
                .collect();
            softmax_in_place(&mut expected);
            let mut alone = before[2 * u..2 * u + 2].to_vec();
            corrector.apply(row.iter().copied(), &mut alone);
            assert_eq!(alone, together[2 * u..2 * u + 2]);
            for y in 0..2 {
                assert!((alone[y] - expected[y]).abs() < 1e-14, "{row:?}: {} and {}", alone[y], expected[y]);
            }
        }
    }
}
