//! JSON documents (truth, structure, model, report) that say which version wrote them.

use std::fs::File;
use std::io::{self, Read as _, Write as _};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::format::{Compression, Format, Magic, magic};
use crate::input::Input;
use crate::one_line::one_line;
use crate::structure::{REPETITION, STRUCTURE_KEYS};
use crate::truth::DEPENDENCY_KEYS;
use crate::write::{Output, Packed, WriteError};

/// The version that documents written now carry.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The kind of document that people also write by hand, without a version.
pub(crate) const BY_HAND: &str = "structure";

#[derive(Serialize)]
struct Versioned<'a, T> {
    #[serde(flatten)]
    content: &'a T,
    version: &'a str,
}

/// Writes `content`, which serialises to a JSON object, with the version of this program; packed if the output's name ends in
/// `.gz` or `.zst`.
///
/// ```
/// use consilience::sources::{Classes, Sources};
/// use consilience::structure::Structure;
/// use consilience_io::{Input, Output, StructureFile, read_document, write_document};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("structure.json.gz");
/// let sources = Sources::new(vec!["a".into(), "b".into()])?;
/// let structure = Structure::without_dependencies(sources, Classes::numbered(2)?, 100);
/// write_document(Output::create(&path)?, &StructureFile::new(&structure, false))?;
/// let file: StructureFile = read_document(&Input::Path(path), StructureFile::KIND)?;
/// assert_eq!(file.structure()?, structure);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_document<T: Serialize>(output: Output, content: &T) -> Result<(), WriteError> {
    let compression = output.path().map_or(Compression::None, |path| Format::from_path(path).1);
    let (name, direct) = (output.name().to_string(), output.is_direct());
    let failed = |error: io::Error| WriteError::on(&name, direct, error);
    let mut packed = Packed::new(output, compression).map_err(failed)?;
    serde_json::to_writer_pretty(&mut packed, &Versioned { content, version: VERSION })
        .map_err(io::Error::from)
        .and_then(|()| packed.write_all(b"\n"))
        .map_err(failed)?;
    packed.finish().map_err(failed)?.commit()
}

/// `content`, which serialises to a JSON object, as [`write_document`] writes it.
///
/// ```
/// use consilience::pipeline::{Votes, label};
/// use consilience_io::{ModelFile, document_text, parse_document};
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["1", "1", "2"], ["2", "2", "2"], ["1", "", "1"]])?;
/// let model = label(&votes)?.model;
/// let json = document_text(&ModelFile::new(&model, None))?;
/// let file: ModelFile = parse_document(&json, ModelFile::KIND)?;
/// assert_eq!(file.fitted()?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn document_text<T: Serialize>(content: &T) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&Versioned { content, version: VERSION })? + "\n")
}

/// Why a document cannot be read. Its text is one line.
#[derive(Debug, thiserror::Error)]
#[error("{}", one_line(&format!("{file}: {problem}")))]
#[non_exhaustive]
pub struct DocumentError {
    /// The file, as the user named it.
    pub file: String,
    /// What is wrong, and what to do.
    pub problem: DocumentProblem,
}

impl DocumentError {
    /// `problem` of the document in `file`.
    pub fn new(file: impl Into<String>, problem: DocumentProblem) -> Self {
        Self { file: file.into(), problem }
    }
}

/// What is wrong with a document.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentProblem {
    /// No such file.
    #[error("there is no such file; check the path")]
    Missing,
    /// A folder.
    #[error("this is a directory; name a file")]
    Directory,
    /// No permission.
    #[error("no permission to read it; check the owner and mode of the file and its folders")]
    Permission,
    /// The system refused to read.
    #[error("it cannot be read ({0}); check the disk and try again")]
    Io(#[source] io::Error),
    /// Not JSON, or cut short.
    #[error("not a complete JSON object ({0}); write the {1} again")]
    NotJson(String, &'static str),
    /// No version.
    #[error("the key \"version\" is missing; is this a {0} that Consilience wrote?")]
    NoVersion(&'static str),
    /// An invalid version.
    #[error("\"{0}\" is not a version number such as {VERSION}; write the file again")]
    BadVersion(String),
    /// Written by a later version.
    #[error(
        "it was written by Consilience {0}, but this is {VERSION}; update Consilience or write the file again"
    )]
    Newer(String),
    /// Something that a person may have written by hand and can correct.
    #[error("{detail}; correct the file")]
    Invalid {
        /// What is wrong.
        detail: String,
    },
    /// A key that means nothing, such as a misspelt one.
    #[error("unknown key \"{key}\"; the keys are {known}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The keys that there are.
        known: String,
    },
    /// Another kind of document.
    #[error("not a {kind}: {detail}; use a {kind} that Consilience wrote")]
    OtherKind {
        /// What was expected.
        kind: &'static str,
        /// What does not fit.
        detail: String,
    },
}

#[derive(Deserialize)]
struct Head {
    version: Option<Value>,
}

/// Reads a document written by this version or an earlier one; `kind` is its name in messages, such as "model".
pub fn read_document<T: DeserializeOwned>(input: &Input, kind: &'static str) -> Result<T, DocumentError> {
    let failed = |problem| DocumentError { file: input.name(), problem };
    let bytes = read_all(input).map_err(|error| {
        failed(match error.kind() {
            io::ErrorKind::NotFound => DocumentProblem::Missing,
            io::ErrorKind::IsADirectory => DocumentProblem::Directory,
            io::ErrorKind::PermissionDenied => DocumentProblem::Permission,
            _ => DocumentProblem::Io(error),
        })
    })?;
    parse(&bytes, kind).map_err(failed)
}

