//! What may be other than it was read: votes that look like abstaining, sources that never vote.

mod alike;
mod codes;
mod odd_rows;
mod summaries;

use super::Votes;
use super::notes::ReadingNote;
use crate::sources::Vote;

/// Names of classes, lower case, that sound like no vote at all.
const LIKE_ABSTAINING: [&str; 14] = [
    "unknown",
    "unsure",
    "not sure",
    "notsure",
    "skip",
    "skipped",
    "idk",
    "don't know",
    "dont know",
    "undecided",
    "no label",
    "no answer",
    "missing",
    "unlabeled",
];

/// What the user may want to look at.
pub(super) fn hints(votes: &Votes) -> Vec<ReadingNote> {
    let classes = votes.classes().names();
    let like_abstaining: Vec<String> = classes
        .iter()
        .filter(|name| LIKE_ABSTAINING.contains(&name.to_lowercase().as_str()))
        .cloned()
        .chain(codes::missing(classes))
        .collect();
    let mut notes = Vec::new();
    // Where nothing else is left, the class cannot be meant as abstaining.
    if !like_abstaining.is_empty() && classes.len() > like_abstaining.len() + 1 {
        notes.push(ReadingNote::ClassesMayAbstain { classes: like_abstaining });
    }
    notes.extend(zero(votes));
    notes.extend(alike::hints(classes));
    notes.extend(odd_rows::hints(votes));
    notes.extend(summaries::hint(votes.sources().names()));
    let silent: Vec<String> = votes
        .sources()
        .names()
        .iter()
        .zip(votes.domains())
        .filter(|(_, domain)| domain.classes().is_empty())
        .map(|(name, _)| name.clone())
        .collect();
    if !silent.is_empty() {
        notes.push(ReadingNote::SilentSources { sources: silent });
    }
    notes
}

/// Where the classes are 0, 1, 2 and so on, 0 may abstain: most votes are 0, or all sources vote 0 and most of them never vote
/// for one of the others.
fn zero(votes: &Votes) -> Option<ReadingNote> {
    let names = votes.classes().names();
    let counted = names.len() >= 3 && names.iter().enumerate().all(|(i, name)| *name == i.to_string());
    if !counted {
        return None;
    }
    let zero: Vote = 1;
    let (mut all, mut zeros) = (0u64, 0u64);
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        for (_, vote) in votes.patterns().row(p) {
            all += times;
            zeros += if vote == zero { times } else { 0 };
        }
    }
    let voting = || votes.domains().iter().filter(|domain| !domain.classes().is_empty());
    let all_vote_zero = voting().all(|domain| domain.classes().contains(&zero));
    let narrow = voting().filter(|domain| domain.classes().len() < names.len()).count();
    let looks_so = 2 * zeros > all || (all_vote_zero && 2 * narrow > voting().count());
    (looks_so && zeros > 0).then(|| ReadingNote::ZeroMayAbstain { percent: (100 * zeros / all.max(1)) as u8 })
}

impl Votes {
    /// What in this table may be other than it was read.
    pub fn hints(&self) -> Vec<ReadingNote> {
        hints(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Sources;
    use crate::votes::{Vocabulary, VotesBuilder};

    fn hints_of(rows: &[&str]) -> Vec<ReadingNote> {
        let (mut builder, mut vocabulary) =
            (VotesBuilder::new(Sources::numbered(3).unwrap()), Vocabulary::default());
        for row in rows {
            let votes: Vec<Vote> = row.split(' ').map(|cell| vocabulary.read(cell).unwrap()).collect();
            builder.push_dense(&votes).unwrap();
        }
        builder.finish(&vocabulary).unwrap().hints()
    }

    #[test]
    fn zero_is_suspected_among_three_classes_only() {
        assert_eq!(hints_of(&["0 0 1", "2 0 0", "0 1 0"]), [ReadingNote::ZeroMayAbstain { percent: 66 }]);
        assert_eq!(hints_of(&["0 0 1", "1 0 0", "0 1 0"]), []);
        assert_eq!(hints_of(&["0 1 1", "2 2 2", "0 1 2", "1 0 0"]), []);
    }

    #[test]
    fn a_first_or_last_row_with_classes_of_its_own_is_told() {
        let row = |last, class: &str| ReadingNote::OddRow { last, classes: vec![class.to_string()] };
        assert_eq!(hints_of(&["(0/1) (0/1) (0/1)", "1 0 1", "0 0 1", "0 1 1"]), [row(false, "(0/1)")]);
        assert_eq!(hints_of(&["yes no yes", "no no no", "yes yes no", "17 17 17"]), [row(true, "17")]);
        assert_eq!(
            hints_of(&["0 1 1", "1 1 0", "0 0 0", "1 1 1", "17 22 17"]),
            [ReadingNote::OddRow { last: true, classes: vec!["17".to_string(), "22".to_string()] }]
        );
        assert_eq!(hints_of(&["a a b", "b c b", "a b b", "c c a"]), []);
        assert_eq!(hints_of(&["1 2 1", "2 1 1", "1 2 2", "3 3 3"]), []);
        assert_eq!(hints_of(&["paris paris lyon", "rome rome rome", "oslo oslo rome", "bonn bonn bern"]), []);
    }

    #[test]
    fn classes_that_sound_like_abstaining_are_told() {
        let classes = vec!["unknown".to_string()];
        assert_eq!(hints_of(&["a b unknown", "a a b"]), [ReadingNote::ClassesMayAbstain { classes }]);
        assert_eq!(hints_of(&["a a unknown", "a a a"]), []);
        let classes = vec!["9".to_string()];
        assert_eq!(hints_of(&["1 2 9", "1 1 2"]), [ReadingNote::ClassesMayAbstain { classes }]);
        let sources = vec!["s2".to_string()];
        assert_eq!(hints_of(&["a b NA", "b b -1"]), [ReadingNote::SilentSources { sources }]);
    }
}
