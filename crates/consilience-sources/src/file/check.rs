//! What only shows when the whole file is seen: duplicate names, unknown classes, circles.

use std::ops::Range;

use super::table::{Faults, Found, closest};
use super::{Declared, Keywords, Kind, SourcesFile};
use crate::rules::{MOST_CLASSES, Pattern};

/// Positions in the file.
#[derive(Default)]
pub(super) struct Spans {
    pub(super) class_list: Range<usize>,
    pub(super) classes: Vec<Range<usize>>,
    pub(super) sources: Vec<SourceSpans>,
}

/// The positions of a source's keys.
pub(super) struct SourceSpans {
    pub(super) whole: Range<usize>,
    pub(super) name: Range<usize>,
    pub(super) vote: Option<Range<usize>>,
    pub(super) otherwise: Option<Range<usize>>,
    pub(super) on: Option<Range<usize>>,
    pub(super) lower: Option<Range<usize>>,
    pub(super) kind: Range<usize>,
    pub(super) votes: Vec<Found<String>>,
    pub(super) parts: Vec<Range<usize>>,
}

pub(super) fn check(file: &SourcesFile, spans: &Spans, faults: &mut Faults<'_>) {
    classes(file, spans, faults);
    for (i, (source, at)) in file.sources.iter().zip(&spans.sources).enumerate() {
        let what = format!("source {:?}", source.name);
        if source.name.trim().is_empty() {
            faults.add(&at.name, "a source's name must not be empty");
        }
        if let Some(first) = file.sources[..i].iter().find(|other| other.name == source.name) {
            faults.add(
                &at.name,
                format!("duplicate source name {:?}; the first is in line {}", source.name, first.place.0),
            );
        }
        let named = [(&source.vote, &at.vote), (&source.otherwise, &at.otherwise)];
        let named = named.into_iter().filter_map(|(class, span)| Some((class.as_ref()?, span.as_ref()?)));
        for (class, span) in named.chain(at.votes.iter().map(|found| (&found.value, &found.span))) {
            if !file.classes.is_empty() && !file.classes.contains(class) {
                let list = file.classes.join(", ");
                faults.add(span, format!("{what}: {class:?} is not a class; the classes are {list}"));
            }
        }
        votes(source, at, &what, faults);
        columns(file, source, at, &what, faults);
        rule(source, at, &what, faults);
        for (part, span) in source.kind.parts().iter().zip(&at.parts) {
            if file.position(part).is_none() {
                let meant = closest(part, file.sources.iter().map(|source| source.name.as_str()));
                let meant = meant.map(|meant| format!("; did you mean {meant:?}?")).unwrap_or_default();
                faults.add(span, format!("{what}: there is no source {part:?}{meant}"));
            }
        }
    }
    circles(file, spans, faults);
}

fn classes(file: &SourcesFile, spans: &Spans, faults: &mut Faults<'_>) {
    if spans.classes.len() == 1 {
        faults.add(&spans.class_list, "classes must name at least two classes");
    }
    if file.classes.len() > MOST_CLASSES {
        let message =
            format!("there are {} classes; at most {MOST_CLASSES} are possible", file.classes.len());
        faults.add(&spans.class_list, message);
        return;
    }
    for (i, class) in file.classes.iter().enumerate() {
        if class.trim().is_empty() {
            faults.add(&spans.classes[i], "a class's name must not be empty");
        } else if file.classes[..i].contains(class) {
            faults.add(&spans.classes[i], format!("duplicate class {class:?}"));
        }
    }
}

