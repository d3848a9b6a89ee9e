//! One row of votes as a string of bytes.
//!
//! Each vote is written as the number of sources passed over since the last one, in the variable-length form of seven
//! bits a byte, then the class: one byte up to class 254, three bytes beyond. A vote of a table with up to 128 sources
//! costs two bytes, an abstain nothing. Equal rows are equal strings, so rows are hashed, compared and sorted as bytes.

use crate::sources::Vote;

/// Says that the class stands in the next two bytes.
const LARGE: u8 = u8::MAX;

/// Writes `votes`, ascending by source and without abstains, behind what `bytes` holds.
pub(super) fn encode(votes: impl IntoIterator<Item = (u32, Vote)>, bytes: &mut Vec<u8>) {
    let mut next = 0;
    for (source, vote) in votes {
        debug_assert!(source >= next && vote != 0);
        write_gap(source - next, bytes);
        match u8::try_from(vote) {
            Ok(vote) if vote < LARGE => bytes.push(vote),
            _ => {
                bytes.push(LARGE);
                bytes.extend(vote.to_be_bytes());
            }
        }
        next = source + 1;
    }
}

fn write_gap(mut gap: u32, bytes: &mut Vec<u8>) {
    while gap >= 0x80 {
        bytes.push(gap as u8 | 0x80);
        gap >>= 7;
    }
    bytes.push(gap as u8);
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
    fn read_byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    #[inline]
    fn read_gap(&mut self) -> Option<u32> {
        let mut byte = self.read_byte()?;
        let mut gap = u32::from(byte & 0x7f);
        let mut shift = 7;
        while byte & 0x80 != 0 {
            byte = self.read_byte()?;
            gap |= u32::from(byte & 0x7f) << shift;
            shift += 7;
        }
        Some(gap)
    }

    #[inline]
    fn read_vote(&mut self) -> Option<Vote> {
        match self.read_byte()? {
            LARGE => Some(Vote::from_be_bytes([self.read_byte()?, self.read_byte()?])),
            vote => Some(Vote::from(vote)),
        }
    }
}

impl Iterator for Decode<'_> {
    type Item = (u32, Vote);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let source = self.next + self.read_gap()?;
        let vote = self.read_vote()?;
        self.next = source + 1;
        Some((source, vote))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let rows: [&[(u32, Vote)]; 6] = [
            &[],
            &[(0, 1)],
            &[(127, 127), (128, 128)],
            &[(1, 254), (2, 255), (3, 256)],
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
        encode([(5, 1), (90, 254)], &mut bytes);
        assert_eq!(bytes.len(), 4);
    }
}
