//! How reliable each source is.

use std::fmt::Write as _;

use consilience::findings::{Report, SourceSummary};

use crate::chart::whisker;
use crate::text::{escape, flags, percent, thousands};

/// More sources are not listed, so that the page stays small; the JSON has all.
const MOST_LISTED: usize = 500;

pub(crate) fn write(page: &mut String, report: &Report) {
    let gold = report.sources.iter().any(|source| source.gold_accuracy.is_some());
    let lead = if gold {
        "Estimated from the votes alone. The line is a 95% interval; the vertical mark is the accuracy against gold, which the estimates have not seen."
    } else {
        "Estimated from the votes alone. The line is a 95% interval; the small mark is one half."
    };
    super::open(page, "sources", "Sources", lead);
    page.push_str("<div class=\"scroll\"><table class=\"sources\">\n<thead><tr><th>Source</th><th class=\"number\">Votes on</th><th class=\"number\">Conflicts</th><th colspan=\"2\">Accuracy</th><th class=\"number\">Counts</th><th>Notes</th></tr></thead>\n<tbody>\n");
    let mut order: Vec<&SourceSummary> = report.sources.iter().collect();
    if order.len() > MOST_LISTED {
        order.sort_by_key(|source| std::cmp::Reverse(source.votes));
        order.truncate(MOST_LISTED);
    }
    for source in &order {
        row(page, source);
    }
    page.push_str("</tbody>\n</table></div>\n");
    if report.sources.len() > order.len() {
        let _ = writeln!(
            page,
            "<p class=\"quiet\">The {MOST_LISTED} sources with the most votes, of {}; --format json has all.</p>",
            thousands(report.sources.len() as u64)
        );
    }
    super::close(page);
}

fn row(page: &mut String, source: &SourceSummary) {
    let dot = source.group.map_or(String::new(), |group| format!("<i class=\"key g{}\"></i>", group % 8));
    let accuracy = source.accuracy.map_or("–".to_string(), percent);
    let line =
        source.accuracy.map_or(String::new(), |right| whisker(right, source.interval, source.gold_accuracy));
    let flags: Vec<String> =
        flags(&source.flags).iter().map(|known| format!("<span>{}</span>", escape(known))).collect();
    let counts = if source.votes == 0 { "–".to_string() } else { percent(1.0 - source.discount) };
    let _ = writeln!(
        page,
        "<tr><th scope=\"row\">{dot}{}</th><td class=\"number\"><i class=\"share\" style=\"--share:{:.3}\"></i>{}</td><td class=\"number\">{}</td><td class=\"number\">{accuracy}</td><td class=\"line\">{line}</td><td class=\"number{}\">{counts}</td><td class=\"flags\">{}</td></tr>",
        escape(&source.name),
        source.coverage,
        percent(source.coverage),
        percent(source.conflicts),
        if source.discount > 0.0 { " strong" } else { "" },
        flags.join(" "),
    );
}
