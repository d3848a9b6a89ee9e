//! `consilience studio`: what was typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience studio votes.csv
  consilience studio votes.csv --text items.csv --answers answers.csv
  consilience studio votes.csv --gold label --port 8000 --no-open

Opens a page in your browser: who repeats whom, what each source is worth, why
an item has its label, what other models would change. With --answers you label
a random sample there and see how good the labels are. Ends with Ctrl-C.

It listens on this machine only, works without a network, and lets in whoever
has the address that it prints.";

/// Look into the votes in your browser
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct StudioArgs {
    /// Table with the items' text
    ///
    /// Joined by the items' names; by order where the votes have none.
    #[arg(long, value_name = "FILE")]
    pub(crate) text: Option<OsString>,
    /// File that answers are read from and saved to
    ///
    /// A table with the columns item and answer, made with the first answer where it is missing. Nothing else is ever written.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Print the address, and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// The table.
    #[command(flatten)]
    pub(crate) votes: VotesArgs,
}
