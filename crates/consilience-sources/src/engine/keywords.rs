//! Text rules in a plan.

use arrow::array::{Array as _, ArrayRef, FixedSizeBinaryArray, Int16Array, StringArray};
use arrow::buffer::{Buffer, NullBuffer};

use super::class::{FAULT, NO, texts};
use crate::rules::{Found, TextRules};

/// What all rules say of each text, one byte per rule; nothing where a text is missing or empty.
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
