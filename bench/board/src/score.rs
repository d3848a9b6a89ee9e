//! What a model reaches on a set.

use std::time::Instant;

use consilience::labels::{Labels, Ties};
use consilience::report::score::{ClassScore, accuracy, brier, calibration_error, log_loss};
use consilience::sources::{ABSTAIN, Vote};

use crate::memory;
use crate::models::LabelModel;
use crate::set::{Metric, Set};

/// The class that F1 is about.
const SECOND_CLASS: Vote = 2;

/// Ties are broken by chance; scores are means over this many draws.
const DRAWS: u64 = 20;

/// Scores of probabilities and decisions against gold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scores {
    pub(crate) items: usize,
    /// Per cent, by the set's metric.
    pub(crate) score: f64,
    pub(crate) of_second_class: ClassScore,
    pub(crate) log_loss: f64,
    pub(crate) calibration_error: f64,
    pub(crate) brier: f64,
}

/// A model's scores on a set, and what they cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) scores: Scores,
    pub(crate) seconds: f64,
    /// Bytes at the peak beyond those before, where the system tells.
    pub(crate) memory: Option<u64>,
}

impl Run {
    /// Fits, labels and scores the items that have a vote.
    pub(crate) fn new(model: LabelModel, set: &Set) -> anyhow::Result<Self> {
        let before = memory::reset();
        let start = Instant::now();
        let labels = model.label(&set.votes, &set.votes)?;
        let seconds = start.elapsed().as_secs_f64();
        let memory = before.and_then(|before| Some(memory::peak()?.saturating_sub(before)));
        Ok(Self { scores: Scores::of_labels(&labels, &set.gold, set.metric)?, seconds, memory })
    }
}

impl Scores {
    /// Scores of the items that have a vote, ties broken by chance.
    pub(crate) fn of_labels(labels: &Labels, gold: &[Vote], metric: Metric) -> anyhow::Result<Self> {
        let items = 0..labels.items();
        let gold: Vec<Vote> =
            items.clone().map(|i| if labels.has_votes(i) { gold[i] } else { ABSTAIN }).collect();
        let draws = (0..DRAWS)
            .map(|seed| {
                let decide = |i| labels.decide(i, Ties::Random(seed)).unwrap_or(ABSTAIN);
                Self::new(|i| labels.item(i), &items.clone().map(decide).collect::<Vec<_>>(), &gold, metric)
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let mean = |of: fn(&Self) -> f64| draws.iter().map(of).sum::<f64>() / draws.len() as f64;
        Ok(Self {
            items: draws[0].items,
            score: mean(|s| s.score),
            of_second_class: ClassScore {
                precision: mean(|s| s.of_second_class.precision),
                recall: mean(|s| s.of_second_class.recall),
                f1: mean(|s| s.of_second_class.f1),
            },
            log_loss: draws[0].log_loss,
            calibration_error: mean(|s| s.calibration_error),
            brier: draws[0].brier,
        })
    }

    /// Scores of probabilities, decided for the most probable class.
    pub(crate) fn of_probabilities(rows: &[Vec<f64>], gold: &[Vote], metric: Metric) -> anyhow::Result<Self> {
        let most = |p: &Vec<f64>| {
            let best = p.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            best.map_or(ABSTAIN, |(c, _)| c as Vote + 1)
        };
        Self::new(|i| &rows[i], &rows.iter().map(most).collect::<Vec<_>>(), gold, metric)
    }

    fn new<'a>(
        probabilities: impl Fn(usize) -> &'a [f64],
        decided: &[Vote],
        gold: &[Vote],
        metric: Metric,
    ) -> anyhow::Result<Self> {
        let none = || anyhow::anyhow!("no item has gold");
        let rows = || (0..gold.len()).map(&probabilities);
        let confidences: Vec<f64> = rows().map(|p| p.iter().copied().fold(0.0, f64::max)).collect();
        let of_second_class = ClassScore::new(SECOND_CLASS, decided, gold).ok_or_else(none)?;
        let score = match metric {
            Metric::F1 => of_second_class.f1,
            Metric::Accuracy => accuracy(decided, gold).ok_or_else(none)?,
        };
        Ok(Self {
            items: gold.iter().filter(|&&gold| gold != ABSTAIN).count(),
            score: 100.0 * score,
            of_second_class,
            log_loss: log_loss(rows(), gold).ok_or_else(none)?,
            calibration_error: calibration_error(&confidences, decided, gold).ok_or_else(none)?,
            brier: brier(rows(), gold).ok_or_else(none)?,
        })
    }
}
