//! Reads the columns that sources want, file after file, as batches in the order of the rows.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray, StringBuilder};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};
use arrow::util::display::FormatOptions;
use consilience_io::{Format, Input, Problem, ReadError, fenced, read_table};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use super::data::{Data, DataError, DataFile};

/// Rows of a batch.
pub(super) const BATCH: usize = 8192;

/// Bytes of text of a batch: a batch of very long texts has fewer rows.
const BATCH_TEXT: usize = 16 << 20;

/// Takes batches; false says that no more are wanted.
pub(super) type Take<'a> = dyn FnMut(RecordBatch, Option<f64>) -> bool + 'a;

/// The batches of a file as they are read.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

enum Layout {
    Parquet,
    Arrow,
    ArrowStream,
}

fn layout(path: &std::path::Path) -> Result<Option<Layout>, DataError> {
    let failed = |error| DataError::Io { name: path.display().to_string(), error };
    let mut head = [0; 6];
    let mut file = File::open(path).map_err(failed)?;
    // A folder can be opened but not read; tables of text say so in their own words.
    let Ok(length) = file.read(&mut head) else { return Ok(None) };
    Ok(match &head[..length] {
        [b'P', b'A', b'R', b'1', ..] => Some(Layout::Parquet),
        b"ARROW1" => Some(Layout::Arrow),
        [0xff, 0xff, 0xff, 0xff, ..] => Some(Layout::ArrowStream),
        _ => None,
    })
}

fn columnar_file(file: &DataFile) -> Result<Option<(&std::path::Path, Layout)>, DataError> {
    let Input::Path(path) = &file.input else { return Ok(None) };
    Ok(layout(path)?.map(|layout| (path.as_path(), layout)))
}

/// The columns of a file whose columns have types; none of a file of text.
pub(super) fn schema(file: &DataFile) -> Result<Option<SchemaRef>, DataError> {
    let Some((path, layout)) = columnar_file(file)? else { return Ok(None) };
    Ok(Some(match layout {
        Layout::Parquet => parquet(open_file(path)?, path)?.schema().clone(),
        Layout::Arrow => arrow_file(path)?.schema(),
        Layout::ArrowStream => arrow_stream(path)?.schema(),
    }))
}

fn damaged(path: &std::path::Path, detail: String) -> DataError {
    DataError::Columnar { file: path.display().to_string(), detail }
}

fn open_file(path: &std::path::Path) -> Result<File, DataError> {
    File::open(path).map_err(|error| DataError::Io { name: path.display().to_string(), error })
}

fn arrow_file(path: &std::path::Path) -> Result<FileReader<BufReader<File>>, DataError> {
    let file = BufReader::new(open_file(path)?);
    fenced(|| FileReader::try_new(file, None)).map_err(|detail| damaged(path, detail))
}

fn arrow_stream(path: &std::path::Path) -> Result<StreamReader<BufReader<File>>, DataError> {
    let file = BufReader::new(open_file(path)?);
    fenced(|| StreamReader::try_new(file, None)).map_err(|detail| damaged(path, detail))
}

fn parquet(file: File, path: &std::path::Path) -> Result<ParquetRecordBatchReaderBuilder<File>, DataError> {
    // The types are those of the file; what a writer's own schema says of dictionaries and views would only differ by file.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    fenced(|| ParquetRecordBatchReaderBuilder::try_new_with_options(file, options))
        .map_err(|detail| damaged(path, detail))
}

/// Reads all files of `data`: the columns of `schema`, as its types.
pub(super) fn read(data: &Data, schema: &SchemaRef, take: &mut Take<'_>) -> Result<(), DataError> {
    let files = data.files.len() as f64;
    for (number, file) in data.files.iter().enumerate() {
        let mut more = true;
        let mut take = |batch: RecordBatch, fraction: Option<f64>| {
            let fraction = fraction.map(|fraction| (number as f64 + fraction) / files);
            more = take(batch, fraction);
            more
        };
        match read_file(file, data.format, schema, &mut take) {
            // One of several files may be empty.
            Err(DataError::Table(error)) if has_no_rows(&error) && data.files.len() > 1 => {}
            read => read?,
        }
        if !more {
            break;
        }
    }
    Ok(())
}

