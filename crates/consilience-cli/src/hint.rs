//! Which flag helps: the libraries say what is wrong or was decided, this says what to type.

use consilience::labels::{AnswersNote, InferError};
use consilience::model::{FitError, FitNote};
use consilience::pipeline::PipelineError;
use consilience::sources::NamesError;
use consilience::structure::ExactError;
use consilience::votes::survey::SurveyError;
use consilience::votes::{ReadingNote, VoteError};
use consilience_io::{AnswerProblem, Problem, ReadError};

/// A note on a table, with the flag that changes it.
pub(crate) fn note(note: &ReadingNote) -> String {
    let first = |names: &[String]| names.first().map_or(String::new(), |name| quoted(name));
    let hint = match note {
        ReadingNote::GoldByName { column } | ReadingNote::ItemsByName { column } => {
            format!("use --source {} to make it a source", quoted(column))
        }
        ReadingNote::GoldSource { source } => {
            format!("use --source {} to keep it as a source", quoted(source))
        }
        ReadingNote::LeftOut { columns } => {
            let name = columns.first().map_or(String::new(), |(name, _)| quoted(name));
            format!("use --source {name} to keep one, --ignore {name} to leave it out without this note")
        }
        ReadingNote::OnlyHere { column, .. } => format!("use --ignore {} to leave it out", quoted(column)),
        ReadingNote::Long { .. } => {
            "use --columns item=COL,source=COL,vote=COL to name others, --wide to read one row per item"
                .to_string()
        }
        ReadingNote::WideDespiteHeader { .. } => "use --long to read one row per vote".to_string(),
        ReadingNote::AbstainMarks { .. } | ReadingNote::Spellings { .. } => {
            "use --classes A,B,... to make them classes".to_string()
        }
        ReadingNote::MinusOneIsClass => "use --abstain -1 to read it as abstaining".to_string(),
        ReadingNote::ZeroMayAbstain { .. } | ReadingNote::MinusOneMayBeClass => {
            "use --abstain 0 if so".to_string()
        }
        ReadingNote::GoldMinusOne { .. } => "if so, use the votes' class names for gold".to_string(),
        ReadingNote::ClassesMayAbstain { classes } => format!("use --abstain {} if so", first(classes)),
        ReadingNote::Reversed { source } => format!("use --ignore {} to leave it out", quoted(source)),
        ReadingNote::RareMinusOne { .. } => "use --classes -1,0,1 if so".to_string(),
        ReadingNote::AlikeClasses { .. }
        | ReadingNote::AlikeSources { .. }
        | ReadingNote::SeveralInOne { .. }
        | ReadingNote::MixedKinds { .. } => "if so, spell them the same in the table".to_string(),
        ReadingNote::MaySumUp { sources }
        | ReadingNote::WithMajority { sources }
        | ReadingNote::WithExtreme { sources }
        | ReadingNote::NamedApart { sources, .. } => {
            let name = first(sources);
            format!("use --ignore {name} to leave it out, --gold {name} to score against it")
        }
        ReadingNote::MayDescribe { sources }
        | ReadingNote::ByChance { sources }
        | ReadingNote::InOrder { sources }
        | ReadingNote::Constant { sources }
        | ReadingNote::WhetherOthersAgree { sources }
        | ReadingNote::Beside { sources, .. } => {
            format!("use --ignore {} to leave it out", first(sources))
        }
        ReadingNote::SeveralQuestions { sources, .. } => {
            let names: Vec<String> = sources.iter().map(|name| quoted(name)).collect();
            format!("use --ignore {} to leave the others out", names.join(","))
        }
        ReadingNote::ByOrder { .. } => "use --item COL to select the column with the item names".to_string(),
        _ => return note.to_string(),
    };
    format!("{note} ({hint})")
}

/// A note on a fit, with the flag that changes it.
pub(crate) fn fit_note(note: &FitNote) -> String {
    match note {
        FitNote::Pseudolikelihood { .. } => format!("{note} (use --independent to ignore them)"),
        FitNote::NotConverged { .. } => format!("{note} (use --steps N to allow more)"),
        FitNote::NoVotesFor { .. } => format!("{note} (use --classes to list the classes that exist)"),
        _ => note.to_string(),
    }
}

/// A note on answers, with the flag that changes it.
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
        .or_else(|| table_error(error))
}

