//! A folder of its own for each test, and the command run in it.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With a file `votes.csv`.
    pub(crate) fn with_votes(text: &str) -> Self {
        let folder = Self::new();
        folder.write("votes.csv", text);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        without_version(&fs::read(self.path(name)).unwrap())
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub(crate) fn list(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The command with these words, in this folder.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_consilience"));
        command.args(words.split_whitespace()).current_dir(self.0.path()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "TERM", "COLUMNS", "RUST_BACKTRACE", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command
    }

    /// Exit code, standard output and standard error of the command with these words.
    pub(crate) fn run(&self, words: &str) -> String {
        shown(&self.command(words).output().unwrap())
    }

    /// The same, with `input` on standard input.
    pub(crate) fn run_with_input(&self, words: &str, input: &[u8]) -> String {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        if let Err(error) = child.stdin.take().unwrap().write_all(input) {
            // A command that refuses its arguments ends without reading.
            assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
        }
        shown(&child.wait_with_output().unwrap())
    }
}

fn shown(output: &Output) -> String {
    format!(
        "exit code {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().map_or("none".to_string(), |code| code.to_string()),
        without_version(&output.stdout),
        without_progress(&without_version(&output.stderr))
    )
}

/// What was said on standard error without lines such as "fitting: 20 s, 45% done", which a slow machine adds.
fn without_progress(said: &str) -> String {
    let is_progress = |line: &str| {
        let seconds = line.trim_end().split_once(": ").and_then(|(_, rest)| rest.split_once(" s"));
        seconds.is_some_and(|(number, rest)| {
            number.parse::<u32>().is_ok() && (rest.is_empty() || rest.starts_with(','))
        })
    };
    said.split_inclusive('\n').filter(|line| !is_progress(line)).collect()
}

fn without_version(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace(env!("CARGO_PKG_VERSION"), "[version]")
}
