//! The posterior of single rows of votes, with and without the correction by answers.

use crate::model::{Corrector, Fitted, Labeller};
use crate::sources::Vote;

/// A fitted model that is asked about one row of votes at a time; rows are sorted by source.
pub(super) struct RowPosterior<'a> {
    labeller: Labeller<'a>,
    corrector: Option<Corrector<'a>>,
    classes: usize,
}

impl<'a> RowPosterior<'a> {
    pub(super) fn new(fitted: &'a Fitted) -> Self {
        let sources = fitted.model.sources().len();
        Self {
            labeller: Labeller::new(fitted),
            corrector: fitted.correction.as_ref().map(|correction| Corrector::new(correction, sources)),
            classes: fitted.model.classes().len(),
        }
    }

    /// The probability of each class from the votes alone, before answers correct it.
    pub(super) fn uncorrected(&self, row: &[(usize, Vote)]) -> Vec<f64> {
        let mut p = vec![0.0; self.classes];
        self.labeller.posterior(row, &mut p);
        p
    }

    /// The probability of each class.
    pub(super) fn corrected(&self, row: &[(usize, Vote)]) -> Vec<f64> {
        let mut p = self.uncorrected(row);
        if let Some(corrector) = &self.corrector {
            corrector.apply(row.iter().copied(), &mut p);
        }
        p
    }
}
