//! Declared sources: the file that the command line reads, and its rules over columns in memory.

use std::path::PathBuf;
use std::sync::Arc;

use consilience::sources::{ABSTAIN, Vote};
use consilience::structure::Composition;
use consilience::votes::VotesBuilder;
use consilience_io::Output;
use consilience_sources::{Cell, Needed, SourcesFile, Tables, Voter as Rules, VoterError};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::{BugError, ConsilienceError, Raise as _, SourcesError};
use crate::run::run;
use crate::texts::{Column, Texts};
use crate::votes::Votes;

/// Items that one thread takes at a time.
const CHUNK: usize = 1024;

/// Dictionaries that stand for files: the name of the file, and its entries, each the key and its class.
type Dictionaries = Vec<(String, Vec<(String, String)>)>;

/// A source that failed: its name, on how many items, on which one first, and why.
type Fault = (String, usize, usize, String);

/// Declared sources.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Sources {
    file: SourcesFile,
}

#[pymethods]
impl Sources {
    /// The sources of the text of a sources.toml, which errors call `name`; their files are in `folder`.
    #[staticmethod]
    fn from_toml(text: &str, name: &str, folder: PathBuf) -> PyResult<Self> {
        let file = SourcesFile::parse(text, name, &folder);
        Ok(Self { file: file.map_err(|error| SourcesError::new_err(error.to_string()))? })
    }

    /// The sources of a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let file = SourcesFile::read(&path);
        Ok(Self { file: file.map_err(|error| SourcesError::new_err(error.to_string()))? })
    }

    /// The text of a sources.toml.
    fn to_toml(&self) -> String {
        self.file.to_toml()
    }

    /// The same as JSON.
    fn to_json(&self) -> PyResult<String> {
        self.file.to_json().map_err(|error| BugError::new_err(error.to_string()))
    }

    /// Writes a sources.toml, and before it other files with their texts; each of them completely or not at all.
    fn save(&self, path: PathBuf, others: Vec<(PathBuf, String)>) -> PyResult<()> {
        for (path, text) in others.into_iter().chain([(path, self.file.to_toml())]) {
            let written = Output::create(&path).and_then(|output| output.write_whole(text.as_bytes()));
            written.map_err(|error| ConsilienceError::new_err(error.to_string()))?;
        }
        Ok(())
    }

    /// The folder of the file.
    #[getter]
    fn folder(&self) -> String {
        self.file.folder.to_string_lossy().into_owned()
    }

    /// The names of the classes.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.file.classes.clone()
    }

    /// The column that text rules read, if the file names one.
    #[getter]
    fn text(&self) -> Option<String> {
        self.file.text.clone()
    }

    /// The names of the sources.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.file.sources.iter().map(|source| source.name.clone()).collect()
    }

    /// The compositions of other sources: their names, all, any or not, and their parts.
    #[getter]
    fn compositions(&self) -> Vec<(String, String, Vec<String>)> {
        let name = |j: usize| self.file.sources[j].name.clone();
        let made = |made: Composition| {
            (name(made.source), made.way.name().to_string(), made.parts.into_iter().map(name).collect())
        };
        self.file.compositions().into_iter().map(made).collect()
    }

    /// The sources, ready to vote: lists and dictionaries are read, unless `tables` has them.
    fn voter(&self, py: Python<'_>, tables: Dictionaries) -> PyResult<Voter> {
        let entries = |(key, class): (String, String)| (vec![key], class);
        let tables: Tables = tables
            .into_iter()
            .map(|(file, table)| (file, table.into_iter().map(entries).collect()))
            .collect();
        let file = self.file.clone();
        let rules = run(py, None, move || Rules::new(&file, &tables))?.map_err(|error| match error {
            VoterError::NeedsEngine { kind, .. } => SourcesError::new_err(format!(
                "{error}, which the Python package does not have; run `consilience apply`, whose votes `Votes` reads, or keep \
                 sources of the kind {kind} in another file"
            )),
            VoterError::Names(error) => error.raise(),
            error => SourcesError::new_err(error.to_string()),
        })?;
        Ok(Voter { rules: Arc::new(rules) })
    }
}

