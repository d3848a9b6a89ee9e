//! `consilience completions`: the command describes itself to a shell.

use clap::CommandFactory as _;
use consilience_io::Output;

use crate::args::{Cli, CompletionsArgs};

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut command = Cli::command();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "consilience", &mut script);
    Ok(Output::stdout().write_whole(&script)?)
}
