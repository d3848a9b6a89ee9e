//! Answers on disk, one line each, so that a rerun asks nothing twice.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;

use hashbrown::HashMap;
use serde_json::{Value, json};

/// A class, or none if the program abstains.
pub(super) type Answer = Option<String>;

/// Inputs and their answers.
#[derive(Debug, Default)]
pub(super) struct Cache {
    answers: HashMap<String, Answer>,
    new: Vec<u8>,
    file: Option<File>,
}

impl Cache {
    /// The answers in `folder` of this program, the folder it runs in, version and columns, if any.
    pub(super) fn open(
        folder: &Path,
        argv: &[String],
        runs_in: &Path,
        version: Option<&str>,
        columns: &[String],
    ) -> Result<Self, String> {
        let runs_in = runs_in.canonicalize().unwrap_or_else(|_| runs_in.to_path_buf());
        let who = json!({
            "command": argv,
            "folder": runs_in.to_string_lossy(),
            "version": version,
            "columns": columns,
        });
        let who = who.to_string();
        let failed =
            |error: std::io::Error| format!("answers cannot be stored in {}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
        let path = folder.join(format!("{:016x}.jsonl", fnv(who.as_bytes())));
        let mut answers = HashMap::new();
        let mut ends_well = true;
        if let Ok(file) = File::open(&path) {
            for (number, line) in BufReader::new(file).split(b'\n').enumerate() {
                let line = line.map_err(failed)?;
                if number == 0 && line != who.as_bytes() {
                    return Err(format!(
                        "{} holds the answers of another program; remove it",
                        path.display()
                    ));
                }
                // A run that was killed may leave half a line, which is asked again.
                let entry = serde_json::from_slice::<Value>(&line).ok();
                ends_well = entry.is_some() || line.is_empty();
                if let Some([Value::String(input), answer]) =
                    entry.as_ref().and_then(Value::as_array).map(Vec::as_slice)
                {
                    answers.insert(input.clone(), answer.as_str().map(str::to_string));
                }
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        if file.metadata().map_err(failed)?.len() == 0 {
            writeln!(file, "{who}").map_err(failed)?;
        } else if !ends_well {
            writeln!(file).map_err(failed)?;
        }
        Ok(Self { answers, new: Vec::new(), file: Some(file) })
    }

    /// The answer to a line, if it is known.
    pub(super) fn find(&self, line: &str) -> Option<&Answer> {
        self.answers.get(line)
    }

    pub(super) fn add(&mut self, line: &str, answer: Option<&str>) {
        let entry = json!([line, answer]).to_string();
        self.new.extend_from_slice(entry.as_bytes());
        self.new.push(b'\n');
        self.answers.insert(line.to_string(), answer.map(str::to_string));
    }

    /// Writes what is new; whole lines at once, so that several runs can share a file.
    pub(super) fn flush(&mut self) -> Result<(), String> {
        let new = std::mem::take(&mut self.new);
        match &mut self.file {
            Some(file) => file.write_all(&new).map_err(|error| format!("answers cannot be stored: {error}")),
            None => Ok(()),
        }
    }
}

/// The hash of Fowler, Noll and Vo (FNV-1a): the name of a file must be the same in every version.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stay() {
        let folder = tempfile::tempdir().unwrap();
        let argv = ["judge".to_string()];
        let open = |version| Cache::open(folder.path(), &argv, Path::new("here"), version, &[]).unwrap();
        let mut cache = open(None);
        cache.add("{\"text\":\"a\"}", Some("spam"));
        cache.add("b", None);
        cache.flush().unwrap();
        assert_eq!(open(None).find("{\"text\":\"a\"}"), Some(&Some("spam".to_string())));
        assert_eq!(open(None).find("b"), Some(&None));
        assert_eq!(open(None).find("c"), None);
        assert_eq!(open(Some("2")).find("b"), None);
        let elsewhere = Cache::open(folder.path(), &argv, Path::new("there"), None, &[]).unwrap();
        assert_eq!(elsewhere.find("b"), None);
    }

    #[test]
    fn half_a_line_is_asked_again() {
        let folder = tempfile::tempdir().unwrap();
        let argv = ["judge".to_string()];
        let open = || Cache::open(folder.path(), &argv, Path::new("here"), None, &[]).unwrap();
        let mut cache = open();
        cache.add("a", Some("spam"));
        cache.flush().unwrap();
        let path = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"[\"b\",\"sp").unwrap();
        let mut cache = open();
        assert_eq!(cache.find("b"), None);
        cache.add("b", None);
        cache.flush().unwrap();
        assert_eq!(open().find("b"), Some(&None));
        assert_eq!(open().find("a"), Some(&Some("spam".to_string())));
    }
}
