//! Responses to invalid requests.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use consilience::findings::{ChoiceError, ReportError, StudyError};
use consilience::labels::ExplainError;

use crate::answers::AnswerBookError;

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// The request is wrong.
    #[error("{0}")]
    Wrong(String),
    /// The models cannot be fitted.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// There is no report.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// There is no explanation.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// The choice of repetitions is none.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The answer cannot be kept.
    #[error(transparent)]
    Answers(#[from] AnswerBookError),
    /// The sources cannot be edited.
    #[cfg(feature = "edit")]
    #[error(transparent)]
    Edit(#[from] crate::edit::EditError),
    /// The work did not end.
    #[error("the work was interrupted; try again")]
    Interrupted,
}

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Answers(error) if error.is_server() => StatusCode::INTERNAL_SERVER_ERROR,
            #[cfg(feature = "edit")]
            Self::Edit(error) => error.status(),
            Self::Interrupted => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        (status, Json(serde_json::json!({ "error": self.to_string() }))).into_response()
    }
}
