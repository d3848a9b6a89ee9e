//! Where the model and the one of independent sources disagree.

use consilience::labels::Disagreement;

use crate::terminal::{counted, thousands};

/// What to say if there are many items that both models label differently.
pub(super) fn line(disagreement: &Disagreement<String>) -> Option<String> {
    if !disagreement.is_large() {
        return None;
    }
    let named: Vec<&str> = disagreement.surest().map(String::as_str).collect();
    let more = if disagreement.differ() > named.len() as u64 { ", ..." } else { "" };
    Some(format!(
        "independent sources would label {} of {} differently (items {}{more}); look at some of them, or compare with --independent",
        thousands(disagreement.differ()),
        counted(disagreement.voted(), "item", "items"),
        named.join(", ")
    ))
}
