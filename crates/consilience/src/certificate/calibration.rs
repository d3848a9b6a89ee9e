//! Whether confidence is calibrated.

use serde::Serialize;

use crate::report::score::{brier, calibration_error, log_loss};
use crate::sources::Vote;

/// Probabilities of the answered items compared with the answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The mean probability of the most probable class.
    pub confidence: f64,
    /// The share of answers that are the most probable class.
    pub right: f64,
    /// The expected calibration error ([`calibration_error`]); with few answers it is above 0 even for calibrated probabilities.
    pub error: f64,
    /// The mean log loss of the answers, in nats ([`log_loss`]).
    pub log_loss: f64,
    /// The mean squared distance from the answer ([`brier`]).
    pub brier: f64,
}

impl Calibration {
    /// Compares the probabilities of each answered item with its answer; `None` if there are no items.
    pub fn new(rows: &[(&[f64], Vote)]) -> Option<Self> {
        let truth: Vec<Vote> = rows.iter().map(|&(_, answer)| answer).collect();
        let decided: Vec<Vote> = rows.iter().map(|&(p, _)| super::best(p)).collect();
        let confidences: Vec<f64> =
            rows.iter().zip(&decided).map(|((p, _), &label)| p[usize::from(label) - 1]).collect();
        let count = rows.len() as f64;
        let all = || rows.iter().map(|&(p, _)| p);
        Some(Self {
            confidence: confidences.iter().sum::<f64>() / count,
            right: decided.iter().zip(&truth).filter(|(a, b)| a == b).count() as f64 / count,
            error: calibration_error(&confidences, &decided, &truth)?,
            log_loss: log_loss(all(), &truth)?,
            brier: brier(all(), &truth)?,
        })
    }
}
