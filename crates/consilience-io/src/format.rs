//! Which format a file has: from its first bytes, its name, or the options.

use std::path::Path;

use crate::separator::separator;

/// A file format for tables.
///
/// ```
/// use std::path::Path;
///
/// use consilience_io::{Compression, Format};
///
/// assert_eq!(Format::from_name("Parquet"), Some(Format::Parquet));
/// assert_eq!(Format::from_path(Path::new("votes.csv.gz")), (Some(Format::Csv), Compression::Gzip));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Cells between commas.
    Csv,
    /// Cells between tabs.
    Tsv,
    /// One JSON object per line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, the file form (also called Feather).
    Arrow,
    /// Arrow IPC, the stream form.
    ArrowStream,
}

/// The compression of a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Compression {
    /// Not compressed.
    #[default]
    None,
    /// gzip, `.gz`.
    Gzip,
    /// Zstandard, `.zst`.
    Zstd,
}

impl Format {
    /// The format called `name`, which is the usual file extension, ignoring case.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "csv" | "txt" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "jsonl" | "ndjson" | "json" => Self::Jsonl,
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "feather" | "ipc" => Self::Arrow,
            "arrows" => Self::ArrowStream,
            _ => return None,
        })
    }

    /// Whether files of this format are lines of text.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Jsonl)
    }

    /// The format and compression that a file name such as `votes.csv.gz` implies.
    pub fn from_path(path: &Path) -> (Option<Self>, Compression) {
        let compression = match extension(path).as_deref() {
            Some("gz" | "gzip") => Compression::Gzip,
            Some("zst" | "zstd") => Compression::Zstd,
            _ => Compression::None,
        };
        let inner = match compression {
            Compression::None => path,
            Compression::Gzip | Compression::Zstd => path.file_stem().map_or(path, Path::new),
        };
        (extension(inner).and_then(|name| Self::from_name(&name)), compression)
    }
}

fn extension(path: &Path) -> Option<String> {
    path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase())
}

/// What the first bytes of a file say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Magic {
    Gzip,
    Zstd,
    Parquet,
    Arrow,
    ArrowStream,
    /// Text with bytes of two; Excel and Windows write it.
    Utf16,
    /// Bytes that no text has.
    Binary,
    Text,
}

/// Reads the marks at the head of a file; `head` holds its first bytes, as many as there are up to a few thousand.
pub(crate) fn magic(head: &[u8]) -> Magic {
    match head {
        [0x1f, 0x8b, ..] => Magic::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Magic::Zstd,
        [b'P', b'A', b'R', b'1' | b'E', ..] => Magic::Parquet,
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Magic::Arrow,
        [0xff, 0xff, 0xff, 0xff, ..] => Magic::ArrowStream,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Magic::Utf16,
        _ if head.contains(&0) => Magic::Binary,
        _ => Magic::Text,
    }
}

/// The mark that some programs write before UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// Which text format `head` (without a byte order mark) is, and its separator: as given, or else as it looks,
/// else as the file is named. `whole` says that `head` is all there is.
pub(crate) fn text_format(
    head: &[u8],
    whole: bool,
    named: Option<Format>,
    told: Option<Format>,
) -> (Format, u8) {
    match told {
        Some(Format::Jsonl) => return (Format::Jsonl, b'\n'),
        Some(Format::Tsv) => return (Format::Tsv, b'\t'),
        None if looks_like_json(head, named) => return (Format::Jsonl, b'\n'),
        _ => {}
    }
    match separator(head, whole, named == Some(Format::Tsv)) {
        b'\t' => (Format::Tsv, b'\t'),
        sign => (Format::Csv, sign),
    }
}

fn looks_like_json(head: &[u8], named: Option<Format>) -> bool {
    let mut signs = head.iter().copied().filter(|b| !b.is_ascii_whitespace());
    match (signs.next(), signs.next()) {
        (Some(b'{'), Some(b'"' | b'}')) => true,
        (Some(b'{' | b'['), _) => named == Some(Format::Jsonl),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_promise_formats() {
        let of = |name: &str| Format::from_path(Path::new(name));
        assert_eq!(of("a/votes.CSV"), (Some(Format::Csv), Compression::None));
        assert_eq!(of("votes.jsonl.gz"), (Some(Format::Jsonl), Compression::Gzip));
        assert_eq!(of("votes.tsv.zst"), (Some(Format::Tsv), Compression::Zstd));
        assert_eq!(of("votes"), (None, Compression::None));
        assert_eq!(of("votes.gz"), (None, Compression::Gzip));
    }

    #[test]
    fn heads_tell_formats() {
        assert_eq!(magic(b"PAR1...."), Magic::Parquet);
        assert_eq!(magic(b"a,b\n1,0\n"), Magic::Text);
        assert_eq!(magic(b"\xff\xfea\0"), Magic::Utf16);
        assert_eq!(magic(b"a\0b"), Magic::Binary);
        assert_eq!(magic(b""), Magic::Text);
    }

    #[test]
    fn text_goes_by_its_first_line() {
        let of = |head: &str, named| text_format(head.as_bytes(), true, named, None);
        assert_eq!(of("a,b\n", None), (Format::Csv, b','));
        assert_eq!(of("a\tb\n", Some(Format::Csv)), (Format::Tsv, b'\t'));
        assert_eq!(of("a,b\n", Some(Format::Tsv)), (Format::Csv, b','));
        assert_eq!(of("a;b\n", Some(Format::Csv)), (Format::Csv, b';'));
        assert_eq!(of("a\n", Some(Format::Tsv)), (Format::Tsv, b'\t'));
        assert_eq!(of("\"a,\n\"\tb\n", None), (Format::Tsv, b'\t'));
        assert_eq!(of("\"a;b\"\n", None), (Format::Csv, b','));
        assert_eq!(of(" {\"a\": 1}\n", Some(Format::Csv)), (Format::Jsonl, b'\n'));
        assert_eq!(of("{a},b\n", None), (Format::Csv, b','));
        assert_eq!(of("[1]\n", Some(Format::Jsonl)).0, Format::Jsonl);
        assert_eq!(of("a,b\n", Some(Format::Jsonl)), (Format::Csv, b','));
        assert_eq!(text_format(b"{\"a\": 1}", true, None, Some(Format::Csv)).0, Format::Csv);
    }
}
