//! Which sources repeat each other: the graph, and the strongest pairs.

use std::fmt::Write as _;

use consilience::findings::{Link, LinkKind, Report};

use crate::graph::Graph;
use crate::text::{counted, escape, percent, thousands};

/// Widths of the picture: on a desk, and on a telephone.
const WIDE: f64 = 900.0;
const NARROW: f64 = 340.0;
/// So many pairs are listed.
const MOST_PAIRS: usize = 12;

pub(crate) fn write(page: &mut String, report: &Report) {
    if report.links.is_empty() {
        super::open(
            page,
            "structure",
            "Who repeats whom",
            "No two sources agree more often than the class and the difficulty of the items explain. Every vote counts in full.",
        );
        super::close(page);
        return;
    }
    let lead = match report.headline.repeating {
        0 => "Some sources depend on each other, but none repeats another: every vote counts in full."
            .to_string(),
        repeating => format!(
            "{} of {} agree with others more often than the class and the difficulty of the items explain. Their votes count in part.",
            repeating,
            counted(report.sources.len() as u64, "source", "sources")
        ),
    };
    super::open(page, "structure", "Who repeats whom", &lead);
    let graph = Graph::of(report);
    page.push_str("<figure>\n");
    if graph.is_matrix() {
        page.push_str(&graph.svg(WIDE));
        let _ = writeln!(
            page,
            "<figcaption>One row and column per source, grouped. A point is a pair of sources that repeat each other; darker means more.</figcaption>\n</figure>"
        );
    } else {
        let _ = write!(
            page,
            "<div class=\"wide\">{}</div><div class=\"narrow\">{}</div>",
            graph.svg(WIDE),
            graph.svg(NARROW)
        );
        let _ = writeln!(
            page,
            "<figcaption>Circles are sources, larger ones vote on more items. Lines join sources that repeat each other; thicker means more. Dashed lines are dependencies that do not discount votes.</figcaption>\n</figure>"
        );
    }
    pairs(page, report);
    super::close(page);
}

fn pairs(page: &mut String, report: &Report) {
    let mut strongest: Vec<&Link> = report.links.iter().collect();
    strongest.sort_by(|a, b| b.strength().total_cmp(&a.strength()).then(a.sources.cmp(&b.sources)));
    page.push_str("<div class=\"scroll\"><table class=\"pairs\">\n<thead><tr><th>Pair</th><th></th><th class=\"number\">Repeats</th><th class=\"number\">z</th></tr></thead>\n<tbody>\n");
    for link in strongest.iter().take(MOST_PAIRS) {
        let [a, b] = link.sources.map(|j| escape(&report.sources[j].name));
        let what = match link.kind {
            LinkKind::Copy => "exact copies",
            LinkKind::Mirror => "mirror images",
            LinkKind::Once => "count as one",
            LinkKind::Repeats => "repeat each other",
            _ => "depend on each other",
        };
        let why = link.explanation.as_ref().map_or(String::new(), |why| format!(": {}", escape(why)));
        let share = link.share.map_or("–".to_string(), percent);
        let z = link.z.map_or("–".to_string(), |z| format!("{z:.1}").replace('-', "−"));
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{a} <i>and</i> {b}</th><td class=\"quiet\">{what}{why}</td><td class=\"number\">{share}</td><td class=\"number\">{z}</td></tr>"
        );
    }
    page.push_str("</tbody>\n</table></div>\n");
    if strongest.len() > MOST_PAIRS {
        let _ = writeln!(
            page,
            "<p class=\"quiet\">The {MOST_PAIRS} strongest of {} pairs.</p>",
            thousands(strongest.len() as u64)
        );
    }
}