/// Whether a vote is named if it must be, and only there.
fn votes(source: &Declared, at: &SourceSpans, what: &str, faults: &mut Faults<'_>) {
    let kind = source.kind.name();
    match (&source.kind, &at.vote) {
        (Kind::Sql(_), _) | (Kind::Lookup { vote: None, .. }, Some(_)) | (Kind::Lookup { vote: Some(_), .. }, None) => {}
        (Kind::Lookup { vote: Some(_), .. }, Some(span)) => faults.add(
            span,
            format!("{what}: lookup has a column of votes already; leave out one of the two votes"),
        ),
        (Kind::Lookup { .. }, None) => faults.add(
            &at.kind,
            format!("{what}: name the class with vote = \"...\", or the dictionary's column of classes inside lookup"),
        ),
        (Kind::Column { .. }, Some(span)) => {
            faults.add(span, format!("{what}: the column provides the votes; use map or thresholds instead of vote"));
        }
        (Kind::Command(_), Some(span)) => {
            faults.add(span, format!("{what}: the program provides the votes; leave out vote"));
        }
        (Kind::Column { .. } | Kind::Command(_), None) | (_, Some(_)) => {}
        (_, None) => faults.add(&at.whole, format!("{what}: {kind} needs vote = \"...\", the class to vote for")),
    }
}

/// Whether `on`, `lower` and the column of the texts are there if they mean something.
fn columns(file: &SourcesFile, source: &Declared, at: &SourceSpans, what: &str, faults: &mut Faults<'_>) {
    let kind = source.kind.name();
    let is_text = matches!(source.kind, Kind::Keywords { .. } | Kind::Regex { .. });
    if let Some(on) = at.on.as_ref().filter(|_| !is_text) {
        faults.add(on, format!("{what}: on belongs to regex and keywords, not to {kind}"));
    }
    if let Some(lower) = at.lower.as_ref().filter(|_| !is_text && !matches!(source.kind, Kind::Lookup { .. }))
    {
        faults.add(lower, format!("{what}: lower belongs to regex, keywords and lookup, not to {kind}"));
    }
    let reads_text = is_text || matches!(&source.kind, Kind::Command(command) if command.columns.is_empty());
    if reads_text && file.text_column(source).is_none() {
        let own = if is_text { "on = \"...\"" } else { "columns = [\"...\"]" };
        faults.add(
            &at.kind,
            format!("{what}: no column to read; add text = \"...\" at the head of the file, or {own} here"),
        );
    }
}

fn rule(source: &Declared, at: &SourceSpans, what: &str, faults: &mut Faults<'_>) {
    match &source.kind {
        Kind::Regex { pattern, ignore_case } => {
            if let Err(error) = Pattern::new(pattern, *ignore_case) {
                faults.add(&at.kind, format!("{what}: {error}"));
            }
        }
        Kind::Sql(text) if text.trim().is_empty() => {
            faults.add(
                &at.kind,
                format!("{what}: sql is empty; write an expression such as length(text) < 20"),
            );
        }
        Kind::Keywords { keywords: Keywords::File(file), .. } | Kind::Lookup { file, .. } => {
            if let Err(message) = crate::below::relative(file) {
                faults.add(&at.kind, format!("{what}: {message}"));
            }
        }
        _ => {}
    }
}

/// Sources that are made of themselves.
fn circles(file: &SourcesFile, spans: &Spans, faults: &mut Faults<'_>) {
    // 0 unseen, 1 on the way, 2 done.
    let mut state = vec![0u8; file.sources.len()];
    for start in 0..file.sources.len() {
        let mut way: Vec<(usize, usize)> = if state[start] == 0 { vec![(start, 0)] } else { Vec::new() };
        while let Some((at, next)) = way.last_mut() {
            let (i, part) = (*at, *next);
            state[i] = 1;
            *next += 1;
            let Some(name) = file.sources[i].kind.parts().get(part) else {
                state[i] = 2;
                way.pop();
                continue;
            };
            let Some(child) = file.position(name) else { continue };
            if state[child] == 1 {
                let from = way.iter().position(|&(k, _)| k == child).unwrap_or(0);
                let names: Vec<&str> =
                    way[from..].iter().map(|&(k, _)| file.sources[k].name.as_str()).collect();
                let round = format!("{} -> {}", names.join(" -> "), file.sources[child].name);
                let message = format!("source {:?}: depends on itself: {round}", file.sources[i].name);
                faults.add(&spans.sources[i].kind, message);
            } else if state[child] == 0 {
                way.push((child, 0));
            }
        }
    }
}
