//! The true classes from a file of their own.

use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::survey::{gold_rank, is_item_name};
use consilience::votes::{ReadingNote, Votes, VotesError};

use super::cell::VoteReader;
use super::columns::unknown_column;
use super::error::{Place, ReadError};
use super::gold::{OTHER_CLASS, checked, in_classes, minus_one, only_minus_one};
use super::options::ReadOptions;
use super::table::{TableHeader, TableRow, read_table};
use crate::input::Input;
use crate::items::ItemNames;
use crate::matching::{Matched, match_items};

/// The column of a gold file, unless another is named.
const GOLD_COLUMN: &str = "gold";

/// The true classes of the items of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldFile {
    /// One per item: abstain if unknown, [`OTHER_CLASS`] if no source votes for it.
    pub gold: Vec<Vote>,
    /// Notes for the user.
    pub notes: Vec<ReadingNote>,
}

/// A gold file as text: the gold column, and all others, in which the items' names may be.
struct Columns {
    names: Vec<String>,
    gold: usize,
    cells: Vec<Vec<String>>,
}

/// Reads the true classes of the items of `votes`, which was read with `options`, from another file. Rows are matched by item
/// name if both files have names, otherwise by order, and a note says so. The default `column` is one whose name suggests gold,
/// or the only one.
///
/// ```
/// use consilience_io::{Input, ReadOptions, read_gold, read_votes};
///
/// # let folder = tempfile::tempdir()?;
/// # let (votes, gold) = (folder.path().join("votes.csv"), folder.path().join("gold.csv"));
/// std::fs::write(&votes, "item,a,b\nq1,good,bad\nq2,good,good\n")?;
/// std::fs::write(&gold, "item,gold\nq2,good\nq1,bad\n")?; // another order
/// let options = ReadOptions::default();
/// let table = read_votes(&Input::Path(votes), &options)?;
/// let read = read_gold(&Input::Path(gold), None, &table.votes, &table.items, &options)?;
/// assert_eq!(read.gold, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_gold(
    input: &Input,
    column: Option<&str>,
    votes: &Votes,
    items: &ItemNames,
    options: &ReadOptions,
) -> Result<GoldFile, ReadError> {
    let place = Place::file(&input.name());
    let table = read_table(
        input,
        None,
        |header| {
            let gold = gold_column(header, column)?;
            let count = header.names().len();
            let cells = vec![Vec::new(); count];
            Ok(((0..count).collect(), Columns { names: header.names().to_vec(), gold, cells }))
        },
        |columns: &mut Columns, row: &TableRow<'_>| {
            for (i, cells) in columns.cells.iter_mut().enumerate() {
                cells.push(row.cell(i).trim().to_string());
            }
            Ok::<(), ReadError>(())
        },
        &|_| {},
    )?;
    let Columns { names, gold, cells } = table;
    let mut reader = VoteReader::of_gold(options);
    let at = |row: usize| place.row(row as u64 + 1).column(&names[gold]);
    let read = |(row, text): (usize, &String)| reader.text(text).map_err(|error| at(row).because(error));
    let golds: Vec<Vote> = cells[gold].iter().enumerate().map(read).collect::<Result<_, _>>()?;

    let candidates = (0..names.len()).filter(|&other| other != gold);
    let candidates: Vec<(&str, &[String])> =
        candidates.map(|other| (names[other].as_str(), cells[other].as_slice())).collect();
    let is_name = |name: &str| options.item.as_deref() == Some(name) || is_item_name(name);
    let matched = match_items("gold", items, golds.len(), &candidates, &is_name, options.item.as_deref())
        .map_err(|problem| place.clone().because(problem))?;
    let (rows, note) = match matched {
        Matched::ByName { rows, note } => (rows, note),
        Matched::ByOrder { .. } if golds.len() != votes.items() => {
            let lengths = VotesError::GoldLength { items: votes.items(), gold: golds.len() };
            return Err(place.because(lengths));
        }
        Matched::ByOrder { note } => ((0..golds.len()).map(Some).collect(), Some(note)),
    };
    let relabel = in_classes(reader.vocabulary().names(), votes.classes(), &options.abstain);
    let mut seen = vec![false; relabel.len()];
    for &gold in &golds {
        seen[usize::from(gold)] = true;
    }
    let may_be_class = only_minus_one(reader.vocabulary().names(), &relabel, &seen);
    let unknown = checked(reader.vocabulary().names(), &relabel, &seen, votes.classes())
        .map_err(|problem| place.column(&names[gold]).because(problem))?;
    let class = |row: &Option<usize>| row.map_or(ABSTAIN, |row| relabel[usize::from(golds[row])]);
    let gold: Vec<Vote> = rows.iter().map(class).collect();
    let others = gold.iter().filter(|&&class| class == OTHER_CLASS).count();
    let mut notes: Vec<ReadingNote> = note.into_iter().collect();
    if others > 0 {
        notes.push(ReadingNote::OtherGold { items: others, classes: unknown });
    }
    if may_be_class {
        let minus_one = minus_one(reader.vocabulary().names());
        let items = rows.iter().flatten().filter(|&&row| Some(golds[row]) == minus_one).count();
        notes.push(ReadingNote::GoldMinusOne { items });
    }
    Ok(GoldFile { gold, notes })
}

/// The position of the gold column: as given, else by name, else the only one that does not name the items.
fn gold_column(header: &TableHeader, told: Option<&str>) -> Result<usize, ReadError> {
    if let Some(name) = told {
        return header.find("gold", name);
    }
    let names = header.names();
    let ranked = names.iter().enumerate().filter_map(|(at, name)| Some((gold_rank(name)?, at)));
    if let Some((_, at)) = ranked.min() {
        return Ok(at);
    }
    let mut others = (0..names.len()).filter(|&at| !is_item_name(&names[at]));
    match (others.next(), others.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(header.error(unknown_column("gold", GOLD_COLUMN, names))),
    }
}
