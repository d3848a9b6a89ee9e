//! Sources whose names say that they describe the items: a fold, a count, an age.

use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// Such names, lower case, without separators.
const NAMES: [&str; 37] = [
    "fold",
    "split",
    "batch",
    "partition",
    "subset",
    "istrain",
    "istest",
    "traintest",
    "year",
    "month",
    "day",
    "weekday",
    "hour",
    "age",
    "sex",
    "gender",
    "length",
    "count",
    "size",
    "rank",
    "round",
    "version",
    "confidence",
    "difficulty",
    "agreement",
    "duration",
    "price",
    "upvotes",
    "downvotes",
    "likes",
    "dislikes",
    "views",
    "clicks",
    "followers",
    "retweets",
    "replies",
    "weight",
];
/// First words of names that count something.
const FIRST: [&str; 4] = ["n", "num", "nb", "count"];
/// Last words of names that measure something.
const LAST: [&str; 9] =
    ["count", "length", "seconds", "tokens", "cost", "confidence", "conf", "rank", "time"];

/// A note on such sources, if there are other sources. Rules are often called by what they look at, but vote for one
/// class only.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let names = votes.sources().names();
    let describes = |name: &str| {
        let lower = name.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        let several = words.len() > 1;
        NAMES.contains(&words.concat().as_str())
            || (several && words.first().is_some_and(|first| FIRST.contains(first)))
            || (several && words.last().is_some_and(|last| LAST.contains(last)))
    };
    let is_rule = |source: usize| votes.domains()[source].classes().len() < 2;
    let sources: Vec<String> = (0..names.len())
        .filter(|&source| describes(&names[source]) && !is_rule(source))
        .map(|source| names[source].clone())
        .collect();
    let others = names.len() - sources.len();
    (!sources.is_empty() && others >= 2 && sources.len() <= others)
        .then_some(ReadingNote::MayDescribe { sources })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str], rows: &[&str]) -> Option<ReadingNote> {
        let rows = rows.iter().map(|row| row.split(' ').collect::<Vec<_>>());
        hint(&Votes::from_text(names, rows).unwrap())
    }

    #[test]
    fn properties_are_told_by_their_names_where_they_vote_for_several_classes() {
        let rows = ["1 2 1 1", "2 2 2 2", "1 1 1 2"];
        let note = |name: &str| Some(ReadingNote::MayDescribe { sources: vec![name.to_string()] });
        assert_eq!(of(&["r1", "r2", "r3", "fold"], &rows), note("fold"));
        assert_eq!(of(&["r1", "n_words", "r3", "r4"], &rows), note("n_words"));
        assert_eq!(of(&["r1", "r2", "r3", "r4"], &rows), None);
        assert_eq!(of(&["r1", "r2", "r3", "word_count"], &["1 2 1 1", "2 2 2 ?", "1 1 1 1"]), None);
        assert_eq!(of(&["a_rank", "b_rank", "c_rank", "d_rank"], &rows), None);
    }
}