/// Whether a table was refused only because it is empty.
pub(super) fn has_no_rows(error: &ReadError) -> bool {
    matches!(*error.problem, Problem::NoRows)
}

/// Reads one file, or the part of it that is asked for.
pub(super) fn read_file(
    file: &DataFile,
    format: Option<Format>,
    schema: &SchemaRef,
    take: &mut Take<'_>,
) -> Result<(), DataError> {
    match columnar_file(file)? {
        Some((path, layout)) => columnar(file, path, &layout, schema, take),
        None => text(file, format, schema, take),
    }
}

/// Fewer than [`BATCH`] if the texts are long.
fn rows_of_a_batch(metadata: &ParquetMetaData, wanted: &ProjectionMask) -> usize {
    let of_group = |group: &RowGroupMetaData| {
        let columns = group.columns().iter().enumerate().filter(|(at, _)| wanted.leaf_included(*at));
        let bytes: i64 = columns.map(|(_, column)| column.uncompressed_size()).sum();
        (BATCH_TEXT as i64).saturating_mul(group.num_rows()) / bytes.max(1)
    };
    let rows = metadata.row_groups().iter().map(of_group).min();
    rows.and_then(|rows| usize::try_from(rows).ok()).unwrap_or(BATCH).clamp(1, BATCH)
}

/// Where each row group of a Parquet file begins, and its rows; none for files of other formats.
pub(super) fn row_groups(file: &DataFile) -> Result<Option<Vec<(i64, u64)>>, DataError> {
    let Some((path, Layout::Parquet)) = columnar_file(file)? else { return Ok(None) };
    let builder = parquet(open_file(path)?, path)?;
    let groups = builder.metadata().row_groups().iter().map(|group| {
        let start = group
            .columns()
            .first()
            .map_or(0, |column| column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset()));
        (start, u64::try_from(group.num_rows()).unwrap_or(0))
    });
    Ok(Some(groups.collect()))
}

/// Which column of the file, or which constant of its folders, makes each column of the schema.
enum From {
    Column(usize),
    Folder(String),
}

fn origins(file: &DataFile, names: &[String], schema: &Schema) -> Result<Vec<From>, DataError> {
    let origin = |name: &String| {
        if let Some(at) = names.iter().position(|column| column == name) {
            return Ok(From::Column(at));
        }
        let folder = file.folders.iter().find(|(key, _)| key == name);
        folder.map(|(_, value)| From::Folder(value.clone())).ok_or_else(|| DataError::NoColumn {
            file: file.input.name(),
            column: name.clone(),
            wanted: "the sources".to_string(),
            columns: names.join(", "),
        })
    };
    schema.fields().iter().map(|field| origin(field.name())).collect()
}

/// For each column of the schema, its value if the names of folders give it.
pub(super) fn constants(
    file: &DataFile,
    format: Option<Format>,
    wanted: &SchemaRef,
) -> Result<Vec<Option<String>>, DataError> {
    let names = match schema(file)? {
        Some(schema) => schema.fields().iter().map(|field| field.name().clone()).collect(),
        None => header(file, format)?,
    };
    let value = |from| match from {
        From::Column(_) => None,
        From::Folder(value) => Some(value),
    };
    Ok(origins(file, &names, wanted)?.into_iter().map(value).collect())
}

/// The names of the columns of a file of text.
fn header(file: &DataFile, format: Option<Format>) -> Result<Vec<String>, DataError> {
    let names = RefCell::new(Vec::new());
    let read = read_table::<(), Stop>(
        &file.input,
        format,
        |header| {
            names.replace(header.names().to_vec());
            Ok((Vec::new(), ()))
        },
        |(), _| Err(Stop::Enough),
        &|_| (),
    );
    match read {
        Ok(()) | Err(Stop::Enough) => Ok(names.take()),
        Err(Stop::Read(error)) => Err(error.into()),
        Err(Stop::Data(error)) => Err(error),
    }
}

