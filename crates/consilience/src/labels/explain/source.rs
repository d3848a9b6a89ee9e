//! How much each source contributes.

use serde::Serialize;

use super::ExplainError;
use super::evidence::Evidence;
use crate::dependency::{DependencyType as _, Factor};
use crate::interval::Z_95;
use crate::labels::Labels;
use crate::labels::infer::Matching;
use crate::model::Fitted;
use crate::num::log_odds;
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// How much a source contributes.
///
/// ```
/// use consilience::pipeline::{Votes, explain_source, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let money = explain_source(&label(&votes)?.model, &votes, "money")?;
/// assert_eq!((money.source.as_str(), money.votes, money.coverage), ("money", 75, 0.75));
/// assert!(money.accuracy.is_some_and(|accuracy| accuracy > 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceExplanation {
    /// The source.
    pub source: String,
    /// How many items it votes on.
    pub votes: u64,
    /// Their share.
    pub coverage: f64,
    /// The expected share of correct votes; `None` if it never votes.
    pub accuracy: Option<f64>,
    /// The 95% interval of the accuracy: it covers the sampling of items and uncertainty about their classes, with the weights
    /// held fixed. `None` if fewer than two other sources vote on the same items: the accuracy is then assumed, not measured.
    pub interval: Option<[f64; 2]>,
    /// The log odds that one vote adds for its class against the others, for an item of typical clarity.
    pub weight: f64,
    /// The log odds that its accuracy alone implies.
    pub alone: f64,
    /// The share that is discounted because other sources repeat it; 0 if it depends on no other source.
    pub discount: f64,
    /// The mean contribution of its vote given the others, over the items it votes on (over a sample if there are many).
    pub effective_weight: f64,
    /// The mean correction by answers over its votes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<f64>,
    /// The dependencies it is part of.
    pub dependencies: Vec<Joined>,
    /// Exact copies of it.
    pub copies: Vec<String>,
}

/// A dependency of a source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Joined {
    /// What joins the sources.
    #[serde(rename = "type")]
    pub kind: JoinedKind,
    /// The other sources.
    pub with: Vec<String>,
    /// Its weight; for [`JoinedKind::Repeats`], the share of this source's votes.
    pub weight: f64,
}

/// What joins a source to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinedKind {
    /// It repeats votes of the other source, which count once.
    Repeats,
    /// A dependency with its own weight, of the type with this name.
    Dependency(&'static str),
}

impl JoinedKind {
    /// Its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Repeats => "repeats",
            Self::Dependency(name) => name,
        }
    }
}

impl Serialize for JoinedKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Explains how much the source called `name` contributes to the labels of `votes`.
///
/// ```
/// use consilience::pipeline::{Votes, explain_source, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let model = label(&votes)?.model;
/// let judge = explain_source(&model, &votes, "judge")?;
/// assert_eq!((judge.votes, judge.coverage), (100, 1.0));
/// assert!(explain_source(&model, &votes, "nobody").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_source(fitted: &Fitted, votes: &Votes, name: &str) -> Result<SourceExplanation, ExplainError> {
    let matching = Matching::new(fitted, votes)?;
    let j = fitted.model.sources().position(name);
    let j = j.ok_or_else(|| ExplainError::NoSuchSource(name.to_string()))?;
    Ok(explain_sources(fitted, votes, &matching, None).swap_remove(j))
}

