//! How many rows are needed.

use consilience::structure::{Curvature, Plan, PlanOptions};
use pyo3::prelude::*;

use crate::document;
use crate::errors::Raise as _;
use crate::run::run;
use crate::structure::types;
use crate::votes::Votes;

/// The rows needed, and what given rows can reveal, as JSON.
#[pyfunction]
#[pyo3(signature = (sources, strength, failure, degree, types, curvature, rows))]
pub(crate) fn plan(
    sources: usize,
    strength: f64,
    failure: f64,
    degree: usize,
    types: Vec<String>,
    curvature: Option<f64>,
    rows: Option<u64>,
) -> PyResult<String> {
    let mut options = PlanOptions::new(sources)
        .with_strength(strength)
        .with_failure(failure)
        .with_degree(degree)
        .with_types(types);
    (options.curvature, options.rows) = (curvature, rows);
    document::plain(&Plan::new(&options).map_err(|error| error.raise())?)
}

/// The constant c of condition (7), estimated from votes.
#[pyfunction]
#[pyo3(signature = (votes, types))]
pub(crate) fn curvature(py: Python<'_>, votes: &Votes, types: Vec<String>) -> PyResult<Option<f64>> {
    let (votes, types) = (votes.table(), self::types(&types)?);
    let curvature = run(py, None, move || Curvature::of_votes(&votes, &types))?;
    Ok(curvature.map_err(|error| error.raise())?.smallest())
}
