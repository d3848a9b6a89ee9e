//! Votes from JSONL: one object per line.

use std::borrow::Cow;
use std::io::{BufRead, Read as _};

use consilience::sources::{ABSTAIN, Sources, Vote};
use consilience::votes::ReadingNote;
use consilience::votes::survey::SampleColumn;
use hashbrown::HashMap;

use super::cell::VoteReader;
use super::columns::{
    ColumnProblem, Layout, LongColumns, Role, SOURCE, asked_for, check_source_name, named_role,
    unknown_column,
};
use super::error::{Place, Problem, ReadError};
use super::handover::{Ending, Handover};
use super::json_object::{Object, Value};
use super::options::ReadOptions;
use super::plan::{Plan, plan};
use super::records::LONGEST_LINE;
use super::rows::LongRows;
use super::wide_rows::WideRows;
use super::{Report, VoteTable, sample};

pub(super) fn read(
    stream: impl BufRead,
    place: &Place,
    options: &ReadOptions,
    handover: &mut Handover<'_>,
    report: &Report<'_>,
) -> Result<Ending, ReadError> {
    let (head, whole, stream) = sample::head(stream).map_err(|error| place.clone().because(error))?;
    let mut lines = Lines::new(stream, place, report);
    if !lines.advance()? {
        return Err(place.clone().because(Problem::Empty));
    }
    let at = |(column, problem): ColumnProblem| {
        column.map_or_else(|| place.clone(), |column| place.column(&column)).because(problem)
    };
    let mut sample = sample::of_lines(&head, whole);
    // A first line that is not an object is told from where it is read.
    let first = lines.current()?;
    if sample.columns.is_empty() {
        // It alone is longer than what was looked at.
        sample.columns = first.0.iter().map(|(key, _)| SampleColumn::new(key.to_string())).collect();
    }
    let known: Vec<String> = sample.columns.iter().map(|column| column.name.clone()).collect();
    if let Some((option, name)) =
        asked_for(options).find(|(option, name)| *option != SOURCE && !known.contains(name))
        && !sample.whole
    {
        // Keys may still appear; those that never do are missed at the end.
        return Err(place.clone().because(unknown_column(option, name, &known)));
    }
    let Plan { layout, options, notes } = plan(&sample, options).map_err(at)?;
    match layout {
        Layout::Long(columns) => {
            handover.give_whole(read_long(lines, &known, columns, &options, notes)?, place)
        }
        Layout::Wide { .. } => read_wide(lines, &options, notes, handover),
    }
}

/// The objects of a file.
pub(super) struct Lines<'a, R> {
    stream: R,
    place: &'a Place,
    report: &'a Report<'a>,
    number: u64,
    line: Vec<u8>,
}

impl<'a, R: BufRead> Lines<'a, R> {
    pub(super) fn new(stream: R, place: &'a Place, report: &'a Report<'a>) -> Self {
        Self { stream, place, report, number: 0, line: Vec::new() }
    }

    /// Moves to the next line that is not blank; false at the end.
    pub(super) fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            self.line.clear();
            let mut bounded = self.stream.by_ref().take(LONGEST_LINE as u64 + 1);
            let count = bounded
                .read_until(b'\n', &mut self.line)
                .map_err(|error| self.place.line(self.number + 1).because(error))?;
            if count == 0 {
                return Ok(false);
            }
            self.number += 1;
            if count > LONGEST_LINE {
                return Err(self.here().because(Problem::LongLine { limit: LONGEST_LINE }));
            }
            if !self.line.iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        self.report.line(self.number);
        Ok(true)
    }

    /// The object of the current line.
    pub(super) fn current(&self) -> Result<Object<'_>, ReadError> {
        let text = std::str::from_utf8(&self.line).map_err(|_| self.here().because(Problem::NotUtf8))?;
        serde_json::from_str(text).map_err(|error| self.here().because(no_object(&error)))
    }

    pub(super) fn here(&self) -> Place {
        self.place.line(self.number)
    }
}

fn no_object(error: &serde_json::Error) -> Problem {
    // The parser sees one line only; its own count of lines would mislead.
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or_default();
    Problem::Json { detail: format!("{what}, character {}", error.column()) }
}

fn vote(value: &Value<'_>, reader: &mut VoteReader) -> Result<Vote, Problem> {
    Ok(match value {
        Value::Null => ABSTAIN,
        Value::Boolean(value) => reader.boolean(*value)?,
        Value::Integer(number) => reader.integer(*number)?,
        Value::Unsigned(number) => reader.unsigned(*number)?,
        Value::Float(number) => reader.float(*number)?,
        Value::Text(text) => reader.text(text)?,
        Value::Nested(kind) => return Err(Problem::JsonValue { kind }),
    })
}

fn name<'a>(value: &'a Value<'_>) -> Result<Cow<'a, str>, Problem> {
    Ok(match value {
        Value::Text(text) => Cow::Borrowed(text),
        Value::Integer(number) => Cow::Owned(number.to_string()),
        Value::Unsigned(number) => Cow::Owned(number.to_string()),
        Value::Null => Cow::Borrowed(""),
        Value::Boolean(_) => return Err(Problem::ItemType { kind: "boolean".to_string() }),
        Value::Float(_) => return Err(Problem::ItemType { kind: "fraction".to_string() }),
        Value::Nested(kind) => return Err(Problem::ItemType { kind: (*kind).to_string() }),
    })
}

