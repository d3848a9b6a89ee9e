//! Runs declared sources over cells in memory, one item at a time: all kinds but SQL and programs, and no engine to build.

use std::collections::BTreeMap;

use consilience::sources::{ABSTAIN, Classes, NamesError, Sources, Vote};

use crate::below;
use crate::file::{Declared, Keywords, Kind, SourcesFile};
use crate::rules::{
    Cells, Dictionary, FAULT, Found, Keyword, NO, Outcome, Pattern, TextRule, TextRules, Way, code,
    load_dictionary, load_keywords, reason,
};

/// A key of a dictionary, one text per column, and the name of its class.
pub type Entry = (Vec<String>, String);

/// Dictionaries that stand for files, by the name of the file.
pub type Tables = BTreeMap<String, Vec<Entry>>;

/// A cell of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// There is nothing.
    Missing,
    /// A text.
    Text(&'a str),
    /// A number, where the column is compared with numbers.
    Number(f64),
}

/// A column that sources read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// Its name.
    pub name: String,
    /// Whether it is compared with numbers: a column of numbers may then come as numbers. Else, cells must come as texts.
    pub number: bool,
}

/// Why sources cannot run without the engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VoterError {
    /// A kind that only the engine runs.
    #[error("source {source_name:?} (line {line}): {kind} needs the query engine")]
    NeedsEngine {
        /// The source.
        source_name: String,
        /// Where it stands in the file.
        line: usize,
        /// Its kind.
        kind: &'static str,
    },
    /// A source cannot be made ready.
    #[error("source {source_name:?} (line {line}): {message}")]
    Source {
        /// The source.
        source_name: String,
        /// Where it stands in the file.
        line: usize,
        /// What is wrong and what to do.
        message: String,
    },
    /// The names of the classes or sources.
    #[error(transparent)]
    Names(#[from] NamesError),
}

/// Text rules over one column.
struct Group {
    column: usize,
    rules: TextRules,
    sources: Vec<usize>,
}

/// How a source that is not a text rule gets its outcome.
enum Single {
    Lookup { dictionary: Dictionary, keys: Vec<usize> },
    Column { cells: Cells, column: usize },
    Composed { way: Way, parts: Vec<usize> },
}

/// Room for the work on one item.
#[derive(Clone, Debug)]
pub struct Scratch {
    outcomes: Vec<Outcome>,
    found: Vec<u8>,
}

/// Sources, ready to vote.
///
/// ```
/// use std::path::Path;
/// use consilience_sources::{Cell, SourcesFile, Tables, Voter};
///
/// let text = "classes = ['ham', 'spam']\ntext = 'body'\n[[source]]\nname = 'win'\nvote = 'spam'\nkeywords = ['win']\n";
/// let file = SourcesFile::parse(text, "sources.toml", Path::new("."))?;
/// let voter = Voter::new(&file, &Tables::new())?;
/// assert_eq!(voter.columns()[0].name, "body");
/// let (mut votes, mut scratch) = ([0], voter.scratch());
/// voter.vote(&[Cell::Text("you win")], &mut scratch, &mut votes, |_| {});
/// assert_eq!(votes, [2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Voter {
    declared: Vec<Declared>,
    sources: Sources,
    classes: Classes,
    columns: Vec<Needed>,
    /// The class that each source votes for, where its kind does not say; 0 if it does.
    class: Vec<i16>,
    otherwise: Vec<Vote>,
    groups: Vec<Group>,
    /// In an order in which parts come before what is made of them.
    singles: Vec<(usize, Single)>,
}

impl Voter {
    /// Makes the sources of `file` ready. A list or dictionary is read from its file, unless `tables` has one for it.
    pub fn new(file: &SourcesFile, tables: &Tables) -> Result<Self, VoterError> {
        let classes = Classes::new(file.classes.clone())?;
        let names = file.sources.iter().map(|source| source.name.clone()).collect();
        let class = |name: &Option<String>| name.as_ref().and_then(|name| classes.vote(name));
        let mut voter = Self {
            declared: file.sources.clone(),
            sources: Sources::new(names)?,
            columns: Vec::new(),
            class: file.sources.iter().map(|source| class(&source.vote).map_or(NO, code)).collect(),
            otherwise: file
                .sources
                .iter()
                .map(|source| class(&source.otherwise).unwrap_or(ABSTAIN))
                .collect(),
            groups: Vec::new(),
            singles: Vec::new(),
            classes,
        };
        voter.texts(file)?;
        for (i, source) in file.sources.iter().enumerate() {
            let single = voter.single(file, i, source, tables)?;
            voter.singles.extend(single.map(|single| (i, single)));
        }
        voter.composed(file)?;
        Ok(voter)
    }

