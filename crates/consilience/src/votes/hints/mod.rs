//! What may be other than it was read: votes that look like abstaining, sources that never vote.

mod abstaining;
mod agreement;
mod alike;
mod beside;
mod by_chance;
mod codes;
mod constant;
mod correlation;
mod equality;
mod extremes;
mod in_order;
mod like_items;
mod majority;
mod named_apart;
mod odd_rows;
mod opposed;
mod properties;
mod questions;
mod reversed;
mod summaries;
mod transposed;
mod wrapped;

use super::Votes;
use super::notes::ReadingNote;
use crate::sources::{Domain, Vote};

/// What the user may want to look at.
fn hints(votes: &Votes, gold: Option<&[Vote]>) -> Vec<ReadingNote> {
    let classes = votes.classes().names();
    let like_abstaining: Vec<String> = classes
        .iter()
        .filter(|name| abstaining::is_like_abstaining(name) || abstaining::passes(name, classes))
        .cloned()
        .chain(codes::missing(classes))
        .collect();
    let odd_rows = odd_rows::hints(votes);
    // A class that occurs in a single row is not one that the others share.
    let like_abstaining = if like_abstaining.is_empty() && odd_rows.is_empty() {
        doubtful_class(votes)
    } else {
        like_abstaining
    };
    let mut notes = Vec::new();
    // Where nothing else is left, the class cannot be meant as abstaining.
    if !like_abstaining.is_empty() && classes.len() > like_abstaining.len() + 1 {
        notes.push(ReadingNote::ClassesMayAbstain { classes: like_abstaining });
    }
    notes.extend(zero(votes, gold));
    notes.extend(alike::hints(classes, || counts(votes)));
    notes.extend(wrapped::hint(classes));
    notes.extend(odd_rows);
    let of = |notes: &[Option<ReadingNote>]| -> Vec<String> {
        notes.iter().flatten().flat_map(ReadingNote::doubted).cloned().collect()
    };
    // What the votes say of a source is more than what its name says.
    let computed = [majority::hint(votes), extremes::hint(votes), equality::hint(votes)];
    let describing = [by_chance::hint(votes), in_order::hint(votes), constant::hint(votes)];
    let (summing, described) = (of(&computed), of(&describing));
    let beside = [beside::hint(votes.sources().names()).and_then(|note| note.without(&described))];
    let described = [described, of(&beside)].concat();
    let questions = questions::hint(votes);
    let transposed = transposed::hint(votes);
    let by_name = [
        // Where every voter has a `..._label`, it is one question of several.
        summaries::hint(votes.sources().names(), |source| votes.domains()[source].classes().len() < 2)
            .filter(|_| questions.is_none())
            .and_then(|note| note.without(&summing)),
        // Questions are called "Is it ...?" too.
        properties::hint(votes).filter(|_| transposed.is_none()).and_then(|note| note.without(&described)),
    ];
    let told = [summing, described, of(&by_name)].concat();
    notes.extend(by_name.into_iter().chain(beside).chain(computed).chain(describing).flatten());
    notes.extend(named_apart::hint(votes, &told));
    notes.extend(questions);
    notes.extend(like_items::hint(votes).or(transposed));
    notes.extend(opposed::hint(votes));
    notes.extend(reversed::hint(votes));
    notes.extend(alike_sources(votes.sources().names()));
    notes.extend(few_items(votes));
    notes.extend(late_remarks(votes));
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

/// How often each class is voted for, by its number.
fn counts(votes: &Votes) -> Vec<u64> {
    let mut counts = vec![0; votes.classes().len() + 1];
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        votes.patterns().row(p).for_each(|(_, vote)| counts[usize::from(vote)] += times);
    }
    counts
}

