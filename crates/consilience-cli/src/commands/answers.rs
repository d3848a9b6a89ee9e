//! Reads answers, and says what they change.

use std::ffi::OsStr;

use anyhow::{Context as _, bail};
use consilience::answers::Answers;
use consilience::labels::{self, Change, Corrected, HeldOut};
use consilience::model::{CorrectionPriors, Fitted};
use consilience::sources::Classes;
use consilience::votes::Votes;
use consilience_io::{AnswersFile, AnswersOptions, Input, VoteTable, read_answers};

use crate::args::{AnswersArgs, TableArgs, VotesArgs};
use crate::terminal::{Talk, counted, thousands};

/// The column that names the items of a table with one row per vote.
const TASK_COLUMN: &str = "task";

/// The votes' flags, with the answers' column no source.
pub(super) fn without_answers(votes: &VotesArgs, answers: &AnswersArgs) -> anyhow::Result<VotesArgs> {
    let mut votes = votes.clone();
    if let (None, Some(column)) = (&answers.answers, &answers.answers_column) {
        if votes.votes == "-" {
            bail!(
                "--answers-column reads the votes twice, which is impossible with standard input; name a file"
            );
        }
        votes.table.ignore.push(column.clone());
    }
    Ok(votes)
}

/// Reads the answers to the items of `table`, if some were given.
pub(super) fn read(
    args: &AnswersArgs,
    votes: &OsStr,
    columns: &TableArgs,
    table: &VoteTable,
) -> anyhow::Result<Option<AnswersFile>> {
    let (file, format) = match (&args.answers, &args.answers_column) {
        (Some(file), _) => (file.as_os_str(), None),
        (None, Some(_)) => (votes, super::input::format_of(columns)),
        (None, None) => return Ok(None),
    };
    let mut options = AnswersOptions::default()
        .with_item(columns.item.as_deref().unwrap_or(TASK_COLUMN))
        .with_abstain(super::input::abstain_marks(columns));
    options.column.clone_from(&args.answers_column);
    options.format = format;
    let input = Input::from_arg(file);
    Ok(Some(read_answers(&input, &options, &table.items, table.votes.classes())?))
}

/// Corrects a model, and says what there is to know of the answers.
pub(super) fn correct(
    fitted: &Fitted,
    votes: &Votes,
    file: &AnswersFile,
    talk: Talk,
) -> anyhow::Result<Fitted> {
    note(file, talk);
    let corrected = labels::correct(fitted, votes, &file.answers, CorrectionPriors::default());
    Ok(say(corrected.context(UNUSABLE)?, votes, talk))
}

/// The same, and what models say of the answered items that have not seen their answers.
pub(super) fn teach(
    fitted: &Fitted,
    votes: &Votes,
    file: &AnswersFile,
    talk: Talk,
) -> anyhow::Result<(Fitted, HeldOut)> {
    note(file, talk);
    let taught = labels::teach(fitted, votes, &file.answers, CorrectionPriors::default());
    let (corrected, held_out) = taught.context(UNUSABLE)?;
    Ok((say(corrected, votes, talk), held_out))
}

const UNUSABLE: &str = "the answers cannot be used";

fn note(file: &AnswersFile, talk: Talk) {
    talk.notes(&file.notes);
    if file.not_random {
        talk.notes(&["answered items were drawn where models disagree, so they are not a random sample; \
             the class shares learned from them may be wrong"
            .to_string()]);
    }
}

fn say(corrected: Corrected, votes: &Votes, talk: Talk) -> Fitted {
    let Corrected { fitted, checked, notes } = corrected;
    talk.notes(&notes);
    talk.notes(&checked.iter().map(|source| source.sentence(votes.sources())).collect::<Vec<_>>());
    fitted
}

/// What answers changed: how many labels, and the class shares.
pub(super) fn told(change: &Change, classes: &Classes, answers: &Answers) -> String {
    let given = |one: &str, many: &str| counted(answers.len() as u64, one, many);
    let said = match answers.items() - answers.len() {
        0 => format!("{} all items", given("answer labels", "answers label")),
        others => {
            format!(
                "{} {} of {}",
                given("answer changes", "answers change"),
                counted(change.labels as u64, "label", "labels"),
                thousands(others as u64)
            )
        }
    };
    if classes.len() <= MOST_CLASSES {
        let list = |shares: &[f64]| {
            let named = classes.names().iter().zip(shares);
            named.map(|(name, share)| format!("{name} {share:.2}")).collect::<Vec<_>>().join(", ")
        };
        let (with, without) = (list(&change.after), list(&change.before));
        return said + &format!("; mean probability of each class {with} (without answers {without})");
    }
    said
}

/// The shares of more classes are not listed in one line.
const MOST_CLASSES: usize = 6;
