//! The file of a fitted model: all that is needed to label new votes.

use consilience::dependency::{Dependency, DependencyType as _, Factor, Table};
use consilience::model::{Ending, Fitted, Impression, ImpressionLink, Model, Repeat, UnknownEstimator};
use consilience::sources::Domain;
use serde::{Deserialize, Serialize};

use crate::correction::CorrectionFile;
use crate::document::DocumentProblem;
use crate::document_names::DocumentNames;
use crate::truth::DependencyFile;

/// A model as `model.json` holds it.
///
/// ```
/// use consilience::labels::infer;
/// use consilience::pipeline::{Votes, label};
/// use consilience_io::ModelFile;
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["1", "1", "2"], ["2", "2", "2"], ["1", "", "1"]])?;
/// let made = label(&votes)?;
/// let file = ModelFile::new(&made.model, None);
/// assert_eq!(file.sources, ["a", "b", "c"]);
/// assert_eq!(infer(&file.fitted()?, &votes)?, made.labels);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The names of the sources.
    pub sources: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// For each source, the classes that it was seen to vote for.
    pub votes_for: Vec<Vec<String>>,
    /// All dependencies with their weights.
    pub dependencies: Vec<DependencyFile>,
    /// Groups of sources that are exact copies of each other and share the weight of one.
    pub copies: Vec<Vec<String>>,
    /// For each source, the share of its votes that counts because it does not repeat others; the weights already include it.
    pub shares: Vec<f64>,
    /// Sources that repeat others.
    pub repeats: Vec<RepeatFile>,
    /// How scores become labels; without it, scores are used directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impression: Option<ImpressionFile>,
    /// A key of models from earlier versions, which are rejected.
    #[serde(default, skip_serializing)]
    pub temper: Option<serde_json::Value>,
    /// The outcome of fitting.
    pub fit: EndingFile,
    /// The number of items it was fitted to.
    pub items: usize,
    /// The correction by answers, if some were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<CorrectionFile>,
    /// The independent model of the same votes, if this one has dependencies between sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub independent: Option<Box<ModelFile>>,
}

/// The impression that items make, as documents write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpressionFile {
    /// The mean of its strength.
    pub level: f64,
    /// The standard deviation of its strength.
    pub spread: f64,
    /// How votes follow from it: "scaled" or "ogive".
    pub link: String,
    /// For each class, what is added to its score.
    pub class_term: Vec<f64>,
}

/// A source that repeats another, as documents write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatFile {
    /// The source.
    pub source: String,
    /// The source that it repeats.
    pub of: String,
    /// The share of its votes that are the other's.
    pub share: f64,
}

/// The outcome of fitting, as written in documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndingFile {
    /// The objective that was maximized.
    pub inference: String,
    /// Whether fitting converged.
    pub converged: bool,
    /// Steps taken.
    pub iterations: usize,
    /// The largest remaining slope per item.
    pub gradient_norm: f64,
    /// The objective, if known.
    pub objective: Option<f64>,
}

impl ModelFile {
    /// The name of this kind of document in messages.
    pub const KIND: &'static str = "model";

    /// The file of `fitted`, with the independent model if given.
    pub fn new(fitted: &Fitted, independent: Option<&Fitted>) -> Self {
        let model = &fitted.model;
        let name = |&j: &usize| model.sources().name(j).to_string();
        let class = |&c: &u16| model.classes().name(c).to_string();
        let dependency = |factor: &Factor| DependencyFile {
            values: match &factor.dependency {
                Dependency::Table(table) => Some(table.values().to_vec()),
                _ => None,
            },
            ..DependencyFile::new(
                factor.dependency.name(),
                factor.dependency.sources().iter().map(name).collect(),
                factor.dependency.class().map(|c| class(&c)),
                factor.weight,
            )
        };
        let repeat = |repeat: &Repeat| RepeatFile {
            source: name(&repeat.source),
            of: name(&repeat.of),
            share: repeat.share,
        };
        let impression = |impression: &Impression| ImpressionFile {
            level: impression.level,
            spread: impression.spread,
            link: impression.link.name().to_string(),
            class_term: impression.class_term.clone(),
        };
        let Ending { estimator, converged, iterations, gradient_norm, objective } = fitted.ending;
        let inference = estimator.name().to_string();
        Self {
            sources: model.sources().names().to_vec(),
            classes: model.classes().names().to_vec(),
            votes_for: model
                .domains()
                .iter()
                .map(|domain| domain.classes().iter().map(class).collect())
                .collect(),
            dependencies: model.factors().list().iter().map(dependency).collect(),
            copies: fitted.copies.iter().map(|group| group.iter().map(name).collect()).collect(),
            shares: fitted.shares.clone(),
            repeats: fitted.repeats.iter().map(repeat).collect(),
            impression: fitted.impression.as_ref().map(impression),
            temper: None,
            fit: EndingFile { inference, converged, iterations, gradient_norm, objective },
            items: fitted.items,
            correction: fitted
                .correction
                .as_ref()
                .map(|correction| CorrectionFile::new(correction, model.sources(), model.classes())),
            independent: independent.map(|fitted| Box::new(Self::new(fitted, None))),
        }
    }

