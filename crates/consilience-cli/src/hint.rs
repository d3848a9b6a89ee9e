//! Which flag helps: the libraries say what is wrong or was decided, this says what to type.

use consilience::labels::{AnswersNote, InferError};
use consilience::model::{FitError, FitNote};
use consilience::pipeline::PipelineError;
use consilience::sources::NamesError;
use consilience::structure::ExactError;
use consilience::votes::survey::SurveyError;
use consilience::votes::{ReadingNote, VoteError};
use consilience_io::{AnswerProblem, Problem, ReadError};

/// What is said of a table, and the flag that changes it.
pub(crate) fn note(note: &ReadingNote) -> String {
    let first = |names: &[String]| names.first().map_or(String::new(), |name| quoted(name));
    let hint = match note {
        ReadingNote::GoldByName { column } | ReadingNote::ItemsByName { column } => {
            format!("--source {} makes it a source", quoted(column))
        }
        ReadingNote::LeftOut { columns } => {
            let name = columns.first().map_or(String::new(), |(name, _)| quoted(name));
            format!("--source {name} keeps one, --ignore {name} leaves it out without a word")
        }
        ReadingNote::OnlyHere { column, .. } => format!("--ignore {} leaves it out", quoted(column)),
        ReadingNote::Long { .. } => {
            "--columns item=COL,source=COL,vote=COL names others, --wide reads one row per item".to_string()
        }
        ReadingNote::WideDespiteHeader { .. } => "--long reads one row per vote".to_string(),
        ReadingNote::AbstainMarks { .. } | ReadingNote::Spellings { .. } => {
            "--classes A,B,... names them as classes".to_string()
        }
        ReadingNote::MinusOneIsClass => "--abstain -1 reads -1 as abstaining".to_string(),
        ReadingNote::ZeroMayAbstain { .. } | ReadingNote::MinusOneMayBeClass => {
            "--abstain 0 reads it so".to_string()
        }
        ReadingNote::ClassesMayAbstain { classes } => format!("--abstain {} reads it so", first(classes)),
        ReadingNote::RareMinusOne { .. } => "--classes -1,0,1 makes it one".to_string(),
        ReadingNote::AlikeClasses { .. } | ReadingNote::SeveralInOne { .. } => {
            "write them alike in the table if so".to_string()
        }
        ReadingNote::MaySumUp { sources } => {
            let name = first(sources);
            format!("--ignore {name} leaves it out, --gold {name} scores by it")
        }
        ReadingNote::ByOrder { .. } => "--item COL names the column of the items".to_string(),
        _ => return note.to_string(),
    };
    format!("{note} ({hint})")
}

/// What is said of a fit, and the flag that changes it.
pub(crate) fn fit_note(note: &FitNote) -> String {
    match note {
        FitNote::Pseudolikelihood { .. } => format!("{note} (--independent leaves them out)"),
        FitNote::NotConverged { .. } => format!("{note} (--steps N allows more)"),
        FitNote::NoVotesFor { .. } => format!("{note} (--classes names those that there are)"),
        _ => note.to_string(),
    }
}

/// What is said of answers, and the flag that changes it.
pub(crate) fn answers_note(note: &AnswersNote) -> String {
    match note {
        AnswersNote::NearlyAll { .. } => format!("{note} (use --gold for scoring)"),
        _ => note.to_string(),
    }
}

