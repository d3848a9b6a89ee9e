//! Rows of tables with few sources and two classes: one byte per vote, the gap and the class in it.
//!
//! # Formula
//! ```text
//! byte = 2 gap + class - 1          gap: the sources passed over since the last vote, at most 126; class: 1 or 2
//! ```

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use super::bmi2;
use super::{CELLS, filled_cells};
use crate::sources::Vote;

/// The most sources that this form can hold; of 128, a gap could be 127 long.
pub(super) const MOST_SOURCES: usize = 127;
/// The most classes.
pub(super) const MOST_CLASSES: Vote = 2;

/// Writes `votes`, ascending by source and without abstains, behind what `bytes` holds.
pub(super) fn encode(votes: impl IntoIterator<Item = (u32, Vote)>, bytes: &mut Vec<u8>) {
    let mut next = 0;
    bytes.extend(votes.into_iter().map(|(source, vote)| {
        debug_assert!(source >= next && (source as usize) < MOST_SOURCES);
        debug_assert!((1..=MOST_CLASSES).contains(&vote));
        let gap = source - next;
        next = source + 1;
        2 * gap as u8 + (vote - 1) as u8
    }));
}

/// The gap and the vote in one byte.
#[inline(always)]
pub(super) fn decode(byte: u8) -> (u32, Vote) {
    (u32::from(byte >> 1), 1 + Vote::from(byte & 1))
}

/// The same as [`encode`] for one vote per source, abstains included.
#[inline]
pub(super) fn encode_cells(votes: &[u8], bytes: &mut Vec<u8>) {
    #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
    if bmi2::available() {
        return bmi2::encode_narrow(votes, bytes);
    }
    encode_filled(votes, bytes);
}

/// The same on any processor; it visits filled cells only.
fn encode_filled(votes: &[u8], bytes: &mut Vec<u8>) {
    let mut next = 0;
    for (first, cells) in (0..).step_by(CELLS).zip(votes.chunks(CELLS)) {
        let mut cast = filled_cells(cells);
        while cast != 0 {
            let at = first + cast.trailing_zeros() as usize;
            bytes.push(2 * (at - next) as u8 + votes[at] - 1);
            next = at + 1;
            cast &= cast - 1;
        }
    }
}

/// How often `vote` occurs in `rows`.
pub(super) fn count_votes(rows: &[u8], vote: u8) -> u64 {
    // Counted in bytes as long as the count fits one, which takes vectors.
    let of_few = |few: &[u8]| few.iter().map(|byte| byte & 1).sum::<u8>();
    let second = rows.chunks(usize::from(u8::MAX)).map(|few| u64::from(of_few(few))).sum::<u64>();
    match vote {
        1 => rows.len() as u64 - second,
        2 => second,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest gap and both classes.
    #[test]
    fn all_votes_fit() {
        let mut bytes = Vec::new();
        encode([(126, 2)], &mut bytes);
        assert_eq!(bytes, [253]);
        assert_eq!(decode(253), (126, 2));
        assert_eq!(decode(0), (0, 1));
    }

    /// What every processor does is what this one does.
    #[test]
    fn cells_are_encoded_alike_on_any_processor() {
        for sources in [0, 1, 7, 8, 63, 64, 65, 100, 127] {
            for by in [1, 3, 5, 11] {
                let cells: Vec<u8> =
                    (0..sources).map(|i: usize| ((i * by % 7) as u8).saturating_sub(4)).collect();
                let (mut here, mut anywhere) = (vec![9], vec![9]);
                encode_cells(&cells, &mut here);
                encode_filled(&cells, &mut anywhere);
                assert_eq!(here, anywhere, "{sources} sources");
            }
        }
    }
}
