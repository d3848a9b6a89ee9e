//! A certificate as text.

use std::fmt::Write as _;

use consilience::certificate::{Certificate, ClassCertificate, Share};
use consilience::interval::Interval;

use super::table::{Column, table};
use crate::terminal::{counted, printable, thousands};

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn ends(interval: &Interval) -> String {
    format!("{:.1} to {:.1}", 100.0 * interval.low, 100.0 * interval.high)
}

fn whole(interval: Option<&Interval>) -> String {
    interval.map_or("not known".to_string(), |interval| {
        format!("{} ({})", percent(interval.estimate), ends(interval))
    })
}

/// What the answers say about the labels in `file`.
pub(crate) fn certificate(certificate: &Certificate, file: &str, width: Option<usize>) -> String {
    let mut text = format!(
        "{}: {} of {} labelled, {} answered; 95% intervals\n",
        printable(file),
        thousands(certificate.labelled as u64),
        counted(certificate.items as u64, "item", "items"),
        thousands(certificate.answers as u64)
    );
    if certificate.cross_fitted {
        text.push_str(
            "The answers also corrected the model, so each was compared with a model that had not seen\n\
             it (cross-fitting). All numbers except the shares are for unanswered items.\n",
        );
    }
    let mut line = |what: &str, value: &str| {
        let _ = writeln!(text, "{what:12} {value}");
    };
    line("accuracy", &whole(certificate.accuracy.as_ref()));
    line("mean F1", &format!("{}, by Bayesian bootstrap", whole(certificate.macro_f1.as_ref())));
    if let Some(calibration) = &certificate.calibration {
        line(
            "confidence",
            &format!(
                "{} on average, and {} are right; calibration error {:.3}, log loss {:.3}",
                percent(calibration.confidence),
                percent(calibration.right),
                calibration.error,
                calibration.log_loss
            ),
        );
    }
    let shares = [
        Column::Name("Class"),
        Column::Number("Share"),
        Column::Word("Interval"),
        Column::Word("From the answers alone"),
    ];
    let of_share = |(name, share): &(String, Share)| {
        let Share { interval, answers_alone, .. } = share;
        vec![name.clone(), percent(interval.estimate), ends(interval), whole(Some(answers_alone))]
    };
    let rows: Vec<Vec<String>> = certificate.shares.iter().map(of_share).collect();
    text.push('\n');
    text.push_str(&table(&shares, &rows, width));
    text.push_str("\n\n");
    let quality = [
        Column::Name("Class"),
        Column::Number("Precision"),
        Column::Word("Interval"),
        Column::Number("Recall"),
        Column::Word("Interval"),
        Column::Number("F1"),
        Column::Word("Interval"),
    ];
    let of_class = |(name, class): &(String, ClassCertificate)| {
        let mut cells = vec![name.clone()];
        for interval in [&class.precision, &class.recall, &class.f1] {
            cells.push(interval.map_or("-".to_string(), |interval| percent(interval.estimate)));
            cells.push(interval.as_ref().map_or("-".to_string(), ends));
        }
        cells
    };
    let rows: Vec<Vec<String>> = certificate.classes.iter().map(of_class).collect();
    text.push_str(&table(&quality, &rows, width));
    text.push('\n');
    if let Some(within) = &certificate.within {
        let _ = writeln!(text, "\nAnswers needed for intervals of ± {}", percent(within.width));
        let more = |total: usize| match total.saturating_sub(certificate.answers) {
            0 => "enough already".to_string(),
            more => format!("{} ({} more)", thousands(total as u64), thousands(more as u64)),
        };
        if let Some(total) = within.accuracy {
            let _ = writeln!(text, "  accuracy: {}", more(total));
        }
        for (name, total) in &within.shares {
            let _ = writeln!(text, "  share of {}: {}", printable(name), more(*total));
        }
    }
    text
}
