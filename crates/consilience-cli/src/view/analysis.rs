//! The analysis of a table of votes, for people.

use consilience::report::{Analysis, ClassAnalysis, PairAnalysis, SourceAnalysis};

use super::table::{Column, table};
use crate::terminal::{counted, printable, thousands};

/// More classes than this are not listed one by one.
const MOST_CLASSES: usize = 6;

/// More names than this are not listed one by one.
const MOST_NAMES: usize = 8;

/// `analysis` as text of at most `width` columns if possible; `name` is what the table is called.
pub(crate) fn analysis(analysis: &Analysis, name: &str, width: Option<usize>) -> String {
    let mut parts = vec![summary(analysis, name), sources(analysis, width)];
    if !analysis.pairs.is_empty() {
        parts.push(strongest_pairs(analysis, width));
    }
    let notes = notes(analysis);
    if !notes.is_empty() {
        parts.push(notes.join("\n"));
    }
    parts.join("\n\n") + "\n"
}

fn summary(analysis: &Analysis, name: &str) -> String {
    let items = analysis.items as f64;
    let mut lines = vec![
        printable(name).into_owned(),
        String::new(),
        entry(
            "items",
            &thousands(analysis.items),
            &counted(analysis.patterns, "distinct row", "distinct rows"),
        ),
        entry(
            "sources",
            &thousands(analysis.sources.len() as u64),
            &counted(analysis.classes.len() as u64, "class", "classes"),
        ),
        entry("votes", &thousands(analysis.votes), &format!("{:.2} per item", analysis.votes as f64 / items)),
        entry("coverage", &percent(analysis.coverage), "of items have a vote"),
        entry("overlaps", &percent(analysis.overlaps), "have two or more votes"),
        entry("conflicts", &percent(analysis.conflicts), "have votes for different classes"),
    ];
    if let Some(known) = analysis.items_with_gold {
        lines.push(entry("gold", &thousands(known), "items with a known class"));
    }
    lines.push(String::new());
    lines.push(format!("  votes by class   {}", class_balance(&analysis.classes)));
    lines.join("\n")
}

fn entry(what: &str, value: &str, meaning: &str) -> String {
    format!("  {what:<10}{value:>12}   {meaning}")
}

fn class_balance(classes: &[ClassAnalysis]) -> String {
    let mut by_votes: Vec<&ClassAnalysis> = classes.iter().collect();
    if classes.len() > MOST_CLASSES {
        by_votes.sort_by_key(|class| std::cmp::Reverse(class.votes));
    }
    let mut shown: Vec<String> = by_votes
        .iter()
        .take(MOST_CLASSES)
        .map(|class| format!("{} {}", printable(&class.name), percent(class.share)))
        .collect();
    if classes.len() > MOST_CLASSES {
        shown.push(format!("{} more", classes.len() - MOST_CLASSES));
    }
    shown.join(", ")
}

fn sources(analysis: &Analysis, width: Option<usize>) -> String {
    let mut columns = vec![
        Column::Name("Source"),
        Column::Word("Polarity"),
        Column::Number("Coverage"),
        Column::Number("Overlaps"),
        Column::Number("Conflicts"),
    ];
    if analysis.items_with_gold.is_some() {
        columns.extend([Column::Number("Correct"), Column::Number("Incorrect"), Column::Number("Emp. Acc.")]);
    }
    let row = |source: &SourceAnalysis| {
        let mut row = vec![
            source.name.clone(),
            polarity(&source.polarity),
            percent(source.coverage),
            percent(source.overlaps),
            percent(source.conflicts),
        ];
        if let Some(gold) = &source.gold {
            row.extend([thousands(gold.correct), thousands(gold.incorrect)]);
            row.push(gold.accuracy.map_or_else(nothing, percent));
        }
        row
    };
    table(&columns, &analysis.sources.iter().map(row).collect::<Vec<_>>(), width)
}

fn polarity(classes: &[String]) -> String {
    let mut shown: Vec<&str> = classes.iter().take(MOST_CLASSES).map(String::as_str).collect();
    let more = format!("{} more", classes.len().saturating_sub(MOST_CLASSES));
    if classes.len() > MOST_CLASSES {
        shown.push(&more);
    }
    if shown.is_empty() { "none".to_string() } else { shown.join(", ") }
}

fn strongest_pairs(analysis: &Analysis, width: Option<usize>) -> String {
    let columns = [
        Column::Name("Pair"),
        Column::Name(""),
        Column::Number("Both vote"),
        Column::Number("Agree"),
        Column::Number("By chance"),
        Column::Number("Kappa"),
        Column::Number("Kappa, all"),
    ];
    let row = |pair: &PairAnalysis| {
        let [a, b] = pair.sources.clone();
        vec![
            a,
            b,
            thousands(pair.both),
            percent(pair.agreement),
            percent(pair.chance),
            kappa(pair.kappa),
            kappa(pair.kappa_all),
        ]
    };
    let rows = analysis.pairs.iter().map(row).collect::<Vec<_>>();
    format!(
        "Pairs furthest from chance ({} of {})\n\n{}",
        thousands(analysis.pairs.len() as u64),
        thousands(analysis.pairs_compared.unwrap_or_default()),
        table(&columns, &rows, width)
    )
}

fn notes(analysis: &Analysis) -> Vec<String> {
    let mut notes = Vec::new();
    if analysis.pairs_compared.is_none() {
        notes.push("note: too many pairs of sources share items; pairs are left out".to_string());
    }
    for copies in analysis.copies.iter().take(MOST_NAMES) {
        notes.push(format!("note: {} vote the same on every item", listed(copies)));
    }
    if analysis.copies.len() > MOST_NAMES {
        let more = (analysis.copies.len() - MOST_NAMES) as u64;
        notes.push(format!("note: {} of copies", counted(more, "more group", "more groups")));
    }
    match analysis.items_without_votes {
        0 => {}
        1 => notes.push("note: 1 item has no vote".to_string()),
        many => notes.push(format!("note: {} items have no vote", thousands(many))),
    }
    notes
}

fn listed(names: &[String]) -> String {
    let mut shown: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| printable(name).into_owned()).collect();
    if names.len() > MOST_NAMES {
        shown.push(format!("{} more", names.len() - MOST_NAMES));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

fn kappa(kappa: Option<f64>) -> String {
    // Rounding must not leave a minus before a zero.
    let rounded = |kappa: f64| format!("{:.3}", if kappa.abs() < 5e-4 { 0.0 } else { kappa });
    kappa.map_or_else(nothing, rounded)
}

/// Shown if there is no number.
fn nothing() -> String {
    "-".to_string()
}
