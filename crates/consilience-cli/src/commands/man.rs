//! `consilience man`: the command describes itself in a manual page.

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_mangen::Man;
use consilience_io::Output;

use crate::args::{Cli, ManArgs};

pub(super) fn run(args: &ManArgs) -> anyhow::Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let command = match &args.verb {
        None => command,
        Some(verb) => command.find_subcommand(verb).cloned().with_context(|| {
            let verbs = command.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>();
            format!("\"{verb}\" is not a command; the commands are {}", verbs.join(", "))
        })?,
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(Output::stdout().write_whole(&page)?)
}
