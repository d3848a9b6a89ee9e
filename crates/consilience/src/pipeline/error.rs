//! Errors of the pipeline.

use crate::labels::InferError;
use crate::model::FitError;
use crate::structure::{ExactError, SgdError};

/// An error in a step from votes to labels.
///
/// ```
/// use consilience::pipeline::{LearnOptions, PipelineError, Votes, learn};
///
/// let votes = Votes::from_text(&["alone"], [["yes"], ["no"]])?;
/// let error = learn(&votes, &LearnOptions::default()).unwrap_err();
/// assert!(matches!(error, PipelineError::Exact(_)));
/// assert!(error.to_string().contains("at least two such sources"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The exact method cannot learn.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// Algorithm 1 cannot run.
    #[error(transparent)]
    Sgd(#[from] SgdError),
    /// A path was requested with a method that has none.
    #[error("only the exact method has a path of structures; use the exact method, or learn without a path")]
    NoPath,
    /// Nothing can be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The model cannot label these votes.
    #[error(transparent)]
    Infer(#[from] InferError),
}
