//! Sources that vote against all others, who agree: a scale that is read from the other end, a question asked the other way round.

use super::correlation::{correlation, numbers};
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// Larger tables are not looked at.
const MOST_SOURCES: usize = 64;
const MOST_ROWS: usize = 1 << 12;

/// Standard errors above and below zero that are sure.
const SURE: f64 = 4.0;

/// Votes for the opposite run against the others nearly as far as the others go together.
const SHARE: f64 = 0.5;

/// A note on such sources.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let sources = votes.sources().len();
    if !(3..=MOST_SOURCES).contains(&sources) || votes.patterns().len() > MOST_ROWS {
        return None;
    }
    let numbers = numbers(votes.classes().names())?;
    let mut pairs = Vec::new();
    for a in 0..sources {
        for b in a + 1..sources {
            pairs.extend(correlation(votes, &numbers, a, b).map(|(r, items)| (a, b, r, items)));
        }
    }
    // The mean of some correlations, and how many standard errors it is from zero.
    let sum = |is_asked: &dyn Fn(usize, usize) -> bool| {
        let asked: Vec<_> = pairs.iter().filter(|(a, b, ..)| is_asked(*a, *b)).collect();
        let all = asked.len().max(1) as f64;
        let mean = asked.iter().map(|(.., r, _)| r).sum::<f64>() / all;
        let z = asked.iter().map(|(.., r, items)| r * items.sqrt()).sum::<f64>() / all.sqrt();
        (mean, z)
    };
    let is_against = |&source: &usize| {
        let is_own = |a: usize, b: usize| a == source || b == source;
        let mut own = pairs.iter().filter(|(a, b, ..)| is_own(*a, *b)).peekable();
        own.peek().is_some() && own.all(|(.., r, _)| *r < 0.0)
    };
    let against: Vec<usize> = (0..sources).filter(is_against).collect();
    let [source] = against[..] else { return None };
    let (own, z) = sum(&|a, b| a == source || b == source);
    let (others, sure) = sum(&|a, b| a != source && b != source);
    (z < -SURE && sure > SURE && own < -SHARE * others)
        .then(|| ReadingNote::Reversed { source: votes.sources().name(source).to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_from_the_other_end_is_found() {
        let of = |last: fn(usize) -> usize| {
            let rows: Vec<[String; 3]> = (0..60usize)
                .map(|i| {
                    let truth = i * 7 % 11 % 5 + 1;
                    let near = |salt: usize| (truth + usize::from((i + salt).is_multiple_of(4))).min(5);
                    [near(0), near(1), last(near(2))].map(|vote| vote.to_string())
                })
                .collect();
            let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
            hint(&Votes::from_text(&["r1", "r2", "r3"], rows).unwrap())
        };
        assert_eq!(of(|vote| 6 - vote), Some(ReadingNote::Reversed { source: "r3".to_string() }));
        assert_eq!(of(|vote| vote), None);
        assert_eq!(of(|vote| vote * 3 % 5 + 1), None);
    }
}
