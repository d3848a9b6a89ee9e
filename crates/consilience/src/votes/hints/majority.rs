//! Sources that always vote as most of the others do: a majority that somebody has computed.

use super::named_apart::stand_alone;
use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// Items on which the others differ but most of them agree; on fewer, a good source may happen to go with them.
const LEAST_ITEMS: u64 = 30;
/// Larger tables are not looked at.
const MOST_ROWS: usize = 1 << 15;

/// A note on such sources.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let sources = votes.sources().len();
    if sources < 4 || votes.patterns().len() > MOST_ROWS {
        return None;
    }
    let alone = stand_alone(votes.sources().names());
    // A rule for one class may well be right whenever it votes.
    let may_sum_up = |source: usize| alone[source] && votes.domains()[source].classes().len() > 1;
    if !(0..sources).any(may_sum_up) {
        return None;
    }
    let mut with = vec![0u64; sources];
    let mut against = vec![false; sources];
    let mut count = vec![0u32; votes.classes().len() + 1];
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        let row = || votes.patterns().row(p);
        row().for_each(|(_, vote)| count[usize::from(vote)] += 1);
        let voters: u32 = row().count() as u32;
        let first = row().map(|(_, vote)| vote).max_by_key(|&vote| count[usize::from(vote)]);
        let most_but = |class: Option<Vote>| {
            let others = row().filter(|(_, vote)| Some(*vote) != class);
            others.map(|(_, vote)| count[usize::from(vote)]).max().unwrap_or_default()
        };
        let (most, second) = (most_but(None), most_but(first));
        for (source, vote) in row() {
            // Among the others.
            let own = count[usize::from(vote)] - 1;
            let theirs = if Some(vote) == first { second } else { most };
            if voters < 4 || own == voters - 1 {
                continue;
            }
            if own > theirs {
                with[source] += times;
            } else if own < theirs {
                against[source] = true;
            }
        }
        row().for_each(|(_, vote)| count[usize::from(vote)] = 0);
    }
    let found: Vec<String> = (0..sources)
        .filter(|&source| with[source] >= LEAST_ITEMS && !against[source] && may_sum_up(source))
        .map(|source| votes.sources().name(source).to_string())
        .collect();
    (!found.is_empty() && 2 * found.len() < sources).then_some(ReadingNote::WithMajority { sources: found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computed_majority_is_found() {
        let table = |last: fn([usize; 3]) -> usize| {
            let rows: Vec<Vec<String>> = (0..90)
                .map(|i| {
                    let votes = [i % 2, usize::from(i % 3 == 0), usize::from(i % 5 < 2)];
                    [votes[0], votes[1], votes[2], last(votes)].map(|vote| vote.to_string()).to_vec()
                })
                .collect();
            let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
            Votes::from_text(&["a", "b", "c", "mv"], rows).unwrap()
        };
        let found = ReadingNote::WithMajority { sources: vec!["mv".to_string()] };
        assert_eq!(hint(&table(|votes| usize::from(votes.iter().sum::<usize>() > 1))), Some(found));
        assert_eq!(hint(&table(|votes| votes[0])), None);
    }
}