/// A column of `rows` times the same text, or nothing if it is empty.
fn constant(value: &str, rows: usize) -> ArrayRef {
    let value = (!value.is_empty()).then_some(value);
    Arc::new(std::iter::repeat_n(value, rows).collect::<StringArray>())
}

/// A cell that cannot be converted is an error, not a missing value.
const STRICT: CastOptions<'static> = CastOptions { safe: false, format_options: FormatOptions::new() };

/// The same column with missing values in place of empty texts: an empty cell is a missing value in any format.
fn without_empty_texts(column: ArrayRef) -> ArrayRef {
    let Some(texts) = column.as_any().downcast_ref::<StringArray>() else { return column };
    let empty = texts.offsets().windows(2).filter(|ends| ends[0] == ends[1]).count();
    if empty == texts.null_count() {
        return column;
    }
    let filled: BooleanBuffer = texts.offsets().windows(2).map(|ends| ends[0] < ends[1]).collect();
    let valid = NullBuffer::union(texts.nulls(), Some(&NullBuffer::new(filled)));
    Arc::new(StringArray::new(texts.offsets().clone(), texts.values().clone(), valid))
}

/// What Arrow says is wrong, without its own classes of errors before it.
fn said(error: &ArrowError) -> String {
    let text = error.to_string();
    text.split_once("error: ").map_or(text.clone(), |(_, what)| what.to_string())
}

