//! Why a step fails.

use crate::labels::InferError;
use crate::model::FitError;
use crate::structure::{ExactError, SgdError};

/// Why a step from votes to labels fails.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The exact method cannot learn.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// Algorithm 1 cannot run.
    #[error(transparent)]
    Sgd(#[from] SgdError),
    /// Nothing can be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The model cannot label these votes.
    #[error(transparent)]
    Infer(#[from] InferError),
}
