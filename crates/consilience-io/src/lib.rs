//! Reads and writes the tables and documents of Consilience.
//!
//! | what | formats | functions |
//! |---|---|---|
//! | votes, wide or long | CSV, TSV, JSONL, Parquet, Arrow IPC (file and stream) | [`read_votes`], [`read_votes_sampled`], [`read_votes_in_parts`], [`write_votes`] |
//! | labels | the same | [`read_labels`], [`LabelWriter`], [`write_labels`] |
//! | answers, and labels to be certified | the same | [`read_answers`], [`read_certified`] |
//! | any other table, such as the items' text | the same | [`read_table`], [`TrainingFileWriter`] |
//! | structure, model, truth, end model | JSON with the version that wrote it | [`read_document`], [`write_document`] |
//!
//! From a file of votes to a file of labels:
//!
//! ```
//! use consilience::labels::Ties;
//! use consilience::pipeline::{FitOptions, LearnOptions, fit, infer, learn};
//! use consilience_io::{Input, Output, ReadOptions, read_votes, write_labels};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (votes_csv, labels_csv) = (folder.path().join("votes.csv"), folder.path().join("labels.csv"));
//! # std::fs::write(&votes_csv, "item,a,b,c\n1,yes,yes,no\n2,no,no,no\n3,yes,,yes\n4,no,yes,no\n")?;
//! let table = read_votes(&Input::Path(votes_csv), &ReadOptions::default())?;
//! let structure = learn(&table.votes, &LearnOptions::default())?;
//! let model = fit(&table.votes, &structure, &FitOptions::default())?;
//! let labels = infer(&model, &table.votes)?;
//! write_labels(Output::create(&labels_csv)?, &labels, &table.items, Ties::Empty)?;
//! # assert!(std::fs::read_to_string(&labels_csv)?.starts_with("item,label,confidence,p_no,p_yes\n1,yes,"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Text formats may be compressed with gzip or Zstandard. The format of a file is detected from its first bytes; its name
//! only breaks ties. Tables are streamed and never held in memory as text. Files are written completely or not at all
//! ([`Output`]).

// What only tables with typed columns use lies idle without them.
#![cfg_attr(not(feature = "columnar"), allow(dead_code))]

mod answers;
mod blanks;
mod certified;
mod correction;
mod decode;
mod document;
mod document_names;
mod end_model;
mod format;
mod input;
mod items;
mod matching;
mod memory;
mod model;
mod one_line;
mod path;
mod read;
mod same_file;
mod separator;
mod structure;
mod truth;
mod write;

pub use answers::{
    ANSWER_COLUMN, AnswerProblem, AnswersFile, AnswersOptions, DRAWN_COLUMN, DRAWN_WHERE_MODELS_DIFFER,
    read_answers,
};
pub use certified::{CertifiedLabels, read_certified};
pub use correction::{CorrectionFile, ShiftFile};
pub use decode::{fenced, is_decoding};
pub use document::{
    DocumentError, DocumentProblem, VERSION, document_text, parse_document, read_document, write_document,
};
pub use end_model::EndModelFile;
pub use format::{Compression, Format};
pub use input::Input;
pub use items::{ITEM_COLUMN, ItemNames};
pub use memory::available as available_memory;
pub use model::{EndingFile, ImpressionFile, ModelFile, RepeatFile};
pub use path::{PathFile, PathStepFile};
pub use read::{
    Budget, GoldFile, LabelTable, OTHER_CLASS, Parts, PartsRead, Place, Problem, Progress, ReadError,
    ReadOptions, RowNumber, SampledTable, TableHeader, TableRow, VoteTable, VotesPart, read_counts,
    read_gold, read_labels, read_table, read_votes, read_votes_in_parts, read_votes_sampled,
    read_votes_watched,
};
pub use same_file::is_same_file;
pub use structure::{CompositionFile, StructureFile};
pub use truth::{DependencyFile, TruthFile};
pub use write::{
    AnsweredLabel, LabelRow, LabelWriter, Output, TextTableWriter, TrainingFileWriter, TrainingLayout,
    VoteRowWriter, VotesLayout, WriteError, WriteProblem, WriteVotes, check_format, write_labels,
    write_votes,
};
