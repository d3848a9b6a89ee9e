//! Real vote tables with gold, one per folder: `votes.csv`, `gold.csv`, `meta.json` and, if present, `split.csv` and
//! `text.csv`.

use std::fs;
use std::path::{Path, PathBuf};

use consilience::sources::{Classes, Vote};
use consilience::votes::{Votes, VotesBuilder};
use consilience_io::{Input, ReadError, ReadOptions, read_gold, read_table, read_votes};
use serde::{Deserialize, Serialize};

use crate::error::ReproduceError;

/// How to score the labels of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The F1 of the second class.
    F1,
    /// The share of correct labels. The default if `meta.json` names no metric.
    #[default]
    Accuracy,
}

impl Metric {
    /// Its name in `meta.json` and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::F1 => "f1",
            Self::Accuracy => "accuracy",
        }
    }
}

#[derive(Deserialize)]
struct Meta {
    classes: usize,
    #[serde(default)]
    metric: Metric,
}

/// A vote table with gold.
pub struct Set {
    /// The name of its folder.
    pub name: String,
    /// How to score its labels.
    pub metric: Metric,
    /// The votes.
    pub votes: Votes,
    /// The true class of each item; abstain if it is unknown.
    pub gold: Vec<Vote>,
    /// The texts of the items, if the folder has texts and a split.
    pub texts: Option<Texts>,
}

/// The items' texts.
pub struct Texts {
    /// One list of texts per item.
    pub items: Vec<Vec<String>>,
    /// Whether each item is for training.
    pub train: Vec<bool>,
    /// Whether each item is for testing; items for validation are neither.
    pub test: Vec<bool>,
}

/// The folders of tables in `data`, by name.
pub fn folders(data: &Path) -> Result<Vec<PathBuf>, ReproduceError> {
    let failed =
        |error: std::io::Error| ReproduceError::data(data, &format!("this folder cannot be read ({error})"));
    let mut folders = Vec::new();
    for entry in fs::read_dir(data).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if ["votes.csv", "gold.csv", "meta.json"].iter().all(|name| path.join(name).is_file()) {
            folders.push(path);
        }
    }
    folders.sort();
    if folders.is_empty() {
        let problem = "no folder in it has votes.csv, gold.csv and meta.json; name a folder of such folders";
        return Err(ReproduceError::data(data, problem));
    }
    Ok(folders)
}

impl Set {
    /// Reads a table, with its texts if there are any.
    pub fn read(folder: &Path) -> Result<Self, ReproduceError> {
        let mut set = Self::read_votes(folder)?;
        if folder.join("text.csv").is_file() && folder.join("split.csv").is_file() {
            set.texts = Some(Texts::read(folder, set.votes.items())?);
        }
        Ok(set)
    }

    /// Reads a table without its texts.
    pub fn read_votes(folder: &Path) -> Result<Self, ReproduceError> {
        let file = folder.join("meta.json");
        let failed = |error: &dyn std::fmt::Display| ReproduceError::data(&file, &error.to_string());
        let text = fs::read_to_string(&file).map_err(|error| failed(&error))?;
        let meta: Meta = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        let classes = Classes::numbered(meta.classes).map_err(|error| failed(&error))?;
        let options = ReadOptions::default().with_classes(classes);
        let table = read_votes(&Input::Path(folder.join("votes.csv")), &options)?;
        let votes = table.votes;
        let gold =
            read_gold(&Input::Path(folder.join("gold.csv")), Some("gold"), &votes, &table.items, &options)?
                .gold;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, metric: meta.metric, votes, gold, texts: None })
    }

    /// The votes on some of the items, in order.
    pub fn votes_of(&self, wanted: &[bool]) -> Result<Votes, ReproduceError> {
        let failed = |problem| ReproduceError::experiment(&self.name, &problem);
        let mut builder = VotesBuilder::new(self.votes.sources().clone());
        for i in (0..self.votes.items()).filter(|&i| wanted[i]) {
            let row: Vec<(u32, Vote)> = self.votes.row_of_item(i).map(|(j, vote)| (j as u32, vote)).collect();
            builder.push(&row).map_err(failed)?;
        }
        builder.finish_as(self.votes.classes().clone()).map_err(failed)
    }
}

/// The entries of `list` that are wanted.
pub fn chosen<T: Clone>(list: &[T], wanted: &[bool]) -> Vec<T> {
    list.iter().zip(wanted).filter(|(_, wanted)| **wanted).map(|(entry, _)| entry.clone()).collect()
}

impl Texts {
    fn read(folder: &Path, items: usize) -> Result<Self, ReproduceError> {
        let split = columns_of(&folder.join("split.csv"), &["split"])?;
        let file = folder.join("text.csv");
        let texts = match columns_of(&file, &["text"]) {
            Ok(texts) => texts,
            Err(no_text) => match columns_of(&file, &MENTIONS) {
                Ok(rows) => rows.iter().map(|row| masked(&file, row)).collect::<Result<_, _>>()?,
                Err(_) => return Err(no_text.into()),
            },
        };
        if split.len() != items || texts.len() != items {
            let problem = format!(
                "{items} rows of votes, but {} of split.csv and {} of text.csv; they must be in the same order",
                split.len(),
                texts.len()
            );
            return Err(ReproduceError::data(folder, &problem));
        }
        let part = |name: &str| split.iter().map(|row| row[0] == name).collect();
        Ok(Self { items: texts, train: part("train"), test: part("test") })
    }
}

/// The cells of some columns, row by row.
fn columns_of(file: &Path, columns: &[&str]) -> Result<Vec<Vec<String>>, ReadError> {
    read_table(
        &Input::Path(file.to_path_buf()),
        None,
        |header| {
            let wanted =
                columns.iter().map(|name| header.find("the real tables", name)).collect::<Result<_, _>>()?;
            Ok::<_, ReadError>((wanted, Vec::new()))
        },
        |rows, row| {
            rows.push((0..columns.len()).map(|i| row.cell(i).to_string()).collect());
            Ok(())
        },
        &|_| (),
    )
}

/// The columns of items that are a pair of mentions in a sentence.
const MENTIONS: [&str; 7] =
    ["sentence", "chemical", "disease", "chem_start", "chem_end", "dis_start", "dis_end"];

/// The texts of a pair of mentions. Several pairs share a sentence, so the texts must show which pair is meant: the sentence
/// with both mentions masked, the words between them in the order of the two, and their names.
fn masked(file: &Path, row: &[String]) -> Result<Vec<String>, ReproduceError> {
    let sentence: Vec<char> = row[0].chars().collect();
    let number = |i: usize| {
        let problem =
            || ReproduceError::data(file, &format!("\"{}\" is not a position in a sentence", row[i]));
        row[i].parse::<usize>().map_err(|_| problem())
    };
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
        let row = |cells: [&str; 7]| masked(Path::new("text.csv"), &cells.map(str::to_string));
        let texts = row(["Größe: X causes rash.", "X", "rash", "7", "8", "16", "20"]).unwrap();
        assert_eq!(texts[0], "Größe:  CHEMICALX  causes  DISEASEX .");
        assert_eq!(texts[1..], ["CHEMICALX  causes  DISEASEX", "X", "rash"]);
        assert_eq!(
            row(["rash by X", "X", "rash", "8", "9", "0", "4"]).unwrap()[1],
            "DISEASEX  by  CHEMICALX"
        );
        assert!(
            row(["a", "b", "c", "x", "1", "2", "3"])
                .unwrap_err()
                .to_string()
                .contains("\"x\" is not a position")
        );
    }
}
