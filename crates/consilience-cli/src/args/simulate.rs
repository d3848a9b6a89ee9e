//! `consilience simulate`: what was typed.

use std::ffi::OsString;

use clap::Args;

use super::values::{self, ClassesArg, SpreadArg};

const EXAMPLE: &str = "\
Example:
  consilience simulate --sources 20 --items 10000 --pairs 4 --seed 1 \\
      -o votes.csv --truth truth.json

Weights are those of the model p ~ exp(sum of weight x dependency). The defaults
are those of the paper's simulations: accuracy 1, correlation 0.25, two classes
of the same size.";

/// The dependency types that join two sources and are about no single class.
const JOINING_TYPES: [&str; 6] =
    ["correlation", "agreement", "conjunction", "reinforcing", "fixing", "exclusive"];

/// Simulate votes from a known model
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct SimulateArgs {
    /// Number of sources
    #[arg(long, value_name = "N", value_parser = values::sources)]
    pub sources: usize,
    /// Number of items
    #[arg(long, value_name = "M", value_parser = values::items)]
    pub items: usize,
    /// Seed; the same seed gives the same votes
    #[arg(long, value_name = "S", default_value_t = 0)]
    #[arg(value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: u64,
    #[command(flatten)]
    pub classes: ClassFlags,
    #[command(flatten)]
    pub voting: VotingFlags,
    #[command(flatten)]
    pub dependencies: DependencyFlags,
    #[command(flatten)]
    pub output: OutputFlags,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Classes")]
pub struct ClassFlags {
    /// Number of classes, or their names
    #[arg(long, value_name = "K|A,B,...", default_value = "2", value_parser = values::count_or_classes)]
    pub classes: ClassesArg,
    /// Share of each class [default: equal]
    #[arg(long, value_name = "P,Q,...", value_delimiter = ',', value_parser = values::number)]
    pub balance: Option<Vec<f64>>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Sources")]
pub struct VotingFlags {
    /// Weight of a source's accuracy, or LOW..HIGH
    ///
    /// With LOW..HIGH, each source gets a random weight between the two.
    #[arg(long, value_name = "W", default_value = "1", allow_hyphen_values = true)]
    pub accuracy: SpreadArg,
    /// Share of correct votes, or LOW..HIGH, instead of --accuracy
    #[arg(long, value_name = "P", conflicts_with = "accuracy", allow_hyphen_values = true)]
    pub correct: Option<SpreadArg>,
    /// Share of items a source abstains on, or LOW..HIGH
    ///
    /// By default it follows from the accuracy weight W and the number of classes K: 1 / (1 + e^W + (K-1) e^-W).
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub abstain: Option<SpreadArg>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Dependencies")]
pub struct DependencyFlags {
    /// Link this many pairs: s0 and s1, s2 and s3, ...
    #[arg(long, value_name = "P", group = "joined")]
    pub pairs: Option<usize>,
    /// Link every pair with this probability
    #[arg(long, value_name = "D", group = "joined", value_parser = values::number)]
    pub density: Option<f64>,
    /// Link all pairs in a group of this many sources
    #[arg(long, value_name = "S", group = "joined")]
    pub clique: Option<usize>,
    /// Number of such groups
    #[arg(long, value_name = "N", default_value_t = 1, requires = "clique")]
    pub cliques: usize,
    /// Type of these dependencies
    #[arg(long = "type", value_name = "TYPE", default_value = "correlation", value_parser = JOINING_TYPES)]
    pub kind: String,
    /// Weight of these dependencies
    #[arg(long, value_name = "W", default_value_t = 0.25)]
    #[arg(value_parser = values::number, allow_negative_numbers = true)]
    pub correlation: f64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputFlags {
    /// Write the votes to this file [default: CSV to standard output]
    ///
    /// The file is written completely or not at all. Its extension sets the format: .csv, .tsv, .jsonl, .parquet or .arrow; add
    /// .gz or .zst to compress text.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub output: OsString,
    /// Add the true classes as a column with this name
    #[arg(long, value_name = "COL")]
    pub gold: Option<String>,
    /// Write the true dependencies and labels to this file
    ///
    /// A JSON document: sources, classes, dependencies with type, sources and weight, and the class of each item.
    #[arg(long, value_name = "FILE")]
    pub truth: Option<OsString>,
}
