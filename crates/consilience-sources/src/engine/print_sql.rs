//! The query that counts patterns elsewhere: sources as plain SQL, for engines that never hear of us.

use super::error::ApplyError;
use crate::below;
use crate::file::{Declared, Keywords, Kind, Reading, Side, SourcesFile};
use crate::rules::load_keywords;

/// More keywords do not belong in a query.
const MOST_KEYWORDS: usize = 1000;

/// Whose SQL it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// DuckDB.
    DuckDb,
    /// Apache Spark.
    Spark,
}

impl SourcesFile {
    /// The query that makes the table of patterns: one row per combination of votes over `table`, and how many items have it.
    ///
    /// Dictionaries and programs are not SQL; a file that has them is refused.
    pub fn pattern_sql(&self, dialect: Dialect, table: &str) -> Result<String, ApplyError> {
        let mut votes = Vec::new();
        let mut names = Vec::new();
        for source in &self.sources {
            let (condition, class) = self.parts(source, dialect)?;
            let otherwise = source.otherwise.as_ref().map(|class| dialect.text(class));
            let vote = match class {
                Class::One(class) => {
                    let otherwise = otherwise.map(|other| format!(" WHEN NOT ({condition}) THEN {other}"));
                    format!("CASE WHEN {condition} THEN {class}{} END", otherwise.unwrap_or_default())
                }
                Class::Expression(value) => {
                    let otherwise = otherwise.map(|other| format!(" WHEN NOT ({condition}) THEN {other}"));
                    match otherwise {
                        Some(otherwise) => format!("CASE WHEN {condition} THEN {value}{otherwise} END"),
                        None => value,
                    }
                }
            };
            let name = dialect.name(&source.name);
            votes.push(format!("    {vote} AS {name}"));
            names.push(name);
        }
        let names = names.join(", ");
        Ok(format!(
            "WITH votes AS (\n  SELECT\n{}\n  FROM {table}\n)\nSELECT {names}, count(*) AS {}\nFROM votes\nGROUP BY {names};\n",
            votes.join(",\n"),
            dialect.name("count")
        ))
    }

    /// Where a source votes, true, false or unknown, and what for.
    fn parts(&self, source: &Declared, dialect: Dialect) -> Result<(String, Class), ApplyError> {
        let error = |message: String| ApplyError::Source {
            source_name: source.name.clone(),
            line: source.place.0,
            message,
        };
        let class = || Class::One(source.vote.as_ref().map(|class| dialect.text(class)).unwrap_or_default());
        let text = || {
            let column = dialect.name(self.text_column(source).unwrap_or_default());
            let text = format!("nullif({column}, '')");
            if source.lower { format!("lower({text})") } else { text }
        };
        let folded = |keyword: &String| if source.lower { keyword.to_lowercase() } else { keyword.clone() };
        Ok(match &source.kind {
            Kind::Regex { pattern, ignore_case } => {
                let pattern = if *ignore_case { format!("(?i){pattern}") } else { pattern.clone() };
                (dialect.matches(&text(), &pattern), class())
            }
            Kind::Keywords { keywords, words } => {
                let list = match keywords {
                    Keywords::List(list) => list.clone(),
                    Keywords::File(file) => below::inside(&self.folder, file)
                        .and_then(|path| load_keywords(&path))
                        .map_err(error)?,
                };
                if list.len() > MOST_KEYWORDS {
                    let message = format!(
                        "has more than {MOST_KEYWORDS} keywords, too many for a query; apply it instead"
                    );
                    return Err(error(message));
                }
                let list: Vec<String> = list.iter().map(folded).collect();
                let condition = if *words {
                    let all: Vec<String> = list.iter().map(|keyword| regex::escape(keyword)).collect();
                    let pattern = format!(r"(^|[^\p{{L}}\p{{N}}_])({})($|[^\p{{L}}\p{{N}}_])", all.join("|"));
                    dialect.matches(&text(), &pattern)
                } else {
                    let one = |keyword: &String| format!("contains({}, {})", text(), dialect.text(keyword));
                    let all: Vec<String> = list.iter().map(one).collect();
                    format!("({})", all.join(" OR "))
                };
                (condition, class())
            }
            Kind::Sql(sql) if source.vote.is_some() => (format!("({sql})"), class()),
            Kind::Sql(sql) => (format!("(({sql}) IS NOT NULL)"), Class::Expression(format!("({sql})"))),
            Kind::Column { column, reading } => {
                let value = dialect.reading(column, reading);
                let there = format!("nullif({}, '') IS NULL", dialect.cast(column, "VARCHAR"));
                (
                    format!("(CASE WHEN {there} THEN NULL ELSE ({value}) IS NOT NULL END)"),
                    Class::Expression(value),
                )
            }
            Kind::Lookup { .. } => {
                return Err(error(
                    "is a dictionary, which is not part of a query; apply the sources instead".to_string(),
                ));
            }
            Kind::Command(_) => {
                return Err(error(
                    "is a program, which is not part of a query; apply the sources instead".to_string(),
                ));
            }
            Kind::All(parts) | Kind::Any(parts) => {
                let word = if matches!(source.kind, Kind::All(_)) { " AND " } else { " OR " };
                let conditions = parts.iter().map(|part| self.condition(part, dialect));
                (format!("({})", conditions.collect::<Result<Vec<_>, _>>()?.join(word)), class())
            }
            Kind::Not(part) => (format!("(NOT {})", self.condition(part, dialect)?), class()),
        })
    }

