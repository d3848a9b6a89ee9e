//! The columns of the tables that travel: votes, patterns, faults.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

/// The number of the part that a row is of.
pub(crate) const PART: &str = "__part";
/// Not 0 if a source failed on the row or on one near it.
pub(crate) const FAULT: &str = "__fault";
/// How many items have a pattern.
pub(crate) const COUNT: &str = "__count";
/// The number of a pattern.
pub(crate) const PATTERN: &str = "__pattern";

/// The column of a source's votes.
pub(crate) fn vote(source: usize) -> String {
    format!("__vote_{source}")
}

/// The column of a text that is carried along.
pub(crate) fn carried(number: usize) -> String {
    format!("__carried_{number}")
}

/// Votes: the part, whether something failed, what is carried, and the class of each source, 0 if it abstains.
pub(crate) fn votes(texts: usize, sources: usize) -> SchemaRef {
    let mut fields =
        vec![Field::new(PART, DataType::Int32, false), Field::new(FAULT, DataType::Int32, false)];
    fields.extend((0..texts).map(|i| Field::new(carried(i), DataType::Utf8, true)));
    fields.extend((0..sources).map(|i| Field::new(vote(i), DataType::Int16, false)));
    Arc::new(Schema::new(fields))
}

/// Faults: the part, the row in it, the source, how often it failed on rows near it, and what happened. A row without a source
/// says how many rows the part has.
pub(crate) fn faults() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new(PART, DataType::Int32, false),
        Field::new("row", DataType::UInt64, false),
        Field::new("source", DataType::Int32, true),
        Field::new("count", DataType::UInt64, false),
        Field::new("message", DataType::Utf8, false),
    ]))
}

/// The parts that a task works on, as text.
pub(crate) fn parts() -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new("part", DataType::Utf8, false)]))
}
