//! How often each row of a table of patterns counts as an item.

use super::error::{Problem, ReadError};
use super::table::read_table;
use crate::format::Format;
use crate::input::Input;

/// Reads the column `name` of counts: whole numbers, one per row.
///
/// ```
/// use consilience_io::{Input, read_counts};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("patterns.csv");
/// std::fs::write(&path, "a,b,n\nspam,,12\nham,ham,3\n")?;
/// assert_eq!(read_counts(&Input::Path(path), None, "n")?, [12, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_counts(input: &Input, format: Option<Format>, name: &str) -> Result<Vec<u64>, ReadError> {
    read_table(
        input,
        format,
        |header| Ok((vec![header.find("the counts", name)?], Vec::new())),
        |counts, row| {
            let cell = row.cell(0).trim();
            // Other programs write 12.0 where a column once had an empty cell.
            let whole = cell.strip_suffix(".0").unwrap_or(cell);
            let count =
                whole.parse().map_err(|_| row.error_in(0, Problem::Count { text: cell.to_string() }))?;
            counts.push(count);
            Ok(())
        },
        &|_| (),
    )
}
