//! Which argument helps: the core says what was decided or is wrong, this says what to pass.

use consilience::votes::ReadingNote;
use consilience::votes::survey::SurveyError;

/// A note on a table, with the argument that changes it.
pub(crate) fn told(note: &ReadingNote) -> String {
    let hint = match note {
        ReadingNote::GoldByName { column } | ReadingNote::ItemsByName { column } => {
            format!("pass keep=[{column:?}] to make it a source")
        }
        ReadingNote::GoldSource { source } => format!("pass keep=[{source:?}] to keep it as a source"),
        ReadingNote::LeftOut { columns } => {
            let name = columns.first().map(|(name, _)| name.as_str()).unwrap_or_default();
            format!("pass keep=[{name:?}] to keep one, ignore=[{name:?}] to leave it out without this note")
        }
        ReadingNote::OnlyHere { column, .. } => format!("pass ignore=[{column:?}] to leave it out"),
        ReadingNote::Long { .. } => {
            "pass columns={\"item\": ..., \"source\": ..., \"vote\": ...} to name others, long=False to read one row per item"
                .to_string()
        }
        ReadingNote::WideDespiteHeader { .. } => "pass long=True to read one row per vote".to_string(),
        ReadingNote::AbstainMarks { .. } | ReadingNote::Spellings { .. } => {
            "pass classes=[...] to make them classes".to_string()
        }
        ReadingNote::MinusOneIsClass => "pass abstain=-1 to read it as abstaining".to_string(),
        ReadingNote::ZeroMayAbstain { .. } | ReadingNote::MinusOneMayBeClass => {
            "pass abstain=0 if so".to_string()
        }
        ReadingNote::ClassesMayAbstain { classes } => {
            format!("pass abstain={:?} if so", classes.first().map(String::as_str).unwrap_or_default())
        }
        ReadingNote::MaySumUp { sources }
        | ReadingNote::WithMajority { sources }
        | ReadingNote::WithExtreme { sources }
        | ReadingNote::NamedApart { sources, .. } => {
            let name = sources.first().map(String::as_str).unwrap_or_default();
            format!("pass ignore=[{name:?}] to leave it out, gold={name:?} to score against it")
        }
        ReadingNote::MayDescribe { sources }
        | ReadingNote::ByChance { sources }
        | ReadingNote::InOrder { sources }
        | ReadingNote::Constant { sources }
        | ReadingNote::WhetherOthersAgree { sources }
        | ReadingNote::Beside { sources, .. } => {
            let name = sources.first().map(String::as_str).unwrap_or_default();
            format!("pass ignore=[{name:?}] to leave it out")
        }
        ReadingNote::SeveralQuestions { sources, .. } => {
            format!("pass ignore={sources:?} to leave the others out")
        }
        ReadingNote::Reversed { source } => format!("pass ignore=[{source:?}] to leave it out"),
        ReadingNote::RareMinusOne { .. } => "pass classes=[-1, 0, 1] if so".to_string(),
        ReadingNote::AlikeClasses { .. }
        | ReadingNote::AlikeSources { .. }
        | ReadingNote::SeveralInOne { .. }
        | ReadingNote::MixedKinds { .. } => {
            "if so, spell them the same in the table".to_string()
        }
        _ => return note.to_string(),
    };
    format!("{note} ({hint})")
}

/// What is wrong with the columns of a table, and the argument that helps.
pub(crate) fn refused(error: &SurveyError) -> String {
    let hint = match error {
        SurveyError::NothingShared { first, .. } => {
            let name = first.first().map(String::as_str).unwrap_or_default();
            format!(
                "leave columns out with ignore=[{name:?}], make them sources with keep=[{name:?}], or list all classes with classes=[...]"
            )
        }
        SurveyError::NoSources { columns } => {
            let name = columns.first().map(|(name, _)| name.as_str()).unwrap_or_default();
            format!("name the sources with keep=[{name:?}]")
        }
        SurveyError::Transposed { column } => format!("pass item={column:?} if it names the items after all"),
        SurveyError::OnePerClass { columns, .. } => {
            format!("pass keep={columns:?} if they are sources after all")
        }
        SurveyError::LongOrWide { .. } => {
            "pass long=True for one row per vote, long=False for one row per item".to_string()
        }
        SurveyError::OnlyGold { column } => format!("pass keep=[{column:?}] if it is a source"),
        SurveyError::NotLong { .. } | SurveyError::UnclearLong { .. } => {
            "name them with columns={\"item\": ..., \"source\": ..., \"vote\": ...}".to_string()
        }
        SurveyError::UnclearVotes { columns } => {
            let name = columns.first().map(String::as_str).unwrap_or_default();
            format!("select one with columns={{\"vote\": {name:?}}}")
        }
        _ => return error.to_string(),
    };
    format!("{error}; {hint}")
}
