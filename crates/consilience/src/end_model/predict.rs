//! From an end model and texts to probabilities.

use super::error::EndModelError;
use super::options::TextOptions;
use super::sparse::PIECE;
use super::train::Training;
use super::vocabulary::Vocabulary;
use crate::num::softmax_in_place;
use crate::parallel;
use crate::sources::Classes;

/// A trained text classifier.
///
/// Only differences between classes affect a probability, so weights are stored relative to those of the first class.
/// Single precision is enough for weights learned from uncertain labels, and the file stores it.
///
/// ```
/// # use consilience::end_model::{TrainOptions, Trainer, TrainingItem};
/// # use consilience::sources::Classes;
/// # let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// # let mut trainer = Trainer::new(classes, 1, TrainOptions::default())?;
/// # let texts = [["win money now"], ["see you at lunch"], ["free money"], ["lunch tomorrow"]];
/// # for (texts, p) in texts.iter().zip([[0.1, 0.9], [0.9, 0.1], [0.2, 0.8], [0.8, 0.2]]) {
/// #     trainer.extend(&[TrainingItem { texts, probabilities: &p, weight: 1.0 }])?;
/// # }
/// let model = trainer.finish()?;
/// let [ham, spam] = model.predict(&["free lunch"])?[..] else { panic!("one probability per class") };
/// assert!((ham + spam - 1.0).abs() < 1e-9);
/// assert_eq!(model.classes().names(), ["ham", "spam"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EndModel {
    pub(super) classes: Classes,
    pub(super) vocabulary: Vocabulary,
    /// Feature by feature, one number for each class but the first.
    pub(super) weights: Vec<f32>,
    /// One number for each class but the first.
    pub(super) intercepts: Vec<f32>,
    pub(super) training: Training,
}

impl EndModel {
    pub(super) fn new(
        classes: Classes,
        vocabulary: Vocabulary,
        parameters: &[f64],
        training: Training,
    ) -> Self {
        let relative = |block: &[f64]| block[1..].iter().map(|w| (w - block[0]) as f32).collect::<Vec<_>>();
        let mut weights: Vec<f32> = parameters.chunks_exact(classes.len()).flat_map(relative).collect();
        let intercepts = weights.split_off(vocabulary.len() * (classes.len() - 1));
        Self { classes, vocabulary, weights, intercepts, training }
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The number of texts per item.
    pub fn fields(&self) -> usize {
        self.vocabulary.fields()
    }

    /// How texts become numbers.
    pub fn text_options(&self) -> &TextOptions {
        self.vocabulary.options()
    }

    /// The number of n-grams with a weight.
    pub fn features(&self) -> usize {
        self.vocabulary.len()
    }

    /// How it was trained.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// The probability of each class for an item with these texts; entry `c - 1` is that of class `c`.
    pub fn predict(&self, texts: &[&str]) -> Result<Vec<f64>, EndModelError> {
        if texts.len() != self.fields() {
            return Err(EndModelError::Fields { expected: self.fields(), found: texts.len() });
        }
        let others = self.intercepts.len();
        let mut scores = vec![0.0];
        scores.extend(self.intercepts.iter().map(|&b| f64::from(b)));
        for (feature, value) in self.vocabulary.values_of(texts) {
            let start = feature as usize * others;
            for (score, &w) in scores[1..].iter_mut().zip(&self.weights[start..start + others]) {
                *score += f64::from(value) * f64::from(w);
            }
        }
        softmax_in_place(&mut scores);
        Ok(scores)
    }

    /// Predicts many items, using all threads, in order.
    ///
    /// ```
    /// # use consilience::end_model::{TrainOptions, Trainer, TrainingItem};
    /// # use consilience::sources::Classes;
    /// # let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
    /// # let mut trainer = Trainer::new(classes, 1, TrainOptions::default())?;
    /// # let texts = [["win money now"], ["see you at lunch"], ["free money"], ["lunch tomorrow"]];
    /// # for (texts, p) in texts.iter().zip([[0.1, 0.9], [0.9, 0.1], [0.2, 0.8], [0.8, 0.2]]) {
    /// #     trainer.extend(&[TrainingItem { texts, probabilities: &p, weight: 1.0 }])?;
    /// # }
    /// let model = trainer.finish()?;
    /// let all = model.predict_all(&[["free money"], ["lunch"]])?;
    /// assert!(all[0][1] > all[1][1]); // the first is spam rather than the second
    /// assert_eq!(all[1], model.predict(&["lunch"])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predict_all<'a, T: AsRef<[&'a str]> + Sync>(
        &self,
        items: &[T],
    ) -> Result<Vec<Vec<f64>>, EndModelError> {
        parallel::map_each(items.len(), PIECE, |i| self.predict(items[i].as_ref())).into_iter().collect()
    }
}
