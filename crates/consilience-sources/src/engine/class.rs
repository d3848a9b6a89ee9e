//! What a source says about an item, as numbers in a column.
//!
//! | value | meaning |
//! |---|---|
//! | a class, from 1 | the source's condition holds, and it votes for this class |
//! | 0 | its condition does not hold: it abstains, or votes as `otherwise` says |
//! | -1 | it failed on this item: it abstains, and the fault is counted |
//! | null | what it reads is missing: it abstains |

use arrow::array::{Array as _, ArrayRef, BooleanArray, Int16Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use consilience::sources::{Classes, Vote};

/// The condition does not hold.
pub(super) const NO: i16 = 0;
/// The source failed.
pub(super) const FAULT: i16 = -1;

/// The column of a vote.
pub(super) fn code(vote: Vote) -> i16 {
    vote as i16
}

/// A column as texts.
pub(super) fn texts(column: &ArrayRef) -> Result<StringArray, String> {
    let column = if column.data_type() == &DataType::Utf8 {
        column.clone()
    } else {
        cast(column, &DataType::Utf8).map_err(|error| error.to_string())?
    };
    column
        .as_any()
        .downcast_ref::<StringArray>()
        .cloned()
        .ok_or_else(|| "is not a column of texts".to_string())
}

/// Where an expression is true.
pub(super) fn of_truth(column: &ArrayRef, class: i16) -> Result<Int16Array, String> {
    let truth = column.as_any().downcast_ref::<BooleanArray>().ok_or("is not true or false")?;
    Ok(truth.iter().map(|truth| truth.map(|truth| if truth { class } else { NO })).collect())
}

/// The classes that texts name; a class without a name fails, as does any other text.
pub(super) fn of_names(column: &ArrayRef, classes: &Classes) -> Result<Int16Array, String> {
    let names = texts(column)?;
    let one = |name: Option<&str>| match name {
        None | Some("") => NO,
        Some(name) => classes.vote(name).map_or(FAULT, code),
    };
    Ok(names.iter().map(|name| Some(one(name))).collect())
}
