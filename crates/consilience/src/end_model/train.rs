//! From texts and probabilities to an end model.

use serde::{Deserialize, Serialize};

use super::error::EndModelError;
use super::lbfgs::minimise;
use super::loss::ExpectedLoss;
use super::ngrams::{Counts, KINDS, ngrams};
use super::options::TrainOptions;
use super::predict::EndModel;
use super::silent::with_shares;
use super::sparse::{PIECE, Sparse};
use super::vocabulary::{CountedItems, Vocabulary};
use crate::parallel;
use crate::sources::Classes;

/// Sums of probabilities may be off by this much: files hold rounded numbers.
const PROBABILITY_TOLERANCE: f64 = 1e-3;

/// An item to train on.
#[derive(Clone, Copy, Debug)]
pub struct TrainingItem<'a> {
    /// Its texts, one per field.
    pub texts: &'a [&'a str],
    /// The probability of each class.
    pub probabilities: &'a [f64],
    /// Its weight, from 0 to 1e9; usually 1.
    pub weight: f64,
}

/// How an end model was trained.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// The number of items it was trained on, including those without votes.
    pub items: usize,
    /// The l2 penalty.
    pub penalty: f64,
    /// Whether the norm of the gradient fell to the tolerance.
    pub converged: bool,
    /// Steps taken.
    pub iterations: usize,
    /// The norm of the gradient at the end.
    pub gradient_norm: f64,
    /// The mean expected loss of an item, with the penalty, at the end.
    pub loss: f64,
}

/// Collects items in batches, then trains. Texts are not kept, only their n-grams.
///
/// ```
/// use consilience::end_model::{TrainOptions, Trainer, TrainingItem};
/// use consilience::sources::Classes;
///
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// let mut trainer = Trainer::new(classes, 1, TrainOptions::default())?;
/// let texts = [["win money now"], ["see you at lunch"], ["free money"], ["lunch tomorrow"]];
/// let probabilities = [[0.1, 0.9], [0.9, 0.1], [0.2, 0.8], [0.8, 0.2]];
/// for (texts, probabilities) in texts.iter().zip(&probabilities) {
///     trainer.extend(&[TrainingItem { texts, probabilities, weight: 1.0 }])?;
/// }
/// let model = trainer.finish()?;
/// assert!(model.training().converged);
/// assert!(model.predict(&["money for you"])?[1] > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trainer {
    classes: Classes,
    fields: usize,
    options: TrainOptions,
    counted: CountedItems,
    probabilities: Vec<f64>,
    weights: Vec<f64>,
    silent: CountedItems,
    silent_items: usize,
}

impl Trainer {
    /// A trainer for items of these classes with `fields` texts each.
    pub fn new(classes: Classes, fields: usize, options: TrainOptions) -> Result<Self, EndModelError> {
        options.check()?;
        if fields == 0 {
            return Err(EndModelError::NoFeatures);
        }
        Ok(Self {
            classes,
            fields,
            options,
            counted: CountedItems::default(),
            probabilities: Vec::new(),
            weights: Vec::new(),
            silent: CountedItems::default(),
            silent_items: 0,
        })
    }

    /// Adds items, using all threads; if one of them is invalid, none is added.
    pub fn extend(&mut self, items: &[TrainingItem<'_>]) -> Result<(), EndModelError> {
        for item in items {
            self.check(item)?;
        }
        let counted: Vec<_> = parallel::map_each(items.len(), PIECE, |i| self.counts(items[i].texts));
        for (item, groups) in items.iter().zip(&counted) {
            let total: f64 = item.probabilities.iter().sum();
            self.counted.push(groups);
            self.probabilities.extend(item.probabilities.iter().map(|p| p / total));
            self.weights.push(item.weight);
        }
        Ok(())
    }

    /// Adds the texts of items without votes; [`Trainer::finish_with_silent`] learns from them.
    pub fn extend_silent<'a, T: AsRef<[&'a str]> + Sync>(
        &mut self,
        items: &[T],
    ) -> Result<(), EndModelError> {
        for item in items {
            self.check_fields(item.as_ref())?;
        }
        let counted: Vec<_> = parallel::map_each(items.len(), PIECE, |i| self.counts(items[i].as_ref()));
        for groups in &counted {
            self.silent.push(groups);
        }
        self.silent_items += items.len();
        Ok(())
    }

    fn counts(&self, texts: &[&str]) -> Vec<[Counts; KINDS]> {
        texts.iter().enumerate().map(|(field, text)| ngrams(text, field, &self.options.text)).collect()
    }

    fn check_fields(&self, texts: &[&str]) -> Result<(), EndModelError> {
        if texts.len() == self.fields {
            Ok(())
        } else {
            Err(EndModelError::Fields { expected: self.fields, found: texts.len() })
        }
    }

