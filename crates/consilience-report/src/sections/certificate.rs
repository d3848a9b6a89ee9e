//! What answers say about the labels.

use std::fmt::Write as _;

use consilience::findings::Report;
use consilience::interval::Interval;

use crate::chart::whisker;
use crate::text::{counted, escape, percent};

pub(crate) fn write(page: &mut String, report: &Report) {
    let Some(certificate) = &report.certificate else { return };
    let taught = if certificate.cross_fitted {
        " The answers also corrected the model; each was compared with the label of a model that had not seen it."
    } else {
        ""
    };
    let lead = format!(
        "The labels judged by {} to a random sample, with 95% intervals.{taught}",
        counted(certificate.answers as u64, "answer", "answers")
    );
    super::open(page, "certificate", "Certificate", &lead);
    page.push_str("<div class=\"scroll\"><table class=\"certificate\">\n<tbody>\n");
    let mut row = |name: &str, interval: Option<&Interval>| {
        let Some(found) = interval else { return };
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{name}</th><td class=\"number strong\">{}</td><td class=\"line\">{}</td><td class=\"quiet\">{} to {}</td></tr>",
            percent(found.estimate),
            whisker(found.estimate, Some([found.low, found.high]), None),
            percent(found.low),
            percent(found.high)
        );
    };
    row("Right labels", certificate.accuracy.as_ref());
    row("Mean F1", certificate.macro_f1.as_ref());
    for (name, class) in &certificate.classes {
        let name = escape(name);
        row(&format!("Precision of {name}"), class.precision.as_ref());
        row(&format!("Recall of {name}"), class.recall.as_ref());
    }
    for (name, share) in &certificate.shares {
        row(&format!("Share of {}", escape(name)), Some(&share.interval));
    }
    page.push_str("</tbody>\n</table></div>\n");
    super::close(page);
}
