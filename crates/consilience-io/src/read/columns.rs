//! What each column of a table is for.

use consilience::sources::{MAX_SOURCES, NamesError, Sources};
use hashbrown::HashMap;

use super::error::Problem;
use super::options::ReadOptions;

/// What a column of a wide table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The votes of this source.
    Source(u32),
    Item,
    Gold,
    Ignored,
}

/// Which columns of a long table hold what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LongColumns {
    pub(super) item: usize,
    pub(super) source: usize,
    pub(super) vote: usize,
    pub(super) gold: Option<usize>,
}

impl LongColumns {
    /// The columns in use, in the order of the file.
    pub(super) fn used(&self) -> Vec<usize> {
        let mut used = vec![self.item, self.source, self.vote];
        used.extend(self.gold);
        used.sort_unstable();
        used.dedup();
        used
    }
}

/// How a table is laid out.
#[derive(Debug)]
pub(super) enum Layout {
    Wide { sources: Sources, roles: Vec<Role> },
    Long(LongColumns),
}

/// A problem with the columns, and the column if there is one to blame.
pub(super) type ColumnProblem = (Option<String>, Problem);

/// Names that pandas gives to the index of a table when it saves it.
const PANDAS_INDEX: [&str; 2] = ["__index_level_0__", "Unnamed: 0"];

/// The use that the options give a column, if any.
pub(super) fn named_role(name: &str, options: &ReadOptions) -> Option<Role> {
    if options.item.as_deref() == Some(name) {
        Some(Role::Item)
    } else if options.gold.as_deref() == Some(name) {
        Some(Role::Gold)
    } else if options.ignore.iter().any(|ignored| ignored == name)
        || options.only.as_ref().is_some_and(|only| only != name)
    {
        Some(Role::Ignored)
    } else {
        None
    }
}

/// Refuses the name of a column that cannot be a source.
pub(super) fn check_source_name(name: &str, position: usize) -> Result<(), ColumnProblem> {
    if name.is_empty() {
        return Err((None, Problem::Unnamed { position }));
    }
    if PANDAS_INDEX.contains(&name) {
        return Err((Some(name.to_string()), Problem::PandasIndex { name: name.to_string() }));
    }
    Ok(())
}

/// The layout of a table with one row per item, the uses of whose columns the options say.
pub(super) fn wide(names: &[String], options: &ReadOptions) -> Result<Layout, ColumnProblem> {
    if let Some(name) = options.sources.iter().find(|name| !names.contains(name)) {
        return Err((None, unknown_column(SOURCE, name, names)));
    }
    let mut roles = Vec::with_capacity(names.len());
    let mut sources: Vec<String> = Vec::new();
    let mut first_at = HashMap::with_capacity(names.len());
    for (column, name) in names.iter().enumerate() {
        let role = match named_role(name, options) {
            Some(role) => role,
            None if sources.len() >= MAX_SOURCES => {
                let count = names.len();
                return Err((None, NamesError::TooMany { kind: "source", count, limit: MAX_SOURCES }.into()));
            }
            None => {
                check_source_name(name, column + 1)?;
                sources.push(name.clone());
                Role::Source(sources.len() as u32 - 1)
            }
        };
        if role != Role::Ignored
            && let Some(first) = first_at.insert(name.as_str(), column)
        {
            let (name, first, second) = (name.clone(), first + 1, column + 1);
            return Err((None, NamesError::Twice { kind: "source", name, first, second }.into()));
        }
        roles.push(role);
    }
    if sources.is_empty() {
        return Err((None, Problem::NoSources));
    }
    let sources = Sources::new(sources).map_err(|error| (None, error.into()))?;
    Ok(Layout::Wide { sources, roles })
}

/// What a column is needed for that is to be a source.
pub(super) const SOURCE: &str = "a source";

