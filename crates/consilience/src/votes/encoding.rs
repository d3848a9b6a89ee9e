//! One row of votes as a string of bytes.
//!
//! Each vote is written as the number of sources passed over since the last one, in the variable-length form of seven
//! bits a byte, then the vote itself in the same form. A vote of a table with up to 128 sources and 127 classes costs
//! two bytes, an abstain nothing. Equal rows are equal strings, so rows are hashed, compared and sorted as bytes.

use crate::sources::Vote;

/// Writes `votes`, ascending by source and without abstains, behind what `bytes` holds.
pub(super) fn encode(votes: impl IntoIterator<Item = (u32, Vote)>, bytes: &mut Vec<u8>) {
    let mut next = 0;
    for (source, vote) in votes {
        debug_assert!(source >= next && vote != 0);
        write_number(source - next, bytes);
        write_number(u32::from(vote), bytes);
        next = source + 1;
    }
}

fn write_number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The votes that [`encode`] wrote.
#[derive(Clone, Debug)]
pub(super) struct Decode<'a> {
    bytes: &'a [u8],
    next: u32,
}

impl<'a> Decode<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, next: 0 }
    }

    #[inline]
    fn read_number(&mut self) -> Option<u32> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        let mut number = u32::from(first & 0x7f);
        let mut more = first & 0x80 != 0;
        let mut shift = 7;
        while more {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            more = byte & 0x80 != 0;
        }
        Some(number)
    }
}

impl Iterator for Decode<'_> {
    type Item = (u32, Vote);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let source = self.next + self.read_number()?;
        let vote = self.read_number()? as Vote;
        self.next = source + 1;
        Some((source, vote))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let rows: [&[(u32, Vote)]; 5] = [
            &[],
            &[(0, 1)],
            &[(127, 127), (128, 128)],
            &[(3, 1), (200_000, 65_534), (500_000, 2)],
            &[(0, 2), (1, 1)],
        ];
        for row in rows {
            let mut bytes = Vec::new();
            encode(row.iter().copied(), &mut bytes);
            assert_eq!(Decode::new(&bytes).collect::<Vec<_>>(), row);
        }
    }

    #[test]
    fn a_common_vote_costs_two_bytes() {
        let mut bytes = Vec::new();
        encode([(5, 1), (90, 100)], &mut bytes);
        assert_eq!(bytes.len(), 4);
    }
}
