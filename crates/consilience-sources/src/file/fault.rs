//! What is wrong with a file, and where.

use std::fmt;
use std::ops::Range;

/// One thing that is wrong with a file of sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub message: String,
}

impl Fault {
    pub(crate) fn at(text: &str, span: &Range<usize>, message: impl Into<String>) -> Self {
        let (line, column) = place(text, span.start);
        Self { line, column, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// Line and column of a byte, from 1.
pub(crate) fn place(text: &str, byte: usize) -> (usize, usize) {
    let mut end = byte.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// Everything that is wrong with a file of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file.
    pub file: String,
    /// What is wrong, in the order of the file; at least one.
    pub faults: Vec<Fault>,
}

impl FileError {
    pub(crate) fn new(file: &str, mut faults: Vec<Fault>) -> Self {
        faults.sort();
        faults.dedup();
        Self { file: file.to_string(), faults }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            let gap = if i > 0 { "\n" } else { "" };
            write!(f, "{gap}{}, {fault}", self.file)?;
        }
        Ok(())
    }
}

impl std::error::Error for FileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(place("ab\nçd = 1", 6), (2, 3));
        assert_eq!(place("ab", 0), (1, 1));
        assert_eq!(place("ab", 99), (1, 3));
    }
}
