//! `consilience reproduce` if this build leaves it out: anything may be typed, and the answer is always the same.

use std::ffi::OsString;

use clap::Args;

/// Run the paper's experiments (left out of this build)
#[derive(Debug, Args)]
#[command(hide = true, disable_help_flag = true)]
pub struct ReproduceArgs {
    /// Whatever was typed.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _typed: Vec<OsString>,
}
