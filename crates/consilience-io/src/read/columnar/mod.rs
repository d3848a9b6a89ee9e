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

use super::error::{Place, ReadError};
use super::options::ReadOptions;
use super::{Report, VoteTable};
use crate::input::Columnar;

/// Reads votes from a table with typed columns.
pub(super) fn read(
    content: Columnar,
    place: &Place,
    options: &ReadOptions,
    report: &Report<'_>,
) -> Result<VoteTable, ReadError> {
    match content {
        Columnar::Parquet(file) => parquet::read(file, place, options, report),
        Columnar::Arrow(file) => ipc::read_file(file, place, options, report),
        Columnar::ArrowStream(stream) => ipc::read_stream(stream, place, options, report),
    }
}
