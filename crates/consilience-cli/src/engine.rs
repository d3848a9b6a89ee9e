//! The program beside the command, for what needs a query engine, a web server or plots.
//!
//! These parts would make the command nearly three times as large, and most runs need none of them.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, anyhow, bail};

const ENGINE: &str = "consilience-engine";

/// The engine's first argument if the command started it; the next is the command's version.
const STARTED_BY: &str = "--started-by";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs this command's arguments in the engine; returns only if it cannot be started.
pub(crate) fn start() -> anyhow::Error {
    let mut engine = Command::new(beside().unwrap_or_else(|| ENGINE.into()));
    engine.args([STARTED_BY, VERSION]).args(std::env::args_os().skip(1));
    let error = become_it(engine);
    match error.kind() {
        io::ErrorKind::NotFound => anyhow!(
            "this runs in the program {ENGINE}, which is neither beside this command nor in PATH; install both, \
             as cargo install and the tarball do"
        ),
        _ => anyhow::Error::new(error).context(format!("{ENGINE} cannot be started")),
    }
}

/// The engine in the folder of this program.
fn beside() -> Option<PathBuf> {
    let name = format!("{ENGINE}{}", std::env::consts::EXE_SUFFIX);
    Some(std::env::current_exe().ok()?.with_file_name(name)).filter(|path| path.is_file())
}

/// Turns this process into `program`, so that signals reach it and its exit code is ours.
#[cfg(unix)]
fn become_it(mut program: Command) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    program.exec()
}

/// Waits for `program` and ends with its exit code.
#[cfg(not(unix))]
fn become_it(mut program: Command) -> io::Error {
    match program.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// The arguments of the engine as the command would have them.
pub fn arguments(given: impl IntoIterator<Item = OsString>) -> anyhow::Result<Vec<OsString>> {
    let mut given: Vec<OsString> = given.into_iter().collect();
    if given.get(1).is_none_or(|first| first != STARTED_BY) {
        return Ok(given);
    }
    let theirs = given.get(2).with_context(|| format!("{STARTED_BY} needs a version"))?;
    if theirs != OsStr::new(VERSION) {
        bail!(
            "{ENGINE} is version {VERSION}, but the command that started it is version {}; install both from the same release",
            theirs.display()
        );
    }
    given.drain(1..3);
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Vec<OsString>, String> {
        arguments(words.iter().map(OsString::from)).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_those_of_the_command() {
        let plain = read(&["x", "apply", "a.toml"]).unwrap();
        assert_eq!(read(&["x", STARTED_BY, VERSION, "apply", "a.toml"]).unwrap(), plain);
    }

    #[test]
    fn another_version_is_refused() {
        let error = read(&["x", STARTED_BY, "0.0.9", "apply"]).unwrap_err();
        assert!(error.contains(VERSION) && error.contains("0.0.9"), "{error}");
        assert!(read(&["x", STARTED_BY]).is_err());
    }
}
