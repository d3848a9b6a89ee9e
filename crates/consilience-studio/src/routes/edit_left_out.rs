//! Without the query engine there are no sources to edit.

use std::sync::Arc;

use axum::Router;

use super::Shared;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
}
