//! Labels.

use std::path::PathBuf;
use std::sync::Arc;

use consilience::labels::{Labels as Posteriors, Ties, majority_vote as shares_of_votes};
use consilience::sources::{ABSTAIN, Vote};
use consilience_io::{LabelRow, LabelWriter, Output, WriteError};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::answers::votes_of;
use crate::errors::{ConsilienceError, OptionError};
use crate::run::run;
use crate::votes::Votes;

/// The probability of each class for each item.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Labels {
    posteriors: Arc<Posteriors>,
}

impl From<Posteriors> for Labels {
    fn from(posteriors: Posteriors) -> Self {
        Self { posteriors: Arc::new(posteriors) }
    }
}

#[pymethods]
impl Labels {
    /// The names of the classes.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.posteriors.classes().names().to_vec()
    }

    /// The number of items.
    #[getter]
    fn items(&self) -> usize {
        self.posteriors.items()
    }

    /// The probability of each class, one row per item.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let labels = Arc::clone(&self.posteriors);
        let (items, classes) = (labels.items(), labels.classes().len());
        let all = run(py, None, move || {
            (0..labels.items()).flat_map(|i| labels.item(i)).copied().collect::<Vec<f64>>()
        })?;
        PyArray1::from_vec(py, all).reshape([items, classes])
    }

    /// Which items have votes.
    fn with_votes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let labels = &self.posteriors;
        PyArray1::from_vec(py, (0..labels.items()).map(|i| labels.has_votes(i)).collect())
    }

    /// Writes `item, label, confidence, p_<class>...`; the format follows from the name of the file. `decided` has the number of
    /// each item's class, -1 if it has none; items without names are called by their row numbers.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        items: Option<Vec<String>>,
        decided: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let labels = Arc::clone(&self.posteriors);
        let decided = votes_of(&decided);
        let written = run(py, None, move || {
            let classes = labels.classes();
            let mut writer = LabelWriter::new(Output::create(&path)?, classes, None)?;
            for (i, &class) in decided.iter().enumerate().take(labels.items()) {
                let item = items.as_ref().map_or_else(|| i.to_string(), |names| names[i].clone());
                let label = (class != ABSTAIN).then(|| classes.name(class));
                let (confidence, probabilities) = (labels.confidence(i), labels.item(i));
                writer.write(&LabelRow { item: &item, label, confidence, probabilities })?;
            }
            writer.finish()
        })?;
        written.map_err(|error: WriteError| ConsilienceError::new_err(error.to_string()))
    }

    /// The number of each item's class, -1 if it has none; `ties` is abstain, first or random.
    fn decide<'py>(&self, py: Python<'py>, ties: &str, seed: u64) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let ties = match ties {
            "abstain" => Ties::Empty,
            "first" => Ties::First,
            "random" => Ties::Random(seed),
            other => {
                let message = format!("ties must be abstain, first or random, but is {other}");
                return Err(OptionError::new_err(message));
            }
        };
        let labels = Arc::clone(&self.posteriors);
        let class = move |i| labels.decide(i, ties).map_or(-1, |class| i64::from(class) - 1);
        let items = self.posteriors.items();
        let decided = run(py, None, move || (0..items).map(class).collect::<Vec<i64>>())?;
        Ok(PyArray1::from_vec(py, decided))
    }

    /// The number of each item's class, -1 if nobody votes, with the highest expected F1 of the class `number`.
    fn decide_f1<'py>(&self, py: Python<'py>, number: usize) -> Bound<'py, PyArray1<i64>> {
        let labels = &self.posteriors;
        let decision = labels.expected_f1(number as Vote + 1);
        let decided = |i: usize| decision.as_ref().and_then(|decision| labels.decide_f1(i, decision));
        let class = |i: usize| decided(i).map_or(-1, |class| i64::from(class) - 1);
        PyArray1::from_vec(py, (0..labels.items()).map(class).collect())
    }

    /// On how many items the two decide for different classes; items that either leaves open do not count.
    fn differ(&self, other: &Self) -> usize {
        self.posteriors.differing(&other.posteriors).count()
    }

    /// The share of right labels among the items that have votes and gold; ties count by chance.
    fn share_right(&self, gold: PyReadonlyArray1<'_, i64>) -> Option<f64> {
        self.posteriors.share_right(&votes_of(&gold))
    }
}

/// The share of votes for each class; equal shares if nobody votes.
#[pyfunction]
pub(crate) fn majority_vote(py: Python<'_>, votes: &Votes) -> PyResult<Labels> {
    let votes = votes.table();
    run(py, None, move || Labels::from(shares_of_votes(&votes)))
}
