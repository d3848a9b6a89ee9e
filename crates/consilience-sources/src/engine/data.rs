//! The data that sources read: files, patterns of names, folders.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use consilience_io::{Format, Input, ReadError};
use hashbrown::HashSet;
use tempfile::TempDir;

use super::survey::Survey;

/// Why data cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A table of text cannot be read.
    #[error(transparent)]
    Table(#[from] ReadError),
    /// A table with typed columns cannot be read.
    #[error("{file}: {detail}")]
    Columnar {
        /// The file.
        file: String,
        /// What is wrong.
        detail: String,
    },
    /// A file or folder cannot be looked at.
    #[error("{name}: {error}")]
    Io {
        /// Its name.
        name: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A pattern or a folder has no files.
    #[error("{name}: {what}")]
    NoFiles {
        /// As it was named.
        name: String,
        /// What was looked for.
        what: &'static str,
    },
    /// A pattern of names cannot be read.
    #[error("{name}: not a pattern of file names: {detail}")]
    Pattern {
        /// As it was written.
        name: String,
        /// What is wrong.
        detail: String,
    },
    /// Standard input is one file among others.
    #[error("standard input cannot be combined with other data; name files instead of -")]
    Stdin,
    /// A column is not there.
    #[error("{file}: there is no column {column:?} for {wanted}; the columns are {columns}")]
    NoColumn {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// Who wants it.
        wanted: String,
        /// Those that there are.
        columns: String,
    },
}

/// One file, and the columns that its folders' names give: `year=2024/part.parquet` has a column `year`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DataFile {
    pub(super) input: Input,
    pub(super) folders: Vec<(String, String)>,
    /// The row groups that are read, from and up to, if not all of them are.
    pub(super) groups: Option<(usize, usize)>,
}

/// Where items come from: one table in one or many files, in the order of their names.
#[derive(Debug)]
pub struct Data {
    pub(super) files: Vec<DataFile>,
    pub(super) format: Option<Format>,
    /// What came from standard input, which can be read once only; goes away with the data.
    stdin: Option<TempDir>,
}

impl Data {
    /// Finds the files of `args`: paths, patterns such as `2024-*.csv`, folders with all tables below them, or `-` for
    /// standard input. Files keep the order of `args`; those of a pattern or a folder are sorted by name.
    pub fn find<S: AsRef<OsStr>>(args: &[S], format: Option<Format>) -> Result<Self, DataError> {
        let mut files = Vec::new();
        if args.iter().any(|arg| arg.as_ref() == "-") {
            if args.len() > 1 {
                return Err(DataError::Stdin);
            }
            let failed = |error| DataError::Io { name: "standard input".to_string(), error };
            let folder = tempfile::tempdir().map_err(failed)?;
            let path = folder.path().join("standard-input");
            let mut copy = File::create(&path).map_err(failed)?;
            std::io::copy(&mut std::io::stdin().lock(), &mut copy).map_err(failed)?;
            let files = vec![DataFile { input: Input::Path(path), folders: Vec::new(), groups: None }];
            return Ok(Self { files, format, stdin: Some(folder) });
        }
        for arg in args {
            find(arg.as_ref(), &mut files)?;
        }
        Ok(Self { files, format, stdin: None })
    }

    /// The files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|file| match &file.input {
            Input::Path(path) => Some(path.as_path()),
            Input::Stdin => None,
        })
    }

    /// The names of the columns, by the first file.
    pub fn columns(&self) -> Result<Vec<String>, DataError> {
        Ok(Survey::of(self)?.columns.iter().map(|field| field.name().clone()).collect())
    }

    /// Whether the data came from standard input.
    pub fn is_stdin(&self) -> bool {
        self.stdin.is_some()
    }

    /// What the data is called in messages.
    pub fn name(&self) -> String {
        match &self.files[..] {
            _ if self.is_stdin() => "standard input".to_string(),
            [file] => file.input.name(),
            files => format!("{} and {} more", files[0].input.name(), files.len() - 1),
        }
    }
}

