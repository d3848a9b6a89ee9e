//! Results for people and programs: named, as shares, ready to write as JSON.

mod analysis;
pub mod score;

pub use analysis::{Analysis, ClassAnalysis, GoldAnalysis, PairAnalysis, SourceAnalysis};
