//! How a table of votes is named and described; shared by all verbs that read one.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::values::ClassesArg;

/// The table of votes and what its bytes do not say.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The table")]
pub(crate) struct VotesArgs {
    /// Table of votes, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text also packed with gzip or Zstandard. One row per item and one column per
    /// source, or one row per vote with the columns item, source and vote.
    #[arg(value_name = "VOTES", help_heading = None::<&str>)]
    pub(crate) votes: OsString,
    /// Its columns.
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// What the bytes of a table do not say.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one per flag")]
#[command(next_help_heading = "The table")]
pub(crate) struct TableArgs {
    /// Column that names the items [default: item or id, if there]
    #[arg(long, value_name = "COL")]
    pub(crate) item: Option<String>,
    /// Column with the true classes [default: gold, truth, ...]
    ///
    /// Gold is for scoring only and changes no label. A column called gold, truth, label, target, y, answer or the like is
    /// read as gold, which a note says. With --gold-file, this is a column of that file.
    #[arg(long, value_name = "COL")]
    pub(crate) gold: Option<String>,
    /// File with the true classes
    ///
    /// Its rows are matched to the votes by item, or by order where not both files name their items. The column is as --gold
    /// says, or else the one whose name says gold.
    #[arg(long, value_name = "FILE")]
    pub(crate) gold_file: Option<OsString>,
    /// Columns that are sources, whatever they look like
    ///
    /// With commas between. Of the other columns, those that do not look like sources are left out, which a note says. In
    /// explain, the source to explain.
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    pub(crate) source: Vec<String>,
    /// Column that says how many items have this row
    ///
    /// The table then has one row per pattern of votes, as apply --patterns writes it or GROUP BY in any database. Results are
    /// those of the table with every row repeated that often; labels come by pattern.
    #[arg(long, value_name = "COL", conflicts_with_all = ["long", "columns"])]
    pub(crate) count: Option<String>,
    /// Columns that are not sources, with commas between
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,
    /// All classes, in order [default: those voted for]
    #[arg(long, value_name = "A,B,...")]
    pub(crate) classes: Option<ClassesArg>,
    /// Marks of abstaining, with commas between [default: -1]
    ///
    /// In any case. An empty cell always abstains, and so do NA, None, null, nan, abstain, ? and -, unless --classes
    /// names them. Without this, -1 is a class where 1 is the only other vote.
    #[arg(long, value_name = "MARK", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) abstain: Vec<String>,
    /// The columns of a table with one row per vote
    ///
    /// Such as item=question,source=annotator,vote=answer. Those that are not named are found by their names and cells.
    #[arg(long, value_name = "ROLE=COL,...", value_delimiter = ',', value_parser = column_role, conflicts_with = "wide")]
    pub(crate) columns: Vec<(ColumnRole, String)>,
    /// The first line is a row: columns are called c1, c2, ...
    #[arg(long)]
    pub(crate) no_header: bool,
    /// The first line names the columns, even if it looks like votes
    #[arg(long, hide_short_help = true, conflicts_with = "no_header")]
    pub(crate) header: bool,
    /// One row is one vote [default: the columns tell]
    #[arg(long)]
    pub(crate) long: bool,
    /// One row is one item [default: the columns tell]
    #[arg(long, hide_short_help = true, conflicts_with = "long")]
    pub(crate) wide: bool,
    /// Format of the table [default: its first bytes tell]
    #[arg(long, hide_short_help = true, value_enum, value_name = "FORMAT")]
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

/// What a column of a table with one row per vote is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnRole {
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
