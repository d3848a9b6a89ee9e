//! Votes from cells of any type, with short ways for the values that come again and again.

use consilience::sources::Vote;
use consilience::votes::{Vocabulary, VoteError};
use hashbrown::HashMap;

use super::options::ReadOptions;

/// Marks a value that was not read yet.
const UNREAD: Vote = Vote::MAX;

/// Whole numbers from -1 on that have a place of their own.
const SMALL: i64 = 256;

/// Above this, not every whole number is an `f64` of its own.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads cells as votes and collects the classes that they name.
#[derive(Clone, Debug)]
pub(super) struct VoteReader {
    vocabulary: Vocabulary,
    /// The votes of the numbers -1, 0, 1, ...
    small: Vec<Vote>,
    large: HashMap<i64, Vote>,
    /// The votes of texts of one ASCII letter or digit.
    letters: [Vote; 128],
    booleans: [Vote; 2],
}

impl VoteReader {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self::with(options.vocabulary())
    }

    /// A reader of gold classes.
    pub(super) fn of_gold(options: &ReadOptions) -> Self {
        Self::with(options.gold_vocabulary())
    }

    fn with(vocabulary: Vocabulary) -> Self {
        Self {
            vocabulary,
            small: vec![UNREAD; SMALL as usize + 1],
            large: HashMap::new(),
            letters: [UNREAD; 128],
            booleans: [UNREAD; 2],
        }
    }

    /// The classes so far.
    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Takes over the classes of a part of the table that was read apart; entry `v` is the vote here of its vote `v`.
    pub(super) fn absorb(&mut self, part: &Self) -> Result<Vec<Vote>, VoteError> {
        self.vocabulary.absorb(&part.vocabulary)
    }

    pub(super) fn text(&mut self, text: &str) -> Result<Vote, VoteError> {
        let &[byte] = text.as_bytes() else { return self.vocabulary.read(text) };
        let known = &mut self.letters[usize::from(byte & 0x7f)];
        if *known == UNREAD {
            *known = self.vocabulary.read(text)?;
        }
        Ok(*known)
    }

    #[inline]
    pub(super) fn integer(&mut self, number: i64) -> Result<Vote, VoteError> {
        match self.small.get(number.wrapping_add(1) as usize) {
            Some(&vote) if vote != UNREAD => Ok(vote),
            _ => self.new_integer(number),
        }
    }

    #[cold]
    fn new_integer(&mut self, number: i64) -> Result<Vote, VoteError> {
        if let Some(&vote) = self.large.get(&number) {
            return Ok(vote);
        }
        let vote = self.vocabulary.read_integer(number)?;
        match self.small.get_mut(number.wrapping_add(1) as usize) {
            Some(known) => *known = vote,
            None => drop(self.large.insert(number, vote)),
        }
        Ok(vote)
    }

    pub(super) fn unsigned(&mut self, number: u64) -> Result<Vote, VoteError> {
        match i64::try_from(number) {
            Ok(number) => self.integer(number),
            Err(_) => self.vocabulary.read(&number.to_string()),
        }
    }

    /// A number of an unsigned type with this largest value, which is what -1 becomes there.
    #[inline]
    pub(super) fn unsigned_up_to(&mut self, number: u64, largest: u64) -> Result<Vote, VoteError> {
        if number == largest { self.vocabulary.read_largest_unsigned(number) } else { self.unsigned(number) }
    }

    pub(super) fn float(&mut self, number: f64) -> Result<Vote, VoteError> {
        let whole = number.abs() <= LARGEST_EXACT && number.fract().abs() < f64::MIN_POSITIVE;
        if whole { self.integer(number as i64) } else { self.vocabulary.read(&format!("{number:?}")) }
    }

    pub(super) fn boolean(&mut self, value: bool) -> Result<Vote, VoteError> {
        let known = &mut self.booleans[usize::from(value)];
        if *known == UNREAD {
            *known = self.vocabulary.read(if value { "true" } else { "false" })?;
        }
        Ok(*known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_of_writing_a_number_are_one_class() {
        let mut reader = VoteReader::new(&ReadOptions::default());
        let one = reader.text("1").unwrap();
        assert_eq!(reader.integer(1), Ok(one));
        assert_eq!(reader.integer(1), Ok(one));
        assert_eq!(reader.unsigned(1), Ok(one));
        assert_eq!(reader.float(1.0), Ok(one));
        assert_eq!(reader.text("1.0"), Ok(one));
        for abstain in [reader.text(""), reader.text(" "), reader.float(f64::NAN), reader.text("?")] {
            assert_eq!(abstain, Ok(0));
        }
        let minus_one = reader.integer(-1);
        assert_eq!(reader.float(-1.0), minus_one);
        assert_eq!(reader.unsigned_up_to(1, 255), Ok(one));
        assert!(reader.unsigned_up_to(255, 255).is_err());
        let large = reader.integer(123_456_789).unwrap();
        assert_eq!(reader.integer(123_456_789), Ok(large));
        assert_eq!(reader.text("123456789"), Ok(large));
    }

    #[test]
    fn odd_numbers_are_named_as_people_write_them() {
        let mut reader = VoteReader::new(&ReadOptions::default());
        for (number, text) in [(0.5, "0.5"), (1e308, "1e308"), (-2.0, "-2")] {
            assert!(reader.float(number).unwrap_err().to_string().contains(&format!("\"{text}\"")));
        }
        assert!(reader.integer(i64::MIN).is_err());
        assert!(reader.integer(-2).is_err());
    }
}
