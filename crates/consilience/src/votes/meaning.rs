//! What provisional votes mean once all of them have been seen: which are one class, which abstain, and in what order.

use hashbrown::HashMap;

use super::marks::MINUS_ONE;
use super::notes::ReadingNote;
use super::vocabulary::{Origin, Vocabulary};
use crate::sources::{ABSTAIN, Classes, NamesError, Vote, natural_order};

/// The classes of a table, and what its provisional votes mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// The classes, in the declared or else the natural order.
    pub classes: Classes,
    /// For each provisional vote, abstain included, its final number.
    pub relabel: Vec<Vote>,
    /// What was decided on the way.
    pub notes: Vec<ReadingNote>,
}

/// What `1` and `0` are among booleans, and the other way round.
pub(super) fn boolean_twin(lower: &str) -> Option<&'static str> {
    Some(match lower {
        "true" => "1",
        "false" => "0",
        "1" => "true",
        "0" => "false",
        _ => return None,
    })
}

/// Whether all names are true, false, 1 or 0.
pub(super) fn all_boolean<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    names.all(|name| boolean_twin(&name.to_lowercase()).is_some())
}

/// What the votes of `vocabulary` mean, the `v`-th of which occurs `counts[v]` times.
pub(super) fn meaning(vocabulary: &Vocabulary, counts: &[u64]) -> Result<Meaning, NamesError> {
    match vocabulary.origin() {
        Origin::Votes => from_votes(vocabulary.names(), counts, vocabulary.minus_one_is_usual()),
        Origin::Declared | Origin::Known => given(vocabulary),
    }
}

fn given(vocabulary: &Vocabulary) -> Result<Meaning, NamesError> {
    let (given, all) = (vocabulary.given_names(), vocabulary.names());
    if all.len() > given.len() {
        let mut votes = all[given.len()..].to_vec();
        votes.sort_by(|a, b| natural_order(a, b));
        return Err(NamesError::OtherClasses { votes, known: given.to_vec() });
    }
    let relabel = (0..=given.len() as Vote).collect();
    Ok(Meaning { classes: Classes::new(given.to_vec())?, relabel, notes: Vec::new() })
}

/// A class, with the names that the votes give it.
struct Spellings {
    name: String,
    members: Vec<usize>,
}

fn from_votes(names: &[String], counts: &[u64], minus_one_is_usual: bool) -> Result<Meaning, NamesError> {
    let count = |i: usize| counts.get(i + 1).copied().unwrap_or_default();
    let mut notes = Vec::new();
    let mut groups = by_spelling(names, &count);
    merge_booleans(&mut groups, &mut notes);
    if minus_one_is_usual {
        decide_minus_one(&mut groups, &count, &mut notes);
    }
    groups.sort_by(|a, b| natural_order(&a.name, &b.name));
    note_spellings(&groups, names, &mut notes);
    let mut relabel = vec![ABSTAIN; names.len() + 1];
    for (position, group) in groups.iter().enumerate() {
        for &member in &group.members {
            relabel[member + 1] = position as Vote + 1;
        }
    }
    let classes = Classes::new(groups.into_iter().map(|group| group.name).collect())?;
    Ok(Meaning { classes, relabel, notes })
}

/// Names that differ in case only are one class, called by its most frequent spelling.
fn by_spelling(names: &[String], count: &impl Fn(usize) -> u64) -> Vec<Spellings> {
    let mut group_of: HashMap<String, usize> = HashMap::with_capacity(names.len());
    let mut groups: Vec<Spellings> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let group = *group_of.entry(name.to_lowercase()).or_insert_with(|| {
            groups.push(Spellings { name: String::new(), members: Vec::new() });
            groups.len() - 1
        });
        groups[group].members.push(i);
    }
    for group in &mut groups {
        group
            .members
            .sort_by(|&a, &b| count(b).cmp(&count(a)).then_with(|| natural_order(&names[a], &names[b])));
        group.name.clone_from(&names[group.members[0]]);
        // Programs spell booleans in their own ways; mixed, they look like classes of different kinds.
        if group.members.len() > 1 && ["true", "false"].contains(&group.name.to_lowercase().as_str()) {
            group.name = group.name.to_lowercase();
        }
    }
    groups
}

/// Where some sources vote true and false and others 1 and 0, and nobody votes for anything else, these are two classes.
fn merge_booleans(groups: &mut Vec<Spellings>, notes: &mut Vec<ReadingNote>) {
    let is_word = |group: &Spellings| ["true", "false"].contains(&group.name.to_lowercase().as_str());
    let votes = || groups.iter().filter(|group| group.name != MINUS_ONE);
    let (words, all) = (votes().filter(|group| is_word(group)).count(), votes().count());
    if words == 0 || words == all || !all_boolean(votes().map(|group| group.name.as_str())) {
        return;
    }
    let (word_groups, mut rest): (Vec<Spellings>, Vec<Spellings>) =
        std::mem::take(groups).into_iter().partition(is_word);
    for word in word_groups {
        let number = boolean_twin(&word.name.to_lowercase()).unwrap_or_default();
        match rest.iter_mut().find(|group| group.name == number) {
            Some(group) => group.members.extend(word.members),
            None => rest.push(Spellings { name: number.to_string(), members: word.members }),
        }
    }
    *groups = rest;
    notes.push(ReadingNote::Booleans);
}

