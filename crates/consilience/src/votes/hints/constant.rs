//! Sources that vote for one and the same class in every row, where others do not: a state that all items of the table have.

use super::named_apart::stand_alone;
use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// In shorter tables, all items may have one class.
const LEAST_ITEMS: usize = 8;

/// Larger tables are not looked at.
const MOST_ROWS: usize = 1 << 15;

/// A voter who goes for the class as often as anybody else would do so in every row with less than this probability.
const HARDLY: f64 = 0.01;

/// Others who vote for several classes.
const LEAST_OTHERS: usize = 2;

/// A note on such sources.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let items = votes.items();
    if items < LEAST_ITEMS || votes.patterns().len() > MOST_ROWS {
        return None;
    }
    let domains = votes.domains();
    let others: Vec<usize> =
        (0..domains.len()).filter(|&source| domains[source].classes().len() > 1).collect();
    if others.len() < LEAST_OTHERS || others.len() == domains.len() {
        return None;
    }
    let alone = stand_alone(votes.sources().names());
    let is_constant = |source: &usize| {
        let [class] = domains[*source].classes() else { return false };
        let rows = || (0..votes.patterns().len()).map(|p| votes.patterns().row(p));
        alone[*source]
            && rows().all(|mut row| row.any(|(voter, _)| voter == *source))
            && most_for(votes, &others, *class).powf(items as f64) < HARDLY
    };
    let sources: Vec<String> = (0..domains.len())
        .filter(is_constant)
        .map(|source| votes.sources().name(source).to_string())
        .collect();
    (!sources.is_empty() && sources.len() <= others.len()).then_some(ReadingNote::Constant { sources })
}

/// The largest share of a source's votes that are for `class`.
fn most_for(votes: &Votes, sources: &[usize], class: Vote) -> f64 {
    let mut cast = vec![(0u64, 0u64); votes.sources().len()];
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        for (source, vote) in votes.patterns().row(p) {
            cast[source].0 += times;
            cast[source].1 += if vote == class { times } else { 0 };
        }
    }
    let share = |&source: &usize| cast[source].1 as f64 / cast[source].0.max(1) as f64;
    sources.iter().map(share).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: [&str; 3], rows: usize, last: fn(usize) -> &'static str) -> Option<ReadingNote> {
        let rows = (0..rows).map(|i| [["1", "0"][i % 2], ["1", "0"][usize::from(i % 3 == 0)], last(i)]);
        hint(&Votes::from_text(&names, rows).unwrap())
    }

    #[test]
    fn one_class_in_every_row_is_told() {
        let note = Some(ReadingNote::Constant { sources: vec!["status".to_string()] });
        assert_eq!(of(["ann", "bob", "status"], 24, |_| "1"), note);
        assert_eq!(of(["ann", "bob", "status"], 8, |_| "1"), None);
        assert_eq!(of(["lf_a", "lf_b", "lf_c"], 24, |_| "1"), None);
        assert_eq!(of(["ann", "bob", "status"], 24, |i| if i == 7 { "" } else { "1" }), None);
    }
}
