//! The records of a CSV or TSV file, with the true line of each.

use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, ReaderBuilder};

use super::error::Problem;

/// Half a million sources with long names fit; a disk image without line breaks does not.
pub(super) const LONGEST_LINE: usize = 1 << 28;

/// Reads one record after the other. Blank lines are passed over, unless they are to be kept.
pub(super) struct Records<R> {
    stream: R,
    parser: csv_core::Reader,
    /// The cells of the current record, one behind the other.
    text: Vec<u8>,
    /// Where each cell ends in the text.
    ends: Vec<usize>,
    cells: usize,
    /// The line on which the current record begins, and the one after its last byte.
    line: u64,
    next_line: u64,
    keeps_blank_lines: bool,
    /// Whether bars stand between cells.
    bars: bool,
    /// Whether the last record ended in a carriage return, whose line feed may still be to come.
    open_line_end: bool,
}

impl<R: BufRead> Records<R> {
    pub(super) fn new(stream: R, separator: u8) -> Self {
        let parser = ReaderBuilder::new().delimiter(separator).build();
        Self {
            stream,
            parser,
            text: vec![0; 1 << 12],
            ends: vec![0; 64],
            cells: 0,
            line: 1,
            next_line: 1,
            keeps_blank_lines: false,
            bars: separator == b'|',
            open_line_end: false,
        }
    }

    /// From now on a blank line is a record with one empty cell: all that a row of one column can say by abstaining.
    pub(super) fn keep_blank_lines(&mut self) {
        self.keeps_blank_lines = true;
    }

    /// How many cells the current record has.
    pub(super) fn len(&self) -> usize {
        self.cells
    }