fn batch(
    file: &DataFile,
    columns: Vec<ArrayRef>,
    rows: usize,
    schema: &SchemaRef,
) -> Result<RecordBatch, DataError> {
    let damaged = |detail: String| DataError::Columnar { file: file.input.name(), detail };
    let columns = columns.into_iter().zip(schema.fields()).map(|(column, field)| {
        if column.data_type() == field.data_type() {
            return Ok(without_empty_texts(column));
        }
        cast_with_options(&column, field.data_type(), &STRICT)
            .map(without_empty_texts)
            .map_err(|error| damaged(format!("column {:?}: {}", field.name(), said(&error))))
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
        .map_err(|error| damaged(error.to_string()))
}

fn columnar(
    file: &DataFile,
    path: &std::path::Path,
    layout: &Layout,
    schema: &SchemaRef,
    take: &mut dyn FnMut(RecordBatch, Option<f64>) -> bool,
) -> Result<(), DataError> {
    let names =
        |schema: &Schema| schema.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    let (mut batches, own, total): (Batches, Vec<String>, Option<usize>) = match layout {
        Layout::Parquet => {
            let builder = parquet(open_file(path)?, path)?;
            let own = names(builder.schema());
            let wanted: Vec<usize> = origins(file, &own, schema)?
                .iter()
                .filter_map(|from| match from {
                    From::Column(at) => Some(*at),
                    From::Folder(_) => None,
                })
                .collect();
            let total = usize::try_from(builder.metadata().file_metadata().num_rows()).ok();
            let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.iter().copied());
            let rows = rows_of_a_batch(builder.metadata(), &mask);
            let mut builder = builder.with_projection(mask).with_batch_size(rows);
            if let Some((from, to)) = file.groups {
                builder = builder.with_row_groups((from..to).collect());
            }
            let reader = builder.build();
            let reader = reader.map_err(|error| damaged(path, error.to_string()))?;
            let mut kept = wanted;
            kept.sort_unstable();
            kept.dedup();
            (Box::new(reader), kept.into_iter().map(|at| own[at].clone()).collect(), total)
        }
        Layout::Arrow => {
            let reader = arrow_file(path)?;
            let own = names(&reader.schema());
            (Box::new(reader), own, None)
        }
        Layout::ArrowStream => {
            let reader = arrow_stream(path)?;
            let own = names(&reader.schema());
            (Box::new(reader), own, None)
        }
    };
    let origins = origins(file, &own, schema)?;
    let mut rows = 0;
    while let Some(found) = fenced(|| batches.next().transpose()).map_err(|detail| damaged(path, detail))? {
        rows += found.num_rows();
        let fraction = total.map(|total| rows as f64 / total.max(1) as f64);
        // Arrow files may have batches of any size; ours are small enough to be shared among cores.
        for start in (0..found.num_rows()).step_by(BATCH) {
            let length = BATCH.min(found.num_rows() - start);
            let columns = origins.iter().map(|from| match from {
                From::Column(at) => found.column(*at).slice(start, length),
                From::Folder(value) => constant(value, length),
            });
            if !take(batch(file, columns.collect(), length, schema)?, fraction) {
                return Ok(());
            }
        }
    }
    Ok(())
}

enum Stop {
    Enough,
    Read(ReadError),
    Data(DataError),
}

impl std::convert::From<ReadError> for Stop {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// Columns of texts that grow row by row.
struct Growing {
    origins: Vec<From>,
    builders: Vec<StringBuilder>,
    rows: usize,
    bytes: usize,
}

impl Growing {
    fn finish(&mut self, file: &DataFile, schema: &SchemaRef) -> Result<RecordBatch, DataError> {
        let rows = std::mem::take(&mut self.rows);
        self.bytes = 0;
        let mut builders = self.builders.iter_mut();
        let columns = self.origins.iter().map(|from| match from {
            From::Column(_) => builders
                .next()
                .map_or_else(|| constant("", rows), |builder| Arc::new(builder.finish()) as ArrayRef),
            From::Folder(value) => constant(value, rows),
        });
        batch(file, columns.collect(), rows, schema)
    }
}

fn text(
    file: &DataFile,
    format: Option<Format>,
    schema: &SchemaRef,
    take: &mut dyn FnMut(RecordBatch, Option<f64>) -> bool,
) -> Result<(), DataError> {
    let fraction = Cell::new(None);
    let take = RefCell::new(take);
    let read = read_table::<Growing, Stop>(
        &file.input,
        format,
        |header| {
            let origins = origins(file, header.names(), schema).map_err(Stop::Data)?;
            let wanted: Vec<usize> = origins
                .iter()
                .filter_map(|from| match from {
                    From::Column(at) => Some(*at),
                    From::Folder(_) => None,
                })
                .collect();
            for &at in &wanted {
                header.find("the sources", &header.names()[at])?;
            }
            let builders = wanted.iter().map(|_| StringBuilder::new()).collect();
            Ok((wanted, Growing { origins, builders, rows: 0, bytes: 0 }))
        },
        |growing, row| {
            for (i, builder) in growing.builders.iter_mut().enumerate() {
                let cell = row.cell(i);
                growing.bytes += cell.len();
                // A file of text cannot tell an empty cell from none.
                if cell.is_empty() {
                    builder.append_null();
                } else {
                    builder.append_value(cell);
                }
            }
            growing.rows += 1;
            if growing.rows == BATCH || growing.bytes >= BATCH_TEXT {
                let made = growing.finish(file, schema).map_err(Stop::Data)?;
                if !(take.borrow_mut())(made, fraction.get()) {
                    return Err(Stop::Enough);
                }
            }
            Ok(())
        },
        &|progress| fraction.set(progress.fraction),
    );
    match read {
        Ok(mut growing) if growing.rows > 0 => {
            let made = growing.finish(file, schema)?;
            (take.borrow_mut())(made, fraction.get());
            Ok(())
        }
        Ok(_) | Err(Stop::Enough) => Ok(()),
        Err(Stop::Read(error)) => Err(error.into()),
        Err(Stop::Data(error)) => Err(error),
    }
}

/// The type of a column that holds texts.
pub(super) const TEXT: DataType = DataType::Utf8;
