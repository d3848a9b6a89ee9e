//! `consilience simulate`: what was typed.

use std::ffi::OsString;

use clap::Args;

use super::values::{self, ClassesArg, SpreadArg};

const EXAMPLE: &str = "\
Example:
  consilience simulate --sources 20 --items 10000 --pairs 4 --seed 1 \\
      -o votes.csv --truth truth.json

Weights are those of the model p ~ exp(sum of weight x dependency). Left as
they are, they are those of the paper's simulations: accuracy 1, correlation
0.25, two classes of the same size.";

/// The dependency types that join two sources and are about no single class.
const LINK_TYPES: [&str; 6] =
    ["correlation", "agreement", "conjunction", "reinforcing", "fixing", "exclusive"];

/// Draw votes from a known model, and write down the truth
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct SimulateArgs {
    /// How many sources
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    pub(crate) sources: usize,
    /// How many items
    #[arg(long, value_name = "M", value_parser = values::at_least_one)]
    pub(crate) items: usize,
    /// Seed; the same one gives the same votes
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Number of classes, or their names
    #[arg(long, value_name = "K|A,B,...", default_value = "2", value_parser = values::count_or_classes, help_heading = "Classes")]
    pub(crate) classes: ClassesArg,
    /// Share of each class [default: the same for all]
    #[arg(long, value_name = "P,Q,...", value_delimiter = ',', help_heading = "Classes")]
    pub(crate) balance: Option<Vec<f64>>,

    /// Weight of the accuracy of a source, or LOW..HIGH
    ///
    /// With LOW..HIGH, each source gets a weight of its own between the two.
    #[arg(
        long,
        value_name = "W",
        default_value = "1",
        allow_negative_numbers = true,
        allow_hyphen_values = true,
        help_heading = "Sources"
    )]
    pub(crate) accuracy: SpreadArg,
    /// Share of right votes, or LOW..HIGH, instead of --accuracy
    #[arg(long, value_name = "P", conflicts_with = "accuracy", help_heading = "Sources")]
    pub(crate) correct: Option<SpreadArg>,
    /// Share of items a source abstains on, or LOW..HIGH
    ///
    /// Left out, it follows from the weight W of the accuracy and the number K of classes: 1 / (1 + e^W + (K-1) e^-W).
    #[arg(long, value_name = "P", help_heading = "Sources")]
    pub(crate) abstain: Option<SpreadArg>,

    /// This many pairs: s0 and s1, s2 and s3, ...
    #[arg(long, value_name = "P", group = "links", help_heading = "Dependencies")]
    pub(crate) pairs: Option<usize>,
    /// Every pair, with this probability
    #[arg(long, value_name = "D", group = "links", help_heading = "Dependencies")]
    pub(crate) density: Option<f64>,
    /// All pairs in a group of this many sources
    #[arg(long, value_name = "S", group = "links", help_heading = "Dependencies")]
    pub(crate) clique: Option<usize>,
    /// How many such groups
    #[arg(long, value_name = "N", default_value_t = 1, requires = "clique", help_heading = "Dependencies")]
    pub(crate) cliques: usize,
    /// Type of these dependencies
    #[arg(long = "type", value_name = "TYPE", default_value = "correlation", value_parser = LINK_TYPES, help_heading = "Dependencies")]
    pub(crate) link_type: String,
    /// Weight of these dependencies, of any type
    #[arg(
        long,
        value_name = "W",
        default_value_t = 0.25,
        allow_negative_numbers = true,
        help_heading = "Dependencies"
    )]
    pub(crate) correlation: f64,

    /// Write the votes to this file [default: CSV to standard output]
    ///
    /// The file is written whole or not at all. Its name says the format: .csv, .tsv, .jsonl, .parquet or .arrow; text
    /// also with .gz or .zst.
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true,
        help_heading = "Output"
    )]
    pub(crate) output: OsString,
    /// Add the true classes as a column of this name
    #[arg(long, value_name = "COL", help_heading = "Output")]
    pub(crate) gold: Option<String>,
    /// Write the true dependencies and labels to this file
    ///
    /// A JSON document: sources, classes, dependencies with type, sources and weight, and the class of each item.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) truth: Option<OsString>,
}
