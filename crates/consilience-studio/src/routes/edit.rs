//! The file of the sources: its text, what a change would move, saving.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use consilience::findings::Moved;
use consilience_sources::{Block, Fault};
use serde::{Deserialize, Serialize};

use super::items::{ItemRow, row};
use super::{Scene, Shared};
use crate::edit::{Change, Desk, EditError, LONGEST_TEXT, MOST_TRIED, Outcome, Saved, state};
use crate::error::RequestError;

/// The largest request: a text whose every sign is escaped, and some room.
const LARGEST_REQUEST: usize = 7 * LONGEST_TEXT;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/edit", get(list))
        .route("/api/edit/text", get(text))
        .route("/api/edit/try", post(attempt))
        .route("/api/edit/save", post(save))
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
    message: String,
}

fn places(faults: Vec<Fault>) -> Vec<Place> {
    let place = |Fault { line, column, message }| Place { line, column, message };
    faults.into_iter().map(place).collect()
}

/// The file and its sources.
#[derive(Serialize)]
struct EditState {
    file: String,
    /// The state of the file that the rest belongs to.
    base: String,
    /// What is wrong with the file as it is.
    faults: Vec<Place>,
    /// Whether the votes that are shown are those of the file as it is.
    shown: bool,
    /// Whether sources can be edited one by one.
    blocks: bool,
    /// Whether the file is short enough to be edited as a whole.
    whole: bool,
    sources: Vec<Listed>,
    items: usize,
    /// On how many of them changes are tried.
    tried: usize,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    kind: &'static str,
    coverage: Option<f64>,
    conflicts: Option<f64>,
}

async fn list(shared: State<Arc<Shared>>) -> Result<Json<EditState>, RequestError> {
    at_desk(shared, |_, desk, scene| {
        let text = desk.text()?;
        let (file, faults) = match desk.checked(scene, &text) {
            Ok(file) => (Some(file), Vec::new()),
            Err(faults) => (None, faults),
        };
        let known = &scene.views.first().report.sources;
        let listed = |name: &str, kind: &'static str| {
            let counted = known.iter().find(|source| source.name == name);
            Listed {
                name: name.to_string(),
                kind,
                coverage: counted.map(|source| source.coverage),
                conflicts: counted.map(|source| source.conflicts),
            }
        };
        let blocks = Block::all(&text);
        let sources = match (&file, &blocks) {
            (Some(file), _) => {
                file.sources.iter().map(|source| listed(&source.name, source.kind.name())).collect()
            }
            (None, Some(blocks)) => blocks.iter().map(|block| listed(&block.name, "")).collect(),
            (None, None) => Vec::new(),
        };
        let items = scene.table.votes.items();
        Ok(EditState {
            file: desk.name(),
            base: state(&text),
            faults: places(faults),
            shown: file.as_ref().is_some_and(|file| desk.is_shown(file)),
            blocks: blocks.is_some(),
            whole: text.len() <= LONGEST_TEXT,
            sources,
            items,
            tried: items.min(MOST_TRIED),
        })
    })
    .await
}

#[derive(Deserialize)]
struct TextQuery {
    source: Option<String>,
}

/// The text of one source, or of the whole file.
#[derive(Serialize)]
struct TextAnswer {
    base: String,
    text: String,
    /// Its first line in the file.
    line: usize,
}

async fn text(
    shared: State<Arc<Shared>>,
    Query(query): Query<TextQuery>,
) -> Result<Json<TextAnswer>, RequestError> {
    at_desk(shared, move |_, desk, _| {
        let text = desk.text()?;
        let (part, line) = match query.source {
            None => (text.as_str(), 1),
            Some(name) => {
                let blocks = Block::all(&text).unwrap_or_default();
                let block = blocks.into_iter().find(|block| block.name == name);
                let block = block.ok_or_else(|| EditError::NoSource(desk.name(), name))?;
                (&text[block.range], block.line)
            }
        };
        if part.len() > LONGEST_TEXT {
            return Err(EditError::TooLong.into());
        }
        Ok(TextAnswer { base: state(&text), text: part.to_string(), line })
    })
    .await
}

#[derive(Deserialize)]
struct EditRequest {
    base: String,
    source: Option<String>,
    text: String,
    /// Whether labels are wanted, which take longer than coverage and conflicts.
    #[serde(default)]
    labels: bool,
}

impl EditRequest {
    fn change(&self) -> Change<'_> {
        Change { base: &self.base, source: self.source.as_deref(), text: &self.text }
    }
}

/// What a change would do.
#[derive(Default, Serialize)]
struct AttemptAnswer {
    /// A newer request ended this one.
    stopped: bool,
    faults: Vec<Place>,
    rerun: usize,
    moved: Option<Moved>,
    problem: Option<String>,
    /// The items that `moved` names, as they are shown now.
    items: Vec<ItemRow>,
}

async fn attempt(
    shared: State<Arc<Shared>>,
    Json(request): Json<EditRequest>,
) -> Result<Json<AttemptAnswer>, RequestError> {
    at_desk(shared, move |shared, desk, scene| {
        Ok(match desk.attempt(shared, &request.change(), request.labels)? {
            Outcome::Stopped => AttemptAnswer { stopped: true, ..AttemptAnswer::default() },
            Outcome::Faults(faults) => AttemptAnswer { faults: places(faults), ..AttemptAnswer::default() },
            Outcome::Moves(moves) => {
                let examples = moves.moved.labels.iter().flat_map(|labels| &labels.examples);
                AttemptAnswer {
                    rerun: moves.rerun,
                    items: examples.map(|flip| row(scene, scene.views.first(), flip.item)).collect(),
                    moved: Some(moves.moved),
                    problem: moves.problem,
                    ..AttemptAnswer::default()
                }
            }
        })
    })
    .await
}

#[derive(Serialize)]
struct SaveAnswer {
    saved: bool,
    faults: Vec<Place>,
}

async fn save(
    shared: State<Arc<Shared>>,
    Json(request): Json<EditRequest>,
) -> Result<Json<SaveAnswer>, RequestError> {
    at_desk(shared, move |shared, desk, _| {
        Ok(match desk.save(shared, &request.change())? {
            Saved::Faults(faults) => SaveAnswer { saved: false, faults: places(faults) },
            Saved::Done => SaveAnswer { saved: true, faults: Vec::new() },
        })
    })
    .await
}

/// Does `work` at the desk, away from the threads that listen.
async fn at_desk<T: Send + 'static>(
    State(shared): State<Arc<Shared>>,
    work: impl FnOnce(&Shared, &Desk, &Scene) -> Result<T, RequestError> + Send + 'static,
) -> Result<Json<T>, RequestError> {
    let task = tokio::task::spawn_blocking(move || {
        let Some(desk) = &shared.desk else {
            let message = "start the studio with --sources FILE to edit sources";
            return Err(RequestError::NotFound(message.to_string()));
        };
        work(&shared, desk, &shared.scene())
    });
    task.await.map_err(|_| RequestError::Interrupted)?.map(Json)
}
