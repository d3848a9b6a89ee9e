//! Rows of cells into a table of any format, one pass, one batch in memory.

use std::fmt::Write as _;
use std::io::{self, Write as _};

#[cfg(feature = "columnar")]
use super::columnar::ColumnarWriter;
use super::error::{WriteError, WriteProblem};
use super::output::Output;
use super::packed::Packed;
use crate::format::{Compression, Format};
use crate::separator::SIGNS as SEPARATORS;

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Integer,
    Number,
}

/// A named column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

impl Column {
    pub(super) fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind }
    }
}

/// A cell; its kind is its column's.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    Empty,
    Text(&'a str),
    Integer(i64),
    Number(f64),
}

/// Writes rows; nothing has the output's name before [`TableWriter::finish`].
pub(super) struct TableWriter {
    name: String,
    /// Whether the output is written to as it comes.
    direct: bool,
    body: Body,
    text: String,
}

enum Body {
    Delimited(Box<csv::Writer<Packed>>),
    Jsonl {
        packed: Box<Packed>,
        keys: Vec<String>,
        line: Vec<u8>,
    },
    #[cfg(feature = "columnar")]
    Columnar(Box<ColumnarWriter>),
}

/// The format and compression by the file name; CSV for standard output.
pub(super) fn format_of(output: &Output) -> Result<(Format, Compression), WriteError> {
    let Some(path) = output.path() else { return Ok((Format::Csv, Compression::None)) };
    match Format::from_path(path) {
        (Some(format), compression) if format.is_text() => Ok((format, compression)),
        #[cfg(not(feature = "columnar"))]
        (Some(_), Compression::None) => Err(output.error(WriteProblem::LeftOut)),
        #[cfg(feature = "columnar")]
        (Some(format), Compression::None) => Ok((format, Compression::None)),
        (Some(_), _) => Err(output.error(WriteProblem::Packed)),
        (None, Compression::None) if output.is_direct() => Ok((Format::Csv, Compression::None)),
        (None, _) => Err(output.error(WriteProblem::NoFormat)),
    }
}

/// Checks that the name of an output has a known extension, before doing any work.
///
/// ```
/// use consilience_io::{Output, check_format};
///
/// # let folder = tempfile::tempdir()?;
/// assert!(check_format(&Output::create(&folder.path().join("labels.parquet"))?).is_ok());
/// assert!(check_format(&Output::create(&folder.path().join("labels.docx"))?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_format(output: &Output) -> Result<(), WriteError> {
    format_of(output).map(drop)
}

impl TableWriter {
    /// Begins a table in `format`, or in the one that the output's name says.
    pub(super) fn new(
        output: Output,
        format: Option<Format>,
        columns: &[Column],
    ) -> Result<Self, WriteError> {
        let (format, compression) = match format {
            Some(format) => {
                let packing = output.path().map_or(Compression::None, |path| Format::from_path(path).1);
                (format, if format.is_text() { packing } else { Compression::None })
            }
            None => format_of(&output)?,
        };
        let (name, direct) = (output.name().to_string(), output.is_direct());
        match Body::begin(output, format, compression, columns) {
            Ok(body) => Ok(Self { name, direct, body, text: String::new() }),
            Err(problem) => Err(WriteError::on(&name, direct, problem)),
        }
    }

    /// Adds a row with one cell per column.
    pub(super) fn row<'a>(&mut self, cells: impl Iterator<Item = Cell<'a>>) -> Result<(), WriteError> {
        self.body
            .row(cells, &mut self.text)
            .map_err(|problem| WriteError::on(&self.name, self.direct, problem))
    }

    /// Completes the table and renames the file to its final name.
    pub(super) fn finish(self) -> Result<(), WriteError> {
        let output = match self.body {
            Body::Delimited(writer) => writer
                .into_inner()
                .map_err(|error| csv_problem(error.into_error().into()))
                .and_then(|packed| Ok(packed.finish()?)),
            Body::Jsonl { packed, .. } => packed.finish().map_err(Into::into),
            #[cfg(feature = "columnar")]
            Body::Columnar(writer) => writer.finish(),
        };
        output.map_err(|problem| WriteError::on(&self.name, self.direct, problem))?.commit()
    }
}

