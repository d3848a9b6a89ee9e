//! How sure the labels are, and how often they are right.

use std::fmt::Write as _;

use consilience::findings::Report;

use crate::chart::{calibration, histogram};
use crate::text::{escape, percent, thousands};

pub(crate) fn write(page: &mut String, report: &Report) {
    let judged: u64 = report.confidence.iter().map(|bin| bin.judged).sum();
    let voted: u64 = report.confidence.iter().map(|bin| bin.items).sum();
    let silent = report.headline.items - voted;
    let lead = match silent {
        0 => "The probability of each item's label.".to_string(),
        _ => format!(
            "The probability of each item's label. {} items without votes are left out.",
            thousands(silent)
        ),
    };
    super::open(page, "confidence", "Confidence", &lead);
    let classes = report.headline.classes;
    let _ = write!(
        page,
        "<div class=\"charts\">\n<figure><h3>Items</h3>{}</figure>\n",
        histogram(&report.confidence, classes)
    );
    if judged > 0 {
        let _ = writeln!(
            page,
            "<figure><h3>Right by gold</h3>{}<figcaption>On the line, confidence is calibrated. Larger dots represent more of the {} items with gold.</figcaption></figure>",
            calibration(&report.confidence, classes),
            thousands(judged)
        );
    }
    page.push_str("</div>\n");
    shares(page, report);
    super::close(page);
}

/// More classes are not listed.
const MOST_CLASSES: usize = 40;

fn shares(page: &mut String, report: &Report) {
    page.push_str("<div class=\"scroll\"><table class=\"classes\">\n<thead><tr><th>Class</th><th class=\"number\">Votes</th><th class=\"number\">Share of votes</th><th class=\"number\">Share of items</th></tr></thead>\n<tbody>\n");
    for class in report.classes.iter().take(MOST_CLASSES) {
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\"><i class=\"share\" style=\"--share:{:.3}\"></i>{}</td></tr>",
            escape(&class.name),
            thousands(class.votes),
            percent(class.vote_share),
            class.label_share,
            percent(class.label_share)
        );
    }
    page.push_str("</tbody>\n</table></div>\n");
    if report.classes.len() > MOST_CLASSES {
        let _ = writeln!(
            page,
            "<p class=\"quiet\">The first {MOST_CLASSES} of {} classes.</p>",
            report.classes.len()
        );
    }
}
