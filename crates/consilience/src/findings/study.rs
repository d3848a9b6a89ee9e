//! From votes to structure, model and labels, along with the models for comparison.

use crate::answers::Answers;
use crate::certificate::{Certificate, Certified, CertifyError, certify};
use crate::labels::{
    CorrectError, Corrected, HeldOut, InferError, Labels, Ties, infer, majority_vote, teach,
};
use crate::model::{CorrectionPriors, Dependence, FitError, FitOptions, Fitted, default_structure, fit};
use crate::parallel;
use crate::sources::{ABSTAIN, Vote};
use crate::structure::Structure;
use crate::votes::Votes;

/// Why a table cannot be studied.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// No model can be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// No labels can be computed.
    #[error(transparent)]
    Infer(#[from] InferError),
    /// The answers cannot be used.
    #[error("the answers cannot be used: {0}")]
    Correct(#[from] CorrectError),
    /// The labels cannot be certified.
    #[error(transparent)]
    Certify(#[from] CertifyError),
}

/// A table of votes with its structure, its model and its labels.
///
/// ```
/// use consilience::findings::Study;
/// use consilience::pipeline::{FitOptions, Votes};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let study = Study::new(&votes, None, &FitOptions::default())?;
/// assert_eq!(study.labels.items(), study.majority.items());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    /// Which sources depend on each other.
    pub structure: Structure,
    /// The model that counts repeated votes once.
    pub model: Fitted,
    /// The model of independent sources.
    pub independent: Fitted,
    /// Labels by the model, corrected if answers were given.
    pub labels: Labels,
    /// Labels by the model of independent sources.
    pub independent_labels: Labels,
    /// Labels by majority vote.
    pub majority: Labels,
    /// The effect of answers, if some were given.
    pub taught: Option<Taught>,
}

/// The effect of answers.
#[derive(Clone, Debug)]
pub struct Taught {
    /// Labels without the answers.
    pub before: Labels,
    /// Probabilities of the answered items from models that have not seen their answers.
    pub held_out: HeldOut,
    /// The labels these items would have without their answers; abstain for none.
    pub held_out_labels: Vec<Vote>,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
}

impl Study {
    /// Learns the structure of `votes`, unless one is given, fits the models and infers labels.
    pub fn new(
        votes: &Votes,
        structure: Option<Structure>,
        options: &FitOptions,
    ) -> Result<Self, StudyError> {
        let structure = structure.map_or_else(|| default_structure(votes), Ok)?;
        let model = fit(votes, Dependence::Structure(&structure), options)?;
        let independent = if model.is_independent() {
            model.clone()
        } else {
            fit(votes, Dependence::Independent, options)?
        };
        let labels = infer(&model, votes)?;
        let independent_labels = infer(&independent, votes)?;
        let majority = majority_vote(votes);
        Ok(Self { structure, model, independent, labels, independent_labels, majority, taught: None })
    }

    /// The same table with another structure; only the model is fitted again, and answers are dropped.
    pub fn refit(
        &self,
        votes: &Votes,
        structure: Structure,
        options: &FitOptions,
    ) -> Result<Self, StudyError> {
        let model = fit(votes, Dependence::Structure(&structure), options)?;
        let labels = infer(&model, votes)?;
        Ok(Self {
            structure,
            model,
            labels,
            independent: self.independent.clone(),
            independent_labels: self.independent_labels.clone(),
            majority: self.majority.clone(),
            taught: None,
        })
    }

    /// Corrects the model with `answers`, which become the labels of their items.
    pub fn teach(mut self, votes: &Votes, answers: &Answers) -> Result<Self, StudyError> {
        if answers.is_empty() {
            return Ok(self);
        }
        let priors = CorrectionPriors::default();
        let (Corrected { fitted, checked, notes }, held_out) = teach(&self.model, votes, answers, priors)?;
        let mut notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        notes.extend(checked.iter().map(|source| source.sentence(votes.sources())));
        let before = self.labels;
        self.labels = before.clone().corrected(&fitted, votes)?.with_answers(answers);
        self.model = fitted;
        let without_answers = self.labels.with_held_out(&held_out, votes);
        let label = |&i: &usize| without_answers.decide(i, Ties::Empty).unwrap_or(ABSTAIN);
        let held_out_labels = held_out.items.iter().map(label).collect();
        self.taught = Some(Taught { before, held_out, held_out_labels, notes });
        Ok(self)
    }

    /// Certifies the labels with `answers`, which must be a random sample of the items.
    pub fn certify(&self, answers: &Answers) -> Result<Certificate, StudyError> {
        let labels = &self.labels;
        let of_pattern = labels.decided();
        let decided: Vec<Vote> =
            parallel::map_each(labels.items(), parallel::ROWS, |i| of_pattern[labels.pattern_of(i)]);
        let k = labels.classes().len();
        let mut probabilities = vec![0.0; labels.items() * k];
        parallel::for_each(probabilities.chunks_mut(parallel::ROWS * k).enumerate(), |(piece, rows)| {
            (piece * parallel::ROWS..)
                .zip(rows.chunks_exact_mut(k))
                .for_each(|(i, row)| row.copy_from_slice(labels.item(i)));
        });
        let certified = Certified {
            classes: labels.classes(),
            labels: &decided,
            probabilities: Some(&probabilities),
            answers: answers.of_items(),
            held_out: self.taught.as_ref().map(|taught| taught.held_out.probabilities.as_slice()),
            held_out_labels: self.taught.as_ref().map(|taught| taught.held_out_labels.as_slice()),
        };
        Ok(certify(&certified, None)?)
    }
}
