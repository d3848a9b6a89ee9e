//! `consilience apply`: runs declared sources over data.

#[cfg(feature = "cluster")]
mod cluster;
mod sources;
mod votes;
mod watch;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use consilience::sources::{ABSTAIN, Sources};
use consilience::votes::{Votes, VotesBuilder};
use consilience_io::{ITEM_COLUMN, Output, VoteRowWriter, check_format};
use consilience_sources::{
    ApplyError, Data, Dialect, Rows, SourceSummary, SourcesFile, Summary, read_checked,
};

#[cfg(feature = "cluster")]
pub(super) use self::cluster::{failed as failed_there, keep_off_standard_input, patterns as patterns_there};
use self::sources::applied;
pub(super) use self::sources::{Item, Ready, options};
#[cfg(feature = "cluster")]
pub(super) use self::votes::refuse_idle_flags;
pub(super) use self::votes::votes;
#[cfg(feature = "studio")]
pub(super) use self::votes::{Applied, votes_with_texts};
use consilience_cli::args::{ApplyArgs, DialectArg};
use consilience_cli::commands::{input, no_overwrite};
use consilience_cli::terminal::{Talk, counted, thousands};

/// A note names at most so many sources.
const MOST_NAMES: usize = 8;

/// Shorter runs have no meaningful rate.
const LONG: Duration = Duration::from_secs(2);

pub(super) fn run(args: &ApplyArgs, talk: Talk) -> anyhow::Result<()> {
    if args.watch {
        #[cfg(feature = "cluster")]
        if args.how.cluster.is_some() {
            bail!("--watch runs sources on this machine; leave out --cluster, or use a part of the data");
        }
        return watch::run(args, talk);
    }
    let file = read_checked(&args.sources, args.check)?;
    if args.check && args.data.is_empty() {
        talk.say(&checked(args, &file));
        return Ok(());
    }
    let output = Output::from_arg(&args.output)?;
    keep_sources(&output, &args.sources, &file)?;
    if let Some(dialect) = args.print_sql {
        return print_sql(args, &file, dialect, output);
    }
    check_format(&output)?;
    #[cfg(feature = "cluster")]
    keep_off_standard_input(&args.data, &args.how)?;
    let data = Data::find(&args.data, args.format.map(input::format))?;
    keep_data(&output, &data)?;
    let item = if args.patterns { Item::None } else { Item::of(args.item.as_deref()) };
    let ready = Ready::new(&file, &data, item, &args.keep, &args.how)?;
    if args.check {
        talk.say(&checked(args, &file));
        return Ok(());
    }
    if args.patterns { write_patterns(&ready, output, talk) } else { write(&ready, output, talk) }
}

fn print_sql(
    args: &ApplyArgs,
    file: &SourcesFile,
    dialect: DialectArg,
    output: Output,
) -> anyhow::Result<()> {
    let dialect = match dialect {
        DialectArg::Duckdb => Dialect::DuckDb,
        DialectArg::Spark => Dialect::Spark,
    };
    let data = match &args.data[..] {
        [] => None,
        [data] => Some(data.as_os_str()),
        _ => bail!("a query reads one table; name one file or pattern, or none for a table called data"),
    };
    args.data.iter().try_for_each(|data| no_overwrite::keep(&output, "data", data.as_os_str()))?;
    let query = file.pattern_sql(dialect, data, args.format.map(input::format))?;
    output.write_whole(query.as_bytes())?;
    Ok(())
}

/// The column that says how many items have a pattern.
const COUNT_COLUMN: &str = "count";

fn write_patterns(ready: &Ready<'_>, output: Output, talk: Talk) -> anyhow::Result<()> {
    let applier = &ready.applier;
    let names = applier.sources().names();
    if applier.sources().position(COUNT_COLUMN).is_some() {
        bail!("a source is called {COUNT_COLUMN}, like the column of counts; rename the source");
    }
    let started = Instant::now();
    let (votes, counts, summary) = patterns(ready, talk)?;
    let patterns = votes.patterns();
    let mut writer = VoteRowWriter::new(output, None, &[], names, applier.classes(), Some(COUNT_COLUMN))?;
    let mut row = vec![ABSTAIN; names.len()];
    for (p, &count) in counts.iter().enumerate() {
        patterns.read_into(p, &mut row);
        writer.row(&[], &row, Some(count))?;
    }
    writer.finish()?;
    tell(ready, &summary, started.elapsed(), talk);
    talk.say(&format!("wrote {}", counted(patterns.len() as u64, "pattern", "patterns")));
    Ok(())
}

