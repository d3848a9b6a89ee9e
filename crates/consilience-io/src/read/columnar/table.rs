//! Any table with typed columns, row by row, as text.

use std::borrow::Cow;

use arrow::array::{Array as _, LargeStringArray, RecordBatch};
use arrow::datatypes::Schema;

use super::array::cells_as_text;
use super::batches::column_names;
use super::ipc;
use super::parquet::Parquet;
use crate::input::Columnar;
use crate::read::Report;
use crate::read::error::{Problem, ReadError};
use crate::read::table::{Table, TableHeader, TableRow};

/// Rows that are decoded at a time; texts can be long.
const BATCH: usize = 1024;

impl<S, E, C, T> Table<'_, S, C, T>
where
    E: From<ReadError>,
    C: FnOnce(&TableHeader) -> Result<(Vec<usize>, S), E>,
    T: FnMut(&mut S, &TableRow<'_>) -> Result<(), E>,
{
    pub(in crate::read) fn columnar(&mut self, content: Columnar, report: &Report<'_>) -> Result<(), E> {
        let place = self.place;
        match content {
            Columnar::Parquet(file) => self.parquet(file, report),
            Columnar::Arrow(file) => {
                let (schema, batches) =
                    ipc::file_batches(file).map_err(|problem| place.clone().because(problem))?;
                self.arrow(&schema, batches, report)
            }
            Columnar::ArrowStream(stream) => {
                let (schema, batches) =
                    ipc::stream_batches(stream).map_err(|problem| place.clone().because(problem))?;
                self.arrow(&schema, batches, report)
            }
        }
    }

    fn parquet(&mut self, file: std::fs::File, report: &Report<'_>) -> Result<(), E> {
        let parquet = Parquet::open(file, self.place)?;
        let names = column_names(parquet.schema(), self.place)?;
        let wanted = self.choose(self.place.clone(), &names)?;
        let mut used = wanted.clone();
        used.sort_unstable();
        used.dedup();
        let positions: Vec<usize> =
            wanted.iter().map(|column| used.partition_point(|u| u < column)).collect();
        let columns: Vec<&str> = wanted.iter().map(|&column| names[column].as_str()).collect();
        let total = parquet.rows().max(1) as f64;
        let batches = parquet.batches(used, BATCH).map_err(|problem| self.place.clone().because(problem))?;
        for batch in batches {
            let batch = batch.map_err(|problem| self.place.clone().because(problem))?;
            self.batch(&batch, &positions, &columns)?;
            report.rows(self.rows, Some(self.rows as f64 / total));
        }
        Ok(())
    }

    fn arrow(
        &mut self,
        schema: &Schema,
        batches: impl Iterator<Item = Result<RecordBatch, Problem>>,
        report: &Report<'_>,
    ) -> Result<(), E> {
        let names = column_names(schema, self.place)?;
        let wanted = self.choose(self.place.clone(), &names)?;
        let columns: Vec<&str> = wanted.iter().map(|&column| names[column].as_str()).collect();
        for batch in batches {
            let batch = batch.map_err(|problem| self.place.clone().because(problem))?;
            // One batch may hold the whole table.
            for start in (0..batch.num_rows()).step_by(BATCH) {
                let slice = batch.slice(start, BATCH.min(batch.num_rows() - start));
                self.batch(&slice, &wanted, &columns)?;
                report.rows(self.rows, report.consumed.fraction());
            }
        }
        Ok(())
    }

    /// The rows of a batch whose columns at `positions` are those asked for.
    fn batch(&mut self, batch: &RecordBatch, positions: &[usize], columns: &[&str]) -> Result<(), E> {
        let place = self.place;
        let as_text = |(&position, column): (&usize, &&str)| {
            cells_as_text(batch.column(position)).map_err(|problem| place.column(column).because(problem))
        };
        let arrays = positions.iter().zip(columns).map(as_text).collect::<Result<Vec<_>, ReadError>>()?;
        for row in 0..batch.num_rows() {
            let cells: Vec<Cow<'_, str>> = arrays.iter().map(|array| text_at(array, row)).collect();
            let number = self.rows + 1;
            self.row(&cells, columns, &|| place.row(number))?;
        }
        Ok(())
    }
}

fn text_at(array: &LargeStringArray, row: usize) -> Cow<'_, str> {
    Cow::Borrowed(if array.is_null(row) { "" } else { array.value(row) })
}