fn read_all(input: &Input) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match input {
        Input::Path(path) => File::open(path)?.read_to_end(&mut bytes)?,
        Input::Stdin => io::stdin().read_to_end(&mut bytes)?,
    };
    let mut unpacked = Vec::new();
    match magic(&bytes) {
        Magic::Gzip => flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked)?,
        Magic::Zstd => zstd::Decoder::new(bytes.as_slice())?.read_to_end(&mut unpacked)?,
        _ => return Ok(bytes),
    };
    Ok(unpacked)
}

/// The document of a text that this version or an earlier one wrote; `kind` is its name in messages, such as "model".
///
/// ```
/// use consilience_io::{StructureFile, parse_document};
///
/// let damaged = parse_document::<StructureFile>("{\"version\": ", StructureFile::KIND);
/// assert!(damaged.is_err());
/// ```
pub fn parse_document<T: DeserializeOwned>(text: &str, kind: &'static str) -> Result<T, DocumentProblem> {
    parse(text.as_bytes(), kind)
}

fn parse<T: DeserializeOwned>(bytes: &[u8], kind: &'static str) -> Result<T, DocumentProblem> {
    let head: Head =
        serde_json::from_slice(bytes).map_err(|error| DocumentProblem::NotJson(error.to_string(), kind))?;
    let version = match head.version {
        None if kind == BY_HAND => VERSION.to_string(),
        None => return Err(DocumentProblem::NoVersion(kind)),
        Some(Value::String(version)) => version,
        Some(other) => return Err(DocumentProblem::BadVersion(other.to_string())),
    };
    match (numbers(&version), numbers(VERSION)) {
        (None, _) => return Err(DocumentProblem::BadVersion(version)),
        (theirs, ours) if theirs > ours => return Err(DocumentProblem::Newer(version)),
        _ => {}
    }
    if kind == BY_HAND {
        check_structure(bytes, kind)?;
    }
    serde_json::from_slice(bytes)
        .map_err(|error| DocumentProblem::OtherKind { kind, detail: error.to_string() })
}

/// Refuses a model in place of a structure, whose keys are among those of a model, and misspelt keys in a file without a version,
/// which somebody has written by hand.
fn check_structure(bytes: &[u8], kind: &'static str) -> Result<(), DocumentProblem> {
    let Ok(Value::Object(object)) = serde_json::from_slice::<Value>(bytes) else { return Ok(()) };
    if object.contains_key("fit") {
        return Err(DocumentProblem::OtherKind { kind, detail: "it holds a model".to_string() });
    }
    if object.contains_key("version") {
        return Ok(());
    }
    let check = |object: &serde_json::Map<String, Value>, known: &[&str]| match object
        .keys()
        .find(|key| !known.contains(&key.as_str()))
    {
        Some(key) => Err(DocumentProblem::UnknownKey { key: key.clone(), known: known.join(", ") }),
        None => Ok(()),
    };
    check(&object, &STRUCTURE_KEYS)?;
    let dependencies = object.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    let dependencies: Vec<_> = dependencies.filter_map(Value::as_object).collect();
    dependencies.iter().try_for_each(|dependency| check(dependency, &DEPENDENCY_KEYS))?;
    let is_repetition =
        |dependency: &&&serde_json::Map<String, Value>| dependency.get("type") == Some(&REPETITION.into());
    let weighted: Vec<bool> = dependencies
        .iter()
        .filter(is_repetition)
        .map(|repetition| repetition.contains_key("weight"))
        .collect();
    if weighted.iter().all(|&has| has) || weighted.iter().all(|&has| !has) {
        return Ok(());
    }
    let detail = "some repetitions have a weight and others have none; give weights to all of them, or to none to have them measured";
    Err(DocumentProblem::Invalid { detail: detail.to_string() })
}

/// The three numbers of a version; what follows `-` or `+` does not count.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let plain = version.split(['-', '+']).next()?;
    let mut parts = plain.split('.').map(|part| part.parse::<u64>().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::TruthFile;

    fn problem(text: &str) -> String {
        parse::<TruthFile>(text.as_bytes(), "truth file").unwrap_err().to_string()
    }

    #[test]
    fn versions_are_numbers() {
        assert_eq!(numbers("0.1.0"), Some([0, 1, 0]));
        assert_eq!(numbers("1.2.3-rc.1"), Some([1, 2, 3]));
        assert_eq!(numbers("1.2"), None);
        assert_eq!(numbers("1.2.3.4"), None);
        assert!(numbers("0.10.0") > numbers("0.9.9"));
    }

    #[test]
    fn texts_come_back_as_they_were() {
        let names = |list: [&str; 2]| list.map(str::to_string).to_vec();
        let truth = TruthFile {
            sources: names(["a", "b"]),
            classes: names(["0", "1"]),
            dependencies: Vec::new(),
            labels: names(["1", "0"]),
        };
        let text = document_text(&truth).unwrap();
        assert!(text.ends_with(&format!("\"version\": \"{VERSION}\"\n}}\n")));
        assert_eq!(parse_document::<TruthFile>(&text, "truth file").unwrap(), truth);
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        assert_eq!(
            problem("{\"sources\": ["),
            "not a complete JSON object (EOF while parsing a list at line 1 column 13); write the truth file again"
        );
        assert_eq!(
            problem("{}"),
            "the key \"version\" is missing; is this a truth file that Consilience wrote?"
        );
        assert!(
            problem("{\"version\": \"99.0.0\"}")
                .starts_with("it was written by Consilience 99.0.0, but this is ")
        );
        assert!(problem("{\"version\": 3}").starts_with("\"3\" is not a version number"));
        assert_eq!(
            problem("{\"version\": \"0.0.1\"}"),
            "not a truth file: missing field `sources` at line 1 column 20; use a truth file that Consilience wrote"
        );
    }
}
