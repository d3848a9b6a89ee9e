//! Compares the sizes that an Arrow file declares with its bytes, before memory is allocated.
//!
//! Compressed buffers begin with the length that they unpack to. The library reserves as much at once, and a damaged length
//! would end the process: a failed allocation cannot be caught. So lengths are looked at here first.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

use arrow::ipc::{CompressionType, MessageHeader, RecordBatch, root_as_footer, root_as_message};

use crate::decode::fenced;
use crate::memory;

/// The most bytes that a byte of LZ4 unpacks to, and one of Zstandard, whose smallest block expands to 128 KiB.
const LZ4: u64 = 255;
const ZSTD: u64 = 1 << 15;

/// Small buffers may unpack to this much whatever they hold.
const SMALL: u64 = 1 << 17;

/// Rows that a batch may have whatever it holds, and rows per byte beyond.
const ROWS: u64 = 1 << 24;
const ROWS_A_BYTE: u64 = 8;

/// The bytes that end an Arrow file, behind the footer and its length.
const MAGIC: &[u8; 6] = b"ARROW1";
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Checks the sizes of all batches of a file, and leaves it at its beginning.
pub(super) fn check_file(file: &mut File) -> Result<(), String> {
    let result = fenced(|| check_blocks(file));
    file.rewind().map_err(|error| error.to_string())?;
    result
}

fn check_blocks(file: &mut File) -> Result<(), String> {
    let length = file.metadata().map_err(text)?.len();
    let end = (MAGIC.len() + 4) as u64;
    let tail = read_at(file, length.checked_sub(end).ok_or("it ends early")?, end)?;
    if &tail[4..] != MAGIC {
        return Err("its end is missing".to_string());
    }
    let footer = u64::try_from(i32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]])).map_err(text)?;
    let start = length.checked_sub(end + footer).ok_or("its footer is longer than the file")?;
    let bytes = read_at(file, start, footer)?;
    let footer = root_as_footer(&bytes).map_err(text)?;
    let blocks =
        footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
    for block in blocks {
        let at = |number: i64| u64::try_from(number).map_err(text);
        let (offset, body) = (at(block.offset())?, at(block.bodyLength())?);
        let metadata = at(i64::from(block.metaDataLength()))?;
        let whole = offset.checked_add(metadata).and_then(|sum| sum.checked_add(body));
        if whole.is_none_or(|end| end > length) {
            return Err("a batch is longer than the file".to_string());
        }
        let bytes = read_at(file, offset, metadata)?;
        let skip = if bytes.starts_with(&CONTINUATION) { 8 } else { 4 };
        let message = root_as_message(bytes.get(skip..).ok_or("a batch is cut short")?).map_err(text)?;
        check_message(
            message.header_type(),
            &message,
            &mut |from, count| read_at(file, offset + metadata + from, count),
            body,
        )?;
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn text(error: impl ToString) -> String {
    error.to_string()
}

fn read_at(file: &mut File, offset: u64, count: u64) -> Result<Vec<u8>, String> {
    file.seek(SeekFrom::Start(offset)).map_err(text)?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes).map_err(text)?;
    if (bytes.len() as u64) < count { Err("it ends early".to_string()) } else { Ok(bytes) }
}

fn check_message(
    kind: MessageHeader,
    message: &arrow::ipc::Message<'_>,
    read: &mut dyn FnMut(u64, u64) -> Result<Vec<u8>, String>,
    body: u64,
) -> Result<(), String> {
    let batch = match kind {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|batch| batch.data()),
        _ => None,
    };
    batch.map_or(Ok(()), |batch| check_batch(&batch, read, body))
}

fn check_batch(
    batch: &RecordBatch<'_>,
    read: &mut dyn FnMut(u64, u64) -> Result<Vec<u8>, String>,
    body: u64,
) -> Result<(), String> {
    let most_by_byte = batch.compression().map(|compression| match compression.codec() {
        CompressionType::LZ4_FRAME => LZ4,
        _ => ZSTD,
    });
    let mut all = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let (offset, length) = match (u64::try_from(buffer.offset()), u64::try_from(buffer.length())) {
            (Ok(offset), Ok(length)) if offset.checked_add(length).is_some_and(|end| end <= body) => {
                (offset, length)
            }
            _ => return Err("a column is longer than its batch".to_string()),
        };
        let mut unpacked = length;
        if let Some(most) = most_by_byte
            && length >= 8
        {
            let head = read(offset, 8)?;
            let said = i64::from_le_bytes(head.try_into().map_err(|_| "it ends early")?);
            if said != -1 {
                unpacked = u64::try_from(said).map_err(|_| "a column says that it has a negative length")?;
            }
            if unpacked > SMALL.max(length.saturating_mul(most)) {
                return Err(format!("a column of {length} bytes says that it unpacks to {unpacked}"));
            }
        }
        all = all.saturating_add(unpacked);
    }
    if memory::available().is_some_and(|available| all > available) {
        return Err(format!("a batch unpacks to {all} bytes, more than there is memory"));
    }
    let rows =
        u64::try_from(batch.length()).map_err(|_| "a batch says that it has a negative number of rows")?;
    if rows > ROWS.max(all.saturating_mul(ROWS_A_BYTE)) {
        return Err(format!("a batch of {all} bytes says that it has {rows} rows"));
    }
    Ok(())
}

/// A stream of Arrow batches, each of which is checked before its first byte is handed on.
pub(super) struct CheckedStream<R> {
    inner: R,
    ready: Vec<u8>,
    given: usize,
    ended: bool,
}

impl<R: Read> CheckedStream<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, ready: Vec::new(), given: 0, ended: false }
    }

    /// Reads the next message whole; memory grows with the bytes that are there, not with those that are promised.
    fn advance(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        let mut take = |count: u64, into: &mut Vec<u8>| self.inner.by_ref().take(count).read_to_end(into);
        let mut message = Vec::new();
        take(4, &mut message)?;
        let mut prefix = 0;
        if message == CONTINUATION {
            prefix = 4;
            take(4, &mut message)?;
        }
        let length = match message.get(prefix..prefix + 4) {
            Some(&[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        let Ok(length @ 1..) = u64::try_from(length) else {
            // The end, or something that the reader will refuse.
            self.ready = message;
            self.ended = true;
            return Ok(());
        };
        let start = message.len();
        take(length, &mut message)?;
        let checked = fenced(|| -> Result<u64, String> {
            let header = root_as_message(&message[start..]).map_err(text)?;
            u64::try_from(header.bodyLength()).map_err(text)
        });
        if let Ok(body) = checked {
            let body_start = message.len();
            take(body, &mut message)?;
            let there = (message.len() - body_start) as u64;
            if there < body {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends early"));
            }
            let bytes = &message[body_start..];
            fenced(|| {
                let header = root_as_message(&message[start..body_start]).map_err(text)?;
                let mut read = |from: u64, count: u64| {
                    let cell = bytes.get(from as usize..(from + count) as usize);
                    cell.map(<[u8]>::to_vec).ok_or_else(|| "it ends early".to_string())
                };
                check_message(header.header_type(), &header, &mut read, body)
            })
            .map_err(io::Error::other)?;
        }
        self.ready = message;
        Ok(())
    }
}

impl<R: Read> Read for CheckedStream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() && !self.ended {
            self.advance()?;
        }
        let count = buffer.len().min(self.ready.len() - self.given);
        buffer[..count].copy_from_slice(&self.ready[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}
