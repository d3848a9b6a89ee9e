//! Labels, structure, model and report as files.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use consilience::labels::{Labels, Ties};
use consilience_io::{ModelFile, StructureFile, VERSION};
use consilience_report::{html, markdown};
use futures_util::{StreamExt as _, stream};
use serde::Serialize;

use super::{Scene, Shared, ViewQuery, on_view};
use crate::error::RequestError;
use crate::views::View;

pub(super) async fn file(
    shared: State<Arc<Shared>>,
    Path(file): Path<String>,
    Query(view): Query<ViewQuery>,
) -> Result<Response, RequestError> {
    let disposition = format!("attachment; filename=\"{file}\"");
    let (kind, body) = on_view(shared, view, move |scene, view| {
        let json = "application/json";
        Ok(match file.as_str() {
            "labels.csv" => ("text/csv; charset=utf-8", labels(scene, view)),
            "structure.json" => (json, document(&StructureFile::new(&view.study.structure, false))?),
            "model.json" => {
                (json, document(&ModelFile::new(&view.study.model, Some(&view.study.independent)))?)
            }
            "report.html" => ("text/html; charset=utf-8", html(&view.report).into()),
            "report.md" => ("text/markdown; charset=utf-8", markdown(&view.report).into()),
            "report.json" => (json, document(&view.report)?),
            other => return Err(RequestError::NotFound(format!("there is no file \"{other}\" to export"))),
        })
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, disposition)], body)
        .into_response())
}

/// A document with the version that wrote it, as `write_document` has it.
#[derive(Serialize)]
struct Versioned<'a, T> {
    #[serde(flatten)]
    document: &'a T,
    version: &'static str,
}

fn document<T: Serialize>(document: &T) -> Result<Body, RequestError> {
    serde_json::to_vec_pretty(&Versioned { version: VERSION, document })
        .map(Body::from)
        .map_err(|error| RequestError::Wrong(error.to_string()))
}

/// Items whose labels are written together.
const PIECE: usize = 1 << 12;

/// Labels go out piece by piece, each made when the one before is gone: a large file begins at once and takes little memory.
fn labels(scene: &Arc<Scene>, view: &Arc<View>) -> Body {
    let head = head(&view.study.labels);
    let (scene, view) = (Arc::clone(scene), Arc::clone(view));
    let rows = stream::unfold(0, move |first| {
        let (scene, view) = (Arc::clone(&scene), Arc::clone(&view));
        async move {
            let items = first..(first + PIECE).min(view.study.labels.items());
            if items.is_empty() {
                return None;
            }
            let text = tokio::task::spawn_blocking(move || rows(&scene, &view, items)).await;
            Some((text.map_err(std::io::Error::other), first + PIECE))
        }
    });
    Body::from_stream(stream::once(async { Ok(head) }).chain(rows))
}

fn head(labels: &Labels) -> String {
    let mut text = String::from("item,label,confidence");
    for name in labels.classes().names() {
        let _ = write!(text, ",{}", cell(&format!("p_{name}")));
    }
    text.push('\n');
    text
}

fn rows(scene: &Scene, view: &View, items: Range<usize>) -> String {
    let labels = &view.study.labels;
    let mut text = String::new();
    for i in items {
        let label = labels.decide(i, Ties::Empty);
        let name = label.map_or("", |class| labels.classes().name(class));
        let item = scene.table.items.name(i);
        let _ = write!(text, "{},{},{}", cell(&item), cell(name), number(labels.confidence(i)));
        for &p in labels.item(i) {
            let _ = write!(text, ",{}", number(p));
        }
        text.push('\n');
    }
    text
}

/// A number as the command line writes it: all its digits, and no point if it is whole.
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
