//! The first rows of a table with typed columns, looked at before it is read.

use arrow::array::{Array as _, RecordBatch};
use arrow::datatypes::Schema;
use consilience::votes::survey::{Sample, SampleColumn};

use super::array::{cells_as_text, holds_votes};
use crate::read::error::Problem;
use crate::read::plan::sample_rows;

/// The first rows of a table with typed columns.
pub(super) fn of_batches(schema: &Schema, batches: &[RecordBatch], whole: bool) -> Result<Sample, Problem> {
    let most = sample_rows(schema.fields().len());
    let mut columns: Vec<SampleColumn> =
        schema.fields().iter().map(|field| SampleColumn::new(field.name())).collect();
    let mut seen = 0;
    for batch in batches {
        let rows = batch.num_rows().min(most - seen);
        for (at, column) in columns.iter_mut().enumerate() {
            let kind = schema.field(at).data_type();
            if !holds_votes(kind) {
                column.kind = Some(kind.to_string());
                (0..rows).for_each(|_| column.push(""));
                continue;
            }
            let texts = cells_as_text(&batch.column(at).slice(0, rows))?;
            (0..rows).for_each(|row| column.push(if texts.is_null(row) { "" } else { texts.value(row) }));
        }
        seen += rows;
        if seen == most {
            break;
        }
    }
    let all = batches.iter().map(RecordBatch::num_rows).sum::<usize>();
    Ok(Sample { columns, whole: whole && seen == all })
}