/// Notes on sources that hardly ever vote, and for classes of their own: remarks that come late in a long table.
///
/// The survey has judged all columns of shorter ones.
fn late_remarks(votes: &Votes) -> Vec<ReadingNote> {
    const LONG: usize = 4096;
    const HARDLY_EVER: u64 = 1000;
    if votes.items() <= LONG {
        return Vec::new();
    }
    let mut voted_by = vec![0u32; votes.classes().len() + 1];
    for &class in votes.domains().iter().flat_map(Domain::classes) {
        voted_by[usize::from(class)] += 1;
    }
    let is_apart = |&source: &usize| {
        let classes = votes.domains()[source].classes();
        !classes.is_empty() && classes.iter().all(|&class| voted_by[usize::from(class)] == 1)
    };
    let apart: Vec<usize> = (0..votes.sources().len()).filter(is_apart).collect();
    if apart.is_empty() {
        return Vec::new();
    }
    let mut cast = vec![0u64; votes.sources().len()];
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        votes.patterns().row(p).for_each(|(source, _)| cast[source] += times);
    }
    let is_remark = |source: &usize| cast[*source] * HARDLY_EVER <= votes.items() as u64;
    let note = |source: usize| ReadingNote::OnlyHere {
        column: votes.sources().name(source).to_string(),
        classes: votes.domains()[source]
            .classes()
            .iter()
            .map(|&class| votes.classes().name(class).to_string())
            .collect(),
    };
    apart.into_iter().filter(is_remark).map(note).collect()
}

/// A note on sources whose names differ in case and signs only: one source in two spellings.
fn alike_sources(names: &[String]) -> Option<ReadingNote> {
    let mut first_with: hashbrown::HashMap<String, &String> = hashbrown::HashMap::new();
    let mut pairs = Vec::new();
    for name in names {
        let plain: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        // Signs between numbers tell `1-12` from `11-2`, and `C` from `C++`.
        let key = if plain.chars().count() > 1 && !plain.chars().any(char::is_numeric) {
            plain
        } else {
            name.to_lowercase()
        };
        match first_with.get(&key) {
            Some(first) => pairs.push(((*first).clone(), name.clone())),
            None => drop(first_with.insert(key, name)),
        }
    }
    (!pairs.is_empty()).then_some(ReadingNote::AlikeSources { pairs })
}

/// A note on tables with far more sources than items.
fn few_items(votes: &Votes) -> Option<ReadingNote> {
    const LEAST_SOURCES: usize = 12;
    let (items, sources) = (votes.items(), votes.sources().len());
    (sources >= LEAST_SOURCES && sources > 3 * items).then_some(ReadingNote::FewItems { items, sources })
}

/// A class of another kind than the others, or one that sources agree on by chance only.
fn doubtful_class(votes: &Votes) -> Vec<String> {
    /// Larger tables are not looked at.
    const MOST_CLASSES: usize = 12;
    const MOST_ROWS: usize = 1 << 15;
    let names = votes.classes().names();
    if let Some(odd) = abstaining::odd_one(names) {
        return vec![odd];
    }
    if !(3..=MOST_CLASSES).contains(&names.len()) || votes.patterns().len() > MOST_ROWS {
        return Vec::new();
    }
    let all_vote = |class: Vote| votes.domains().iter().all(|domain| domain.classes().contains(&class));
    // 0 has a note of its own.
    let found: Vec<Vote> = (1..=names.len() as Vote)
        .filter(|&class| {
            votes.classes().name(class) != "0" && all_vote(class) && is_like_chance(votes, class)
        })
        .collect();
    match found[..] {
        [class] => vec![votes.classes().name(class).to_string()],
        _ => Vec::new(),
    }
}

/// Where the classes are 0, 1, 2 and so on, 0 may abstain: most votes are 0, or all sources vote 0 and most of them never vote
/// for one of the others, or agree on 0 no more often than by chance, or gold has every class but 0.
fn zero(votes: &Votes, gold: Option<&[Vote]>) -> Option<ReadingNote> {
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
    let looks_so = 2 * zeros > all
        || (all_vote_zero && 2 * narrow > voting().count())
        || (all_vote_zero && is_like_chance(votes, zero))
        || (all_vote_zero && gold.is_some_and(|gold| lacks_only(gold, zero, names.len())));
    (looks_so && zeros > 0).then(|| ReadingNote::ZeroMayAbstain { percent: (100 * zeros / all.max(1)) as u8 })
}

/// Whether gold has all classes but this one, many times.
fn lacks_only(gold: &[Vote], class: Vote, classes: usize) -> bool {
    const EACH: usize = 5;
    let mut counts = vec![0; classes + 1];
    gold.iter()
        .filter(|&&gold| usize::from(gold) <= classes)
        .for_each(|&gold| counts[usize::from(gold)] += 1);
    (1..=classes as Vote)
        .all(|c| if c == class { counts[usize::from(c)] == 0 } else { counts[usize::from(c)] >= EACH })
}

