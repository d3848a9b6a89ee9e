//! Takes values out of a TOML table and notes what is wrong with them.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Fault;

/// A value and its position.
pub(super) struct Found<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

/// Collects what is wrong.
pub(super) struct Faults<'a> {
    pub(super) text: &'a str,
    pub(super) list: Vec<Fault>,
}

impl Faults<'_> {
    pub(super) fn add(&mut self, span: &Range<usize>, message: impl Into<String>) {
        self.list.push(Fault::at(self.text, span, message));
    }
}

/// A table whose keys are taken one by one; what is left at the end is unknown.
pub(super) struct Keys<'t, 'd> {
    table: &'t DeTable<'d>,
    taken: Vec<&'static str>,
    /// What the table is called in messages.
    what: String,
}

impl<'t, 'd> Keys<'t, 'd> {
    pub(super) fn new(table: &'t DeTable<'d>, what: impl Into<String>) -> Self {
        Self { table, taken: Vec::new(), what: what.into() }
    }

    pub(super) fn rename(&mut self, what: impl Into<String>) {
        self.what = what.into();
    }

    pub(super) fn what(&self) -> &str {
        &self.what
    }

    /// The position of `key`, if present.
    pub(super) fn span(&self, key: &str) -> Option<Range<usize>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(name, _)| name.span())
    }

    pub(super) fn raw(&mut self, key: &'static str) -> Option<&'t Spanned<DeValue<'d>>> {
        self.taken.push(key);
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// The value of `key` as `read` takes it; if it does not, `expected` says what should be there.
    fn value<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        faults: &mut Faults<'_>,
        read: impl FnOnce(&DeValue<'d>) -> Option<T>,
    ) -> Option<Found<T>> {
        let raw = self.raw(key)?;
        let found = read(raw.get_ref());
        if found.is_none() {
            let found = shown(raw.get_ref());
            faults.add(&raw.span(), format!("{}: {key} must be {expected}, but is {found}", self.what));
        }
        found.map(|value| Found { value, span: raw.span() })
    }

    pub(super) fn text(&mut self, key: &'static str, faults: &mut Faults<'_>) -> Option<Found<String>> {
        self.value(key, "a text in quotes", faults, |value| value.as_str().map(str::to_string))
    }

    pub(super) fn flag(&mut self, key: &'static str, faults: &mut Faults<'_>) -> bool {
        self.value(key, "true or false", faults, DeValue::as_bool).is_some_and(|found| found.value)
    }

    pub(super) fn texts(
        &mut self,
        key: &'static str,
        faults: &mut Faults<'_>,
    ) -> Option<Found<Vec<Found<String>>>> {
        self.value(key, "a list of texts, such as [\"a\", \"b\"]", faults, texts_of)
    }

    pub(super) fn whole(
        &mut self,
        key: &'static str,
        least: usize,
        faults: &mut Faults<'_>,
    ) -> Option<usize> {
        let expected = format!("a whole number, at least {least}");
        let found = self.value(key, &expected, faults, |value| {
            let number = value.as_integer()?;
            usize::from_str_radix(number.as_str(), number.radix()).ok().filter(|number| *number >= least)
        });
        found.map(|found| found.value)
    }

    pub(super) fn number(&mut self, key: &'static str, faults: &mut Faults<'_>) -> Option<Found<f64>> {
        self.value(key, "a number", faults, number_of)
    }

    /// Notes the keys that nobody asked for.
    pub(super) fn finish(self, faults: &mut Faults<'_>) {
        for (name, _) in self.table {
            let key: &str = name.get_ref();
            if !self.taken.contains(&key) {
                let known = self.taken.iter().copied();
                let meant = closest(key, known).map(|meant| format!("; did you mean {meant}?"));
                let message = format!("{}: unknown key {key:?}{}", self.what, meant.unwrap_or_default());
                faults.add(&name.span(), message);
            }
        }
    }
}

/// A value as a message names it.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(number) => number.as_str().to_string(),
        DeValue::Float(number) => number.as_str().to_string(),
        DeValue::String(_) => "a text".to_string(),
        DeValue::Array(_) => "a list".to_string(),
        other => format!("a {}", other.type_str()),
    }
}

fn texts_of(value: &DeValue<'_>) -> Option<Vec<Found<String>>> {
    let one = |value: &Spanned<DeValue<'_>>| {
        Some(Found { value: value.get_ref().as_str()?.to_string(), span: value.span() })
    };
    value.as_array()?.iter().map(one).collect()
}

pub(super) fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(number) => number.as_str().replace('_', "").parse().ok(),
        DeValue::Integer(number) => {
            i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok().map(|n| n as f64)
        }
        _ => None,
    }
}

/// The name nearest to `name`, if one is near.
pub(super) fn closest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let near = |other: &str| edits(name, other);
    let close = |&(edits, other): &(usize, &str)| other.len() >= 3 && edits <= other.len() / 2;
    known.map(|other| (near(other), other)).filter(close).min().map(|(_, other)| other)
}

/// How many letters to change, add or leave out (Levenshtein).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let next = (diagonal + usize::from(c != *d)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let known = ["keywords", "regex", "vote"];
        assert_eq!(closest("keyword", known.into_iter()), Some("keywords"));
        assert_eq!(closest("votes", known.into_iter()), Some("vote"));
        assert_eq!(closest("xyz", known.into_iter()), None);
    }
}
