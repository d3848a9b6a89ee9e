//! Explanations as text.

use std::fmt::Write as _;

use consilience::labels::{ItemExplanation, JoinedKind, PanelExplanation, SourceExplanation};
use consilience::sources::Classes;

use super::table::{Column, table};
use crate::terminal::{counted, printable};

/// Sources named in one line, at most.
const MOST_NAMES: usize = 4;

/// Why an item has its label.
pub(crate) fn item(
    explained: &ItemExplanation,
    name: &str,
    classes: &Classes,
    width: Option<usize>,
) -> String {
    let mut text = format!("item {}: {}\n", printable(name), label_of(explained, classes));
    let list = classes.names().iter().zip(&explained.probabilities);
    let probabilities: Vec<String> = list.map(|(class, p)| format!("{} {p:.3}", printable(class))).collect();
    let _ = writeln!(text, "{}", probabilities.join(", "));
    let _ = writeln!(
        text,
        "log odds of {} against {}: {:+.2}, of which {:+.2} from the prior",
        printable(&explained.label),
        printable(&explained.against),
        explained.log_odds,
        explained.prior
    );
    if let Some(answers) = &explained.answers {
        let list = classes.names().iter().zip(&answers.probabilities_before);
        let before: Vec<String> = list.map(|(class, p)| format!("{} {p:.3}", printable(class))).collect();
        let _ = writeln!(
            text,
            "without the {}: {}",
            counted(answers.answers as u64, "answer", "answers"),
            before.join(", ")
        );
        let _ = writeln!(
            text,
            "the answers multiply log odds of {:+.2} by {:.2}, add {:+.2} for class shares and {:+.2} for votes: {:+.2}",
            answers.log_odds_before, answers.slope, answers.shares, answers.votes, answers.log_odds
        );
    }
    if explained.contributions.is_empty() {
        text.push_str("nobody votes on it\n");
        return text;
    }
    let taught = explained.answers.is_some();
    let mut columns = vec![Column::Name("Source"), Column::Name("Vote"), Column::Number("Log odds")];
    if taught {
        columns.push(Column::Number("By answers"));
    }
    columns.extend([
        Column::Number("Repeated"),
        Column::Name("Label without it"),
        Column::Number("p without it"),
    ]);
    let rows: Vec<Vec<String>> = explained
        .contributions
        .iter()
        .map(|contribution| {
            let mut cells = vec![
                contribution.source.clone(),
                contribution.vote.clone(),
                format!("{:+.2}", contribution.log_odds),
            ];
            cells.extend(contribution.answers.map(|shift| format!("{shift:+.2}")));
            cells.extend([
                format!("{:.0}%", 100.0 * contribution.discount),
                contribution.label_without.clone(),
                format!("{:.3}", contribution.probability_without),
            ]);
            cells
        })
        .collect();
    text.push('\n');
    text.push_str(&table(&columns, &rows, width));
    text.push('\n');
    let one_by_one: f64 = explained.contributions.iter().map(|contribution| contribution.log_odds).sum();
    let together = explained.log_odds - explained.prior;
    if explained.contributions.len() > 1 && (one_by_one - together).abs() >= 0.005 {
        let _ = writeln!(
            text,
            "\nThe log odds of a vote are what would be lost without it. All votes together add {together:+.2}, \
             one by one {one_by_one:+.2}: agreeing votes overlap."
        );
    }
    text
}

/// The label as `label` writes it, or why there is none.
fn label_of(explained: &ItemExplanation, classes: &Classes) -> String {
    if explained.contributions.is_empty() {
        return "no label, nobody votes on it".to_string();
    }
    let highest = explained.probabilities.iter().copied().fold(0.0, f64::max);
    let best = classes.names().iter().zip(&explained.probabilities).filter(|(_, p)| **p >= highest - TIED);
    match best.map(|(class, _)| printable(class).into_owned()).collect::<Vec<_>>() {
        tied if tied.len() > 1 => format!("no label, a tie of {}", tied.join(" and ")),
        _ => printable(&explained.label).into_owned(),
    }
}

