//! Answers that people gave to some of the items; shared by the verbs that learn from them.

use std::ffi::OsString;

use clap::Args;

/// Where the answers are.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Answers")]
pub(crate) struct AnswersArgs {
    /// Answers to some items: a table with the columns item and answer
    ///
    /// As sample wrote it and people filled it in; rows without an answer are fine. The answers correct the model, and
    /// answered items get their answer as label. Gold (--gold) is for scoring only and corrects nothing.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<OsString>,
    /// Column of the answers [default: answer]
    ///
    /// Without --answers, this is a column of the votes, which is then not a source.
    #[arg(long, value_name = "COL")]
    pub(crate) answers_column: Option<String>,
}
