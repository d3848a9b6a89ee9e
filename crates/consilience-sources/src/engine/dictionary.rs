//! Votes of dictionaries, in a plan.

use arrow::array::{Array as _, ArrayRef, Int16Array, StringArray};

use super::class::{NO, code, texts};
use crate::rules::Dictionary;

/// What a dictionary says of each row of keys.
pub(super) fn look_up(dictionary: &Dictionary, keys: &[ArrayRef], rows: usize) -> Result<Int16Array, String> {
    let keys = keys.iter().map(texts).collect::<Result<Vec<StringArray>, _>>()?;
    let mut key = Vec::with_capacity(keys.len());
    let one = |row: usize| {
        key.clear();
        for column in &keys {
            if column.is_null(row) {
                return None;
            }
            key.push(column.value(row));
        }
        Some(dictionary.find(&key).map_or(NO, code))
    };
    Ok((0..rows).map(one).collect())
}
