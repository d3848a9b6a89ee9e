//! What people and programs are shown: named, in shares, ready to be written as JSON.

mod analysis;
pub mod score;

pub use analysis::{Analysis, ClassAnalysis, GoldAnalysis, PairAnalysis, SourceAnalysis};