/// In fewer cells, how often -1 occurs says nothing.
const FEW_CELLS: u64 = 12;

/// -1 abstains, unless 1 is the only other vote.
fn decide_minus_one(
    groups: &mut Vec<Spellings>,
    count: &impl Fn(usize) -> u64,
    notes: &mut Vec<ReadingNote>,
) {
    let votes_of = |groups: &[Spellings], name: &str| {
        let found = groups.iter().find(|group| group.name == name);
        found.map_or(0, |group| group.members.iter().map(|&member| count(member)).sum::<u64>())
    };
    let Some(at) = groups.iter().position(|group| group.name == MINUS_ONE) else { return };
    let is = |name: &str| groups.iter().any(|group| group.name == name);
    if groups.len() == 2 && is("1") {
        notes.push(ReadingNote::MinusOneIsClass);
        return;
    }
    let zeros = votes_of(groups, "0");
    if groups.len() == 3 && is("0") && is("1") && zeros > votes_of(groups, "1") + votes_of(groups, MINUS_ONE)
    {
        notes.push(ReadingNote::MinusOneMayBeClass);
    } else if groups.len() == 3 && is("0") && is("1") {
        let (rest, minus) = (zeros + votes_of(groups, "1"), votes_of(groups, MINUS_ONE));
        // Rules abstain on most items; people who say -1, 0 and 1 say each of them about as often.
        let cells = rest + minus;
        if cells >= FEW_CELLS && minus > 0 && 5 * minus < 3 * cells {
            notes.push(ReadingNote::RareMinusOne { percent: (100 * minus / cells) as u8 });
        }
    }
    groups.remove(at);
}

fn note_spellings(groups: &[Spellings], names: &[String], notes: &mut Vec<ReadingNote>) {
    let several = |group: &&Spellings| {
        let lower = group.name.to_lowercase();
        group.members.iter().filter(|&&member| names[member].to_lowercase() == lower).count() > 1
    };
    let merged: Vec<(String, Vec<String>)> = groups
        .iter()
        .filter(several)
        .map(|group| {
            let others = group.members.iter().map(|&member| names[member].clone());
            (group.name.clone(), others.filter(|name| *name != group.name).collect())
        })
        .collect();
    if !merged.is_empty() {
        notes.push(ReadingNote::Spellings { merged });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(names: &[&str], counts: &[u64]) -> Meaning {
        from_votes(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), counts, true).unwrap()
    }

    #[test]
    fn the_final_order_is_natural_whatever_came_first() {
        let meaning = read(&["10", "9", "0"], &[0, 1, 1, 1]);
        assert_eq!(meaning.classes.names(), ["0", "9", "10"]);
        assert_eq!(meaning.relabel, [0, 3, 2, 1]);
    }

    #[test]
    fn spellings_are_one_class_called_by_the_more_frequent() {
        let meaning = read(&["Ham", "spam", "ham", "HAM"], &[0, 2, 9, 5, 1]);
        assert_eq!(meaning.classes.names(), ["ham", "spam"]);
        assert_eq!(meaning.relabel, [0, 1, 2, 1, 1]);
        let merged = vec![("ham".to_string(), vec!["Ham".to_string(), "HAM".to_string()])];
        assert_eq!(meaning.notes, [ReadingNote::Spellings { merged }]);
    }

    #[test]
    fn minus_one_is_a_class_beside_one_only() {
        let two = read(&["-1", "1"], &[0, 1, 1]);
        assert_eq!((two.classes.names().len(), two.notes), (2, vec![ReadingNote::MinusOneIsClass]));
        let three = read(&["-1", "1", "0"], &[0, 1, 1, 1]);
        assert_eq!((three.classes.names().len(), three.relabel), (2, vec![0, 0, 2, 1]));
    }

    #[test]
    fn booleans_and_their_numbers_are_the_same() {
        let mixed = read(&["True", "0", "false", "1", "-1"], &[0; 6]);
        assert_eq!(mixed.classes.names(), ["0", "1"]);
        assert_eq!(mixed.relabel, [0, 2, 1, 1, 2, 0]);
        assert_eq!(read(&["True", "false"], &[0; 3]).classes.names(), ["True", "false"]);
        assert_eq!(read(&["true", "0", "2"], &[0; 4]).classes.names().len(), 3);
    }
}
