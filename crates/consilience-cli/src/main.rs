//! The `consilience` command: probabilistic labels from the votes of noisy sources.

mod args;
mod commands;
mod failure;
mod hint;
mod terminal;
mod view;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    failure::expect_bugs();
    match args::Cli::try_parse() {
        Ok(cli) => failure::report(commands::run(cli)),
        Err(error) => failure::report_usage(&error),
    }
}
