//! Votes that the data holds already, in a plan.

use arrow::array::{ArrayRef, Float64Array, Int16Array};
use arrow::compute::cast;
use arrow::datatypes::DataType;

use super::class::texts;
use crate::rules::Cells;

/// What the source says by each cell of a column.
pub(super) fn read(cells: &Cells, column: &ArrayRef) -> Result<Int16Array, String> {
    if cells.are_numbers() && column.data_type().is_numeric() {
        let numbers = cast(column, &DataType::Float64).map_err(|error| error.to_string())?;
        let numbers = numbers.as_any().downcast_ref::<Float64Array>().ok_or("not numbers")?;
        return Ok(numbers
            .iter()
            .map(|number| number.and_then(|number| cells.read_number(number)))
            .collect());
    }
    Ok(texts(column)?.iter().map(|cell| cell.and_then(|cell| cells.read(cell))).collect())
}