/// Probabilities that differ by less are the same.
const TIED: f64 = 1e-9;

/// How reliable a source is.
pub(crate) fn source(explained: &SourceExplanation) -> String {
    let mut text = format!("source {}\n", printable(&explained.source));
    let mut line = |what: &str, value: &str| {
        let _ = writeln!(text, "{what:18} {value}");
    };
    line(
        "votes",
        &format!(
            "{} ({:.1}% of the items)",
            counted(explained.votes, "vote", "votes"),
            100.0 * explained.coverage
        ),
    );
    line("right", &accuracy(explained));
    line("weight", &format!("{:+.2} log odds per vote", explained.weight));
    line("beyond others", &format!("{:+.2} log odds per vote", explained.effective_weight));
    if let Some(answers) = explained.answers {
        line("by answers", &format!("{answers:+.2} log odds per vote"));
    }
    line("repeated", &format!("{:.0}% of its votes repeat what others say", 100.0 * explained.discount));
    if !explained.copies.is_empty() {
        line("exact copies", &printable(&explained.copies.join(", ")));
    }
    for joined in &explained.dependencies {
        let with = printable(&joined.with.join(", ")).into_owned();
        match joined.kind {
            JoinedKind::Repeats if joined.with.iter().all(|name| explained.copies.contains(name)) => {}
            JoinedKind::Repeats => {
                line("repeats", &format!("{with} in {:.0}% of its votes", 100.0 * joined.weight));
            }
            JoinedKind::Dependency(name) => {
                line(name, &format!("with {with}, weight {:+.3}", joined.weight));
            }
        }
    }
    text
}

fn accuracy(explained: &SourceExplanation) -> String {
    match (explained.accuracy, explained.interval) {
        (Some(p), Some([low, high])) => {
            format!("{:.1}% of its votes ({:.1} to {:.1})", 100.0 * p, 100.0 * low, 100.0 * high)
        }
        (Some(p), None) => format!(
            "{:.1}% of its votes, by assumption: too few other sources vote on the same items to measure it",
            100.0 * p
        ),
        _ => "it never votes".to_string(),
    }
}

/// How reliable a panel is.
pub(crate) fn panel(explained: &PanelExplanation, width: Option<usize>) -> String {
    let mut text = format!(
        "{} vote, {:.1} per item; together they count as {:.1} independent ones\n\n",
        counted(explained.voting as u64, "source", "sources"),
        explained.votes_per_item,
        explained.effective_votes
    );
    let columns = [
        Column::Name("Source"),
        Column::Number("Coverage"),
        Column::Number("Right"),
        Column::Word("Interval"),
        Column::Number("Beyond others"),
        Column::Number("Repeated"),
        Column::Name("Depends on"),
    ];
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let row = |source: &SourceExplanation| {
        let mut with: Vec<&str> =
            source.dependencies.iter().flat_map(|joined| &joined.with).map(String::as_str).collect();
        with.retain(|name| !source.copies.iter().any(|copy| copy == name));
        with.extend(source.copies.iter().map(String::as_str));
        let more = with.len().saturating_sub(MOST_NAMES);
        with.truncate(MOST_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        vec![
            source.source.clone(),
            percent(source.coverage),
            source.accuracy.map_or(String::new(), percent),
            match source.interval {
                Some([low, high]) => format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high),
                None if source.accuracy.is_some() => "assumed".to_string(),
                None => String::new(),
            },
            format!("{:+.2}", source.effective_weight),
            format!("{:.0}%", 100.0 * source.discount),
            format!("{}{more}", with.join(", ")),
        ]
    };
    let rows: Vec<Vec<String>> = explained.sources.iter().map(row).collect();
    text.push_str(&table(&columns, &rows, width));
    text.push('\n');
    text
}
