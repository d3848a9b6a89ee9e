//! Opens what a user named: a file, or standard input; unpacked, and with its format known.

use std::ffi::OsStr;
use std::fs::File;
#[cfg(feature = "columnar")]
use std::io::Seek as _;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::blanks::Blanks;
use crate::format::{BYTE_ORDER_MARK, Format, Magic, magic, text_format};
use crate::read::{Place, Problem, ReadError};
use crate::separator::BLANKS;

/// Enough of a file to know its format and where its first line's cells part.
const HEAD: u64 = 1 << 15;

const BUFFER: usize = 1 << 18;

/// Where a table comes from.
///
/// ```
/// use consilience_io::Input;
///
/// assert_eq!(Input::from_arg("-"), Input::Stdin);
/// assert_eq!(Input::from_arg("votes.csv").name(), "votes.csv");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file.
    Path(PathBuf),
    /// Standard input.
    Stdin,
}

impl Input {
    /// Interprets a command-line argument: `-` is standard input, anything else a path.
    pub fn from_arg(arg: impl AsRef<OsStr>) -> Self {
        let arg = arg.as_ref();
        if arg == "-" { Self::Stdin } else { Self::Path(PathBuf::from(arg)) }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_string(),
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Stdin => None,
        }
    }

    pub(crate) fn open(&self, told: Option<Format>) -> Result<Opened, ReadError> {
        let place = Place::file(&self.name());
        self.open_at(told).map_err(|problem| place.because(problem))
    }

    fn open_at(&self, told: Option<Format>) -> Result<Opened, Problem> {
        let named = self.path().and_then(|path| Format::from_path(path).0);
        let consumed = Consumed::default();
        let (raw, file): (Box<dyn Read + Send>, Option<File>) = match self {
            Self::Path(path) => {
                let file = File::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(Problem::Directory);
                }
                if metadata.is_file() {
                    consumed.set_total(metadata.len());
                    (Box::new(consumed.count(file.try_clone()?)), Some(file))
                } else {
                    (Box::new(file), None)
                }
            }
            Self::Stdin => (Box::new(io::stdin()), None),
        };
        let (head, stream) = with_head(raw)?;
        let content = match magic(&head) {
            Magic::Gzip => {
                let unpacked = Unpacked { what: "gz", inner: flate2::read::MultiGzDecoder::new(stream) };
                return unpack(unpacked, named, told, consumed);
            }
            Magic::Zstd => {
                let unpacked = Unpacked { what: "zst", inner: zstd::Decoder::with_buffer(stream)? };
                return unpack(unpacked, named, told, consumed);
            }
            other => content(other, &head, stream, named, told, file)?,
        };
        Ok(Opened { content, consumed })
    }
}

/// An input whose format is known.
pub(crate) struct Opened {
    pub(crate) content: Content,
    pub(crate) consumed: Consumed,
}

/// The bytes of an input, as its format wants them.
pub(crate) enum Content {
    /// CSV or TSV, with the sign between its cells.
    Delimited(Box<dyn BufRead + Send>, u8),
    Jsonl(Box<dyn BufRead + Send>),
    #[cfg(feature = "columnar")]
    Columnar(Columnar),
}

/// The bytes of a table with typed columns.
#[cfg(feature = "columnar")]
pub(crate) enum Columnar {
    Parquet(File),
    Arrow(File),
    ArrowStream(Stream),
}

type Stream = Box<dyn BufRead + Send>;

fn unpack<R: Read + Send + 'static>(
    unpacked: R,
    named: Option<Format>,
    told: Option<Format>,
    consumed: Consumed,
) -> Result<Opened, Problem> {
    let (head, stream) = with_head(unpacked)?;
    match magic(&head) {
        Magic::Gzip | Magic::Zstd => Err(Problem::CompressedTwice),
        other => {
            let content = content(other, &head, stream, named, told, None)?;
            Ok(Opened { content, consumed })
        }
    }
}

fn content(
    magic: Magic,
    head: &[u8],
    stream: Stream,
    named: Option<Format>,
    told: Option<Format>,
    file: Option<File>,
) -> Result<Content, Problem> {
    Ok(match magic {
        Magic::Parquet | Magic::Arrow | Magic::ArrowStream => columnar(magic, stream, file)?,
        Magic::Utf16 => return Err(Problem::Utf16),
        Magic::Binary | Magic::Gzip | Magic::Zstd => return Err(Problem::Binary),
        Magic::Text => {
            if let Some(what) = told.filter(|format| !format.is_text()).map(binary_name) {
                let detail = "it begins like text".to_string();
                return Err(Problem::Damaged { what, detail });
            }
            text(head, stream, named, told)?
        }
    })
}

