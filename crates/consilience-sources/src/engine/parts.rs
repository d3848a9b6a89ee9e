//! Data in parts that machines can work on independently: runs of row groups of Parquet files, and whole files of other formats.

use std::path::{Path, PathBuf};

use consilience_io::Input;

use super::data::{Data, DataError, DataFile};
use super::open;
use super::run::Applier;

/// A part of the data, in the order of the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub(super) file: DataFile,
    /// Its number, from 0.
    pub number: usize,
    /// Its rows, if they are known without reading it.
    pub rows: Option<u64>,
    /// The bytes of the file in which its row groups begin, if the file is Parquet.
    pub bytes: Option<(i64, i64)>,
    /// For each column that the plan reads, its value if the names of folders give it.
    pub constants: Vec<Option<String>>,
}

impl Part {
    /// The file.
    pub fn path(&self) -> &Path {
        match &self.file.input {
            Input::Path(path) => path,
            Input::Stdin => Path::new("-"),
        }
    }

    /// The part as text, for another machine.
    pub fn encode(&self) -> String {
        let folders: Vec<[&str; 2]> =
            self.file.folders.iter().map(|(key, value)| [&**key, &**value]).collect();
        serde_json::json!({
            "number": self.number,
            "path": self.path().to_string_lossy(),
            "folders": folders,
            "groups": self.file.groups,
        })
        .to_string()
    }

    /// The part that [`Self::encode`] wrote.
    pub fn decode(text: &str) -> Result<Self, String> {
        let damaged = || format!("not a part of data: {text}");
        let value: serde_json::Value = serde_json::from_str(text).map_err(|_| damaged())?;
        let number = value["number"].as_u64().ok_or_else(damaged)? as usize;
        let path = PathBuf::from(value["path"].as_str().ok_or_else(damaged)?);
        let pair = |pair: &serde_json::Value| {
            Some((pair.get(0)?.as_str()?.to_string(), pair.get(1)?.as_str()?.to_string()))
        };
        let folders =
            value["folders"].as_array().ok_or_else(damaged)?.iter().map(pair).collect::<Option<_>>();
        let group = |at: usize| value["groups"].get(at).and_then(serde_json::Value::as_u64);
        let groups = group(0).zip(group(1)).map(|(from, to)| (from as usize, to as usize));
        let file = DataFile { input: Input::Path(path), folders: folders.ok_or_else(damaged)?, groups };
        Ok(Self { file, number, rows: None, bytes: None, constants: Vec::new() })
    }
}

impl Applier<'_> {
    /// The data in parts of about `rows` rows; files that cannot be split are one part each. Paths are absolute, so that they
    /// hold on other machines too.
    pub fn parts(&self, rows: u64) -> Result<Vec<Part>, DataError> {
        let mut parts = Vec::new();
        for file in &self.data().files {
            let constants = match open::constants(file, self.data().format, self.plan().columns()) {
                // One of several files may be empty.
                Err(DataError::Table(error)) if open::has_no_rows(&error) && self.data().files.len() > 1 => {
                    continue;
                }
                constants => constants?,
            };
            let file = absolute(file, self.data())?;
            let whole = Part { file, number: 0, rows: None, bytes: None, constants };
            match open::row_groups(&whole.file)? {
                Some(groups) if groups.is_sorted_by(|a, b| a.0 < b.0) => {
                    split(&whole, &groups, rows, &mut parts);
                }
                _ => parts.push(whole),
            }
        }
        for (number, part) in parts.iter_mut().enumerate() {
            part.number = number;
        }
        Ok(parts)
    }
}

/// Adds runs of row groups that have at least so many rows together, but for the last.
fn split(whole: &Part, groups: &[(i64, u64)], rows: u64, parts: &mut Vec<Part>) {
    let mut from = 0;
    while from < groups.len() {
        let (mut to, mut sum) = (from, 0);
        while to < groups.len() && (sum < rows || to == from) {
            sum += groups[to].1;
            to += 1;
        }
        let end = groups.get(to).map_or(i64::MAX, |group| group.0);
        let mut part = whole.clone();
        part.file.groups = Some((from, to));
        part.rows = Some(sum);
        part.bytes = Some((groups[from].0, end));
        parts.push(part);
        from = to;
    }
}

fn absolute(file: &DataFile, data: &Data) -> Result<DataFile, DataError> {
    let failed = |error| DataError::Io { name: file.input.name(), error };
    let Input::Path(path) = &file.input else { return Err(DataError::Stdin) };
    if data.is_stdin() {
        return Err(DataError::Stdin);
    }
    let path = path.canonicalize().map_err(failed)?;
    if path.to_str().is_none() {
        let what = "the name of the file is not UTF-8, so it cannot be sent to other machines; rename it";
        return Err(DataError::NoFiles { name: path.display().to_string(), what });
    }
    Ok(DataFile { input: Input::Path(path), ..file.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(folders: &[(&str, &str)], groups: Option<(usize, usize)>) -> Part {
        let folders = folders.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let file = DataFile { input: Input::Path("/a b/ü.parquet".into()), folders, groups };
        Part { file, number: 3, rows: None, bytes: None, constants: Vec::new() }
    }

    #[test]
    fn parts_travel_as_text() {
        for part in [part(&[("year", "2024"), ("x", "")], Some((2, 5))), part(&[], None)] {
            assert_eq!(Part::decode(&part.encode()), Ok(part));
        }
        assert!(Part::decode("{}").is_err());
        assert!(Part::decode("").is_err());
    }

    #[test]
    fn row_groups_are_kept_together_up_to_the_rows() {
        let mut parts = Vec::new();
        split(&part(&[], None), &[(4, 10), (40, 10), (80, 30), (200, 5)], 15, &mut parts);
        let seen: Vec<_> = parts.iter().map(|part| (part.file.groups, part.rows, part.bytes)).collect();
        assert_eq!(
            seen,
            [
                (Some((0, 2)), Some(20), Some((4, 80))),
                (Some((2, 3)), Some(30), Some((80, 200))),
                (Some((3, 4)), Some(5), Some((200, i64::MAX))),
            ]
        );
    }
}
