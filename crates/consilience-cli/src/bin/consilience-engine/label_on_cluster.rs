//! `consilience label --sources --cluster`: patterns come here and are fitted, and labels go where the items are.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use consilience::labels::{Labels, Ties};
use consilience::sources::{ABSTAIN, Vote};
use consilience_cluster::{PatternLabels, Remote};
use consilience_io::{ItemNames, LabelRow, LabelWriter, Output, VoteTable, check_format};
use consilience_sources::{ApplyError, Data, read_checked};

use crate::apply::{self, Item, Ready};
use consilience_cli::args::{LabelArgs, TiesArg};
use consilience_cli::commands::label::{self, Summary};
use consilience_cli::commands::{fit, input};
use consilience_cli::terminal::Talk;

pub(super) fn run(args: &LabelArgs, talk: Talk) -> anyhow::Result<()> {
    let Some(sources) = &args.sources else {
        bail!(
            "--cluster applies sources; name them with --sources, or leave it out to label votes on this machine"
        );
    };
    refuse(args)?;
    apply::refuse_idle_flags(&args.votes.table)?;
    let place = Place::of(args)?;
    let request = label::request(args)?;
    let known = args.model.as_deref().map(fit::read_models).transpose()?;
    let file = read_checked(sources, false)?;
    apply::keep_off_standard_input(std::slice::from_ref(&args.votes.votes), &args.how)?;
    let data =
        Data::find(std::slice::from_ref(&args.votes.votes), args.votes.table.format.map(input::format))?;
    if let Place::File(output) = &place {
        apply::keep_sources(output, sources, &file)?;
        apply::keep_data(output, &data)?;
    }
    let ready = Ready::new(&file, &data, Item::of(args.votes.table.item.as_deref()), &[], &args.how)?;
    let cluster = ready.cluster.as_ref().context("no cluster is named")?;
    let mut remote = cluster.remote(&ready.applier)?;
    let started = Instant::now();
    let (votes, counts, applied) = apply::patterns_there(&ready, &mut remote, talk)?;
    apply::tell(&ready, &applied, started.elapsed(), talk);
    let patterns: Vec<Vec<Vote>> = (0..votes.patterns().len())
        .map(|p| {
            let mut pattern = vec![ABSTAIN; votes.sources().len()];
            votes.patterns().read_into(p, &mut pattern);
            pattern
        })
        .collect();
    let items = ItemNames::row_numbers(votes.items());
    let table = VoteTable { votes, items, gold: None, notes: Vec::new() };
    let votes = input::NamedTable {
        name: data.name(),
        table,
        counts: Some(counts),
        compositions: file.compositions(),
    };
    let made = label::made(args, request, known, &votes, None, talk)?;
    let (decided, summary) = decide(args, &made, votes.counts.as_deref().unwrap_or_default());
    let labels = Decided { labels: &made.labels, classes: &decided, items: applied.rows };
    match place {
        Place::File(output) => write(&ready, &mut remote, &patterns, &labels, *output, talk)?,
        Place::Folder(folder) => {
            let wait = talk.wait("writing labels on the cluster");
            let written = remote.write_labels(&patterns, &labels.of_patterns(), &folder, labels.items);
            drop(wait);
            written.map_err(apply::failed_there)?;
        }
    }
    talk.say(&summary.line());
    Ok(())
}

/// Where labels go.
enum Place {
    /// A file, which is written here.
    File(Box<Output>),
    /// A folder, which the executors fill.
    Folder(PathBuf),
}

impl Place {
    fn of(args: &LabelArgs) -> anyhow::Result<Self> {
        let path = Path::new(&args.output);
        if args.output.as_encoded_bytes().ends_with(b"/") || path.is_dir() {
            return Ok(Self::Folder(path.components().collect()));
        }
        let output = Output::from_arg(&args.output)?;
        check_format(&output)?;
        for (name, what) in [(&args.model, "model"), (&args.fit.structure, "structure")] {
            fit::keep_apart(&output, name.as_deref(), what)?;
        }
        Ok(Self::File(Box::new(output)))
    }
}

/// The labels of patterns, and how many items have them.
struct Decided<'a> {
    labels: &'a Labels,
    classes: &'a [Option<Vote>],
    items: u64,
}

impl Decided<'_> {
    fn row<'b>(&'b self, pattern: usize, item: &'b str) -> LabelRow<'b> {
        LabelRow::of(self.labels, pattern, item, self.classes[pattern])
    }

    fn of_patterns(&self) -> PatternLabels {
        let mut all =
            PatternLabels { classes: self.labels.classes().names().to_vec(), ..PatternLabels::default() };
        for pattern in 0..self.classes.len() {
            let row = self.row(pattern, "");
            all.labels.push(row.label.map(ToString::to_string));
            all.confidence.push(row.confidence);
            all.probabilities.extend_from_slice(row.probabilities);
        }
        all
    }
}

/// The label of each pattern, and what became of their items.
fn decide(args: &LabelArgs, made: &label::Made, counts: &[u64]) -> (Vec<Option<Vote>>, Summary) {
    let ties = if matches!(args.ties, TiesArg::First) { Ties::First } else { Ties::Empty };
    let labels = &made.labels;
    let mut summary = Summary::new(made.way);
    let mut decided = Vec::with_capacity(counts.len());
    for (p, &times) in counts.iter().enumerate() {
        let unsure = args.abstain_below.is_some_and(|below| labels.confidence(p) < below);
        let label = if unsure { None } else { labels.decide(p, ties) };
        summary.add(labels, p, times, label, unsure, ABSTAIN);
        decided.push(label);
    }
    (decided, summary)
}

/// Writes the labels of all items, in order, as they come back joined with the number of their pattern.
fn write(
    ready: &Ready<'_>,
    remote: &mut Remote<'_>,
    patterns: &[Vec<Vote>],
    labels: &Decided<'_>,
    output: Output,
    talk: Talk,
) -> anyhow::Result<()> {
    let mut writer = LabelWriter::new(output, labels.labels.classes(), None)?;
    let numbers = ItemNames::row_numbers(usize::try_from(labels.items).unwrap_or(usize::MAX));
    let named = ready.item.is_some();
    let wait = talk.wait("joining labels on the cluster");
    let mut row = 0;
    let written = remote.items(
        patterns,
        |cells, pattern| {
            let number = numbers.name(row);
            let item = if named { cells.first().copied().flatten().unwrap_or_default() } else { &number };
            row += 1;
            writer.write(&labels.row(pattern, item)).map_err(|error| ApplyError::Sink(Box::new(error)))
        },
        &|fraction| wait.progress(Some(fraction), ""),
    );
    let (before, after) = (labels.items, written.map_err(apply::failed_there)?);
    if before != after {
        bail!("the data changed while it was labelled: it had {before} items, then {after}; run it again");
    }
    writer.finish()?;
    Ok(())
}

/// Flags about single items, which a cluster does not send here before they are labelled.
fn refuse(args: &LabelArgs) -> anyhow::Result<()> {
    let given = [
        (args.answers.answers.is_some(), "--answers"),
        (args.answers.answers_column.is_some(), "--answers-column"),
        (args.decide.is_some(), "--decide"),
        (args.votes.table.gold.is_some(), "--gold"),
        (matches!(args.ties, TiesArg::Random), "--ties random"),
    ];
    match given.iter().find(|(given, _)| *given) {
        Some((_, flag)) => bail!(
            "{flag} needs individual items, but a cluster labels patterns; leave it out, or run apply on the cluster first and label the votes"
        ),
        None => Ok(()),
    }
}
