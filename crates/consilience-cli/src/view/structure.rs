//! A learned structure for people: the strongest dependencies first, the groups that they make, what was left out and why.

use std::cmp::Ordering;

use consilience::dependency::DependencyType as _;
use consilience::structure::{
    AUTO_WEIGHT, FEWEST_COMMON_ITEMS, LearnedDependency, LeftOut, Origin, Reason, Repetition, Repetitions,
    Select, Structure,
};

use super::table::{Column, table};
use crate::terminal::{counted, printable};

/// Longer lists of names are cut.
const MOST_NAMES: usize = 12;

/// `structure` as text; with `all`, the candidates that were not selected too.
pub(crate) fn structure(structure: &Structure, all: bool, width: Option<usize>) -> String {
    let mut parts = vec![dependencies(structure, all, width)];
    if let Some(found) = structure.repetitions.as_ref().filter(|found| !found.pairs.is_empty()) {
        parts.push(format!("Sources that repeat each other\n{}", repetitions(structure, found, width)));
    }
    if let Some(found) = structure.repetitions.as_ref().filter(|found| !found.once.is_empty()) {
        let lines = found.once.iter().map(|group| format!("  {}", names(structure, group)));
        parts.push(titled("Near copies and echoes, which count as one source", lines));
    }
    let groups = structure.groups();
    if !groups.is_empty() {
        let lines = groups.iter().map(|group| format!("  {}", group_line(structure, group)));
        parts.push(titled("Groups of sources that move together", lines));
    }
    if !structure.copies.is_empty() {
        let title = "Exact copies, which no votes can tell apart (the first represents all)";
        parts.push(titled(
            title,
            structure.copies.iter().map(|group| format!("  {}", with_reason(structure, group))),
        ));
    }
    if !structure.mirrors.is_empty() {
        let title = "Mirror images: one source's vote determines the other's (the first represents both)";
        let lines = structure.mirrors.iter().map(|pair| format!("  {}", with_reason(structure, pair)));
        parts.push(titled(title, lines));
    }
    let left = left_out(structure);
    if !left.is_empty() {
        parts.push(titled("Left out", left.into_iter().map(|line| format!("  {line}"))));
    }
    parts.join("\n\n") + "\n"
}

/// More pairs than this are not listed.
const MOST_PAIRS: usize = 40;

/// Pairs of sources that repeat each other, the strongest first.
fn repetitions(structure: &Structure, found: &Repetitions, width: Option<usize>) -> String {
    let mut columns =
        vec![Column::Name("Source"), Column::Name("Source"), Column::Number("Repeated"), Column::Number("z")];
    let explained = found.pairs.iter().any(|pair| explanation(structure, &pair.sources).is_some());
    if explained {
        columns.push(Column::Word("Explanation"));
    }
    let mut pairs: Vec<_> = found.pairs.iter().collect();
    pairs.sort_by(|a, b| b.share.total_cmp(&a.share));
    let row = |pair: &&Repetition| {
        let [a, b] = pair.sources.map(|j| structure.sources.name(j).to_string());
        let z = pair.z.map_or(String::new(), |z| format!("{z:.1}"));
        let mut row = vec![a, b, format!("{:.0}%", 100.0 * pair.share), z];
        if explained {
            row.push(explanation(structure, &pair.sources).unwrap_or_default());
        }
        row
    };
    let shown = table(&columns, &pairs.iter().take(MOST_PAIRS).map(row).collect::<Vec<_>>(), width);
    match pairs.len().saturating_sub(MOST_PAIRS) {
        0 => shown,
        more => format!("{shown}\n  and {more} more"),
    }
}

/// That some weights may be off, if so.
pub(crate) fn unsettled(structure: &Structure) -> Vec<String> {
    let note = (!structure.unsettled.is_empty()).then(|| {
        let whose = counted(structure.unsettled.len() as u64, "source", "sources");
        format!(
            "the optimum was not reached for {whose} ({}), so their weights may be off; more items, or fewer sources that repeat \
             each other, would help",
            names(structure, &structure.unsettled)
        )
    });
    note.into_iter().collect()
}

