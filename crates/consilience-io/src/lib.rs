//! Consilience's tables and documents from and to files.
//!
//! | what | formats | functions |
//! |---|---|---|
//! | votes, wide or long | CSV, TSV, JSONL, Parquet, Arrow IPC (file and stream) | [`read_votes`], [`write_votes`] |
//! | labels | the same | [`LabelWriter`], [`write_labels`] |
//! | structure, model, truth | JSON with the version that wrote it | [`read_document`], [`write_document`] |
//!
//! Text formats may be packed with gzip or Zstandard. What a file is follows from its first bytes; its name only breaks
//! ties. Tables are read as a stream and never held as text. Files are written whole or not at all ([`Output`]).

mod decode;
mod document;
mod format;
mod input;
mod items;
mod model;
mod one_line;
mod read;
mod structure;
mod truth;
mod write;

pub use decode::is_decoding;
pub use document::{DocumentError, DocumentProblem, VERSION, read_document, write_document};
pub use format::{Compression, Format};
pub use input::Input;
pub use items::ItemNames;
pub use model::{EndingFile, ModelFile, RepeatFile, TemperFile};
pub use read::{
    GoldFile, OTHER_CLASS, Place, Problem, Progress, ReadError, ReadOptions, RowNumber, VoteTable, read_gold,
    read_votes,
};
pub use structure::StructureFile;
pub use truth::{DependencyFile, TruthFile};
pub use write::{
    LabelRow, LabelWriter, Output, VotesLayout, WriteError, WriteProblem, WriteVotes, check_format,
    write_labels, write_votes,
};
