//! What Parquet and Arrow tables have in common: typed columns, and rows that come in batches.

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::ReadingNote;

use super::array::{each_vote, holds_names, holds_votes, names};
use crate::read::VoteTable;
use crate::read::cell::VoteReader;
use crate::read::columns::{LongColumns, Role};
use crate::read::error::{Place, Problem, ReadError};
use crate::read::options::ReadOptions;
use crate::read::rows::LongRows;

/// The names of the columns, of which there is at least one.
pub(super) fn column_names(schema: &Schema, place: &Place) -> Result<Vec<String>, ReadError> {
    if schema.fields().is_empty() {
        return Err(place.clone().because(Problem::NoColumns));
    }
    Ok(schema.fields().iter().map(|field| field.name().clone()).collect())
}

/// Refuses columns whose type cannot hold what they are for.
pub(super) fn check_types(schema: &Schema, roles: &[Role], place: &Place) -> Result<(), ReadError> {
    for (field, role) in schema.fields().iter().zip(roles) {
        check_type(field, *role, place)?;
    }
    Ok(())
}

fn check_type(field: &arrow::datatypes::Field, role: Role, place: &Place) -> Result<(), ReadError> {
    let kind = field.data_type();
    let place = || place.column(field.name());
    match role {
        Role::Source(_) | Role::Gold if !holds_votes(kind) => {
            Err(place().because(Problem::ColumnType { kind: kind.to_string() }))
        }
        Role::Item if !holds_names(kind) => {
            Err(place().because(Problem::ItemType { kind: kind.to_string() }))
        }
        _ => Ok(()),
    }
}

/// Reads a long table; each batch holds the used columns in the order of the file.
pub(super) fn read_long_batches(
    batches: impl Iterator<Item = Result<RecordBatch, Problem>>,
    schema: &Schema,
    columns: LongColumns,
    place: &Place,
    options: &ReadOptions,
    notes: Vec<ReadingNote>,
    progress: impl Fn(u64),
) -> Result<VoteTable, ReadError> {
    let used = columns.used();
    for (column, role) in [
        (Some(columns.item), Role::Item),
        (Some(columns.source), Role::Item),
        (Some(columns.vote), Role::Source(0)),
        (columns.gold, Role::Gold),
    ] {
        if let Some(column) = column {
            check_type(schema.field(column), role, place)?;
        }
    }
    let mut table = LongRows::new(options);
    let mut before = 0u64;
    for batch in batches {
        let batch = batch.map_err(|problem| place.clone().because(problem))?;
        let at = |row: usize, column: usize| {
            place.row(before + row as u64 + 1).column(schema.field(column).name())
        };
        let array = |column: usize| {
            let position = used.iter().position(|&c| c == column).unwrap_or_default();
            batch.column(position)
        };
        let text = |column: usize| {
            names(array(column)).map_err(|problem| place.column(schema.field(column).name()).because(problem))
        };
        let votes = |column: usize, reader: &mut VoteReader| -> Result<Vec<Vote>, ReadError> {
            let mut votes = vec![ABSTAIN; batch.num_rows()];
            each_vote(array(column), reader, &mut |row, vote| votes[row as usize] = vote)
                .map_err(|(row, problem)| at(row, column).because(problem))?;
            Ok(votes)
        };
        let (items, sources) = (text(columns.item)?, text(columns.source)?);
        let cast = votes(columns.vote, &mut table.reader)?;
        let gold = match (columns.gold, &mut table.gold) {
            (Some(column), Some(gold)) => votes(column, &mut gold.reader)?,
            _ => vec![ABSTAIN; batch.num_rows()],
        };
        for (row, (&vote, &gold)) in cast.iter().zip(&gold).enumerate() {
            let (item, source) = (items.value(row), sources.value(row));
            for (name, column) in [(item, columns.item), (source, columns.source)] {
                if name.is_empty() {
                    return Err(at(row, column).because(Problem::EmptyName));
                }
            }
            table
                .push(item, source, vote, gold)
                .map_err(|problem| place.row(before + row as u64 + 1).because(problem))?;
        }
        before += batch.num_rows() as u64;
        progress(before);
    }
    table.finish(options, notes).map_err(|problem| place.clone().because(problem))
}
