//! Guards text input against a line that never ends.

use std::io::{self, BufRead, Read};

use super::error::Problem;

/// Half a million sources with long names fit; a disk image without line breaks does not.
pub(super) const LONGEST_LINE: usize = 1 << 28;

/// Text whose lines are of bounded length, so that a parser that keeps a whole line in memory is safe to use.
pub(super) struct BoundedLines<R> {
    inner: R,
    since_break: usize,
}

impl<R: BufRead> BoundedLines<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, since_break: 0 }
    }
}

impl<R: BufRead> Read for BoundedLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match memchr::memrchr(b'\n', &buffer[..count]) {
            Some(last) => self.since_break = count - last - 1,
            None => self.since_break += count,
        }
        if self.since_break > LONGEST_LINE {
            return Err(io::Error::other(Problem::LongLine { limit: LONGEST_LINE }));
        }
        Ok(count)
    }
}
