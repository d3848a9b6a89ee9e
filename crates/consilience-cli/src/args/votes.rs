//! How a table of votes is named and described; shared by all verbs that read one.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::values::ClassesArg;

/// The table of votes and what its bytes do not say.
#[derive(Debug, Args)]
pub(crate) struct VotesArgs {
    /// Table of votes: CSV, TSV, JSONL, Parquet or Arrow; - is standard input
    ///
    /// One row an item, one column a source; or long, with the columns item, source and vote. Text may be packed with
    /// gzip or Zstandard.
    #[arg(value_name = "VOTES")]
    pub(crate) votes: OsString,
    /// Column that names the items
    #[arg(long, value_name = "COL", help_heading = "The table")]
    pub(crate) item: Option<String>,
    /// Column with the true classes, where some are known
    ///
    /// It is for scoring only and never a source. With --gold-file, a column of that file.
    #[arg(long, value_name = "COL", help_heading = "The table")]
    pub(crate) gold: Option<String>,
    /// File with the true classes: one row an item, in the same order
    ///
    /// Its column is the one that --gold names, else "gold", else its only one.
    #[arg(long, value_name = "FILE", help_heading = "The table")]
    pub(crate) gold_file: Option<OsString>,
    /// Columns that are no sources; repeat it or separate with commas
    #[arg(long, value_name = "COL", value_delimiter = ',', help_heading = "The table")]
    pub(crate) ignore: Vec<String>,
    /// The classes, in order, and no others [default: those voted for]
    #[arg(long, value_name = "A,B,...", help_heading = "The table")]
    pub(crate) classes: Option<ClassesArg>,
    /// How abstaining is written, beside the empty cell
    #[arg(
        long,
        value_name = "MARK",
        default_value = "-1",
        allow_hyphen_values = true,
        help_heading = "The table"
    )]
    pub(crate) abstain: String,
    /// One row is one vote: item, source, vote [default: the header tells]
    #[arg(long, help_heading = "The table")]
    pub(crate) long: bool,
    /// One row is one item [default: the header tells]
    #[arg(long, conflicts_with = "long", help_heading = "The table")]
    pub(crate) wide: bool,
    /// Format of the table [default: its first bytes tell]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "The table")]
    pub(crate) format: Option<FormatArg>,
}

/// A file format for tables.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FormatArg {
    Csv,
    Tsv,
    Jsonl,
    Parquet,
    Arrow,
}
