//! The report as Markdown, for issues, wikis and terminals.

use std::fmt::Write as _;

use consilience::findings::{LabelMethod, Link, Report};
use consilience::interval::Interval;

use crate::sections::comparison::title;
use crate::text::{counted, flags, one_digit, percent, thousands};

/// So many pairs of sources are listed.
const MOST_PAIRS: usize = 20;

/// The report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut text = String::new();
    let head = &report.headline;
    let worth = if head.repeating == 0 {
        "None of them repeats another.".to_string()
    } else {
        format!("Equivalent to {} independent votes.", one_digit(head.effective_votes))
    };
    let _ = write!(
        text,
        "# {}\n\n**{}. {worth}** {} with {} votes each on average; {} have a vote, {} have votes in conflict.\n",
        plain(&report.table),
        counted(head.sources as u64, "source", "sources"),
        counted(head.items, "item", "items"),
        one_digit(head.votes_per_item),
        percent(head.coverage),
        percent(head.conflicts)
    );
    pairs(&mut text, report);
    sources(&mut text, report);
    comparison(&mut text, report);
    certificate(&mut text, report);
    text.push_str("\n## How this was made\n\n");
    for setting in &report.settings {
        let _ = writeln!(text, "- {}: {}", plain(&setting.name), plain(&setting.value));
    }
    for note in &report.notes {
        let _ = writeln!(text, "- {}", plain(note));
    }
    text
}

fn pairs(text: &mut String, report: &Report) {
    if report.links.is_empty() {
        return;
    }
    let mut strongest: Vec<&Link> = report.links.iter().collect();
    strongest.sort_by(|a, b| b.strength().total_cmp(&a.strength()).then(a.sources.cmp(&b.sources)));
    let explained = strongest.iter().take(MOST_PAIRS).any(|link| link.explanation.is_some());
    text.push_str("\n## Who repeats whom\n\n| source | source | repeats | z |");
    text.push_str(if explained {
        " explanation |\n|---|---|---:|---:|---|\n"
    } else {
        "\n|---|---|---:|---:|\n"
    });
    for link in strongest.iter().take(MOST_PAIRS) {
        let [a, b] = link.sources.map(|j| plain(&report.sources[j].name));
        let share = link.share.map_or("–".to_string(), percent);
        let z = link.z.map_or("–".to_string(), |z| format!("{z:.1}"));
        let why = link.explanation.as_deref().map(plain).unwrap_or_default();
        let why = if explained { format!(" {why} |") } else { String::new() };
        let _ = writeln!(text, "| {a} | {b} | {share} | {z} |{why}");
    }
    if strongest.len() > MOST_PAIRS {
        let _ = writeln!(text, "\nThe {MOST_PAIRS} strongest of {} pairs.", strongest.len());
    }
}

fn sources(text: &mut String, report: &Report) {
    let gold = report.sources.iter().any(|source| source.gold_accuracy.is_some());
    text.push_str("\n## Sources\n\n| source | votes on | conflicts | accuracy | interval | counts |");
    text.push_str(if gold { " by gold |" } else { "" });
    text.push_str(" to know |\n|---|---:|---:|---:|---|---:|");
    text.push_str(if gold { "---:|---|\n" } else { "---|\n" });
    for source in &report.sources {
        let accuracy = source.accuracy.map_or("–".to_string(), percent);
        let interval = source
            .interval
            .map_or("–".to_string(), |[low, high]| format!("{} to {}", percent(low), percent(high)));
        let by_gold = match (gold, source.gold_accuracy) {
            (false, _) => String::new(),
            (true, None) => " – |".to_string(),
            (true, Some(right)) => format!(" {} |", percent(right)),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {accuracy} | {interval} | {} |{by_gold} {} |",
            plain(&source.name),
            percent(source.coverage),
            percent(source.conflicts),
            percent(1.0 - source.discount),
            plain(&flags(&source.flags).join("; "))
        );
    }
}

fn comparison(text: &mut String, report: &Report) {
    text.push_str("\n## Three ways to label\n\n| | labelled | ties | labels that differ | mean confidence | right by gold |\n|---|---:|---:|---:|---:|---:|\n");
    for method in &report.comparison.methods {
        let right =
            method.scores.map_or("–".to_string(), |scores| format!("{:.1}%", 100.0 * scores.accuracy));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {right} |",
            title(method.name),
            thousands(method.labelled),
            thousands(method.tied),
            if method.name == LabelMethod::Model { "–".to_string() } else { thousands(method.differs) },
            percent(method.confidence)
        );
    }
}

fn certificate(text: &mut String, report: &Report) {
    let Some(certificate) = &report.certificate else { return };
    let _ = write!(
        text,
        "\n## Certificate\n\nFrom {}, 95% intervals.\n\n| | estimate | interval |\n|---|---:|---|\n",
        counted(certificate.answers as u64, "answer", "answers")
    );
    let mut row = |name: &str, found: Option<&Interval>| {
        if let Some(found) = found {
            let _ = writeln!(
                text,
                "| {name} | {} | {} to {} |",
                percent(found.estimate),
                percent(found.low),
                percent(found.high)
            );
        }
    };
    row("right labels", certificate.accuracy.as_ref());
    row("mean F1", certificate.macro_f1.as_ref());
    for (name, share) in &certificate.shares {
        row(&format!("share of {}", plain(name)), Some(&share.interval));
    }
}

/// A name on one line that no Markdown reader takes for markup.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => plain.push_str("&lt;"),
            '&' => plain.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' => {
                plain.push('\\');
                plain.push(c);
            }
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}
