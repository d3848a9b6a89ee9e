//! `consilience analyze`: describes a table of votes.

use anyhow::{Context as _, bail};
use consilience::report::Analysis;
use consilience_io::{Output, available_memory, write_document};

use super::input;
use crate::args::AnalyzeArgs;
use crate::terminal::{Talk, thousands};
use crate::view;

pub(super) fn run(args: &AnalyzeArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    let votes = input::read(&args.votes, &output, talk)?;
    refuse_too_many_pairs(args.pairs.0, votes.table.votes.sources().len())?;
    let wait = talk.wait("counting votes");
    let analysis = Analysis::new(&votes.table.votes, votes.table.gold.as_deref(), args.pairs.0)
        .with_context(|| votes.name.clone())?;
    drop(wait);
    if args.json {
        write_document(output, &analysis)?;
    } else {
        let text = view::analysis(&analysis, &votes.name, view::width(&output));
        output.write_whole(text.as_bytes())?;
    }
    // Last, where a reader of a long table looks.
    talk.notes(&votes.table.notes);
    Ok(())
}

/// Bytes that a pair takes until it is shown, as a row of a table or of JSON.
const PAIR_BYTES: u64 = 2048;

/// Refuses to show more pairs than there is memory for.
fn refuse_too_many_pairs(asked: usize, sources: usize) -> anyhow::Result<()> {
    let pairs = (sources as u64 * (sources as u64).saturating_sub(1) / 2).min(asked as u64);
    let bytes = pairs.saturating_mul(PAIR_BYTES);
    if available_memory().is_some_and(|available| bytes > available / 2) {
        bail!(
            "{} pairs of {} sources would take about {} GB to show; use a smaller number, such as --pairs 1000",
            thousands(pairs),
            thousands(sources as u64),
            bytes.div_ceil(1 << 30)
        );
    }
    Ok(())
}
