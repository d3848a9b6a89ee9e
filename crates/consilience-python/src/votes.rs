//! The table of votes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use consilience::sources::{ABSTAIN, Classes, Domain, Sources, Vote};
use consilience::votes::{LongVotesBuilder, Vocabulary, VoteError, Votes as Table, VotesBuilder, VotesError};
use hashbrown::HashMap;
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use rayon::prelude::*;

use crate::column::{Cells, Column};
use crate::errors::{ConsilienceError, Raise as _};
use crate::run::{run, run_scoped};

/// Items that are read together: their cells stay in the cache while they are turned from columns into rows.
const STRIP: usize = 1024;

/// Strips whose rows are counted together before they are added to the table.
const STRIPS_A_PART: usize = 64;

/// A table of votes: distinct rows with counts.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Votes {
    table: Arc<Table>,
}

/// Why a table is refused: one of its cells, or the whole.
enum Refusal {
    Cell { row: usize, column: usize, error: VoteError },
    Whole(VotesError),
}

impl From<VotesError> for Refusal {
    fn from(error: VotesError) -> Self {
        Self::Whole(error)
    }
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

/// The rows of one part of the table, read with a vocabulary of its own.
struct Part {
    builder: VotesBuilder,
    vocabulary: Vocabulary,
}

fn read_part(
    columns: &[Cells<'_>],
    sources: &Sources,
    vocabulary: &Vocabulary,
    rows: std::ops::Range<usize>,
    stopped: &AtomicBool,
) -> Result<Part, Refusal> {
    let mut part = Part { builder: VotesBuilder::new(sources.clone()), vocabulary: vocabulary.clone() };
    let mut readers: Vec<Reader<'_>> = columns.iter().map(|&cells| Reader::new(cells)).collect();
    let mut strip = vec![0; STRIP * columns.len()];
    let mut first = rows.start;
    while first < rows.end && !stopped.load(Ordering::Relaxed) {
        let count = STRIP.min(rows.end - first);
        for (j, reader) in readers.iter_mut().enumerate() {
            let into = &mut strip[j..];
            reader
                .read(first..first + count, into, columns.len(), &mut part.vocabulary)
                .map_err(|(row, error)| Refusal::Cell { row, column: j, error })?;
        }
        for row in strip.chunks_exact(columns.len()).take(count) {
            part.builder.push_dense(row)?;
        }
        first += count;
    }
    Ok(part)
}

/// Numbers that are looked up in a table: those of all common class numbers.
const SMALL: i64 = 1 << 16;

/// Not looked up yet; never a vote, since there are fewer classes.
const UNKNOWN: Vote = Vote::MAX;

/// Reads the cells of one column as votes.
struct Reader<'a> {
    cells: Cells<'a>,
    /// The votes of -1, 0, 1, ...; or of the texts.
    small: Vec<Vote>,
    large: HashMap<i64, Vote>,
}

impl<'a> Reader<'a> {
    fn new(cells: Cells<'a>) -> Self {
        Self { cells, small: vec![UNKNOWN; 256], large: HashMap::new() }
    }

    /// Writes the votes of `rows` to every `step`th place of `into`.
    fn read(
        &mut self,
        rows: std::ops::Range<usize>,
        into: &mut [Vote],
        step: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<(), (usize, VoteError)> {
        let Self { cells, small, large } = self;
        let texts = cells.texts;
        cells.for_each(rows, |row, number| {
            let place = (row % STRIP) * step;
            let Some(number) = number else {
                into[place] = ABSTAIN;
                return Ok(());
            };
            let slot = (number + 1) as usize;
            if (-1..SMALL).contains(&number) && slot < small.len() && small[slot] != UNKNOWN {
                into[place] = small[slot];
                return Ok(());
            }
            if let Some(&vote) = large.get(&number) {
                into[place] = vote;
                return Ok(());
            }
            let vote = match texts {
                Some(texts) => vocabulary.read(&texts[number as usize]),
                None => vocabulary.read_integer(number),
            }
            .map_err(|error| (row, error))?;
            if (-1..SMALL).contains(&number) {
                if slot >= small.len() {
                    small.resize((slot + 1).next_power_of_two(), UNKNOWN);
                }
                small[slot] = vote;
            } else {
                large.insert(number, vote);
            }
            into[place] = vote;
            Ok(())
        })
    }
}

fn vocabulary(classes: Option<Vec<String>>, abstain: &str) -> PyResult<Vocabulary> {
    Ok(match classes {
        Some(names) => {
            let classes = Classes::new(names).map_err(|error| error.raise())?;
            Vocabulary::declared(&classes, abstain)
        }
        None => Vocabulary::new(abstain),
    })
}

impl Votes {
    /// The table itself.
    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    fn build(
        py: Python<'_>,
        cells: &[Cells<'_>],
        items: usize,
        sources: Vec<String>,
        vocabulary: &Vocabulary,
    ) -> PyResult<Self> {
        let sources = Sources::new(sources).map_err(|error| error.raise())?;
        if sources.len() != cells.len() {
            let message =
                format!("{} source names for {} columns; give one a column", sources.len(), cells.len());
            return Err(ConsilienceError::new_err(message));
        }
        if sources.is_empty() {
            return Err(ConsilienceError::new_err(
                "the table has no sources; at least one column of votes is needed",
            ));
        }
        let size = STRIP * STRIPS_A_PART;
        let table = run_scoped(py, |stopped| {
            let starts: Vec<usize> = (0..items).step_by(size).collect();
            let read = |first: usize| {
                read_part(cells, &sources, vocabulary, first..(first + size).min(items), stopped)
            };
            let parts: Vec<Result<Part, Refusal>> = starts.into_par_iter().map(read).collect();
            let mut whole = VotesBuilder::new(sources.clone());
            let mut vocabulary = vocabulary.clone();
            for part in parts {
                let part = part?;
                whole.append_part(&mut vocabulary, &part.builder, &part.vocabulary)?;
            }
            Ok(whole.finish(&vocabulary)?)
        })?;
        let table = table.map_err(|refusal: Refusal| refusal.raise(&sources))?;
        Ok(Self { table: Arc::new(table) })
    }
}

#[pymethods]
impl Votes {
    /// The table of columns: each an array of whole numbers, with its texts where the numbers are of texts, and with a mask of
    /// the missing cells.
    #[staticmethod]
    fn from_columns(
        py: Python<'_>,
        columns: Vec<Column<'_>>,
        items: usize,
        sources: Vec<String>,
        classes: Option<Vec<String>>,
        abstain: &str,
    ) -> PyResult<Self> {
        let vocabulary = vocabulary(classes, abstain)?;
        let mut cells = Vec::new();
        for column in &columns {
            column.cells(&mut cells);
        }
        if let Some(short) = cells.iter().find(|cells| cells.len() != items) {
            let message = format!("a column has {} cells, but the table has {items} rows", short.len());
            return Err(ConsilienceError::new_err(message));
        }
        Self::build(py, &cells, items, sources, &vocabulary)
    }

