//! Columns of what sources say: classes, and where a condition does not hold or fails ([`crate::rules`] has the numbers).

use arrow::array::{Array as _, ArrayRef, BooleanArray, Int16Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use consilience::sources::Classes;

pub(super) use crate::rules::{FAULT, NO, code};

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
