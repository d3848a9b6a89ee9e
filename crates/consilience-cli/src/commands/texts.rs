//! Reads the items' texts for the verbs that need them.

use std::ffi::OsStr;

use anyhow::bail;
use consilience::votes::survey::is_item_name;
use consilience_io::{ITEM_COLUMN, Input, ItemNames, Output, ReadError, TableHeader};

use super::no_overwrite;
use crate::terminal::{Talk, counted};

/// Items that are handed on at a time: enough for all cores.
pub const BATCH: usize = 4096;

/// Refuses to write over what is read, and to read two tables from standard input.
pub fn check_files(output: &Output, inputs: &[(&'static str, &OsStr)]) -> anyhow::Result<()> {
    inputs.iter().try_for_each(|(what, input)| no_overwrite::keep(output, what, input))?;
    no_overwrite::one_stdin(inputs)
}

/// The position of the column that names the items: the one asked for, else one called item.
pub fn item_column(header: &TableHeader, asked: Option<&str>) -> Result<Option<usize>, ReadError> {
    match asked {
        Some(name) => header.find("the items", name).map(Some),
        None => Ok(header.position(ITEM_COLUMN)),
    }
}

/// The position of the column by which texts are joined to items that have names: as asked for, else called item, else one whose
/// name is that of identifiers; none of the columns of the text itself.
pub fn join_column(
    header: &TableHeader,
    asked: Option<&str>,
    texts: &[usize],
    items_have_names: bool,
) -> Result<Option<usize>, ReadError> {
    let found = item_column(header, asked)?;
    if found.is_some() || !items_have_names {
        return Ok(found);
    }
    let names = header.names();
    Ok((0..names.len()).find(|at| !texts.contains(at) && is_item_name(&names[*at])))
}

/// The positions of the text columns.
pub fn text_columns(header: &TableHeader, names: &[String]) -> Result<Vec<usize>, ReadError> {
    names.iter().map(|name| header.find("text", name)).collect()
}

/// Rejects `rows` texts that cannot be matched to items: they have no names although the items do, or there is not one per item.
pub fn check_joined(input: &Input, named: bool, rows: usize, items: &ItemNames) -> anyhow::Result<()> {
    if !named && !items.are_row_numbers() {
        bail!(
            "{}: the items have names, but there is no column \"item\" that says which item a text belongs to; add one",
            input.name()
        );
    }
    if !named && rows != items.len() {
        bail!(
            "{} has {} and no column \"item\", but there are {}; provide one row per item in the same order",
            input.name(),
            counted(rows as u64, "row", "rows"),
            counted(items.len() as u64, "item", "items")
        );
    }
    Ok(())
}

/// Says how many of the `wanted` texts are missing, and refuses a table that has none of them.
pub fn say_missing(input: &Input, missing: usize, wanted: usize, talk: Talk) -> anyhow::Result<()> {
    if missing == wanted && wanted > 0 {
        bail!(
            "{}: none of its texts belongs to an item of this table; select the column with the item names with --item",
            input.name()
        );
    }
    if missing > 0 {
        talk.notes(&[format!("{}: {} have no text", input.name(), counted(missing as u64, "item", "items"))]);
    }
    Ok(())
}
