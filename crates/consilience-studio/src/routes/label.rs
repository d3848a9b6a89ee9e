//! Labelling: one item after the other, without its votes.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::{Query, State};
use consilience::certificate::Certificate;
use consilience::findings::running_accuracy;
use consilience::interval::Interval;
use consilience::sources::Vote;
use serde::{Deserialize, Serialize};

use super::{Scene, Shared, ViewQuery, at_once};
use crate::answers::AnswerBook;
use crate::error::RequestError;
use crate::views::View;

/// Where labelling is.
#[derive(Serialize)]
pub(super) struct LabelState {
    /// Whether answers can be kept: if a file was named.
    enabled: bool,
    answered: usize,
    skipped: usize,
    can_undo: bool,
    /// The next item: nothing but its name and its text, so that votes do not sway the answer.
    next: Option<Asked>,
    certificate: Option<Certificate>,
    /// The share of right labels after each answer.
    curve: Vec<Option<Interval>>,
}

#[derive(Serialize)]
struct Asked {
    item: usize,
    name: String,
    cells: Vec<(String, String)>,
}

pub(super) async fn state(
    shared: State<Arc<Shared>>,
    Query(view): Query<ViewQuery>,
) -> Result<Json<LabelState>, RequestError> {
    at_once(shared, view, current).await.map(Json)
}

fn current(scene: &Scene, view: &View) -> Result<LabelState, RequestError> {
    let Some(book) = scene.book() else {
        return Ok(LabelState {
            enabled: false,
            answered: 0,
            skipped: 0,
            can_undo: false,
            next: None,
            certificate: None,
            curve: Vec::new(),
        });
    };
    let Certified { certificate, curve, .. } = certified(scene, view, &book)?;
    let asked = |item: usize| Asked {
        item,
        name: scene.table.items.name(item).into_owned(),
        cells: scene
            .table
            .text(item)
            .into_iter()
            .map(|(name, text)| (name.to_string(), text.to_string()))
            .collect(),
    };
    Ok(LabelState {
        enabled: true,
        answered: book.given().len(),
        skipped: book.skipped(),
        can_undo: book.can_undo(),
        next: book.next().map(asked),
        certificate,
        curve,
    })
}

/// What some answers certify.
#[derive(Clone, Default)]
pub(crate) struct Certified {
    given: Vec<(usize, Vote)>,
    certificate: Option<Certificate>,
    curve: Vec<Option<Interval>>,
}

/// What the answers of `book` certify of the labels of `view`; it is kept, since many may ask between two answers.
fn certified(scene: &Scene, view: &View, book: &AnswerBook) -> Result<Certified, RequestError> {
    let mut kept = view.certified.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.given != book.given() {
        let answers = book.answers().filter(|answers| !answers.is_empty());
        *kept = Certified {
            certificate: answers.map(|answers| scene.views.certify(view, &answers)).transpose()?,
            curve: running_accuracy(&view.study.labels, book.given()),
            given: book.given().to_vec(),
        };
    }
    Ok(kept.clone())
}

#[derive(Deserialize)]
pub(super) struct Answer {
    item: usize,
    /// The class, counted from 1.
    class: Vote,
}

#[derive(Deserialize)]
pub(super) struct Skip {
    item: usize,
}

pub(super) async fn answer(
    shared: State<Arc<Shared>>,
    Query(view): Query<ViewQuery>,
    Json(answer): Json<Answer>,
) -> Result<Json<LabelState>, RequestError> {
    change(shared, view, move |scene| {
        let mut book = scene.book().ok_or_else(no_file)?;
        Ok(book.answer(answer.item, answer.class, &scene.table.items)?)
    })
    .await
}

pub(super) async fn skip(
    shared: State<Arc<Shared>>,
    Query(view): Query<ViewQuery>,
    Json(skip): Json<Skip>,
) -> Result<Json<LabelState>, RequestError> {
    change(shared, view, move |scene| Ok(scene.book().ok_or_else(no_file)?.skip(skip.item)?)).await
}

pub(super) async fn undo(
    shared: State<Arc<Shared>>,
    Query(view): Query<ViewQuery>,
) -> Result<Json<LabelState>, RequestError> {
    change(shared, view, |scene| Ok(scene.book().ok_or_else(no_file)?.undo()?)).await
}

async fn change(
    shared: State<Arc<Shared>>,
    view: ViewQuery,
    work: impl FnOnce(&Scene) -> Result<(), RequestError> + Send + 'static,
) -> Result<Json<LabelState>, RequestError> {
    let state = at_once(shared, view, move |scene, view| {
        work(scene)?;
        current(scene, view)
    });
    state.await.map(Json)
}

fn no_file() -> RequestError {
    RequestError::Wrong("start the studio with --answers FILE to keep answers".to_string())
}
