//! How informative a panel of sources is.

use serde::Serialize;

use super::ExplainError;
use super::source::{SourceExplanation, explain_sources};
use crate::labels::Labels;
use crate::labels::effective::effective_votes;
use crate::labels::infer::Matching;
use crate::model::Fitted;
use crate::votes::Votes;

/// How informative a panel of sources is.
///
/// ```
/// use consilience::pipeline::{Votes, explain_panel, label};
///
/// let rows = [["1", "1", "0"], ["0", "0", "0"], ["1", "1", "1"], ["0", "0", "1"]].repeat(50);
/// let votes = Votes::from_text(&["a", "a_copy", "b"], rows)?;
/// let panel = explain_panel(&label(&votes)?.model, &votes)?;
/// assert_eq!((panel.voting, panel.votes_per_item), (3, 3.0));
/// assert!(panel.effective_votes < 2.5); // the copy adds nothing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PanelExplanation {
    /// Sources that vote at all.
    pub voting: usize,
    /// The number of independent sources that would be equally informative.
    pub effective_votes: f64,
    /// The mean number of votes per item.
    pub votes_per_item: f64,
    /// The share of variation between items that is due to difficulty (see [`crate::model::Impression`]); 0 if all items are
    /// alike or the model has no difficulty.
    pub difficulty: f64,
    /// All sources.
    pub sources: Vec<SourceExplanation>,
}

/// Explains how informative the panel and each of its sources is on `votes`.
///
/// ```
/// use consilience::pipeline::{Votes, explain_panel, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let panel = explain_panel(&label(&votes)?.model, &votes)?;
/// assert_eq!((panel.voting, panel.sources.len()), (3, 3));
/// assert!(panel.effective_votes <= 3.0 + 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_panel(fitted: &Fitted, votes: &Votes) -> Result<PanelExplanation, ExplainError> {
    panel(fitted, votes, None)
}

/// Like [`explain_panel`], with the labels that the model infers before answers correct it, if they are known already.
pub(crate) fn explain_labelled_panel(
    fitted: &Fitted,
    votes: &Votes,
    labels: &Labels,
) -> Result<PanelExplanation, ExplainError> {
    panel(fitted, votes, Some(labels))
}

fn panel(fitted: &Fitted, votes: &Votes, labels: Option<&Labels>) -> Result<PanelExplanation, ExplainError> {
    let matching = Matching::new(fitted, votes)?;
    let sources = explain_sources(fitted, votes, &matching, labels);
    let cast: u64 = sources.iter().map(|source| source.votes).sum();
    Ok(PanelExplanation {
        voting: sources.iter().filter(|source| source.votes > 0).count(),
        effective_votes: effective_votes(fitted)?,
        votes_per_item: cast as f64 / votes.items() as f64,
        difficulty: fitted.impression.as_ref().map_or(0.0, |impression| 1.0 - impression.clarity()),
        sources,
    })
}
