//! `consilience report`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::answers::AnswersArgs;
use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience report votes.csv -o report.html
  consilience report votes.csv --gold label -o report.html
  consilience report votes.csv --answers to-label.csv -o report.html
  consilience report votes.csv --format md
  consilience report --sources sources.toml mails.parquet -o report.html

The page is a single file without external resources. It shows which sources
repeat each other, how reliable each source is, how confident the labels are,
and where majority vote, independent sources and the model differ. With gold it
adds scores, with answers a certificate.";

/// Summarize the votes and labels in one page
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE, mut_arg("format", |arg| arg.long("votes-format")))]
pub struct ReportArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
    /// Create the votes from this sources file first; VOTES is then data
    ///
    /// Works like `consilience apply`, whose help describes the file.
    #[cfg(feature = "apply")]
    #[arg(help_heading = "The sources", long, value_name = "FILE")]
    pub sources: Option<std::path::PathBuf>,
    /// How sources may run.
    #[cfg(feature = "apply")]
    #[command(flatten)]
    pub how: super::apply::SourcesArgs,
    /// Write to this file [default: standard output]
    ///
    /// The file is written completely or not at all. Its extension sets the format: .html, .md or .json.
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub output: OsString,
    /// Format [default: from the name of the output, or html]
    #[arg(help_heading = "Output", id = "report_format", long = "format", value_enum, value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Answers to some items.
    #[command(flatten)]
    pub answers: AnswersArgs,
    /// Dependencies between sources, as `learn` wrote them [default: learned]
    #[arg(help_heading = "Advanced", long, value_name = "FILE")]
    pub structure: Option<OsString>,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// A single page without external resources
    Html,
    /// Markdown
    Md,
    /// All results as data
    Json,
}