/// The columns that the options name, each with what it is needed for.
pub(super) fn asked_for(options: &ReadOptions) -> impl Iterator<Item = (&'static str, &String)> {
    let item = options.item.iter().map(|name| ("the items", name));
    let gold = options.gold.iter().map(|name| ("gold", name));
    let only = options.only.iter().map(|name| ("gold", name));
    let long = options.source_column.iter().chain(&options.vote_column).map(|name| ("a long table", name));
    let sources = options.sources.iter().map(|name| (SOURCE, name));
    let ignore = options.ignore.iter().map(|name| ("the columns to ignore", name));
    item.chain(gold).chain(only).chain(long).chain(sources).chain(ignore)
}

/// Refuses options that name a column that is not there, or one column twice.
pub(super) fn check_options(names: &[String], options: &ReadOptions) -> Result<(), ColumnProblem> {
    let mut used: Vec<(&'static str, &String)> = Vec::new();
    for (option, name) in asked_for(options) {
        // In a table with one row per vote, sources are not columns: `wide` asks for them.
        if option == SOURCE && !names.contains(name) {
            continue;
        }
        if !names.contains(name) {
            return Err((None, unknown_column(option, name, names)));
        }
        if let Some(&(first, _)) = used.iter().find(|(first, other)| *first != option && *other == name) {
            return Err((Some(name.clone()), Problem::TwoUses { first, second: option }));
        }
        used.push((option, name));
    }
    Ok(())
}

pub(super) fn unknown_column(wanted: &'static str, name: &str, columns: &[String]) -> Problem {
    // Comparing with all of a million names would take its time; a slip of the pen is found among the first.
    let near = columns.iter().take(1000).map(|column| (distance(name, column), column));
    let nearest = near
        .min_by_key(|(far, _)| *far)
        .filter(|(far, _)| *far <= 2.max(name.len() / 3))
        .map(|(_, c)| c.clone());
    Problem::UnknownColumn { wanted, name: name.to_string(), nearest, columns: columns.to_vec() }
}

/// How many letters must be put in, left out or changed to make one name of the other, the case of letters aside.
fn distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 64;
    let letters =
        |text: &str| -> Vec<char> { text.chars().take(LONGEST).flat_map(char::to_lowercase).collect() };
    let (a, b) = (letters(a), letters(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    fn problem(list: &[&str], options: &ReadOptions) -> String {
        let names = names(list);
        check_options(&names, options).and_then(|()| wide(&names, options)).unwrap_err().1.to_string()
    }

    #[test]
    fn wide_columns_get_their_uses() {
        let options = ReadOptions {
            item: Some("id".into()),
            gold: Some("truth".into()),
            ignore: vec![String::new()],
            ..ReadOptions::default()
        };
        let Ok(Layout::Wide { sources, roles }) = wide(&names(&["", "a", "id", "b", "truth"]), &options)
        else {
            panic!("not wide");
        };
        assert_eq!(sources.names(), ["a", "b"]);
        assert_eq!(roles, [Role::Ignored, Role::Source(0), Role::Item, Role::Source(1), Role::Gold]);
    }

    #[test]
    fn bad_columns_say_what_to_do() {
        let options = ReadOptions::default();
        assert_eq!(
            problem(&["", "a"], &options),
            "column 1 has no name; if it is a row index (as pandas writes), leave it out or read it as the item names, otherwise name it"
        );
        assert_eq!(
            problem(&["x", "a", "x"], &options),
            "duplicate source name \"x\" (positions 1 and 3); rename one of them"
        );
        let gold = ReadOptions { gold: Some("Gld".into()), ..options.clone() };
        assert_eq!(
            problem(&["a", "gold"], &gold),
            "column \"Gld\" does not exist (needed for gold; did you mean \"gold\"?); the columns are \"a\", \"gold\""
        );
        let both = ReadOptions { gold: Some("a".into()), ignore: vec!["a".into()], ..options.clone() };
        assert_eq!(
            problem(&["a", "b"], &both),
            "the column is used for both gold and the columns to ignore; choose one of them"
        );
        let item = ReadOptions { item: Some("a".into()), ..options };
        assert!(problem(&["a"], &item).starts_with("no source columns remain"));
    }

    #[test]
    fn distances_count_slips() {
        assert_eq!(distance("gold", "Gold"), 0);
        assert_eq!(distance("gld", "gold"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
