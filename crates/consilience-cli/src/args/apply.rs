//! `consilience apply`: what was typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::votes::FormatArg;

const EXAMPLE: &str = "\
Example:
  consilience apply sources.toml mails.parquet -o votes.parquet
  consilience apply sources.toml 'logs/2024-*.jsonl' --item id -o votes.csv
  consilience apply sources.toml --check

The file names the classes and the sources, one [[source]] each:

  classes = [\"ham\", \"spam\"]
  text = \"body\"

  [[source]]
  name = \"prize\"
  vote = \"spam\"
  regex = 'you (have )?won'

  [[source]]
  name = \"short\"
  vote = \"ham\"
  sql = \"length(body) < 20\"

Kinds are regex, keywords, keywords_file, sql, lookup, column, command, and all,
any and not over other sources. The votes keep the order of the data.";

/// Make votes: run declared sources over data
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct ApplyArgs {
    /// File that declares the sources
    #[arg(value_name = "SOURCES")]
    pub(crate) sources: PathBuf,
    /// Data: files, patterns, folders, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text also packed with gzip or Zstandard. Several files are one table, in the order
    /// given; those of a pattern or a folder are sorted by name. A folder called year=2024 gives its files a column year.
    #[arg(value_name = "DATA", required_unless_present_any = ["check", "print_sql"])]
    pub(crate) data: Vec<OsString>,
    /// Column that names the items [default: item or id, if there]
    #[arg(help_heading = "The data", long, value_name = "COL")]
    pub(crate) item: Option<String>,
    /// Columns to copy to the votes, with commas between
    #[arg(help_heading = "The data", long, value_name = "COL", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Format of the data [default: its first bytes tell]
    #[arg(help_heading = "The data", long, hide_short_help = true, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FormatArg>,
    /// How sources may run.
    #[command(flatten)]
    pub(crate) how: SourcesArgs,
    /// Write distinct rows of votes with a column count, not one row per item
    ///
    /// Every verb that reads votes takes such a table with --count count.
    #[arg(help_heading = "Output", long, conflicts_with_all = ["item", "keep"])]
    pub(crate) patterns: bool,
    /// Print the query that makes --patterns, for another engine
    ///
    /// The sources as plain SQL over the data, or over a table called data. Dictionaries and programs cannot be part of it.
    #[arg(help_heading = "Output", long, value_enum, value_name = "ENGINE", num_args = 0..=1, default_missing_value = "duckdb", require_equals = true, conflicts_with_all = ["check", "patterns"])]
    pub(crate) print_sql: Option<DialectArg>,
    /// Stay, rerun the sources that change, and print what moved
    ///
    /// After each change of the file: coverage and conflicts of the sources, new links between them, labels that flipped. With -o, the
    /// votes are written each time. End it with Ctrl-C.
    #[arg(help_heading = "Output", long, conflicts_with_all = ["check", "patterns", "print_sql", "item", "keep"])]
    pub(crate) watch: bool,
    /// Check the file, and the data's columns where data is named; write nothing
    #[arg(help_heading = "Output", long, conflicts_with = "output")]
    pub(crate) check: bool,
    /// Write to this file [default: CSV to standard output]
    ///
    /// The file is written whole or not at all. Its name says the format: .csv, .tsv, .jsonl, .parquet or .arrow; text
    /// also with .gz or .zst.
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub(crate) output: OsString,
}

/// How declared sources may run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The sources")]
pub(crate) struct SourcesArgs {
    /// What to do where a source fails on an item
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = OnErrorArg::Stop)]
    pub(crate) on_error: OnErrorArg,
    /// Let sources run programs; only for files you trust
    #[arg(long)]
    pub(crate) allow_commands: bool,
    /// Folder that keeps the programs' answers [default: in your cache]
    ///
    /// No item is asked about twice, in this run or a later one. To ask again, change the source's version = "..." in the file.
    #[arg(long, value_name = "DIR")]
    pub(crate) answer_cache: Option<PathBuf>,
    /// Keep no answers, and use none
    #[arg(long, conflicts_with = "answer_cache")]
    pub(crate) no_answer_cache: bool,
    /// Run on this Ballista cluster, such as df://10.0.0.5:50050
    ///
    /// Its machines must see the data and the folder of the sources under the same path. See `consilience cluster` for how to start one.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "df://HOST:PORT")]
    pub(crate) cluster: Option<consilience_cluster::Address>,
    /// Seconds that the cluster may be without executors
    #[cfg(feature = "cluster")]
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub(crate) cluster_wait: u64,
    /// Rows of a task on the cluster, where files can be split
    #[cfg(feature = "cluster")]
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 250_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cluster_rows: u64,
}

/// What happens where a source fails on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnErrorArg {
    /// Write nothing and say what happened
    Stop,
    /// Let the source abstain there, and count it
    Abstain,
}

/// Whose SQL is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectArg {
    /// DuckDB
    Duckdb,
    /// Apache Spark
    Spark,
}
