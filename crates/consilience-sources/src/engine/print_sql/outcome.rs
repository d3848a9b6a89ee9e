//! What each source says of an item, as SQL.

use arrow::datatypes::DataType;

use super::super::error::ApplyError;
use super::super::plan::{Plan, PlanOptions};
use super::super::session::Session;
use super::dialect::Dialect;
use super::expression::expression;
use super::regex::{Translated, has_sigma, translate, whole_words};
use super::table::{Column, Table};
use super::{column, instead, refusal};
use crate::below;
use crate::file::{Declared, Keywords, Kind, Reading, Side, SourcesFile, Threshold};
use crate::rules::load_keywords;

/// More keywords do not belong in a query.
const MOST_KEYWORDS: usize = 1000;

/// What a source says, null where what it reads is missing.
pub(super) enum Outcome {
    /// Whether its condition holds.
    Holds(String),
    /// The class that it votes for; an empty text where its condition does not hold.
    Names(String),
}

impl Outcome {
    pub(super) fn sql(&self) -> &str {
        match self {
            Self::Holds(sql) | Self::Names(sql) => sql,
        }
    }

    /// The vote of a source whose outcome is in `column`.
    pub(super) fn vote(&self, column: &str, source: &Declared, dialect: Dialect) -> String {
        let (holds, class, fails) = match self {
            Self::Holds(_) => {
                let class = source.vote.as_ref().map(|class| dialect.text(class)).unwrap_or_default();
                (column.to_string(), class, format!("NOT {column}"))
            }
            Self::Names(_) => (format!("{column} <> ''"), column.to_string(), format!("{column} = ''")),
        };
        let otherwise = source.otherwise.as_ref();
        let otherwise = otherwise.map(|other| format!(" WHEN {fails} THEN {}", dialect.text(other)));
        format!("CASE WHEN {holds} THEN {class}{} END", otherwise.unwrap_or_default())
    }

    /// Whether the condition of a source whose outcome is in `column` holds.
    fn holds(&self, column: String) -> String {
        match self {
            Self::Holds(_) => column,
            Self::Names(_) => format!("{column} <> ''"),
        }
    }
}

