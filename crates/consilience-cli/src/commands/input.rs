//! Reads the table of votes that a verb was given.

use std::ffi::OsStr;

use anyhow::{Context as _, bail};
use consilience::model::Model;
use consilience::sources::{Classes, Sources, Vote};
use consilience::structure::{Composition, Plan, PlanOptions};
use consilience::votes::{AbstainMarks, Votes};
use consilience_io::{
    Budget, Format, Input, ItemNames, Output, Progress, ReadOptions, VoteTable, read_counts, read_gold,
    read_votes_sampled, read_votes_watched,
};

use super::no_overwrite;
use crate::args::{ColumnRole, FormatArg, TableArgs, VotesArgs};
use crate::terminal::{Talk, counted, thousands};

/// A table of votes and what it is called.
pub struct NamedTable {
    pub name: String,
    pub table: VoteTable,
    /// How often each row counts, if that has not been done yet.
    pub counts: Option<Vec<u64>>,
    /// Sources that are declared as combinations of others.
    pub compositions: Vec<Composition>,
}

impl NamedTable {
    /// A table whose sources nobody declared.
    fn undeclared(name: String, table: VoteTable, counts: Option<Vec<u64>>) -> Self {
        Self { name, table, counts, compositions: Vec::new() }
    }

    /// The table with each row as often as it counts.
    fn counted(mut self) -> anyhow::Result<Self> {
        let Some(counts) = self.counts.take() else { return Ok(self) };
        self.table.votes = self.table.votes.repeated(&counts).with_context(|| self.name.clone())?;
        self.table.items = ItemNames::row_numbers(self.table.votes.items());
        let repeat = |gold: Vec<Vote>| {
            gold.iter()
                .zip(&counts)
                .flat_map(|(&gold, &count)| std::iter::repeat_n(gold, count as usize))
                .collect()
        };
        self.table.gold = self.table.gold.map(repeat);
        Ok(self)
    }
}

/// A table of votes, or a uniform sample of its rows.
pub struct Sampled {
    pub named: NamedTable,
    /// All rows of the table.
    pub rows: u64,
}

impl Sampled {
    /// A table that is held whole.
    pub fn whole(named: NamedTable) -> Self {
        Self { rows: named.table.votes.items() as u64, named }
    }

    pub fn is_sample(&self) -> bool {
        self.rows > self.named.table.votes.items() as u64
    }

    /// Says that a sample was used, if it was, and what was `done` with it.
    pub fn note(&self, budget: Option<usize>, done: &str, talk: Talk) {
        if let Some(budget) = budget.filter(|_| self.is_sample()) {
            note_sample(&self.named.table.votes, self.rows, budget, done, talk);
        }
    }
}

/// Says that `votes` are a sample of a table of `rows` rows, what was `done` with it, and what it is good for.
pub fn note_sample(votes: &Votes, rows: u64, budget: usize, done: &str, talk: Talk) {
    let sample = votes.items() as u64;
    let plan = Plan::new(&PlanOptions::new(votes.sources().len()).with_rows(sample));
    let weakest = plan.ok().and_then(|plan| plan.strength).map(|weakest| weakest.practice);
    let enough = weakest.map_or(String::new(), |weakest| {
        format!(", enough to find dependencies of weight {weakest:.2} (see consilience plan)")
    });
    talk.notes(&[format!(
        "the table has {}, more than {} of them distinct (--most-patterns): {done} a uniform sample of {}{enough}",
        counted(rows, "row", "rows"),
        thousands(budget as u64),
        counted(sample, "row", "rows"),
    )]);
}

