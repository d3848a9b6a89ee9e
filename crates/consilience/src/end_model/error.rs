//! Why an end model cannot be trained or loaded.

/// Why the options, the items or the data of an end model are invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EndModelError {
    /// An option outside its range.
    #[error("{parameter} must be {range}, but is {value}")]
    Option {
        /// The option.
        parameter: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it is.
        value: String,
    },
    /// Neither word nor character n-grams.
    #[error("the end model needs word n-grams, character n-grams or both")]
    NoFeatures,
    /// An item with another number of texts than the model's.
    #[error("an item has {found} texts, but the end model reads {expected}")]
    Fields {
        /// Texts of the model.
        expected: usize,
        /// Texts of the item.
        found: usize,
    },
    /// Invalid probabilities.
    #[error(
        "the probabilities of an item must be numbers from 0 to 1 that add up to 1, one per class, but are {0}"
    )]
    Probabilities(String),
    /// An invalid weight.
    #[error("the weight of an item must be a number from 0 to 1e9, but is {0}")]
    Weight(f64),
    /// Nothing to learn from.
    #[error("no item has a weight above 0, so there is nothing to train on")]
    NoItems,
    /// More than fits the indices.
    #[error(
        "the items have {0} features in total, but at most 4294967295 are supported; use shorter n-grams or fewer items"
    )]
    TooLarge(usize),
    /// Data of a model that does not fit together.
    #[error("the end model is damaged: {0}")]
    Damaged(&'static str),
}
