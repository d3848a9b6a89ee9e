//! The fitted model.

use std::sync::Arc;

use consilience::dependency::{Dependency, DependencyType as _, Factor, Table};
use consilience::labels::{Corrected, correct, held_out, infer};
use consilience::model::{
    ClassBalance, CorrectionPriors, DawidSkeneOptions, Dependence, FitOptions, Fitted, Impression,
    ImpressionLink, Model as Graph, fit, fit_dawid_skene_knowing,
};
use consilience::sources::{Classes, Domain, Sources, Vote};
use consilience::structure::{LearnedDependency, Repetition, Repetitions, Structure};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::answers;
use crate::errors::{ConsilienceError, Raise as _};
use crate::run::run;
use crate::votes::Votes;

/// A dependency: type, sources, class, weight; and the values of a table.
type Parts = (String, Vec<usize>, Option<Vote>, f64, Option<Vec<f64>>);

/// A correction: slope, biases, trends, usual votes, shifts (source, vote, scores), number of answers.
pub(crate) type Change = (f64, Vec<f64>, Vec<f64>, f64, Vec<(usize, Vote, Vec<f64>)>, usize);

/// Two sources that repeat each other, by how much and how certainly.
type Pair = (usize, usize, f64, Option<f64>);

/// An impression: level, spread, link, class term.
type Seen = (f64, f64, String, Vec<f64>);

/// Sources, classes, the classes that each source votes for, dependencies, shares, impression, items, correction: what
/// `from_parts` takes.
type Whole =
    (Vec<String>, Vec<String>, Vec<Vec<Vote>>, Vec<Parts>, Vec<f64>, Option<Seen>, usize, Option<Change>);

/// A model fitted to votes: all that is needed to label others.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Model {
    fitted: Arc<Fitted>,
}

/// The factor of its parts, in a model of `classes` classes.
fn factor((kind, sources, class, weight, values): Parts, classes: usize) -> PyResult<Factor> {
    let dependency = match values {
        Some(values) => Table::new(sources, classes, values).map(Dependency::from),
        None => Dependency::new(&kind, &sources, class),
    };
    Ok(Factor::new(dependency.map_err(|error| ConsilienceError::new_err(error.to_string()))?, weight))
}

#[pymethods]
impl Model {
    /// Fits a model: to independent sources, to a structure (links, copies; pairs that repeat each other and groups that count once,
    /// where these were looked for), or (where neither is asked for) to the structure that the votes show; with `link_weights`
    /// each link has a weight of its own.
    #[staticmethod]
    #[pyo3(signature = (votes, independent, structure, copies, repeated, once, link_weights, balance, seed, tell=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a setting")]
    fn fit(
        py: Python<'_>,
        votes: &Votes,
        independent: bool,
        structure: Option<Vec<Parts>>,
        copies: Vec<Vec<usize>>,
        repeated: Option<Vec<Pair>>,
        once: Vec<Vec<usize>>,
        link_weights: bool,
        balance: Option<Vec<f64>>,
        seed: u64,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let votes = votes.table();
        let structure = structure
            .map(|parts| -> PyResult<Structure> {
                let learned = |parts: Parts| -> PyResult<LearnedDependency> {
                    let Factor { dependency, weight } = factor(parts, votes.classes().len())?;
                    let (stderr, z, p, q) = (None, None, None, None);
                    Ok(LearnedDependency { dependency, weight, stderr, z, p, q, selected: true })
                };
                let links = parts.into_iter().map(learned).collect::<PyResult<_>>()?;
                let (sources, classes) = (votes.sources().clone(), votes.classes().clone());
                let repetitions = repeated.map(|pairs| Repetitions {
                    pairs: pairs
                        .into_iter()
                        .map(|(j, l, share, z)| Repetition { sources: [j.min(l), j.max(l)], share, z })
                        .collect(),
                    once,
                });
                let mut given =
                    Structure::new(sources, classes, links, votes.items()).map_err(|error| error.raise())?;
                given.copies = copies;
                given.repetitions = repetitions;
                given.check().map_err(|error| error.raise())?;
                Ok(given)
            })
            .transpose()?;
        let class_balance = balance.map_or(ClassBalance::Even, ClassBalance::Given);
        let options = FitOptions { seed, ..FitOptions::default().with_class_balance(class_balance) };
        let fitted = run(py, tell, move || {
            let dependence = match &structure {
                Some(structure) if link_weights => Dependence::Linked(structure),
                Some(structure) => Dependence::Structure(structure),
                None if independent => Dependence::Independent,
                None => Dependence::Repeats,
            };
            fit(&votes, dependence, &options)
        })?;
        Ok(Self { fitted: Arc::new(fitted.map_err(|error| error.raise())?) })
    }

