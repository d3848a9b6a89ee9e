//! What each column of a table is for.

use std::borrow::Cow;

use consilience::sources::{MAX_SOURCES, NamesError, Sources};
use hashbrown::HashMap;

use super::error::Problem;
use super::options::ReadOptions;
use crate::items::ITEM_COLUMN;

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

/// A problem with the columns, and the column where there is one to blame.
pub(super) type ColumnProblem = (Option<String>, Problem);

/// The names, lower case, by which a long table is told from a wide one: one of each.
const ITEM_NAMES: [&str; 2] = ["item", "task"];
const SOURCE_NAMES: [&str; 4] = ["source", "worker", "annotator", "judge"];
const VOTE_NAMES: [&str; 2] = ["vote", "label"];

/// Names that pandas gives to the index of a table when it saves it.
const PANDAS_INDEX: [&str; 2] = ["__index_level_0__", "Unnamed: 0"];

/// The options, and with them that a wide table's column called item names the items, unless they say otherwise.
pub(super) fn with_item_column<'a>(names: &[String], options: &'a ReadOptions) -> Cow<'a, ReadOptions> {
    let is_item = |name: &String| name == ITEM_COLUMN && is_free(name, options);
    let unsaid = options.item.is_none() && options.only.is_none();
    if unsaid && names.iter().any(is_item) && !is_long(names, options) {
        Cow::Owned(ReadOptions { item: Some(ITEM_COLUMN.to_string()), ..options.clone() })
    } else {
        Cow::Borrowed(options)
    }
}

/// The layout of a table with these columns.
pub(super) fn layout(names: &[String], options: &ReadOptions) -> Result<Layout, ColumnProblem> {
    check_options(names, options)?;
    if is_long(names, options) {
        return long_columns(names, options).map(Layout::Long);
    }
    wide(names, options)
}

/// Whether the columns, or the user, say that this is a long table.
pub(super) fn is_long(names: &[String], options: &ReadOptions) -> bool {
    let has_one_of = |wanted: &[&str]| {
        let is_wanted =
            |name: &String| is_free(name, options) && wanted.iter().any(|wanted| same(name, wanted));
        names.iter().any(is_wanted)
    };
    options
        .long
        .unwrap_or_else(|| has_one_of(&ITEM_NAMES) && has_one_of(&SOURCE_NAMES) && has_one_of(&VOTE_NAMES))
}

/// Whether no option gives the column another use than an item, a source or a vote.
fn is_free(name: &String, options: &ReadOptions) -> bool {
    options.gold.as_ref() != Some(name) && !options.ignore.contains(name)
}

fn same(name: &str, wanted: &str) -> bool {
    name.trim().eq_ignore_ascii_case(wanted)
}

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

