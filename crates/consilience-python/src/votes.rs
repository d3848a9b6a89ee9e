//! The table of votes.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use consilience::sources::{ABSTAIN, Classes, Domain, Sources, Vote};
use consilience::votes::{
    LonelySource, LongVotesBuilder, ReadingNote, Vocabulary, Votes as Table, VotesBuilder,
};
use hashbrown::HashMap;
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::bytes;
use crate::column::{Bytes, Cells, Column};
use crate::errors::{ConsilienceError, Raise as _};
use crate::notes;
use crate::reader::{self, Refusal};
use crate::run::{run, run_scoped};
use crate::survey::marks;

/// A table of votes: distinct rows with counts.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Votes {
    table: Arc<Table>,
    notes: Vec<String>,
}

impl Refusal {
    fn raise(&self, sources: &Sources) -> PyErr {
        match self {
            Self::Cell { row, column, error } => {
                error.with_message(format!("row {row}, source \"{}\": {error}", sources.name(*column)))
            }
            Self::Whole(error) => error.raise(),
        }
    }
}

/// Votes of `classes`, which the user declared or, if `known`, a model has; without them, of the classes that they name.
fn vocabulary(
    classes: Option<Vec<String>>,
    abstain: Option<Vec<String>>,
    known: bool,
) -> PyResult<Vocabulary> {
    let marks = marks(abstain);
    let Some(names) = classes else { return Ok(Vocabulary::new(marks)) };
    let classes = Classes::new(names).map_err(|error| error.raise())?;
    Ok(if known { Vocabulary::known(&classes, marks) } else { Vocabulary::declared(&classes, marks) })
}

/// A true class as Python knows it: counted from 0, -1 if unknown, -2 if no source votes for it.
fn number_of(class: Vote) -> i64 {
    if class == Vote::MAX { -2 } else { i64::from(class) - 1 }
}

fn told(notes: &[ReadingNote]) -> Vec<String> {
    notes.iter().map(notes::told).collect()
}

impl Votes {
    /// A table that was not read from Python.
    pub(crate) fn of(table: Table) -> Self {
        Self { table: Arc::new(table), notes: Vec::new() }
    }

    /// The table itself.
    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    fn build(
        py: Python<'_>,
        matrix: Option<Bytes<'_>>,
        cells: &[Cells<'_>],
        items: usize,
        sources: Vec<String>,
        vocabulary: Vocabulary,
    ) -> PyResult<Self> {
        let sources = Sources::new(sources).map_err(|error| error.raise())?;
        if sources.len() != cells.len() {
            let message =
                format!("{} source names for {} columns; provide one per column", sources.len(), cells.len());
            return Err(ConsilienceError::new_err(message));
        }
        if sources.is_empty() {
            return Err(ConsilienceError::new_err(
                "the table has no sources; at least one column of votes is needed",
            ));
        }
        let names = sources.clone();
        let table = run_scoped(py, |stopped| match matrix {
            // Bytes are numbers of a table of 256 votes, and rows of them are read where they stand.
            Some(Bytes::Signed(cells)) => bytes::read(cells, sources, vocabulary, stopped),
            Some(Bytes::Unsigned(cells)) => bytes::read(cells, sources, vocabulary, stopped),
            None => reader::read(cells, items, sources, vocabulary, stopped),
        })?;
        let (table, notes) = table.map_err(|refusal| refusal.raise(&names))?;
        Ok(Self { table: Arc::new(table), notes: told(&notes) })
    }
}

#[pymethods]
impl Votes {
    /// The table of columns: each an array of whole numbers, with its texts if the numbers are of texts, and with a mask of
    /// the missing cells.
    #[staticmethod]
    fn from_columns(
        py: Python<'_>,
        columns: Vec<Column<'_>>,
        items: usize,
        sources: Vec<String>,
        classes: Option<Vec<String>>,
        abstain: Option<Vec<String>>,
        known: bool,
    ) -> PyResult<Self> {
        let vocabulary = vocabulary(classes, abstain, known)?;
        let mut cells = Vec::new();
        for column in &columns {
            column.cells(&mut cells);
        }
        if let Some(short) = cells.iter().find(|cells| cells.len() != items) {
            let message = format!("a column has {} cells, but the table has {items} rows", short.len());
            return Err(ConsilienceError::new_err(message));
        }
        let matrix = if let [matrix] = columns.as_slice() { matrix.bytes() } else { None };
        Self::build(py, matrix, &cells, items, sources, vocabulary)
    }

