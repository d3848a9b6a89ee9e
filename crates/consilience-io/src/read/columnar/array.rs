//! Votes and names from Arrow arrays, one column at a time and only if a cell holds something.

use arrow::array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::array::{Array, ArrayAccessor, AsArray, LargeStringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::VoteError;

use crate::read::cell::VoteReader;
use crate::read::error::Problem;

/// A problem in a row of an array, counted from 0.
pub(super) type RowProblem = (usize, Problem);

/// Whether a column of this type can hold votes.
pub(super) fn holds_votes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => {
            !matches!(**values, DataType::Dictionary(_, _)) && holds_votes(values)
        }
        DataType::Null
        | DataType::Boolean
        | DataType::Float16
        | DataType::Float32
        | DataType::Float64
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View => true,
        other => other.is_integer(),
    }
}

/// Whether a column of this type can name items or sources.
pub(super) fn holds_names(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => holds_names(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        other => other.is_integer(),
    }
}

/// Calls `take` with the row and vote of every cell that does not abstain, in the order of the rows.
pub(super) fn each_vote(
    array: &dyn Array,
    reader: &mut VoteReader,
    take: &mut impl FnMut(u32, Vote),
) -> Result<(), RowProblem> {
    match array.data_type() {
        DataType::Dictionary(_, _) => dictionary(array, reader, take),
        _ => plain(array, reader, take),
    }
}

fn plain(
    array: &dyn Array,
    reader: &mut VoteReader,
    take: &mut impl FnMut(u32, Vote),
) -> Result<(), RowProblem> {
    match array.data_type() {
        DataType::Null => Ok(()),
        DataType::Int8 => numbers::<Int8Type>(array, |n| reader.integer(i64::from(n)), take),
        DataType::Int16 => numbers::<Int16Type>(array, |n| reader.integer(i64::from(n)), take),
        DataType::Int32 => numbers::<Int32Type>(array, |n| reader.integer(i64::from(n)), take),
        DataType::Int64 => numbers::<Int64Type>(array, |n| reader.integer(n), take),
        DataType::UInt8 => {
            numbers::<UInt8Type>(array, |n| reader.unsigned_up_to(u64::from(n), u64::from(u8::MAX)), take)
        }
        DataType::UInt16 => {
            numbers::<UInt16Type>(array, |n| reader.unsigned_up_to(u64::from(n), u64::from(u16::MAX)), take)
        }
        DataType::UInt32 => {
            numbers::<UInt32Type>(array, |n| reader.unsigned_up_to(u64::from(n), u64::from(u32::MAX)), take)
        }
        DataType::UInt64 => numbers::<UInt64Type>(array, |n| reader.unsigned_up_to(n, u64::MAX), take),
        DataType::Float16 => numbers::<Float16Type>(array, |n| reader.float(n.to_f64()), take),
        DataType::Float32 => numbers::<Float32Type>(array, |n| reader.float(f64::from(n)), take),
        DataType::Float64 => numbers::<Float64Type>(array, |n| reader.float(n), take),
        DataType::Boolean => cells(array.as_boolean(), |value| reader.boolean(value), take),
        DataType::Utf8 => cells(array.as_string::<i32>(), |text| reader.text(text), take),
        DataType::LargeUtf8 => cells(array.as_string::<i64>(), |text| reader.text(text), take),
        DataType::Utf8View => cells(array.as_string_view(), |text| reader.text(text), take),
        other => Err((0, Problem::ColumnType { kind: other.to_string() })),
    }
}

fn numbers<T: ArrowPrimitiveType>(
    array: &dyn Array,
    read: impl FnMut(T::Native) -> Result<Vote, VoteError>,
    take: &mut impl FnMut(u32, Vote),
) -> Result<(), RowProblem> {
    cells(array.as_primitive::<T>(), read, take)
}

fn cells<A: ArrayAccessor + Copy>(
    array: A,
    mut read: impl FnMut(A::Item) -> Result<Vote, VoteError>,
    take: &mut impl FnMut(u32, Vote),
) -> Result<(), RowProblem> {
    let mut cell = |row: usize| {
        let vote = read(array.value(row)).map_err(|error| (row, error.into()))?;
        if vote != ABSTAIN {
            take(row as u32, vote);
        }
        Ok(())
    };
    match array.nulls().filter(|nulls| nulls.null_count() > 0) {
        Some(nulls) => nulls.valid_indices().try_for_each(&mut cell),
        None => (0..array.len()).try_for_each(&mut cell),
    }
}

