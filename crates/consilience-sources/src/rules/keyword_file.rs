//! Lists of keywords from files.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

/// Longest keyword.
const LONGEST: usize = 10_000;

/// One keyword per line; blank lines are left out.
pub(crate) fn load(path: &Path) -> Result<Vec<String>, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let failed = |error: std::io::Error| format!("{name}: cannot be read: {error}");
    let mut keywords = Vec::new();
    let file = File::open(path).map_err(failed)?;
    for (number, line) in BufReader::with_capacity(1 << 18, file).lines().enumerate() {
        let line = line.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => format!("{name}, line {}: not UTF-8 text", number + 1),
            _ => failed(error),
        })?;
        let keyword = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
        if keyword.len() > LONGEST {
            return Err(format!(
                "{name}, line {}: longer than {LONGEST} bytes; write one keyword per line",
                number + 1
            ));
        }
        if !keyword.trim().is_empty() {
            keywords.push(keyword.to_string());
        }
    }
    if keywords.is_empty() {
        return Err(format!("{name}: has no keywords; write one per line"));
    }
    Ok(keywords)
}
