//! The first screen: the number of sources, and how many independent votes they are equivalent to.

use std::fmt::Write as _;

use consilience::findings::Report;

use crate::text::{counted, escape, one_digit, percent, thousands};

pub(crate) fn write(page: &mut String, report: &Report) {
    let head = &report.headline;
    let _ = write!(
        page,
        "<header>\n<p class=\"brand\">Consilience report</p>\n<p class=\"table\">{}</p>\n<h1>{}</h1>\n",
        escape(&report.table),
        sentence(report)
    );
    page.push_str("<dl class=\"tiles\">\n");
    let mut tile = |name: &str, value: &str, about: &str| {
        let _ = writeln!(page, "<div><dt>{name}</dt><dd>{value}<small>{about}</small></dd></div>");
    };
    tile(
        "Items",
        &thousands(head.items),
        &format!("{} with a vote, {} in conflict", percent(head.coverage), percent(head.conflicts)),
    );
    tile(
        "Votes per item",
        &one_digit(head.votes_per_item),
        &format!("{} votes for {}", thousands(head.votes), counted(head.classes as u64, "class", "classes")),
    );
    tile(
        "Changed from majority",
        &thousands(head.differs_from_majority),
        &format!("{} of the items", percent(head.differs_from_majority as f64 / head.items.max(1) as f64)),
    );
    match (&report.certificate, report.comparison.methods[2].scores) {
        (Some(certificate), _) if certificate.accuracy.is_some() => {
            if let Some(right) = &certificate.accuracy {
                let about = format!(
                    "{} to {} by {}",
                    percent(right.low),
                    percent(right.high),
                    counted(certificate.answers as u64, "answer", "answers")
                );
                tile("Right", &percent(right.estimate), &about);
            }
        }
        (_, Some(scores)) => tile(
            "Right",
            &percent(scores.accuracy),
            &format!("of {} with gold", counted(scores.judged, "item", "items")),
        ),
        _ => {
            tile(
                "Mean confidence",
                &percent(head.confidence),
                "according to the model; check it with answers or gold",
            );
        }
    }
    page.push_str("</dl>\n</header>\n");
}

/// How many independent votes a panel is equivalent to, in one sentence.
fn sentence(report: &Report) -> String {
    let head = &report.headline;
    let sources = counted(head.sources as u64, "source", "sources");
    if head.repeating == 0 {
        return format!("{sources}. <span>None of them repeats another.</span>");
    }
    format!(
        "{sources}, equivalent to <b>{}</b> <span>independent votes.</span>",
        one_digit(head.effective_votes)
    )
}
