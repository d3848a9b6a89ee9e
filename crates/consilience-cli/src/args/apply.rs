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

/// Create votes by running declared sources over data
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct ApplyArgs {
    /// File that declares the sources
    #[arg(value_name = "SOURCES")]
    pub sources: PathBuf,
    /// Data: files, patterns, folders, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text files may be compressed with gzip or Zstandard. Several files
    /// form one table, in the given order; files from a pattern or a folder are sorted by name. A folder
    /// named year=2024 adds a column year to its files.
    #[arg(value_name = "DATA", required_unless_present_any = ["check", "print_sql"])]
    pub data: Vec<OsString>,
    /// Column with the item names [default: item or id, if present]
    #[arg(help_heading = "The data", long, value_name = "COL")]
    pub item: Option<String>,
    /// Columns to copy to the votes, separated by commas
    #[arg(help_heading = "The data", long, value_name = "COL", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Format of the data [default: detected from its contents]
    #[arg(help_heading = "The data", long, hide_short_help = true, value_enum, value_name = "FORMAT")]
    pub format: Option<FormatArg>,
    /// How sources may run.
    #[command(flatten)]
    pub how: SourcesArgs,
    /// Write distinct rows of votes with a column count instead of one row per item
    ///
    /// Every command that reads votes accepts such a table with --count count.
    #[arg(help_heading = "Output", long, conflicts_with_all = ["item", "keep"])]
    pub patterns: bool,
    /// Print a query that computes --patterns in another engine
    ///
    /// It expresses the sources as plain SQL over the data, or over a table called data. Dictionaries and
    /// programs cannot be expressed.
    #[arg(help_heading = "Output", long, value_enum, value_name = "ENGINE", num_args = 0..=1, default_missing_value = "duckdb", require_equals = true, conflicts_with_all = ["check", "patterns"])]
    pub print_sql: Option<DialectArg>,
    /// Keep running: rerun sources when they change, and print the effect
    ///
    /// After each change of the file, prints the coverage and conflicts of the sources, new links between
    /// them, labels that flipped, and faults. With -o, writes the votes each time. Press Ctrl-C to stop.
    #[arg(help_heading = "Output", long, conflicts_with_all = ["check", "patterns", "print_sql", "keep"])]
    pub watch: bool,
    /// Check the file, and the columns of the data if given; write nothing
    #[arg(help_heading = "Output", long, conflicts_with = "output")]
    pub check: bool,
    /// Write to this file [default: CSV to standard output]
    ///
    /// The file is written completely or not at all. Its extension sets the format: .csv, .tsv, .jsonl,
    /// .parquet or .arrow; text formats may add .gz or .zst.
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub output: OsString,
}

/// How declared sources may run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The sources")]
pub struct SourcesArgs {
    /// What to do if a source fails on an item
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = OnErrorArg::Stop)]
    pub on_error: OnErrorArg,
    /// Let sources run programs; only for files you trust
    #[arg(long)]
    pub allow_commands: bool,
    /// Folder for the programs' answers [default: in your cache folder]
    ///
    /// Programs are never asked about the same item twice, in this run or a later one. To ask again, change
    /// the source's version = "..." in the file.
    #[arg(long, value_name = "DIR")]
    pub answer_cache: Option<PathBuf>,
    /// Neither store nor reuse answers
    #[arg(long, conflicts_with = "answer_cache")]
    pub no_answer_cache: bool,
    /// Run on this Ballista cluster, such as df://10.0.0.5:50050
    ///
    /// Its machines must see the data and the folder of the sources under the same path. See `consilience
    /// cluster` for how to start a cluster.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "df://HOST:PORT")]
    pub cluster: Option<consilience_cluster::Address>,
    /// Seconds to wait if the cluster has no executors
    #[cfg(feature = "cluster")]
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub cluster_wait: u64,
    /// Minimum rows per task on the cluster, for files that can be split
    #[cfg(feature = "cluster")]
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 250_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub cluster_rows: u64,
}

/// What happens if a source fails on an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnErrorArg {
    /// Write nothing and report the error
    Stop,
    /// Let the source abstain on that item, and report how often
    Abstain,
}

/// The SQL dialect to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DialectArg {
    /// DuckDB
    Duckdb,
    /// Apache Spark
    Spark,
}
