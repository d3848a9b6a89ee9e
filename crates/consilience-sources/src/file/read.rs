//! From text to declared sources.

use std::fs;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check::{Spans, check};
use super::fault::{Fault, FileError, place};
use super::kinds::kind;
use super::table::{Faults, Keys};
use super::{Declared, SourcesFile};

/// Larger files are not ones that people write.
const MOST_BYTES: u64 = 256 << 20;

impl SourcesFile {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let (file, faults) = Self::read_with_faults(path)?;
        if faults.is_empty() { Ok(file) } else { Err(FileError::new(&path.display().to_string(), faults)) }
    }

    /// As much of a file as can be understood, and what is wrong with the rest.
    pub(crate) fn read_with_faults(path: &Path) -> Result<(Self, Vec<Fault>), FileError> {
        let name = path.display().to_string();
        let because = |message: String| FileError::new(&name, vec![Fault { line: 1, column: 1, message }]);
        let metadata = fs::metadata(path).map_err(|error| because(format!("cannot be read: {error}")))?;
        if metadata.len() > MOST_BYTES {
            return Err(because("is larger than 256 MB; keep long lists in separate files".to_string()));
        }
        let bytes = fs::read(path).map_err(|error| because(format!("cannot be read: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| because("is not UTF-8 text; save it as UTF-8".to_string()))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self::parse_with_faults(&text, &name, folder)
    }

    /// Reads and checks the text of a file called `name` in `folder`.
    ///
    /// ```
    /// use std::path::Path;
    /// use consilience_sources::SourcesFile;
    ///
    /// let text = "classes = ['ham', 'spam']\ntext = 'body'\n[[source]]\nname = 'short'\nregex = 'win'\nvotes = 'spam'\n";
    /// let error = SourcesFile::parse(text, "sources.toml", Path::new(".")).unwrap_err();
    /// assert_eq!(error.faults[1].to_string(), "line 6, column 1: source \"short\": unknown key \"votes\"; did you mean vote?");
    /// ```
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Self, FileError> {
        let (file, faults) = Self::parse_with_faults(text, name, folder)?;
        if faults.is_empty() { Ok(file) } else { Err(FileError::new(name, faults)) }
    }

    /// As much of the text as can be understood, and what is wrong with the rest; an error if it is not TOML.
    fn parse_with_faults(text: &str, name: &str, folder: &Path) -> Result<(Self, Vec<Fault>), FileError> {
        let (document, errors) = DeTable::parse_recoverable(text);
        let mut faults = Faults { text, list: Vec::new() };
        for error in &errors {
            faults.add(&error.span().unwrap_or(0..0), one_line(error.message()));
        }
        // What follows from a broken line would only hide it.
        if !errors.is_empty() {
            faults.list.sort();
            faults.list.dedup_by_key(|fault| fault.line);
            return Err(FileError::new(name, faults.list));
        }
        let mut keys = Keys::new(document.get_ref(), "the file");
        let classes = keys.texts("classes", &mut faults);
        let text_column = keys.text("text", &mut faults);
        let mut sources = Vec::new();
        let mut spans = Spans::default();
        if let Some(classes) = &classes {
            spans.classes = classes.value.iter().map(|class| class.span.clone()).collect();
            spans.class_list = classes.span.clone();
        } else if keys.span("classes").is_none() {
            faults.add(&(0..0), "the file has no classes; begin it with classes = [\"ham\", \"spam\"]");
        }
        match keys.raw("source").map(|value| (value, value.get_ref().as_array())) {
            Some((_, Some(list))) => {
                for entry in list {
                    if let Some(source) = source(entry, sources.len(), &mut spans, &mut faults) {
                        sources.push(source);
                    }
                }
            }
            Some((value, None)) => {
                faults.add(&value.span(), "write [[source]] with two brackets before each source");
            }
            None => {
                faults.add(&(0..0), "the file has no sources; add [[source]] with a name, a vote and a kind");
            }
        }
        keys.finish(&mut faults);
        let file = Self {
            classes: classes
                .map(|found| found.value.into_iter().map(|class| class.value).collect())
                .unwrap_or_default(),
            text: text_column.map(|found| found.value),
            sources,
            folder: folder.to_path_buf(),
        };
        check(&file, &spans, &mut faults);
        Ok((file, faults.list))
    }
}

/// One `[[source]]`; `None` if it lacks a name or kind.
fn source(
    entry: &Spanned<DeValue<'_>>,
    number: usize,
    spans: &mut Spans,
    faults: &mut Faults<'_>,
) -> Option<Declared> {
    let Some(table) = entry.get_ref().as_table() else {
        faults.add(&entry.span(), "a source must be a table: write [[source]] before its keys");
        return None;
    };
    let mut keys = Keys::new(table, format!("source {}", number + 1));
    let name = keys.text("name", faults);
    match &name {
        Some(name) => keys.rename(format!("source {:?}", name.value)),
        None if keys.span("name").is_none() => {
            faults.add(&entry.span(), format!("{}: has no name", keys.what()));
        }
        None => {}
    }
    let vote = keys.text("vote", faults);
    let otherwise = keys.text("otherwise", faults);
    let on = keys.text("on", faults);
    let lower = keys.flag("lower", faults);
    let kind = kind(&mut keys, &entry.span(), faults);
    keys.finish(faults);
    let (name, kind) = (name?, kind?);
    let place = place(faults.text, kind.span.start);
    spans.sources.push(super::check::SourceSpans {
        whole: entry.span(),
        name: name.span,
        vote: vote.as_ref().map(|found| found.span.clone()),
        otherwise: otherwise.as_ref().map(|found| found.span.clone()),
        on: on.as_ref().map(|found| found.span.clone()),
        lower: table.iter().find(|(key, _)| key.get_ref() == "lower").map(|(key, _)| key.span()),
        kind: kind.span,
        votes: kind.votes,
        parts: kind.parts,
    });
    Some(Declared {
        name: name.value,
        vote: vote.map(|found| found.value),
        otherwise: otherwise.map(|found| found.value),
        on: on.map(|found| found.value),
        lower,
        kind: kind.kind,
        place,
    })
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
