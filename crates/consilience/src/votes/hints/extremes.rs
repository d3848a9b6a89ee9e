//! Sources that always cast the highest or the lowest vote of the others: a maximum, or an "any of them", that somebody has computed.

use super::named_apart::stand_alone;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// Items on which the others differ; on fewer, a good source may happen to go with one of them.
const LEAST_ITEMS: u64 = 30;

/// Larger tables are not looked at.
const MOST_ROWS: usize = 1 << 15;

/// With fewer votes on an item, one of two others is the highest and the other the lowest.
const LEAST_VOTES: usize = 4;

/// A note on such sources.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let sources = votes.sources().len();
    if sources < LEAST_VOTES || votes.patterns().len() > MOST_ROWS {
        return None;
    }
    let alone = stand_alone(votes.sources().names());
    let may_sum_up = |source: usize| alone[source] && votes.domains()[source].classes().len() > 1;
    if !(0..sources).any(may_sum_up) {
        return None;
    }
    let mut differing = vec![0u64; sources];
    let (mut is_highest, mut is_lowest) = (vec![true; sources], vec![true; sources]);
    let mut row = Vec::new();
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        row.clear();
        row.extend(votes.patterns().row(p));
        if row.len() < LEAST_VOTES {
            continue;
        }
        for (at, &(source, vote)) in row.iter().enumerate() {
            let others =
                || row.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, (_, vote))| *vote);
            let (lowest, highest) = (others().min().unwrap_or(vote), others().max().unwrap_or(vote));
            differing[source] += if lowest < highest { times } else { 0 };
            is_highest[source] &= vote == highest;
            is_lowest[source] &= vote == lowest;
        }
    }
    let found: Vec<String> = (0..sources)
        .filter(|&source| may_sum_up(source) && differing[source] >= LEAST_ITEMS)
        .filter(|&source| is_highest[source] || is_lowest[source])
        .map(|source| votes.sources().name(source).to_string())
        .collect();
    (!found.is_empty() && 2 * found.len() < sources).then_some(ReadingNote::WithExtreme { sources: found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computed_maximum_or_minimum_is_found() {
        let table = |last: fn([usize; 3]) -> usize| {
            let rows = (0..90).map(|i| {
                let votes = [i % 3, i / 2 % 3, usize::from(i % 5 < 2)];
                [votes[0], votes[1], votes[2], last(votes)].map(|vote| ["1", "2", "3"][vote])
            });
            hint(&Votes::from_text(&["a", "b", "c", "worst"], rows).unwrap())
        };
        let found = Some(ReadingNote::WithExtreme { sources: vec!["worst".to_string()] });
        assert_eq!(table(|votes| votes.into_iter().max().unwrap_or(0)), found);
        assert_eq!(table(|votes| votes.into_iter().min().unwrap_or(0)), found);
        assert_eq!(table(|votes| votes[0]), None);
    }
}