    /// The line on which the current record begins, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The cells of the current record.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends[..self.cells].iter().map(move |&end| &self.text[std::mem::replace(&mut start, end)..end])
    }

    /// One cell of the current record.
    pub(super) fn cell(&self, cell: usize) -> &[u8] {
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] };
        &self.text[start..self.ends[cell]]
    }

    /// Moves to the next record; false at the end.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if !self.keeps_blank_lines {
            self.pass_blank_lines()?;
        } else if self.take_blank_line()? {
            return Ok(true);
        }
        self.line = self.next_line;
        let (mut written, mut cells) = (0, 0);
        let mut last_byte = None;
        loop {
            let input = self.stream.fill_buf()?;
            let (result, read, wrote, ended) =
                self.parser.read_record(input, &mut self.text[written..], &mut self.ends[cells..]);
            self.open_line_end = input[..read].last() == Some(&b'\r');
            let at_end = input.is_empty();
            let last = input[..read].last().copied();
            self.stream.consume(read);
            last_byte = last.or(last_byte);
            written += wrote;
            cells += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if self.text.len() > LONGEST_LINE => {
                    return Err(io::Error::other(Problem::LongLine { limit: LONGEST_LINE }));
                }
                ReadRecordResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record => {
                    self.cells = cells;
                    // A cell with line breaks that ends with the file and not with a quotation mark has swallowed the rest.
                    let last_cell = cells.checked_sub(1).map_or(&[][..], |cell| self.cell(cell));
                    if at_end && last_byte != Some(b'"') && last_cell.contains(&b'\n') {
                        return Err(io::Error::other(Problem::OpenQuote));
                    }
                    self.next_line = self.parser.line();
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// Whether this is the line under the header of a table in Markdown: dashes in every cell, between bars.
    pub(super) fn is_rule(&self) -> bool {
        let dashes = |cell: &[u8]| {
            let bare = cell.strip_prefix(b":").unwrap_or(cell);
            let bare = bare.strip_suffix(b":").unwrap_or(bare);
            cell.len() > 1 && !bare.is_empty() && bare.iter().all(|&byte| byte == b'-')
        };
        let mut filled = self.iter().map(<[u8]>::trim_ascii).filter(|cell| !cell.is_empty()).peekable();
        self.bars && filled.peek().is_some() && filled.all(dashes)
    }

    /// Whether bytes follow the current record in what is buffered: of a part of a file, the last record may be cut short.
    pub(super) fn position_is_before_end(&mut self) -> bool {
        self.stream.fill_buf().is_ok_and(|rest| !rest.is_empty())
    }

    /// Makes a blank line the current record; false if the next line is none.
    fn take_blank_line(&mut self) -> io::Result<bool> {
        if std::mem::take(&mut self.open_line_end) {
            self.take_byte(b'\n')?;
        }
        self.line = self.next_line;
        let returned = self.take_byte(b'\r')?;
        let blank = self.take_byte(b'\n')? || returned;
        if blank {
            (self.ends[0], self.cells) = (0, 1);
        }
        self.parser.set_line(self.next_line);
        Ok(blank)
    }

    /// Takes the next byte if it is this one.
    fn take_byte(&mut self, byte: u8) -> io::Result<bool> {
        let found = self.stream.fill_buf()?.first() == Some(&byte);
        if found {
            self.stream.consume(1);
            self.next_line += u64::from(byte == b'\n');
        }
        Ok(found)
    }

    /// The parser would pass over them as well, but would not report on which line the record begins.
    fn pass_blank_lines(&mut self) -> io::Result<()> {
        loop {
            let input = self.stream.fill_buf()?;
            let breaks = input.iter().take_while(|&&b| b == b'\n' || b == b'\r').count();
            let carriage_returns = input[..breaks].split(|&b| b == b'\n').map(<[u8]>::len).sum::<usize>();
            let lines = (breaks - carriage_returns) as u64;
            let more = breaks > 0 && breaks == input.len();
            self.stream.consume(breaks);
            self.next_line += lines;
            self.parser.set_line(self.next_line);
            if !more {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<(u64, Vec<String>)> {
        // A buffer of three bytes parts records and line ends in all places.
        let mut records = Records::new(io::BufReader::with_capacity(3, text.as_bytes()), b',');
        let mut all = Vec::new();
        while records.advance().unwrap() {
            let cells: Vec<String> =
                records.iter().map(|cell| String::from_utf8(cell.to_vec()).unwrap()).collect();
            assert!((0..records.len()).all(|i| records.cell(i) == cells[i].as_bytes()));
            all.push((records.line(), cells));
        }
        all
    }

    fn expected(list: &[(u64, &[&str])]) -> Vec<(u64, Vec<String>)> {
        list.iter().map(|(line, cells)| (*line, cells.iter().map(ToString::to_string).collect())).collect()
    }

    #[test]
    fn lines_are_counted_through_blanks_quotes_and_all_line_ends() {
        let lines = expected(&[(1, &["a", "b"]), (2, &["x\ny", ""]), (5, &["1", "2"]), (6, &["3", "4"])]);
        assert_eq!(records("a,b\n\"x\ny\",\n\n1,2\n3,4"), lines);
        assert_eq!(records("a,b\r\n\"x\ny\",\r\n\r\n1,2\r\n3,4\r\n\r\n"), lines);
        let long = "w".repeat(10_000);
        assert_eq!(records(&format!("{long},b\n1,2\n")), expected(&[(1, &[&long, "b"]), (2, &["1", "2"])]));
        assert_eq!(records(&",".repeat(999))[0].1.len(), 1000);
        assert_eq!(records("\n\n"), []);
        assert_eq!(records("\"\"\n"), expected(&[(1, &[""])]));
    }

    #[test]
    fn blank_lines_can_be_kept() {
        for end in ["\n", "\r\n"] {
            let text = ["a", "1", "", "", "\"x\"", "0", ""].map(|line| format!("{line}{end}")).concat();
            let mut records = Records::new(io::BufReader::with_capacity(3, text.as_bytes()), b',');
            assert!(records.advance().unwrap());
            records.keep_blank_lines();
            let mut all = Vec::new();
            while records.advance().unwrap() {
                assert_eq!(records.len(), 1);
                all.push((records.line(), String::from_utf8(records.cell(0).to_vec()).unwrap()));
            }
            let expected = [(2, "1"), (3, ""), (4, ""), (5, "x"), (6, "0"), (7, "")];
            assert_eq!(all, expected.map(|(line, cell)| (line, cell.to_string())), "{end:?}");
        }
    }
}
