//! Reruns the sources that changed, and takes the votes of all others from the last time.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};
use foldhash::fast::FixedState;

use super::data::Data;
use super::error::ApplyError;
use super::run::{Applier, ApplyOptions, Progress, SourceSummary};
use crate::file::{Declared, Keywords, Kind, SourcesFile};

/// Everything that the votes of each source depend on: its rule, the sources it is composed of, the files they read, and the data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    of_source: BTreeMap<String, u64>,
    data: Vec<Option<SystemTime>>,
}

impl Origins {
    /// What the votes of `file` over `data` depend on now.
    pub fn new(file: &SourcesFile, data: &Data) -> Self {
        let mut numbers = BTreeMap::new();
        let origin = |(at, source): (usize, &Declared)| (source.name.clone(), origin(file, at, &mut numbers));
        Self {
            of_source: file.sources.iter().enumerate().map(origin).collect(),
            data: data.paths().map(modified).collect(),
        }
    }

    /// Whether `data` is as it was.
    pub fn have_same_data(&self, data: &Data) -> bool {
        self.data == data.paths().map(modified).collect::<Vec<_>>()
    }

    /// The sources of `file` whose votes are not known from `self`.
    fn changed(&self, now: &Self) -> BTreeSet<String> {
        let same = |name: &String, origin: &u64| {
            self.data == now.data && self.of_source.get(name).is_some_and(|other| other == origin)
        };
        now.of_source
            .iter()
            .filter(|(name, origin)| !same(name, origin))
            .map(|(name, _)| name.clone())
            .collect()
    }
}

/// What became of a rerun.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// The votes of all sources.
    pub votes: Votes,
    /// What they depend on.
    pub origins: Origins,
    /// The sources that were run, and what became of them.
    pub ran: BTreeMap<String, SourceSummary>,
}

