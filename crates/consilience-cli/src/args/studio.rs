//! `consilience studio`: what was typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience studio votes.csv
  consilience studio votes.csv --text items.csv --answers answers.csv
  consilience studio mails.csv --sources sources.toml
  consilience studio votes.csv --text mails.csv --sources sources.toml
  consilience studio votes.csv --gold label --port 8000 --no-open

Opens a page in your browser that shows which sources repeat each other, how
reliable each source is, why an item has its label, and what other models would
change. With --answers, you can label a random sample there and see how good the
labels are. With --sources, you can edit the rules there, see what moves
(coverage, conflicts, links, labels), and save the file. Press Ctrl-C to stop.

The server listens on this machine only, needs no network, and admits anyone who
has the address it prints.";

/// Explore votes and labels in your browser
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct StudioArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
    /// Create the votes from this sources file, and edit it in the page
    ///
    /// VOTES is then data, and this file declares the sources, as for `consilience apply`. If VOTES has a
    /// column for each of them, as written by `apply`, the sources read the table of --text instead. The page
    /// tries changes on up to 100,000 items, and writes the file when you save. It never runs a program that
    /// the file did not name at the start. Items show the texts that the sources read, unless --text names
    /// others.
    #[cfg(feature = "apply")]
    #[arg(help_heading = "The sources", long, value_name = "FILE")]
    pub sources: Option<PathBuf>,
    /// How sources may run.
    #[cfg(feature = "apply")]
    #[command(flatten)]
    pub how: super::apply::SourcesArgs,
    /// Print the address without opening a browser
    #[arg(help_heading = "Output", long)]
    pub no_open: bool,
    /// Table with the items' text
    ///
    /// Joined by item name, or by order if the votes have no names.
    #[arg(help_heading = "Items and answers", long, value_name = "FILE")]
    pub text: Option<OsString>,
    /// File that answers are read from and saved to
    ///
    /// A table with the columns item and answer, created with the first answer if missing. The studio writes
    /// only this file and that of --sources.
    #[arg(help_heading = "Items and answers", long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Port to listen on [default: a free one]
    #[arg(help_heading = "Advanced", long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
}
