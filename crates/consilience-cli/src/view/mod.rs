//! Tables for people.

mod analysis;
mod certificate;
mod explanation;
mod plan;
mod structure;
mod table;

pub(crate) use analysis::analysis;
pub(crate) use certificate::certificate;
pub(crate) use explanation::{item, panel, source};
pub(crate) use plan::{PlanReport, plan};
pub(crate) use structure::{rule, structure, unsettled};

use std::io::IsTerminal as _;

use consilience_io::Output;

/// Only on a terminal is there a width to keep to; files and pipes get names in full.
pub(crate) fn width(output: &Output) -> Option<usize> {
    let on_terminal = output.path().is_none() && std::io::stdout().is_terminal();
    let (width, _) = on_terminal.then(terminal_size::terminal_size)??;
    Some(usize::from(width.0))
}
