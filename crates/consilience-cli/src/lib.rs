//! The `consilience` command: probabilistic labels from the votes of noisy sources.
//!
//! It is two programs. `consilience` is small and does nearly everything; for what needs a query engine, a web server or plots
//! it starts `consilience-engine` ([`engine`] has the why), which is built on the same parts. Both read the same arguments.

#[doc(hidden)]
pub mod args;
#[doc(hidden)]
pub mod commands;
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod failure;
mod hint;
#[doc(hidden)]
pub mod terminal;
mod view;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use commands::{Heavy, InEngine};

/// What `consilience` does.
pub fn run() -> ExitCode {
    run_with(std::env::args_os(), &InEngine)
}

/// What `arguments` ask for.
#[doc(hidden)]
pub fn run_with(arguments: impl IntoIterator<Item = OsString>, heavy: &dyn Heavy) -> ExitCode {
    failure::expect_bugs();
    match args::Cli::try_parse_from(arguments.into_iter().collect::<Vec<_>>()) {
        Ok(cli) => failure::report(commands::run(cli, heavy), heavy),
        Err(error) => failure::report_usage(&error, heavy),
    }
}
