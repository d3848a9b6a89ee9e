//! A model on a set, in a process of its own, so that memory and time are those of this model alone.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;
use consilience_reproduce::set::Set;

use crate::memory;
use crate::models::LabelModel;
use crate::score::{Run, Scores};

/// The argument by which this program calls itself: the set's folder and the model's name follow.
pub(crate) const ALONE: &str = "--alone";

/// Fits, labels and scores the items that have a vote.
///
/// The peak is counted again after the votes are read: it is the most that the process holds while it fits and labels,
/// votes and program included. Nothing ran in the process before, so that no memory of another model is used again unseen.
pub(crate) fn run(model: LabelModel, set: &Set) -> anyhow::Result<Run> {
    let counts = memory::reset();
    let start = Instant::now();
    let labels = model.label(&set.votes, &set.votes)?;
    let seconds = start.elapsed().as_secs_f64();
    let peak_bytes = if counts { memory::peak() } else { None };
    let (scores, reliability) = Scores::of_labels(&labels, &set.gold, set.metric)?;
    Ok(Run {
        model: model.name().to_string(),
        scores,
        reliability,
        seconds: Some(seconds),
        peak_bytes,
        version: None,
    })
}

/// The same in a process of its own.
pub(crate) fn run_alone(model: LabelModel, folder: &Path) -> anyhow::Result<Run> {
    let program = std::env::current_exe().context("this program's own file")?;
    let output = Command::new(program).arg(ALONE).arg(folder).arg(model.name()).output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{} on {}: {}", model.name(), folder.display(), told.trim());
    serde_json::from_slice(&output.stdout).context("what the process of a model wrote")
}

/// What the called process does: one line of JSON.
pub(crate) fn alone(folder: &Path, model: &str) -> anyhow::Result<String> {
    let model = LabelModel::named(model).with_context(|| format!("there is no model {model}"))?;
    let set = Set::read_votes(folder)?;
    Ok(serde_json::to_string(&run(model, &set)?)?)
}
