//! Explanations: why an item has its label, how much each source contributes, and what would change without it.
//!
//! | file | does |
//! |---|---|
//! | `common_items.rs` | whether enough other sources vote on a source's items to measure its accuracy |
//! | `evidence.rs` | sums over the votes of each source, in one pass over the table |
//! | `source.rs` | from these sums to how much each source contributes |
//! | `item.rs` | why an item has its label |
//! | `panel.rs` | how informative all sources are together |

mod common_items;
mod evidence;
mod item;
mod panel;
mod source;

pub use item::{AnswersExplanation, Contribution, ItemExplanation, explain_item};
pub(crate) use panel::explain_labelled_panel;
pub use panel::{PanelExplanation, explain_panel};
pub use source::{Joined, JoinedKind, SourceExplanation, explain_source};

use super::infer::InferError;
use crate::model::SimulateError;

/// Why there is no explanation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The model does not fit the votes.
    #[error(transparent)]
    Infer(#[from] InferError),
    /// Nothing can be drawn from the model.
    #[error(transparent)]
    Simulate(#[from] SimulateError),
    /// No such item.
    #[error("there is no row {row}; the {items} items are numbered from 0")]
    NoSuchItem {
        /// The item asked for.
        row: usize,
        /// How many there are.
        items: usize,
    },
    /// No such source.
    #[error("there is no source \"{0}\" in the model")]
    NoSuchSource(String),
}

/// The class with the highest number, other than `but`.
pub(super) fn best(p: &[f64], but: Option<usize>) -> usize {
    (0..p.len())
        .filter(|&c| Some(c) != but)
        .fold(usize::from(but == Some(0)), |best, c| if p[c] > p[best] { c } else { best })
}