    /// The table of a sparse matrix in rows: the cells that are stored, ascending by source within each row.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "three arrays, and how they are read")]
    fn from_sparse(
        py: Python<'_>,
        indptr: PyReadonlyArray1<'_, i64>,
        indices: PyReadonlyArray1<'_, i64>,
        data: PyReadonlyArray1<'_, i64>,
        sources: Vec<String>,
        classes: Option<Vec<String>>,
        abstain: Option<Vec<String>>,
        known: bool,
    ) -> PyResult<Self> {
        let mut vocabulary = vocabulary(classes, abstain, known)?;
        let sources = Sources::new(sources).map_err(|error| error.raise())?;
        let (indptr, indices, data) = (indptr.as_array(), indices.as_array(), data.as_array());
        let names = sources.clone();
        let table = run_scoped(py, |stopped| -> Result<(Table, Vec<ReadingNote>), Refusal> {
            let mut builder = VotesBuilder::new(sources);
            let mut known: HashMap<i64, Vote> = HashMap::new();
            let mut cells: Vec<(u32, Vote)> = Vec::new();
            for row in 0..indptr.len().saturating_sub(1) {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                cells.clear();
                for place in indptr[row] as usize..indptr[row + 1] as usize {
                    let (column, number) = (indices[place] as usize, data[place]);
                    let vote = if let Some(&vote) = known.get(&number) {
                        vote
                    } else {
                        let read = vocabulary.read_integer(number);
                        *known.entry(number).or_insert(read.map_err(|error| Refusal::Cell {
                            row,
                            column,
                            error,
                        })?)
                    };
                    cells.push((column as u32, vote));
                }
                builder.push(&cells)?;
            }
            Ok(builder.finish_noted(&vocabulary)?)
        })?;
        let (table, notes) = table.map_err(|refusal| refusal.raise(&names))?;
        Ok(Self { table: Arc::new(table), notes: told(&notes) })
    }

