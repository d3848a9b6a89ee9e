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

The page is one file that loads nothing: who repeats whom, what each source is
worth, how sure the labels are, and where majority vote, independent sources
and the model differ. With gold it shows scores, with answers a certificate.";

/// Show what the votes say, as one page
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE, mut_arg("format", |arg| arg.long("votes-format")))]
pub(crate) struct ReportArgs {
    /// Write as [default: what the name of the output says, or html]
    #[arg(id = "report_format", long = "format", value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormat>,
    /// Dependencies between sources, as learn wrote them [default: learned]
    #[arg(long, value_name = "FILE")]
    pub(crate) structure: Option<OsString>,
    /// Write to this file [default: standard output]
    ///
    /// The file is written whole or not at all. Its name says the format: .html, .md or .json.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) output: OsString,
    /// What people say of some items.
    #[command(flatten)]
    pub(crate) answers: AnswersArgs,
    /// The table.
    #[command(flatten)]
    pub(crate) votes: VotesArgs,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One page that loads nothing
    Html,
    /// Markdown
    Md,
    /// All of it as data
    Json,
}
