//! Compares the sizes that the pages of a Parquet file declare with their bytes, before memory is allocated.
//!
//! A page begins with a header in Thrift's compact form, of which three numbers matter here: how many bytes the page has, how many
//! it unpacks to, and how many values a dictionary has. The library reserves memory for the last two at once, and a failed
//! allocation cannot be caught.

use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;

use crate::memory;

/// Small pages may unpack to this much whatever they hold.
const SMALL: u64 = 1 << 17;

/// Headers are read in pieces of this length first, and of these if they do not fit: statistics can be long.
const PIECES: [u64; 3] = [1 << 9, 1 << 16, 1 << 24];

/// Bytes that an item takes while it is read.
const ITEM: u64 = 4;

/// Checks the sizes of all pages and the number of rows of a file of `length` bytes.
pub(super) fn check(file: &impl ChunkReader, length: u64, metadata: &ParquetMetaData) -> Result<(), String> {
    let available = memory::available();
    let rows = metadata.file_metadata().num_rows();
    let needed = u64::try_from(rows).map_err(|_| "its number of rows is negative")?.saturating_mul(ITEM);
    if available.is_some_and(|available| needed > available) {
        return Err(format!("it says that it has {rows} rows, more than there is memory for"));
    }
    for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let most = most_by_byte(column.compression());
        let at = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let at = u64::try_from(at).map_err(|_| "a column begins before the file")?;
        let size = u64::try_from(column.compressed_size()).map_err(|_| "a column has a negative size")?;
        let end =
            at.checked_add(size).filter(|&end| end <= length).ok_or("a column is longer than the file")?;
        check_pages(file, at, end, most)?;
    }
    Ok(())
}

/// The most bytes that a packed byte can expand to.
fn most_by_byte(compression: Compression) -> u64 {
    match compression {
        Compression::UNCOMPRESSED => 1,
        Compression::SNAPPY => 64,
        Compression::LZ4 | Compression::LZ4_RAW => 255,
        Compression::GZIP(_) => 1032,
        Compression::ZSTD(_) => 1 << 15,
        // Brotli copies up to 16 MiB by a few bytes.
        _ => 1 << 23,
    }
}

fn check_pages(file: &impl ChunkReader, mut at: u64, end: u64, most: u64) -> Result<(), String> {
    // Where a header cannot be read, reading will say so.
    while let Some(header) = (at < end).then(|| header(file, at, end)).flatten() {
        let PageHeader { length, packed, unpacked, dictionary } = header;
        if packed > end - at {
            return Err("a page is longer than its column".to_string());
        }
        if unpacked > SMALL.max(packed.saturating_mul(most)) {
            return Err(format!("a page of {packed} bytes says that it unpacks to {unpacked}"));
        }
        // A value has at least one bit.
        if dictionary > unpacked.saturating_mul(8) {
            return Err(format!("a dictionary of {unpacked} bytes says that it has {dictionary} values"));
        }
        at += length + packed;
    }
    Ok(())
}

