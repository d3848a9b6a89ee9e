//! Text rules in a plan, and lists of keywords from files.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use arrow::array::{Array as _, ArrayRef, FixedSizeBinaryArray, Int16Array, StringArray};
use arrow::buffer::{Buffer, NullBuffer};

use super::class::{FAULT, NO, texts};
use crate::rules::{Found, TextRules};

/// Longest keyword.
const LONGEST: usize = 10_000;

/// One keyword per line; blank lines are left out.
pub(super) fn load(path: &Path) -> Result<Vec<String>, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let failed = |error: std::io::Error| format!("{name}: cannot be read: {error}");
    let mut keywords = Vec::new();
    let file = File::open(path).map_err(failed)?;
    for (number, line) in BufReader::with_capacity(1 << 18, file).lines().enumerate() {
        let line = line.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => format!("{name}, line {}: not UTF-8 text", number + 1),
            _ => failed(error),
        })?;
        let keyword = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
        if keyword.len() > LONGEST {
            return Err(format!(
                "{name}, line {}: longer than {LONGEST} bytes; write one keyword per line",
                number + 1
            ));
        }
        if !keyword.trim().is_empty() {
            keywords.push(keyword.to_string());
        }
    }
    if keywords.is_empty() {
        return Err(format!("{name}: has no keywords; write one per line"));
    }
    Ok(keywords)
}

/// The result of all rules on each text, one byte per rule; nothing if a text is missing or empty.
pub(super) fn look(rules: &TextRules, column: &ArrayRef) -> Result<FixedSizeBinaryArray, String> {
    let texts: StringArray = texts(column)?;
    let width = rules.len();
    let mut found = vec![0; width * texts.len()];
    let mut there = vec![true; texts.len()];
    for (row, found) in found.chunks_exact_mut(width).enumerate() {
        if texts.is_null(row) || texts.value(row).is_empty() {
            there[row] = false;
        } else {
            rules.look(texts.value(row), found);
        }
    }
    let width = i32::try_from(width).map_err(|_| "there are too many text rules".to_string())?;
    FixedSizeBinaryArray::try_new(width, Buffer::from_vec(found), Some(NullBuffer::from(there)))
        .map_err(|error| error.to_string())
}

/// What rule `number` said.
pub(super) fn said(column: &ArrayRef, number: usize, class: i16) -> Result<Int16Array, String> {
    let found =
        column.as_any().downcast_ref::<FixedSizeBinaryArray>().ok_or("not the result of text rules")?;
    let one = |found: &[u8]| match found[number] {
        yes if yes == Found::Yes as u8 => class,
        no if no == Found::No as u8 => NO,
        _ => FAULT,
    };
    Ok(found.iter().map(|found| found.map(one)).collect())
}
