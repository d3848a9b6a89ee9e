//! How a table of votes is named and described; shared by all verbs that read one.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::values::ClassesArg;

/// The table of votes and how to read it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The table")]
pub struct VotesArgs {
    /// Table of votes, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text files may be compressed with gzip or Zstandard. One row per item and one
    /// column per source, or one row per vote with the columns item, source and vote.
    #[arg(value_name = "VOTES", help_heading = None::<&str>)]
    pub votes: OsString,
    /// Its columns.
    #[command(flatten)]
    pub table: TableArgs,
}

/// How to read a table.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one per flag")]
#[command(next_help_heading = "The table")]
pub struct TableArgs {
    /// Column with the item names [default: item or id, if present]
    #[arg(long, value_name = "COL")]
    pub item: Option<String>,
    /// Column with the true classes [default: gold, truth, ...]
    ///
    /// Gold is used for scoring only and never changes a label. A column named gold, truth, label, target, y, answer or
    /// similar is read as gold, and a note says so. With --gold-file, this is a column of that file.
    #[arg(long, value_name = "COL")]
    pub gold: Option<String>,
    /// File with the true classes
    ///
    /// Its rows are matched to the votes by item name, or by order unless both files name their items. The column is the
    /// one that --gold names, or else the one whose name suggests gold.
    #[arg(long, value_name = "FILE")]
    pub gold_file: Option<OsString>,
    /// Columns to read as sources, whatever they look like
    ///
    /// Separated by commas. Other columns are left out if they do not look like sources, and a note says so.
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    pub source: Vec<String>,
    /// Column with the number of items that have this row
    ///
    /// The table then has one row per pattern of votes, as written by apply --patterns or by GROUP BY in any
    /// database. Results are the same as if every row were repeated that often; there is one label per
    /// pattern.
    #[arg(long, value_name = "COL", conflicts_with_all = ["long", "columns"])]
    pub count: Option<String>,
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// All classes, in order [default: those voted for]
    #[arg(long, value_name = "A,B,...")]
    pub classes: Option<ClassesArg>,
    /// Values that mean abstain, separated by commas [default: -1]
    ///
    /// Case is ignored. An empty cell always abstains, and so do NA, None, null, nan, abstain, ? and -,
    /// unless --classes lists them. Without this flag, -1 is a class if 1 is the only other vote.
    #[arg(long, value_name = "MARK", value_delimiter = ',', allow_hyphen_values = true)]
    pub abstain: Vec<String>,
    /// Columns of a table with one row per vote
    ///
    /// For example item=question,source=annotator,vote=answer. The rest are recognized by their names and cells.
    #[arg(long, value_name = "ROLE=COL,...", value_delimiter = ',', value_parser = column_role, conflicts_with = "wide")]
    pub columns: Vec<(ColumnRole, String)>,
    /// The first line is data; columns are named c1, c2, ...
    #[arg(long)]
    pub no_header: bool,
    /// The first line names the columns, even if it looks like votes
    #[arg(long, hide_short_help = true, conflicts_with = "no_header")]
    pub header: bool,
    /// One row per vote [default: inferred from the columns]
    #[arg(long)]
    pub long: bool,
    /// One row per item [default: inferred from the columns]
    #[arg(long, hide_short_help = true, conflicts_with = "long")]
    pub wide: bool,
    /// Format of the table [default: detected from its contents]
    #[arg(long, hide_short_help = true, value_enum, value_name = "FORMAT")]
    pub format: Option<FormatArg>,
}

/// A file format for tables.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatArg {
    Csv,
    Tsv,
    Jsonl,
    Parquet,
    Arrow,
}

/// What a column of a table with one row per vote is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnRole {
    Item,
    Source,
    Vote,
    Gold,
}

fn column_role(text: &str) -> Result<(ColumnRole, String), String> {
    let wrong = || format!("write item=COL, source=COL, vote=COL or gold=COL, not \"{text}\"");
    let (role, column) = text.split_once('=').ok_or_else(wrong)?;
    let role = match role.trim().to_ascii_lowercase().as_str() {
        "item" => ColumnRole::Item,
        "source" => ColumnRole::Source,
        "vote" => ColumnRole::Vote,
        "gold" => ColumnRole::Gold,
        _ => return Err(wrong()),
    };
    Ok((role, column.to_string()))
}