#[cfg(feature = "columnar")]
fn columnar(magic: Magic, stream: Stream, file: Option<File>) -> Result<Content, Problem> {
    let seekable = |stream: Stream| -> Result<File, Problem> {
        match file {
            Some(mut file) => {
                file.rewind()?;
                Ok(file)
            }
            None => spool(stream),
        }
    };
    Ok(Content::Columnar(match magic {
        Magic::Parquet => Columnar::Parquet(seekable(stream)?),
        Magic::Arrow => Columnar::Arrow(seekable(stream)?),
        _ => Columnar::ArrowStream(stream),
    }))
}

#[cfg(not(feature = "columnar"))]
fn columnar(_: Magic, _: Stream, _: Option<File>) -> Result<Content, Problem> {
    Err(Problem::LeftOut)
}

fn binary_name(format: Format) -> &'static str {
    if format == Format::Parquet { "Parquet" } else { "Arrow" }
}

fn text(
    head: &[u8],
    mut stream: Stream,
    named: Option<Format>,
    told: Option<Format>,
) -> Result<Content, Problem> {
    let marked = head.starts_with(&BYTE_ORDER_MARK);
    let head = if marked { &head[BYTE_ORDER_MARK.len()..] } else { head };
    if head.iter().all(u8::is_ascii_whitespace) && (head.len() as u64) < HEAD - 3 {
        return Err(Problem::Empty);
    }
    if let Some(line) = separator_line(head) {
        return Err(Problem::SeparatorLine { line });
    }
    if marked {
        stream.read_exact(&mut [0; BYTE_ORDER_MARK.len()])?;
    }
    let whole = (head.len() as u64) < HEAD - 3;
    Ok(match text_format(head, whole, named, told) {
        (Format::Jsonl, _) => Content::Jsonl(stream),
        (_, BLANKS) => Content::Delimited(Box::new(Blanks::new(stream)), b'\t'),
        (_, separator) => Content::Delimited(stream, separator),
    })
}

/// The first line, where it tells a spreadsheet program which sign stands between cells: `sep=;`.
fn separator_line(head: &[u8]) -> Option<String> {
    let line = head.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?.trim_end_matches('\r');
    let (word, sign) = line.split_at_checked(4)?;
    (word.eq_ignore_ascii_case("sep=") && sign.chars().count() == 1).then(|| line.to_string())
}

/// Reads the first bytes, and gives them back in front of the rest.
fn with_head<R: Read + Send + 'static>(mut raw: R) -> Result<(Vec<u8>, Stream), Problem> {
    let mut head = Vec::new();
    raw.by_ref().take(HEAD).read_to_end(&mut head)?;
    let rest = BufReader::with_capacity(BUFFER, raw);
    let stream = Cursor::new(head.clone()).chain(rest);
    Ok((head, Box::new(stream)))
}

/// Formats that are read from their end need a real file; this one has no name and goes away with the process.
#[cfg(feature = "columnar")]
fn spool(mut stream: Stream) -> Result<File, Problem> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut stream, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// A decompressor whose errors say that the data, not the disk, is at fault.
struct Unpacked<R> {
    what: &'static str,
    inner: R,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::Other => {
                io::Error::other(Problem::Damaged { what: self.what, detail: error.to_string() })
            }
            _ => error,
        })
    }
}

/// How much of a file has been read, for progress bars; counted before unpacking.
#[derive(Clone, Default)]
pub(crate) struct Consumed {
    read: Arc<AtomicU64>,
    total: Arc<AtomicU64>,
}

impl Consumed {
    fn set_total(&self, bytes: u64) {
        self.total.store(bytes, Ordering::Relaxed);
    }

    /// The part of the input that has been read, if its length is known.
    pub(crate) fn fraction(&self) -> Option<f64> {
        let total = self.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.read.load(Ordering::Relaxed) as f64 / total as f64).min(1.0))
    }

    fn count<R: Read>(&self, inner: R) -> Counted<R> {
        Counted { inner, read: self.read.clone() }
    }
}

struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