/// The distinct rows of votes in their canonical order, how many items have each, and what became of the sources.
fn patterns(ready: &Ready<'_>, talk: Talk) -> anyhow::Result<(Votes, Vec<u64>, Summary)> {
    let applier = &ready.applier;
    #[cfg(feature = "cluster")]
    if let Some(cluster) = &ready.cluster {
        return cluster::patterns(ready, &mut cluster.remote(applier)?, talk);
    }
    let mut builder = VotesBuilder::new(applier.sources().clone());
    let summary = applied(ready, talk, |rows| {
        let mut rows = rows.votes.chunks_exact(applier.sources().len());
        rows.try_for_each(|votes| builder.push_dense(votes))
            .map_err(|error| ApplyError::Sink(Box::new(error)))
    })?;
    let votes = builder.finish_as(applier.classes().clone())?;
    let counts = votes.patterns().counts().to_vec();
    Ok((votes, counts, summary))
}

/// Refuses an output that would take the place of the sources, or of a file that they read.
pub(super) fn keep_sources(output: &Output, sources: &Path, file: &SourcesFile) -> anyhow::Result<()> {
    no_overwrite::keep(output, "sources", sources.as_os_str())?;
    file.reads().try_for_each(|path| no_overwrite::keep(output, "keywords or dictionary", path.as_os_str()))
}

/// Refuses an output that would take the place of a file of the data.
pub(super) fn keep_data(output: &Output, data: &Data) -> anyhow::Result<()> {
    data.paths().try_for_each(|path| no_overwrite::keep(output, "data", path.as_os_str()))
}

fn checked(args: &ApplyArgs, file: &SourcesFile) -> String {
    format!(
        "{}: {} of {}, no errors",
        args.sources.display(),
        counted(file.sources.len() as u64, "source", "sources"),
        counted(file.classes.len() as u64, "class", "classes")
    )
}

fn write(ready: &Ready<'_>, output: Output, talk: Talk) -> anyhow::Result<()> {
    let applier = &ready.applier;
    let mut names: Vec<&str> = ready.carried.iter().map(String::as_str).collect();
    if ready.item.is_some() {
        names[0] = ITEM_COLUMN;
    }
    refuse_like_names(applier.sources(), &names)?;
    let mut writer =
        VoteRowWriter::new(output, None, &names, applier.sources().names(), applier.classes(), None)?;
    let started = Instant::now();
    let summary = applied(ready, talk, |rows| write_rows(&mut writer, rows))?;
    writer.finish()?;
    tell(ready, &summary, started.elapsed(), talk);
    Ok(())
}

fn write_rows(writer: &mut VoteRowWriter<'_>, rows: &Rows) -> Result<(), ApplyError> {
    let width = rows.votes.len() / rows.rows.max(1);
    let mut texts = Vec::with_capacity(rows.carried.len());
    for row in 0..rows.rows {
        texts.clear();
        texts.extend(rows.texts(row));
        let votes = &rows.votes[row * width..(row + 1) * width];
        writer.row(&texts, votes, None).map_err(|error| ApplyError::Sink(Box::new(error)))?;
    }
    Ok(())
}

/// Where a source failed, if it did.
fn failed_on(source: &SourceSummary) -> Option<String> {
    let (row, message) = source.first_fault.as_ref()?;
    let items = counted(source.faults, "item", "items");
    Some(format!("failed on {items} and abstains there; first on row {row}: {message}"))
}

/// Refuses a source with the name of a column that comes with the votes.
fn refuse_like_names(sources: &Sources, columns: &[&str]) -> anyhow::Result<()> {
    match columns.iter().find(|name| sources.position(name).is_some()) {
        Some(name) => bail!("a source and a column of the data are both called {name}; rename the source"),
        None => Ok(()),
    }
}

/// Says what became of the sources.
pub(super) fn tell(ready: &Ready<'_>, summary: &Summary, took: Duration, talk: Talk) {
    let names = ready.applier.sources().names();
    for (name, source) in names.iter().zip(&summary.sources) {
        if let Some(failed) = failed_on(source) {
            talk.notes(&[format!("source \"{name}\" {failed}")]);
        }
    }
    let silent: Vec<&str> = names
        .iter()
        .zip(&summary.sources)
        .filter(|(_, source)| source.votes == 0 && source.faults == 0)
        .map(|(name, _)| name.as_str())
        .collect();
    if !silent.is_empty() && summary.rows > 0 {
        let more = silent.len().saturating_sub(MOST_NAMES);
        let more = if more > 0 { format!(" and {} more", thousands(more as u64)) } else { String::new() };
        talk.notes(&[format!("never vote: {}{more}", silent[..silent.len().min(MOST_NAMES)].join(", "))]);
    }
    let votes: u64 = summary.sources.iter().map(|source| source.votes).sum();
    let rate = if took >= LONG {
        let rate = summary.rows as f64 / took.as_secs_f64();
        format!(", {} per second", counted(rate as u64, "item", "items"))
    } else {
        String::new()
    };
    talk.say(&format!(
        "applied {} to {}: {}{rate}",
        counted(names.len() as u64, "source", "sources"),
        counted(summary.rows, "item", "items"),
        counted(votes, "vote", "votes")
    ));
}
