//! Programs that vote: items go in as JSON lines, votes come out, and no item is asked about twice.

mod cache;
mod process;

use std::path::Path;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use arrow::array::{Array as _, ArrayRef, Int16Array, StringArray};
use consilience::sources::Classes;
use hashbrown::{HashMap, HashSet};

use self::cache::{Answer, Cache};
use self::process::run;
use super::class::{FAULT, NO, code, texts};
use crate::file::Command;

/// After so many failed batches in a row, among items that are asked about together, the program is taken to be broken.
const MOST_FAILURES: usize = 3;

/// What a thread says if another one ended in the middle.
const LOST: &str = "the answers are lost";

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
    /// Items that some thread is asking about; others wait for its answer.
    asked: Mutex<HashSet<String>>,
    answered: Condvar,
    /// What went wrong first, for the message about a row.
    problem: Mutex<Option<String>>,
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
            Some(kept) => Cache::open(kept, &command.argv, folder, command.version.as_deref(), &columns)?,
            None => Cache::default(),
        };
        Ok(Self {
            command: command.clone(),
            folder: folder.to_path_buf(),
            columns,
            classes: classes.clone(),
            cache: Mutex::new(cache),
            asked: Mutex::default(),
            answered: Condvar::new(),
            problem: Mutex::new(None),
        })
    }

    /// What went wrong first.
    pub(super) fn first_problem(&self) -> Option<String> {
        self.problem.lock().ok()?.clone()
    }

    /// The program's answer for each row. A row that it does not answer, or answers with nonsense, is a fault; that it cannot
    /// be started, or fails again and again, is an error.
    pub(super) fn ask(&self, columns: &[ArrayRef], rows: usize) -> Result<Int16Array, String> {
        let columns = columns.iter().map(texts).collect::<Result<Vec<StringArray>, _>>()?;
        let lines: Vec<Option<String>> = (0..rows).map(|row| self.line(&columns, row)).collect();
        let mut answers: HashMap<&str, i16> = HashMap::new();
        let mut claimed = Claimed { judge: self, lines: Vec::new() };
        let mut elsewhere: Vec<&str> = Vec::new();
        {
            let mut asked = self.asked.lock().map_err(|_| LOST)?;
            let cache = self.cache.lock().map_err(|_| LOST)?;
            let mut seen = HashSet::new();
            for line in lines.iter().flatten().filter(|line| seen.insert(line.as_str())) {
                if let Some(answer) = self.kept(&cache, line) {
                    answers.insert(line, answer);
                } else if asked.insert(line.clone()) {
                    claimed.lines.push(line);
                } else {
                    elsewhere.push(line);
                }
            }
        }
        let mut failed_in_a_row = 0;
        for batch in claimed.lines.chunks(self.command.batch) {
            match self.batch(batch)? {
                Ok(found) => {
                    failed_in_a_row = 0;
                    let mut cache = self.cache.lock().map_err(|_| LOST)?;
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
                Err(problem) => {
                    failed_in_a_row += 1;
                    if failed_in_a_row == MOST_FAILURES {
                        return Err(format!(
                            "the program failed on {MOST_FAILURES} batches in a row, so it is not run again: {problem}"
                        ));
                    }
                    self.note(problem);
                    answers.extend(batch.iter().map(|line| (*line, FAULT)));
                }
            }
        }
        drop(claimed);
        self.wait_for(&elsewhere)?;
        let cache = self.cache.lock().map_err(|_| LOST)?;
        answers.extend(elsewhere.iter().map(|line| (*line, self.kept(&cache, line).unwrap_or(FAULT))));
        drop(cache);
        Ok(lines
            .iter()
            .map(|line| line.as_ref().map(|line| answers.get(line.as_str()).copied().unwrap_or(FAULT)))
            .collect())
    }

    /// Returns once no thread is asking about any of `lines`.
    fn wait_for(&self, lines: &[&str]) -> Result<(), String> {
        let mut asked = self.asked.lock().map_err(|_| LOST)?;
        while lines.iter().any(|line| asked.contains(*line)) {
            asked = self.answered.wait(asked).map_err(|_| LOST)?;
        }
        Ok(())
    }

    fn note(&self, problem: String) {
        if let Ok(mut first) = self.problem.lock() {
            first.get_or_insert(problem);
        }
    }

    /// The answer that is kept, if the program gave one that is still a class.
    fn kept(&self, cache: &Cache, line: &str) -> Option<i16> {
        let answer = self.meaning(cache.find(line)?.as_deref());
        (answer != FAULT).then_some(answer)
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

    /// The answers to a batch; inside, the problem if the program failed in every try.
    fn batch(&self, lines: &[&str]) -> Result<Result<Answers, String>, String> {
        let limit = Duration::from_secs_f64(self.command.timeout);
        let mut problem = String::new();
        for _ in 0..=self.command.retries {
            match run(&self.command.argv, &self.folder, lines, limit)? {
                Ok(output) => return Ok(Ok(output.lines().map(|line| self.answer(line)).collect())),
                Err(failed) => problem = failed,
            }
        }
        Ok(Err(problem))
    }

    /// The class in a line: a text, null to abstain, or an object with the key vote.
    fn answer(&self, line: &str) -> Result<Answer, String> {
        let nonsense = || {
            let shown: String = line.chars().take(60).collect();
            let list = self.classes.names().join(", ");
            format!("the program answered {shown:?}; expected one of {list}, or null, as JSON")
        };
        // A class may look like a number or like true.
        if let Some(name) = self.known(line.trim().to_string()) {
            return Ok(Some(name));
        }
        let value: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|_| line.trim().into());
        let vote = match value {
            serde_json::Value::Object(mut object) => object.remove("vote").ok_or_else(nonsense)?,
            other => other,
        };
        match vote {
            serde_json::Value::Null => Ok(None),
            serde_json::Value::String(name) if name.is_empty() => Ok(None),
            serde_json::Value::String(name) => self.known(name).map(Some).ok_or_else(nonsense),
            other @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_)) => {
                self.known(other.to_string()).map(Some).ok_or_else(nonsense)
            }
            _ => Err(nonsense()),
        }
    }

    fn known(&self, name: String) -> Option<String> {
        self.classes.vote(&name).map(|_| name)
    }
}

/// Items that one thread asks about; they are free again when it is done, however it ends.
struct Claimed<'a> {
    judge: &'a Judge,
    lines: Vec<&'a str>,
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        if let Ok(mut asked) = self.judge.asked.lock() {
            for line in &self.lines {
                asked.remove(*line);
            }
        }
        self.judge.answered.notify_all();
    }
}
