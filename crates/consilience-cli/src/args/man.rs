//! `consilience man`: what was typed.

use clap::Args;

const EXAMPLE: &str = "\
Example:
  consilience man > consilience.1
  consilience man label > consilience-label.1
  man ./consilience.1";

/// Write a manual page
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct ManArgs {
    /// Command to describe [default: consilience itself]
    #[arg(value_name = "COMMAND")]
    pub verb: Option<String>,
}
