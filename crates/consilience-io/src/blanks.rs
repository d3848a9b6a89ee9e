//! Text with blanks between its cells, as text with tabs.

use std::io::{self, BufRead, BufReader, Read};

/// Turns each run of blanks outside of quotes into one tab, and those at the ends of lines into nothing.
pub(crate) struct Blanks<R> {
    stream: R,
    quoted: bool,
    /// Whether a cell of the current line has begun.
    begun: bool,
    /// Whether blanks wait for what follows them.
    waiting: bool,
    ready: Vec<u8>,
    given: usize,
}

impl<R: BufRead> Blanks<R> {
    pub(crate) fn new(stream: R) -> BufReader<Self> {
        let inner = Self { stream, quoted: false, begun: false, waiting: false, ready: Vec::new(), given: 0 };
        BufReader::new(inner)
    }

    fn take(&mut self, byte: u8) {
        match byte {
            b'\n' | b'\r' if !self.quoted => (self.begun, self.waiting) = (false, false),
            b' ' | b'\t' if !self.quoted => {
                self.waiting = self.begun;
                return;
            }
            _ => {
                if std::mem::take(&mut self.waiting) {
                    self.ready.push(b'\t');
                }
                self.begun = true;
                self.quoted ^= byte == b'"';
            }
        }
        self.ready.push(byte);
    }
}

impl<R: BufRead> Read for Blanks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
            let bytes = self.stream.fill_buf()?.to_vec();
            if bytes.is_empty() {
                return Ok(0);
            }
            self.stream.consume(bytes.len());
            for byte in bytes {
                self.take(byte);
            }
        }
        let count = buffer.len().min(self.ready.len() - self.given);
        buffer[..count].copy_from_slice(&self.ready[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_blanks_are_one_tab() {
        let text = "a  b c \r\n  1 \t 0 \"x  y\"\n   \n";
        let mut turned = String::new();
        // Three bytes at a time part runs and line ends in all places.
        Blanks::new(BufReader::with_capacity(3, text.as_bytes())).read_to_string(&mut turned).unwrap();
        assert_eq!(turned, "a\tb\tc\r\n1\t0\t\"x  y\"\n\n");
    }
}