    /// The table of single votes: for each its item, source and vote as a number of a list of texts, -1 where it is missing.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "three columns with their texts")]
    fn from_long(
        py: Python<'_>,
        items: numpy::PyReadonlyArray1<'_, i64>,
        item_texts: Vec<String>,
        sources: numpy::PyReadonlyArray1<'_, i64>,
        source_texts: Vec<String>,
        votes: numpy::PyReadonlyArray1<'_, i64>,
        vote_texts: Vec<String>,
        classes: Option<Vec<String>>,
        abstain: &str,
    ) -> PyResult<(Self, Vec<String>, usize)> {
        let mut vocabulary = vocabulary(classes, abstain)?;
        let read = |text: &String| vocabulary.read(text);
        let meanings: Vec<_> = vote_texts.iter().map(read).collect();
        let (items, sources, votes) = (items.as_array(), sources.as_array(), votes.as_array());
        let mut builder = LongVotesBuilder::new();
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
        let long = run(py, move || builder.finish(&vocabulary))?.map_err(|error| error.raise())?;
        Ok((Self { table: Arc::new(long.votes) }, long.items, long.repeated))
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

    /// The votes that were cast.
    #[getter]
    fn cast(&self) -> u64 {
        let patterns = self.table.patterns();
        (0..patterns.len()).map(|p| patterns.row(p).count() as u64 * patterns.counts()[p]).sum()
    }

    /// For each source, the numbers of the classes that it ever votes for, counted from 0.
    #[getter]
    fn domains(&self) -> Vec<Vec<usize>> {
        let classes =
            |domain: &Domain| domain.classes().iter().map(|&class| usize::from(class) - 1).collect();
        self.table.domains().iter().map(classes).collect()
    }

    /// One row an item, one column a source: the number of a class counted from 0, or -1.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let table = self.table();
        let (items, n) = (table.items(), table.sources().len());
        let cells = run(py, move || {
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

    fn __eq__(&self, other: &Self) -> bool {
        self.table == other.table
    }
}

/// The texts of a list as numbers of distinct texts, -1 where it has None; an entry that is neither is a TypeError.
#[pyfunction]
pub(crate) fn factorize<'py>(
    py: Python<'py>,
    values: &Bound<'py, PyList>,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Vec<String>)> {
    let mut numbers: HashMap<String, i64> = HashMap::new();
    let mut texts = Vec::new();
    let mut codes = Vec::with_capacity(values.len());
    for (row, value) in values.iter().enumerate() {
        if value.is_none() {
            codes.push(-1);
            continue;
        }
        let text = value.cast::<PyString>().map_err(|_| {
            let kind = value.get_type();
            PyTypeError::new_err(format!("row {row}: expected a text or None, got {value:?} of {kind}"))
        })?;
        let text = text.to_cow()?;
        let number = if let Some(&number) = numbers.get(text.as_ref()) {
            number
        } else {
            let number = texts.len() as i64;
            numbers.insert(text.to_string(), number);
            texts.push(text.into_owned());
            number
        };
        codes.push(number);
    }
    Ok((codes.into_pyarray(py), texts))
}
