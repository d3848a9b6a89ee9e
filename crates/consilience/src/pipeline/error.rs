//! Errors of the pipeline.

use crate::labels::InferError;
use crate::model::FitError;
use crate::structure::{ExactError, SgdError};

/// An error in a step from votes to labels.
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
