//! Answers that people gave to some of the items; shared by the verbs that learn from them.

use std::ffi::OsString;

use clap::Args;

/// Where the answers are.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Answers")]
pub struct AnswersArgs {
    /// Answers to some items: a table with the columns item and answer
    ///
    /// The file that `sample` wrote, filled in by people; rows without an answer are fine. The answers correct the model, and
    /// `label --answers` also labels answered items by their answers. Gold (--gold) is used for scoring only and corrects nothing.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<OsString>,
    /// Column with the answers [default: answer]
    ///
    /// Without --answers, this is a column of the table of votes, and not a source.
    #[arg(long, value_name = "COL")]
    pub answers_column: Option<String>,
}