/// The votes of `file` over `data`: those that changed since `last` are run, all others are taken from there.
///
/// No more than `most` items are read. `progress` may end it by returning false, and the result is `None` then.
pub fn rerun(
    file: &SourcesFile,
    data: &Data,
    last: Option<(&Votes, &Origins)>,
    most: usize,
    options: ApplyOptions,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Option<Rerun>, ApplyError> {
    let origins = Origins::new(file, data);
    let changed = last.map_or_else(|| file.names(), |(_, old)| old.changed(&origins));
    let Some(new) = columns(file, &changed, data, most, options, progress)? else { return Ok(None) };
    let sink = |error: Box<dyn std::error::Error + Send + Sync>| ApplyError::Sink(error);
    let names: Vec<String> = file.sources.iter().map(|source| source.name.clone()).collect();
    let sources = Sources::new(names).map_err(|error| sink(error.into()))?;
    let kept = last.map(|(votes, _)| votes).filter(|_| changed.len() < file.sources.len());
    let rows = match (kept, new.first()) {
        (Some(votes), Some(column)) if votes.items().min(most) != column.votes.len() => {
            return Err(sink("the data changed while it was read; try again".into()));
        }
        (Some(votes), _) => votes.items().min(most),
        (None, first) => first.map_or(0, |column| column.votes.len()),
    };
    // Where the votes of each source of the last time go now.
    let places: Vec<Option<usize>> = kept.map_or_else(Vec::new, |votes| {
        let place = |name: &String| file.position(name).filter(|_| !changed.contains(name));
        votes.sources().names().iter().map(place).collect()
    });
    let mut row = vec![ABSTAIN; file.sources.len()];
    let mut builder = VotesBuilder::new(sources);
    for i in 0..rows {
        row.fill(ABSTAIN);
        for (source, vote) in kept.iter().flat_map(|votes| votes.row_of_item(i)) {
            if let Some(place) = places[source] {
                row[place] = vote;
            }
        }
        for column in &new {
            row[column.place] = column.votes[i];
        }
        builder.push_dense(&row).map_err(|error| sink(error.into()))?;
    }
    let classes = Classes::new(file.classes.clone()).map_err(|error| sink(error.into()))?;
    let votes = builder.finish_as(classes).map_err(|error| sink(error.into()))?;
    let ran =
        new.into_iter().map(|column| (file.sources[column.place].name.clone(), column.summary)).collect();
    Ok(Some(Rerun { votes, origins, ran }))
}

/// What a source did.
struct Column {
    /// Its place in the file.
    place: usize,
    votes: Vec<Vote>,
    summary: SourceSummary,
}

/// The votes of `wanted`; `None` if it was ended.
fn columns(
    file: &SourcesFile,
    wanted: &BTreeSet<String>,
    data: &Data,
    most: usize,
    options: ApplyOptions,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Option<Vec<Column>>, ApplyError> {
    if wanted.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut needed: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    let mut open: Vec<&str> = needed.iter().copied().collect();
    while let Some(at) = open.pop().and_then(|name| file.position(name)) {
        open.extend(
            file.sources[at].kind.parts().iter().map(String::as_str).filter(|part| needed.insert(part)),
        );
    }
    let mut part = file.clone();
    part.sources.retain(|source| needed.contains(source.name.as_str()));
    let width = part.sources.len();
    let applier = Applier::new(&part, data, options)?;
    let mut votes = vec![Vec::new(); width];
    let mut summaries = vec![SourceSummary::default(); width];
    let go_on = std::sync::atomic::AtomicBool::new(true);
    let ran = applier.run(
        |rows| {
            rows.faults().for_each(|fault| summaries[fault.source].add(fault));
            for row in rows.votes.chunks_exact(width).take(most - votes[0].len()) {
                votes.iter_mut().zip(row).for_each(|(column, vote)| column.push(*vote));
            }
            let enough = votes[0].len() == most || !go_on.load(std::sync::atomic::Ordering::Relaxed);
            if enough { Err(ApplyError::Sink(Box::new(Enough))) } else { Ok(()) }
        },
        &|far| go_on.store(progress(far), std::sync::atomic::Ordering::Relaxed),
    );
    match ran {
        Ok(_) => {}
        Err(ApplyError::Sink(error)) if error.is::<Enough>() && votes[0].len() == most => {}
        Err(ApplyError::Sink(error)) if error.is::<Enough>() => return Ok(None),
        Err(error) => return Err(error),
    }
    let found = part.sources.iter().zip(votes).zip(summaries);
    let column = |((source, votes), mut summary): ((&Declared, Vec<Vote>), SourceSummary)| {
        summary.votes = votes.iter().filter(|vote| **vote != ABSTAIN).count() as u64;
        let place = file.position(&source.name).filter(|_| wanted.contains(&source.name))?;
        Some(Column { place, votes, summary })
    };
    Ok(Some(found.filter_map(column).collect()))
}

/// Ends reading early.
#[derive(Debug, thiserror::Error)]
#[error("no more items are wanted")]
struct Enough;

impl SourcesFile {
    /// The names of all sources.
    fn names(&self) -> BTreeSet<String> {
        self.sources.iter().map(|source| source.name.clone()).collect()
    }

    /// The files that sources read in addition to the data.
    pub fn reads(&self) -> impl Iterator<Item = PathBuf> {
        self.sources.iter().filter_map(|source| reads(self, &source.kind))
    }
}

fn reads(file: &SourcesFile, kind: &Kind) -> Option<PathBuf> {
    match kind {
        Kind::Keywords { keywords: Keywords::File(name), .. } | Kind::Lookup { file: name, .. } => {
            Some(file.folder.join(name))
        }
        _ => None,
    }
}

/// All that the votes of a source depend on but the data; a number for each source that `numbers` knows already.
fn origin(file: &SourcesFile, at: usize, numbers: &mut BTreeMap<usize, u64>) -> u64 {
    if let Some(&known) = numbers.get(&at) {
        return known;
    }
    let source = &file.sources[at];
    let written = reads(file, &source.kind).and_then(|path| modified(&path));
    let parts = source.kind.parts().iter().map(|part| file.position(part));
    let parts: Vec<Option<u64>> = parts.map(|part| part.map(|part| origin(file, part, numbers))).collect();
    let text = file.text_column(source);
    let source = Declared { place: (0, 0), ..source.clone() };
    let all = format!("{:?} {text:?} {source:?} {written:?} {parts:?}", file.classes);
    let number = FixedState::default().hash_one(all);
    numbers.insert(at, number);
    number
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}