fn header(file: &impl ChunkReader, at: u64, end: u64) -> Option<PageHeader> {
    PIECES.into_iter().find_map(|piece| {
        let bytes = file.get_bytes(at, usize::try_from(piece.min(end - at)).ok()?).ok()?;
        PageHeader::read(&bytes)
    })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PageHeader {
    /// Bytes of the header itself.
    length: u64,
    packed: u64,
    unpacked: u64,
    /// Values of a dictionary; 0 for other pages.
    dictionary: u64,
}

impl PageHeader {
    fn read(bytes: &[u8]) -> Option<Self> {
        const UNPACKED: i64 = 2;
        const PACKED: i64 = 3;
        const DICTIONARY: i64 = 7;
        const VALUES: i64 = 1;
        let mut header = Self::default();
        let mut thrift = Thrift { bytes, at: 0 };
        let mut field = 0;
        while let kind @ 1.. = thrift.field(&mut field)? {
            match (field, kind) {
                (UNPACKED, I32) => header.unpacked = u64::try_from(thrift.number()?).ok()?,
                (PACKED, I32) => header.packed = u64::try_from(thrift.number()?).ok()?,
                (DICTIONARY, STRUCT) => {
                    let mut inner = 0;
                    while let kind @ 1.. = thrift.field(&mut inner)? {
                        match (inner, kind) {
                            (VALUES, I32) => header.dictionary = u64::try_from(thrift.number()?).ok()?,
                            _ => thrift.skip(kind, DEEPEST)?,
                        }
                    }
                }
                _ => thrift.skip(kind, DEEPEST)?,
            }
        }
        header.length = thrift.at as u64;
        Some(header)
    }
}

/// Types of Thrift's compact form.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I8: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// Page headers are a few structures deep.
const DEEPEST: usize = 16;

/// Reads Thrift's compact form; `None` if the bytes end or are something else.
struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Thrift<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn pass(&mut self, count: u64) -> Option<()> {
        self.at = self.at.checked_add(usize::try_from(count).ok()?).filter(|&at| at <= self.bytes.len())?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// A number that is stored with its sign last.
    fn number(&mut self) -> Option<i64> {
        let stored = self.varint()?;
        Some((stored >> 1) as i64 ^ -((stored & 1) as i64))
    }

    /// The type of the next field, whose number follows from the one before; 0 at the end of a structure.
    fn field(&mut self, number: &mut i64) -> Option<u8> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(0);
        }
        *number = match byte >> 4 {
            0 => self.number()?,
            step => number.checked_add(i64::from(step))?,
        };
        Some(byte & 0x0f)
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            TRUE | FALSE => Some(()),
            I8 => self.pass(1),
            I16 | I32 | I64 => self.varint().map(drop),
            DOUBLE => self.pass(8),
            BINARY => {
                let length = self.varint()?;
                self.pass(length)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                let depth = depth.checked_sub(1)?;
                // Booleans of a list take a byte each.
                let kind = if matches!(head & 0x0f, TRUE | FALSE) { I8 } else { head & 0x0f };
                (0..count).try_for_each(|_| self.skip(kind, depth))
            }
            STRUCT => {
                let depth = depth.checked_sub(1)?;
                let mut field = 0;
                while let kind @ 1.. = self.field(&mut field)? {
                    self.skip(kind, depth)?;
                }
                Some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of 5 bytes that unpack to 300, with 300 values: fields 1 (type), 2, 3, and 5 with one field of its own.
    const DATA: [u8; 12] = [0x15, 0x00, 0x15, 0xd8, 0x04, 0x15, 0x0a, 0x2c, 0x15, 0xd8, 0x04, 0x00];

    #[test]
    fn a_header_is_read() {
        let mut bytes = DATA.to_vec();
        assert_eq!(PageHeader::read(&bytes), None, "cut short");
        bytes.extend([0x00, 0xff]);
        let header = PageHeader { length: 13, packed: 5, unpacked: 300, dictionary: 0 };
        assert_eq!(PageHeader::read(&bytes), Some(header));
    }

    #[test]
    fn a_dictionary_says_how_many_values_it_has() {
        let bytes = [0x15, 0x04, 0x15, 0x20, 0x15, 0x20, 0x4c, 0x15, 0x06, 0x15, 0x00, 0x00, 0x00];
        let header = PageHeader { length: 13, packed: 16, unpacked: 16, dictionary: 3 };
        assert_eq!(PageHeader::read(&bytes), Some(header));
    }

    #[test]
    fn a_page_that_unpacks_to_more_than_it_can_is_refused() {
        let page = |unpacked: &[u8], rest: &[u8]| {
            let bytes = [&[0x15, 0x00, 0x15], unpacked, &[0x15, 0x0a], rest, &[0, 1, 2, 3, 4, 5]].concat();
            let length = bytes.len() as u64;
            check_pages(&bytes::Bytes::from(bytes), 0, length, 255)
        };
        assert_eq!(page(&[0xd8, 0x04], &[]), Ok(()));
        let large = "a page of 5 bytes says that it unpacks to 2147483647";
        assert_eq!(page(&[0xfe, 0xff, 0xff, 0xff, 0x0f], &[]), Err(large.to_string()));
        let many = "a dictionary of 300 bytes says that it has 2147483647 values";
        let dictionary = [0x4c, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x00];
        assert_eq!(page(&[0xd8, 0x04], &dictionary), Err(many.to_string()));
    }

    #[test]
    fn other_bytes_are_not_a_header() {
        for bytes in [&[][..], &[0xff; 40], &[0x19, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f], &[0x1c; 100]] {
            assert_eq!(PageHeader::read(bytes), None, "{bytes:?}");
        }
    }
}