/// Each entry of the dictionary is read once, and only if a cell uses it: an unused entry must not add a class.
fn dictionary(
    array: &dyn Array,
    reader: &mut VoteReader,
    take: &mut impl FnMut(u32, Vote),
) -> Result<(), RowProblem> {
    let Some(dictionary) = array.as_any_dictionary_opt() else { return Ok(()) };
    let values = dictionary.values();
    if values.is_empty() || dictionary.keys().null_count() == dictionary.len() {
        return Ok(());
    }
    let mut known: Vec<Option<Vote>> = vec![None; values.len()];
    let keys = dictionary.normalized_keys();
    let valid = |row: &usize| dictionary.keys().is_valid(*row);
    for row in (0..keys.len()).filter(valid) {
        let entry = &mut known[keys[row]];
        let vote = if let Some(vote) = *entry {
            vote
        } else {
            let mut vote = ABSTAIN;
            plain(&values.slice(keys[row], 1), reader, &mut |_, cast| vote = cast)
                .map_err(|(_, problem)| (row, problem))?;
            *entry.insert(vote)
        };
        if vote != ABSTAIN {
            take(row as u32, vote);
        }
    }
    Ok(())
}

/// The cells as text; a column of a type that names nothing is refused.
pub(super) fn names(array: &dyn Array) -> Result<LargeStringArray, Problem> {
    let refused = || Problem::ItemType { kind: array.data_type().to_string() };
    if !holds_names(array.data_type()) {
        return Err(refused());
    }
    let text = cast(array, &DataType::LargeUtf8).map_err(|_| refused())?;
    text.as_string_opt::<i64>().cloned().ok_or_else(refused)
}

/// The cells as text, numbers and booleans spelled out; columns with parts are refused.
pub(super) fn cells_as_text(array: &dyn Array) -> Result<LargeStringArray, Problem> {
    let refused = || Problem::CellType { kind: array.data_type().to_string() };
    if !holds_votes(array.data_type()) {
        return Err(refused());
    }
    let text = cast(array, &DataType::LargeUtf8).map_err(|_| refused())?;
    text.as_string_opt::<i64>().cloned().ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::types::Int32Type;
    use arrow::array::{
        ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int64Array, NullArray, StringArray,
        StringViewArray, UInt64Array,
    };

    use super::*;
    use crate::ReadOptions;

    type Found = (Vec<(u32, Vote)>, Vec<String>);

    fn read(array: &dyn Array) -> Result<Found, String> {
        let mut reader = VoteReader::new(&ReadOptions::default());
        let mut found = Vec::new();
        each_vote(array, &mut reader, &mut |row, vote| found.push((row, vote)))
            .map_err(|(row, problem)| format!("{row}: {problem}"))?;
        Ok((found, reader.vocabulary().names().to_vec()))
    }

    #[test]
    fn every_type_of_column_reads_alike() {
        let arrays: [ArrayRef; 5] = [
            Arc::new(Int8Array::from(vec![Some(1), None, None, Some(0)])),
            Arc::new(Int64Array::from(vec![Some(1), None, None, Some(0)])),
            Arc::new(Float64Array::from(vec![Some(1.0), None, Some(f64::NAN), Some(0.0)])),
            Arc::new(StringArray::from(vec![Some("1"), None, Some(""), Some("0")])),
            Arc::new(StringViewArray::from(vec![Some("1"), None, Some("?"), Some("0.0")])),
        ];
        for array in arrays {
            let (votes, classes) = read(&array).unwrap();
            assert_eq!(votes, [(0, 1), (3, 2)], "{}", array.data_type());
            assert_eq!(classes, ["1", "0"]);
        }
        let (votes, classes) = read(&BooleanArray::from(vec![Some(true), None, Some(false)])).unwrap();
        assert_eq!((votes, classes), (vec![(0, 1), (2, 2)], vec!["true".into(), "false".into()]));
        assert_eq!(read(&NullArray::new(3)).unwrap().0, []);
    }

    #[test]
    fn an_unused_dictionary_entry_adds_no_class() {
        let values = StringArray::from(vec![Some("a"), Some("unused"), Some("b"), None]);
        let keys =
            arrow::array::PrimitiveArray::<Int32Type>::from(vec![Some(2), None, Some(0), Some(3), Some(2)]);
        let array = DictionaryArray::new(keys, Arc::new(values));
        let (votes, classes) = read(&array).unwrap();
        assert_eq!(votes, [(0, 1), (2, 2), (4, 1)]);
        assert_eq!(classes, ["b", "a"]);
    }

    #[test]
    fn odd_cells_name_their_row() {
        assert!(read(&Float64Array::from(vec![1.0, 0.5])).unwrap_err().starts_with("1: the vote \"0.5\""));
        assert!(read(&UInt64Array::from(vec![u64::MAX])).is_err());
    }
}
