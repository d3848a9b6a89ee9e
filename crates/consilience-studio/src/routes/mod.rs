//! What each address answers.

mod compare;
mod export;
mod items;
mod label;
mod source;
mod structure;

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use consilience::findings::Choice;
use serde::Deserialize;

use crate::StudioError;
use crate::answers::AnswerBook;
use crate::error::RequestError;
use crate::guard::{self, Guard};
use crate::page;
use crate::table::Table;
use crate::views::{View, Views};

/// The largest request that is read.
const LARGEST_REQUEST: usize = 1 << 16;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) table: Table,
    pub(crate) views: Views,
    pub(crate) book: Option<Mutex<AnswerBook>>,
    pub(crate) guard: Guard,
}

impl Shared {
    pub(crate) fn new(table: Table, book: Option<AnswerBook>, guard: Guard) -> Result<Self, StudioError> {
        let views = Views::new(&table).map_err(|error| StudioError::Study(error.to_string()))?;
        Ok(Self { table, views, book: book.map(Mutex::new), guard })
    }

    fn book(&self) -> Option<std::sync::MutexGuard<'_, AnswerBook>> {
        self.book.as_ref().map(|book| book.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// All addresses.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/report", get(structure::report))
        .route("/api/pair", get(structure::pair))
        .route("/api/source/{source}", get(source::source))
        .route("/api/items", get(items::list))
        .route("/api/item/{item}", get(items::one))
        .route("/api/compare", get(compare::compare))
        .route("/api/label", get(label::state).post(label::answer))
        .route("/api/label/skip", post(label::skip))
        .route("/api/label/undo", post(label::undo))
        .route("/api/export/{file}", get(export::file))
        .fallback(files)
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard::check))
        .with_state(shared)
}

async fn files(request: Request) -> Response {
    match page::serve(request.uri().path(), request.headers()) {
        Some(response) => response,
        None => (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain")], "There is nothing here.")
            .into_response(),
    }
}

/// Which view a request is about: pairs of sources as `0-3,1-2`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ViewQuery {
    share: Option<f64>,
    accept: String,
    forbid: String,
}

impl ViewQuery {
    fn choice(&self) -> Result<Choice, RequestError> {
        Ok(Choice {
            least_share: self.share.unwrap_or(0.0),
            accepted: pairs(&self.accept)?,
            forbidden: pairs(&self.forbid)?,
        })
    }
}

/// The most pairs that a choice may name.
const MOST_PAIRS: usize = 200;

fn pairs(text: &str) -> Result<Vec<[usize; 2]>, RequestError> {
    let wrong = || RequestError::Wrong("write pairs of sources as 0-3,1-2".to_string());
    let pair = |text: &str| -> Option<[usize; 2]> {
        let (a, b) = text.split_once('-')?;
        Some([a.parse().ok()?, b.parse().ok()?])
    };
    let list = text.split(',').filter(|pair| !pair.is_empty());
    let found: Vec<[usize; 2]> = list.map(|text| pair(text).ok_or_else(wrong)).collect::<Result<_, _>>()?;
    if found.len() > MOST_PAIRS {
        return Err(RequestError::Wrong(format!("name at most {MOST_PAIRS} pairs")));
    }
    Ok(found)
}

/// Does `work` on a view, away from the threads that listen.
async fn on_view<T: Send + 'static>(
    State(shared): State<Arc<Shared>>,
    query: ViewQuery,
    work: impl FnOnce(&Shared, &View) -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    let choice = query.choice()?;
    let task = tokio::task::spawn_blocking(move || {
        let view = shared.views.of(&shared.table, &choice)?;
        work(&shared, &view)
    });
    task.await.map_err(|_| RequestError::Interrupted)?
}
