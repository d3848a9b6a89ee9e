//! Label models of other packages: their scores in docs/peers, measured by `make peers`, and labels of theirs (`--peers`).
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

/// Scores of all label models that `make peers` measured.
const MEASURED: &str = include_str!("../../../docs/peers/board.csv");

/// The models of other packages: their names in that file, and in tables.
const MODELS: [(&str, &str); 4] = [
    ("snorkel", "Snorkel 0.10"),
    ("dawid-skene", "Dawid-Skene (crowd-kit)"),
    ("hyperlm", "HyperLM"),
    ("skweak", "Naive Bayes (skweak)"),
];

/// The scores of another package's model on a set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) set: String,
    pub(crate) model: &'static str,
    pub(crate) score: f64,
    pub(crate) log_loss: f64,
}

/// All scores of other packages' models, in the order of the file; runs that failed have none.
pub(crate) fn measured() -> anyhow::Result<Vec<Measured>> {
    let mut lines = MEASURED.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let position = |name: &str| {
        let found = header.iter().position(|&column| column == name);
        found.with_context(|| format!("docs/peers/board.csv: there is no column {name}"))
    };
    let [set, model, outcome] = [position("table")?, position("model")?, position("outcome")?];
    let [score, log_loss] = [position("score")?, position("log_loss")?];
    let mut all = Vec::new();
    for row in lines.filter(|row| row[outcome] == "done") {
        let Some(&(_, name)) = MODELS.iter().find(|(key, _)| *key == row[model]) else { continue };
        let number = |at: usize| row[at].parse().with_context(|| format!("docs/peers/board.csv: {row:?}"));
        all.push(Measured {
            set: row[set].to_string(),
            model: name,
            score: number(score)?,
            log_loss: number(log_loss)?,
        });
    }
    Ok(all)
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
    fn averages_are_those_of_the_documents() {
        let page = include_str!("../../../docs/peers.md");
        let averages = page.lines().find(|line| line.starts_with("| **average")).unwrap();
        // Snorkel failed on one set of the fifteen.
        for (model, sets) in MODELS.map(|(_, model)| model).iter().zip([14, 15, 15, 15]) {
            let all = measured().unwrap();
            let of_model: Vec<&Measured> = all.iter().filter(|row| row.model == *model).collect();
            assert_eq!(of_model.len(), sets, "{model}");
            let mean =
                |of: fn(&Measured) -> f64| of_model.iter().map(|row| of(row)).sum::<f64>() / sets as f64;
            let cell = format!("{:.1} / {:.2} ({sets})", mean(|row| row.score), mean(|row| row.log_loss));
            assert!(averages.contains(&cell), "{model}: {cell} is not in {averages}");
        }
        assert!(
            include_str!("../../../README.md")
                .contains("| HyperLM, the best of four public models on average | 77.4 | 0.66 |")
        );
    }
}
