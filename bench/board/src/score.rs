//! What a model reaches on a set.

use consilience::labels::{Labels, Ties};
use consilience::report::score::{
    CALIBRATION_BINS, ClassScore, accuracy, brier, calibration_error, log_loss,
};
use consilience::rng::{Streams, unit};
use consilience::sources::{ABSTAIN, Vote};
use consilience_reproduce::set::Metric;
use serde::{Deserialize, Serialize};

/// The class that F1 is about.
const SECOND_CLASS: Vote = 2;

/// Ties are broken by chance; scores are means over this many draws.
const DRAWS: u64 = 20;

/// Probabilities nearer than this tie.
const TIE: f64 = 1e-9;

/// Scores of probabilities and decisions against gold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scores {
    pub(crate) items: usize,
    /// Per cent, by the set's metric.
    pub(crate) score: f64,
    /// Per cent, of the second class.
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
    pub(crate) log_loss: f64,
    pub(crate) calibration_error: f64,
    pub(crate) brier: f64,
}

/// Items of like confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bin {
    pub(crate) items: f64,
    /// How many of them are rightly decided; ties count in part.
    pub(crate) right: f64,
    /// The sum of their confidences.
    pub(crate) confidence: f64,
}

/// A model's scores on a set, and what they cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) model: String,
    pub(crate) scores: Scores,
    /// By confidence, ten of equal width.
    pub(crate) reliability: Vec<Bin>,
    /// Of fitting and labelling.
    pub(crate) seconds: Option<f64>,
    /// The most memory of a process that does nothing else, votes and program included.
    pub(crate) peak_bytes: Option<u64>,
    /// Of a peer.
    pub(crate) version: Option<String>,
}

impl Scores {
    /// Scores of the items that have a vote, ties broken by chance.
    pub(crate) fn of_labels(
        labels: &Labels,
        gold: &[Vote],
        metric: Metric,
    ) -> anyhow::Result<(Self, Vec<Bin>)> {
        let gold = gold_where(gold, |i| labels.has_votes(i));
        let decide = |i, seed| labels.decide(i, Ties::Random(seed)).unwrap_or(ABSTAIN);
        Self::of_draws(|i| labels.item(i), decide, &gold, metric)
    }

    /// The score in per cent of the decisions with the highest expected F1 of the second class, if F1 is the metric.
    pub(crate) fn by_expected_f1(labels: &Labels, gold: &[Vote], metric: Metric) -> Option<f64> {
        if metric != Metric::F1 {
            return None;
        }
        let gold = gold_where(gold, |i| labels.has_votes(i));
        let decision = labels.expected_f1(SECOND_CLASS)?;
        let decided: Vec<Vote> =
            (0..gold.len()).map(|i| labels.decide_f1(i, &decision).unwrap_or(ABSTAIN)).collect();
        Some(100.0 * ClassScore::new(SECOND_CLASS, &decided, &gold)?.f1)
    }

    /// The same of rows of probabilities that came from elsewhere.
    pub(crate) fn of_rows(
        rows: &[Vec<f64>],
        has_votes: impl Fn(usize) -> bool,
        gold: &[Vote],
        metric: Metric,
    ) -> anyhow::Result<(Self, Vec<Bin>)> {
        let gold = gold_where(gold, has_votes);
        let decide = |i: usize, seed| {
            let highest = rows[i].iter().copied().fold(0.0, f64::max);
            let best: Vec<usize> = (0..rows[i].len()).filter(|&c| rows[i][c] >= highest - TIE).collect();
            let at = (unit(&mut Streams::new(seed).stream(i as u64)) * best.len() as f64) as usize;
            best[at.min(best.len() - 1)] as Vote + 1
        };
        Self::of_draws(|i| &rows[i], decide, &gold, metric)
    }

