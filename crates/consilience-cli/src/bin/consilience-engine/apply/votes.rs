//! Votes of declared sources, held for the verbs that work on them.

use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::VotesBuilder;
use consilience_io::{ItemNames, OTHER_CLASS, Output, VoteTable};
use consilience_sources::{ApplyError, Data, Kind, SourcesFile, read_checked};

use super::{Item, Ready, applied, keep_data, keep_sources, tell};
use consilience_cli::args::{SourcesArgs, TableArgs, VotesArgs};
use consilience_cli::commands::{input, no_overwrite};
use consilience_cli::terminal::Talk;

/// Applies the sources of a file to the data that `args` names.
pub(crate) fn votes(
    sources: &Path,
    args: &VotesArgs,
    how: &SourcesArgs,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<input::NamedTable> {
    Ok(votes_with_texts(sources, args, how, output, talk, false)?.named)
}

/// Votes of declared sources, and what they were made of.
#[cfg_attr(not(feature = "studio"), expect(dead_code, reason = "only the studio reads more than the votes"))]
pub(crate) struct Applied {
    pub(crate) named: input::NamedTable,
    pub(crate) file: SourcesFile,
    pub(crate) data: Data,
    /// The columns that the sources read as texts, if they were asked for.
    pub(crate) columns: Vec<String>,
    /// Their cells, item by item.
    pub(crate) cells: Vec<Box<[Box<str>]>>,
}

/// The same with the texts that the sources read.
pub(crate) fn votes_with_texts(
    sources: &Path,
    args: &VotesArgs,
    how: &SourcesArgs,
    output: &Output,
    talk: Talk,
    with_texts: bool,
) -> anyhow::Result<Applied> {
    refuse_idle_flags(&args.table)?;
    let file = read_checked(sources, false)?;
    keep_sources(output, sources, &file)?;
    let data = Data::find(std::slice::from_ref(&args.votes), args.table.format.map(input::format))?;
    keep_data(output, &data)?;
    if let Some(file) = &args.table.gold_file {
        no_overwrite::keep(output, "gold", file)?;
        no_overwrite::one_stdin(&[("data", &args.votes), ("gold", file)])?;
    }
    // With a file of gold, the column is one of that file.
    let gold: Vec<String> =
        args.table.gold.iter().filter(|_| args.table.gold_file.is_none()).cloned().collect();
    let columns = if with_texts { text_columns(&file, &data, &gold)? } else { Vec::new() };
    let keep: Vec<String> = gold.iter().chain(&columns).cloned().collect();
    let ready = Ready::new(&file, &data, Item::of(args.table.item.as_deref()), &keep, how)?;
    let columns: Vec<String> = columns.into_iter().filter(|name| Some(name) != ready.item.as_ref()).collect();
    let applier = &ready.applier;
    let width = applier.sources().len();
    let mut builder = VotesBuilder::new(applier.sources().clone());
    let mut items = ItemNames::named();
    let mut truth: Vec<Vote> = Vec::new();
    let mut cells: Vec<Box<[Box<str>]>> = Vec::new();
    let named = ready.item.is_some();
    let started = Instant::now();
    let summary = applied(&ready, talk, |rows| {
        for (row, votes) in rows.votes.chunks_exact(width).enumerate() {
            builder.push_dense(votes).map_err(|error| ApplyError::Sink(Box::new(error)))?;
            let mut texts = rows.texts(row);
            if named {
                items.push(texts.next().flatten().unwrap_or_default());
            }
            if !gold.is_empty() {
                let class = texts.next().flatten().filter(|class| !class.is_empty());
                truth.push(
                    class.map_or(ABSTAIN, |class| applier.classes().vote(class).unwrap_or(OTHER_CLASS)),
                );
            }
            if !columns.is_empty() {
                cells.push(texts.map(|text| text.unwrap_or_default().into()).collect());
            }
        }
        Ok(())
    })?;
    tell(&ready, &summary, started.elapsed(), talk);
    let votes = builder.finish_as(applier.classes().clone())?;
    let items = if named { items } else { ItemNames::row_numbers(votes.items()) };
    let gold = (!gold.is_empty()).then_some(truth);
    let mut table = VoteTable { votes, items, gold, notes: Vec::new() };
    input::add_gold_file(&args.table, &mut table)?;
    let named =
        input::NamedTable { name: data.name(), table, counts: None, compositions: file.compositions() };
    drop(ready);
    Ok(Applied { named, file, data, columns, cells })
}

/// The columns that sources read as texts, in the order in which they are first named.
fn text_columns(file: &SourcesFile, data: &Data, gold: &[String]) -> anyhow::Result<Vec<String>> {
    let there = data.columns()?;
    let mut columns: Vec<String> = Vec::new();
    let own = file.sources.iter().flat_map(|source| {
        let asked: &[String] = match &source.kind {
            Kind::Command(command) => &command.columns,
            _ => &[],
        };
        source.on.iter().chain(asked)
    });
    for name in file.text.iter().chain(own) {
        if there.contains(name) && !columns.contains(name) && !gold.contains(name) {
            columns.push(name.clone());
        }
    }
    Ok(columns)
}

/// Flags that describe a table of votes say nothing of data.
pub(crate) fn refuse_idle_flags(table: &TableArgs) -> anyhow::Result<()> {
    let given = [
        (table.classes.is_some(), "--classes"),
        (!table.abstain.is_empty(), "--abstain"),
        (!table.source.is_empty(), "--source"),
        (!table.ignore.is_empty(), "--ignore"),
        (!table.columns.is_empty(), "--columns"),
        (table.count.is_some(), "--count"),
        (table.long, "--long"),
        (table.wide, "--wide"),
        (table.no_header, "--no-header"),
        (table.header, "--header"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, flag)) => {
            bail!("{flag} describes a table of votes, but --sources creates them from data; leave it out")
        }
        None => Ok(()),
    }
}
