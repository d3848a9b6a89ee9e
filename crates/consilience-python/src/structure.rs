//! Learning which sources depend on each other.

use std::str::FromStr as _;

use consilience::dependency::DependencyType as _;
use consilience::model::with_repetitions;
use consilience::structure::{
    self, ExactOptions, LinkType, OwnRates, Precision, Select, SgdOptions, Structure,
};
use pyo3::prelude::*;

use crate::errors::Raise as _;
use crate::run::run;
use crate::votes::Votes;

/// A candidate: type, sources, weight, standard error, z, p, q, whether it was selected.
type Candidate = (&'static str, Vec<usize>, f64, Option<f64>, Option<f64>, Option<f64>, Option<f64>, bool);

/// Pairs of a source and its mirror image, the number of tests, and of pairs that meet too seldom for one.
type Tested = (Vec<[usize; 2]>, usize, usize);

/// Pairs of sources that repeat each other, by how much and how certainly, and groups that count as one source.
type Repeated = (Vec<([usize; 2], f64, Option<f64>)>, Vec<Vec<usize>>);

/// Candidates, groups of exact copies, what was tested, the rule that selected, the sources whose problem was not solved, and who
/// repeats whom.
type Learned = (Vec<Candidate>, Vec<Vec<usize>>, Tested, String, Vec<usize>, Repeated);

fn types(names: &[String]) -> PyResult<Vec<LinkType>> {
    names.iter().map(|name| LinkType::from_str(name).map_err(|error| error.raise())).collect()
}

fn learned(structure: Structure) -> Learned {
    let candidates = structure
        .dependencies
        .iter()
        .map(|learned| {
            let dependency = &learned.dependency;
            let statistics = (learned.stderr, learned.z, learned.p, learned.q);
            let (stderr, z, p, q) = statistics;
            let sources = dependency.sources().to_vec();
            (dependency.name(), sources, learned.weight, stderr, z, p, q, learned.selected)
        })
        .collect();
    let tested = (structure.mirrors, structure.tests, structure.untested);
    let found = structure.repetitions.unwrap_or_default();
    let pairs = found.pairs.iter().map(|pair| (pair.sources, pair.share, pair.z)).collect();
    (
        candidates,
        structure.copies,
        tested,
        structure.select.map_or("all".to_string(), |select| select.to_string()),
        structure.unsettled,
        (pairs, found.once),
    )
}

/// The structure by the exact method.
#[pyfunction]
#[pyo3(signature = (votes, types, select, tolerance, ridge, tell=None))]
pub(crate) fn learn_exact(
    py: Python<'_>,
    votes: &Votes,
    types: Vec<String>,
    select: &str,
    tolerance: f64,
    ridge: f64,
    tell: Option<Py<PyAny>>,
) -> PyResult<Learned> {
    let votes = votes.table();
    let select = Select::from_str(select).map_err(|error| error.raise())?;
    let options = ExactOptions { types: self::types(&types)?, tolerance, ridge };
    options.check().map_err(|error| error.raise())?;
    let structure = run(py, tell, move || {
        structure::learn_exact(&votes, &options, select).map(|structure| with_repetitions(&votes, structure))
    })?;
    let structure = structure.map_err(|error| error.raise())?;
    structure.map(learned).map_err(|error| error.raise())
}

/// The structure by Algorithm 1.
#[pyfunction]
#[pyo3(signature = (votes, types, epsilon, step, epochs, truncation, accuracy_start, own_rates, class_prior, tell=None))]
#[expect(clippy::too_many_arguments, reason = "each is a setting of the algorithm, given by name in Python")]
pub(crate) fn learn_sgd(
    py: Python<'_>,
    votes: &Votes,
    types: Vec<String>,
    epsilon: f64,
    step: Option<f64>,
    epochs: usize,
    truncation: usize,
    accuracy_start: f64,
    own_rates: &str,
    class_prior: bool,
    tell: Option<Py<PyAny>>,
) -> PyResult<Learned> {
    let votes = votes.table();
    let own_rates = match own_rates {
        "none" => OwnRates::None,
        "propensity" => OwnRates::Propensity,
        "vote_rates" => OwnRates::VoteRates,
        other => {
            let message = format!("own_rates must be none, propensity or vote_rates, but is {other}");
            return Err(crate::errors::OptionError::new_err(message));
        }
    };
    let options = SgdOptions {
        types: self::types(&types)?,
        epsilon,
        step,
        epochs,
        truncation,
        accuracy_start,
        own_rates,
        class_prior,
        precision: Precision::Auto,
    };
    options.check().map_err(|error| error.raise())?;
    let structure = run(py, tell, move || {
        let fitted = structure::learn_sgd(&votes, &options);
        fitted.map(|fitted| with_repetitions(&votes, fitted.structure(&votes)))
    })?;
    let structure = structure.map_err(|error| error.raise())?;
    structure.map(learned).map_err(|error| error.raise())
}
