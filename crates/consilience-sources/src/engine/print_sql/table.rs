//! The table that a query reads.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use arrow::datatypes::{DataType, Field};
use consilience_io::Format;

use super::super::data::Data;
use super::super::error::ApplyError;
use super::super::survey::Survey;
use super::dialect::Dialect;

/// A table as a query names it.
pub(super) struct Table {
    pub(super) from: String,
    /// Its columns, if they are known: those of files are.
    pub(super) survey: Option<Survey>,
    /// Its files, for messages.
    pub(super) name: String,
}

/// What is known of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Known(DataType),
    Unknown,
}

impl Column {
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Known(own) if own.is_string())
    }

    pub(super) fn is_numeric(&self) -> bool {
        matches!(self, Self::Known(own) if own.is_numeric())
    }

    /// Whether its values become other texts in other engines.
    pub(super) fn is_written_in_many_ways(&self) -> bool {
        let Self::Known(own) = self else { return false };
        let same = own.is_string() || own.is_integer() || matches!(own, DataType::Boolean | DataType::Date32);
        !same
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(own) => own.fmt(f),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

impl Table {
    pub(super) fn called(name: &str) -> Self {
        Self { from: name.to_string(), survey: None, name: name.to_string() }
    }

    /// The files of `data`, read as `apply` reads them: cells of text files are texts.
    pub(super) fn of_files(
        dialect: Dialect,
        data: &OsStr,
        format: Option<Format>,
    ) -> Result<Self, ApplyError> {
        let name = data.to_string_lossy().into_owned();
        let refuse = |message: &str| ApplyError::Query { data: name.clone(), message: message.to_string() };
        if data == "-" {
            return Err(refuse(
                "a query cannot read standard input; name a file, or leave it out to read a table called data",
            ));
        }
        if Path::new(data).is_dir() {
            let message =
                format!("a query reads a file or a pattern, not a folder; write '{name}/*.parquet'");
            return Err(refuse(&message));
        }
        if data.to_str().is_none() {
            return Err(refuse("the name is not UTF-8, so it cannot be part of a query; rename the file"));
        }
        if is_elsewhere(&name) && format.or(Format::from_path(Path::new(data)).0) == Some(Format::Parquet) {
            let from = parquet(dialect, &name);
            return Ok(Self { from, survey: None, name });
        }
        let files = Data::find(&[data], format)?;
        if files.files.iter().any(|file| !file.folders.is_empty()) {
            let message = "the names of its folders add columns, which a query cannot read in the same way; \
                           leave out the file to read a table called data";
            return Err(refuse(message));
        }
        let survey = Survey::of(&files)?;
        if let Some(clash) = like_names(&survey) {
            let message = format!(
                "the names of the columns {clash} differ only by case, which SQL ignores; rename one of them"
            );
            return Err(refuse(&message));
        }
        let mut formats: Vec<Option<Format>> =
            files.paths().map(|path| format.or(Format::from_path(path).0)).collect();
        formats.dedup();
        let [Some(format)] = formats[..] else {
            return Err(refuse("the format is not clear from the name; add --format"));
        };
        let from = source(dialect, &name, format, &survey).map_err(|message| refuse(&message))?;
        Ok(Self { from, survey: Some(survey), name })
    }

    pub(super) fn column(&self, name: &str) -> Column {
        let Some(survey) = &self.survey else { return Column::Unknown };
        // That a column is missing is said when all of them are checked.
        survey
            .position(name)
            .map_or(Column::Unknown, |at| Column::Known(survey.columns[at].data_type().clone()))
    }

    /// The columns of a text file whose cells SQL takes for something else, and what for.
    pub(super) fn meanings(&self) -> impl Iterator<Item = (&str, Option<&DataType>)> {
        self.survey.iter().flat_map(|survey| {
            survey
                .columns
                .iter()
                .zip(&survey.meaning)
                .map(|(field, meaning)| (field.name().as_str(), meaning.as_ref()))
        })
    }
}

fn like_names(survey: &Survey) -> Option<String> {
    let names: Vec<&String> = survey.columns.iter().map(Field::name).collect();
    names.iter().enumerate().find_map(|(i, name)| {
        let like = names[..i].iter().find(|other| other.to_lowercase() == name.to_lowercase())?;
        Some(format!("{like:?} and {name:?}"))
    })
}

/// Whether only the engine can read it: Parquet has its types with it, so that nothing has to be known of it here.
fn is_elsewhere(name: &str) -> bool {
    name.contains("://") || !(Path::new(name).exists() || name.contains(['*', '?', '[']))
}

fn parquet(dialect: Dialect, path: &str) -> String {
    match dialect {
        Dialect::DuckDb => format!("read_parquet({})", dialect.text(path)),
        Dialect::Spark => format!("parquet.{}", dialect.name(path)),
    }
}

/// What stands behind FROM.
fn source(dialect: Dialect, path: &str, format: Format, survey: &Survey) -> Result<String, String> {
    let file = dialect.text(path);
    match (dialect, format) {
        (_, Format::Parquet) => Ok(parquet(dialect, path)),
        (Dialect::DuckDb, Format::Csv | Format::Tsv) => {
            let separator = if format == Format::Tsv { ", delim = '\\t'" } else { "" };
            Ok(format!(
                "read_csv({file}, header = true, all_varchar = true, quote = '\"', escape = '\"', skip = 0, \
                 comment = '', union_by_name = true{separator})"
            ))
        }
        (Dialect::DuckDb, Format::Jsonl) => {
            let column = |name: &String| format!("{}: 'VARCHAR'", dialect.text(name));
            let columns: Vec<String> = survey.columns.iter().map(|field| column(field.name())).collect();
            Ok(format!(
                "read_json({file}, format = 'newline_delimited', columns = {{{}}})",
                columns.join(", ")
            ))
        }
        (Dialect::Spark, Format::Csv | Format::Tsv | Format::Jsonl) => Err(
            "Spark's SQL reads only Parquet files in the same way; load the file as a view called data and leave out its name"
                .to_string(),
        ),
        _ => Err(format!("{} does not read Arrow files; convert it to Parquet", dialect.title())),
    }
}