impl Body {
    fn begin(
        output: Output,
        format: Format,
        compression: Compression,
        columns: &[Column],
    ) -> Result<Self, WriteProblem> {
        let names = columns.iter().map(|column| column.name.as_str());
        match format {
            Format::Csv | Format::Tsv => {
                let separator = if format == Format::Csv { b',' } else { b'\t' };
                let mut packed = Packed::new(output, compression)?;
                packed.write_all(&header(names, separator)?)?;
                let writer =
                    csv::WriterBuilder::new().delimiter(separator).flexible(true).from_writer(packed);
                Ok(Self::Delimited(Box::new(writer)))
            }
            Format::Jsonl => {
                let packed = Box::new(Packed::new(output, compression)?);
                let keys = names.map(json_text).collect::<Result<_, _>>()?;
                Ok(Self::Jsonl { packed, keys, line: Vec::new() })
            }
            #[cfg(not(feature = "columnar"))]
            Format::Parquet | Format::Arrow | Format::ArrowStream => Err(WriteProblem::LeftOut),
            #[cfg(feature = "columnar")]
            Format::Parquet | Format::Arrow | Format::ArrowStream => {
                Ok(Self::Columnar(Box::new(ColumnarWriter::new(output, format, columns)?)))
            }
        }
    }

    fn row<'a>(
        &mut self,
        cells: impl Iterator<Item = Cell<'a>>,
        text: &mut String,
    ) -> Result<(), WriteProblem> {
        match self {
            Self::Delimited(writer) => {
                for cell in cells {
                    writer.write_field(spelled(cell, text)).map_err(csv_problem)?;
                }
                writer.write_record(None::<&[u8]>).map_err(csv_problem)
            }
            Self::Jsonl { packed, keys, line } => {
                line.clear();
                let mut before = b'{';
                for (key, cell) in keys.iter().zip(cells) {
                    line.push(before);
                    line.extend_from_slice(key.as_bytes());
                    line.push(b':');
                    match cell {
                        Cell::Empty => line.extend_from_slice(b"null"),
                        Cell::Text(text) => {
                            serde_json::to_writer(&mut *line, text).map_err(io::Error::from)?;
                        }
                        number => line.extend_from_slice(spelled(number, text).as_bytes()),
                    }
                    before = b',';
                }
                line.extend_from_slice(b"}\n");
                Ok(packed.write_all(line)?)
            }
            #[cfg(feature = "columnar")]
            Self::Columnar(writer) => writer.row(cells),
        }
    }
}

/// The first line. It is quoted if a name holds a sign that a reader could take for the one between cells.
fn header<'a>(names: impl Iterator<Item = &'a str> + Clone, separator: u8) -> Result<Vec<u8>, WriteProblem> {
    let unclear = names.clone().any(|name| name.bytes().any(|byte| SEPARATORS.contains(&byte)));
    let quotes = if unclear { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary };
    let mut writer =
        csv::WriterBuilder::new().delimiter(separator).quote_style(quotes).from_writer(Vec::new());
    writer.write_record(names).map_err(csv_problem)?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn json_text(text: &str) -> Result<String, WriteProblem> {
    serde_json::to_string(text).map_err(|error| io::Error::from(error).into())
}

/// A cell as text; numbers in the shortest form that reads back as the same number.
fn spelled<'a>(cell: Cell<'a>, buffer: &'a mut String) -> &'a str {
    buffer.clear();
    // Writing to a string cannot fail.
    let _ = match cell {
        Cell::Empty => Ok(()),
        Cell::Text(text) => return text,
        Cell::Integer(number) => write!(buffer, "{number}"),
        Cell::Number(number) => write!(buffer, "{number:?}"),
    };
    if matches!(cell, Cell::Number(_)) && buffer.ends_with(".0") {
        buffer.truncate(buffer.len() - 2);
    }
    buffer
}

fn csv_problem(error: csv::Error) -> WriteProblem {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => WriteProblem::Encode { what: "CSV", detail: format!("{other:?}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        let mut buffer = String::new();
        for (number, text) in
            [(1.0, "1"), (0.1, "0.1"), (1e-7, "1e-7"), (1.0 / 3.0, "0.3333333333333333"), (0.0, "0")]
        {
            assert_eq!(spelled(Cell::Number(number), &mut buffer), text);
            assert!((text.parse::<f64>().unwrap() - number).abs() < f64::MIN_POSITIVE);
        }
    }
}
