//! Files that a sources file may name: only those below its own folder, whoever wrote it.

#[cfg(feature = "files")]
use std::path::PathBuf;
use std::path::{Component, Path};

/// Refuses a path that leads out of its folder by its spelling.
pub(crate) fn relative(file: &str) -> Result<(), String> {
    let inside =
        Path::new(file).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if inside && !file.is_empty() {
        Ok(())
    } else {
        Err(format!("{file:?} must be the path of a file below the folder of the sources"))
    }
}

/// The path of `file` in `folder`; refuses one that leads out of it, by links too.
#[cfg(feature = "files")]
pub(crate) fn inside(folder: &Path, file: &str) -> Result<PathBuf, String> {
    relative(file)?;
    let missing = |error: std::io::Error| format!("{file}: cannot be read: {error}");
    let path = folder.join(file).canonicalize().map_err(missing)?;
    let folder = folder.canonicalize().map_err(missing)?;
    if !path.starts_with(&folder) {
        return Err(format!(
            "{file:?} is a link that leads out of the folder of the sources; copy the file there"
        ));
    }
    if !path.is_file() {
        return Err(format!("{file:?} is not a regular file"));
    }
    Ok(path)
}
