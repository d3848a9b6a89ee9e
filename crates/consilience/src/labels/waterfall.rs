//! How the votes on an item add up to its label.

use serde::Serialize;

use super::explain::{ExplainError, best};
use super::infer::Matching;
use super::row_posterior::RowPosterior;
use crate::model::Fitted;
use crate::sources::Vote;
use crate::votes::Votes;

/// How the votes on an item add up to its label, one at a time.
///
/// # Formula
/// ```text
/// log_odds = prior + Σ_t steps_t + answers
/// steps_t = L(first t votes) - L(first t - 1 votes),   L = log( p(label) / p(against) )
/// ```
/// Votes are added in order of their individual strength, strongest first. A vote that repeats earlier ones adds little,
/// whichever of them comes first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waterfall {
    /// The number of the class with the highest probability, counted from 0.
    pub label: usize,
    /// The class with the second highest probability; all log odds compare the label with it.
    pub against: usize,
    /// The probability of each class.
    pub probabilities: Vec<f64>,
    /// log( p(label) / p(against) ) if nobody votes.
    pub prior: f64,
    /// What each vote adds.
    pub steps: Vec<Step>,
    /// What answers change, if some have corrected the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<f64>,
    /// log( p(label) / p(against) ) with all of that.
    pub log_odds: f64,
}

/// What one vote adds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The number of the source among those of the votes.
    pub source: usize,
    /// The class it votes for, counted from 0.
    pub vote: usize,
    /// What the vote adds to the log odds of the label.
    pub adds: f64,
    /// The log odds with it and all before it.
    pub total: f64,
    /// The probability of each class if this source had not voted.
    pub without: Vec<f64>,
}

/// Adds up the votes on item `i` of `votes`.
///
/// ```
/// use consilience::labels::waterfall;
/// use consilience::pipeline::{Votes, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let sum = waterfall(&label(&votes)?.model, &votes, 0)?;
/// let added: f64 = sum.steps.iter().map(|step| step.adds).sum();
/// assert!((sum.prior + added - sum.log_odds).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn waterfall(fitted: &Fitted, votes: &Votes, i: usize) -> Result<Waterfall, ExplainError> {
    if i >= votes.items() {
        return Err(ExplainError::NoSuchItem { row: i, items: votes.items() });
    }
    let matching = Matching::new(fitted, votes)?;
    let pattern = votes.item_pattern()[i] as usize;
    let row = matching.row(votes, pattern);
    let posterior = RowPosterior::new(fitted);
    let probabilities = posterior.corrected(&row);
    let label = best(&probabilities, None);
    let against = best(&probabilities, Some(label));
    // Rows are sorted by source before they are scored: the order of votes says nothing.
    let odds = |row: &[(usize, Vote)]| {
        let mut row = row.to_vec();
        row.sort_unstable();
        let p = posterior.uncorrected(&row);
        (p[label] / p[against]).ln()
    };
    let prior = odds(&[]);
    let mut order: Vec<(f64, (usize, Vote))> =
        row.iter().map(|&vote| ((odds(&[vote]) - prior).abs(), vote)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let order: Vec<(usize, Vote)> = order.into_iter().map(|(_, vote)| vote).collect();
    // Sources of the model by their number in the votes.
    let mut ours = vec![usize::MAX; fitted.model.sources().len()];
    matching.sources.iter().enumerate().for_each(|(source, &of_model)| ours[of_model] = source);
    let mut before = prior;
    let step = |place: usize| {
        let total = odds(&order[..=place]);
        let (source, vote) = order[place];
        let others: Vec<(usize, Vote)> = row.iter().copied().filter(|&(l, _)| l != source).collect();
        let adds = total - std::mem::replace(&mut before, total);
        Step {
            source: ours[source],
            vote: usize::from(vote) - 1,
            adds,
            total,
            without: posterior.corrected(&others),
        }
    };
    let steps: Vec<Step> = (0..order.len()).map(step).collect();
    let log_odds = (probabilities[label] / probabilities[against]).ln();
    let answers = fitted.correction.as_ref().map(|_| log_odds - odds(&row));
    Ok(Waterfall { label, against, probabilities, prior, steps, answers, log_odds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CellLimit, Dependence, FitOptions, Links, Planted, fit, simulate};

    #[test]
    fn votes_add_up_to_the_label_and_leaving_one_out_is_the_label_without_it() {
        let planted = Planted { links: Links::Pairs(2), ..Planted::new(6).unwrap() };
        let votes = simulate(&planted.model().unwrap(), 600, 3, CellLimit::default(), |_| {}).unwrap().votes;
        let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
        let labels = crate::labels::infer(&fitted, &votes).unwrap();
        for i in (0..600).step_by(37) {
            let fall = waterfall(&fitted, &votes, i).unwrap();
            let sum = fall.prior + fall.steps.iter().map(|step| step.adds).sum::<f64>();
            assert!((sum - fall.log_odds).abs() < 1e-9, "{sum} is not {}", fall.log_odds);
            assert_eq!(fall.steps.len(), votes.row_of_item(i).count());
            for (p, q) in fall.probabilities.iter().zip(labels.item(i)) {
                assert!((p - q).abs() < 1e-9);
            }
            // An independent road: the explanation of the same item.
            let explained = super::super::explain_item(&fitted, &votes, i).unwrap();
            for step in &fall.steps {
                let name = votes.sources().name(step.source);
                let other = explained.contributions.iter().find(|other| other.source == name).unwrap();
                assert!((step.without[fall.label] - other.probability_without).abs() < 1e-12);
            }
        }
    }
}
