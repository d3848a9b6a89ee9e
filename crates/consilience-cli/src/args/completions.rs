//! `consilience completions`: what was typed.

use clap::Args;
use clap_complete::Shell;

const EXAMPLE: &str = "\
Example:
  consilience completions bash > consilience.bash
  source consilience.bash";

/// Write a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}
