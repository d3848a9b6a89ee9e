//! Sources that agree with the others no more often than by chance: properties of the items that happen to have the same values.

use hashbrown::HashMap;

use super::named_apart::{named_alike, stand_alone};
use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// Larger tables are not looked at; a property among that many sources does little harm.
const MOST_SOURCES: usize = 200;
const MOST_ROWS: usize = 1 << 15;

/// With fewer items on which a source and others vote, nothing can be said.
const LEAST_ITEMS: f64 = 24.0;

/// Two that agree may as well copy each other, unless they are named like two of a panel.
const LEAST_AGREEING: usize = 3;

/// Standard errors above which sources agree for sure, and below which they do not.
const SURE: f64 = 3.0;
const UNSURE: f64 = 2.0;

/// A source that may agree this much less than the others is not told from them.
const SHARE: f64 = 0.75;

/// How far a source agrees with the others beyond chance, item by item.
#[derive(Clone, Copy, Default)]
struct Agreement {
    items: f64,
    sum: f64,
    squares: f64,
}

impl Agreement {
    fn add(&mut self, times: f64, beyond: f64) {
        self.items += times;
        self.sum += times * beyond;
        self.squares += times * beyond * beyond;
    }

    fn mean(self) -> f64 {
        self.sum / self.items.max(1.0)
    }

    fn error(self) -> f64 {
        let variance = self.squares / self.items.max(1.0) - self.mean().powi(2);
        (variance.max(0.0) / self.items.max(1.0)).sqrt()
    }
}

/// A note on such sources, if most others agree.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let sources = votes.sources().len();
    if !(3..=MOST_SOURCES).contains(&sources) || votes.patterns().len() > MOST_ROWS {
        return None;
    }
    let names = votes.sources().names();
    let (alone, alike) = (stand_alone(names), named_alike(names));
    // Whoever is named like most others is a source like them.
    let may_describe = |source: usize| {
        votes.domains()[source].classes().len() > 1
            && (alone[source] || (1..sources / 2).contains(&alike[source].len()))
    };
    if !(0..sources).any(may_describe) {
        return None;
    }
    let originals = originals(votes);
    let agreements = agreements(votes, &originals);
    let is_known = |a: &Agreement| a.items >= LEAST_ITEMS;
    let agrees = |source: &usize| {
        let a = agreements[*source];
        is_known(&a) && a.mean() > SURE * a.error()
    };
    let sure: Vec<usize> = (0..sources).filter(agrees).collect();
    let are_enough = match sure[..] {
        [a, b] => alike[a].contains(&b),
        _ => sure.len() >= LEAST_AGREEING,
    };
    let mut means: Vec<f64> = sure.iter().map(|&source| agreements[source].mean()).collect();
    means.sort_by(f64::total_cmp);
    let typical = *means.get(means.len() / 2)?;
    let agrees_by_chance = |source: usize| {
        let a = agreements[source];
        // Who says the same as another is hardly a property of the items.
        let is_copied = originals.iter().filter(|original| **original == originals[source]).count() > 1;
        may_describe(source)
            && !is_copied
            && is_known(&a)
            && a.mean() < UNSURE * a.error()
            && a.mean() + UNSURE * a.error() < SHARE * typical
    };
    // Named alike, all of them describe the items or none does.
    let describes = |source: &usize| {
        agrees_by_chance(*source)
            && (alone[*source] || alike[*source].iter().all(|&other| agrees_by_chance(other)))
    };
    let found: Vec<String> =
        (0..sources).filter(describes).map(|source| votes.sources().name(source).to_string()).collect();
    (!found.is_empty() && are_enough && found.len() <= 2 * sure.len())
        .then_some(ReadingNote::ByChance { sources: found })
}

/// The number of the first source that casts exactly the same votes as each source: copies agree with each other whatever they say.
fn originals(votes: &Votes) -> Vec<usize> {
    let mut votes_of = vec![Vec::new(); votes.sources().len()];
    for p in 0..votes.patterns().len() {
        votes.patterns().row(p).for_each(|(source, vote)| votes_of[source].push((p, vote)));
    }
    let mut first_with = HashMap::new();
    votes_of
        .into_iter()
        .enumerate()
        .map(|(source, votes)| *first_with.entry(votes).or_insert(source))
        .collect()
}