/// Fewer agreements expected by chance than this say nothing.
const EXPECTED: f64 = 6.0;

/// Whether sources agree on `class` about as often as if each voted for it at random, but far more often on the others.
fn is_like_chance(votes: &Votes, class: Vote) -> bool {
    let sources = votes.sources().len();
    let (mut cast, mut for_class) = (vec![0u64; sources], vec![0u64; sources]);
    let mut for_each = vec![0u64; votes.classes().len() + 1];
    let rows = || (0..votes.patterns().len()).zip(votes.patterns().counts());
    for (p, &times) in rows() {
        for (source, vote) in votes.patterns().row(p) {
            cast[source] += times;
            for_each[usize::from(vote)] += times;
            for_class[source] += if vote == class { times } else { 0 };
        }
    }
    let rate = |source: usize| for_class[source] as f64 / cast[source].max(1) as f64;
    // Pairs of votes for the class and pairs of equal votes for others, found and expected.
    let (mut found, mut expected) = (0.0, 0.0);
    let (mut found_others, mut both_others) = (0.0, 0.0);
    let mut count = vec![0u32; votes.classes().len() + 1];
    for (p, &times) in rows() {
        let (mut sum, mut squares, mut rest, mut rest_squares) = (0.0, 0.0, 0.0, 0.0);
        for (source, vote) in votes.patterns().row(p) {
            let rate = rate(source);
            sum += rate;
            squares += rate * rate;
            rest += 1.0 - rate;
            rest_squares += (1.0 - rate) * (1.0 - rate);
            count[usize::from(vote)] += 1;
        }
        let times = times as f64;
        expected += times * (sum * sum - squares) / 2.0;
        both_others += times * (rest * rest - rest_squares) / 2.0;
        for (_, vote) in votes.patterns().row(p) {
            let equal = f64::from(std::mem::take(&mut count[usize::from(vote)]));
            let pairs = times * equal * (equal - 1.0) / 2.0;
            if vote == class { found += pairs } else { found_others += pairs }
        }
    }
    for_each[usize::from(class)] = 0;
    let all = for_each.iter().sum::<u64>().max(1) as f64;
    let same = for_each.iter().map(|&votes| (votes as f64 / all).powi(2)).sum::<f64>();
    let chance_others = both_others * same;
    expected >= EXPECTED
        && found <= expected + 2.0 * expected.sqrt()
        && found_others >= chance_others + 4.0 * chance_others.sqrt()
}

impl Votes {
    /// What in this table may be other than it was read.
    pub fn hints(&self) -> Vec<ReadingNote> {
        hints(self, None)
    }

    /// Like [`Self::hints`], where the true class of each item is known or abstain.
    pub fn hints_with_gold(&self, gold: &[Vote]) -> Vec<ReadingNote> {
        hints(self, Some(gold))
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
    fn zero_is_suspected_where_sources_agree_on_it_by_chance_only() {
        // A third of the votes are 0, one source after the other; otherwise all say the same.
        let by_chance: Vec<String> = (0..360)
            .map(|i: usize| {
                let zero = |j: usize| (i / 3usize.pow(j as u32)).is_multiple_of(3);
                let vote = |j: usize| if zero(j) { 0 } else { 1 + i / 27 % 2 };
                format!("{} {} {}", vote(0), vote(1), vote(2))
            })
            .collect();
        let rows: Vec<&str> = by_chance.iter().map(String::as_str).collect();
        assert_eq!(hints_of(&rows), [ReadingNote::ZeroMayAbstain { percent: 33 }]);
        // As a class, 0 is what all say of the same items.
        let gold: Vec<Vote> = (0..40).map(|i| 2 + i % 2).collect();
        assert!(
            lacks_only(&gold, 1, 3) && !lacks_only(&gold, 1, 4) && !lacks_only(&[1, 2, 3].repeat(9), 1, 3)
        );
        let as_class: Vec<&str> = (0..360).map(|i| ["0 0 0", "1 1 1", "2 2 2", "0 1 1"][i % 4]).collect();
        assert_eq!(hints_of(&as_class), []);
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
        let names = ["ANN", "ann", "bob", "C", "C++", "w1-2", "w12"].map(str::to_string);
        let pairs = vec![("ANN".to_string(), "ann".to_string())];
        assert_eq!(alike_sources(&names), Some(ReadingNote::AlikeSources { pairs }));
    }
}
