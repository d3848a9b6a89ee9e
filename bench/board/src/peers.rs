//! Other people's label models: what they published with the tables, and what they gave here (`--peers`).
//!
//! A folder of peers holds `<set>/<model>.csv`, labels as `consilience label` writes them (`item, label, confidence,
//! p_<class>...`), one row per item in the order of the set's votes, and next to it `<set>/<model>.json` with `seconds`,
//! `peak_bytes` and `version`, if known.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use consilience_io::{Input, read_labels};
use consilience_reproduce::set::Set;
use serde::Deserialize;

use crate::score::{Run, Scores};

/// Score and log loss of public label models as published with the tables.
const PUBLISHED: &str = include_str!("../data/published.csv");

/// What is published of a model on a set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Published {
    pub(crate) set: String,
    pub(crate) model: String,
    pub(crate) score: f64,
    pub(crate) log_loss: f64,
}

/// All of it, in the order of the file.
pub(crate) fn published() -> Vec<Published> {
    let number = |cell: Option<&str>| cell.and_then(|cell| cell.parse().ok());
    let row = |line: &str| {
        let mut cells = line.split(',');
        let (set, model) = (cells.next()?.to_string(), cells.next()?.to_string());
        Some(Published { set, model, score: number(cells.next())?, log_loss: number(cells.next())? })
    };
    PUBLISHED.lines().skip(1).filter_map(row).collect()
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cost {
    seconds: Option<f64>,
    peak_bytes: Option<u64>,
    version: Option<String>,
}

/// The runs of all peers on a set, by name.
pub(crate) fn runs(peers: &Path, set: &Set) -> anyhow::Result<Vec<Run>> {
    let folder = peers.join(&set.name);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "csv"));
    files.sort();
    files.iter().map(|file| run(file, set).with_context(|| file.display().to_string())).collect()
}

fn run(file: &Path, set: &Set) -> anyhow::Result<Run> {
    let table = read_labels(&Input::Path(file.to_path_buf()), None, &|_| ())?;
    let items = set.votes.items();
    let found = table.decided.len();
    anyhow::ensure!(found == items, "{found} rows, but the set has {items} items; write one row per item");
    let classes = set.votes.classes();
    let place = |name: &String| table.classes.names().iter().position(|class| class == name);
    let order: Vec<usize> = classes
        .names()
        .iter()
        .map(|name| place(name).with_context(|| format!("no column p_{name}; write one for every class")))
        .collect::<anyhow::Result<_>>()?;
    let extra = table.classes.names().iter().find(|name| classes.vote(name).is_none());
    anyhow::ensure!(extra.is_none(), "p_{} is not a class of the set", extra.map_or("", String::as_str));
    let row = |i: usize| order.iter().map(|&c| table.item(i)[c]).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = (0..items).map(row).collect();
    let has_votes = |i: usize| set.votes.row_of_item(i).next().is_some();
    let (scores, reliability) = Scores::of_rows(&rows, has_votes, &set.gold, set.metric)?;
    let beside = file.with_extension("json");
    let cost: Cost = match fs::read_to_string(&beside) {
        Ok(text) => serde_json::from_str(&text).with_context(|| beside.display().to_string())?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Cost::default(),
        Err(error) => return Err(error).with_context(|| beside.display().to_string()),
    };
    Ok(Run {
        model: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        scores,
        reliability,
        seconds: cost.seconds,
        peak_bytes: cost.peak_bytes,
        version: cost.version,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_averages_are_those_published() {
        // The averages of the README that comes with the data; Snorkel failed on one set of the fifteen.
        for (model, score, log_loss, sets) in [
            ("Snorkel 0.10", 64.0, 1.94, 14),
            ("Dawid-Skene (crowd-kit)", 57.0, 1.02, 15),
            ("HyperLM", 77.4, 0.66, 15),
        ] {
            let of_model: Vec<Published> = published().into_iter().filter(|row| row.model == model).collect();
            assert_eq!(of_model.len(), sets, "{model}");
            let mean = |of: fn(&Published) -> f64| of_model.iter().map(of).sum::<f64>() / sets as f64;
            assert!((mean(|row| row.score) - score).abs() < 0.06, "{model} {}", mean(|row| row.score));
            assert!(
                (mean(|row| row.log_loss) - log_loss).abs() < 0.01,
                "{model} {}",
                mean(|row| row.log_loss)
            );
        }
    }
}