/// Makes the outcomes of a file's sources.
pub(super) struct Outcomes<'a> {
    file: &'a SourcesFile,
    dialect: Dialect,
    table: &'a Table,
    session: Session,
    /// Whether the table is `items`: without empty texts, with cells of text files as what they mean to SQL, and as texts under
    /// other names.
    retyped: bool,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(file: &'a SourcesFile, dialect: Dialect, table: &'a Table) -> Self {
        let sql = file.sources.iter().any(|source| matches!(source.kind, Kind::Sql(_)));
        let retyped =
            sql && table.meanings().any(|(name, meaning)| meaning.is_some() || table.column(name).is_text());
        Self { file, dialect, table, session: Session::new(), retyped }
    }

    /// The columns of a file as SQL expressions and as text rules see them, if that is not what the file holds.
    pub(super) fn items(&self) -> Option<String> {
        let columns = self.table.meanings().flat_map(|(name, meaning)| {
            let own = self.dialect.name(name);
            let kind = match meaning {
                Some(DataType::Int64) => "BIGINT",
                Some(DataType::Float64) => "DOUBLE",
                Some(DataType::Boolean) => "BOOLEAN",
                // An empty text is a missing value.
                _ if self.table.column(name).is_text() => return vec![format!("nullif({own}, '') AS {own}")],
                _ => return vec![own],
            };
            let text = format!("{own} AS {}", self.dialect.name(&as_text(name)));
            vec![format!("CAST(nullif({own}, '') AS {kind}) AS {own}"), text]
        });
        self.retyped.then(|| super::select(&columns.collect::<Vec<_>>(), &self.table.from))
    }

    /// Refuses what `apply` refuses: missing columns, expressions that are not true or false.
    pub(super) fn check(&self, file: &SourcesFile) -> Result<(), ApplyError> {
        let Some(survey) = &self.table.survey else { return Ok(()) };
        Plan::over(file, survey.clone(), self.table.name.clone(), PlanOptions::default()).map(drop)
    }

    pub(super) fn of(&self, source: &Declared, made: &[Option<Outcome>]) -> Result<Outcome, ApplyError> {
        let outcome = match &source.kind {
            Kind::Regex { pattern, ignore_case } => translate(pattern, *ignore_case, self.dialect)
                .map_err(|problem| {
                    instead(&format!("the regular expression cannot be part of a query: {problem}"))
                })
                .and_then(|pattern| self.matching(source, &pattern))
                .map(Outcome::Holds),
            Kind::Keywords { keywords, words } => self.keywords(source, keywords, *words).map(Outcome::Holds),
            Kind::Sql(sql) => self.sql(source, sql),
            Kind::Column { column, reading } => self.cells(source, column, reading).map(Outcome::Names),
            Kind::Lookup { .. } => Err(instead("is a dictionary, which is not part of a query")),
            Kind::Command(_) => Err(instead("is a program, which is not part of a query")),
            Kind::All(parts) => Ok(Outcome::Holds(self.parts(parts, made).join(" AND "))),
            Kind::Any(parts) => Ok(Outcome::Holds(self.parts(parts, made).join(" OR "))),
            Kind::Not(part) => {
                let part = self.parts(std::slice::from_ref(part), made);
                Ok(Outcome::Holds(format!("NOT ({})", part.join(""))))
            }
        };
        outcome.map_err(|message| refusal(source, message))
    }

    fn parts(&self, parts: &[String], made: &[Option<Outcome>]) -> Vec<String> {
        let one = |name: &String| {
            let at = self.file.position(name)?;
            Some(made[at].as_ref()?.holds(column(at)))
        };
        parts.iter().map(|part| one(part).unwrap_or_else(|| "NULL".to_string())).collect()
    }

    /// A column's cells as texts; an empty one is missing.
    fn text(&self, name: &str) -> Result<String, String> {
        let kind = self.table.column(name);
        if kind.is_written_in_many_ways() {
            let problem = format!(
                "the column {name:?} has values of type {kind}, which engines write as texts in different ways"
            );
            return Err(instead(&problem));
        }
        let meant = self.table.meanings().any(|(own, meaning)| own == name && meaning.is_some());
        let read = self.dialect.name(&if self.retyped && meant { as_text(name) } else { name.to_string() });
        let text = if kind.is_text() { read } else { self.dialect.as_text(&read) };
        Ok(format!("nullif({text}, '')"))
    }

    fn rule_text(&self, source: &Declared) -> Result<String, String> {
        let text = self.text(self.file.text_column(source).unwrap_or_default())?;
        Ok(if source.lower { self.dialect.lowered(&text) } else { text })
    }

    fn matching(&self, source: &Declared, pattern: &Translated) -> Result<String, String> {
        self.refuse_sigmas(source, pattern.tells_sigmas_apart)?;
        Ok(self.dialect.matches(&self.rule_text(source)?, pattern))
    }

    fn refuse_sigmas(&self, source: &Declared, tells_apart: bool) -> Result<(), String> {
        if self.dialect == Dialect::DuckDb && source.lower && tells_apart {
            return Err(instead("looks for σ or ς in lower-cased texts, where DuckDB knows no final sigma"));
        }
        Ok(())
    }

    fn keywords(&self, source: &Declared, keywords: &Keywords, words: bool) -> Result<String, String> {
        let mut list = match keywords {
            Keywords::List(list) => list.clone(),
            Keywords::File(file) => {
                below::inside(&self.file.folder, file).and_then(|path| load_keywords(&path))?
            }
        };
        if list.len() > MOST_KEYWORDS {
            return Err(instead(&format!("has more than {MOST_KEYWORDS} keywords, too many for a query")));
        }
        if source.lower {
            list = list.iter().map(|keyword| keyword.to_lowercase()).collect();
        }
        if words {
            return self.matching(source, &whole_words(&list));
        }
        self.refuse_sigmas(source, list.iter().any(|keyword| has_sigma(keyword)))?;
        let text = self.rule_text(source)?;
        let all: Vec<String> = list.iter().map(|keyword| self.dialect.contains(&text, keyword)).collect();
        Ok(all.join(" OR "))
    }

    fn sql(&self, source: &Declared, sql: &str) -> Result<Outcome, String> {
        let value = expression(sql, self.dialect, &self.session)?;
        if source.vote.is_some() {
            return Ok(Outcome::Holds(value));
        }
        let text = format!("coalesce({}, '')", self.dialect.as_text(&value));
        let nothing = " WHEN '' THEN ''";
        Ok(Outcome::Names(self.class_of(
            &text,
            nothing,
            source,
            "the SQL returns a text that is not a class",
        )))
    }

    /// The class that `text` names; the query fails on any other text.
    fn class_of(&self, text: &str, first: &str, source: &Declared, problem: &str) -> String {
        let class = |name: &String| format!(" WHEN {0} THEN {0}", self.dialect.text(name));
        let classes: String = self.file.classes.iter().map(class).collect();
        format!("CASE {text}{first}{classes} ELSE {} END", self.failure(source, problem))
    }

    fn failure(&self, source: &Declared, problem: &str) -> String {
        self.dialect.failure(&format!("source {:?}: {problem}", source.name))
    }

    fn cells(&self, source: &Declared, column: &str, reading: &Reading) -> Result<String, String> {
        let problem = format!("the cell of column {column:?} cannot be read as a vote");
        match reading {
            Reading::Classes => {
                let text = self.text(column)?;
                let class = self.class_of(&self.dialect.trimmed(&text), "", source, &problem);
                Ok(format!("CASE WHEN {text} IS NOT NULL THEN {class} END"))
            }
            Reading::Map(map) => {
                let text = self.text(column)?;
                let one = |(cell, class): &(String, String)| {
                    format!("WHEN {} THEN {}", self.dialect.text(cell), self.dialect.text(class))
                };
                let all: Vec<String> = map.iter().map(one).collect();
                let class = if all.is_empty() {
                    "''".to_string()
                } else {
                    format!("CASE {text} {} ELSE '' END", all.join(" "))
                };
                Ok(format!("CASE WHEN {text} IS NOT NULL THEN {class} END"))
            }
            Reading::Thresholds(list) => {
                let (number, mut cases) = self.number(source, column, &problem)?;
                cases.extend(list.iter().map(|threshold| self.threshold(&number, threshold)));
                Ok(format!("CASE {} ELSE '' END", cases.join(" ")))
            }
        }
    }

    /// A column's cells as numbers, and the cases where they are none; the query fails on a text that is not a number.
    fn number(
        &self,
        source: &Declared,
        column: &str,
        problem: &str,
    ) -> Result<(String, Vec<String>), String> {
        if self.table.column(column).is_numeric() {
            let number = format!("CAST({} AS DOUBLE)", self.dialect.name(column));
            let missing = format!("WHEN {number} IS NULL OR isnan({number}) THEN NULL");
            return Ok((number, vec![missing]));
        }
        let text = self.text(column)?;
        let cells = match self.table.column(column) {
            Column::Unknown => self.dialect.name(column),
            Column::Known(_) => self.dialect.trimmed(&text),
        };
        let number = format!("try_cast({cells} AS DOUBLE)");
        let (is_number, failure) = (self.dialect.is_number(&text), self.failure(source, problem));
        let cases = vec![
            format!("WHEN {text} IS NULL THEN NULL"),
            format!("WHEN NOT {is_number} OR {number} IS NULL THEN {failure}"),
            format!("WHEN isnan({number}) THEN NULL"),
        ];
        Ok((number, cases))
    }

    fn threshold(&self, number: &str, threshold: &Threshold) -> String {
        let sign = match threshold.side {
            Side::AtLeast => ">=",
            Side::Above => ">",
            Side::AtMost => "<=",
            Side::Below => "<",
        };
        let (bound, vote) = (Dialect::number(threshold.bound), self.dialect.text(&threshold.vote));
        format!("WHEN {number} {sign} {bound} THEN {vote}")
    }
}

/// What the cells of a column as texts are called in `items`.
fn as_text(column: &str) -> String {
    format!("__consilience_text_{column}")
}
