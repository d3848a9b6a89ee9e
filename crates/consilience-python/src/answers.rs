//! Answers: samples, corrections and certificates.

use consilience::answers::Answers;
use consilience::certificate::{Certified, certify as certify_labels};
use consilience::pipeline;
use consilience::sources::{Classes, Vote};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::{BugError, Raise as _};
use crate::run::run;
use crate::votes::Votes;

/// The number of a class counted from 0, or -1, as a vote.
fn vote(class: i64) -> Vote {
    Vote::try_from(class + 1).unwrap_or(if class < 0 { 0 } else { Vote::MAX })
}

/// One vote per item.
pub(crate) fn votes_of(numbers: &PyReadonlyArray1<'_, i64>) -> Vec<Vote> {
    numbers.as_array().iter().map(|&class| vote(class)).collect()
}

/// Answers of a table with these classes: the number of a class for each item, -1 if nobody has answered.
pub(crate) fn answers_of(
    numbers: &PyReadonlyArray1<'_, i64>,
    items: usize,
    classes: &Classes,
) -> PyResult<Answers> {
    Answers::new(votes_of(numbers), items, classes).map_err(|error| error.raise())
}

/// Draws `count` of the numbers from 0 to `items - 1` uniformly and without repetition.
#[pyfunction]
pub(crate) fn sample(items: usize, count: usize, seed: u64) -> Vec<usize> {
    consilience::answers::sample(items, count, seed)
}

/// The items that the default model and the one of independent sources label differently.
#[pyfunction]
pub(crate) fn where_models_differ(py: Python<'_>, votes: &Votes) -> PyResult<Vec<usize>> {
    let votes = votes.table();
    let differ = run(py, None, move || pipeline::where_models_differ(&votes))?;
    differ.map_err(|error| error.raise())
}

/// The certificate of labels as JSON; labels and answers have the number of a class for each item, -1 if there is none,
/// probabilities one number per item and class, and `held_out` the same for the answered items.
#[pyfunction]
#[pyo3(signature = (classes, labels, answers, probabilities, held_out, within))]
pub(crate) fn certify(
    py: Python<'_>,
    classes: Vec<String>,
    labels: PyReadonlyArray1<'_, i64>,
    answers: PyReadonlyArray1<'_, i64>,
    probabilities: Option<PyReadonlyArray1<'_, f64>>,
    held_out: Option<PyReadonlyArray1<'_, f64>>,
    within: Option<f64>,
) -> PyResult<String> {
    let classes = Classes::new(classes).map_err(|error| error.raise())?;
    let (labels, answers) = (votes_of(&labels), votes_of(&answers));
    let list = |array: PyReadonlyArray1<'_, f64>| array.as_array().to_vec();
    let (probabilities, held_out) = (probabilities.map(list), held_out.map(list));
    let certificate = run(py, None, move || {
        let certified = Certified {
            classes: &classes,
            labels: &labels,
            probabilities: probabilities.as_deref(),
            answers: &answers,
            held_out: held_out.as_deref(),
            held_out_labels: None,
        };
        certify_labels(&certified, within)
    })?;
    let certificate = certificate.map_err(|error| error.raise())?;
    serde_json::to_string(&certificate).map_err(|error| BugError::new_err(error.to_string()))
}
