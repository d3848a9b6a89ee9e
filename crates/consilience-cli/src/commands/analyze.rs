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
    let votes = input::read(&args.votes, &output, talk)?;
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