    /// The table of single votes: for each its item, source and vote as a number of a list of texts, -1 if it is missing.
    #[staticmethod]
    #[expect(
        clippy::too_many_arguments,
        clippy::type_complexity,
        reason = "three columns with their texts; stubs are made from the type as it stands"
    )]
    fn from_long(
        py: Python<'_>,
        items: PyReadonlyArray1<'_, i64>,
        item_texts: Vec<String>,
        sources: PyReadonlyArray1<'_, i64>,
        source_texts: Vec<String>,
        votes: PyReadonlyArray1<'_, i64>,
        vote_texts: Vec<String>,
        classes: Option<Vec<String>>,
        abstain: Option<Vec<String>>,
        known: bool,
        keep: Option<Vec<String>>,
    ) -> PyResult<(Self, Vec<String>, usize, Option<Vec<i64>>)> {
        let mut vocabulary = vocabulary(classes, abstain, known)?;
        let read = |text: &String| vocabulary.read(text);
        let meanings: Vec<_> = vote_texts.iter().map(read).collect();
        let (items, sources, votes) = (items.as_array(), sources.as_array(), votes.as_array());
        let mut builder = LongVotesBuilder::new();
        if let Some(keep) = keep {
            builder = builder.find_gold(&keep);
        }
        for (row, ((&item, &source), &vote)) in items.iter().zip(sources).zip(votes).enumerate() {
            let (Some(item), Some(source)) =
                (item_texts.get(item as usize), source_texts.get(source as usize))
            else {
                let message = format!("row {row}: the item or the source is missing; each vote needs both");
                return Err(ConsilienceError::new_err(message));
            };
            let vote = match meanings.get(vote as usize) {
                None => ABSTAIN,
                Some(Ok(vote)) => *vote,
                Some(Err(error)) => return Err(error.with_message(format!("row {row}: {error}"))),
            };
            builder.push(item, source, vote);
        }
        let long = run(py, None, move || builder.finish(&vocabulary))?.map_err(|error| error.raise())?;
        let gold = long.gold.map(|gold| gold.into_iter().map(number_of).collect());
        Ok((Self { table: Arc::new(long.votes), notes: told(&long.notes) }, long.items, long.repeated, gold))
    }

    /// What texts mean as true classes: the number of a class counted from 0, -1 if unknown, -2 if no source votes for it.
    #[pyo3(signature = (texts, abstain))]
    fn gold_numbers(&self, texts: Vec<String>, abstain: Option<Vec<String>>) -> Vec<i64> {
        let mut vocabulary = Vocabulary::known(self.table.classes(), marks(abstain));
        let mut read = |text: &String| match vocabulary.read(text) {
            Ok(vote) if usize::from(vote) <= self.table.classes().len() => number_of(vote),
            _ => number_of(Vote::MAX),
        };
        texts.iter().map(&mut read).collect()
    }

    /// The table in which each item occurs as often as `times` says.
    fn repeated(&self, py: Python<'_>, times: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        let (table, times) = (self.table(), times.as_array().to_vec());
        let table = run(py, None, move || table.repeated(&times))?.map_err(|error| error.raise())?;
        Ok(Self { table: Arc::new(table), notes: self.notes.clone() })
    }

    /// A source that alone votes for very many classes, and how many these are.
    fn lonely_source(&self) -> Option<(String, usize)> {
        let LonelySource { source, alone } = self.table.lonely_source()?;
        Some((self.table.sources().name(source).to_string(), alone))
    }

    /// Sources with several classes that no other source votes for, and the others with several classes.
    fn strangers(&self) -> (Vec<String>, Vec<String>) {
        let (strangers, others) = self.table.strangers();
        let names = |sources: Vec<usize>| -> Vec<String> {
            sources.into_iter().map(|source| self.table.sources().name(source).to_string()).collect()
        };
        (names(strangers), names(others))
    }

    /// How many classes only one source votes for.
    fn classes_of_one(&self) -> usize {
        self.table.classes_of_one()
    }

    /// What was decided about the classes, one sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// What may be other than it was read, one sentence each, except about sources that the user keeps.
    fn hints(&self, kept: Vec<String>) -> Vec<String> {
        let notes = self.table.hints();
        notes.iter().filter(|note| !note.doubts_only(&kept)).map(crate::notes::told).collect()
    }

    /// The names of the sources.
    #[getter]
    fn sources(&self) -> Vec<String> {
        self.table.sources().names().to_vec()
    }

    /// The names of the classes.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.table.classes().names().to_vec()
    }

    /// The number of items.
    #[getter]
    fn items(&self) -> usize {
        self.table.items()
    }

    /// The number of distinct rows.
    #[getter]
    fn patterns(&self) -> usize {
        self.table.patterns().len()
    }

    /// The bytes that the table takes, names left aside.
    #[getter]
    fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// For each source, the numbers of the classes that it ever votes for, counted from 0.
    #[getter]
    fn domains(&self) -> Vec<Vec<usize>> {
        let classes =
            |domain: &Domain| domain.classes().iter().map(|&class| usize::from(class) - 1).collect();
        self.table.domains().iter().map(classes).collect()
    }

    /// One row per item, one column per source: the number of a class counted from 0, or -1.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let table = self.table();
        let (items, n) = (table.items(), table.sources().len());
        let cells = run(py, None, move || {
            let mut cells = vec![-1; items * n];
            cells.par_chunks_mut(n).enumerate().for_each(|(i, row)| {
                for (source, vote) in table.row_of_item(i) {
                    row[source] = i64::from(vote) - 1;
                }
            });
            cells
        })?;
        PyArray1::from_vec(py, cells).reshape([items, n])
    }

    /// The distinct rows as `to_numpy` gives rows, how many items each has, and the number of each item's row.
    #[expect(clippy::type_complexity, reason = "three arrays")]
    fn distinct<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>)> {
        let n = self.table.sources().len();
        let patterns = self.table.patterns();
        let mut cells = vec![-1; patterns.len() * n];
        for (p, row) in cells.chunks_exact_mut(n).enumerate() {
            for (source, vote) in patterns.row(p) {
                row[source] = i64::from(vote) - 1;
            }
        }
        let rows = PyArray1::from_vec(py, cells).reshape([patterns.len(), n])?;
        let counts = patterns.counts().to_vec().into_pyarray(py);
        Ok((rows, counts, self.table.item_pattern().to_vec().into_pyarray(py)))
    }

    /// Whether both tables have the same items, sources, classes and votes.
    fn __eq__(&self, other: &Self) -> bool {
        self.table == other.table
    }
}