    /// The sources.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The columns that are read, in the order of the cells that [`Self::vote`] takes.
    pub fn columns(&self) -> &[Needed] {
        &self.columns
    }

    /// What a fault of a source means.
    pub fn reason(&self, source: usize) -> String {
        reason(&self.declared[source].kind, &self.classes)
    }

    /// Room for the work on one item.
    pub fn scratch(&self) -> Scratch {
        let widest = self.groups.iter().map(|group| group.sources.len()).max().unwrap_or(0);
        Scratch { outcomes: vec![None; self.declared.len()], found: vec![0; widest] }
    }

    /// Writes the votes of all sources on an item of these `cells`; `fault` hears of each source that failed, which abstains.
    pub fn vote(
        &self,
        cells: &[Cell<'_>],
        scratch: &mut Scratch,
        votes: &mut [Vote],
        mut fault: impl FnMut(usize),
    ) {
        let Scratch { outcomes, found } = scratch;
        for group in &self.groups {
            let found = &mut found[..group.sources.len()];
            let there = match cells[group.column] {
                Cell::Text(text) if !text.is_empty() => {
                    group.rules.look(text, found);
                    true
                }
                Cell::Number(_) => {
                    found.fill(Found::GivenUp as u8);
                    true
                }
                _ => false,
            };
            for (&source, &found) in group.sources.iter().zip(&*found) {
                outcomes[source] = there.then_some(match found {
                    yes if yes == Found::Yes as u8 => self.class[source],
                    no if no == Found::No as u8 => NO,
                    _ => FAULT,
                });
            }
        }
        for (source, single) in &self.singles {
            outcomes[*source] = match single {
                Single::Lookup { dictionary, keys } => look_up(dictionary, keys, cells),
                Single::Column { cells: reading, column } => match cells[*column] {
                    Cell::Missing => None,
                    Cell::Text(cell) => reading.read(cell),
                    Cell::Number(number) => reading.read_number(number),
                },
                Single::Composed { way, parts } => {
                    way.compose(self.class[*source], parts.iter().map(|&part| outcomes[part]))
                }
            };
        }
        for (source, (vote, outcome)) in votes.iter_mut().zip(&*outcomes).enumerate() {
            *vote = match *outcome {
                None => ABSTAIN,
                Some(NO) => self.otherwise[source],
                Some(FAULT) => {
                    fault(source);
                    ABSTAIN
                }
                Some(class) => class as Vote,
            };
        }
    }

    fn error(source: &Declared, message: impl Into<String>) -> VoterError {
        VoterError::Source { source_name: source.name.clone(), line: source.place.0, message: message.into() }
    }

    fn want(&mut self, name: &str, number: bool) -> usize {
        let needed = Needed { name: name.to_string(), number };
        self.columns.iter().position(|column| *column == needed).unwrap_or_else(|| {
            self.columns.push(needed);
            self.columns.len() - 1
        })
    }

    /// All text rules, those over the same column and case together.
    fn texts(&mut self, file: &SourcesFile) -> Result<(), VoterError> {
        type Numbered = (usize, TextRule);
        let mut groups: Vec<(&str, bool, Vec<Numbered>)> = Vec::new();
        for (i, source) in file.sources.iter().enumerate() {
            let rule = match &source.kind {
                Kind::Keywords { keywords, words } => {
                    let keywords = match keywords {
                        Keywords::List(list) => list.clone(),
                        Keywords::File(list) => below::inside(&file.folder, list)
                            .and_then(|path| load_keywords(&path))
                            .map_err(|message| Self::error(source, message))?,
                    };
                    TextRule::Keywords(Keyword { keywords, words: *words })
                }
                Kind::Regex { pattern, ignore_case } => TextRule::Pattern(
                    Pattern::new(pattern, *ignore_case)
                        .map_err(|error| Self::error(source, error.to_string()))?,
                ),
                _ => continue,
            };
            let name = file.text_column(source).unwrap_or_default();
            match groups.iter_mut().find(|(column, lower, _)| *column == name && *lower == source.lower) {
                Some((_, _, rules)) => rules.push((i, rule)),
                None => groups.push((name, source.lower, vec![(i, rule)])),
            }
        }
        for (name, lower, rules) in groups {
            let column = self.want(name, false);
            let (sources, rules): (Vec<usize>, Vec<TextRule>) = rules.into_iter().unzip();
            let rules = TextRules::new(&rules, lower)
                .map_err(|error| Self::error(&file.sources[sources[0]], error.to_string()))?;
            self.groups.push(Group { column, rules, sources });
        }
        Ok(())
    }

    /// A source that is neither a text rule nor made of others.
    fn single(
        &mut self,
        file: &SourcesFile,
        i: usize,
        source: &Declared,
        tables: &Tables,
    ) -> Result<Option<Single>, VoterError> {
        match &source.kind {
            Kind::Lookup { file: name, keys, vote, strip } => {
                let class = if vote.is_some() { ABSTAIN } else { self.class[i] as Vote };
                let columns: Vec<&str> = keys.iter().map(|(_, column)| column.as_str()).collect();
                let mut dictionary = Dictionary::new(source.lower, *strip);
                let dictionary = match tables.get(name) {
                    Some(entries) => self.add_all(&mut dictionary, entries).map(|()| dictionary),
                    None => below::inside(&file.folder, name).and_then(|path| {
                        load_dictionary(&path, &columns, vote.as_deref(), class, &self.classes, dictionary)
                    }),
                };
                let dictionary = dictionary.map_err(|message| Self::error(source, message))?;
                let keys = keys.iter().map(|(data, _)| self.want(data, false)).collect();
                Ok(Some(Single::Lookup { dictionary, keys }))
            }
            Kind::Column { column, reading } => {
                let cells = Cells::new(reading, &self.classes);
                let column = self.want(column, cells.are_numbers());
                Ok(Some(Single::Column { cells, column }))
            }
            Kind::Sql(_) | Kind::Command(_) => Err(VoterError::NeedsEngine {
                source_name: source.name.clone(),
                line: source.place.0,
                kind: source.kind.name(),
            }),
            _ => Ok(None),
        }
    }

    fn add_all(&self, dictionary: &mut Dictionary, entries: &[Entry]) -> Result<(), String> {
        for (key, class) in entries {
            let vote = self.classes.vote(class).ok_or_else(|| {
                format!("{class:?} is not a class; the classes are {}", self.classes.names().join(", "))
            })?;
            let key: Vec<&str> = key.iter().map(String::as_str).collect();
            dictionary.add(&key, vote).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Sources that are made of others, parts before wholes.
    fn composed(&mut self, file: &SourcesFile) -> Result<(), VoterError> {
        let mut done: Vec<bool> = file.sources.iter().map(|source| Way::of(&source.kind).is_none()).collect();
        while let Some(waiting) = done.iter().position(|done| !done) {
            let mut any = false;
            for (i, source) in file.sources.iter().enumerate() {
                let parts: Option<Vec<usize>> =
                    source.kind.parts().iter().map(|part| file.position(part)).collect();
                let Some((way, parts)) = Way::of(&source.kind).zip(parts) else { continue };
                if !done[i] && parts.iter().all(|&part| done[part]) {
                    self.singles.push((i, Single::Composed { way, parts }));
                    done[i] = true;
                    any = true;
                }
            }
            if !any {
                // A file that was read has no circles; one that was made by hand may.
                return Err(Self::error(&file.sources[waiting], "depends on itself"));
            }
        }
        Ok(())
    }
}

/// What a dictionary says of the keys of an item.
fn look_up(dictionary: &Dictionary, keys: &[usize], cells: &[Cell<'_>]) -> Outcome {
    let text = |&key: &usize| match cells[key] {
        Cell::Text(text) => Ok(text),
        Cell::Missing => Err(None),
        Cell::Number(_) => Err(Some(FAULT)),
    };
    let key: Result<Vec<&str>, Outcome> = keys.iter().map(text).collect();
    match key {
        Ok(key) => Some(dictionary.find(&key).map_or(NO, code)),
        Err(outcome) => outcome,
    }
}