/// How much every source of the model contributes.
///
/// # Formula
/// ```text
/// accuracy_j = Σ_u c_u q_u(λ_uj) / n_j,   q_u: the label before answers correct it
/// variance of accuracy_j = accuracy_j (1 - accuracy_j) / n_j + Σ_u c_u q_u(λ_uj) (1 - q_u(λ_uj)) / n_j²
/// interval: accuracy_j ± 1.96 standard deviations, on the scale of log odds
/// discount_j = 1 - δ_j if repeated votes count once;   with dependencies between sources 1 - weight_j / alone_j, 0 to 1
/// alone_j = log( accuracy_j (k-1) / (1 - accuracy_j) )
/// ```
///
/// q comes from `labels` if they are known.
pub(super) fn explain_sources(
    fitted: &Fitted,
    votes: &Votes,
    matching: &Matching,
    labels: Option<&Labels>,
) -> Vec<SourceExplanation> {
    let model = &fitted.model;
    let (n, k) = (model.sources().len(), model.classes().len());
    let Evidence { cast, right, doubt, beyond_others, taught, common_items } =
        Evidence::of(fitted, votes, matching, labels);
    let mut added = vec![0.0; n];
    let usual = fitted.impression.as_ref().map_or(1.0, |impression| impression.level);
    // What a vote adds on its own: the mean over the classes the source votes for, weighted by how often it does.
    for (j, domain) in model.domains().iter().enumerate() {
        let classes = domain.classes();
        let of_class = |&vote: &Vote| {
            let own = part_of(fitted, &[(j, vote)], j, vote);
            let others = model.classes().votes().filter(|&y| y != vote);
            own - others.map(|y| part_of(fitted, &[(j, vote)], j, y)).sum::<f64>() / (k as f64 - 1.0)
        };
        added[j] = classes.iter().map(of_class).sum::<f64>() / classes.len().max(1) as f64;
    }
    let name = |j: usize| model.sources().name(j).to_string();
    let explain = |j: usize| {
        let votes_cast = cast[j] as f64;
        let accuracy = (cast[j] > 0).then(|| right[j] / votes_cast);
        let copies = fitted.copies.iter().find(|group| group.contains(&j));
        let dependencies: Vec<Joined> = joined(fitted, j).collect();
        let weight = usual * added[j];
        let alone = accuracy.map_or(weight, |p| log_odds(p.clamp(1e-6, 1.0 - 1e-6)) + (k as f64 - 1.0).ln());
        let share = fitted.shares[j];
        let discount = if share < 1.0 {
            1.0 - share
        } else if !dependencies.is_empty() && alone > 0.0 {
            (1.0 - weight / alone).clamp(0.0, 1.0)
        } else {
            0.0
        };
        SourceExplanation {
            source: name(j),
            votes: cast[j],
            coverage: votes_cast / votes.items() as f64,
            accuracy,
            interval: accuracy.filter(|_| common_items.suffice(j)).map(|p| {
                let variance = p * (1.0 - p) / votes_cast + doubt[j] / votes_cast.powi(2);
                interval(p, variance, votes_cast)
            }),
            weight,
            alone,
            discount,
            effective_weight: beyond_others[j].0 / f64::max(beyond_others[j].1, 1.0),
            answers: fitted
                .correction
                .as_ref()
                .map(|_| if cast[j] > 0 { taught[j] / votes_cast } else { 0.0 }),
            dependencies,
            copies: copies
                .map_or(Vec::new(), |group| group.iter().filter(|&&l| l != j).map(|&l| name(l)).collect()),
        }
    };
    (0..n).map(explain).collect()
}

/// What source j's vote adds to the score of class `y`, relative to abstaining.
fn part_of(fitted: &Fitted, row: &[(usize, Vote)], j: usize, y: Vote) -> f64 {
    let factors = fitted.model.factors();
    let vote_of = |l: usize| row.iter().find(|&&(source, _)| source == l).map_or(ABSTAIN, |&(_, vote)| vote);
    let part = |factor: &Factor| {
        let cast: Vec<Vote> = factor.dependency.sources().iter().map(|&l| vote_of(l)).collect();
        let abstaining = vec![ABSTAIN; cast.len()];
        let voters = cast.iter().filter(|&&vote| vote != ABSTAIN).count().max(1);
        factor.weight * (factor.dependency.phi(&cast, y) - factor.dependency.phi(&abstaining, y))
            / voters as f64
    };
    let list = factors.of_source(j).iter().map(|&d| &factors.list()[d as usize]);
    list.filter(|factor| factor.dependency.reads_class()).map(part).sum()
}

/// The dependencies of source `j`.
fn joined(fitted: &Fitted, j: usize) -> impl Iterator<Item = Joined> + '_ {
    let factors = fitted.model.factors();
    let list = factors.of_source(j).iter().map(|&d| &factors.list()[d as usize]);
    let repeats = fitted.repeats.iter().filter(move |repeat| repeat.source == j).map(|repeat| Joined {
        kind: JoinedKind::Repeats,
        with: vec![fitted.model.sources().name(repeat.of).to_string()],
        weight: repeat.share,
    });
    let joined = list.filter(|factor| factor.dependency.sources().len() > 1).map(move |factor| Joined {
        kind: JoinedKind::Dependency(factor.dependency.name()),
        with: (factor.dependency.sources().iter().filter(|&&l| l != j))
            .map(|&l| fitted.model.sources().name(l).to_string())
            .collect(),
        weight: factor.weight,
    });
    joined.chain(repeats)
}

/// The 95% interval of a share with this variance, by a normal approximation on the scale of log odds.
fn interval(share: f64, variance: f64, votes: f64) -> [f64; 2] {
    // At 0 and 1 the log odds are infinite: half a vote is moved.
    let p = share.clamp(0.5 / (votes + 1.0), 1.0 - 0.5 / (votes + 1.0));
    let deviation = variance.max(p * (1.0 - p) / (votes + 1.0)).sqrt() / (p * (1.0 - p));
    let share_of = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
    [share_of(log_odds(p) - Z_95 * deviation), share_of(log_odds(p) + Z_95 * deviation)]
}
