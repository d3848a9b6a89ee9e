//! Any table, row by row, as text: the items' texts, labels, whatever has named columns.

use std::borrow::Cow;
use std::io::BufRead;

use super::columns::unknown_column;
use super::delimited::{Rows, text};
use super::error::{Place, Problem, ReadError};
use super::json_object::{Object, Value};
use super::jsonl::Lines;
use super::{Progress, Report, sample};
use crate::format::Format;
use crate::input::{Content, Input};

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct TableHeader {
    place: Place,
    names: Vec<String>,
}

impl TableHeader {
    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The position of the column `name`, if there is one.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|column| column == name)
    }

    /// The position of the column `name`, which is needed for `wanted`.
    pub fn find(&self, wanted: &'static str, name: &str) -> Result<usize, ReadError> {
        let position =
            self.position(name).ok_or_else(|| self.error(unknown_column(wanted, name, &self.names)))?;
        if self.names[position + 1..].iter().any(|other| other == name) {
            return Err(self.place.column(name).because(Problem::ColumnTwice));
        }
        Ok(position)
    }

    /// The problem, at the header.
    pub fn error(&self, problem: Problem) -> ReadError {
        self.place.clone().because(problem)
    }
}

/// The requested cells of one row.
pub struct TableRow<'a> {
    cells: &'a [Cow<'a, str>],
    columns: &'a [&'a str],
    place: &'a dyn Fn() -> Place,
}

impl TableRow<'_> {
    /// The cell of the `i`-th requested column; empty if it has no value.
    pub fn cell(&self, i: usize) -> &str {
        &self.cells[i]
    }

    /// The problem, in this row.
    pub fn error(&self, problem: Problem) -> ReadError {
        (self.place)().because(problem)
    }

    /// The problem, in this row's cell of the `i`-th requested column.
    pub fn error_in(&self, i: usize, problem: Problem) -> ReadError {
        (self.place)().column(self.columns[i]).because(problem)
    }
}

/// Reads a table of any format row by row. `choose` returns the positions of the wanted columns and the initial result; `take`
/// adds a row to the result and gets the cells in the order of `choose`; `progress` is called now and then. A table without
/// rows is an error.
///
/// ```
/// use consilience_io::{Input, ReadError, read_table};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("texts.csv");
/// std::fs::write(&path, "item,text\nq1,win money\nq2,see you\n")?;
/// let texts = read_table::<_, ReadError>(
///     &Input::Path(path),
///     None,
///     |header| Ok((vec![header.find("text", "text")?], Vec::new())),
///     |texts, row| {
///         texts.push(row.cell(0).to_string());
///         Ok(())
///     },
///     &|_| {},
/// )?;
/// assert_eq!(texts, ["win money", "see you"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_table<S, E: From<ReadError>>(
    input: &Input,
    format: Option<Format>,
    choose: impl FnOnce(&TableHeader) -> Result<(Vec<usize>, S), E>,
    take: impl FnMut(&mut S, &TableRow<'_>) -> Result<(), E>,
    progress: &dyn Fn(Progress),
) -> Result<S, E> {
    let place = Place::file(&input.name());
    let opened = input.open(format).map_err(of_any_table)?;
    let report = Report { progress, consumed: &opened.consumed };
    let mut table = Table { choose: Some(choose), take, place: &place, rows: 0, state: None };
    match opened.content {
        Content::Delimited(stream, separator) => table.delimited(stream, separator, &report),
        Content::Jsonl(stream) => table.jsonl(stream, &report),
        #[cfg(feature = "columnar")]
        Content::Columnar(content) => table.columnar(content, &report),
    }?;
    match table.state {
        Some(state) if table.rows > 0 => Ok(state),
        _ => Err(place.because(Problem::NoRows).into()),
    }
}

/// A message about votes, reworded for any table.
fn of_any_table(error: ReadError) -> ReadError {
    let problem = match *error.problem {
        Problem::Empty | Problem::HeaderOnly => Problem::NoRows,
        Problem::Directory => Problem::Folder,
        other => other,
    };
    ReadError { place: error.place, problem: Box::new(problem) }
}

/// A table that is being read.
pub(super) struct Table<'a, S, C, T> {
    choose: Option<C>,
    take: T,
    pub(super) place: &'a Place,
    pub(super) rows: u64,
    state: Option<S>,
}

