//! The query that counts patterns elsewhere: sources as plain SQL, for engines that never hear of us.
//!
//! It gives what `apply --patterns` gives, or an error. What an engine would answer differently is rewritten or refused.

mod dialect;
mod expression;
mod outcome;
mod regex;
mod table;

use std::ffi::OsStr;

use consilience_io::Format;

pub use self::dialect::Dialect;
use self::outcome::{Outcome, Outcomes};
use self::table::Table;
use super::error::ApplyError;
use super::layers::layers;
use crate::file::{Declared, SourcesFile};

/// The column of the counts.
const COUNT: &str = "count";

impl SourcesFile {
    /// The query that makes the table of patterns: one row per combination of votes, and how many items have it.
    ///
    /// It reads `data`, a file or a pattern of names, or else a table called `data`. What `dialect` cannot express as it is
    /// meant is refused, as are dictionaries and programs.
    pub fn pattern_sql(
        &self,
        dialect: Dialect,
        data: Option<&OsStr>,
        format: Option<Format>,
    ) -> Result<String, ApplyError> {
        self.refuse_like_names()?;
        let table = match data {
            Some(data) => Table::of_files(dialect, data, format)?,
            None => Table::called("data"),
        };
        let outcomes = Outcomes::new(self, dialect, &table);
        let mut made: Vec<Option<Outcome>> = self.sources.iter().map(|_| None).collect();
        let mut parts = Vec::new();
        let mut from = table.from.clone();
        if let Some(items) = outcomes.items() {
            parts.push(("items".to_string(), items));
            from = "items".to_string();
        }
        let layers = layers(self).map_err(|source| refusal(&self.sources[source], "depends on itself"))?;
        let most = dialect.most_levels();
        // The first layer reads the data.
        if let Some(deep) = layers.get(most + 1) {
            let message = format!("is composed more than {most} levels deep, too deep for a query");
            return Err(refusal(&self.sources[deep[0]], instead(&message)));
        }
        for (number, layer) in layers.into_iter().enumerate() {
            let mut columns = if number == 0 { Vec::new() } else { vec!["*".to_string()] };
            for i in layer {
                let outcome = outcomes.of(&self.sources[i], &made)?;
                columns.push(format!("{} AS {}", outcome.sql(), column(i)));
                made[i] = Some(outcome);
            }
            let name = if number == 0 { "outcomes".to_string() } else { format!("composed_{number}") };
            parts.push((name.clone(), select(&columns, &from)));
            from = name;
        }
        outcomes.check(self)?;
        let votes: Vec<String> = self
            .sources
            .iter()
            .zip(&made)
            .enumerate()
            .map(|(i, (source, outcome))| {
                let vote = outcome.as_ref().map(|outcome| outcome.vote(&column(i), source, dialect));
                format!("{} AS {}", vote.unwrap_or_default(), dialect.name(&source.name))
            })
            .collect();
        parts.push(("votes".to_string(), select(&votes, &from)));
        let parts: Vec<String> =
            parts.iter().map(|(name, query)| format!("{name} AS (\n{query}\n)")).collect();
        let names: Vec<String> = self.sources.iter().map(|source| dialect.name(&source.name)).collect();
        let (names, count) = (names.join(", "), dialect.name(COUNT));
        Ok(format!(
            "WITH {}\nSELECT {names}, count(*) AS {count}\nFROM votes\nGROUP BY {names};\n",
            parts.join(", ")
        ))
    }

    /// Columns whose names differ only by case are one column to these engines.
    fn refuse_like_names(&self) -> Result<(), ApplyError> {
        for (i, source) in self.sources.iter().enumerate() {
            let name = source.name.to_lowercase();
            if name == COUNT {
                let message = format!("has the name of the column of counts, {COUNT}; rename the source");
                return Err(refusal(source, message));
            }
            if let Some(other) = self.sources[..i].iter().find(|other| other.name.to_lowercase() == name) {
                let message = format!(
                    "its name differs from {:?} only by case, which SQL ignores; rename one of the two",
                    other.name
                );
                return Err(refusal(source, message));
            }
        }
        Ok(())
    }
}

/// The column of a source's outcome, which no other table of the query has.
fn column(source: usize) -> String {
    format!("source_{}", source + 1)
}

fn select(columns: &[String], from: &str) -> String {
    format!("  SELECT\n    {}\n  FROM {from}", columns.join(",\n    "))
}

fn refusal(source: &Declared, message: impl Into<String>) -> ApplyError {
    ApplyError::Source { source_name: source.name.clone(), line: source.place.0, message: message.into() }
}

/// What to do about a query that cannot be written.
fn instead(problem: &str) -> String {
    format!("{problem}; run apply --patterns instead")
}
