//! Two models next to each other.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use consilience::findings::Flips;
use serde::Deserialize;

use super::{Shared, ViewQuery, on_view};
use crate::error::RequestError;

#[derive(Deserialize)]
pub(super) struct CompareQuery {
    with: String,
}

/// The labels of the view's model against those of another one.
pub(super) async fn compare(
    shared: State<Arc<Shared>>,
    Query(view): Query<ViewQuery>,
    Query(query): Query<CompareQuery>,
) -> Result<Json<Flips>, RequestError> {
    let flips = on_view(shared, view, move |scene, view| view.flips(scene.views.first(), &query.with));
    flips.await.map(Json)
}
