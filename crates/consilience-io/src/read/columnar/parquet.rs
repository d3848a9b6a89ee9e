//! Votes from Parquet.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use super::batches::{check_types, column_names, read_long_batches};
use super::page_sizes;
use super::sample;
use super::strips::{Assembly, Strip, StripBatch, StripProblem, batch_rows, read_all, strips};
use crate::decode::fenced;
use crate::read::Report;
use crate::read::columns::{Layout, Role};
use crate::read::error::{Place, Problem, ReadError};
use crate::read::handover::{Ending, Handover};
use crate::read::options::ReadOptions;
use crate::read::plan::{Plan, plan, sample_rows};
use crate::read::wide_rows::WideRows;

pub(super) fn read(
    file: File,
    place: &Place,
    options: &ReadOptions,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let broken = |detail| place.clone().because(damaged(detail));
    let parquet = Parquet::open(file, place)?;
    let schema = parquet.metadata.schema().clone();
    let names = column_names(&schema, place)?;
    let at = |problem| place.clone().because(problem);
    let first: Vec<RecordBatch> = parquet
        .batches((0..names.len()).collect(), sample_rows(names.len()))
        .map_err(at)?
        .take(1)
        .collect::<Result<_, _>>()
        .map_err(at)?;
    let whole = first.iter().map(|batch| batch.num_rows() as u64).sum::<u64>() == parquet.rows();
    let sample = sample::of_batches(&schema, &first, whole).map_err(at)?;
    drop(first);
    let Plan { layout, options, notes } =
        plan(&sample, options).map_err(|(column, problem)| at_column(place, column).because(problem))?;
    let options = &*options;
    match layout {
        Layout::Wide { sources, roles } => {
            check_types(&schema, &roles, place)?;
            let table = WideRows::new(sources, options, notes, handover.limit);
            read_wide(&parquet, &roles, table, place, handover, report)
        }
        Layout::Long(columns) => {
            let mut reader = fenced(|| parquet.reader(columns.used())).map_err(broken)?;
            let total = parquet.rows();
            let batches = std::iter::from_fn(|| next_batch(&mut reader));
            let table = read_long_batches(batches, &schema, columns, place, options, notes, |rows| {
                report.rows(rows, fraction(rows, total));
            })?;
            handover.give_whole(table, place)
        }
    }
}

pub(super) fn at_column(place: &Place, column: Option<String>) -> Place {
    column.map_or_else(|| place.clone(), |column| place.column(&column))
}

fn damaged(detail: String) -> Problem {
    Problem::Damaged { what: "Parquet", detail }
}

fn next_batch(reader: &mut ParquetRecordBatchReader) -> Option<Result<RecordBatch, Problem>> {
    fenced(|| reader.next().transpose()).map_err(damaged).transpose()
}

fn fraction(rows: u64, total: u64) -> Option<f64> {
    (total > 0).then(|| rows as f64 / total as f64)
}

/// A Parquet file with its metadata, to be read by several readers at once.
pub(super) struct Parquet {
    file: SharedFile,
    metadata: ArrowReaderMetadata,
}

impl Parquet {
    pub(super) fn open(file: File, place: &Place) -> Result<Self, ReadError> {
        let file = SharedFile::new(file).map_err(|error| place.clone().because(error))?;
        let metadata = fenced(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()))
            .map_err(|detail| place.clone().because(damaged(detail)))?;
        page_sizes::check(&file, file.length, metadata.metadata())
            .map_err(|detail| place.clone().because(damaged(detail)))?;
        Ok(Self { file, metadata })
    }

    pub(super) fn schema(&self) -> &Schema {
        self.metadata.schema()
    }

    pub(super) fn rows(&self) -> u64 {
        self.metadata.metadata().file_metadata().num_rows().unsigned_abs()
    }

    fn reader(&self, columns: Vec<usize>) -> Result<ParquetRecordBatchReader, ParquetError> {
        self.reader_of(columns, batch_rows(self.metadata.schema().fields().len()))
    }

    fn reader_of(&self, columns: Vec<usize>, rows: usize) -> Result<ParquetRecordBatchReader, ParquetError> {
        let mask = ProjectionMask::roots(self.metadata.parquet_schema(), columns);
        ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), self.metadata.clone())
            .with_projection(mask)
            .with_batch_size(rows)
            .build()
    }

    /// Some columns, in the order of the file, `rows` rows at a time.
    pub(super) fn batches(
        &self,
        columns: Vec<usize>,
        rows: usize,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Problem>> + use<>, Problem> {
        let mut reader = fenced(|| self.reader_of(columns, rows)).map_err(damaged)?;
        Ok(std::iter::from_fn(move || next_batch(&mut reader)))
    }
}

struct ParquetStrip {
    strip: Strip,
    reader: ParquetRecordBatchReader,
}

impl ParquetStrip {
    fn next(&mut self) -> Option<Result<StripBatch, StripProblem>> {
        Some(match next_batch(&mut self.reader)? {
            Ok(batch) => self.strip.read(batch.columns()).map_err(StripProblem::Cell),
            Err(problem) => Err(StripProblem::Broken(problem)),
        })
    }
}

fn read_wide(
    parquet: &Parquet,
    roles: &[Role],
    table: WideRows<'_>,
    place: &Place,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let at = |problem: Problem| place.clone().because(problem);
    let names: Vec<String> = parquet.schema().fields().iter().map(|field| field.name().clone()).collect();
    let batch = handover.limit.batch(batch_rows(names.len()));
    let mut strips = strips(&names, roles, table.options)
        .into_iter()
        .map(|strip| {
            let columns = strip.columns.iter().map(|column| column.index).collect();
            Ok(ParquetStrip { reader: fenced(|| parquet.reader_of(columns, batch))?, strip })
        })
        .collect::<Result<Vec<_>, String>>()
        .map_err(|detail| at(damaged(detail)))?;
    let mut assembly = Assembly::new(table);
    let total = parquet.rows();
    let mut ready = read_all(&mut strips, ParquetStrip::next);
    while let Some(batches) = ready {
        let batches = batches.map_err(|problem| problem.at(place, assembly.table.rows()))?;
        assembly.learn_classes(strips.iter().map(|strip| &strip.strip)).map_err(at)?;
        let (pushed, next) =
            rayon::join(|| assembly.push(&batches), || read_all(&mut strips, ParquetStrip::next));
        pushed.map_err(at)?;
        if let Some(part) = assembly.table.full_part().map_err(at)? {
            handover.give(part, place)?;
        }
        let rows = assembly.table.rows();
        report.rows(rows, fraction(rows, total));
        ready = next;
    }
    handover.finish(assembly.table, place)
}

/// A file that many readers share; each reads at positions of its own, since handles of one file share one cursor.
#[derive(Clone)]
struct SharedFile {
    file: Arc<File>,
    length: u64,
}

impl SharedFile {
    fn new(file: File) -> io::Result<Self> {
        Ok(Self { length: file.metadata()?.len(), file: Arc::new(file) })
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(ReadFrom { file: self.file.clone(), position: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        // Lengths come from the file, which may lie; memory is asked for only once the bytes are known to be there.
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} are not there")));
        }
        let mut bytes = vec![0; length];
        ReadFrom { file: self.file.clone(), position: start }.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// Reads from a position on without moving the file's cursor.
struct ReadFrom {
    file: Arc<File>,
    position: u64,
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let count = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.position)?;
        #[cfg(windows)]
        let count = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.position)?;
        self.position += count as u64;
        Ok(count)
    }
}
