//! Votes from Arrow IPC, in the file and the stream form.

use std::fs::File;
use std::io::{BufRead, BufReader};

use arrow::array::RecordBatch;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};

use super::batches::{check_types, column_names, read_long_batches};
use super::ipc_sizes::{CheckedStream, check_file};
use super::parquet::at_column;
use super::sample;
use super::strips::{Assembly, Strip, StripProblem, batch_rows, read_all, strips};
use crate::decode::fenced;
use crate::read::Report;
use crate::read::columns::{Layout, Role};
use crate::read::error::{Place, Problem, ReadError};
use crate::read::handover::{Ending, Handover};
use crate::read::options::ReadOptions;
use crate::read::plan::{Plan, plan, sample_rows};
use crate::read::wide_rows::WideRows;

pub(super) fn read_file(
    file: File,
    place: &Place,
    options: &ReadOptions,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let reader = open_file(file).map_err(|problem| place.clone().because(problem))?;
    let schema = reader.schema();
    read(&schema, reader, place, options, handover, report)
}

fn open_file(mut file: File) -> Result<FileReader<BufReader<File>>, Problem> {
    check_file(&mut file).map_err(damaged)?;
    fenced(|| FileReader::try_new(BufReader::new(file), None)).map_err(damaged)
}

fn open_stream<R: BufRead>(stream: R) -> Result<StreamReader<CheckedStream<R>>, Problem> {
    fenced(|| StreamReader::try_new(CheckedStream::new(stream), None)).map_err(damaged)
}

pub(super) fn read_stream(
    stream: impl BufRead,
    place: &Place,
    options: &ReadOptions,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let reader = open_stream(stream).map_err(|problem| place.clone().because(problem))?;
    let schema = reader.schema();
    read(&schema, reader, place, options, handover, report)
}

/// The columns and the batches of a file.
pub(super) fn file_batches(
    file: File,
) -> Result<(SchemaRef, impl Iterator<Item = Result<RecordBatch, Problem>>), Problem> {
    let reader = open_file(file)?;
    Ok((reader.schema(), checked(reader)))
}

/// The columns and the batches of a stream.
pub(super) fn stream_batches(
    stream: impl BufRead,
) -> Result<(SchemaRef, impl Iterator<Item = Result<RecordBatch, Problem>>), Problem> {
    let reader = open_stream(stream)?;
    Ok((reader.schema(), checked(reader)))
}

fn checked(
    mut batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
) -> impl Iterator<Item = Result<RecordBatch, Problem>> {
    std::iter::from_fn(move || fenced(|| batches.next().transpose()).map_err(damaged).transpose())
}

fn damaged(detail: String) -> Problem {
    Problem::Damaged { what: "Arrow", detail }
}

fn read(
    schema: &Schema,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    place: &Place,
    options: &ReadOptions,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let names = column_names(schema, place)?;
    let at = |problem| place.clone().because(problem);
    let mut batches = checked(batches);
    let mut first: Vec<RecordBatch> = Vec::new();
    let mut whole = true;
    while first.iter().map(RecordBatch::num_rows).sum::<usize>() < sample_rows(names.len()) {
        let Some(batch) = batches.next() else { break };
        first.push(batch.map_err(at)?);
        whole = false;
    }
    if !whole {
        let next = batches.next().transpose().map_err(at)?;
        whole = next.is_none();
        first.extend(next);
    }
    let sample = sample::of_batches(schema, &first, whole).map_err(at)?;
    let batches = first.into_iter().map(Ok).chain(batches);
    let Plan { layout, options, notes } =
        plan(&sample, options).map_err(|(column, problem)| at_column(place, column).because(problem))?;
    let options = &*options;
    match layout {
        Layout::Wide { sources, roles } => {
            check_types(schema, &roles, place)?;
            let table = WideRows::new(sources, options, notes, handover.limit);
            read_wide(batches, &names, &roles, table, place, handover, report)
        }
        Layout::Long(columns) => {
            let used = columns.used();
            let batches = batches.map(|batch| {
                batch.and_then(|batch| batch.project(&used).map_err(|error| damaged(error.to_string())))
            });
            let progress = |rows| report.rows(rows, None);
            let table = read_long_batches(batches, schema, columns, place, options, notes, progress)?;
            handover.give_whole(table, place)
        }
    }
}

fn read_wide(
    batches: impl Iterator<Item = Result<RecordBatch, Problem>>,
    names: &[String],
    roles: &[Role],
    table: WideRows<'_>,
    place: &Place,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let at = |problem: Problem| place.clone().because(problem);
    let mut strips = strips(names, roles, table.options);
    let mut assembly = Assembly::new(table);
    let step = handover.limit.batch(batch_rows(names.len()));
    for batch in batches {
        let batch = batch.map_err(at)?;
        // One batch may hold the whole table.
        for start in (0..batch.num_rows()).step_by(step) {
            let slice = batch.slice(start, step.min(batch.num_rows() - start));
            let next = |strip: &mut Strip| {
                let arrays: Vec<_> =
                    strip.columns.iter().map(|column| slice.column(column.index).clone()).collect();
                Some(strip.read(&arrays).map_err(StripProblem::Cell))
            };
            if let Some(batches) = read_all(&mut strips, next) {
                let batches = batches.map_err(|problem| problem.at(place, assembly.table.rows()))?;
                assembly.learn_classes(strips.iter()).and_then(|()| assembly.push(&batches)).map_err(at)?;
                if let Some(part) = assembly.table.full_part().map_err(at)? {
                    handover.give(part, place)?;
                }
            }
            report.rows(assembly.table.rows(), report.consumed.fraction());
        }
    }
    handover.finish(assembly.table, place)
}