/// A wide table whose keys become known as they appear.
struct WideKeys<'a> {
    table: WideRows<'a>,
    roles: HashMap<String, Role>,
    options: &'a ReadOptions,
    votes: Vec<(u32, Vote)>,
}

impl WideKeys<'_> {
    fn role(&mut self, key: &str) -> Result<Role, ColumnProblem> {
        if let Some(&role) = self.roles.get(key) {
            return Ok(role);
        }
        let role = if let Some(role) = named_role(key, self.options) {
            role
        } else {
            check_source_name(key, self.roles.len() + 1)?;
            let number = self.table.builder.add_source(key.to_string());
            Role::Source(number.map_err(|error| (None, error.into()))? as u32)
        };
        self.roles.insert(key.to_string(), role);
        Ok(role)
    }

    /// Adds the item of one object.
    fn push(&mut self, Object(entries): &Object<'_>) -> Result<(), ColumnProblem> {
        self.votes.clear();
        let (mut item, mut gold) = (None, None);
        for (key, value) in entries {
            let at = |problem| (Some(key.to_string()), problem);
            match self.role(key)? {
                Role::Source(source) => {
                    let vote = vote(value, &mut self.table.reader).map_err(at)?;
                    self.votes.push((source, vote));
                }
                Role::Item => {
                    if item.replace(name(value).map_err(at)?).is_some() {
                        return Err(at(Problem::KeyTwice));
                    }
                }
                Role::Gold => {
                    if let Some(known) = &mut self.table.gold
                        && gold.replace(vote(value, &mut known.reader).map_err(at)?).is_some()
                    {
                        return Err(at(Problem::KeyTwice));
                    }
                }
                Role::Ignored => {}
            }
        }
        self.finish_row(item, gold.unwrap_or(ABSTAIN))
    }

    fn finish_row(&mut self, item: Option<Cow<'_, str>>, gold: Vote) -> Result<(), ColumnProblem> {
        if let Some(key) = &self.options.item {
            let item = item.ok_or_else(|| (Some(key.clone()), Problem::NoKey))?;
            self.table.push_name(&item);
        }
        self.table.push_gold(gold);
        self.votes.sort_unstable_by_key(|&(source, _)| source);
        if let Some(twice) = self.votes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let name = self.table.builder.sources().name(twice[0].0 as usize).to_string();
            return Err((Some(name), Problem::KeyTwice));
        }
        self.table.push(&self.votes).map_err(|problem| (None, problem))
    }
}

fn read_wide<R: BufRead>(
    mut lines: Lines<'_, R>,
    options: &ReadOptions,
    notes: Vec<ReadingNote>,
    handover: &mut Handover<'_>,
) -> Result<Ending, ReadError> {
    let table = WideRows::new(Sources::default(), options, notes, handover.limit);
    let mut wide = WideKeys { table, roles: HashMap::new(), options, votes: Vec::new() };
    let place = lines.place;
    let mut more = true;
    while more {
        wide.push(&lines.current()?).map_err(|(column, problem)| {
            let here = lines.here();
            column.map_or_else(|| here.clone(), |column| here.column(&column)).because(problem)
        })?;
        if let Some(part) = wide.table.full_part().map_err(|problem| place.clone().because(problem))? {
            handover.give(part, place)?;
        }
        more = lines.advance()?;
    }
    let keys: Vec<String> = wide.table.builder.sources().names().to_vec();
    if let Some((option, name)) = asked_for(options).find(|(_, name)| !wide.roles.contains_key(*name)) {
        return Err(place.clone().because(unknown_column(option, name, &keys)));
    }
    if keys.is_empty() {
        return Err(place.clone().because(Problem::NoSources));
    }
    handover.finish(wide.table, place)
}

fn read_long<R: BufRead>(
    mut lines: Lines<'_, R>,
    keys: &[String],
    columns: LongColumns,
    options: &ReadOptions,
    notes: Vec<ReadingNote>,
) -> Result<VoteTable, ReadError> {
    let place = lines.place;
    let mut table = LongRows::new(options);
    let mut more = true;
    while more {
        let Object(entries) = lines.current()?;
        let here = lines.here();
        let value = |column: usize| {
            let key = &keys[column];
            entries.iter().find(|(name, _)| name == key).map_or(&Value::Null, |(_, value)| value)
        };
        let at = |column: usize| here.column(&keys[column]);
        let named = |column: usize| {
            let name = name(value(column)).map_err(|problem| at(column).because(problem))?;
            if name.trim().is_empty() { Err(at(column).because(Problem::EmptyName)) } else { Ok(name) }
        };
        let (item, source) = (named(columns.item)?, named(columns.source)?);
        let cast = vote(value(columns.vote), &mut table.reader)
            .map_err(|problem| at(columns.vote).because(problem))?;
        let gold = match (columns.gold, &mut table.gold) {
            (Some(column), Some(gold)) => {
                vote(value(column), &mut gold.reader).map_err(|problem| at(column).because(problem))?
            }
            _ => ABSTAIN,
        };
        table
            .push(item.trim(), source.trim(), cast, gold)
            .map_err(|problem| here.clone().because(problem))?;
        more = lines.advance()?;
    }
    table.finish(options, notes).map_err(|problem| place.clone().because(problem))
}
