//! A folder with one vote table: `votes.csv`, `gold.csv`, `meta.json`, and if present, `split.csv` and `text.csv`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use consilience::answers::sample;
use consilience::sources::{Classes, Vote};
use consilience::votes::{Votes, VotesBuilder};
use consilience_io::{Input, ReadError, ReadOptions, read_gold, read_table, read_votes};
use serde::{Deserialize, Serialize};

/// How labels are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Metric {
    /// F1 of the second class.
    F1,
    Accuracy,
}

impl Metric {
    /// Its name in `meta.json` and in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::F1 => "f1",
            Self::Accuracy => "accuracy",
        }
    }
}

#[derive(Deserialize)]
struct Meta {
    classes: usize,
    metric: Metric,
}

/// A vote table with gold.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) metric: Metric,
    pub(crate) votes: Votes,
    pub(crate) gold: Vec<Vote>,
    /// Texts of the items and the part (train, valid, test) of each, if both are known.
    pub(crate) texts: Option<Texts>,
}

/// The items' texts.
pub(crate) struct Texts {
    /// One list of texts an item.
    pub(crate) items: Vec<Vec<String>>,
    /// Whether each item is one to train on, or to test on; neither for validation.
    pub(crate) train: Vec<bool>,
    pub(crate) test: Vec<bool>,
}

/// The sets in a folder, by name.
pub(crate) fn folders(data: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(data).with_context(|| data.display().to_string())?;
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?
        .into_iter()
        .filter(|path| path.join("votes.csv").is_file() && path.join("gold.csv").is_file())
        .collect();
    folders.sort();
    anyhow::ensure!(!folders.is_empty(), "{}: no folder in it has votes.csv and gold.csv", data.display());
    Ok(folders)
}

impl Set {
    /// With texts, if there are any.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut set = Self::read_votes(folder)?;
        if folder.join("text.csv").is_file() && folder.join("split.csv").is_file() {
            set.texts = Some(Texts::read(folder, set.votes.items())?);
        }
        Ok(set)
    }

    /// Without texts.
    pub(crate) fn read_votes(folder: &Path) -> anyhow::Result<Self> {
        let meta_file = folder.join("meta.json");
        let text = fs::read_to_string(&meta_file).with_context(|| meta_file.display().to_string())?;
        let meta: Meta = serde_json::from_str(&text).with_context(|| meta_file.display().to_string())?;
        let options =
            ReadOptions { classes: Some(Classes::numbered(meta.classes)?), ..ReadOptions::default() };
        let table = read_votes(&Input::Path(folder.join("votes.csv")), &options)?;
        let votes = table.votes;
        let gold =
            read_gold(&Input::Path(folder.join("gold.csv")), Some("gold"), &votes, &table.items, &options)?
                .gold;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, metric: meta.metric, votes, gold, texts: None })
    }

    /// The set with so few items of the second of two classes that they have this share; `None` if there are more classes, or
    /// fewer items of it already. Items without gold or votes are left out.
    pub(crate) fn thinned(&self, share: f64) -> anyhow::Result<Option<Self>> {
        let known = |class: Vote| -> Vec<usize> {
            let of_class = |&i: &usize| self.gold[i] == class && self.votes.row_of_item(i).next().is_some();
            (0..self.votes.items()).filter(of_class).collect()
        };
        let (first, second) = (known(1), known(2));
        let kept = (share / (1.0 - share) * first.len() as f64).round() as usize;
        if self.votes.classes().len() != 2 || kept >= second.len() {
            return Ok(None);
        }
        let mut wanted = vec![false; self.votes.items()];
        let drawn = sample(second.len(), kept, 0).into_iter().map(|place| second[place]);
        for i in first.into_iter().chain(drawn) {
            wanted[i] = true;
        }
        Ok(Some(Self {
            name: format!("{:.0}% of {}", 100.0 * share, self.name),
            metric: Metric::F1,
            votes: self.votes_of(&wanted)?,
            gold: chosen(&self.gold, &wanted),
            texts: None,
        }))
    }

    /// The votes on some of the items, in order.
    pub(crate) fn votes_of(&self, wanted: &[bool]) -> anyhow::Result<Votes> {
        let mut builder = VotesBuilder::new(self.votes.sources().clone());
        for i in (0..self.votes.items()).filter(|&i| wanted[i]) {
            let row: Vec<(u32, Vote)> = self.votes.row_of_item(i).map(|(j, vote)| (j as u32, vote)).collect();
            builder.push(&row)?;
        }
        Ok(builder.finish_as(self.votes.classes().clone())?)
    }
}

