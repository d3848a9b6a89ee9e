//! How many rows are needed.

use consilience::structure::{Plan, PlanOptions};
use pyo3::prelude::*;

use crate::document;
use crate::errors::Raise as _;

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
    let options = PlanOptions { sources, strength, failure, degree, types, curvature, rows };
    document::plain(&Plan::new(&options).map_err(|error| error.raise())?)
}
