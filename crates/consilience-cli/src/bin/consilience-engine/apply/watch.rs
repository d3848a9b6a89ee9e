//! `consilience apply --watch`: reruns what changed, and says what moved.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use consilience::findings::{Flip, Moved, MovedLink, Snapshot};
use consilience::pipeline::label;
use consilience::votes::Votes;
use consilience_io::{ITEM_COLUMN, ItemNames, Output, VotesLayout, WriteVotes, check_format, write_votes};
use consilience_sources::{Data, Origins, Rerun, SourceSummary, read_checked, rerun};

use super::sources::{failed, show};
use super::{Item, failed_on, keep_data, keep_sources, options, refuse_like_names};
use consilience_cli::args::ApplyArgs;
use consilience_cli::commands::input;
use consilience_cli::failure;

use crate::here::Here;
use consilience_cli::terminal::{Talk, counted, thousands};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// What was found in the last round.
struct Round {
    votes: Votes,
    origins: Origins,
    snapshot: Snapshot,
    /// The names of the items, if they are written.
    items: Option<Rc<ItemNames>>,
}

pub(super) fn run(args: &ApplyArgs, talk: Talk) -> anyhow::Result<()> {
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
            match round(args, &mut last, talk) {
                Ok(files) => {
                    for file in files {
                        let written = modified(&file);
                        seen.entry(file).or_insert(written);
                    }
                }
                Err(error) if last.is_none() => return Err(error),
                Err(error) => failure::tell_error(&error, &Here),
            }
        }
        std::thread::sleep(PAUSE);
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}

/// One round; returns the files that sources read.
fn round(args: &ApplyArgs, last: &mut Option<Round>, talk: Talk) -> anyhow::Result<Vec<PathBuf>> {
    let file = read_checked(&args.sources, false)?;
    let data = Data::find(&args.data, args.format.map(input::format))?;
    if data.is_stdin() {
        bail!(
            "--watch reads the data again after each change, which standard input does not allow; name a file"
        );
    }
    let output = (args.output != "-").then(|| Output::from_arg(&args.output)).transpose()?;
    if let Some(output) = &output {
        check_format(output)?;
        keep_sources(output, &args.sources, &file)?;
        keep_data(output, &data)?;
    }
    let before = last.as_ref().map(|last| (&last.votes, &last.origins));
    let wait = talk.wait("applying sources");
    let progress = |far| {
        show(&wait, far);
        true
    };
    let options = options(&file, &args.how, Vec::new());
    let made = rerun(&file, &data, before, usize::MAX, options, &progress).map_err(failed)?;
    drop(wait);
    let Some(Rerun { votes, origins, ran }) = made else { return Ok(Vec::new()) };
    let items = match last {
        _ if output.is_none() => None,
        Some(last) if last.origins.have_same_data(&data) => last.items.clone(),
        _ => items(args, &data, &votes)?.map(Rc::new),
    };
    if items.is_some() {
        refuse_like_names(votes.sources(), &[ITEM_COLUMN])?;
    }

    let snapshot = Snapshot::new(&votes)?;
    let (made, _) = talk.watched("labelling", || label(&votes));
    let problem = made.as_ref().err().map(ToString::to_string);
    let snapshot = match made {
        Ok(made) => snapshot.labelled(&made.structure, made.labels),
        Err(_) => snapshot,
    };
    let moved = Moved::new(last.as_ref().map(|last| &last.snapshot), &snapshot);
    let mut text = format!(
        "{}: {} of {} rerun over {}\n",
        args.sources.display(),
        thousands(ran.len() as u64),
        counted(file.sources.len() as u64, "source", "sources"),
        counted(moved.items, "item", "items")
    );
    tell(&mut text, &moved, &ran, problem.as_deref());
    Output::stdout().write_whole(text.as_bytes())?;
    if let Some(output) = output {
        let options =
            WriteVotes { items: items.as_deref(), layout: VotesLayout::Wide, ..WriteVotes::default() };
        write_votes(output, &votes, &options)?;
    }
    *last = Some(Round { votes, origins, snapshot, items });
    Ok(file.reads().collect())
}

/// The names of the items, if the data has them.
fn items(args: &ApplyArgs, data: &Data, votes: &Votes) -> anyhow::Result<Option<ItemNames>> {
    let Some(column) = Item::of(args.item.as_deref()).column(data)? else { return Ok(None) };
    let items = data.item_names(&column)?;
    if items.len() != votes.items() {
        bail!("the data changed while it was read; try again");
    }
    Ok(Some(items))
}

fn tell(text: &mut String, moved: &Moved, ran: &BTreeMap<String, SourceSummary>, problem: Option<&str>) {
    for source in moved.sources.iter().filter(|source| source.moved || ran.contains_key(&source.name)) {
        let name = &source.name;
        let (coverage, conflicts) = (100.0 * source.after.coverage, 100.0 * source.after.conflicts);
        // Writing to a string cannot fail.
        let _ = match source.before {
            Some(before) => writeln!(
                text,
                "  {name}: coverage {:.1}% -> {coverage:.1}%, conflicts {:.1}% -> {conflicts:.1}%",
                100.0 * before.coverage,
                100.0 * before.conflicts
            ),
            None => writeln!(text, "  {name}: coverage {coverage:.1}%, conflicts {conflicts:.1}%"),
        };
        if let Some(failed) = ran.get(name).and_then(failed_on) {
            let _ = writeln!(text, "  {name}: {failed}");
        }
    }
    for name in &moved.removed {
        let _ = writeln!(text, "  {name}: removed");
    }
    let link = |link: &MovedLink| format!("{} ({})", link.sources.join(" and "), link.kind);
    for new in &moved.new_links {
        let _ = writeln!(text, "  new link: {}", link(new));
    }
    for gone in &moved.gone_links {
        let _ = writeln!(text, "  link gone: {}", link(gone));
    }
    if let Some(problem) = problem {
        let _ = writeln!(text, "  no labels: {problem}");
    }
    let Some(labels) = &moved.labels else { return };
    let class = |class: &Option<String>| class.clone().unwrap_or_else(|| "no label".to_string());
    let flip =
        |flip: &Flip| format!("{} -> {} {}", class(&flip.from), class(&flip.to), thousands(flip.items));
    let each: Vec<String> = labels.flips.iter().map(flip).collect();
    let each = if each.is_empty() { String::new() } else { format!(": {}", each.join(", ")) };
    let _ = writeln!(text, "  {} flipped{each}", counted(labels.flipped, "label", "labels"));
}
