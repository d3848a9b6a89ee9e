//! The learned structure.

use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::Arc;

use consilience::model::with_repetitions;
use consilience::structure::{
    self, Composition, CompositionWay, ExactOptions, LinkType, OwnRates, Select, SgdOptions,
    Structure as Graph,
};
use consilience::votes::Votes as Table;
use consilience_io::{DependencyFile, DocumentProblem, StructureFile};
use pyo3::prelude::*;

use crate::document;
use crate::errors::{ConsilienceError, OptionError, Raise as _, UnknownSourcesError};
use crate::run::run;
use crate::votes::Votes;

/// A candidate: type, sources, weight, standard error, z, p, q, whether it was selected.
type Candidate = (String, Vec<String>, f64, Option<f64>, Option<f64>, Option<f64>, Option<f64>, bool);

/// Two sources that repeat each other, by how much and how certainly.
type Pair = (String, String, f64, Option<f64>);

/// A source that is declared as a combination of others: its name, all, any or not, and its parts.
type Made = (String, String, Vec<String>);

/// Which sources depend on each other.
#[pyclass(frozen, module = "consilience._core")]
pub(crate) struct Structure {
    graph: Arc<Graph>,
    /// Whether it names its classes; if not, they are those of the votes that it is used with.
    names_classes: bool,
}

impl From<Graph> for Structure {
    fn from(graph: Graph) -> Self {
        Self { graph: Arc::new(graph), names_classes: true }
    }
}

impl Structure {
    /// The selected dependencies, most certain first, for a table of the same sources in any order; fitting checks that the
    /// sources and the classes are the same.
    pub(crate) fn for_votes(&self, votes: &Table) -> PyResult<Graph> {
        let fitting = self.file(false).for_votes(votes);
        fitting.map_err(|problem| ConsilienceError::new_err(problem.to_string()))
    }

    fn file(&self, every: bool) -> StructureFile {
        let mut file = StructureFile::new(&self.graph, every);
        if !self.names_classes {
            file.classes.clear();
        }
        file
    }

    fn position(&self, name: &str) -> PyResult<usize> {
        self.graph.sources.position(name).ok_or_else(|| {
            let names = self.graph.sources.names().join(", ");
            UnknownSourcesError::new_err(format!("there is no source \"{name}\"; the sources are {names}"))
        })
    }

    fn names(&self, sources: &[usize]) -> Vec<String> {
        sources.iter().map(|&j| self.graph.sources.name(j).to_string()).collect()
    }
}

fn structure_of(file: &StructureFile) -> Result<Structure, DocumentProblem> {
    let graph = Arc::new(file.structure()?);
    Ok(Structure { graph, names_classes: !file.classes.is_empty() })
}

#[pymethods]
impl Structure {
    /// A structure from its parts.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "each is a part of the structure")]
    fn of(
        sources: Vec<String>,
        classes: Vec<String>,
        candidates: Vec<Candidate>,
        copies: Vec<Vec<String>>,
        method: String,
        select: String,
        items: usize,
        mirrors: Vec<(String, String)>,
        tests: usize,
        untested: usize,
        repetitions: Vec<Pair>,
        once: Option<Vec<Vec<String>>>,
    ) -> PyResult<Self> {
        let link = |(kind, sources, weight, stderr, z, p, q, selected): Candidate| DependencyFile {
            stderr,
            z,
            p,
            q,
            selected: Some(selected),
            ..DependencyFile::new(kind, sources, None, weight)
        };
        let repetition = |(a, b, share, z): Pair| DependencyFile {
            z,
            selected: Some(true),
            ..DependencyFile::new("repetition", vec![a, b], None, share)
        };
        let file = StructureFile {
            sources,
            classes,
            dependencies: candidates
                .into_iter()
                .map(link)
                .chain(repetitions.into_iter().map(repetition))
                .collect(),
            copies,
            mirrors: mirrors.into_iter().map(|(first, image)| [first, image]).collect(),
            once,
            method,
            select,
            items,
            tests: Some(tests),
            untested,
            unsettled: Vec::new(),
            compositions: Vec::new(),
        };
        structure_of(&file).map_err(|problem| ConsilienceError::new_err(problem.to_string()))
    }