fn find(arg: &OsStr, files: &mut Vec<DataFile>) -> Result<(), DataError> {
    let path = Path::new(arg);
    let name = path.display().to_string();
    if path.is_dir() {
        return in_folder(path, &name, files);
    }
    let text = arg.to_str().filter(|text| !path.exists() && text.contains(['*', '?', '[']));
    let Some(pattern) = text else {
        files.push(file(path.to_path_buf(), None));
        return Ok(());
    };
    let found = glob::glob(pattern)
        .map_err(|error| DataError::Pattern { name: name.clone(), detail: error.to_string() })?;
    let mut found: Vec<PathBuf> = found
        .collect::<Result<_, _>>()
        .map_err(|error| DataError::Io { name: name.clone(), error: error.into() })?;
    found.sort();
    if found.is_empty() {
        return Err(DataError::NoFiles { name, what: "no file has such a name" });
    }
    for path in found {
        if path.is_dir() {
            in_folder(&path, &path.display().to_string(), files)?;
        } else {
            files.push(file(path, None));
        }
    }
    Ok(())
}

/// All tables below a folder, sorted; hidden files and those of other programs (`_SUCCESS`) are left out.
fn in_folder(folder: &Path, name: &str, files: &mut Vec<DataFile>) -> Result<(), DataError> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    // Links may lead in circles.
    let mut seen = HashSet::new();
    while let Some(folder) = open.pop() {
        let failed = |error| DataError::Io { name: folder.display().to_string(), error };
        if !seen.insert(folder.canonicalize().map_err(failed)?) {
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let hidden =
                |name: OsString| name.as_encoded_bytes().first().is_some_and(|sign| b"._".contains(sign));
            if hidden(entry.file_name()) {
                continue;
            }
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if Format::from_path(&path).0.is_some() && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.is_empty() {
        let what = "the folder has no tables; they end in .csv, .tsv, .jsonl, .parquet or .arrow";
        return Err(DataError::NoFiles { name: name.to_string(), what });
    }
    // The folder's own name may give a column, but not the names of those around it.
    let root = folder.parent().unwrap_or(folder);
    files.extend(found.into_iter().map(|path| file(path, Some(root))));
    Ok(())
}

/// A file, with the columns that the names of its folders give below `root`, or anywhere if there is none.
fn file(path: PathBuf, root: Option<&Path>) -> DataFile {
    let below = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(&path);
    let folders = below.parent().into_iter().flat_map(Path::components).filter_map(|part| {
        let (key, value) = part.as_os_str().to_str()?.split_once('=')?;
        (!key.is_empty()).then(|| (key.to_string(), unescaped(value)))
    });
    DataFile { folders: folders.collect(), input: Input::Path(path), groups: None }
}

/// A value in a folder's name: characters that cannot be part of names are written as %2F.
fn unescaped(value: &str) -> String {
    if value == "__HIVE_DEFAULT_PARTITION__" {
        return String::new();
    }
    let bytes = value.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = value.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                at += 3;
            }
            (byte, _) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(plain).unwrap_or_else(|_| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(data: &Data, root: &Path) -> Vec<String> {
        data.paths().map(|path| path.strip_prefix(root).unwrap().display().to_string()).collect()
    }

    #[test]
    fn files_are_found_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [
            "year=2024/b.csv",
            "year=2023/a%20.csv",
            "year=2024/a.parquet",
            "_SUCCESS",
            ".x.csv",
            "notes.txt2",
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text\na\n").unwrap();
        }
        let data = Data::find(&[root], None).unwrap();
        assert_eq!(names(&data, root), ["year=2023/a%20.csv", "year=2024/a.parquet", "year=2024/b.csv"]);
        assert_eq!(data.files[0].folders, [("year".to_string(), "2023".to_string())]);
        let data = Data::find(&[root.join("*/b.*")], None).unwrap();
        assert_eq!(names(&data, root), ["year=2024/b.csv"]);
        assert!(matches!(Data::find(&[root.join("*.none")], None), Err(DataError::NoFiles { .. })));
        assert!(matches!(Data::find(&[OsStr::new("-"), OsStr::new("-")], None), Err(DataError::Stdin)));
        assert_eq!(unescaped("a%2Fb%"), "a/b%");
    }
}