/// A column as Python has it.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    /// Texts.
    Texts(PyRef<'py, Texts>),
    /// Numbers; NaN is missing.
    Numbers(PyReadonlyArray1<'py, f64>),
}

/// A column without Python.
enum Held {
    Texts(Arc<Column>),
    Numbers(Vec<f64>),
}

impl Held {
    fn len(&self) -> usize {
        match self {
            Self::Texts(column) => column.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Texts(column) => column.text(row).map_or(Cell::Missing, Cell::Text),
            Self::Numbers(numbers) => Cell::Number(numbers[row]),
        }
    }
}

/// Sources that are ready to vote.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Voter {
    rules: Arc<Rules>,
}

#[pymethods]
impl Voter {
    /// The columns that are read, and whether numbers may come as numbers; all others come as texts.
    #[getter]
    fn columns(&self) -> Vec<(String, bool)> {
        self.rules.columns().iter().map(|Needed { name, number }| (name.clone(), *number)).collect()
    }

    /// The votes on `items` items of these columns, and the sources that failed.
    fn vote(&self, py: Python<'_>, columns: Vec<Given<'_>>, items: usize) -> PyResult<(Votes, Vec<Fault>)> {
        let needed = self.rules.columns();
        let held = |given: Given<'_>| match given {
            Given::Texts(texts) => Held::Texts(texts.column()),
            Given::Numbers(numbers) => Held::Numbers(numbers.as_array().to_vec()),
        };
        let columns: Vec<Held> = columns.into_iter().map(held).collect();
        if columns.len() != needed.len() {
            let message = format!("{} columns for {} that are read", columns.len(), needed.len());
            return Err(ConsilienceError::new_err(message));
        }
        if let Some((column, needed)) = columns.iter().zip(needed).find(|(column, _)| column.len() != items) {
            return Err(ConsilienceError::new_err(format!(
                "the column \"{}\" has {} cells, but there are {items} items",
                needed.name,
                column.len()
            )));
        }
        let rules = Arc::clone(&self.rules);
        let (table, faults) = run(py, None, move || {
            let (votes, faults) = all_votes(&rules, &columns, items);
            let mut builder = VotesBuilder::new(rules.sources().clone());
            votes.chunks_exact(rules.sources().len().max(1)).try_for_each(|row| builder.push_dense(row))?;
            Ok::<_, consilience::votes::VotesError>((builder.finish_as(rules.classes().clone())?, faults))
        })?
        .map_err(|error| error.raise())?;
        let names = self.rules.sources();
        let fault = |(source, count, row): (usize, usize, usize)| {
            (names.name(source).to_string(), count, row, self.rules.reason(source))
        };
        Ok((Votes::of(table), faults.into_iter().map(fault).collect()))
    }
}

/// All votes, item by item; and for each source that failed, how often and on which item first.
fn all_votes(rules: &Rules, columns: &[Held], items: usize) -> (Vec<Vote>, Vec<(usize, usize, usize)>) {
    let width = rules.sources().len();
    let mut votes = vec![ABSTAIN; items * width];
    let parts: Vec<Vec<(usize, usize, usize)>> = votes
        .par_chunks_mut((CHUNK * width).max(1))
        .enumerate()
        .map(|(chunk, votes)| {
            let mut scratch = rules.scratch();
            let mut faults: Vec<(usize, usize, usize)> = Vec::new();
            for (at, votes) in votes.chunks_exact_mut(width).enumerate() {
                let row = chunk * CHUNK + at;
                let cells: Vec<Cell<'_>> = columns.iter().map(|column| column.cell(row)).collect();
                rules.vote(&cells, &mut scratch, votes, |source| {
                    match faults.iter_mut().find(|fault| fault.0 == source) {
                        Some(fault) => fault.1 += 1,
                        None => faults.push((source, 1, row)),
                    }
                });
            }
            faults
        })
        .collect();
    let mut faults: Vec<(usize, usize, usize)> = Vec::new();
    for (source, count, row) in parts.into_iter().flatten() {
        match faults.iter_mut().find(|fault| fault.0 == source) {
            Some(fault) => fault.1 += count,
            None => faults.push((source, count, row)),
        }
    }
    faults.sort_by_key(|&(source, _, row)| (row, source));
    (votes, faults)
}