    /// The structure of the text of a structure.json.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        document::parse(text, StructureFile::KIND, |file| structure_of(&file))
    }

    /// The structure in a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        document::load(path, StructureFile::KIND, |file| structure_of(&file))
    }

    /// The text of a structure.json; of the selected dependencies, or of every candidate.
    fn to_json(&self, every: bool) -> PyResult<String> {
        document::text(&self.file(every))
    }

    /// The graph in Graphviz' language.
    fn to_dot(&self, every: bool) -> String {
        structure::graphviz(&self.graph, every)
    }

    /// The graph as GraphML.
    fn to_graphml(&self, every: bool) -> String {
        structure::graphml(&self.graph, every)
    }

    /// Writes a structure.json, completely or not at all.
    fn save(&self, path: PathBuf, every: bool) -> PyResult<()> {
        document::save(path, &self.file(every))
    }

    /// The names of the sources.
    #[getter]
    fn sources(&self) -> Vec<String> {
        self.graph.sources.names().to_vec()
    }

    /// The names of the classes.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.graph.classes.names().to_vec()
    }

    /// All candidates, the most certain first.
    #[getter]
    fn candidates(&self) -> Vec<Candidate> {
        let candidate = |file: &DependencyFile| {
            let DependencyFile { kind, sources, weight, stderr, z, p, q, .. } = file.clone();
            (kind, sources, weight, stderr, z, p, q, file.selected.unwrap_or(true))
        };
        let links = self.graph.dependencies.len();
        // Repetitions follow the links.
        self.file(true).dependencies[..links].iter().map(candidate).collect()
    }

    /// Groups of sources that are exact copies.
    #[getter]
    fn copies(&self) -> Vec<Vec<String>> {
        self.graph.copies.iter().map(|group| self.names(group)).collect()
    }

    /// Pairs of a source and its mirror image.
    #[getter]
    fn mirrors(&self) -> Vec<Vec<String>> {
        self.graph.mirrors.iter().map(|pair| self.names(pair)).collect()
    }

    /// Pairs of sources that repeat each other.
    #[getter]
    fn repetitions(&self) -> Vec<Pair> {
        let pairs = self.graph.repetitions.iter().flat_map(|found| &found.pairs);
        let name = |j: usize| self.graph.sources.name(j).to_string();
        pairs.map(|pair| (name(pair.sources[0]), name(pair.sources[1]), pair.share, pair.z)).collect()
    }

    /// Groups of sources that count as one; `None` if repetition was not searched for.
    #[getter]
    fn once(&self) -> Option<Vec<Vec<String>>> {
        let found = self.graph.repetitions.as_ref()?;
        Some(found.once.iter().map(|group| self.names(group)).collect())
    }

    /// How it was learned.
    #[getter]
    fn method(&self) -> String {
        self.file(false).method
    }

    /// The rule that selected the dependencies.
    #[getter]
    fn select(&self) -> String {
        self.file(false).select
    }

    /// From how many items.
    #[getter]
    fn items(&self) -> usize {
        self.graph.items
    }

    /// How many dependencies were possible.
    #[getter]
    fn tests(&self) -> usize {
        self.graph.tests
    }

    /// How many pairs meet on too few items to be tested.
    #[getter]
    fn untested(&self) -> usize {
        self.graph.untested
    }

    /// The same, with the sources that are declared as combinations of others: each with all, any or not, and its parts.
    fn declared(&self, compositions: Vec<Made>) -> PyResult<Self> {
        let mut graph = Graph::clone(&self.graph);
        graph.compositions.clear();
        for (source, way, parts) in compositions {
            let way = CompositionWay::ALL.into_iter().find(|known| known.name() == way);
            let way = way.ok_or_else(|| ConsilienceError::new_err("a way is all, any or not"))?;
            let parts = parts.iter().map(|part| self.position(part)).collect::<PyResult<_>>()?;
            graph.compositions.push(Composition { source: self.position(&source)?, way, parts });
        }
        Ok(Self { graph: Arc::new(graph), names_classes: self.names_classes })
    }

    /// Why two sources move together, if their declarations say so.
    fn explanation(&self, a: &str, b: &str) -> PyResult<Option<String>> {
        Ok(self.graph.explanation(self.position(a)?, self.position(b)?))
    }

    /// The sources whose problem was not solved to its optimum.
    #[getter]
    fn unsettled(&self) -> Vec<String> {
        self.names(&self.graph.unsettled)
    }

    /// The picture of the report, as SVG of this width.
    fn to_svg(&self, width: f64) -> String {
        consilience_report::Graph::of_structure(&self.graph).svg_alone(width)
    }

    /// Sources that depend on each other or repeat each other, the largest group first.
    #[getter]
    fn groups(&self) -> Vec<Vec<String>> {
        self.graph.groups().iter().map(|group| self.names(group)).collect()
    }

    /// Whether both are the same in every part; the order of the candidates says nothing.
    fn __eq__(&self, other: &Self) -> bool {
        self.graph == other.graph || self.file(true) == other.file(true)
    }
}

pub(crate) fn types(names: &[String]) -> PyResult<Vec<LinkType>> {
    names.iter().map(|name| LinkType::from_str(name).map_err(|error| error.raise())).collect()
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
) -> PyResult<Structure> {
    let votes = votes.table();
    let select = Select::from_str(select).map_err(|error| error.raise())?;
    let options =
        ExactOptions::default().with_types(self::types(&types)?).with_tolerance(tolerance).with_ridge(ridge);
    options.check().map_err(|error| error.raise())?;
    let structure = run(py, tell, move || {
        structure::learn_exact(&votes, &options, select).map(|structure| with_repetitions(&votes, structure))
    })?;
    let structure = structure.map_err(|error| error.raise())?;
    structure.map(Structure::from).map_err(|error| error.raise())
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
) -> PyResult<Structure> {
    let votes = votes.table();
    let own_rates = match own_rates {
        "none" => OwnRates::None,
        "propensity" => OwnRates::Propensity,
        "vote_rates" => OwnRates::VoteRates,
        other => {
            let message = format!("own_rates must be none, propensity or vote_rates, but is {other}");
            return Err(OptionError::new_err(message));
        }
    };
    let mut options = SgdOptions::default()
        .with_types(self::types(&types)?)
        .with_epsilon(epsilon)
        .with_epochs(epochs)
        .with_truncation(truncation)
        .with_accuracy_start(accuracy_start)
        .with_own_rates(own_rates)
        .with_class_prior(class_prior);
    options.step = step;
    options.check().map_err(|error| error.raise())?;
    let structure = run(py, tell, move || {
        let fitted = structure::learn_sgd(&votes, &options);
        fitted.map(|fitted| with_repetitions(&votes, fitted.structure(&votes)))
    })?;
    let structure = structure.map_err(|error| error.raise())?;
    structure.map(Structure::from).map_err(|error| error.raise())
}