    /// Fits the class-conditional model of independent sources by expectation maximisation; answers are held fixed.
    #[staticmethod]
    #[pyo3(signature = (votes, iterations, tolerance, answers=None))]
    fn dawid_skene(
        py: Python<'_>,
        votes: &Votes,
        iterations: usize,
        tolerance: f64,
        answers: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Self> {
        let votes = votes.table();
        let options = DawidSkeneOptions { iterations, tolerance, ..DawidSkeneOptions::default() };
        let answers = answers.map(|answers| answers::answers_of(&answers, votes.items(), votes.classes()));
        let answers = answers.transpose()?.unwrap_or_default();
        let fitted = run(py, None, move || fit_dawid_skene_knowing(&votes, &answers, &options, |_| {}))?;
        Ok(Self { fitted: Arc::new(fitted.map_err(|error| error.raise())?) })
    }

    /// The model of its parts, as `parts` gave them.
    #[staticmethod]
    #[pyo3(signature = (sources, classes, domains, factors, shares, impression, items, correction=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a part")]
    fn from_parts(
        sources: Vec<String>,
        classes: Vec<String>,
        domains: Vec<Vec<Vote>>,
        factors: Vec<Parts>,
        shares: Vec<f64>,
        impression: Option<Seen>,
        items: usize,
        correction: Option<Change>,
    ) -> PyResult<Self> {
        let sources = Sources::new(sources).map_err(|error| error.raise())?;
        let classes = Classes::new(classes).map_err(|error| error.raise())?;
        let factors = factors
            .into_iter()
            .map(|parts| factor(parts, classes.len()))
            .collect::<PyResult<Vec<Factor>>>()?;
        let domains = domains.into_iter().map(Domain::of).collect();
        let model = Graph::new(sources, classes, domains, factors);
        let model = model.map_err(|error| ConsilienceError::new_err(error.to_string()))?;
        if shares.len() != model.sources().len() {
            return Err(ConsilienceError::new_err("the model has not one share a source; write it again"));
        }
        let correction = correction
            .map(|change| answers::correction(change, model.sources().len(), model.classes().len()))
            .transpose()?;
        let impression = impression
            .map(|(level, spread, link, class_term)| {
                let wrong = |problem: String| ConsilienceError::new_err(format!("the model: {problem}"));
                let link = ImpressionLink::from_name(&link)
                    .ok_or_else(|| wrong(format!("there is no link \"{link}\"")))?;
                let impression = Impression { level, spread, link, class_term };
                impression
                    .problem(model.classes().len())
                    .map_or(Ok(impression), |problem| Err(wrong(problem)))
            })
            .transpose()?;
        let fitted = Fitted { impression, shares, correction, ..Fitted::given(model, items) };
        Ok(Self { fitted: Arc::new(fitted) })
    }

    /// All that labels depend on.
    fn parts(&self) -> Whole {
        let Fitted { model, impression, shares, items, correction, .. } = &*self.fitted;
        let factors = model.factors().list().iter().map(|factor| {
            let dependency = &factor.dependency;
            let values = match dependency {
                Dependency::Table(table) => Some(table.values().to_vec()),
                _ => None,
            };
            let (name, sources) = (dependency.name().to_string(), dependency.sources().to_vec());
            (name, sources, dependency.class(), factor.weight, values)
        });
        (
            model.sources().names().to_vec(),
            model.classes().names().to_vec(),
            model.domains().iter().map(|domain| domain.classes().to_vec()).collect(),
            factors.collect(),
            shares.clone(),
            impression.as_ref().map(|impression| {
                let link = impression.link.name().to_string();
                (impression.level, impression.spread, link, impression.class_term.clone())
            }),
            *items,
            correction.as_ref().map(answers::change),
        )
    }

    /// The model that answers correct (the number of a class for each item, -1 where nobody has answered); and what the user
    /// should know of them.
    fn corrected(
        &self,
        py: Python<'_>,
        votes: &Votes,
        answers: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<(Self, Vec<String>)> {
        let (fitted, votes) = (Arc::clone(&self.fitted), votes.table());
        let answers = answers::answers_of(&answers, votes.items(), votes.classes())?;
        let sources = votes.sources().clone();
        let corrected =
            run(py, None, move || correct(&fitted, &votes, &answers, CorrectionPriors::default()))?;
        let Corrected { fitted, checked, notes } = corrected.map_err(|error| error.raise())?;
        let mut notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        notes.extend(checked.iter().map(|source| source.sentence(&sources)));
        Ok((Self { fitted: Arc::new(fitted) }, notes))
    }

    /// The probability of each class for each answered item, by models that have not seen its answer.
    fn held_out<'py>(
        &self,
        py: Python<'py>,
        votes: &Votes,
        answers: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (fitted, votes) = (Arc::clone(&self.fitted), votes.table());
        let classes = fitted.model.classes().len();
        let answers = answers::answers_of(&answers, votes.items(), votes.classes())?;
        let given = answers.len();
        let held_out =
            run(py, None, move || held_out(&fitted, &votes, &answers, CorrectionPriors::default()))?;
        let probabilities = held_out.map_err(|error| error.raise())?.probabilities;
        PyArray1::from_vec(py, probabilities).reshape([given, classes])
    }

    /// What the user should know.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.fitted.notes.iter().map(ToString::to_string).collect()
    }

    /// Who repeats whom, and which share of its votes.
    #[getter]
    fn repeats(&self) -> Vec<(usize, usize, f64)> {
        self.fitted.repeats.iter().map(|repeat| (repeat.source, repeat.of, repeat.share)).collect()
    }

    /// The probability of each class, one row an item.
    fn infer<'py>(&self, py: Python<'py>, votes: &Votes) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (fitted, votes) = (Arc::clone(&self.fitted), votes.table());
        let (items, classes) = (votes.items(), fitted.model.classes().len());
        let labels = run(py, None, move || {
            let labels = infer(&fitted, &votes)?;
            Ok((0..labels.items()).flat_map(|i| labels.item(i)).copied().collect::<Vec<f64>>())
        })?;
        let labels = labels.map_err(|error: consilience::labels::InferError| error.raise())?;
        PyArray1::from_vec(py, labels).reshape([items, classes])
    }
}
