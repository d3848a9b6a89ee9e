//! An end model as plain data, for writing and reading; data is checked when read.

use serde::{Deserialize, Serialize};

use super::error::EndModelError;
use super::options::TextOptions;
use super::predict::EndModel;
use super::train::Training;
use super::vocabulary::Vocabulary;
use crate::sources::Classes;

/// The contents of an end model.
///
/// ```
/// use consilience::end_model::{EndModel, EndModelData};
/// # use consilience::end_model::{TrainOptions, Trainer, TrainingItem};
/// # use consilience::sources::Classes;
/// # let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// # let mut trainer = Trainer::new(classes, 1, TrainOptions::default())?;
/// # let texts = [["win money now"], ["see you at lunch"], ["free money"], ["lunch tomorrow"]];
/// # for (texts, p) in texts.iter().zip([[0.1, 0.9], [0.9, 0.1], [0.2, 0.8], [0.8, 0.2]]) {
/// #     trainer.extend(&[TrainingItem { texts, probabilities: &p, weight: 1.0 }])?;
/// # }
///
/// let model = trainer.finish()?;
/// let again = EndModel::try_from(EndModelData::from(&model))?;
/// assert_eq!(again.predict(&["money"])?, model.predict(&["money"])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndModelData {
    /// The names of the classes.
    pub classes: Vec<String>,
    /// How many texts an item has.
    pub fields: usize,
    /// How texts become numbers.
    pub text: TextOptions,
    /// How it was trained.
    pub training: Training,
    /// One for each class but the first, relative to it.
    pub intercepts: Vec<f32>,
    /// The rarity of n-grams without a weight.
    pub rarity_of_unknown: f64,
    /// The buckets of the n-grams that have weights, ascending.
    pub buckets: Vec<u32>,
    /// The rarity of each of them.
    pub rarity: Vec<f64>,
    /// Their weights one n-gram after the other, one for each class but the first, relative to it.
    pub weights: Vec<f32>,
}

impl From<&EndModel> for EndModelData {
    fn from(model: &EndModel) -> Self {
        Self {
            classes: model.classes.names().to_vec(),
            fields: model.vocabulary.fields(),
            text: *model.vocabulary.options(),
            training: model.training,
            intercepts: model.intercepts.clone(),
            rarity_of_unknown: model.vocabulary.rarity_of_unknown(),
            buckets: model.vocabulary.buckets().to_vec(),
            rarity: model.vocabulary.rarity().to_vec(),
            weights: model.weights.clone(),
        }
    }
}

impl TryFrom<EndModelData> for EndModel {
    type Error = EndModelError;

    fn try_from(data: EndModelData) -> Result<Self, EndModelError> {
        let damaged = EndModelError::Damaged;
        data.text.check()?;
        let classes = Classes::new(data.classes).map_err(|_| damaged("its class names are not distinct"))?;
        let others = classes.len().saturating_sub(1);
        if others == 0 || data.fields == 0 {
            return Err(damaged("it has fewer than two classes, or no text"));
        }
        let ascending = data.buckets.windows(2).all(|pair| pair[0] < pair[1]);
        if !ascending || data.buckets.last().is_some_and(|&bucket| bucket >> data.text.bits != 0) {
            return Err(damaged("its n-grams are out of order"));
        }
        let lengths = (data.rarity.len(), data.weights.len(), data.intercepts.len());
        if lengths != (data.buckets.len(), data.buckets.len() * others, others) {
            return Err(damaged("the lengths of its lists do not match"));
        }
        let positive = |rarity: &f64| rarity.is_finite() && *rarity > 0.0;
        let sound = data.rarity.iter().chain([&data.rarity_of_unknown]).all(positive)
            && data.weights.iter().chain(&data.intercepts).all(|w| w.is_finite());
        if !sound {
            return Err(damaged("it contains values that are not numbers"));
        }
        let vocabulary =
            Vocabulary::new(data.text, data.fields, data.buckets, data.rarity, data.rarity_of_unknown);
        Ok(Self {
            classes,
            vocabulary,
            weights: data.weights,
            intercepts: data.intercepts,
            training: data.training,
        })
    }
}
