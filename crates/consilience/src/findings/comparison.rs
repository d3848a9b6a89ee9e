//! Majority vote, independent sources and the model next to each other.

use serde::Serialize;

use super::study::Study;
use crate::labels::{Labels, Ties};
use crate::parallel;
use crate::report::score::{brier, calibration_error, log_loss};
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// Three ways to label the same votes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Majority vote, independent sources, and the model, in this order.
    pub methods: [MethodSummary; 3],
    /// The items on which their probabilities differ most, one per distinct row of votes, largest difference first.
    pub disputed: Vec<Disputed>,
}

/// A way to label votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelMethod {
    /// Majority vote.
    Majority,
    /// The model of independent sources.
    Independent,
    /// The model in which repeated votes count once.
    Model,
}

/// The labels of one method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodSummary {
    /// The method.
    pub name: LabelMethod,
    /// Items that get a label.
    pub labelled: u64,
    /// Items with votes whose best classes tie.
    pub tied: u64,
    /// Items with a different label than by the model; ties do not count.
    pub differs: u64,
    /// The mean confidence of items with votes.
    pub confidence: f64,
    /// Against gold, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
}

/// Labels against gold, over items that have votes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scores {
    /// Items judged.
    pub judged: u64,
    /// The share of correct labels; ties count by chance.
    pub accuracy: f64,
    /// The mean log loss, in nats.
    pub log_loss: f64,
    /// The mean squared distance from gold.
    pub brier: f64,
    /// How far confidence is from the share of correct labels.
    pub calibration_error: f64,
}

/// An item that the three ways label differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disputed {
    /// Its number, counted from 0.
    pub item: usize,
    /// Its name.
    pub name: String,
    /// How many items have the same votes.
    pub alike: u64,
    /// The votes on it: source and class, both counted from 0.
    pub votes: Vec<(usize, usize)>,
    /// The probability of each class by majority vote, by independent sources and by the model.
    pub probabilities: [Vec<f64>; 3],
    /// Half the sum of absolute differences between two of them, the largest one: 0 if all agree, 1 at most.
    pub distance: f64,
    /// The number of its true class, counted from 0, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<usize>,
}

/// So many disputed items are listed.
const MOST_DISPUTED: usize = 12;

impl Comparison {
    pub(super) fn new(
        votes: &Votes,
        study: &Study,
        gold: Option<&[Vote]>,
        item_name: &dyn Fn(usize) -> String,
    ) -> Self {
        // What answers taught only the model would not be a fair comparison.
        let model = study.taught.as_ref().map_or(&study.labels, |taught| &taught.before);
        let all = [&study.majority, &study.independent_labels, model];
        let decided = model.decided();
        let counts = votes.patterns().counts();
        let summary = |name, labels| summary(name, labels, counts, &decided, gold);
        let (majority, (independent, own)) = rayon::join(
            || summary(LabelMethod::Majority, all[0]),
            || {
                let independent = || summary(LabelMethod::Independent, all[1]);
                rayon::join(independent, || summary(LabelMethod::Model, model))
            },
        );
        let methods = [majority, independent, own];
        Self { methods, disputed: disputed(votes, all, gold, item_name) }
    }
}

/// Describes `labels` next to what the model decides for each pattern; `counts` says how many items each pattern has.
fn summary(
    name: LabelMethod,
    labels: &Labels,
    counts: &[u64],
    of_model: &[Vote],
    gold: Option<&[Vote]>,
) -> MethodSummary {
    let (mut labelled, mut tied, mut differs, mut voted, mut sure) = (0, 0, 0, 0u64, 0.0);
    // Pattern by pattern: items come in an order that no cache likes.
    let (decided, confidences) = (labels.decided(), labels.confidences());
    for (p, &count) in counts.iter().enumerate().filter(|&(p, _)| labels.is_voted(p)) {
        voted += count;
        sure += count as f64 * confidences[p];
        match (decided[p], of_model[p]) {
            (ABSTAIN, _) => tied += count,
            (label, other) => {
                labelled += count;
                differs += if other != ABSTAIN && other != label { count } else { 0 };
            }
        }
    }
    MethodSummary {
        name,
        labelled,
        tied,
        differs,
        confidence: sure / f64::max(voted as f64, 1.0),
        scores: gold.and_then(|gold| scores(labels, gold)),
    }
}

fn scores(labels: &Labels, gold: &[Vote]) -> Option<Scores> {
    let judged: Vec<usize> =
        (0..labels.items()).filter(|&i| gold[i] != ABSTAIN && labels.has_votes(i)).collect();
    let truth: Vec<Vote> = judged.iter().map(|&i| gold[i]).collect();
    let decided: Vec<Vote> =
        judged.iter().map(|&i| labels.decide(i, Ties::First).unwrap_or(ABSTAIN)).collect();
    let confidences: Vec<f64> = judged.iter().map(|&i| labels.confidence(i)).collect();
    let rows = || judged.iter().map(|&i| labels.item(i));
    let right: f64 = judged.iter().map(|&i| labels.chance_of(i, gold[i])).sum();
    Some(Scores {
        judged: judged.len() as u64,
        accuracy: right / judged.len() as f64,
        log_loss: log_loss(rows(), &truth)?,
        brier: brier(rows(), &truth)?,
        calibration_error: calibration_error(&confidences, &decided, &truth)?,
    })
}

fn disputed(
    votes: &Votes,
    all: [&Labels; 3],
    gold: Option<&[Vote]>,
    item_name: &dyn Fn(usize) -> String,
) -> Vec<Disputed> {
    let distance = |p: usize| {
        let between = |a: usize, b: usize| {
            let (a, b) = (all[a].pattern(p), all[b].pattern(p));
            0.5 * a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>()
        };
        between(0, 1).max(between(0, 2)).max(between(1, 2))
    };
    let mut ranked = parallel::map_each(votes.patterns().len(), parallel::ROWS, |p| (distance(p), p));
    let most = MOST_DISPUTED.min(ranked.len());
    let by_distance = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if most < ranked.len() {
        ranked.select_nth_unstable_by(most, by_distance);
        ranked.truncate(most);
    }
    ranked.sort_by(by_distance);
    ranked.retain(|&(distance, _)| distance > 0.0);
    let first_item = |&(_, p): &(f64, usize)| votes.item_pattern().iter().position(|&q| q as usize == p);
    let first: Vec<Option<usize>> = ranked.iter().map(first_item).collect();
    let describe = |((distance, p), item): ((f64, usize), Option<usize>)| {
        let item = item?;
        Some(Disputed {
            item,
            name: item_name(item),
            alike: votes.patterns().counts()[p],
            votes: votes.patterns().row(p).map(|(j, vote)| (j, usize::from(vote) - 1)).collect(),
            probabilities: all.map(|labels| labels.pattern(p).to_vec()),
            distance,
            gold: gold.map(|gold| gold[item]).filter(|&class| class != ABSTAIN).map(|c| usize::from(c) - 1),
        })
    };
    ranked.into_iter().zip(first).filter_map(describe).collect()
}
