//! Sources that the answers show to be no better than chance.

use crate::answers::Answers;
use crate::interval::{Z_95, wilson};
use crate::sources::Sources;
use crate::votes::Votes;

/// Fewer answered items with a vote of the source say nothing about it.
const FEWEST: usize = 10;

/// What answers reveal about a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was correct no more often than blind votes with the same class shares would be.
    NoBetter,
    /// It was correct less often than that, at 95% confidence.
    Worse,
}

/// A source and how often it was correct on the answered items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedSource {
    /// The source.
    pub source: usize,
    /// The answered items it votes on.
    pub votes: usize,
    /// How many of these votes are the answer.
    pub right: usize,
    /// The share that would be correct if its votes were unrelated to the items.
    pub chance: f64,
    /// The verdict.
    pub verdict: Verdict,
}

impl CheckedSource {
    /// A sentence for the user; `sources` are those of the table.
    pub fn sentence(&self, sources: &Sources) -> String {
        format!(
            "according to the answers, the source \"{}\" is {} chance: right on {} of {} votes, where blind votes would be right on {:.0}%",
            sources.name(self.source),
            match self.verdict {
                Verdict::NoBetter => "no better than",
                Verdict::Worse => "worse than",
            },
            self.right,
            self.votes,
            100.0 * self.chance
        )
    }
}

/// The sources at or below chance, in order; none if all answers are of one class, because chance is then undefined.
///
/// # Formula
/// ```text
/// chance_j = Σ_v (share of j's votes on answered items that are v) · (share of all answers that are v)
/// no better: right_j / votes_j <= chance_j         worse: the upper end of Wilson's 95% interval is below chance_j
/// ```
pub(super) fn at_or_below_chance(votes: &Votes, answers: &Answers) -> Vec<CheckedSource> {
    let (n, k) = (votes.sources().len(), votes.classes().len());
    let (mut cast, mut right) = (vec![0usize; n], vec![0usize; n]);
    let mut by_vote = vec![0usize; n * k];
    let by_answer = answers.counts(k);
    if by_answer.iter().filter(|&&count| count > 0).count() < 2 {
        // Blind votes are right as often as any others on items of one class.
        return Vec::new();
    }
    for (i, answer) in answers.iter() {
        for (j, vote) in votes.row_of_item(i) {
            cast[j] += 1;
            right[j] += usize::from(vote == answer);
            by_vote[j * k + usize::from(vote) - 1] += 1;
        }
    }
    let check = |j: usize| {
        if cast[j] < FEWEST {
            return None;
        }
        let votes = cast[j] as f64;
        let both = |c: usize| by_vote[j * k + c] as f64 * by_answer[c] as f64;
        let chance = (0..k).map(both).sum::<f64>() / (votes * answers.len() as f64);
        // A source that is always right cannot do better.
        if right[j] == cast[j] || right[j] as f64 > chance * votes {
            return None;
        }
        let high = wilson(right[j] as f64, votes, 0.0, Z_95).map_or(1.0, |interval| interval.high);
        let verdict = if high < chance { Verdict::Worse } else { Verdict::NoBetter };
        Some(CheckedSource { source: j, votes: cast[j], right: right[j], chance, verdict })
    };
    (0..n).filter_map(check).collect()
}
