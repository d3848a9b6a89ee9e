//! Votes from a known model.

use consilience::dependency::DependencyType as _;
use consilience::model::{CellLimit, Links, Planted, Spread, simulate as draw};
use consilience::sources::Classes;
use consilience_io::{DependencyFile, TruthFile};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::document;
use crate::errors::Raise as _;
use crate::run::run;
use crate::votes::Votes;

/// A source that abstains on no item abstains on so few that none is ever drawn: the weight of never is infinite.
const HARDLY_EVER: f64 = 1e-12;

/// The smallest and the largest of a number that sources have one each of.
type Between = (f64, f64);

/// Votes drawn from a planted model, the number of each item's class, and the truth as JSON.
#[pyfunction]
#[pyo3(signature = (sources, items, classes, balance, accuracy, correct, abstain, pairs, density, clique, cliques, kind, strength, seed, tell=None))]
#[expect(clippy::too_many_arguments, reason = "each is a part of the model")]
pub(crate) fn simulate(
    py: Python<'_>,
    sources: usize,
    items: usize,
    classes: Vec<String>,
    balance: Option<Vec<f64>>,
    accuracy: Between,
    correct: Option<Between>,
    abstain: Option<Between>,
    pairs: Option<usize>,
    density: Option<f64>,
    clique: Option<usize>,
    cliques: usize,
    kind: String,
    strength: f64,
    seed: u64,
    tell: Option<Py<PyAny>>,
) -> PyResult<(Votes, Bound<'_, PyArray1<i64>>, String)> {
    let spread = |(low, high): Between| Spread { low, high };
    let ever = |share: f64| if share.abs() < HARDLY_EVER { HARDLY_EVER } else { share };
    let planted = Planted {
        classes: Classes::new(classes).map_err(|error| error.raise())?,
        balance,
        accuracy: spread(accuracy),
        correct: correct.map(spread),
        abstain: abstain.map(|(low, high)| spread((ever(low), ever(high)))),
        links: match (pairs, density, clique) {
            (Some(pairs), _, _) => Links::Pairs(pairs),
            (_, Some(density), _) => Links::Density(density),
            (_, _, Some(size)) => Links::Cliques { size, count: cliques },
            (None, None, None) => Links::None,
        },
        link_type: kind,
        strength,
        seed,
        ..Planted::new(sources).map_err(|error| error.raise())?
    };
    let model = planted.model().map_err(|error| error.raise())?;
    let truth = model.factors().list().iter().map(|factor| {
        let dependency = &factor.dependency;
        let names = dependency.sources().iter().map(|&j| model.sources().name(j).to_string()).collect();
        let class = dependency.class().map(|class| model.classes().name(class).to_string());
        DependencyFile::new(dependency.name(), names, class, factor.weight)
    });
    let mut truth = TruthFile {
        sources: model.sources().names().to_vec(),
        classes: model.classes().names().to_vec(),
        dependencies: truth.collect(),
        labels: Vec::new(),
    };
    let drawn = run(py, tell, move || draw(&model, items, seed, CellLimit::default(), |_| {}))?;
    let drawn = drawn.map_err(|error| error.raise())?;
    let classes = drawn.votes.classes();
    truth.labels = drawn.labels.iter().map(|&class| classes.name(class).to_string()).collect();
    let numbers = drawn.labels.iter().map(|&class| i64::from(class) - 1).collect();
    Ok((Votes::of(drawn.votes), PyArray1::from_vec(py, numbers), document::text(&truth)?))
}
