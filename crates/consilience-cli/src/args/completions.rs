//! `consilience completions`: what was typed.

use clap::Args;
use clap_complete::Shell;

const EXAMPLE: &str = "\
Example:
  consilience completions bash > ~/.local/share/bash-completion/completions/consilience";

/// Write a script that completes this command in a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
