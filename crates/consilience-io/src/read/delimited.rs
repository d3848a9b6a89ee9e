//! Votes from CSV and TSV.

use std::io::BufRead;

use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::ReadingNote;
use consilience::votes::survey::{Sample, SampleColumn, looks_like_votes, numbered};

use super::columns::{Layout, LongColumns, Role};
use super::error::{Place, Problem, ReadError};
use super::handover::{Ending, Handover};
use super::options::ReadOptions;
use super::plan::{Plan, plan, told};
use super::records::Records;
use super::rows::LongRows;
use super::wide_rows::WideRows;
use super::{Report, VoteTable, sample};
use crate::separator::other_sign;

pub(super) fn read(
    stream: impl BufRead,
    separator: u8,
    place: &Place,
    options: &ReadOptions,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let (head, whole, stream) = sample::head(stream).map_err(|error| place.clone().because(error))?;
    let has_header = options.header.unwrap_or(true);
    let (mut rows, names) = Rows::open(stream, separator, has_header, place, report)?;
    if names.len() == 1 {
        if let Some(sign) = other_sign(&head, whole) {
            return Err(rows.here().because(Problem::OtherSeparator { sign }));
        }
        rows.records.keep_blank_lines();
    }
    let mut sample = sample::of_records(&head, whole, separator, (!has_header).then(|| names.clone()));
    if sample.columns.len() != names.len() {
        // The header alone is longer than what was looked at.
        let columns = names.iter().map(SampleColumn::new).collect();
        sample = Sample { columns, whole: false };
    }
    if options.header.is_none() && options.only.is_none() && looks_like_votes(&sample, &told(options)) {
        return Err(rows.here().because(Problem::MissingHeader { cells: names }));
    }
    let Plan { layout, options, notes } = plan(&sample, options).map_err(|(column, problem)| {
        let header = rows.here();
        column.map_or(header.clone(), |column| header.column(&column)).because(problem)
    })?;
    match layout {
        Layout::Wide { sources, roles } => {
            let table = WideRows::new(sources, &options, notes, handover.limit);
            read_wide(rows, &names, table, &roles, handover)
        }
        Layout::Long(columns) => {
            handover.give_whole(read_long(rows, &names, columns, &options, notes)?, place)
        }
    }
}

fn header<R: BufRead>(rows: &Rows<'_, R>) -> Result<Vec<String>, ReadError> {
    let name = |cell| match std::str::from_utf8(cell) {
        Ok(name) => Ok(name.trim().to_string()),
        Err(_) => Err(rows.here().because(Problem::NotUtf8)),
    };
    rows.records.iter().map(name).collect()
}

/// The records of a file, each as long as the header.
pub(super) struct Rows<'a, R> {
    pub(super) records: Records<R>,
    place: &'a Place,
    report: &'a Report<'a>,
    /// How many cells a record must have; 0 before the header is known.
    cells: usize,
    count: u64,
    /// Whether the current record is still to be read: the first one, if there is no header.
    waits: bool,
}

impl<'a, R: BufRead> Rows<'a, R> {
    /// Reads the header, and returns the names of the columns and the rows that follow; without a header, columns are numbered.
    pub(super) fn open(
        stream: R,
        separator: u8,
        has_header: bool,
        place: &'a Place,
        report: &'a Report<'a>,
    ) -> Result<(Self, Vec<String>), ReadError> {
        let records = Records::new(stream, separator);
        let mut rows = Self { records, place, report, cells: 0, count: 0, waits: false };
        if !rows.next()? {
            return Err(place.clone().because(Problem::Empty));
        }
        let names = if has_header { header(&rows)? } else { numbered(rows.records.len()) };
        rows.cells = names.len();
        rows.waits = !has_header;
        Ok((rows, names))
    }

    /// Moves to the next record; false at the end. A line of nothing but blanks is passed over, if it is not a row of one
    /// cell.
    pub(super) fn next(&mut self) -> Result<bool, ReadError> {
        if std::mem::take(&mut self.waits) {
            return Ok(true);
        }
        loop {
            let more = self.records.advance().map_err(|error| self.place.clone().because(error))?;
            if !more {
                return Ok(false);
            }
            let found = self.records.len();
            if found == 1 && self.cells != 1 && self.records.cell(0).trim_ascii().is_empty() {
                continue;
            }
            if self.count == 1 && self.cells == found && self.records.is_rule() {
                continue;
            }
            if self.cells != 0 && found != self.cells {
                let (expected, may_have_row_names) = (self.cells, self.count == 1 && found == self.cells + 1);
                return Err(self.here().because(Problem::Ragged { found, expected, may_have_row_names }));
            }
            break;
        }
        self.report.line(self.count);
        self.count += 1;
        Ok(true)
    }

