//! Sources that say whether all others agree, and nothing else: `same`, `match`, `conflict`, computed from the votes.

use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// Larger tables are not looked at.
const MOST_ROWS: usize = 1 << 15;
const MOST_SOURCES: usize = 200;

/// On fewer items, or on fewer on which the others differ, votes may happen to say so.
const LEAST_ITEMS: u64 = 10;
const LEAST_DIFFERENT: u64 = 2;

/// A note on such sources.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let sources = votes.sources().len();
    if !(3..=MOST_SOURCES).contains(&sources) || votes.patterns().len() > MOST_ROWS {
        return None;
    }
    let found: Vec<(usize, u64)> = (0..sources)
        .filter(|&source| votes.domains()[source].classes().len() == 2)
        .filter_map(|source| Some((source, agreed_items(votes, source)?)))
        .collect();
    // Of three columns of two classes, each says whether the other two agree; those that agree most are the voters.
    let most = found.iter().map(|(_, agreed)| *agreed).max()?;
    let found = found.into_iter().filter(|(_, agreed)| *agreed == most);
    let sources = found.map(|(source, _)| votes.sources().name(source).to_string()).collect();
    Some(ReadingNote::WhetherOthersAgree { sources })
}

/// On how many items all others agree, if the source says whether they do.
fn agreed_items(votes: &Votes, source: usize) -> Option<u64> {
    // What it says where the others agree and where they differ, and on how many items.
    let (mut said, mut items) = ([None; 2], [0u64; 2]);
    // Classes on which the others agree: whoever follows them says the same as they do.
    let mut agreed: Vec<Vote> = Vec::new();
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        let row = || votes.patterns().row(p);
        let Some((_, own)) = row().find(|(voter, _)| *voter == source) else { continue };
        let mut others = row().filter(|(voter, _)| *voter != source).map(|(_, vote)| vote);
        let (Some(first), Some(second)) = (others.next(), others.next()) else { continue };
        let differ = first != second || others.any(|vote| vote != first);
        let case = usize::from(differ);
        if *said[case].get_or_insert(own) != own {
            return None;
        }
        items[case] += times;
        if !differ && !agreed.contains(&first) {
            agreed.push(first);
        }
    }
    let are_enough = items[0] + items[1] >= LEAST_ITEMS && items[1] >= LEAST_DIFFERENT && agreed.len() > 1;
    (said[0] != said[1] && are_enough).then_some(items[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_whether_two_coders_agree_is_found() {
        let of = |third: fn(bool, usize) -> bool| {
            let words = |yes: bool| if yes { "yes" } else { "no" };
            let rows = (0..20).map(|i| {
                let (a, b) = (i % 2 == 0, (i % 2 == 0) ^ (i % 9 == 3));
                [words(a), words(b), words(third(a == b, i))]
            });
            hint(&Votes::from_text(&["ann", "bob", "same?"], rows).unwrap())
        };
        let note = Some(ReadingNote::WhetherOthersAgree { sources: vec!["same?".to_string()] });
        assert_eq!(of(|same, _| same), note);
        assert_eq!(of(|same, _| !same), note);
        assert_eq!(of(|same, i| same ^ (i == 5)), None);
        assert_eq!(of(|_, i| i % 2 == 0), None);
    }
}