fn agreements(votes: &Votes, originals: &[usize]) -> Vec<Agreement> {
    let (sources, classes) = (votes.sources().len(), votes.classes().len());
    let rows = || (0..votes.patterns().len()).zip(votes.patterns().counts());
    // How often each source votes for each class, as a share of its votes.
    let mut share = vec![0.0; sources * (classes + 1)];
    let mut cast = vec![0.0; sources];
    for (p, &times) in rows() {
        for (source, vote) in votes.patterns().row(p) {
            share[source * (classes + 1) + usize::from(vote)] += times as f64;
            cast[source] += times as f64;
        }
    }
    let rate = |source: usize, vote: Vote| {
        share[source * (classes + 1) + usize::from(vote)] / f64::max(cast[source], 1.0)
    };
    let mut agreements = vec![Agreement::default(); sources];
    let mut row: Vec<(usize, Vote)> = Vec::new();
    let mut count = vec![0.0; classes + 1];
    let mut voted: Vec<Vote> = Vec::new();
    for (p, &times) in rows() {
        row.clear();
        voted.clear();
        row.extend(votes.patterns().row(p).filter(|(source, _)| originals[*source] == *source));
        for &(_, vote) in &row {
            if count[usize::from(vote)] < 1.0 {
                voted.push(vote);
            }
            count[usize::from(vote)] += 1.0;
        }
        let others = row.len() as f64 - 1.0;
        for &(source, vote) in row.iter().filter(|_| others > 0.0) {
            let by_chance: f64 =
                voted.iter().map(|&class| count[usize::from(class)] * rate(source, class)).sum();
            // The source itself is among those that voted.
            let beyond = count[usize::from(vote)] - 1.0 - (by_chance - rate(source, vote));
            agreements[source].add(times as f64, beyond / others);
        }
        for &class in &voted {
            count[usize::from(class)] = 0.0;
        }
    }
    agreements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_differs_from_copies_is_left_alone() {
        let rows = (0..200).map(|i| {
            let [x, b] = [["1", "0"][i % 2], ["1", "0"][i / 2 % 2]];
            let a = if i % 7 == 0 { b } else { x };
            [a, b, x, x, x]
        });
        assert_eq!(hint(&Votes::from_text(&["a", "b", "x", "y", "z"], rows).unwrap()), None);
    }

    #[test]
    fn a_property_with_the_values_of_the_votes_is_found() {
        // Numbers without any pattern that the others follow.
        let mixed = |i: usize, salt: usize| (i * 2_654_435_761 + salt * 40_503_001) / 1024 % 10;
        let row = |i: usize, property: usize| -> Vec<String> {
            let truth = usize::from(i % 5 < 2);
            let vote = |source: usize| usize::from(mixed(i, source) < 2) ^ truth;
            [vote(0), vote(1), vote(2), property].map(|vote| vote.to_string()).to_vec()
        };
        let table = |property: fn(usize) -> usize| {
            let rows: Vec<Vec<String>> = (0..600).map(|i| row(i, property(i))).collect();
            let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
            Votes::from_text(&["a", "b", "c", "has_image"], rows).unwrap()
        };
        let found = ReadingNote::ByChance { sources: vec!["has_image".to_string()] };
        assert_eq!(hint(&table(|i| (i / 2) % 2)), Some(found));
        assert_eq!(hint(&table(|i| usize::from(i % 5 < 2) ^ usize::from(i % 4 == 0))), None);
    }

    #[test]
    fn properties_that_are_named_alike_are_found_together() {
        let mixed = |i: usize, salt: usize| (i * 2_654_435_761 + salt * 40_503_001) / 1024 % 10;
        let row = |i: usize| -> [&str; 5] {
            let truth = usize::from(i % 5 < 2);
            let vote = |source: usize| usize::from(mixed(i, source) < 1) ^ truth;
            [vote(0), vote(1), vote(2), i / 2 % 2, i / 4 % 2].map(|vote| ["no", "yes"][vote])
        };
        let of = |names: [&str; 5]| hint(&Votes::from_text(&names, (0..600).map(row)).unwrap());
        let found =
            |names: [&str; 2]| Some(ReadingNote::ByChance { sources: names.map(str::to_string).to_vec() });
        assert_eq!(
            of(["ann", "bob", "cyd", "query_long", "query_english"]),
            found(["query_long", "query_english"])
        );
        assert_eq!(of(["rater_1", "rater_2", "rater_3", "rater_4", "rater_5"]), None);
        // Beside two of a panel, and beside two that may be anything.
        let beside_two = |names: [&str; 3]| {
            let rows = (0..600).map(|i| [0, 1, 3].map(|at| row(i)[at]));
            hint(&Votes::from_text(&names, rows).unwrap())
        };
        let pilot = ReadingNote::ByChance { sources: vec!["pilot".to_string()] };
        assert_eq!(beside_two(["coder1", "coder2", "pilot"]), Some(pilot));
        assert_eq!(beside_two(["ann", "bob", "pilot"]), None);
        // Named like one that agrees.
        let alone = ReadingNote::ByChance { sources: vec!["english".to_string()] };
        assert_eq!(of(["ann", "bob", "new_rater", "new_reader", "english"]), Some(alone));
    }
}
