//! Numbers that run against each other: how many voted for each class, instead of what each voter said.

use super::correlation::correlation;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// Larger tables are not looked at, nor are tables with more columns: there are few classes.
const MOST_ROWS: usize = 1 << 15;
const MOST_SOURCES: usize = 12;

/// With two classes, one column of 0 and 1 for each adds up to 1, which was looked at before.
const LEAST_CLASSES: usize = 3;

/// Standard errors below zero from which numbers run against each other for sure.
const SURE: f64 = 3.0;

/// A note if that holds for all sources of a table.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let sources = votes.sources().len();
    let classes = votes.classes().names();
    if !(2..=MOST_SOURCES).contains(&sources)
        || classes.len() < LEAST_CLASSES
        || votes.patterns().len() > MOST_ROWS
    {
        return None;
    }
    let numbers: Vec<f64> = classes.iter().map(|name| name.parse().ok()).collect::<Option<_>>()?;
    let mut sum = 0.0;
    for a in 0..sources {
        for b in a + 1..sources {
            let (correlation, items) = correlation(votes, &numbers, a, b)?;
            if correlation >= 0.0 {
                return None;
            }
            sum += correlation * items.sqrt();
        }
    }
    let pairs = (sources * (sources - 1) / 2) as f64;
    (sum / pairs.sqrt() < -SURE).then(|| ReadingNote::Opposed { sources: votes.sources().names().to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_for_each_class_are_told_from_ratings() {
        let of = |second: fn(usize, usize) -> usize| {
            let rows = (0..40).map(|i| {
                let (first, judges) = (i * 7 % 5 % 4, 3 + i % 3);
                [first, second(first, judges)].map(|number| number.to_string())
            });
            let rows: Vec<[String; 2]> = rows.collect();
            let rows = rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>());
            hint(&Votes::from_text(&["n_yes", "n_no"], rows).unwrap())
        };
        let note = ReadingNote::Opposed { sources: ["n_yes", "n_no"].map(str::to_string).to_vec() };
        assert_eq!(of(|yes, judges| judges - yes), Some(note));
        assert_eq!(of(|yes, judges| yes + judges % 2), None);
    }
}
