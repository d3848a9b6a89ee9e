//! What each address answers.

mod compare;
#[cfg(feature = "edit")]
mod edit;
#[cfg(not(feature = "edit"))]
#[path = "edit_left_out.rs"]
mod edit;
mod export;
mod items;
mod label;
mod source;
mod structure;

use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread::available_parallelism;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use consilience::findings::Choice;
use consilience::votes::BitsBySource;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::StudioError;
use crate::answers::AnswerBook;
use crate::bits::Bits;
use crate::edit::Desk;
use crate::error::RequestError;
use crate::guard::{self, Guard};
use crate::page;
use crate::search::Search;
use crate::table::Table;
use crate::views::{View, Views};
pub(crate) use label::Certified;

/// The largest request that is read.
const LARGEST_REQUEST: usize = 1 << 16;

/// What all requests share.
pub(crate) struct Shared {
    /// What is shown. A request keeps the scene that it began with.
    scene: RwLock<Arc<Scene>>,
    pub(crate) desk: Option<Desk>,
    pub(crate) guard: Guard,
    /// Requests that are worked on. The others wait: each may take some megabytes, and more at a time would not be faster.
    working: Semaphore,
}

/// The table that is shown, and all that was made of it; another one takes its place when sources are saved.
pub(crate) struct Scene {
    pub(crate) table: Table,
    pub(crate) views: Views,
    pub(crate) search: Arc<Search>,
    /// Votes by source; nothing where rows are so short that they are as quick to read.
    pub(crate) columns: Option<BitsBySource>,
    /// Items with votes for different classes; made when first asked for.
    in_conflict: OnceLock<Bits>,
    pub(crate) book: Option<Arc<Mutex<AnswerBook>>>,
}

impl Shared {
    pub(crate) fn new(
        table: Table,
        book: Option<AnswerBook>,
        desk: Option<Desk>,
        guard: Guard,
    ) -> Result<Self, StudioError> {
        let views = Views::new(&table).map_err(|error| StudioError::Study(error.to_string()))?;
        let search = Arc::new(Search::new(&table));
        let book = book.map(|book| Arc::new(Mutex::new(book)));
        let scene = RwLock::new(Arc::new(Scene::new(table, views, search, book)));
        let working = Semaphore::new(2 * available_parallelism().map_or(1, usize::from));
        Ok(Self { scene, desk, guard, working })
    }

    pub(crate) fn scene(&self) -> Arc<Scene> {
        Arc::clone(&self.scene.read().unwrap_or_else(PoisonError::into_inner))
    }

    #[cfg(feature = "edit")]
    pub(crate) fn show(&self, scene: Scene) {
        *self.scene.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(scene);
    }
}

impl Scene {
    pub(crate) fn new(
        table: Table,
        views: Views,
        search: Arc<Search>,
        book: Option<Arc<Mutex<AnswerBook>>>,
    ) -> Self {
        let columns = BitsBySource::new(&table.votes);
        Self { table, views, search, columns, in_conflict: OnceLock::new(), book }
    }

    /// The items with votes for different classes.
    pub(crate) fn in_conflict(&self) -> &Bits {
        self.in_conflict.get_or_init(|| {
            let votes = &self.table.votes;
            let in_conflict = |p: usize| {
                let mut row = votes.patterns().row(p).map(|(_, vote)| vote);
                row.next().is_some_and(|first| row.any(|vote| vote != first))
            };
            let patterns: Vec<bool> = (0..votes.patterns().len()).into_par_iter().map(in_conflict).collect();
            let pattern = votes.item_pattern();
            Bits::of(votes.items(), |i| patterns[pattern[i] as usize])
        })
    }

    fn book(&self) -> Option<std::sync::MutexGuard<'_, AnswerBook>> {
        self.book.as_ref().map(|book| book.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// All addresses.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/studio", get(about))
        .merge(edit::routes())
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

/// Which screens there are.
#[derive(Serialize)]
struct About {
    edit: bool,
}

async fn about(State(shared): State<Arc<Shared>>) -> Json<About> {
    Json(About { edit: shared.desk.is_some() })
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

/// Does `work` that looks at all items, away from the threads that listen; few at a time.
async fn on_view<T: Send + 'static>(
    State(shared): State<Arc<Shared>>,
    query: ViewQuery,
    work: impl FnOnce(&Arc<Scene>, &Arc<View>) -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    let (scene, view) = view(&shared, &query).await?;
    let _turn = shared.working.acquire().await.map_err(|_| RequestError::Interrupted)?;
    blocking(move || work(&scene, &view)).await
}

/// Does `work` that takes little time and memory, so that it waits for no other.
async fn at_once<T: Send + 'static>(
    State(shared): State<Arc<Shared>>,
    query: ViewQuery,
    work: impl FnOnce(&Scene, &View) -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    let (scene, view) = view(&shared, &query).await?;
    blocking(move || work(&scene, &view)).await
}

/// What is shown, and the view that `query` asks for.
async fn view(shared: &Shared, query: &ViewQuery) -> Result<(Arc<Scene>, Arc<View>), RequestError> {
    let choice = query.choice()?;
    let scene = shared.scene();
    if let Some(view) = scene.views.ready(&choice) {
        return Ok((scene, view));
    }
    // Fits wait for each other, not for those who read.
    let shown = Arc::clone(&scene);
    let view = blocking(move || shown.views.of(&shown.table, &choice)).await?;
    Ok((scene, view))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| RequestError::Interrupted)?
}