    /// Whether no cell of the current record holds anything.
    fn is_blank(&self) -> bool {
        self.records.iter().all(|cell| cell.trim_ascii().is_empty())
    }

    /// The place of the current record.
    pub(super) fn here(&self) -> Place {
        self.place.line(self.records.line())
    }
}

pub(super) fn text(cell: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(cell).map_err(|_| Problem::NotUtf8)
}

fn read_wide<R: BufRead>(
    mut rows: Rows<'_, R>,
    names: &[String],
    mut table: WideRows<'_>,
    roles: &[Role],
    handover: &mut Handover<'_>,
) -> Result<Ending, ReadError> {
    let mut votes: Vec<(u32, Vote)> = Vec::new();
    // Rows of the table have something in one of these, even if nobody votes.
    let other = roles.iter().position(|role| !matches!(role, Role::Source(_)));
    let mut blank = 0;
    while rows.next()? {
        // A row without an item and without a vote is what spreadsheets leave at the end of a table.
        if other.is_some_and(|other| rows.records.cell(other).trim_ascii().is_empty()) && rows.is_blank() {
            blank += 1;
            continue;
        }
        // Between others, it is an item on which nobody votes.
        for _ in 0..std::mem::take(&mut blank) {
            table.push_blank().map_err(|problem| rows.here().because(problem))?;
        }
        votes.clear();
        for ((column, cell), role) in rows.records.iter().enumerate().zip(roles) {
            take_cell(&mut table, &mut votes, *role, cell)
                .map_err(|problem| rows.here().column(&names[column]).because(problem))?;
        }
        table.push(&votes).map_err(|problem| rows.here().because(problem))?;
        if let Some(part) = table.full_part().map_err(|problem| rows.place.clone().because(problem))? {
            handover.give(part, rows.place)?;
        }
    }
    note_blank(blank, &mut table.notes);
    handover.finish(table, rows.place)
}

fn note_blank(rows: u64, notes: &mut Vec<ReadingNote>) {
    if rows > 0 {
        notes.push(ReadingNote::BlankRows { rows });
    }
}

#[inline]
fn take_cell(
    table: &mut WideRows<'_>,
    votes: &mut Vec<(u32, Vote)>,
    role: Role,
    cell: &[u8],
) -> Result<(), Problem> {
    match role {
        Role::Source(source) => {
            if !cell.is_empty() {
                let vote = table.reader.text(text(cell)?)?;
                if vote != ABSTAIN {
                    votes.push((source, vote));
                }
            }
        }
        Role::Item => {
            table.push_name(text(cell)?.trim());
        }
        Role::Gold => {
            if let Some(gold) = &mut table.gold {
                let vote = gold.reader.text(text(cell)?)?;
                table.push_gold(vote);
            }
        }
        Role::Ignored => {}
    }
    Ok(())
}

fn read_long<R: BufRead>(
    mut rows: Rows<'_, R>,
    names: &[String],
    columns: LongColumns,
    options: &ReadOptions,
    mut notes: Vec<ReadingNote>,
) -> Result<VoteTable, ReadError> {
    let mut table = LongRows::new(options);
    let mut blank = 0;
    while rows.next()? {
        if rows.is_blank() {
            blank += 1;
            continue;
        }
        let here = || rows.here();
        let at = |column: usize| {
            let place = move || here().column(&names[column]);
            (text(rows.records.cell(column)), place)
        };
        let name = |column: usize| {
            let (cell, place) = at(column);
            let cell = cell.map_err(|problem| place().because(problem))?.trim();
            if cell.is_empty() { Err(place().because(Problem::EmptyName)) } else { Ok(cell) }
        };
        let (item, source) = (name(columns.item)?, name(columns.source)?);
        let (cell, vote_place) = at(columns.vote);
        let vote = cell
            .and_then(|cell| Ok(table.reader.text(cell)?))
            .map_err(|problem| vote_place().because(problem))?;
        let gold = match (columns.gold, &mut table.gold) {
            (Some(column), Some(gold)) => {
                let (cell, place) = at(column);
                cell.and_then(|cell| Ok(gold.reader.text(cell)?))
                    .map_err(|problem| place().because(problem))?
            }
            _ => ABSTAIN,
        };
        table.push(item, source, vote, gold).map_err(|problem| rows.here().because(problem))?;
    }
    note_blank(blank, &mut notes);
    table.finish(options, notes).map_err(|problem| rows.place.clone().because(problem))
}
