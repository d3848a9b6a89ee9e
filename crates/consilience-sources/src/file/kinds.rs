//! One file per source: its kind and the keys that belong to it.

use std::ops::Range;

use super::table::{Faults, Found, Keys, number_of};
use super::{Command, Keywords, Kind, Reading, Side, Threshold};

/// A kind and the places of what is checked later.
pub(super) struct FoundKind {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
    /// Classes that the kind names.
    pub(super) votes: Vec<Found<String>>,
    /// Where its parts are named.
    pub(super) parts: Vec<Range<usize>>,
}

/// The keys that make a kind.
const KINDS: [&str; 10] =
    ["regex", "keywords", "keywords_file", "sql", "lookup", "column", "command", "all", "any", "not"];

/// Keys that belong to one kind.
const OF_KIND: [(&str, &[&str]); 9] = [
    ("words", &["keywords", "keywords_file"]),
    ("ignore_case", &["regex"]),
    ("strip", &["lookup"]),
    ("map", &["column"]),
    ("thresholds", &["column"]),
    ("columns", &["command"]),
    ("batch", &["command"]),
    ("retries", &["command"]),
    ("timeout", &["command"]),
];

/// The kind of a source; exactly one is given.
pub(super) fn kind(
    keys: &mut Keys<'_, '_>,
    whole: &Range<usize>,
    faults: &mut Faults<'_>,
) -> Option<FoundKind> {
    let given: Vec<&'static str> = KINDS.into_iter().filter(|key| keys.span(key).is_some()).collect();
    let (&name, more) = match given.split_first() {
        Some((name, [])) => (name, false),
        Some((name, _)) => (name, true),
        None => {
            let message = format!("{}: has no kind; give it one of {}", keys.what(), KINDS.join(", "));
            faults.add(whole, message);
            take_all(keys);
            return None;
        }
    };
    if more {
        let span = keys.span(given[1]).unwrap_or_default();
        let message = format!("{}: {} are different kinds; keep one", keys.what(), given.join(" and "));
        faults.add(&span, message);
        take_all(keys);
        return None;
    }
    for (key, kinds) in OF_KIND {
        if !kinds.contains(&name)
            && let Some(span) = keys.span(key)
        {
            keys.raw(key);
            let message = format!("{}: {key} belongs to {}, not to {name}", keys.what(), kinds[0]);
            faults.add(&span, message);
        }
    }
    let span = keys.span(name).unwrap_or_default();
    let mut found = FoundKind { kind: Kind::Sql(String::new()), span, votes: Vec::new(), parts: Vec::new() };
    found.kind = match name {
        "regex" => Kind::Regex {
            pattern: keys.text("regex", faults)?.value,
            ignore_case: keys.flag("ignore_case", faults),
        },
        "keywords" | "keywords_file" => keywords(name, keys, faults)?,
        "sql" => Kind::Sql(keys.text("sql", faults)?.value),
        "lookup" => lookup(keys, faults)?,
        "column" => {
            let column = keys.text("column", faults)?.value;
            Kind::Column { column, reading: reading(keys, &mut found.votes, faults) }
        }
        "command" => command(keys, faults)?,
        "not" => {
            let part = keys.text("not", faults)?;
            found.parts.push(part.span);
            Kind::Not(part.value)
        }
        _ => {
            let key = if name == "all" { "all" } else { "any" };
            let list = keys.texts(key, faults)?;
            if list.value.is_empty() {
                faults.add(&list.span, format!("{}: {key} names no sources", keys.what()));
            }
            found.parts = list.value.iter().map(|part| part.span.clone()).collect();
            let parts = list.value.into_iter().map(|part| part.value).collect();
            if key == "all" { Kind::All(parts) } else { Kind::Any(parts) }
        }
    };
    Some(found)
}

/// Keys that cannot be judged are not unknown.
fn take_all(keys: &mut Keys<'_, '_>) {
    for key in KINDS.into_iter().chain(OF_KIND.into_iter().map(|(key, _)| key)).chain(["version"]) {
        keys.raw(key);
    }
}

fn keywords(name: &str, keys: &mut Keys<'_, '_>, faults: &mut Faults<'_>) -> Option<Kind> {
    let words = keys.flag("words", faults);
    let keywords = if name == "keywords_file" {
        Keywords::File(keys.text("keywords_file", faults)?.value)
    } else {
        let list = keys.texts("keywords", faults)?;
        if list.value.is_empty() {
            faults.add(&list.span, format!("{}: keywords is empty; name at least one", keys.what()));
        }
        for keyword in list.value.iter().filter(|keyword| keyword.value.is_empty()) {
            faults.add(
                &keyword.span,
                format!("{}: an empty keyword is in every text; leave it out", keys.what()),
            );
        }
        Keywords::List(list.value.into_iter().map(|keyword| keyword.value).collect())
    };
    Some(Kind::Keywords { keywords, words })
}

fn lookup(keys: &mut Keys<'_, '_>, faults: &mut Faults<'_>) -> Option<Kind> {
    let strip = keys.flag("strip", faults);
    let raw = keys.raw("lookup")?;
    let Some(table) = raw.get_ref().as_table() else {
        let message = format!(
            "{}: lookup must be a table, such as {{ file = \"names.csv\", keys = [\"name\"], vote = \"class\" }}",
            keys.what()
        );
        faults.add(&raw.span(), message);
        return None;
    };
    let mut inner = Keys::new(table, format!("{}, lookup", keys.what()));
    let file = inner.text("file", faults);
    let vote = inner.text("vote", faults).map(|found| found.value);
    let pairs = lookup_keys(&mut inner, faults);
    for (missing, key) in [(file.is_none(), "file"), (pairs.is_none(), "keys")] {
        if missing && inner.span(key).is_none() {
            faults.add(&raw.span(), format!("{}: {key} is missing", inner.what()));
        }
    }
    inner.finish(faults);
    Some(Kind::Lookup { file: file?.value, keys: pairs?, vote, strip })
}

