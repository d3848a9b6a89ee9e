//! The report of a view, and pairs of sources.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use consilience::findings::PairTable;
use serde::{Deserialize, Serialize};

use super::items::{ItemRow, row};
use super::{Shared, ViewQuery, on_view, view};
use crate::error::RequestError;

pub(super) async fn report(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<ViewQuery>,
) -> Result<Response, RequestError> {
    let (_, view) = view(&shared, &query).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], view.json.clone()).into_response())
}

#[derive(Deserialize)]
pub(super) struct PairQuery {
    a: usize,
    b: usize,
}

#[derive(Serialize)]
pub(super) struct PairAnswer {
    #[serde(flatten)]
    table: PairTable,
    alike_items: Vec<ItemRow>,
    apart_items: Vec<ItemRow>,
}

/// Items of each kind that are shown.
const EXAMPLES: usize = 4;

pub(super) async fn pair(
    shared: State<Arc<Shared>>,
    Query(view): Query<ViewQuery>,
    Query(pair): Query<PairQuery>,
) -> Result<Json<PairAnswer>, RequestError> {
    let answer = on_view(shared, view, move |scene, view| {
        let n = scene.table.votes.sources().len();
        if pair.a >= n || pair.b >= n || pair.a == pair.b {
            return Err(RequestError::NotFound("there is no such pair of sources".to_string()));
        }
        let votes = &scene.table.votes;
        let table = match &scene.columns {
            Some(columns) => PairTable::of_bits(columns, votes.classes().len(), pair.a, pair.b, EXAMPLES),
            None => PairTable::new(votes, pair.a, pair.b, EXAMPLES),
        };
        let rows = |list: &[usize]| list.iter().map(|&i| row(scene, view, i)).collect();
        let (alike_items, apart_items) = (rows(&table.alike), rows(&table.apart));
        Ok(PairAnswer { table, alike_items, apart_items })
    });
    answer.await.map(Json)
}
