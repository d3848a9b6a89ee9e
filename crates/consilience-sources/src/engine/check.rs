//! What can be checked of a file without data: its SQL, its lists and dictionaries.

use std::path::Path;

use consilience::sources::{ABSTAIN, Classes};

use super::session::Session;
use super::sql;
use crate::below;
use crate::file::{Fault, FileError, Keywords, Kind, SourcesFile};
use crate::rules::{Dictionary, load_dictionary, load_keywords};

/// Reads a file and checks all that needs no data, as [`check`] does; the error lists everything that is wrong.
pub fn read_checked(path: &Path, files: bool) -> Result<SourcesFile, FileError> {
    let (file, mut faults) = SourcesFile::read_with_faults(path)?;
    let name = path.display().to_string();
    if let Err(error) = check(&file, &name, files) {
        faults.extend(error.faults);
    }
    if faults.is_empty() { Ok(file) } else { Err(FileError::new(&name, faults)) }
}

/// Checks what needs no data; `name` is the file's name in messages. Lists and dictionaries are read where `files` says so.
pub fn check(file: &SourcesFile, name: &str, files: bool) -> Result<(), FileError> {
    let mut faults = Vec::new();
    let session = Session::new();
    let Ok(classes) = Classes::new(file.classes.clone()) else { return Ok(()) };
    for source in &file.sources {
        let checked = match &source.kind {
            Kind::Sql(text) => sql::check(text, &session),
            Kind::Keywords { keywords: Keywords::File(list), .. } if files => {
                below::inside(&file.folder, list).and_then(|path| load_keywords(&path)).map(drop)
            }
            Kind::Lookup { file: dictionary, keys, vote, strip } if files => {
                let columns: Vec<&str> = keys.iter().map(|(_, column)| column.as_str()).collect();
                let empty = Dictionary::new(source.lower, *strip);
                below::inside(&file.folder, dictionary)
                    .and_then(|path| {
                        load_dictionary(&path, &columns, vote.as_deref(), ABSTAIN, &classes, empty)
                    })
                    .map(drop)
            }
            _ => Ok(()),
        };
        if let Err(message) = checked {
            let (line, column) = source.place;
            faults.push(Fault { line, column, message: format!("source {:?}: {message}", source.name) });
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(FileError::new(name, faults)) }
}