fn wide(names: &[String], options: &ReadOptions) -> Result<Layout, ColumnProblem> {
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

fn long_columns(names: &[String], options: &ReadOptions) -> Result<LongColumns, ColumnProblem> {
    let exact = |wanted: &str| names.iter().position(|name| name == wanted);
    let any_of = |wanted: &[&str]| {
        wanted
            .iter()
            .find_map(|wanted| names.iter().position(|name| is_free(name, options) && same(name, wanted)))
    };
    let item = match &options.item {
        Some(name) => exact(name),
        None => any_of(&ITEM_NAMES),
    };
    let (source, vote) = (any_of(&SOURCE_NAMES), any_of(&VOTE_NAMES));
    let gold = options.gold.as_deref().and_then(exact);
    if let (Some(item), Some(source), Some(vote)) = (item, source, vote) {
        return Ok(LongColumns { item, source, vote, gold });
    }
    let wanted = [(item, "item"), (source, "source"), (vote, "vote")];
    let missing = wanted.into_iter().filter(|(found, _)| found.is_none());
    let missing = missing.map(|(_, name)| name.to_string()).collect();
    Err((None, Problem::NotLong { missing, columns: names.to_vec() }))
}

/// The columns that the options name, each with the option's spelling on the command line.
pub(super) fn asked_for(options: &ReadOptions) -> impl Iterator<Item = (&'static str, &String)> {
    let item = options.item.iter().map(|name| ("--item", name));
    let gold = options.gold.iter().map(|name| ("--gold", name));
    let only = options.only.iter().map(|name| ("--gold", name));
    item.chain(gold).chain(only).chain(options.ignore.iter().map(|name| ("--ignore", name)))
}

fn check_options(names: &[String], options: &ReadOptions) -> Result<(), ColumnProblem> {
    let mut used: Vec<(&'static str, &String)> = Vec::new();
    for (option, name) in asked_for(options) {
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

pub(super) fn unknown_column(option: &'static str, name: &str, columns: &[String]) -> Problem {
    // Comparing with all of a million names would take its time; a slip of the pen is found among the first.
    let near = columns.iter().take(1000).map(|column| (distance(name, column), column));
    let nearest = near
        .min_by_key(|(far, _)| *far)
        .filter(|(far, _)| *far <= 2.max(name.len() / 3))
        .map(|(_, c)| c.clone());
    Problem::UnknownColumn { option, name: name.to_string(), nearest, columns: columns.to_vec() }
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
        layout(&names(list), options).unwrap_err().1.to_string()
    }

    #[test]
    fn long_tables_are_told_by_their_header() {
        let options = ReadOptions::default();
        let headers = [
            ["item", "source", "vote"],
            ["task", "worker", "label"],
            ["Task", "annotator", "LABEL"],
            ["item", "judge", "label"],
            ["task", "judge", "vote"],
        ];
        for header in headers {
            assert!(is_long(&names(&header), &options), "{header:?}");
        }
        assert!(is_long(&names(&["Label", "WORKER", "time", "task"]), &options));
        assert!(!is_long(&names(&["item", "source", "votes"]), &options));
        assert!(!is_long(&names(&["task", "judge", "class"]), &options));
        let gold = ReadOptions { gold: Some("label".into()), ..options };
        assert!(!is_long(&names(&["item", "judge", "label"]), &gold));
    }

    #[test]
    fn a_long_table_can_be_asked_for() {
        let options = ReadOptions { long: Some(true), item: Some("doc".into()), ..ReadOptions::default() };
        let Ok(Layout::Long(columns)) = layout(&names(&["doc", "judge", "vote", "x"]), &options) else {
            panic!("not long");
        };
        assert_eq!(columns, LongColumns { item: 0, source: 1, vote: 2, gold: None });
        assert_eq!(
            problem(&["doc", "who", "what"], &options),
            "a long table needs the columns item, source, vote (or task, worker, label), but \"source\", \"vote\" is missing; the columns are \"doc\", \"who\", \"what\""
        );
    }

    #[test]
    fn wide_columns_get_their_uses() {
        let options = ReadOptions {
            item: Some("id".into()),
            gold: Some("truth".into()),
            ignore: vec![String::new()],
            ..ReadOptions::default()
        };
        let Ok(Layout::Wide { sources, roles }) = layout(&names(&["", "a", "id", "b", "truth"]), &options)
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
            "column 1 has no name; if it numbers the rows (pandas writes such an index), use --ignore \"\" or --item \"\", else give it a name"
        );
        assert_eq!(
            problem(&["x", "a", "x"], &options),
            "the source name \"x\" stands twice (positions 1 and 3); rename one of them"
        );
        let gold = ReadOptions { gold: Some("Gld".into()), ..options.clone() };
        assert_eq!(
            problem(&["a", "gold"], &gold),
            "there is no column \"Gld\" (asked for by --gold; did you mean \"gold\"?); the columns are \"a\", \"gold\""
        );
        let both = ReadOptions { gold: Some("a".into()), ignore: vec!["a".into()], ..options.clone() };
        assert_eq!(
            problem(&["a", "b"], &both),
            "the column is asked for by both --gold and --ignore; a column has one use"
        );
        let item = ReadOptions { item: Some("a".into()), ..options };
        assert!(problem(&["a"], &item).starts_with("no source column is left"));
    }

    #[test]
    fn distances_count_slips() {
        assert_eq!(distance("gold", "Gold"), 0);
        assert_eq!(distance("gld", "gold"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
