//! The end model: a classifier of the items' text, trained on probabilities instead of true classes.
//!
//! Only items with votes get a label, and a new item needs all sources to run on it first. A classifier trained on the
//! labels works on any text, and learns words that no source looks for.
//!
//! - `ngrams.rs`: a text as counts of hashed word and character n-grams
//! - `vocabulary.rs`: counts as numbers, weighted by rarity and normalised
//! - `sparse.rs`: the items as a sparse matrix, by rows and by columns
//! - `loss.rs`: the expected loss, Eq. (2) of Ratner et al., *Data Programming* (NIPS 2016), for any number of classes
//! - `lbfgs.rs`: its minimum
//! - `silent.rs`: what is learned from items that nobody votes on
//! - `train.rs`, `predict.rs`: from texts and probabilities to a model, from a model and texts to probabilities
//! - `files.rs`: a model as data, checked when it comes back

mod error;
mod files;
mod lbfgs;
mod loss;
mod ngrams;
mod options;
mod predict;
mod silent;
mod sparse;
mod train;
mod vocabulary;

pub use error::EndModelError;
pub use files::EndModelData;
pub use options::{Lengths, TextOptions, TrainOptions};
pub use predict::EndModel;
pub use train::{Trainer, Training, TrainingItem};
