//! The first rows of a table, looked at before it is read.

use std::io::{BufRead, Cursor, Read as _};

use consilience::votes::survey::{Sample, SampleColumn};

use super::delimited::text;
use super::json_object::{Object, Value};
use super::plan::{SAMPLE_ROWS, sample_rows};
use super::records::Records;

/// Bytes of text that are looked at.
const SAMPLE_BYTES: usize = 1 << 22;

/// The first bytes of a stream, whether they are all, and the whole stream again.
pub(super) fn head<R: BufRead>(mut stream: R) -> std::io::Result<(Vec<u8>, bool, impl BufRead)> {
    let mut head = Vec::new();
    stream.by_ref().take(SAMPLE_BYTES as u64).read_to_end(&mut head)?;
    let whole = head.len() < SAMPLE_BYTES;
    let again = Cursor::new(head.clone()).chain(stream);
    Ok((head, whole, again))
}

/// The first records of text with cells; the first one names the columns if there is a header. A record that cannot be read
/// ends the sample: reading will say what is wrong with it.
pub(super) fn of_records(head: &[u8], whole: bool, separator: u8, names: Option<Vec<String>>) -> Sample {
    let mut records = Records::new(Cursor::new(head), separator);
    let mut sample = Sample { columns: Vec::new(), whole };
    let next = |records: &mut Records<Cursor<&[u8]>>| {
        let more = records.advance().unwrap_or(false);
        // The last record of a part may be cut short.
        more && (whole || records.position_is_before_end())
    };
    if let Some(names) = names {
        sample.columns = names.into_iter().map(SampleColumn::new).collect();
    } else {
        if !next(&mut records) {
            return sample;
        }
        let name = |cell: &[u8]| SampleColumn::new(String::from_utf8_lossy(cell).trim());
        sample.columns = records.iter().map(name).collect();
    }
    let most = sample_rows(sample.columns.len());
    let blank = |records: &Records<Cursor<&[u8]>>| records.iter().all(|cell| cell.trim_ascii().is_empty());
    for row in 0.. {
        if row == most {
            sample.whole = false;
            break;
        }
        if !next(&mut records) {
            break;
        }
        if records.len() == 1 && sample.columns.len() > 1 && blank(&records) {
            continue;
        }
        if row == 0 && records.is_rule() {
            continue;
        }
        // A row without any cell says nothing about the columns; spreadsheets leave thousands of them.
        if sample.columns.len() > 1 && records.len() == sample.columns.len() && blank(&records) {
            continue;
        }
        if records.len() != sample.columns.len() || records.iter().any(|cell| text(cell).is_err()) {
            sample.whole = false;
            break;
        }
        for (column, cell) in sample.columns.iter_mut().zip(records.iter()) {
            column.push(text(cell).unwrap_or_default());
        }
    }
    sample
}

/// The first objects of JSON lines: one column for each key.
pub(super) fn of_lines(head: &[u8], whole: bool) -> Sample {
    let mut sample = Sample { columns: Vec::new(), whole };
    let mut position_of: hashbrown::HashMap<String, usize> = hashbrown::HashMap::new();
    let mut rows = 0;
    for line in head.split_inclusive(|&byte| byte == b'\n') {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let object =
            std::str::from_utf8(line).ok().and_then(|line| serde_json::from_str::<Object<'_>>(line).ok());
        let Some(Object(entries)) = object else { break };
        if rows == SAMPLE_ROWS.min(sample_rows(sample.columns.len())) {
            sample.whole = false;
            break;
        }
        for (key, value) in &entries {
            let position = *position_of.entry(key.to_string()).or_insert_with(|| {
                let mut column = SampleColumn::new(key.to_string());
                (0..rows).for_each(|_| column.push(""));
                sample.columns.push(column);
                sample.columns.len() - 1
            });
            let column = &mut sample.columns[position];
            if column.rows() > rows {
                continue;
            }
            match value {
                Value::Null => column.push(""),
                Value::Text(text) => column.push(text),
                Value::Boolean(value) => column.push(if *value { "true" } else { "false" }),
                Value::Integer(number) => column.push(&number.to_string()),
                Value::Unsigned(number) => column.push(&number.to_string()),
                Value::Float(number) => column.push(&format!("{number:?}")),
                Value::Nested(kind) => {
                    column.kind = Some((*kind).to_string());
                    column.push("");
                }
            }
        }
        rows += 1;
        for column in &mut sample.columns {
            if column.rows() < rows {
                column.push("");
            }
        }
    }
    sample
}
