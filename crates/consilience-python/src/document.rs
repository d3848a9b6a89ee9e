//! Documents: the same JSON as the command line reads and writes.

use std::path::PathBuf;

use consilience_io::{
    DocumentError, Input, Output, document_text, parse_document, read_document, write_document,
};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::errors::{BugError, ConsilienceError};

/// The text of a document.
pub(crate) fn text<T: Serialize>(content: &T) -> PyResult<String> {
    document_text(content).map_err(|error| BugError::new_err(error.to_string()))
}

/// `content` as JSON without a version: what Python takes apart.
pub(crate) fn plain<T: Serialize>(content: &T) -> PyResult<String> {
    serde_json::to_string(content).map_err(|error| BugError::new_err(error.to_string()))
}

/// The document of `text`, made into what it describes by `take`.
pub(crate) fn parse<T: DeserializeOwned, R, E: ToString>(
    text: &str,
    kind: &'static str,
    take: impl FnOnce(T) -> Result<R, E>,
) -> PyResult<R> {
    let document =
        parse_document(text, kind).map_err(|problem| ConsilienceError::new_err(problem.to_string()))?;
    take(document).map_err(|problem| ConsilienceError::new_err(problem.to_string()))
}

/// The document in a file, made into what it describes by `take`.
pub(crate) fn load<T: DeserializeOwned, R, E: ToString>(
    path: PathBuf,
    kind: &'static str,
    take: impl FnOnce(T) -> Result<R, E>,
) -> PyResult<R> {
    let input = Input::Path(path);
    let refused = |error: DocumentError| ConsilienceError::new_err(error.to_string());
    let document = read_document(&input, kind).map_err(refused)?;
    take(document)
        .map_err(|problem| ConsilienceError::new_err(format!("{}: {}", input.name(), problem.to_string())))
}

/// Writes `content` into a file, completely or not at all.
pub(crate) fn save<T: Serialize>(path: PathBuf, content: &T) -> PyResult<()> {
    let written = Output::create(&path).and_then(|output| write_document(output, content));
    written.map_err(|error| ConsilienceError::new_err(error.to_string()))
}
