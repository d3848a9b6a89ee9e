//! From texts and probabilities to an end model.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::error::EndModelError;
use super::lbfgs::minimise;
use super::loss::ExpectedLoss;
use super::ngrams::ngrams;
use super::options::TrainOptions;
use super::predict::EndModel;
use super::sparse::{PIECE, Sparse};
use super::vocabulary::{CountedItems, Vocabulary};
use crate::sources::Classes;

/// Sums of probabilities may be off by this much: files hold rounded numbers.
const PROBABILITY_TOLERANCE: f64 = 1e-3;

/// An item to learn from.
#[derive(Clone, Copy, Debug)]
pub struct TrainingItem<'a> {
    /// Its texts, one a field.
    pub texts: &'a [&'a str],
    /// The probability of each class.
    pub probabilities: &'a [f64],
    /// How much it counts, from 0 to 1e9; 1 is usual.
    pub weight: f64,
}

/// How an end model was trained.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Items that it learned from.
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

/// Collects items batch by batch, then trains; texts are not kept, only their n-grams.
#[derive(Clone, Debug)]
pub struct Trainer {
    classes: Classes,
    fields: usize,
    options: TrainOptions,
    counted: CountedItems,
    probabilities: Vec<f64>,
    weights: Vec<f64>,
}

impl Trainer {
    /// Prepares for items of these classes with this many texts each.
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
        })
    }

    /// Adds items, on all threads; nothing is added where one of them is wrong.
    pub fn extend(&mut self, items: &[TrainingItem<'_>]) -> Result<(), EndModelError> {
        for item in items {
            self.check(item)?;
        }
        let counts = |item: &TrainingItem<'_>| {
            let texts = item.texts.iter().enumerate();
            texts.map(|(field, text)| ngrams(text, field, &self.options.text)).collect::<Vec<_>>()
        };
        let counted: Vec<_> = items.par_iter().with_min_len(PIECE).map(counts).collect();
        for (item, groups) in items.iter().zip(&counted) {
            let total: f64 = item.probabilities.iter().sum();
            self.counted.push(groups);
            self.probabilities.extend(item.probabilities.iter().map(|p| p / total));
            self.weights.push(item.weight);
        }
        Ok(())
    }

    fn check(&self, item: &TrainingItem<'_>) -> Result<(), EndModelError> {
        if item.texts.len() != self.fields {
            return Err(EndModelError::Fields { expected: self.fields, found: item.texts.len() });
        }
        let p = item.probabilities;
        let sound = p.len() == self.classes.len()
            && p.iter().all(|p| (0.0..=1.0 + PROBABILITY_TOLERANCE).contains(p))
            && (p.iter().sum::<f64>() - 1.0).abs() <= PROBABILITY_TOLERANCE;
        if !sound {
            return Err(EndModelError::Probabilities(format!("{p:?}")));
        }
        if !(0.0..=1e9).contains(&item.weight) {
            return Err(EndModelError::Weight(item.weight));
        }
        Ok(())
    }

    /// How many items were added.
    pub fn items(&self) -> usize {
        self.weights.len()
    }

    /// Trains on all items.
    pub fn finish(self) -> Result<EndModel, EndModelError> {
        let items = self.items();
        let total: f64 = self.weights.iter().sum();
        if total <= 0.0 {
            return Err(EndModelError::NoItems);
        }
        if u32::try_from(items).is_err() {
            return Err(EndModelError::TooLarge(items));
        }
        let items_with = self.counted.items_with(1 << self.options.text.bits, self.fields);
        let vocabulary = Vocabulary::learn(self.options.text, self.fields, items, &items_with);
        let values = |i: usize| vocabulary.values(self.counted.item(i, self.fields));
        let rows = (0..items).into_par_iter().with_min_len(PIECE).map(values).collect();
        drop(self.counted);
        let k = self.classes.len();
        let matrix = Sparse::new(rows, vocabulary.len())?;
        let loss = ExpectedLoss::new(matrix, self.probabilities, self.weights, k, self.options.penalty);
        let mut parameters = vec![0.0; loss.parameters()];
        // Items have norm 1 at most, with the intercept's 1 beside it: the curvature of the loss is at most 1.
        let first = 1.0 / (1.0 + self.options.penalty);
        let TrainOptions { tolerance, max_iterations, penalty, .. } = self.options;
        let ended = minimise(|x, g| loss.value(x, g), &mut parameters, first, tolerance, max_iterations);
        let training = Training {
            items,
            penalty,
            converged: ended.converged,
            iterations: ended.iterations,
            gradient_norm: ended.gradient_norm,
            loss: ended.value,
        };
        Ok(EndModel::new(self.classes, vocabulary, &parameters, training))
    }
}
