//! Reads the table of votes that a verb was given.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::bail;
use consilience::sources::Classes;
use consilience_io::{Format, Input, Output, Progress, ReadOptions, VoteTable, read_gold, read_votes};

use crate::args::{FormatArg, TableArgs, VotesArgs};
use crate::terminal::{Talk, counted};

/// The column of a gold file, unless --gold names another.
const GOLD_COLUMN: &str = "gold";

/// A table of votes and what it is called.
pub(super) struct NamedTable {
    pub(super) name: String,
    pub(super) table: VoteTable,
}

/// Reads the table, after a look that it is not the file that the result goes to.
pub(super) fn read(args: &VotesArgs, output: &Output, talk: Talk) -> anyhow::Result<NamedTable> {
    read_as(args, None, output, talk)
}

/// The same; a table whose classes are not given has `classes`, where these are known.
pub(super) fn read_as(
    args: &VotesArgs,
    classes: Option<&Classes>,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<NamedTable> {
    read_table(&args.votes, &args.table, classes, output, talk)
}

/// The same, where the table is named by a flag.
pub(super) fn read_table(
    votes: &OsStr,
    args: &TableArgs,
    classes: Option<&Classes>,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<NamedTable> {
    refuse_onto(votes, output)?;
    let input = Input::from_arg(votes);
    let wait = talk.wait("reading votes");
    let progress = |progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    };
    let mut options = options(args);
    options.classes = options.classes.or_else(|| classes.cloned());
    let mut table = read_votes(&input, &options, &progress)?;
    if let Some(file) = &args.gold_file {
        let column = args.gold.as_deref().unwrap_or(GOLD_COLUMN);
        let known = read_gold(&Input::Path(file.into()), column, &table.votes, &options)?;
        table.gold = Some(known.gold);
        table.notes.extend(known.notes);
    }
    drop(wait);
    Ok(NamedTable { name: input.name(), table })
}

/// Refuses a result that would take the place of the votes.
pub(super) fn refuse_onto(votes: &OsStr, output: &Output) -> anyhow::Result<()> {
    if output.path().is_some_and(|output| same_place(output, Path::new(votes))) {
        bail!("the result would take the place of the votes in {}; give -o another file", output.name());
    }
    Ok(())
}

/// Whether two names, spelled alike or not, are those of one file.
pub(super) fn same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        path.canonicalize().ok().or_else(|| Some(folder.canonicalize().ok()?.join(path.file_name()?)))
    };
    place(a).is_some_and(|place_a| Some(place_a) == place(b))
}

/// The format that a table was said to have.
pub(super) fn format_of(args: &TableArgs) -> Option<Format> {
    args.format.map(format)
}

fn options(args: &TableArgs) -> ReadOptions {
    ReadOptions {
        classes: args.classes.as_ref().map(|classes| classes.0.clone()),
        abstain: args.abstain.clone(),
        item: args.item.clone(),
        gold: if args.gold_file.is_some() { None } else { args.gold.clone() },
        ignore: args.ignore.clone(),
        only: None,
        long: if args.long || args.wide { Some(args.long) } else { None },
        format: args.format.map(format),
    }
}

fn format(format: FormatArg) -> Format {
    match format {
        FormatArg::Csv => Format::Csv,
        FormatArg::Tsv => Format::Tsv,
        FormatArg::Jsonl => Format::Jsonl,
        FormatArg::Parquet => Format::Parquet,
        FormatArg::Arrow => Format::Arrow,
    }
}