/// Columns of the data and of the dictionary: a list if they have the same names, else a table.
fn lookup_keys(inner: &mut Keys<'_, '_>, faults: &mut Faults<'_>) -> Option<Vec<(String, String)>> {
    let raw = inner.raw("keys")?;
    let pairs: Option<Vec<(String, String)>> = if let Some(table) = raw.get_ref().as_table() {
        table
            .iter()
            .map(|(data, column)| Some((data.get_ref().to_string(), column.get_ref().as_str()?.to_string())))
            .collect()
    } else {
        raw.get_ref().as_array().and_then(|list| {
            list.iter()
                .map(|name| name.get_ref().as_str().map(|name| (name.to_string(), name.to_string())))
                .collect()
        })
    };
    let pairs = pairs.filter(|pairs| !pairs.is_empty());
    if pairs.is_none() {
        let message = format!(
            "{}: keys must be a list of columns, [\"name\"], or a table from columns of the data to those of the file, {{ name = \"alias\" }}",
            inner.what()
        );
        faults.add(&raw.span(), message);
    }
    pairs
}

fn reading(keys: &mut Keys<'_, '_>, votes: &mut Vec<Found<String>>, faults: &mut Faults<'_>) -> Reading {
    let (map, thresholds) = (keys.raw("map"), keys.raw("thresholds"));
    if let (Some(_), Some(thresholds)) = (map, thresholds) {
        faults.add(
            &thresholds.span(),
            format!("{}: map and thresholds exclude each other; keep one", keys.what()),
        );
    }
    if let Some(map) = map {
        let Some(table) = map.get_ref().as_table() else {
            let message =
                format!("{}: map must be a table from cells to classes, {{ \"5\" = \"spam\" }}", keys.what());
            faults.add(&map.span(), message);
            return Reading::Classes;
        };
        let mut pairs = Vec::new();
        for (cell, class) in table {
            match class.get_ref().as_str() {
                Some(name) => {
                    votes.push(Found { value: name.to_string(), span: class.span() });
                    pairs.push((cell.get_ref().to_string(), name.to_string()));
                }
                None => faults.add(
                    &class.span(),
                    format!("{}: the class of {:?} must be a text in quotes", keys.what(), cell.get_ref()),
                ),
            }
        }
        return Reading::Map(pairs);
    }
    let Some(raw) = thresholds else { return Reading::Classes };
    let list: Option<Vec<_>> = raw.get_ref().as_array().filter(|list| !list.is_empty()).and_then(|list| {
        list.iter().map(|entry| Some((entry.span(), entry.get_ref().as_table()?))).collect()
    });
    let Some(list) = list else {
        let message = format!(
            "{}: thresholds must be a list of tables, [{{ at_least = 0.8, vote = \"spam\" }}]",
            keys.what()
        );
        faults.add(&raw.span(), message);
        return Reading::Classes;
    };
    let mut found = Vec::new();
    for (span, table) in list {
        let mut inner = Keys::new(table, format!("{}, thresholds", keys.what()));
        let sides: Vec<(Side, &'static str)> =
            Side::ALL.into_iter().filter(|(_, key)| inner.span(key).is_some()).collect();
        let bounds: Vec<(Side, Option<f64>)> = sides
            .iter()
            .map(|&(side, key)| (side, inner.raw(key).and_then(|value| number_of(value.get_ref()))))
            .collect();
        let vote = inner.text("vote", faults);
        match (&bounds[..], &vote) {
            ([(side, Some(bound))], Some(vote)) if !bound.is_nan() => {
                votes.push(Found { value: vote.value.clone(), span: vote.span.clone() });
                found.push(Threshold { side: *side, bound: *bound, vote: vote.value.clone() });
            }
            _ => {
                let message = format!(
                    "{}: a threshold has one of at_least, above, at_most and below, a number, and a vote",
                    keys.what()
                );
                faults.add(&span, message);
            }
        }
        inner.finish(faults);
    }
    Reading::Thresholds(found)
}

fn command(keys: &mut Keys<'_, '_>, faults: &mut Faults<'_>) -> Option<Kind> {
    let columns = keys.texts("columns", faults).map(|found| found.value).unwrap_or_default();
    let batch = keys.whole("batch", 1, faults).unwrap_or(Command::BATCH);
    let retries = keys.whole("retries", 0, faults).unwrap_or(Command::RETRIES);
    let version = keys.text("version", faults).map(|found| found.value);
    let timeout = keys.number("timeout", faults);
    if let Some(timeout) =
        timeout.as_ref().filter(|timeout| !(timeout.value > 0.0 && timeout.value <= 86_400.0))
    {
        let message = format!(
            "{}: timeout must be more than 0 and at most 86400 seconds, but is {}",
            keys.what(),
            timeout.value
        );
        faults.add(&timeout.span, message);
    }
    let argv = keys.texts("command", faults)?;
    if argv.value.first().is_none_or(|program| program.value.is_empty()) {
        faults.add(
            &argv.span,
            format!("{}: command names no program; write [\"python3\", \"judge.py\"]", keys.what()),
        );
    }
    Some(Kind::Command(Command {
        argv: argv.value.into_iter().map(|word| word.value).collect(),
        columns: columns.into_iter().map(|column| column.value).collect(),
        batch,
        retries,
        timeout: timeout.map_or(Command::TIMEOUT, |found| found.value),
        version,
    }))
}