/// The flag that helps against an error, if there is one.
pub(crate) fn error(error: &anyhow::Error) -> Option<String> {
    let cause =
        |found: fn(&(dyn std::error::Error + 'static)) -> Option<String>| error.chain().find_map(found);
    cause(|cause| fit_error(cause.downcast_ref()?))
        .or_else(|| cause(|cause| infer_error(cause.downcast_ref()?)))
        .or_else(|| cause(|cause| pipeline_error(cause.downcast_ref()?)))
        .or_else(|| sources_error(error))
        .or_else(|| table_error(error))
}

#[cfg(feature = "apply")]
fn sources_error(error: &anyhow::Error) -> Option<String> {
    use consilience_sources::ApplyError;
    match error.chain().find_map(|cause| cause.downcast_ref::<ApplyError>())? {
        ApplyError::CommandsNotAllowed { .. } => Some("--allow-commands lets it run".to_string()),
        ApplyError::Fault { .. } => Some("--on-error abstain counts such items and goes on".to_string()),
        _ => None,
    }
}

#[cfg(not(feature = "apply"))]
fn sources_error(_: &anyhow::Error) -> Option<String> {
    None
}

fn fit_error(error: &FitError) -> Option<String> {
    match error {
        FitError::OtherClasses { theirs, .. } => Some(format!("use --classes {theirs}")),
        FitError::TooWide(wide) => Some(format!(
            "--cells {} raises the limit, --inference gibbs samples, --inference pseudo does without",
            wide.cells
        )),
        _ => None,
    }
}

fn pipeline_error(error: &PipelineError) -> Option<String> {
    match error {
        PipelineError::Exact(ExactError::TooManySources { .. }) => {
            Some("--method sgd has no such limit".to_string())
        }
        PipelineError::Fit(error) => fit_error(error),
        PipelineError::Infer(error) => infer_error(error),
        _ => None,
    }
}

fn infer_error(error: &InferError) -> Option<String> {
    match error {
        InferError::UnknownSources(names) => {
            let name = names.first().map_or(String::new(), |name| quoted(name));
            Some(format!("--ignore {name} leaves one out"))
        }
        _ => None,
    }
}

fn table_error(error: &anyhow::Error) -> Option<String> {
    let problem =
        error.chain().find_map(|cause| cause.downcast_ref::<ReadError>()).map(|error| &*error.problem);
    Some(match problem? {
        Problem::MissingHeader { .. } => {
            "use --no-header if so, or --header if these are the names of the columns".to_string()
        }
        Problem::ManyClassesAlone { name, .. } => format!(
            "use --ignore {name}, --item {name} if it names the items, or --classes to name all classes",
            name = quoted(name)
        ),
        Problem::VotesOfNobodyElse { .. } => {
            "name the columns with --columns item=COL,source=COL,vote=COL, or all classes with --classes"
                .to_string()
        }
        Problem::Survey(SurveyError::NothingShared { first, .. }) => {
            let name = first.first().map_or(String::new(), |name| quoted(name));
            format!(
                "leave columns out with --ignore {name}, take them as sources with --source {name}, or name all classes with --classes"
            )
        }
        Problem::Survey(SurveyError::NoSources { columns }) => {
            let name = columns.first().map_or(String::new(), |(name, _)| quoted(name));
            format!(
                "name those that are sources with --source {name}, or the columns of one row per vote with --columns"
            )
        }
        Problem::Survey(SurveyError::OnlyGold { column }) => {
            format!("use --source {} if it is a source", quoted(column))
        }
        Problem::Survey(SurveyError::NotLong { .. } | SurveyError::UnclearLong { .. }) => {
            "name them with --columns item=COL,source=COL,vote=COL".to_string()
        }
        Problem::Vote(VoteError::TooMany { .. }) | Problem::ColumnType { .. } => {
            "use --ignore to leave the column out".to_string()
        }
        Problem::Vote(VoteError::Wrapped { text }) => format!("use --abstain {text} if it abstains"),
        Problem::Vote(VoteError::Number { .. }) => "use --ignore if the column is not a source".to_string(),
        Problem::Names(NamesError::TooFewClasses { .. }) => "use --classes a,b".to_string(),
        Problem::Names(NamesError::OtherClasses { .. }) => {
            "--classes names the classes of the votes in order".to_string()
        }
        Problem::Unnamed { .. } => "use --ignore \"\" or --item \"\"".to_string(),
        Problem::PandasIndex { name } => {
            let name = quoted(name);
            format!("use --ignore {name}, or --item {name}")
        }
        Problem::Answer(AnswerProblem::NoColumn { .. }) => "--answers-column names it".to_string(),
        Problem::Answer(AnswerProblem::NoSuchClass { .. }) => "--classes names all classes".to_string(),
        Problem::Answer(AnswerProblem::NoneKnown { .. })
        | Problem::ItemsApart { .. }
        | Problem::ItemTwiceInVotes { .. } => "--item names the column of the items".to_string(),
        _ => return None,
    })
}

/// A name as it is typed: in quotes where it has blanks or signs.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    if plain { name.to_string() } else { format!("\"{name}\"") }
}