fn titled(title: &str, lines: impl Iterator<Item = String>) -> String {
    std::iter::once(title.to_string()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// The kept ones, the strongest first; with `all`, the others behind them, the most certain first.
fn dependencies(structure: &Structure, all: bool, width: Option<usize>) -> String {
    let with_errors = structure.dependencies.iter().any(|learned| learned.z.is_some());
    let mut columns =
        vec![Column::Name("Source"), Column::Name("Source"), Column::Word("Type"), Column::Number("Weight")];
    if with_errors {
        columns.extend([Column::Number("Std. error"), Column::Number("z"), Column::Number("q")]);
    }
    if all {
        columns.push(Column::Word("Kept"));
    }
    let why = |learned: &LearnedDependency| explanation(structure, learned.dependency.sources());
    let explained =
        structure.dependencies.iter().any(|learned| (all || learned.selected) && why(learned).is_some());
    if explained {
        columns.push(Column::Word("Explanation"));
    }
    let row = |learned: &LearnedDependency| {
        let [a, b] = ends(structure, learned);
        let mut row = vec![a, b, learned.dependency.name().to_string(), format!("{:.3}", learned.weight)];
        if with_errors {
            let number = |value: Option<f64>, digits: usize| {
                value.map_or(String::new(), |value| format!("{value:.digits$}"))
            };
            row.extend([number(learned.stderr, 3), number(learned.z, 1), small(learned.q)]);
        }
        if all {
            row.push(if learned.selected { "yes".to_string() } else { String::new() });
        }
        if explained {
            row.push(why(learned).unwrap_or_default());
        }
        row
    };
    let mut shown: Vec<&LearnedDependency> =
        structure.most_certain_first().filter(|learned| all || learned.selected).collect();
    // Stable: equal strengths, and those not kept, stay by certainty.
    shown.sort_by(|a, b| match (a.selected, b.selected) {
        (true, true) => b.weight.abs().total_cmp(&a.weight.abs()),
        (false, false) => Ordering::Equal,
        _ => b.selected.cmp(&a.selected),
    });
    if shown.is_empty() {
        return "no dependencies".to_string();
    }
    table(&columns, &shown.into_iter().map(row).collect::<Vec<_>>(), width)
}

/// How the declarations of sources explain a pair, if they do.
fn explanation(structure: &Structure, sources: &[usize]) -> Option<String> {
    let &[a, b] = sources else { return None };
    structure.explanation(a, b).map(|told| printable(&told).into_owned())
}

fn ends(structure: &Structure, learned: &LearnedDependency) -> [String; 2] {
    [0, 1].map(|end| structure.sources.name(learned.dependency.sources()[end]).to_string())
}

fn small(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| match value {
        value if value < 1e-300 => "0".to_string(),
        value if value < 0.001 => format!("{value:.0e}"),
        value => format!("{value:.3}"),
    })
}

/// Who is in a group, how many of its pairs are tied, and how strongly.
fn group_line(structure: &Structure, group: &[usize]) -> String {
    let inside = |learned: &&LearnedDependency| group.contains(&learned.dependency.sources()[0]);
    let weights: Vec<f64> = structure.selected().filter(inside).map(|learned| learned.weight).collect();
    let Some(strongest) = weights.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())) else {
        return names(structure, group);
    };
    let said = match weights.len() {
        1 => format!("weight {strongest:.2}"),
        many => format!("{many} dependencies, the strongest of {strongest:.2}"),
    };
    format!("{} ({said})", names(structure, group))
}

/// One line per thing that the structure leaves out, with the reason.
fn left_out(structure: &Structure) -> Vec<String> {
    let left = LeftOut::of(structure);
    let mut lines = Vec::new();
    for (reason, count) in &left.candidates {
        let what = counted(*count as u64, "candidate", "candidates");
        lines.push(format!("{what}: {}", why(structure, *reason)));
    }
    if let Some((nearest, reason)) = left.nearest.filter(|(nearest, _)| nearest.certainty() > 0.0) {
        let [a, b] = ends(structure, nearest);
        let certainty = nearest.z.map_or(String::new(), |z| format!(", z {z:.1}"));
        let short = match reason {
            Reason::Weak => "too weak",
            Reason::Outranked => "outranked",
            _ => "not certain enough",
        };
        lines.push(format!(
            "closest to being selected: {} and {} ({}, weight {:.3}{certainty}: {short})",
            printable(&a),
            printable(&b),
            nearest.dependency.name(),
            nearest.weight
        ));
    }
    if structure.untested > 0 {
        lines.push(format!(
            "{} with fewer than {FEWEST_COMMON_ITEMS} items in common: too few to test",
            counted(structure.untested as u64, "pair of sources", "pairs of sources")
        ));
    }
    if !left.copies.is_empty() && structure.origin == Origin::Exact {
        lines.push(format!(
            "{}: {}",
            counted(left.copies.len() as u64, "exact copy", "exact copies"),
            names(structure, &left.copies)
        ));
    }
    if !left.silent.is_empty() {
        lines.push(format!(
            "{}: {}",
            counted(left.silent.len() as u64, "source that never votes", "sources that never vote"),
            names(structure, &left.silent)
        ));
    }
    lines
}

/// The rule that selected the dependencies.
pub(crate) fn rule(structure: &Structure) -> String {
    structure.select.map_or("all".to_string(), |select| select.to_string())
}

fn why(structure: &Structure, reason: Reason) -> String {
    let rule = rule(structure);
    match reason {
        Reason::Weak if structure.select == Some(Select::Auto) => {
            format!("certain, but weaker than {AUTO_WEIGHT} (--select auto)")
        }
        Reason::Weak => format!("too weak (--select {rule})"),
        Reason::Outranked => format!("less certain than the others (--select {rule})"),
        _ => format!("may be chance (--select {rule})"),
    }
}

/// The names of a group; of a pair, also how their declarations explain it.
fn with_reason(structure: &Structure, group: &[usize]) -> String {
    let names = names(structure, group);
    explanation(structure, group).map_or(names.clone(), |why| format!("{names} ({why})"))
}

fn names(structure: &Structure, group: &[usize]) -> String {
    let shown: Vec<&str> = group.iter().take(MOST_NAMES).map(|&j| structure.sources.name(j)).collect();
    let more = group.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{more}", printable(&shown.join(", ")))
}
