//! The command that people type.

use std::process::ExitCode;

fn main() -> ExitCode {
    consilience_cli::run()
}
