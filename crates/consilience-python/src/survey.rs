//! What the columns of a frame are for.

use consilience::votes::AbstainMarks;
use consilience::votes::survey::{self, Layout, Sample, SampleColumn, Survey, Told, Use};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::ConsilienceError;
use crate::notes;

/// The names of roles and of columns: item, gold, source and vote, each if given.
type Roles = (Option<String>, Option<String>, Option<String>, Option<String>);

/// The use of each column, or the positions of item, source, vote and gold; and what was decided.
type Found = (Vec<String>, Option<(usize, usize, usize, Option<usize>)>, Vec<String>);

/// The marks of abstaining; the usual ones if none are given.
pub(crate) fn marks(abstain: Option<Vec<String>>) -> AbstainMarks {
    abstain.map_or(AbstainMarks::Usual, AbstainMarks::these)
}

/// Finds out what the columns of a frame are for: each has a name, a type if that holds no votes, and the numbers of its first
/// cells among its texts, -1 if a cell is missing. Where the names were texts, they may be a row of votes.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a table, and what the user says of it")]
pub(crate) fn survey_columns(
    names: Vec<String>,
    kinds: Vec<Option<String>>,
    cells: Vec<PyReadonlyArray1<'_, i64>>,
    texts: Vec<Vec<String>>,
    whole: bool,
    texts_as_names: bool,
    roles: Roles,
    keep: Vec<String>,
    ignore: Vec<String>,
    long: Option<bool>,
    classes: Option<Vec<String>>,
    abstain: Option<Vec<String>>,
) -> PyResult<Found> {
    let mut columns = Vec::with_capacity(names.len());
    for (((name, kind), cells), texts) in names.into_iter().zip(kinds).zip(&cells).zip(&texts) {
        let mut column = SampleColumn::new(name);
        column.kind = kind;
        for &cell in cells.as_array() {
            column
                .push(usize::try_from(cell).ok().and_then(|cell| texts.get(cell)).map_or("", String::as_str));
        }
        columns.push(column);
    }
    let mut told = Told::default();
    (told.item, told.gold, told.long_source, told.long_vote) = roles;
    (told.sources, told.ignore, told.long, told.classes) = (keep, ignore, long, classes);
    told.marks = marks(abstain);
    let sample = Sample { columns, whole };
    if texts_as_names && survey::looks_like_votes(&sample, &told) {
        let names: Vec<&str> = sample.columns.iter().take(8).map(|column| column.name.as_str()).collect();
        return Err(ConsilienceError::new_err(format!(
            "the names of the columns ({}) look like a row of votes: is the header missing? Read the file without a header (header=None in pandas), or rename the columns",
            names.join(", ")
        )));
    }
    let found = survey::survey(&sample, &told);
    let Survey { layout, notes } =
        found.map_err(|error| ConsilienceError::new_err(notes::refused(&error)))?;
    let notes = notes.iter().map(notes::told).collect();
    Ok(match layout {
        Layout::Long { item, source, vote, gold } => (Vec::new(), Some((item, source, vote, gold)), notes),
        Layout::Wide(uses) => {
            let name = |used: &Use| match used {
                Use::Source => "source",
                Use::Item => "item",
                Use::Gold => "gold",
                Use::LeftOut => "",
            };
            (uses.iter().map(|used| name(used).to_string()).collect(), None, notes)
        }
    })
}