impl<S, E, C, T> Table<'_, S, C, T>
where
    E: From<ReadError>,
    C: FnOnce(&TableHeader) -> Result<(Vec<usize>, S), E>,
    T: FnMut(&mut S, &TableRow<'_>) -> Result<(), E>,
{
    pub(super) fn choose(&mut self, place: Place, names: &[String]) -> Result<Vec<usize>, E> {
        let header = TableHeader { place, names: names.to_vec() };
        let Some(choose) = self.choose.take() else { return Ok(Vec::new()) };
        let (wanted, state) = choose(&header)?;
        self.state = Some(state);
        Ok(wanted)
    }

    pub(super) fn row(
        &mut self,
        cells: &[Cow<'_, str>],
        columns: &[&str],
        place: &dyn Fn() -> Place,
    ) -> Result<(), E> {
        self.rows += 1;
        match &mut self.state {
            Some(state) => (self.take)(state, &TableRow { cells, columns, place }),
            None => Ok(()),
        }
    }

    fn delimited(&mut self, stream: impl BufRead, separator: u8, report: &Report<'_>) -> Result<(), E> {
        let (mut rows, names) =
            Rows::open(stream, separator, true, self.place, report).map_err(of_any_table)?;
        let wanted = self.choose(rows.here(), &names)?;
        let columns: Vec<&str> = wanted.iter().map(|&column| names[column].as_str()).collect();
        // With one column, a blank line is an item with an empty text.
        if names.len() == 1 {
            rows.records.keep_blank_lines();
        }
        while rows.next()? {
            let cells = wanted
                .iter()
                .map(|&column| match text(rows.records.cell(column)) {
                    Ok(cell) => Ok(Cow::Borrowed(cell)),
                    Err(problem) => Err(rows.here().column(&names[column]).because(problem)),
                })
                .collect::<Result<Vec<_>, ReadError>>()?;
            self.row(&cells, &columns, &|| rows.here())?;
        }
        Ok(())
    }

    fn jsonl(&mut self, stream: impl BufRead, report: &Report<'_>) -> Result<(), E> {
        let (head, whole, stream) =
            sample::head(stream).map_err(|error| self.place.clone().because(error))?;
        let mut lines = Lines::new(stream, self.place, report);
        if !lines.advance()? {
            return Err(self.place.clone().because(Problem::NoRows).into());
        }
        let mut names: Vec<String> = lines.current()?.0.iter().map(|(key, _)| key.to_string()).collect();
        // Objects without a value may lack its key.
        for column in sample::of_lines(&head, whole).columns {
            if !names.contains(&column.name) {
                names.push(column.name);
            }
        }
        drop(head);
        let wanted = self.choose(lines.here(), &names)?;
        let columns: Vec<&str> = wanted.iter().map(|&column| names[column].as_str()).collect();
        loop {
            let Object(entries) = lines.current()?;
            let at = |key: &str, problem| lines.here().column(key).because(problem);
            let cell = |key: &&str| {
                let mut values = entries.iter().filter(|(name, _)| name == key);
                let value = values.next().map_or(&Value::Null, |(_, value)| value);
                if values.next().is_some() {
                    return Err(at(key, Problem::KeyTwice));
                }
                cell(value).map_err(|problem| at(key, problem))
            };
            let cells = columns.iter().map(cell).collect::<Result<Vec<_>, ReadError>>()?;
            self.row(&cells, &columns, &|| lines.here())?;
            if !lines.advance()? {
                return Ok(());
            }
        }
    }
}

fn cell<'v>(value: &'v Value<'_>) -> Result<Cow<'v, str>, Problem> {
    Ok(match value {
        Value::Null => Cow::Borrowed(""),
        Value::Text(text) => Cow::Borrowed(text),
        Value::Boolean(value) => Cow::Owned(value.to_string()),
        Value::Integer(number) => Cow::Owned(number.to_string()),
        Value::Unsigned(number) => Cow::Owned(number.to_string()),
        Value::Float(number) => Cow::Owned(format!("{number:?}")),
        Value::Nested(kind) => return Err(Problem::CellValue { kind }),
    })
}
