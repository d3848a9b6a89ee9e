//! A plan for people.

use consilience::structure::ByRule;
use serde::Serialize;

use super::table::{Column, table};
use crate::terminal::{counted, thousands};

/// A plan, and where its constant c comes from.
#[derive(Debug, Serialize)]
pub(crate) struct PlanReport {
    pub(crate) sources: usize,
    pub(crate) strength: f64,
    pub(crate) confidence: f64,
    pub(crate) degree: usize,
    pub(crate) types: Vec<String>,
    /// The constant c of condition (7), given or estimated; not above 0 if the condition does not hold.
    pub(crate) curvature: Option<f64>,
    /// The number of items that c was estimated from.
    pub(crate) curvature_items: Option<usize>,
    /// How many dependencies could involve one source or the class.
    pub(crate) possible_dependencies: f64,
    pub(crate) rows_needed: ByRule,
    pub(crate) rows: Option<u64>,
    pub(crate) weakest_found: Option<ByRule>,
    /// Why the theory has no number, if it has none.
    pub(crate) theory: Option<&'static str>,
}

/// `report` as text.
pub(crate) fn plan(report: &PlanReport) -> String {
    let mut text = format!(
        "{}, dependencies of strength {} or more ({})\nat most {} per source, including its accuracy; the structure is correct with probability {}\n\n",
        counted(report.sources as u64, "source", "sources"),
        report.strength,
        report.types.join(", "),
        report.degree,
        report.confidence
    );
    let mut columns = vec![Column::Word("Rule"), Column::Number("Rows needed")];
    columns.extend(report.rows.map(|_| Column::Number("Weakest found")));
    let value = |number: Option<f64>, shown: fn(f64) -> String| number.map_or("-".to_string(), shown);
    let row = |name: &str, of: fn(&ByRule) -> Option<f64>| {
        let mut row = vec![name.to_string(), value(of(&report.rows_needed), rows)];
        row.extend(report.weakest_found.as_ref().map(|found| value(of(found), strength)));
        row
    };
    let all = [
        row("Theorem 1 (sufficient)", |rule| rule.theorem),
        row("Corollary 2 (sufficient, correlations only)", |rule| rule.corollary),
        row("Rule of thumb: 750 x degree x ln(sources)", |rule| Some(rule.practice)),
    ];
    text.push_str(&table(&columns, &all, None));
    let mut notes = Vec::new();
    if let Some(rows) = report.rows {
        let rows = counted(rows, "row", "rows");
        notes.push(format!("Weakest found: the smallest strength that {rows} can reveal."));
    }
    if let Some(c) = report.curvature {
        let from = report.curvature_items.map_or(String::new(), |items| {
            format!(", estimated from {}", counted(items as u64, "item", "items"))
        });
        notes.push(format!("The constant c of condition (7) is {}{from}.", short(c)));
    }
    if let Some(theory) = report.theory {
        notes.push(format!("No theoretical values: {theory}."));
    }
    if (report.strength - 0.25).abs() > 1e-9 || report.rows.is_some() {
        notes.push(
            "The rule of thumb was measured at a strength of 0.25 and is scaled by (0.25 / strength)²."
                .to_string(),
        );
    }
    text + "\n\n" + &notes.join("\n") + "\n"
}

/// Rows are whole; beyond what any table holds, three digits say enough.
fn rows(rows: f64) -> String {
    if rows < 1e12 { thousands(rows.ceil() as u64) } else { format!("{rows:.2e}") }
}

/// A weight of 10 is certainty; nothing is stronger.
fn strength(strength: f64) -> String {
    if strength <= 10.0 { format!("{strength:.3}") } else { "none".to_string() }
}

fn short(c: f64) -> String {
    if c.abs() < 1e-12 {
        "0".to_string()
    } else if c.abs() < 0.001 {
        format!("{c:.1e}")
    } else {
        format!("{c:.4}")
    }
}
