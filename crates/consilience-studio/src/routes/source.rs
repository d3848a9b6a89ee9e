//! One source: the items on which the label is surest against its vote.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Serialize;

use super::items::{ItemRow, row};
use super::{Shared, ViewQuery, on_view};
use crate::error::RequestError;
use crate::items::{self, find};

#[derive(Serialize)]
pub(super) struct SourceAnswer {
    /// Items whose label is not the source's vote.
    against: usize,
    /// The surest of them.
    disputed: Vec<ItemRow>,
}

/// Disputed items that are shown.
const MOST: usize = 10;

pub(super) async fn source(
    shared: State<Arc<Shared>>,
    Path(source): Path<usize>,
    Query(view): Query<ViewQuery>,
) -> Result<Json<SourceAnswer>, RequestError> {
    let answer = on_view(shared, view, move |scene, view| {
        let query = items::Query {
            source: Some(source),
            against: true,
            sort: "sure".to_string(),
            ..items::Query::default()
        };
        let found = find(scene, view, &query)?;
        let disputed = found.items.iter().take(MOST).map(|&i| row(scene, view, i)).collect();
        Ok(SourceAnswer { against: found.total, disputed })
    });
    answer.await.map(Json)
}