    fn condition(&self, name: &str, dialect: Dialect) -> Result<String, ApplyError> {
        match self.position(name) {
            Some(part) => Ok(self.parts(&self.sources[part], dialect)?.0),
            None => Ok("NULL".to_string()),
        }
    }
}

/// What a source votes for.
enum Class {
    One(String),
    /// The value of an expression; null abstains.
    Expression(String),
}

impl Dialect {
    /// The table of a file, as this engine names it.
    pub fn file(self, path: &str) -> String {
        match self {
            Self::DuckDb => self.text(path),
            Self::Spark => {
                let format = if path.ends_with(".parquet") { "parquet" } else { "csv" };
                format!("{format}.{}", self.name(path))
            }
        }
    }

    fn name(self, name: &str) -> String {
        match self {
            Self::DuckDb => format!("\"{}\"", name.replace('"', "\"\"")),
            Self::Spark => format!("`{}`", name.replace('`', "``")),
        }
    }

    fn text(self, text: &str) -> String {
        match self {
            Self::DuckDb => format!("'{}'", text.replace('\'', "''")),
            Self::Spark => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        }
    }

    fn matches(self, text: &str, pattern: &str) -> String {
        match self {
            Self::DuckDb => format!("regexp_matches({text}, {})", self.text(pattern)),
            Self::Spark => format!("({text} RLIKE {})", self.text(pattern)),
        }
    }

    fn cast(self, column: &str, kind: &str) -> String {
        let kind = if self == Self::Spark && kind == "VARCHAR" { "STRING" } else { kind };
        format!("try_cast({} AS {kind})", self.name(column))
    }

    fn reading(self, column: &str, reading: &Reading) -> String {
        match reading {
            Reading::Classes => format!("nullif(trim({}), '')", self.cast(column, "VARCHAR")),
            Reading::Map(map) => {
                let one = |(cell, class): &(String, String)| {
                    format!("WHEN {} THEN {}", self.text(cell), self.text(class))
                };
                let all: Vec<String> = map.iter().map(one).collect();
                format!("CASE {} {} END", self.cast(column, "VARCHAR"), all.join(" "))
            }
            Reading::Thresholds(list) => {
                let number = self.cast(column, "DOUBLE");
                let one = |threshold: &crate::file::Threshold| {
                    let sign = match threshold.side {
                        Side::AtLeast => ">=",
                        Side::Above => ">",
                        Side::AtMost => "<=",
                        Side::Below => "<",
                    };
                    format!("WHEN {number} {sign} {:?} THEN {}", threshold.bound, self.text(&threshold.vote))
                };
                format!("CASE {} END", list.iter().map(one).collect::<Vec<_>>().join(" "))
            }
        }
    }
}
