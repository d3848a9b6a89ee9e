//! `consilience reproduce` where this build leaves it out.

use anyhow::bail;

use crate::args::ReproduceArgs;
use crate::terminal::Talk;

pub(super) fn run(_: &ReproduceArgs, _: Talk) -> anyhow::Result<()> {
    bail!(
        "reproduce is left out of this build, since it needs plots and fonts that no other verb uses; build the command with it: cargo install --locked --path crates/consilience-cli"
    )
}
