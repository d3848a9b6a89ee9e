//! Which argument helps: the core says what was decided or is wrong, this says what to pass.

use consilience::votes::ReadingNote;
use consilience::votes::survey::SurveyError;

/// What is said of a table, and the argument that changes it.
pub(crate) fn told(note: &ReadingNote) -> String {
    let hint = match note {
        ReadingNote::GoldByName { column } | ReadingNote::ItemsByName { column } => {
            format!("keep=[{column:?}] makes it a source")
        }
        ReadingNote::LeftOut { columns } => {
            let name = columns.first().map(|(name, _)| name.as_str()).unwrap_or_default();
            format!("keep=[{name:?}] keeps one, ignore=[{name:?}] leaves it out without a word")
        }
        ReadingNote::OnlyHere { column, .. } => format!("ignore=[{column:?}] leaves it out"),
        ReadingNote::Long { .. } => {
            "columns={\"item\": ..., \"source\": ..., \"vote\": ...} names others, long=False reads one row per item"
                .to_string()
        }
        ReadingNote::WideDespiteHeader { .. } => "long=True reads one row per vote".to_string(),
        ReadingNote::AbstainMarks { .. } | ReadingNote::Spellings { .. } => {
            "classes=[...] names them as classes".to_string()
        }
        ReadingNote::MinusOneIsClass => "abstain=-1 reads -1 as abstaining".to_string(),
        ReadingNote::ZeroMayAbstain { .. } | ReadingNote::MinusOneMayBeClass => {
            "abstain=0 reads it so".to_string()
        }
        ReadingNote::ClassesMayAbstain { classes } => {
            format!("abstain={:?} reads it so", classes.first().map(String::as_str).unwrap_or_default())
        }
        ReadingNote::MaySumUp { sources } => {
            let name = sources.first().map(String::as_str).unwrap_or_default();
            format!("ignore=[{name:?}] leaves it out, gold={name:?} scores by it")
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
                "leave columns out with ignore=[{name:?}], take them as sources with keep=[{name:?}], or name all classes with classes=[...]"
            )
        }
        SurveyError::NoSources { columns } => {
            let name = columns.first().map(|(name, _)| name.as_str()).unwrap_or_default();
            format!("name those that are sources with keep=[{name:?}]")
        }
        SurveyError::OnlyGold { column } => format!("pass keep=[{column:?}] if it is a source"),
        SurveyError::NotLong { .. } | SurveyError::UnclearLong { .. } => {
            "name them with columns={\"item\": ..., \"source\": ..., \"vote\": ...}".to_string()
        }
        _ => return error.to_string(),
    };
    format!("{error}; {hint}")
}