    fn of_draws<'a>(
        probabilities: impl Fn(usize) -> &'a [f64],
        decide: impl Fn(usize, u64) -> Vote,
        gold: &[Vote],
        metric: Metric,
    ) -> anyhow::Result<(Self, Vec<Bin>)> {
        let mut bins = vec![Bin::default(); CALIBRATION_BINS];
        let mut draws = Vec::new();
        for seed in 0..DRAWS {
            let decided: Vec<Vote> = (0..gold.len()).map(|i| decide(i, seed)).collect();
            add_to_bins(&mut bins, &probabilities, &decided, gold);
            draws.push(Self::new(&probabilities, &decided, gold, metric)?);
        }
        for bin in &mut bins {
            bin.items /= DRAWS as f64;
            bin.right /= DRAWS as f64;
            bin.confidence /= DRAWS as f64;
        }
        let mean = |of: fn(&Self) -> f64| draws.iter().map(of).sum::<f64>() / draws.len() as f64;
        let scores = Self {
            items: draws[0].items,
            score: mean(|s| s.score),
            precision: mean(|s| s.precision),
            recall: mean(|s| s.recall),
            f1: mean(|s| s.f1),
            log_loss: draws[0].log_loss,
            calibration_error: mean(|s| s.calibration_error),
            brier: draws[0].brier,
        };
        Ok((scores, bins))
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
        let confidences: Vec<f64> = rows().map(highest).collect();
        let of_second_class = ClassScore::new(SECOND_CLASS, decided, gold).ok_or_else(none)?;
        let score = match metric {
            Metric::F1 => of_second_class.f1,
            Metric::Accuracy => accuracy(decided, gold).ok_or_else(none)?,
        };
        Ok(Self {
            items: gold.iter().filter(|&&gold| gold != ABSTAIN).count(),
            score: 100.0 * score,
            precision: 100.0 * of_second_class.precision,
            recall: 100.0 * of_second_class.recall,
            f1: 100.0 * of_second_class.f1,
            log_loss: log_loss(rows(), gold).ok_or_else(none)?,
            calibration_error: calibration_error(&confidences, decided, gold).ok_or_else(none)?,
            brier: brier(rows(), gold).ok_or_else(none)?,
        })
    }
}

/// Gold of the items that count.
fn gold_where(gold: &[Vote], counts: impl Fn(usize) -> bool) -> Vec<Vote> {
    gold.iter().enumerate().map(|(i, &gold)| if counts(i) { gold } else { ABSTAIN }).collect()
}

fn highest(p: &[f64]) -> f64 {
    p.iter().copied().fold(0.0, f64::max)
}

fn add_to_bins<'a>(
    bins: &mut [Bin],
    probabilities: &impl Fn(usize) -> &'a [f64],
    decided: &[Vote],
    gold: &[Vote],
) {
    for (i, (&decided, &gold)) in decided.iter().zip(gold).enumerate() {
        if gold != ABSTAIN {
            let confidence = highest(probabilities(i));
            let bin = &mut bins[((confidence * CALIBRATION_BINS as f64) as usize).min(CALIBRATION_BINS - 1)];
            bin.items += 1.0;
            bin.right += f64::from(u8::from(decided == gold));
            bin.confidence += confidence;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four items, of which one has no vote: one tie, one right, one wrong.
    #[test]
    fn rows_from_elsewhere_are_scored_where_there_is_a_vote() {
        let rows = [vec![0.5, 0.5], vec![0.9, 0.1], vec![0.95, 0.05], vec![0.0, 1.0]];
        let (scores, bins) = Scores::of_rows(&rows, |i| i < 3, &[1, 1, 2, 2], Metric::Accuracy).unwrap();
        assert_eq!(scores.items, 3);
        let tie = 3.0 * scores.score / 100.0 - 1.0;
        // Twenty fair draws: between none and all, and far from both.
        assert!((0.1..=0.9).contains(&tie), "{tie}");
        let losses = [0.5f64, 0.9, 0.05].map(|p| -p.ln());
        assert!((scores.log_loss - losses.iter().sum::<f64>() / 3.0).abs() < 1e-12);
        assert!((bins[9].items - 2.0).abs() < 1e-12 && (bins[9].right - 1.0).abs() < 1e-12);
        assert!((bins[9].confidence - 1.85).abs() < 1e-12 && (bins[5].right - tie).abs() < 1e-12);
    }
}
