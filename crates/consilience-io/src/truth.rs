//! The file of a simulation's truth, and how documents name a dependency.

use serde::{Deserialize, Serialize};

/// A dependency as documents write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DependencyFile {
    /// The type, such as `correlation`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The names of its sources, in the order that the type gives a meaning to.
    pub sources: Vec<String>,
    /// The class, for types that are about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The weight; 0 by default.
    #[serde(default)]
    pub weight: f64,
    /// The weight's standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<f64>,
    /// The weight in standard errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// The probability of a weight this large if there were no dependency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// The false discovery rate at which it would be selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<f64>,
    /// Whether it was selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected: Option<bool>,
    /// How one of the sources is declared from another, if it is; written for people, not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// The values of a table, the user's own type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
}

/// The keys of a dependency.
pub(crate) const DEPENDENCY_KEYS: [&str; 11] =
    ["type", "sources", "class", "weight", "stderr", "z", "p", "q", "selected", "explanation", "values"];

impl DependencyFile {
    /// A dependency with its weight and nothing else known.
    pub fn new(kind: impl Into<String>, sources: Vec<String>, class: Option<String>, weight: f64) -> Self {
        Self {
            kind: kind.into(),
            sources,
            class,
            weight,
            stderr: None,
            z: None,
            p: None,
            q: None,
            selected: None,
            explanation: None,
            values: None,
        }
    }
}

/// What a simulation knows: the model that made the votes, and the class of each item.
///
/// ```
/// use consilience_io::{DependencyFile, TruthFile, document_text};
///
/// let link = DependencyFile::new("correlation", vec!["a".into(), "b".into()], None, 0.25);
/// let truth = TruthFile {
///     sources: vec!["a".into(), "b".into()],
///     classes: vec!["0".into(), "1".into()],
///     dependencies: vec![link],
///     labels: vec!["1".into(), "0".into()],
/// };
/// assert!(document_text(&truth)?.contains("0.25"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TruthFile {
    /// The names of the sources.
    pub sources: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The dependencies with their weights.
    pub dependencies: Vec<DependencyFile>,
    /// The name of each item's class.
    pub labels: Vec<String>,
}
