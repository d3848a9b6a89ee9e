//! The default model, in which repeated votes count once.
//!
//! | file | holds |
//! |---|---|
//! | `worse_than_chance.rs` | sources that count against their votes |
//! | `pooled_confusion.rs` | which classes all sources mistake for which |
//! | `useless.rs` | sources that are no better than chance |
//! | `accuracies.rs` | accuracies and posteriors with each source counted in its share |
//! | `compared.rs` | who repeats whom, by fitting and comparing in turn |
//! | `few_sources.rs` | who repeats whom among sources that are too few to compare |
//! | `implied.rs` | the shares that learned links imply |
//! | `readings.rs` | who repeats whom, by the more cautious of two readings |
//! | `discounted.rs` | the model in which repeated votes count once |
//! | `learned.rs` | the structure that this model reads |

pub(crate) mod accuracies;
pub(crate) mod compared;
pub(crate) mod discounted;
pub(crate) mod few_sources;
pub(crate) mod implied;
pub(crate) mod learned;
pub(crate) mod pooled_confusion;
pub(crate) mod readings;
pub(crate) mod useless;
pub(crate) mod worse_than_chance;
