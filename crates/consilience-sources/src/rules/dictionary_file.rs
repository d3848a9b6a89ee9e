//! Dictionaries from files.

use std::path::Path;

use consilience::sources::{Classes, Vote};
use consilience_io::{Input, ReadError, read_table};

use super::Dictionary;

/// Reads a dictionary: the columns `keys`, and the class in the column `vote` or the same one for all.
pub(crate) fn load(
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
