//! Tables whose rows agree and whose columns do not: each row is a voter, and each column an item.

use super::agreement::PairAgreement;
use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// People answer several questions; fewer say little.
const LEAST_SOURCES: usize = 6;
const LEAST_ITEMS: usize = 3;
const MOST: usize = 64;

/// A share of cells with votes: people answer nearly everything they are asked.
const FILLED: f64 = 0.8;

/// Voters agree more than this beyond chance, and what is no voter less.
const AGREE: f64 = 0.1;

/// Standard errors that are sure.
const SURE: f64 = 4.0;
const RATHER: f64 = 2.0;

/// Whether the table looks so.
pub(super) fn looks_transposed(votes: &Votes) -> bool {
    let (items, sources) = (votes.items(), votes.sources().len());
    if !(LEAST_ITEMS..=MOST).contains(&items) || !(LEAST_SOURCES..=MOST).contains(&sources) {
        return false;
    }
    let rows: Vec<Vec<(usize, Vote)>> = (0..items).map(|item| votes.row_of_item(item).collect()).collect();
    let cast = rows.iter().map(Vec::len).sum::<usize>() as f64;
    let says_one_thing = |row: &Vec<(usize, Vote)>| row.iter().all(|(_, vote)| *vote == row[0].1);
    if cast < FILLED * (items * sources) as f64 || rows.iter().any(says_one_thing) {
        return false;
    }
    let mut columns = vec![Vec::new(); sources];
    for (item, row) in rows.iter().enumerate() {
        for &(source, vote) in row {
            columns[source].push((item, vote));
        }
    }
    let classes = votes.classes().len();
    let of = |voters: usize, rows: Vec<Vec<(usize, Vote)>>| {
        PairAgreement::of(voters, classes, rows.into_iter().map(|row| (row, 1))).beyond_chance(|_, _| true)
    };
    let (mean, z) = of(sources, rows);
    let error = if z.abs() > 0.0 { (mean / z).abs() } else { 0.0 };
    let (of_rows, sure) = of(items, columns);
    mean + RATHER * error < AGREE && of_rows > AGREE && sure > SURE
}

/// A note on such a table.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    looks_transposed(votes).then_some(ReadingNote::RowsAgree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_agree_are_voters() {
        // Everybody says much the same of a column.
        let vote = |row: usize, column: usize| {
            let noise = ((row * 7_919 + column * 104_729) / 8).is_multiple_of(7);
            ["ham", "spam"][usize::from(noise ^ column.is_multiple_of(3))]
        };
        let names: Vec<String> = (0..12).map(|column| format!("Is this spam? [{column}]")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let asked = (0..9).map(|row| (0..12).map(|column| vote(row, column)).collect::<Vec<_>>());
        assert_eq!(hint(&Votes::from_text(&names, asked).unwrap()), Some(ReadingNote::RowsAgree));
        let voted = (0..12).map(|row| (0..9).map(|column| vote(column, row)).collect::<Vec<_>>());
        assert_eq!(hint(&Votes::from_text(&names[..9], voted).unwrap()), None);
    }
}
