//! Majority vote, independent sources and the model next to each other.

use std::fmt::Write as _;

use consilience::findings::{Disputed, LabelMethod, Report};

use crate::text::{counted, escape, percent, short, thousands};

/// So many votes on one item are shown.
const MOST_VOTES: usize = 24;

pub(crate) fn title(method: LabelMethod) -> &'static str {
    match method {
        LabelMethod::Majority => "Majority vote",
        LabelMethod::Independent => "Independent sources",
        LabelMethod::Model => "With structure",
    }
}

pub(crate) fn write(page: &mut String, report: &Report) {
    super::open(
        page,
        "comparison",
        "Three ways to label",
        "Majority vote counts every vote the same. Independent sources count by their accuracy. With structure, votes that repeat others count once.",
    );
    let scored = report.comparison.methods[2].scores.is_some();
    page.push_str("<div class=\"scroll\"><table class=\"methods\">\n<thead><tr><th></th><th class=\"number\">Labelled</th><th class=\"number\">Ties</th><th class=\"number\">Labels that differ</th><th class=\"number\">Mean confidence</th>");
    if scored {
        page.push_str("<th class=\"number\">Right by gold</th><th class=\"number\">Log loss</th><th class=\"number\">Calibration error</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    let best = report
        .comparison
        .methods
        .iter()
        .filter_map(|method| method.scores)
        .map(|scores| scores.accuracy)
        .fold(0.0, f64::max);
    for method in &report.comparison.methods {
        let differs =
            if method.name == LabelMethod::Model { "–".to_string() } else { thousands(method.differs) };
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{differs}</td><td class=\"number\">{}</td>",
            title(method.name),
            thousands(method.labelled),
            thousands(method.tied),
            percent(method.confidence)
        );
        if let Some(scores) = method.scores {
            let strong = if scores.accuracy >= best { " strong" } else { "" };
            let _ = write!(
                page,
                "<td class=\"number{strong}\">{:.1}%</td><td class=\"number\">{:.3}</td><td class=\"number\">{:.3}</td>",
                100.0 * scores.accuracy,
                scores.log_loss,
                scores.calibration_error
            );
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table></div>\n");
    disputed(page, report);
    super::close(page);
}

fn disputed(page: &mut String, report: &Report) {
    if report.comparison.disputed.is_empty() {
        return;
    }
    page.push_str("<h3>Where they differ most</h3>\n<div class=\"cards\">\n");
    for item in &report.comparison.disputed {
        card(page, report, item);
    }
    page.push_str("</div>\n");
}

fn card(page: &mut String, report: &Report, item: &Disputed) {
    let alike = match item.alike {
        1 => String::new(),
        alike => format!("<small>and {} with the same votes</small>", counted(alike - 1, "item", "items")),
    };
    let _ =
        write!(page, "<article><h4>Item {}{alike}</h4>\n<dl class=\"bars\">", escape(&short(&item.name, 60)));
    for (method, p) in report.comparison.methods.iter().zip(&item.probabilities) {
        let best = (0..p.len()).fold(0, |best, c| if p[c] > p[best] { c } else { best });
        let right = item.gold.map_or("", |gold| if gold == best { " right" } else { " wrong" });
        let _ = write!(
            page,
            "<div><dt>{}</dt><dd class=\"{right}\"><i class=\"share\" style=\"--share:{:.3}\"></i><b>{}</b> {}</dd></div>",
            title(method.name),
            p[best],
            escape(&short(&report.classes[best].name, 24)),
            percent(p[best])
        );
    }
    page.push_str("</dl>\n");
    if let Some(gold) = item.gold
        && let Some(class) = report.classes.get(gold)
    {
        let _ = write!(page, "<p class=\"quiet\">Gold: <b>{}</b></p>", escape(&short(&class.name, 24)));
    }
    page.push_str("<ul class=\"votes\">");
    for class in 0..report.classes.len() {
        let voters: Vec<usize> =
            item.votes.iter().filter(|&&(_, vote)| vote == class).map(|&(j, _)| j).collect();
        if voters.is_empty() {
            continue;
        }
        let mut names: Vec<String> = voters
            .iter()
            .take(MOST_VOTES)
            .map(|&j| format!("<span>{}</span>", escape(&short(&report.sources[j].name, 28))))
            .collect();
        if voters.len() > MOST_VOTES {
            names.push(format!("and {} more", voters.len() - MOST_VOTES));
        }
        let _ = write!(
            page,
            "<li><b>{}</b> {}</li>",
            escape(&short(&report.classes[class].name, 24)),
            names.join(" ")
        );
    }
    page.push_str("</ul></article>\n");
}
