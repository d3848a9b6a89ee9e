//! Labels.

use numpy::{PyArray2, PyArrayMethods as _};
use pyo3::prelude::*;

use crate::run::run;
use crate::votes::Votes;

/// The share of votes for each class, one row an item; equal shares where nobody votes.
#[pyfunction]
pub(crate) fn majority_vote<'py>(py: Python<'py>, votes: &Votes) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let votes = votes.table();
    let (items, classes) = (votes.items(), votes.classes().len());
    let shares = run(py, None, move || {
        let labels = consilience::labels::majority_vote(&votes);
        (0..labels.items()).flat_map(|i| labels.item(i)).copied().collect::<Vec<f64>>()
    })?;
    numpy::PyArray1::from_vec(py, shares).reshape([items, classes])
}
