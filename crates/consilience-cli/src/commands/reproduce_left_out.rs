//! `consilience reproduce` if this build leaves it out.

use anyhow::bail;

use crate::args::ReproduceArgs;
use crate::terminal::Talk;

pub(super) fn run(_: &ReproduceArgs, _: Talk) -> anyhow::Result<()> {
    bail!(
        "this build does not include reproduce, which needs plots and fonts that no other command uses; build it with: cargo install --locked --path crates/consilience-cli"
    )
}
