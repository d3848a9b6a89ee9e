//! Tables with typed columns: Parquet and Arrow IPC.

mod array;
mod batches;
mod ipc;
mod ipc_sizes;
mod page_sizes;
mod parquet;
mod sample;
mod strips;
mod table;

use super::Report;
use super::error::{Place, ReadError};
use super::handover::{Ending, Handover};
use super::options::ReadOptions;
use crate::input::Columnar;

/// Reads votes from a table with typed columns.
pub(super) fn read(
    content: Columnar,
    place: &Place,
    options: &ReadOptions,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    match content {
        Columnar::Parquet(file) => parquet::read(file, place, options, handover, report),
        Columnar::Arrow(file) => ipc::read_file(file, place, options, handover, report),
        Columnar::ArrowStream(stream) => ipc::read_stream(stream, place, options, handover, report),
    }
}
