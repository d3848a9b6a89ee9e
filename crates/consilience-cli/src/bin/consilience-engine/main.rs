//! The program that `consilience` starts for what needs a query engine, a web server or plots.

#[cfg(feature = "apply")]
mod apply;
#[cfg(feature = "cluster")]
mod cluster;
mod here;
#[cfg(feature = "cluster")]
mod label_on_cluster;
#[cfg(feature = "reproduce")]
mod reproduce;
#[cfg(feature = "studio")]
mod studio;

use std::process::ExitCode;

use consilience_cli::{engine, failure, run_with};

use here::Here;

fn main() -> ExitCode {
    match engine::arguments(std::env::args_os()) {
        Ok(arguments) => run_with(arguments, &Here),
        Err(error) => failure::report(Err(error), &Here),
    }
}
