//! The `consilience` command.
mod args;
use clap::Parser as _;
fn main() {
    let a = args::Cli::parse();
    let _ = a;
}
