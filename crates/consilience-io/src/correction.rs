//! A correction by answers, as `model.json` holds it.

use consilience::model::{Correction, Shift};
use consilience::sources::{Classes, Sources};
use serde::{Deserialize, Serialize};

/// What answers have changed; lists are in the order of the classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionFile {
    /// How many answers taught it.
    pub answers: usize,
    /// What log probabilities are multiplied by.
    pub slope: f64,
    /// What is added to the score of each class.
    pub biases: Vec<f64>,
    /// What is added for every e-fold of votes above the usual number.
    pub trends: Vec<f64>,
    /// The usual number of votes on an item.
    pub usual_votes: f64,
    /// What single votes add.
    pub shifts: Vec<ShiftFile>,
    /// What is added for items without votes, in place of biases and trends, if such items have answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_votes: Option<Vec<f64>>,
}

/// What one vote of one source adds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShiftFile {
    /// The source.
    pub source: String,
    /// Its vote.
    pub vote: String,
    /// What is added to the score of each class.
    pub scores: Vec<f64>,
}

impl CorrectionFile {
    pub(crate) fn new(correction: &Correction, sources: &Sources, classes: &Classes) -> Self {
        let Correction { slope, biases, trends, usual_votes, shifts, without_votes, answers } = correction;
        let shift = |shift: &Shift| ShiftFile {
            source: sources.name(shift.source).to_string(),
            vote: classes.name(shift.vote).to_string(),
            scores: shift.scores.clone(),
        };
        Self {
            answers: *answers,
            slope: *slope,
            biases: biases.clone(),
            trends: trends.clone(),
            usual_votes: *usual_votes,
            shifts: shifts.iter().map(shift).collect(),
            without_votes: without_votes.clone(),
        }
    }

    /// The correction again, or what is wrong with it.
    pub(crate) fn correction(&self, sources: &Sources, classes: &Classes) -> Result<Correction, String> {
        let list = |what: &str, list: &[f64]| {
            if list.len() == classes.len() && list.iter().all(|number| number.is_finite()) {
                Ok(list.to_vec())
            } else {
                Err(format!("its correction needs {} {what}, one per class", classes.len()))
            }
        };
        let positive = |number: f64| number.is_finite() && number > 0.0;
        if !positive(self.slope) || !positive(self.usual_votes) {
            return Err(
                "the slope or the usual number of votes in its correction is out of range".to_string()
            );
        }
        let shift = |file: &ShiftFile| {
            let source = sources.position(&file.source);
            let vote = classes.vote(&file.vote);
            Ok(Shift {
                source: source.ok_or_else(|| format!("there is no source \"{}\"", file.source))?,
                vote: vote.ok_or_else(|| format!("there is no class \"{}\"", file.vote))?,
                scores: list("scores", &file.scores)?,
            })
        };
        let mut shifts = self.shifts.iter().map(shift).collect::<Result<Vec<_>, String>>()?;
        shifts.sort_by_key(|shift| (shift.source, shift.vote));
        Ok(Correction {
            slope: self.slope,
            biases: list("biases", &self.biases)?,
            trends: list("trends", &self.trends)?,
            usual_votes: self.usual_votes,
            shifts,
            without_votes: self
                .without_votes
                .as_deref()
                .map(|scores| list("scores of items without votes", scores))
                .transpose()?,
            answers: self.answers,
        })
    }
}
