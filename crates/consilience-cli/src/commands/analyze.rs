//! `consilience analyze`: describes a table of votes.

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
        let text = view::analysis(&analysis, &votes.name, args.pairs.0, view::width(&output));
        output.write_whole(text.as_bytes())?;
    }
    // Last, where a reader of a long table looks.
    talk.notes(&notes);
    Ok(())
}