    fn check(&self, item: &TrainingItem<'_>) -> Result<(), EndModelError> {
        self.check_fields(item.texts)?;
        self.check_probabilities(item.probabilities)?;
        if !(0.0..=1e9).contains(&item.weight) {
            return Err(EndModelError::Weight(item.weight));
        }
        Ok(())
    }

    fn check_probabilities(&self, p: &[f64]) -> Result<(), EndModelError> {
        let sound = p.len() == self.classes.len()
            && p.iter().all(|p| (0.0..=1.0 + PROBABILITY_TOLERANCE).contains(p))
            && (p.iter().sum::<f64>() - 1.0).abs() <= PROBABILITY_TOLERANCE;
        if sound { Ok(()) } else { Err(EndModelError::Probabilities(format!("{p:?}"))) }
    }

    /// The number of items with probabilities.
    pub fn items(&self) -> usize {
        self.weights.len()
    }

    /// The number of items without votes.
    pub fn silent_items(&self) -> usize {
        self.silent_items
    }

    /// Trains on all items except those without votes.
    pub fn finish(mut self) -> Result<EndModel, EndModelError> {
        (self.silent, self.silent_items) = (CountedItems::default(), 0);
        self.train(None)
    }

    /// Trains on all items. Items without votes first get probabilities from an end model of the others, adjusted so that the
    /// mean of each class is its share in `shares`, as [`silent_shares`](crate::labels::silent_shares) estimates it. Each of
    /// them has the mean weight of the others.
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
    /// trainer.extend_silent(&[["money lunch"], ["you win"]])?; // items that no source votes on
    /// assert_eq!((trainer.items(), trainer.silent_items()), (4, 2));
    /// let model = trainer.finish_with_silent(&[0.5, 0.5])?;
    /// assert_eq!(model.training().items, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish_with_silent(self, shares: &[f64]) -> Result<EndModel, EndModelError> {
        self.check_probabilities(shares)?;
        if self.silent_items == 0 { self.finish() } else { self.train(Some(shares)) }
    }

    fn train(self, silent_shares: Option<&[f64]>) -> Result<EndModel, EndModelError> {
        let (labelled, items) = (self.items(), self.items() + self.silent_items);
        let total: f64 = self.weights.iter().sum();
        if total <= 0.0 {
            return Err(EndModelError::NoItems);
        }
        if u32::try_from(items).is_err() {
            return Err(EndModelError::TooLarge(items));
        }
        let mut items_with = self.counted.items_with(1 << self.options.text.bits, self.fields);
        for (with, silent) in
            items_with.iter_mut().zip(self.silent.items_with(1 << self.options.text.bits, self.fields))
        {
            *with += silent;
        }
        let vocabulary = Vocabulary::learn(self.options.text, self.fields, items, &items_with);
        let values = |i: usize| match i.checked_sub(labelled) {
            None => vocabulary.values(self.counted.item(i, self.fields)),
            Some(i) => vocabulary.values(self.silent.item(i, self.fields)),
        };
        let rows = parallel::map_each(items, PIECE, values);
        drop((self.counted, self.silent));
        let k = self.classes.len();
        let matrix = Sparse::new(rows, vocabulary.len())?;
        // Items that nobody votes on come last, and weigh nothing until they have probabilities.
        let (mut probabilities, mut weights) = (self.probabilities, self.weights);
        probabilities.resize(items * k, 1.0 / k as f64);
        weights.resize(items, 0.0);
        let TrainOptions { tolerance, max_iterations, penalty, .. } = self.options;
        let mut loss = ExpectedLoss::new(matrix, probabilities, weights.clone(), k, penalty);
        let mut parameters = vec![0.0; loss.parameters()];
        // Items have norm 1 at most, with the intercept's 1 beside it: the curvature of the loss is at most 1.
        let first = 1.0 / (1.0 + penalty);
        let minimise_from = |loss: &ExpectedLoss, parameters: &mut Vec<f64>| {
            minimise(|x, g| loss.value(x, g), parameters, first, tolerance, max_iterations)
        };
        let mut ended = minimise_from(&loss, &mut parameters);
        if let Some(shares) = silent_shares {
            let mut of_silent = loss.scores_from(labelled, &parameters);
            with_shares(&mut of_silent, shares);
            weights[labelled..].fill(total / labelled as f64);
            loss.replace(labelled, &of_silent, weights);
            let before = ended;
            ended = minimise_from(&loss, &mut parameters);
            ended.iterations += before.iterations;
            ended.converged &= before.converged;
        }
        let training = Training {
            items,
            penalty,
            converged: ended.converged,
            iterations: ended.iterations,
            gradient_norm: ended.slope,
            loss: ended.value,
        };
        Ok(EndModel::new(self.classes, vocabulary, &parameters, training))
    }
}