fn fit_error(error: &FitError) -> Option<String> {
    match error {
        FitError::OtherClasses { theirs, .. } => Some(format!("use --classes {theirs}")),
        FitError::TooWide(wide) => Some(format!(
            "use --cells {} to raise the limit, --inference gibbs to sample, or --inference pseudo",
            wide.cells
        )),
        _ => None,
    }
}

fn pipeline_error(error: &PipelineError) -> Option<String> {
    match error {
        PipelineError::Exact(ExactError::TooManySources { .. }) => {
            Some("use --method sgd, which has no such limit".to_string())
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
            Some(format!("use --ignore {name} to leave one out"))
        }
        _ => None,
    }
}

fn table_error(error: &anyhow::Error) -> Option<String> {
    let problem =
        error.chain().find_map(|cause| cause.downcast_ref::<ReadError>()).map(|error| &*error.problem);
    Some(match problem? {
        Problem::MissingHeader { .. } => {
            "use --no-header if so, or --header if these are column names".to_string()
        }
        Problem::ReadTwice { .. } => "or raise --most-patterns if memory allows".to_string(),
        Problem::ManyClassesAlone { name, .. } => format!(
            "use --ignore {name}, --item {name} if it holds the item names, or --classes to list all classes",
            name = quoted(name)
        ),
        Problem::VotesOfNobodyElse { .. } => {
            "name the columns with --columns item=COL,source=COL,vote=COL, or list all classes with --classes"
                .to_string()
        }
        Problem::Survey(SurveyError::NothingShared { first, .. }) => {
            let name = first.first().map_or(String::new(), |name| quoted(name));
            format!(
                "leave columns out with --ignore {name}, make them sources with --source {name}, or list all classes with --classes"
            )
        }
        Problem::Survey(SurveyError::NoSources { columns }) => {
            let name = columns.first().map_or(String::new(), |(name, _)| quoted(name));
            format!("name the sources with --source {name}, or use --columns for one row per vote")
        }
        Problem::Survey(SurveyError::Transposed { column }) => {
            format!("use --item {} if it names the items after all", quoted(column))
        }
        Problem::Survey(SurveyError::OnePerClass { columns, .. }) => {
            let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
            format!("use --source {} if they are sources after all", names.join(","))
        }
        Problem::Survey(SurveyError::LongOrWide { .. }) => {
            "use --long for one row per vote, --wide for one row per item".to_string()
        }
        Problem::Survey(SurveyError::OnlyGold { column }) => {
            format!("use --source {} if it is a source", quoted(column))
        }
        Problem::Survey(SurveyError::NotLong { .. } | SurveyError::UnclearLong { .. }) => {
            "name them with --columns item=COL,source=COL,vote=COL".to_string()
        }
        Problem::Survey(SurveyError::UnclearVotes { columns }) => {
            let name = columns.first().map_or(String::new(), |name| quoted(name));
            format!("select one with --columns vote={name}")
        }
        Problem::Vote(VoteError::TooMany { .. }) | Problem::ColumnType { .. } => {
            "use --ignore to leave the column out".to_string()
        }
        Problem::Vote(VoteError::Wrapped { text }) => format!("use --abstain {text} if it abstains"),
        Problem::Vote(VoteError::Number { .. }) => "use --ignore if the column is not a source".to_string(),
        Problem::Names(NamesError::TooFewClasses { .. }) => "use --classes a,b".to_string(),
        Problem::Names(NamesError::OtherClasses { .. }) => {
            "use --classes to list the classes of the votes in order".to_string()
        }
        Problem::Unnamed { .. } => "use --ignore \"\" or --item \"\"".to_string(),
        Problem::PandasIndex { name } => {
            let name = quoted(name);
            format!("use --ignore {name}, or --item {name}")
        }
        Problem::Answer(AnswerProblem::NoColumn { .. }) => "use --answers-column to select it".to_string(),
        Problem::Answer(AnswerProblem::NoSuchClass { .. }) => {
            "or list all classes with --classes".to_string()
        }
        Problem::Answer(AnswerProblem::NoneKnown { .. }) => {
            "or select the column with the item names with --item".to_string()
        }
        Problem::ItemsApart { .. } | Problem::ItemTwiceInVotes { .. } => {
            "use --item to select the column with the item names".to_string()
        }
        _ => return None,
    })
}

/// A name as it is typed: in quotes if it has blanks or signs.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    if plain { name.to_string() } else { format!("\"{name}\"") }
}
