//! Labels, structure, model and report as files.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use consilience::labels::Ties;
use consilience_io::{ModelFile, StructureFile, VERSION};
use consilience_report::{html, markdown};
use serde::Serialize;

use super::{Scene, Shared, ViewQuery, on_view};
use crate::error::RequestError;
use crate::views::View;

pub(super) async fn file(
    shared: State<Arc<Shared>>,
    Path(file): Path<String>,
    Query(view): Query<ViewQuery>,
) -> Result<Response, RequestError> {
    let (kind, name, bytes) = on_view(shared, view, move |scene, view| {
        Ok(match file.as_str() {
            "labels.csv" => ("text/csv; charset=utf-8", "labels.csv", labels(scene, view).into_bytes()),
            "structure.json" => (
                "application/json",
                "structure.json",
                document(&StructureFile::new(&view.study.structure, false))?,
            ),
            "model.json" => (
                "application/json",
                "model.json",
                document(&ModelFile::new(&view.study.model, Some(&view.study.independent)))?,
            ),
            "report.html" => ("text/html; charset=utf-8", "report.html", html(&view.report).into_bytes()),
            "report.md" => ("text/markdown; charset=utf-8", "report.md", markdown(&view.report).into_bytes()),
            "report.json" => ("application/json", "report.json", document(&view.report)?),
            other => return Err(RequestError::NotFound(format!("there is no file \"{other}\" to export"))),
        })
    })
    .await?;
    let disposition = format!("attachment; filename=\"{name}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, disposition)], bytes)
        .into_response())
}

/// A document with the version that wrote it, as `write_document` has it.
#[derive(Serialize)]
struct Versioned<'a, T> {
    #[serde(flatten)]
    document: &'a T,
    version: &'static str,
}

fn document<T: Serialize>(document: &T) -> Result<Vec<u8>, RequestError> {
    serde_json::to_vec_pretty(&Versioned { version: VERSION, document })
        .map_err(|error| RequestError::Wrong(error.to_string()))
}

fn labels(scene: &Scene, view: &View) -> String {
    let labels = &view.study.labels;
    let mut text = String::from("item,label,confidence");
    for name in labels.classes().names() {
        let _ = write!(text, ",{}", cell(&format!("p_{name}")));
    }
    text.push('\n');
    for i in 0..labels.items() {
        let label = labels.decide(i, Ties::Empty);
        let name = label.map_or("", |class| labels.classes().name(class));
        let _ = write!(
            text,
            "{},{},{}",
            cell(&scene.table.items.name(i)),
            cell(name),
            number(labels.confidence(i))
        );
        for &p in labels.item(i) {
            let _ = write!(text, ",{}", number(p));
        }
        text.push('\n');
    }
    text
}

/// A number as the command line writes it: all its digits, and no point where it is whole.
fn number(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
}

/// A cell of a CSV file.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
