//! `consilience apply --watch`: reruns what changed, and says what moved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use consilience::dependency::DependencyType as _;
use consilience::labels::Labels;
use consilience::pipeline::{Structure, label};
use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Statistics, Votes, VotesBuilder};
use consilience_io::{Output, VotesLayout, WriteVotes, check_format, write_votes};
use consilience_sources::{Data, Keywords, Kind, SourcesFile, check};

use super::super::input;
use super::{Item, Ready, applied, keep_data};
use crate::args::ApplyArgs;
use crate::failure;
use crate::terminal::{Talk, counted, thousands};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// The votes of a source, and all that they depend on.
struct Column {
    made_of: String,
    votes: Vec<Vote>,
}

/// What was found in the last round.
struct Round {
    statistics: Statistics,
    names: Vec<String>,
    made: Option<(Structure, Labels)>,
}

pub(super) fn run(args: &ApplyArgs, talk: Talk) -> anyhow::Result<()> {
    let mut columns: BTreeMap<String, Column> = BTreeMap::new();
    let mut last: Option<Round> = None;
    let mut seen: BTreeMap<PathBuf, Option<SystemTime>> = BTreeMap::new();
    let named: Vec<PathBuf> =
        std::iter::once(args.sources.clone()).chain(args.data.iter().map(PathBuf::from)).collect();
    loop {
        // Taken before the round: what changes while it runs is seen in the next one.
        let paths: Vec<&PathBuf> = named.iter().chain(seen.keys()).collect();
        let now: BTreeMap<PathBuf, Option<SystemTime>> =
            paths.into_iter().map(|path| (path.clone(), modified(path))).collect();
        if now != seen {
            seen = now;
            match round(args, &mut columns, &mut last, talk) {
                Ok(files) => {
                    for file in files {
                        let written = modified(&file);
                        seen.entry(file).or_insert(written);
                    }
                }
                Err(error) if last.is_none() => return Err(error),
                Err(error) => failure::tell_error(&error),
            }
        }
        std::thread::sleep(PAUSE);
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

/// One round; returns the files that sources read.
fn round(
    args: &ApplyArgs,
    columns: &mut BTreeMap<String, Column>,
    last: &mut Option<Round>,
    talk: Talk,
) -> anyhow::Result<Vec<PathBuf>> {
    let file = SourcesFile::read(&args.sources)?;
    check(&file, &args.sources.display().to_string(), false)?;
    let data = Data::find(&args.data, args.format.map(input::format))?;
    let written: Vec<Option<SystemTime>> = data.paths().map(modified).collect();
    let made_of: BTreeMap<&str, String> = file
        .sources
        .iter()
        .map(|source| (source.name.as_str(), made_of(&file, &source.name, &written)))
        .collect();
    let is_new = |name: &str| columns.get(name).is_none_or(|column| column.made_of != made_of[name]);
    let changed: BTreeSet<String> =
        file.sources.iter().filter(|source| is_new(&source.name)).map(|source| source.name.clone()).collect();
    let removed: Vec<String> = columns.keys().filter(|name| file.position(name).is_none()).cloned().collect();
    for (name, votes) in rerun(&file, &changed, &data, args, talk)? {
        let made_of = made_of[name.as_str()].clone();
        columns.insert(name, Column { made_of, votes });
    }
    columns.retain(|name, _| !removed.contains(name));

    let votes = together(&file, columns)?;
    let statistics = votes.statistics(None)?;
    let names: Vec<String> = votes.sources().names().to_vec();
    let (made, _) = talk.watched("labelling", || label(&votes));
    let problem = made.as_ref().err().map(ToString::to_string);
    let made = made.ok().map(|made| (made.structure, made.labels));
    let now = Round { statistics, names, made };
    let mut text = format!(
        "{}: {} of {} rerun over {}\n",
        args.sources.display(),
        thousands(changed.len() as u64),
        counted(file.sources.len() as u64, "source", "sources"),
        counted(now.statistics.items, "item", "items")
    );
    tell_sources(&mut text, &now, last.as_ref(), &changed, &removed);
    tell_links(&mut text, &now, last.as_ref());
    tell_labels(&mut text, &now, last.as_ref(), problem.as_deref());
    Output::stdout().write_whole(text.as_bytes())?;
    if args.output != "-" {
        let output = Output::from_arg(&args.output)?;
        check_format(&output)?;
        keep_data(&output, &data)?;
        write_votes(output, &votes, &WriteVotes { layout: VotesLayout::Wide, ..WriteVotes::default() })?;
    }
    *last = Some(now);
    Ok(file.sources.iter().filter_map(|source| reads(&file, &source.kind)).collect())
}

/// The file that a source reads beside the data.
fn reads(file: &SourcesFile, kind: &Kind) -> Option<PathBuf> {
    match kind {
        Kind::Keywords { keywords: Keywords::File(name), .. } | Kind::Lookup { file: name, .. } => {
            Some(file.folder.join(name))
        }
        _ => None,
    }
}

/// All that the votes of a source depend on, as text.
fn made_of(file: &SourcesFile, name: &str, data: &[Option<SystemTime>]) -> String {
    let Some(source) = file.position(name).map(|at| &file.sources[at]) else { return String::new() };
    let written = reads(file, &source.kind).and_then(|path| modified(&path));
    let parts: Vec<String> = source.kind.parts().iter().map(|part| made_of(file, part, &[])).collect();
    let source = consilience_sources::Declared { place: (0, 0), ..source.clone() };
    format!("{:?} {:?} {source:?} {written:?} {parts:?} {data:?}", file.classes, file.text)
}

/// The votes of the sources that changed.
fn rerun(
    file: &SourcesFile,
    changed: &BTreeSet<String>,
    data: &Data,
    args: &ApplyArgs,
    talk: Talk,
) -> anyhow::Result<Vec<(String, Vec<Vote>)>> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let mut needed: BTreeSet<&str> = changed.iter().map(String::as_str).collect();
    let mut open: Vec<&str> = needed.iter().copied().collect();
    while let Some(at) = open.pop().and_then(|name| file.position(name)) {
        open.extend(
            file.sources[at].kind.parts().iter().map(String::as_str).filter(|part| needed.insert(part)),
        );
    }
    let mut part = file.clone();
    part.sources.retain(|source| needed.contains(source.name.as_str()));
    let ready = Ready::new(&part, data, Item::None, &[], &args.how)?;
    let width = part.sources.len();
    let mut votes = vec![Vec::new(); width];
    applied(&ready, talk, |rows| {
        for row in rows.votes.chunks_exact(width) {
            votes.iter_mut().zip(row).for_each(|(column, vote)| column.push(*vote));
        }
        Ok(())
    })?;
    let found = part.sources.into_iter().map(|source| source.name).zip(votes);
    Ok(found.filter(|(name, _)| changed.contains(name)).collect())
}

/// All columns as one table.
fn together(file: &SourcesFile, columns: &BTreeMap<String, Column>) -> anyhow::Result<Votes> {
    let names: Vec<String> = file.sources.iter().map(|source| source.name.clone()).collect();
    let columns: Vec<&Column> = names.iter().filter_map(|name| columns.get(name)).collect();
    let mut builder = VotesBuilder::new(Sources::new(names)?);
    let rows = columns.first().map_or(0, |column| column.votes.len());
    let mut row = Vec::with_capacity(columns.len());
    for i in 0..rows {
        row.clear();
        row.extend(columns.iter().map(|column| column.votes[i]));
        builder.push_dense(&row)?;
    }
    Ok(builder.finish_as(Classes::new(file.classes.clone())?)?)
}

impl Round {
    /// The shares of items on which a source votes, and conflicts.
    fn shares(&self, name: &str) -> Option<(f64, f64)> {
        let source = &self.statistics.sources[self.names.iter().position(|other| other == name)?];
        let items = self.statistics.items.max(1) as f64;
        Some((100.0 * source.votes() as f64 / items, 100.0 * source.conflicts as f64 / items))
    }

    /// The links, as people read them.
    fn links(&self) -> BTreeSet<String> {
        let Some((structure, _)) = &self.made else { return BTreeSet::new() };
        let name = |j: &usize| self.names.get(*j).cloned().unwrap_or_default();
        let link = |link: &consilience::structure::LearnedDependency| {
            let sources: Vec<String> = link.dependency.sources().iter().map(name).collect();
            format!("{} ({})", sources.join(" and "), link.dependency.name())
        };
        structure.selected().map(link).collect()
    }
}

fn tell_sources(
    text: &mut String,
    now: &Round,
    last: Option<&Round>,
    changed: &BTreeSet<String>,
    removed: &[String],
) {
    for name in &now.names {
        let Some((coverage, conflicts)) = now.shares(name) else { continue };
        let before = last.and_then(|last| last.shares(name));
        let moved = before.is_none_or(|(c, k)| (c - coverage).abs() > 1e-9 || (k - conflicts).abs() > 1e-9);
        if !changed.contains(name) && !moved {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = match before {
            Some((c, k)) => writeln!(
                text,
                "  {name}: coverage {c:.1}% -> {coverage:.1}%, conflicts {k:.1}% -> {conflicts:.1}%"
            ),
            None => writeln!(text, "  {name}: coverage {coverage:.1}%, conflicts {conflicts:.1}%"),
        };
    }
    for name in removed {
        let _ = writeln!(text, "  {name}: removed");
    }
}

fn tell_links(text: &mut String, now: &Round, last: Option<&Round>) {
    let (links, before) = (now.links(), last.map(Round::links).unwrap_or_default());
    for link in links.difference(&before) {
        let _ = writeln!(text, "  new link: {link}");
    }
    for link in before.difference(&links) {
        let _ = writeln!(text, "  link gone: {link}");
    }
}

fn tell_labels(text: &mut String, now: &Round, last: Option<&Round>, problem: Option<&str>) {
    let Some((_, labels)) = &now.made else {
        let _ = writeln!(text, "  no labels: {}", problem.unwrap_or_default());
        return;
    };
    let Some((_, before)) = last.and_then(|last| last.made.as_ref()) else { return };
    if before.items() != labels.items() {
        return;
    }
    let mut flips: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for i in 0..labels.items() {
        let (from, to) = (before.class(i).unwrap_or("no label"), labels.class(i).unwrap_or("no label"));
        if from != to {
            *flips.entry((from, to)).or_default() += 1;
        }
    }
    let all: u64 = flips.values().sum();
    let each: Vec<String> =
        flips.iter().map(|((from, to), count)| format!("{from} -> {to} {}", thousands(*count))).collect();
    let each = if each.is_empty() { String::new() } else { format!(": {}", each.join(", ")) };
    let _ = writeln!(text, "  {} flipped{each}", counted(all, "label", "labels"));
}