    /// The model; it gives the same labels to the last bit.
    pub fn fitted(&self) -> Result<Fitted, DocumentProblem> {
        let names = DocumentNames::new(Self::KIND, &self.sources, &self.classes)?;
        let (sources, classes) = (&names.sources, &names.classes);
        let domain = |votes: &Vec<String>| -> Result<Domain, DocumentProblem> {
            Ok(Domain::of(votes.iter().map(|name| names.class(name)).collect::<Result<Vec<_>, _>>()?))
        };
        let factor = |file: &DependencyFile| -> Result<Factor, DocumentProblem> {
            let scope = names.sources(&file.sources)?;
            let about = file.class.as_ref().map(|name| names.class(name)).transpose()?;
            let dependency = match &file.values {
                Some(values) if file.kind == Table::NAME => {
                    Table::new(scope, classes.len(), values.clone()).map(Dependency::from)
                }
                _ => Dependency::new(&file.kind, &scope, about),
            };
            Ok(Factor::new(dependency.map_err(|error| names.wrong(error))?, file.weight))
        };
        let domains = self.votes_for.iter().map(domain).collect::<Result<Vec<_>, _>>()?;
        let factors = self.dependencies.iter().map(factor).collect::<Result<Vec<_>, _>>()?;
        let copies = names.groups(&self.copies)?;
        if self.temper.is_some() {
            return Err(names.wrong(
                "it was written by an earlier version, in which confidence had a different meaning; fit the model again",
            ));
        }
        let impression = |file: &ImpressionFile| -> Result<Impression, DocumentProblem> {
            let link = ImpressionLink::from_name(&file.link).ok_or_else(|| {
                names.wrong(format!(
                    "the link of its impression is \"{}\", not \"scaled\" or \"ogive\"",
                    file.link
                ))
            })?;
            let (level, spread, class_term) = (file.level, file.spread, file.class_term.clone());
            let impression = Impression { level, spread, link, class_term };
            impression.problem(classes.len()).map_or(Ok(impression), |problem| Err(names.wrong(problem)))
        };
        let impression = self.impression.as_ref().map(impression).transpose()?;
        let sound = |share: &f64| share.is_finite() && (0.0..=1.0).contains(share);
        if self.shares.len() != sources.len() || !self.shares.iter().all(sound) {
            return Err(names.wrong(format!("it needs {} shares between 0 and 1", sources.len())));
        }
        let repeat = |file: &RepeatFile| -> Result<Repeat, DocumentProblem> {
            Ok(Repeat { source: names.source(&file.source)?, of: names.source(&file.of)?, share: file.share })
        };
        let repeats = self.repeats.iter().map(repeat).collect::<Result<Vec<_>, _>>()?;
        let correction = self.correction.as_ref().map(|file| file.correction(sources, classes));
        let correction = correction.transpose().map_err(|problem| names.wrong(problem))?;
        let model = Model::new(sources.clone(), classes.clone(), domains, factors);
        let EndingFile { ref inference, converged, iterations, gradient_norm, objective } = self.fit;
        let estimator = inference.parse().map_err(|error: UnknownEstimator| names.wrong(error))?;
        Ok(Fitted {
            model: model.map_err(|error| names.wrong(error))?,
            impression,
            ending: Ending { estimator, converged, iterations, gradient_norm, objective },
            items: self.items,
            shares: self.shares.clone(),
            repeats,
            copies,
            correction,
            notes: Vec::new(),
        })
    }
}
