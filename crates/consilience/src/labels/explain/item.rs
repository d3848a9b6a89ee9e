//! Why an item has its label.

use serde::Serialize;

use super::source::explain_sources;
use super::{ExplainError, best};
use crate::labels::infer::Matching;
use crate::labels::row_posterior::RowPosterior;
use crate::model::Fitted;
use crate::sources::Vote;
use crate::votes::Votes;

/// Why an item has its label.
///
/// ```
/// use consilience::pipeline::{Votes, explain_item, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let why = explain_item(&label(&votes)?.model, &votes, 0)?;
/// assert_eq!((why.label.as_str(), why.against.as_str()), ("spam", "ham"));
/// let odds = why.probabilities[1] / why.probabilities[0]; // of spam against ham
/// assert!((why.log_odds - odds.ln()).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemExplanation {
    /// The class with the highest probability.
    pub label: String,
    /// The class with the second highest probability; all log odds compare the label with it.
    pub against: String,
    /// The probability of each class, in order.
    pub probabilities: Vec<f64>,
    /// log( p(label) / p(against) ) from the votes alone, before answers correct it.
    pub log_odds: f64,
    /// The same for an item without votes.
    pub prior: f64,
    /// The contribution of each vote given the others, largest first. Agreeing votes overlap, so the sum of these is less than
    /// the contribution of all votes together.
    pub contributions: Vec<Contribution>,
    /// What answers changed, if any have corrected the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<AnswersExplanation>,
}

/// What answers changed on an item.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswersExplanation {
    /// How many answers corrected the model.
    pub answers: usize,
    /// The probability of each class without them.
    pub probabilities_before: Vec<f64>,
    /// log( p(label) / p(against) ) without them.
    pub log_odds_before: f64,
    /// What that was multiplied by.
    pub slope: f64,
    /// What the class shares of the answers add.
    pub shares: f64,
    /// What they add to single votes, all together.
    pub votes: f64,
    /// log( p(label) / p(against) ) with all of that: `slope * log_odds_before + shares + votes`.
    pub log_odds: f64,
}

/// The contribution of one vote to the log odds of an item's label: with the vote, minus without it.
///
/// ```
/// use consilience::pipeline::{Votes, explain_item, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let why = explain_item(&label(&votes)?.model, &votes, 0)?;
/// let first = &why.contributions[0];
/// println!("without {}, it would be {} ({:.2})", first.source, first.label_without, first.probability_without);
/// assert_eq!(first.vote, "spam");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contribution {
    /// The source.
    pub source: String,
    /// Its vote.
    pub vote: String,
    /// What it adds.
    pub log_odds: f64,
    /// What answers add to that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<f64>,
    /// The share of its own contribution that is discounted because other sources repeat it; 0 if it depends on no other source.
    pub discount: f64,
    /// The label without this vote.
    pub label_without: String,
    /// The probability that the item's label would have without this vote.
    pub probability_without: f64,
}

/// Explains why item `i` of `votes` has its label.
///
/// ```
/// use consilience::pipeline::{Votes, explain_item, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let why = explain_item(&label(&votes)?.model, &votes, 0)?;
/// assert_eq!((why.label.as_str(), why.against.as_str()), ("spam", "ham"));
/// assert_eq!(why.contributions.len(), 3); // one per vote, the largest first
/// assert!(why.contributions[0].log_odds > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_item(fitted: &Fitted, votes: &Votes, i: usize) -> Result<ItemExplanation, ExplainError> {
    if i >= votes.items() {
        return Err(ExplainError::NoSuchItem { row: i, items: votes.items() });
    }
    let matching = Matching::new(fitted, votes)?;
    let sources = explain_sources(fitted, votes, &matching, None);
    let row = matching.row(votes, votes.item_pattern()[i] as usize);
    let posterior = RowPosterior::new(fitted);
    let classes = fitted.model.classes();
    let correction = fitted.correction.as_ref();
    let probabilities = posterior.corrected(&row);
    let label = best(&probabilities, None);
    let against = best(&probabilities, Some(label));
    let vote = |class: usize| class as Vote + 1;
    let odds = |row: &[(usize, Vote)]| {
        let p = posterior.uncorrected(row);
        (p[label] / p[against]).ln()
    };
    let log_odds = odds(&row);
    let contribution = |at: usize| {
        let (j, cast) = row[at];
        let without: Vec<(usize, Vote)> = row.iter().copied().filter(|&(l, _)| l != j).collect();
        let p = posterior.corrected(&without);
        Contribution {
            source: fitted.model.sources().name(j).to_string(),
            vote: classes.name(cast).to_string(),
            log_odds: log_odds - odds(&without),
            answers: correction.map(|correction| {
                correction.shift(j, cast).map_or(0.0, |scores| scores[label] - scores[against])
            }),
            discount: sources[j].discount,
            label_without: classes.name(vote(best(&p, None))).to_string(),
            probability_without: p[label],
        }
    };
    let mut contributions: Vec<Contribution> = (0..row.len()).map(contribution).collect();
    let prior = odds(&[]);
    let answers = correction.map(|correction| {
        let before = posterior.uncorrected(&row);
        let log_odds_before = (before[label] / before[against]).ln();
        let votes = contributions.iter().filter_map(|contribution| contribution.answers).sum::<f64>();
        let log_odds = (probabilities[label] / probabilities[against]).ln();
        AnswersExplanation {
            answers: correction.answers,
            log_odds_before,
            slope: correction.slope,
            shares: log_odds - correction.slope * log_odds_before - votes,
            votes,
            log_odds,
            probabilities_before: before,
        }
    });
    contributions
        .sort_by(|a, b| b.log_odds.abs().total_cmp(&a.log_odds.abs()).then_with(|| a.source.cmp(&b.source)));
    Ok(ItemExplanation {
        label: classes.name(vote(label)).to_string(),
        against: classes.name(vote(against)).to_string(),
        probabilities,
        log_odds,
        prior,
        contributions,
        answers,
    })
}
