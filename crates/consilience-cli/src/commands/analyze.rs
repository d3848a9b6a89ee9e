//! `consilience analyze`: describes a table of votes.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use consilience::report::Analysis;
use consilience_io::{Output, write_document};

use super::input;
use crate::args::AnalyzeArgs;
use crate::terminal::Talk;
use crate::view;

pub(super) fn run(args: &AnalyzeArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    let mut votes = input::read(&args.votes, talk)?;
    let wait = talk.wait("counting votes");
    let mut analysis =
        Analysis::new(&votes.table.votes, votes.table.gold.as_deref()).with_context(|| votes.name.clone())?;
    drop(wait);
    let notes = std::mem::take(&mut votes.table.notes);
    if args.json {
        analysis.pairs.truncate(args.pairs.0);
        write_document(output, &analysis)?;
    } else {
        let text = view::analysis(&analysis, &votes.name, args.pairs.0, width(&output));
        output.write_whole(text.as_bytes())?;
    }
    // Last, where a reader of a long table looks.
    talk.notes(&notes);
    Ok(())
}

/// Only on a terminal is there a width to keep to; files and pipes get names in full.
fn width(output: &Output) -> Option<usize> {
    let on_terminal = output.path().is_none() && std::io::stdout().is_terminal();
    let (width, _) = on_terminal.then(terminal_size::terminal_size)??;
    Some(usize::from(width.0))
}
