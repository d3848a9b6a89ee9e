//! Rows in which every vote takes one byte, or every vote two, eight cells at a time and without a branch, by instructions that
//! gather and scatter bits.
//!
//! The code is unsafe only in that it uses these instructions: no library offers them in a safe form.

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::{SHORT, filled_highest_bits, last_cells};
use crate::optim::{Vectors, vectors};

/// 1 in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The place of each byte.
const PLACES: u64 = 0x0706_0504_0302_0100;
/// Every other byte, from the first and from the second on.
const GAPS: u64 = 0x00ff_00ff_00ff_00ff;
const CAST: u64 = !GAPS;

/// Whether this processor can, and may.
#[inline]
pub(super) fn available() -> bool {
    can() && vectors() != Vectors::Plain
}

fn can() -> bool {
    is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Writes `votes`, one per source, behind what `bytes` holds; only where [`available`].
#[inline]
pub(super) fn encode(votes: &[u8], bytes: &mut Vec<u8>) {
    assert!(can(), "asked for instructions that this processor lacks");
    // The last eight cells write eight pairs, whether or not they are filled.
    let mut pairs = [0; 2 * SHORT + 16];
    // SAFETY: the processor has the instructions, as just asserted.
    #[expect(unsafe_code, reason = "instructions that are chosen at run time")]
    let filled = unsafe { encode_with_bmi2(votes, &mut pairs) };
    bytes.extend_from_slice(&pairs[..2 * filled]);
}

/// The same for rows in which every vote takes one byte.
#[inline]
pub(super) fn encode_narrow(votes: &[u8], bytes: &mut Vec<u8>) {
    assert!(can(), "asked for instructions that this processor lacks");
    let mut written = [0; SHORT + 8];
    // SAFETY: the processor has the instructions, as just asserted.
    #[expect(unsafe_code, reason = "instructions that are chosen at run time")]
    let filled = unsafe { encode_narrow_with_bmi2(votes, &mut written) };
    bytes.extend_from_slice(&written[..filled]);
}

/// Writes a gap and a vote for each vote to `pairs`, and returns their number. There are at most 128 sources.
#[target_feature(enable = "bmi2,lzcnt,popcnt")]
fn encode_with_bmi2(votes: &[u8], pairs: &mut [u8; 2 * SHORT + 16]) -> usize {
    each_eight(votes, |written, gaps, cast| {
        let low = _pdep_u64(gaps, GAPS) | _pdep_u64(cast, CAST);
        let high = _pdep_u64(gaps >> 32, GAPS) | _pdep_u64(cast >> 32, CAST);
        let pairs = &mut pairs[2 * written..][..16];
        pairs[..8].copy_from_slice(&low.to_le_bytes());
        pairs[8..].copy_from_slice(&high.to_le_bytes());
    })
}

/// Writes one byte for each vote to `bytes`, and returns their number. There are at most 127 sources.
#[target_feature(enable = "bmi2,lzcnt,popcnt")]
fn encode_narrow_with_bmi2(votes: &[u8], bytes: &mut [u8; SHORT + 8]) -> usize {
    each_eight(votes, |written, gaps, cast| {
        // No gap is longer than 126, so no byte of a vote carries into the next one.
        let both = (gaps << 1).wrapping_add(cast).wrapping_sub(ONES);
        bytes[written..][..8].copy_from_slice(&both.to_le_bytes());
    })
}

/// Passes on, for each eight cells, the number of votes before them and one byte per vote: the gap before it, and the vote. What
/// the bytes behind the last vote hold means nothing. Returns the number of votes.
#[target_feature(enable = "bmi2,lzcnt,popcnt")]
#[inline]
fn each_eight(votes: &[u8], mut write: impl FnMut(usize, u64, u64)) -> usize {
    let (eights, rest) = votes.as_chunks::<8>();
    // How many votes are written, and the source behind the last one that voted.
    let (mut written, mut next) = (0, 0);
    let last = (!rest.is_empty()).then(|| last_cells(votes, rest));
    let eights = eights.iter().map(|eight| u64::from_le_bytes(*eight)).chain(last);
    for (cells, first) in eights.zip((0..).step_by(8)) {
        let filled = (filled_highest_bits(cells) >> 7).wrapping_mul(0xff);
        let places = _pext_u64(PLACES, filled) + first * ONES;
        let cast = _pext_u64(cells, filled);
        // Sources ascend, so no byte of a vote borrows from the next one; bytes behind the last vote are not kept.
        let gaps = places.wrapping_sub((places + ONES) << 8 | next);
        write(written, gaps, cast);
        written += filled.count_ones() as usize / 8;
        next = if filled == 0 { next } else { first + 8 - u64::from(filled.leading_zeros() / 8) };
    }
    written
}
