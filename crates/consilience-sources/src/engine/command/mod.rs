//! Programs that vote: items go in as JSON lines, votes come out, and no item is asked about twice.

mod cache;
mod process;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arrow::array::{Array as _, ArrayRef, Int16Array, StringArray};
use consilience::sources::Classes;
use hashbrown::{HashMap, HashSet};

use self::cache::{Answer, Cache};
use self::process::run;
use super::class::{FAULT, NO, code, texts};
use crate::file::Command;

/// After so many failed batches in a row, the program is taken to be broken.
const MOST_FAILURES: usize = 3;

/// The answers to a batch; nonsense says what it was.
type Answers = Vec<Result<Answer, String>>;

/// A program that is ready to be asked.
#[derive(Debug)]
pub(super) struct Judge {
    command: Command,
    folder: std::path::PathBuf,
    columns: Vec<String>,
    classes: Classes,
    cache: Mutex<Cache>,
    failures: AtomicUsize,
    /// What went wrong last, for the message about a row.
    last: Mutex<Option<String>>,
}

impl Judge {
    /// `columns` are those that the program is given; answers are kept in the folder `kept`, if there is one.
    pub(super) fn new(
        command: &Command,
        folder: &Path,
        columns: Vec<String>,
        classes: &Classes,
        kept: Option<&Path>,
    ) -> Result<Self, String> {
        let cache = match kept {
            Some(kept) => Cache::open(kept, &command.argv, command.version.as_deref(), &columns)?,
            None => Cache::default(),
        };
        Ok(Self {
            command: command.clone(),
            folder: folder.to_path_buf(),
            columns,
            classes: classes.clone(),
            cache: Mutex::new(cache),
            failures: AtomicUsize::new(0),
            last: Mutex::new(None),
        })
    }

    /// What went wrong last.
    pub(super) fn last_problem(&self) -> Option<String> {
        self.last.lock().ok()?.clone()
    }

    /// The program's answer for each row. A row that it does not answer, or answers with nonsense, is a fault; that it cannot
    /// be started, or fails again and again, is an error.
    pub(super) fn ask(&self, columns: &[ArrayRef], rows: usize) -> Result<Int16Array, String> {
        let columns = columns.iter().map(texts).collect::<Result<Vec<StringArray>, _>>()?;
        let lines: Vec<Option<String>> = (0..rows).map(|row| self.line(&columns, row)).collect();
        let mut answers: HashMap<&str, i16> = HashMap::new();
        let mut open: Vec<&str> = Vec::new();
        {
            let cache = self.cache.lock().map_err(|_| "the answers are lost")?;
            let mut seen = HashSet::new();
            for line in lines.iter().flatten().filter(|line| seen.insert(line.as_str())) {
                match cache.find(line) {
                    Some(answer) => drop(answers.insert(line, self.meaning(answer.as_deref()))),
                    None => open.push(line),
                }
            }
        }
        for batch in open.chunks(self.command.batch) {
            match self.batch(batch)? {
                Some(found) => {
                    let mut cache = self.cache.lock().map_err(|_| "the answers are lost")?;
                    for (line, answer) in batch.iter().zip(&found) {
                        match answer {
                            Ok(answer) => {
                                answers.insert(line, self.meaning(answer.as_deref()));
                                cache.add(line, answer.as_deref());
                            }
                            Err(problem) => {
                                answers.insert(line, FAULT);
                                self.note(problem.clone());
                            }
                        }
                    }
                    cache.flush()?;
                }
                None => answers.extend(batch.iter().map(|line| (*line, FAULT))),
            }
        }
        Ok(lines
            .iter()
            .map(|line| line.as_ref().map(|line| answers.get(line.as_str()).copied().unwrap_or(FAULT)))
            .collect())
    }

    fn note(&self, problem: String) {
        if let Ok(mut last) = self.last.lock() {
            *last = Some(problem);
        }
    }

    /// An answer that is kept is one that was understood.
    fn meaning(&self, answer: Option<&str>) -> i16 {
        answer.map_or(NO, |name| self.classes.vote(name).map_or(FAULT, code))
    }

    /// An item as the program gets it; nothing if all of its cells are empty.
    fn line(&self, columns: &[StringArray], row: usize) -> Option<String> {
        let cell = |column: &StringArray| {
            let there = column.is_valid(row) && !column.value(row).is_empty();
            if there { serde_json::Value::from(column.value(row)) } else { serde_json::Value::Null }
        };
        let cells: Vec<serde_json::Value> = columns.iter().map(cell).collect();
        if cells.iter().all(serde_json::Value::is_null) {
            return None;
        }
        let entries = self.columns.iter().zip(cells);
        let entries =
            entries.map(|(name, cell)| format!("{}:{cell}", serde_json::Value::from(name.as_str())));
        Some(format!("{{{}}}", entries.collect::<Vec<_>>().join(",")))
    }

    /// The answers to a batch; `None` if the program failed in every try.
    fn batch(&self, lines: &[&str]) -> Result<Option<Answers>, String> {
        let limit = Duration::from_secs_f64(self.command.timeout);
        let mut problem = String::new();
        for _ in 0..=self.command.retries {
            match run(&self.command.argv, &self.folder, lines, limit)? {
                Ok(output) => {
                    self.failures.store(0, Ordering::Relaxed);
                    return Ok(Some(output.lines().map(|line| self.answer(line)).collect()));
                }
                Err(failed) => problem = failed,
            }
        }
        self.note(problem.clone());
        let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        if failures >= MOST_FAILURES {
            return Err(format!(
                "the program failed on {failures} batches in a row, so it is not run again: {problem}"
            ));
        }
        Ok(None)
    }

    /// The class in a line: a text, null to abstain, or an object with the key vote.
    fn answer(&self, line: &str) -> Result<Answer, String> {
        let nonsense = || {
            let shown: String = line.chars().take(60).collect();
            let list = self.classes.names().join(", ");
            format!("the program answered {shown:?}; expected one of {list}, or null, as JSON")
        };
        let value: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|_| line.trim().into());
        let vote = match value {
            serde_json::Value::Object(mut object) => object.remove("vote").ok_or_else(nonsense)?,
            other => other,
        };
        match vote {
            serde_json::Value::Null => Ok(None),
            serde_json::Value::String(name) if name.is_empty() => Ok(None),
            serde_json::Value::String(name) => self.known(name).map(Some).ok_or_else(nonsense),
            serde_json::Value::Number(number) => {
                self.known(number.to_string()).map(Some).ok_or_else(nonsense)
            }
            _ => Err(nonsense()),
        }
    }

    fn known(&self, name: String) -> Option<String> {
        self.classes.vote(&name).map(|_| name)
    }
}
