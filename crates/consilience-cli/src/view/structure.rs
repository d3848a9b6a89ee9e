//! A learned structure for people: the most certain dependencies first, and the groups that they make.

use consilience::dependency::DependencyType as _;
use consilience::structure::{LearnedDependency, Structure};

use super::table::{Column, table};
use crate::terminal::printable;

/// Longer lists of names are cut.
const MOST_NAMES: usize = 12;

/// `structure` as text; with `all`, the candidates that were not selected too.
pub(crate) fn structure(structure: &Structure, all: bool, width: Option<usize>) -> String {
    let mut text = String::new();
    let name = |j: usize| structure.sources.name(j).to_string();
    let number =
        |value: Option<f64>, digits: usize| value.map_or(String::new(), |value| format!("{value:.digits$}"));
    let small = |value: Option<f64>| {
        value.map_or(String::new(), |value| match value {
            value if value < 1e-300 => "0".to_string(),
            value if value < 0.001 => format!("{value:.0e}"),
            value => format!("{value:.3}"),
        })
    };
    let with_errors = structure.dependencies.iter().any(|learned| learned.z.is_some());
    let mut columns =
        vec![Column::Name("Source"), Column::Name("Source"), Column::Word("Type"), Column::Number("Weight")];
    if with_errors {
        columns.extend([Column::Number("Std. error"), Column::Number("z"), Column::Number("q")]);
    }
    if all {
        columns.push(Column::Word("Kept"));
    }
    let row = |learned: &LearnedDependency| {
        let sources = learned.dependency.sources();
        let mut row = vec![
            name(sources[0]),
            name(sources[1]),
            learned.dependency.name().to_string(),
            format!("{:.3}", learned.weight),
        ];
        if with_errors {
            row.extend([number(learned.stderr, 3), number(learned.z, 1), small(learned.q)]);
        }
        if all {
            row.push(if learned.selected { "yes".to_string() } else { String::new() });
        }
        row
    };
    let shown = structure.most_certain_first().filter(|learned| all || learned.selected);
    let rows: Vec<Vec<String>> = shown.map(row).collect();
    if rows.is_empty() {
        text.push_str("no dependencies\n");
    } else {
        text.push_str(&table(&columns, &rows, width));
        text.push('\n');
    }
    let groups = structure.groups();
    if !groups.is_empty() {
        text.push_str("\nGroups of sources that depend on each other\n");
        text.extend(groups.iter().map(|group| format!("  {}\n", names(structure, group))));
    }
    if !structure.copies.is_empty() {
        text.push_str("\nExact copies, which no votes can tell apart (the first speaks for all)\n");
        text.extend(structure.copies.iter().map(|group| format!("  {}\n", names(structure, group))));
    }
    text
}

fn names(structure: &Structure, group: &[usize]) -> String {
    let shown: Vec<&str> = group.iter().take(MOST_NAMES).map(|&j| structure.sources.name(j)).collect();
    let more = group.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{more}", printable(&shown.join(", ")))
}
