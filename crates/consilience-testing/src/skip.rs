//! Tests that cannot run here say so, where it is seen.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Names the file that collects what was skipped; `make test` shows it at its end.
const SKIPPED: &str = "CONSILIENCE_SKIPPED";

/// Says that `test` was skipped and why: in its own output, and in the file that `CONSILIENCE_SKIPPED` names.
///
/// # Panics
///
/// If that file cannot be written.
#[expect(clippy::print_stdout, reason = "tests say what they skip")]
pub fn skip(test: &str, why: &str) {
    println!("skipped: {why}");
    if let Some(file) = std::env::var_os(SKIPPED) {
        let mut file =
            OpenOptions::new().create(true).append(true).open(file).expect("the list of skipped tests");
        // One call, so that lines of tests that run side by side stay whole.
        file.write_all(format!("{test}: {why}\n").as_bytes()).expect("the list of skipped tests");
    }
}

/// The folder of real vote tables, outside the repository: `CONSILIENCE_DATA`, else `../shared/data`. If it does not
/// exist, `test` is skipped.
///
/// # Panics
///
/// If `CONSILIENCE_DATA` names a folder that does not exist.
pub fn real_tables(test: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("CONSILIENCE_DATA").map(PathBuf::from) {
        assert!(folder.is_dir(), "CONSILIENCE_DATA is {}, which is not a folder", folder.display());
        return Some(folder);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if folder.is_dir() {
        return Some(folder);
    }
    skip(test, "no real tables; set CONSILIENCE_DATA to their folder");
    None
}
