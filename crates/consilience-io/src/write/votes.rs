//! Tables of votes into files.

use consilience::sources::{ABSTAIN, Classes, Vote};
use consilience::votes::Votes;

use super::error::{WriteError, WriteProblem};
use super::output::Output;
use super::table::{Cell, Column, Kind, TableWriter};
use crate::format::Format;
use crate::items::{ITEM_COLUMN, ItemNames};

/// How votes are laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum VotesLayout {
    /// One row per item, one column per source.
    #[default]
    Wide,
    /// One row per vote: item, source, vote.
    Long,
}

/// How to write votes.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteVotes<'a> {
    /// The items' names, written to a column called `item`; a long table without them has row numbers there.
    pub items: Option<&'a ItemNames>,
    /// A column's name and the true class of each item: abstain if it is unknown.
    pub gold: Option<(&'a str, &'a [Vote])>,
    /// Wide or long.
    pub layout: VotesLayout,
    /// The format. Default: from the extension of the output; CSV for standard output.
    pub format: Option<Format>,
}

/// Writes a table of votes: classes by name, abstains as empty cells or null.
///
/// ```
/// use consilience::votes::Votes;
/// use consilience_io::{Output, VotesLayout, WriteVotes, write_votes};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.csv");
/// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["no", ""]])?;
/// let options = WriteVotes { layout: VotesLayout::Long, ..WriteVotes::default() };
/// write_votes(Output::create(&path)?, &votes, &options)?;
/// assert_eq!(std::fs::read_to_string(&path)?, "item,source,vote\n0,a,yes\n0,b,no\n1,a,no\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_votes(output: Output, votes: &Votes, options: &WriteVotes<'_>) -> Result<(), WriteError> {
    check(votes, options).map_err(|problem| output.error(problem))?;
    let spelling = Spelling::new(votes.classes());
    match options.layout {
        VotesLayout::Wide => write_wide(output, votes, options, &spelling),
        VotesLayout::Long => write_long(output, votes, options, &spelling),
    }
}

fn check(votes: &Votes, options: &WriteVotes<'_>) -> Result<(), WriteProblem> {
    let expected = votes.items();
    let lengths = [
        ("item column", options.items.map(ItemNames::len)),
        ("gold column", options.gold.map(|(_, g)| g.len())),
    ];
    for (what, found) in lengths {
        if let Some(found) = found.filter(|&found| found != expected) {
            return Err(WriteProblem::Lengths { what, found, expected });
        }
    }
    let taken = |name: &str, what: &'static str| {
        let other_column = match options.layout {
            VotesLayout::Wide => votes.sources().position(name).is_some(),
            VotesLayout::Long => ["source", "vote"].contains(&name),
        };
        let taken = other_column || (what == "gold" && name == ITEM_COLUMN);
        if taken { Err(WriteProblem::NameTaken { name: name.to_string(), what }) } else { Ok(()) }
    };
    if options.items.is_some() {
        taken(ITEM_COLUMN, "item")?;
    }
    options.gold.map_or(Ok(()), |(name, _)| taken(name, "gold"))
}

/// The cell of each vote: a number if all classes are numbers, else the class's name.
pub(super) struct Spelling<'a> {
    pub(super) kind: Kind,
    cells: Vec<Cell<'a>>,
}

impl<'a> Spelling<'a> {
    pub(super) fn new(classes: &'a Classes) -> Self {
        let number = |name: &String| name.parse::<i64>().ok().filter(|number| number.to_string() == *name);
        let numbers: Option<Vec<i64>> = classes.names().iter().map(number).collect();
        let (kind, classes): (Kind, Vec<Cell<'a>>) = match numbers {
            Some(numbers) => (Kind::Integer, numbers.into_iter().map(Cell::Integer).collect()),
            None => (Kind::Text, classes.names().iter().map(|name| Cell::Text(name)).collect()),
        };
        let cells = std::iter::once(Cell::Empty).chain(classes).collect();
        Self { kind, cells }
    }

    /// The cell of a vote; a class that the table does not have is left empty.
    pub(super) fn cell(&self, vote: Vote) -> Cell<'a> {
        self.cells.get(vote as usize).copied().unwrap_or(Cell::Empty)
    }
}

fn write_wide(
    output: Output,
    votes: &Votes,
    options: &WriteVotes<'_>,
    spelling: &Spelling<'_>,
) -> Result<(), WriteError> {
    let mut columns: Vec<Column> =
        options.items.iter().map(|_| Column::new(ITEM_COLUMN, Kind::Text)).collect();
    columns.extend(votes.sources().names().iter().map(|name| Column::new(name, spelling.kind)));
    columns.extend(options.gold.iter().map(|(name, _)| Column::new(*name, spelling.kind)));
    let mut writer = TableWriter::new(output, options.format, &columns)?;
    let mut row = vec![ABSTAIN; votes.sources().len()];
    for (i, &pattern) in votes.item_pattern().iter().enumerate() {
        votes.patterns().read_into(pattern as usize, &mut row);
        let name = options.items.map(|items| items.name(i));
        let item = name.as_deref().map(Cell::Text);
        let gold = options.gold.map(|(_, gold)| spelling.cell(gold[i]));
        writer.row(item.into_iter().chain(row.iter().map(|&vote| spelling.cell(vote))).chain(gold))?;
    }
    writer.finish()
}

fn write_long(
    output: Output,
    votes: &Votes,
    options: &WriteVotes<'_>,
    spelling: &Spelling<'_>,
) -> Result<(), WriteError> {
    let mut columns = vec![
        Column::new(ITEM_COLUMN, Kind::Text),
        Column::new("source", Kind::Text),
        Column::new("vote", spelling.kind),
    ];
    columns.extend(options.gold.iter().map(|(name, _)| Column::new(*name, spelling.kind)));
    let mut writer = TableWriter::new(output, options.format, &columns)?;
    let row_numbers = ItemNames::row_numbers(votes.items());
    let items = options.items.unwrap_or(&row_numbers);
    let silent: Vec<usize> = (0..votes.sources().len()).filter(|&j| votes.domains()[j].len() == 1).collect();
    for i in 0..votes.items() {
        let item = items.name(i);
        let gold = options.gold.map(|(_, gold)| spelling.cell(gold[i]));
        let mut write = |source: usize, vote: Vote| {
            let cells = [Cell::Text(&item), Cell::Text(votes.sources().name(source)), spelling.cell(vote)];
            writer.row(cells.into_iter().chain(gold))
        };
        let mut written = false;
        for (source, vote) in votes.row_of_item(i) {
            write(source, vote)?;
            written = true;
        }
        // A source that never votes, and an item without a vote, exist by an empty vote only.
        if i == 0 {
            for &source in &silent {
                write(source, ABSTAIN)?;
                written = true;
            }
        }
        if !written && !votes.sources().is_empty() {
            write(0, ABSTAIN)?;
        }
    }
    writer.finish()
}
