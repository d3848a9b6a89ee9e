//! The fitted model.

use std::path::PathBuf;
use std::sync::Arc;

use consilience::dependency::{DependencyType as _, Factor};
use consilience::labels::{Corrected, correct, explain_item, explain_panel, explain_source, held_out, infer};
use consilience::model::{
    ClassBalance, CorrectionPriors, DawidSkeneOptions, Dependence, FitOptions, Fitted, fit,
    fit_dawid_skene_knowing,
};
use consilience_io::{DocumentProblem, ModelFile};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::answers;
use crate::document;
use crate::errors::Raise as _;
use crate::labels::Labels;
use crate::run::run;
use crate::structure::Structure;
use crate::votes::Votes;

/// A dependency: type, sources, class, weight.
type Weight = (String, Vec<String>, Option<String>, f64);

/// A model fitted to votes: all that is needed to label others.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Model {
    fitted: Arc<Fitted>,
}

fn model_of(file: &ModelFile) -> Result<Model, DocumentProblem> {
    file.fitted().map(|fitted| Model { fitted: Arc::new(fitted) })
}

#[pymethods]
impl Model {
    /// Fits a model: to independent sources, to a structure, or (if neither is asked for) to the structure that the votes show;
    /// with `link_weights` each link has its own weight.
    #[staticmethod]
    #[pyo3(signature = (votes, independent, structure, link_weights, balance, seed, tell=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a setting")]
    fn fit(
        py: Python<'_>,
        votes: &Votes,
        independent: bool,
        structure: Option<&Structure>,
        link_weights: bool,
        balance: Option<Vec<f64>>,
        seed: u64,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let votes = votes.table();
        let structure = structure.map(|structure| structure.for_votes(&votes)).transpose()?;
        let class_balance = balance.map_or(ClassBalance::Even, ClassBalance::Given);
        let options = FitOptions::default().with_class_balance(class_balance).with_seed(seed);
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
    #[pyo3(signature = (votes, iterations=None, tolerance=None, answers=None))]
    fn dawid_skene(
        py: Python<'_>,
        votes: &Votes,
        iterations: Option<usize>,
        tolerance: Option<f64>,
        answers: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Self> {
        let votes = votes.table();
        let mut options = DawidSkeneOptions::default();
        options.iterations = iterations.unwrap_or(options.iterations);
        options.tolerance = tolerance.unwrap_or(options.tolerance);
        let answers = answers.map(|answers| answers::answers_of(&answers, votes.items(), votes.classes()));
        let answers = answers.transpose()?.unwrap_or_default();
        let fitted = run(py, None, move || fit_dawid_skene_knowing(&votes, &answers, &options, |_| {}))?;
        Ok(Self { fitted: Arc::new(fitted.map_err(|error| error.raise())?) })
    }

    /// The model of the text of a model.json.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        document::parse(text, ModelFile::KIND, |file: ModelFile| model_of(&file))
    }

    /// The model in a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        document::load(path, ModelFile::KIND, |file: ModelFile| model_of(&file))
    }

    /// The text of a model.json.
    fn to_json(&self) -> PyResult<String> {
        document::text(&ModelFile::new(&self.fitted, None))
    }

    /// Writes a model.json, completely or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        document::save(path, &ModelFile::new(&self.fitted, None))
    }

    /// Why an item has its label, as JSON.
    fn explain_item(&self, py: Python<'_>, votes: &Votes, row: usize) -> PyResult<String> {
        let (fitted, votes) = (Arc::clone(&self.fitted), votes.table());
        let explained = run(py, None, move || explain_item(&fitted, &votes, row))?;
        document::plain(&explained.map_err(|error| error.raise())?)
    }

    /// How much a source contributes, as JSON.
    fn explain_source(&self, py: Python<'_>, votes: &Votes, source: String) -> PyResult<String> {
        let (fitted, votes) = (Arc::clone(&self.fitted), votes.table());
        let explained = run(py, None, move || explain_source(&fitted, &votes, &source))?;
        document::plain(&explained.map_err(|error| error.raise())?)
    }

    /// How much the panel and each source contribute, as JSON.
    fn explain_panel(&self, py: Python<'_>, votes: &Votes) -> PyResult<String> {
        let (fitted, votes) = (Arc::clone(&self.fitted), votes.table());
        let explained = run(py, None, move || explain_panel(&fitted, &votes))?;
        document::plain(&explained.map_err(|error| error.raise())?)
    }

    /// The names of the sources.
    #[getter]
    fn sources(&self) -> Vec<String> {
        self.fitted.model.sources().names().to_vec()
    }

    /// The names of the classes.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.fitted.model.classes().names().to_vec()
    }

    /// From how many items.
    #[getter]
    fn items(&self) -> usize {
        self.fitted.items
    }

    /// For each source the share of its votes that counts.
    #[getter]
    fn shares(&self) -> Vec<f64> {
        self.fitted.shares.clone()
    }

    /// Every dependency with its weight: type, sources, class, weight.
    #[getter]
    fn weights(&self) -> Vec<Weight> {
        let (sources, classes) = (self.fitted.model.sources(), self.fitted.model.classes());
        let weight = |factor: &Factor| {
            let dependency = &factor.dependency;
            let names = dependency.sources().iter().map(|&j| sources.name(j).to_string()).collect();
            let class = dependency.class().map(|class| classes.name(class).to_string());
            (dependency.name().to_string(), names, class, factor.weight)
        };
        self.fitted.model.factors().list().iter().map(weight).collect()
    }

    /// How many answers have corrected it.
    #[getter]
    fn answers(&self) -> usize {
        self.fitted.correction.as_ref().map_or(0, |correction| correction.answers)
    }

    /// The model corrected by answers, and notes; `answers` has the number of a class for each item, -1 without an answer.
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

    /// Which source repeats which, and the share of its votes.
    #[getter]
    fn repeats(&self) -> Vec<(usize, usize, f64)> {
        self.fitted.repeats.iter().map(|repeat| (repeat.source, repeat.of, repeat.share)).collect()
    }

    /// The labels of `votes`.
    fn infer(&self, py: Python<'_>, votes: &Votes) -> PyResult<Labels> {
        let (fitted, votes) = (Arc::clone(&self.fitted), votes.table());
        let labels = run(py, None, move || infer(&fitted, &votes).map(Labels::from))?;
        labels.map_err(|error| error.raise())
    }
}