/// The entries of `list` that are wanted.
pub(crate) fn chosen<T: Clone>(list: &[T], wanted: &[bool]) -> Vec<T> {
    list.iter().zip(wanted).filter(|(_, wanted)| **wanted).map(|(entry, _)| entry.clone()).collect()
}

impl Texts {
    fn read(folder: &Path, items: usize) -> anyhow::Result<Self> {
        let split = column_of(&folder.join("split.csv"), &["split"])?;
        let text_file = folder.join("text.csv");
        let texts = match column_of(&text_file, &["text"]) {
            Ok(texts) => texts,
            Err(_) => mentions(&text_file)?,
        };
        anyhow::ensure!(
            split.len() == items && texts.len() == items,
            "{}: {items} rows of votes, but {} of the split and {} of text",
            folder.display(),
            split.len(),
            texts.len()
        );
        let part = |name: &str| split.iter().map(|row| row[0] == name).collect();
        Ok(Self { items: texts, train: part("train"), test: part("test") })
    }
}

/// The cells of some columns, row by row.
fn column_of(file: &Path, columns: &[&str]) -> Result<Vec<Vec<String>>, ReadError> {
    read_table(
        &Input::Path(file.to_path_buf()),
        None,
        |header| {
            let wanted =
                columns.iter().map(|name| header.find("the board", name)).collect::<Result<_, _>>()?;
            Ok::<_, ReadError>((wanted, Vec::new()))
        },
        |rows, row| {
            rows.push((0..columns.len()).map(|i| row.cell(i).to_string()).collect());
            Ok(())
        },
        &|_| (),
    )
}

/// Items that are a pair of mentions in a sentence: several items share the sentence, so that a text must say which pair
/// is meant. The texts are the sentence with the two mentions masked, the words between them with the order of the two,
/// and the names of the two.
fn mentions(file: &Path) -> anyhow::Result<Vec<Vec<String>>> {
    let columns = ["sentence", "chemical", "disease", "chem_start", "chem_end", "dis_start", "dis_end"];
    let rows = column_of(file, &columns)?;
    rows.iter().map(|row| masked(row).with_context(|| file.display().to_string())).collect()
}

fn masked(row: &[String]) -> anyhow::Result<Vec<String>> {
    let sentence: Vec<char> = row[0].chars().collect();
    let number = |i: usize| row[i].parse::<usize>().with_context(|| format!("\"{}\" is no position", row[i]));
    let mut spans = [(number(3)?, number(4)?, "CHEMICALX"), (number(5)?, number(6)?, "DISEASEX")];
    spans.sort_unstable();
    let [first, second] = spans;
    let part = |from: usize, to: usize| -> String {
        let to = to.min(sentence.len());
        sentence[from.min(to)..to].iter().collect()
    };
    let between = part(first.1, second.0);
    let whole = [&part(0, first.0), first.2, &between, second.2, &part(second.1, sentence.len())].join(" ");
    Ok(vec![whole, format!("{} {between} {}", first.2, second.2), row[1].clone(), row[2].clone()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_of_mentions_is_masked_in_either_order() {
        let row = |cells: [&str; 7]| masked(&cells.map(str::to_string)).unwrap();
        let texts = row(["Größe: X causes rash.", "X", "rash", "7", "8", "16", "20"]);
        assert_eq!(texts[0], "Größe:  CHEMICALX  causes  DISEASEX .");
        assert_eq!(texts[1..], ["CHEMICALX  causes  DISEASEX", "X", "rash"]);
        assert_eq!(row(["rash by X", "X", "rash", "8", "9", "0", "4"])[1], "DISEASEX  by  CHEMICALX");
        assert!(masked(&["a", "b", "c", "x", "1", "2", "3"].map(str::to_string)).is_err());
    }
}