/// Reads the table within a budget of distinct rows, if there is one.
pub fn read_within(
    args: &VotesArgs,
    budget: Option<usize>,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<Sampled> {
    if let Some(budget) = budget {
        return read_sampled(args, budget, false, output, talk);
    }
    Ok(Sampled::whole(read(args, output, talk)?))
}

/// Reads the table within a budget of distinct rows; `again` says that a table beyond it is read once more.
pub fn read_sampled(
    args: &VotesArgs,
    patterns: usize,
    again: bool,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<Sampled> {
    no_overwrite::keep(output, "votes", &args.votes)?;
    let input = Input::from_arg(&args.votes);
    let wait = talk.wait("reading votes");
    let progress = |progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    };
    let read = read_votes_sampled(&input, &options(&args.table), &Budget { patterns, again }, &progress)?;
    Ok(Sampled { named: NamedTable::undeclared(input.name(), read.table, None), rows: read.rows })
}

/// How the table is read part by part for labels over `classes`: by a model of these `sources`, or by none.
pub fn options_for(args: &VotesArgs, classes: &Classes, sources: Option<&Sources>) -> ReadOptions {
    let mut options = options(&args.table);
    options.known = Some(classes.clone());
    if let Some(sources) = sources {
        // What the model calls a source is one, and other names are for the verb to judge.
        options.sources.retain(|name| sources.position(name).is_some());
        options.expected_sources = sources.names().to_vec();
    }
    options
}

/// Reads the table, after a look that it is not the file that the result goes to.
pub fn read(args: &VotesArgs, output: &Output, talk: Talk) -> anyhow::Result<NamedTable> {
    read_table(&args.votes, &args.table, output, talk)
}

/// The same, one item per pattern if rows are counted.
pub fn read_patterns(args: &VotesArgs, output: &Output, talk: Talk) -> anyhow::Result<NamedTable> {
    read_with(&args.votes, &args.table, options(&args.table), output, talk)
}

/// The same, for a model: its sources are sources whatever they look like, and its classes are the classes, by name.
pub fn read_for(args: &VotesArgs, model: &Model, output: &Output, talk: Talk) -> anyhow::Result<NamedTable> {
    read_patterns_for(args, model, output, talk)?.counted()
}

/// The same, one item per pattern if rows are counted.
pub fn read_patterns_for(
    args: &VotesArgs,
    model: &Model,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<NamedTable> {
    let options = options_for(args, model.classes(), Some(model.sources()));
    read_with(&args.votes, &args.table, options, output, talk)
}

/// The same, if the table is named by a flag.
pub fn read_table(
    votes: &OsStr,
    args: &TableArgs,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<NamedTable> {
    read_with(votes, args, options(args), output, talk)?.counted()
}

fn read_with(
    votes: &OsStr,
    args: &TableArgs,
    mut options: ReadOptions,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<NamedTable> {
    no_overwrite::keep(output, "votes", votes)?;
    if let Some(file) = &args.gold_file {
        no_overwrite::keep(output, "gold", file)?;
        no_overwrite::one_stdin(&[("votes", votes), ("gold", file)])?;
    }
    let input = Input::from_arg(votes);
    let wait = talk.wait("reading votes");
    let progress = |progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    };
    if let Some(count) = &args.count {
        if votes == "-" {
            bail!("a table with counts is read twice; name a file instead of -");
        }
        options.ignore.push(count.clone());
        options.long = Some(false);
    }
    let counts = args.count.as_deref().map(|count| read_counts(&input, options.format, count)).transpose()?;
    let mut table = read_votes_watched(&input, &options, &progress)?;
    if let Some(counts) = counts.as_ref().filter(|counts| counts.len() != table.votes.items()) {
        bail!("{}: {} rows of votes but {} counts", input.name(), table.votes.items(), counts.len());
    }
    read_gold_file(args, &options, &mut table)?;
    drop(wait);
    Ok(NamedTable::undeclared(input.name(), table, counts))
}

/// Reads the file of gold, where one is named.
fn read_gold_file(args: &TableArgs, options: &ReadOptions, table: &mut VoteTable) -> anyhow::Result<()> {
    let Some(file) = &args.gold_file else { return Ok(()) };
    let column = args.gold.as_deref();
    let known = read_gold(&Input::from_arg(file), column, &table.votes, &table.items, options)?;
    table.gold = Some(known.gold);
    table.notes.extend(known.notes);
    Ok(())
}

/// The same for votes that were not read from a table.
#[cfg(feature = "apply")]
pub fn add_gold_file(args: &TableArgs, table: &mut VoteTable) -> anyhow::Result<()> {
    read_gold_file(args, &options(args), table)
}

/// The declared format of a table.
pub fn format_of(args: &TableArgs) -> Option<Format> {
    args.format.map(format)
}

/// What abstains.
pub fn abstain_marks(args: &TableArgs) -> AbstainMarks {
    if args.abstain.is_empty() { AbstainMarks::Usual } else { AbstainMarks::these(&args.abstain) }
}

fn options(args: &TableArgs) -> ReadOptions {
    let column = |wanted: ColumnRole| {
        args.columns.iter().find(|(role, _)| *role == wanted).map(|(_, column)| column.clone())
    };
    let gold = if args.gold_file.is_some() { None } else { args.gold.clone() };
    let mut options = ReadOptions::default()
        .with_abstain(abstain_marks(args))
        .with_sources(args.source.clone())
        .with_ignore(args.ignore.clone());
    options.classes = args.classes.as_ref().map(|classes| classes.0.clone());
    options.item = column(ColumnRole::Item).or_else(|| args.item.clone());
    options.gold = column(ColumnRole::Gold).or(gold);
    options.long = (args.long || args.wide || !args.columns.is_empty()).then_some(!args.wide);
    options.source_column = column(ColumnRole::Source);
    options.vote_column = column(ColumnRole::Vote);
    options.header = (args.no_header || args.header).then_some(args.header);
    options.format = args.format.map(format);
    options
}

pub fn format(format: FormatArg) -> Format {
    match format {
        FormatArg::Csv => Format::Csv,
        FormatArg::Tsv => Format::Tsv,
        FormatArg::Jsonl => Format::Jsonl,
        FormatArg::Parquet => Format::Parquet,
        FormatArg::Arrow => Format::Arrow,
    }
}
