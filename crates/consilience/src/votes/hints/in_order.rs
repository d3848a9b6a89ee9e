//! Sources whose votes come in order down the table: weeks, pages, folds dealt out in turn, or what the table is sorted by.

use super::named_apart::stand_alone;
use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// In shorter tables, votes may come in order by chance.
const LEAST_ITEMS: usize = 12;
/// So many items tell.
const LOOK_AT: usize = 4096;
/// A class that comes less often may stand together by chance.
const LEAST_OF_EACH: usize = 3;

/// A note on such sources, if there are others.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let names = votes.sources().names();
    if votes.items() < LEAST_ITEMS || names.len() < 3 || is_sorted_by_all(votes) {
        return None;
    }
    let alone = stand_alone(names);
    let is_found = |source: usize| {
        alone[source] && votes.domains()[source].classes().len() > 1 && comes_in_order(votes, source)
    };
    let sources: Vec<String> =
        (0..names.len()).filter(|&source| is_found(source)).map(|source| names[source].clone()).collect();
    (!sources.is_empty() && 2 * sources.len() < names.len()).then_some(ReadingNote::InOrder { sources })
}

/// Whether equal rows stand together, as in a table that is sorted by all columns or counts its rows.
fn is_sorted_by_all(votes: &Votes) -> bool {
    let items = votes.items().min(LOOK_AT);
    let row = |item: usize| votes.row_of_item(item).collect::<Vec<_>>();
    let mut seen = hashbrown::HashSet::new();
    let mut before = Vec::new();
    for item in 0..items {
        let row = row(item);
        if item > 0 && row == before {
            continue;
        }
        if !seen.insert(row.clone()) {
            return false;
        }
        before = row;
    }
    2 * seen.len() <= items
}

fn comes_in_order(votes: &Votes, source: usize) -> bool {
    let items = votes.items().min(LOOK_AT);
    let vote =
        |item: usize| votes.row_of_item(item).find(|(voter, _)| *voter == source).map(|(_, vote)| vote);
    let Some(cells) = (0..items).map(vote).collect::<Option<Vec<Vote>>>() else { return false };
    is_in_blocks(&cells) || is_dealt_in_turn(&cells)
}

/// Whether all votes for a class stand together.
fn is_in_blocks(cells: &[Vote]) -> bool {
    let blocks: Vec<&[Vote]> = cells.chunk_by(|a, b| a == b).collect();
    let mut classes: Vec<Vote> = blocks.iter().map(|block| block[0]).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.len() > 1
        && classes.len() == blocks.len()
        && 2 * blocks.iter().filter(|block| block.len() >= LEAST_OF_EACH).count() > blocks.len()
}

/// Whether the same few votes, all different, come again and again.
fn is_dealt_in_turn(cells: &[Vote]) -> bool {
    let Some(period) = cells.iter().skip(1).position(|vote| *vote == cells[0]).map(|at| at + 1) else {
        return false;
    };
    let mut round = cells[..period].to_vec();
    round.sort_unstable();
    round.dedup();
    period > 1
        && round.len() == period
        && cells.len() >= LEAST_OF_EACH * period
        && cells.iter().zip(&cells[period..]).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(last: fn(usize) -> usize) -> Option<ReadingNote> {
        let rows: Vec<[String; 4]> = (0..24usize)
            .map(|i| [i * i % 7 % 4, i * 5 % 11 % 4, i * i % 5 % 4, last(i)].map(|vote| vote.to_string()))
            .collect();
        let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
        hint(&Votes::from_text(&["ann", "bob", "cyd", "part"], rows).unwrap())
    }

    #[test]
    fn blocks_and_turns_are_told_from_votes() {
        let found = Some(ReadingNote::InOrder { sources: vec!["part".to_string()] });
        assert_eq!(of(|i| i / 6), found);
        assert_eq!(of(|i| 1 - i / 12), found);
        assert_eq!(of(|i| i % 4), found);
        assert_eq!(of(|i| i / 6 % 2), None);
        assert_eq!(of(|i| usize::from(i == 0)), None);
        assert_eq!(of(|i| i * i % 13 % 4), None);
    }

    #[test]
    fn a_sorted_table_is_left_alone() {
        let rows = (0..40).map(|i| [["0", "1"][i / 20], ["0", "1"][i / 10 % 2], ["0", "1"][i / 20]]);
        assert_eq!(hint(&Votes::from_text(&["ann", "bob", "cyd"], rows).unwrap()), None);
    }
}
