//! What is shown to people.

use consilience::report::Analysis;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::{BugError, Raise as _};
use crate::run::run;
use crate::votes::Votes;

/// The analysis of a table as JSON; `gold` has the number of a class for each item, -1 where it is not known.
#[pyfunction]
#[pyo3(signature = (votes, gold, pairs))]
pub(crate) fn analyze(
    py: Python<'_>,
    votes: &Votes,
    gold: Option<PyReadonlyArray1<'_, i64>>,
    pairs: usize,
) -> PyResult<String> {
    let votes = votes.table();
    let classes = votes.classes().len() as i64;
    let gold = gold.map(|gold| {
        let known = |&class: &i64| if (0..classes).contains(&class) { class as u16 + 1 } else { 0 };
        gold.as_array().iter().map(known).collect::<Vec<u16>>()
    });
    let analysis = run(py, None, move || Analysis::new(&votes, gold.as_deref(), pairs))?;
    let analysis = analysis.map_err(|error| error.raise())?;
    serde_json::to_string(&analysis).map_err(|error| BugError::new_err(error.to_string()))
}
