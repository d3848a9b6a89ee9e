//! Dictionaries from files, and the votes that they give.

use std::path::Path;

use arrow::array::{Array as _, ArrayRef, Int16Array, StringArray};
use consilience::sources::{Classes, Vote};
use consilience_io::{Input, ReadError, read_table};

use super::class::{NO, code, texts};
use crate::rules::Dictionary;

/// Reads a dictionary: the columns `keys`, and the class in the column `vote` or the same one for all.
pub(super) fn load(
    path: &Path,
    keys: &[&str],
    vote: Option<&str>,
    class: Vote,
    classes: &Classes,
    mut dictionary: Dictionary,
) -> Result<Dictionary, String> {
    enum Wrong {
        Read(ReadError),
        Entry(String),
    }
    impl From<ReadError> for Wrong {
        fn from(error: ReadError) -> Self {
            Self::Read(error)
        }
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut row_number = 0u64;
    let read = read_table::<(), Wrong>(
        &Input::Path(path.to_path_buf()),
        None,
        |header| {
            let mut columns = Vec::with_capacity(keys.len() + 1);
            for column in keys.iter().copied().chain(vote) {
                columns.push(header.find("lookup", column)?);
            }
            Ok((columns, ()))
        },
        |(), row| {
            row_number += 1;
            let key: Vec<&str> = (0..keys.len()).map(|i| row.cell(i)).collect();
            let class = match vote {
                None => class,
                Some(column) => {
                    let cell = row.cell(keys.len());
                    classes.vote(cell).ok_or_else(|| {
                        let list = classes.names().join(", ");
                        Wrong::Entry(format!(
                            "{name}, row {row_number}, column {column}: {cell:?} is not a class; the classes are {list}"
                        ))
                    })?
                }
            };
            dictionary
                .add(&key, class)
                .map_err(|error| Wrong::Entry(format!("{name}, row {row_number}: {error}")))
        },
        &|_| (),
    );
    match read {
        Ok(()) => Ok(dictionary),
        Err(Wrong::Read(error)) => Err(error.to_string()),
        Err(Wrong::Entry(message)) => Err(message),
    }
}

/// The dictionary's entry for each row of keys.
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
