//! The outer product of scores if most sources vote: scores rounded to bytes, four rows and sixteen problems at a time.
//!
//! A score is rounded to 1/127 of the largest of its kind, by an error that is as good as random and independent from row
//! to row, so that sums over thousands of rows keep four digits; products of bytes are exact and many at a time.

use crate::optim::{
    GRAM_ROWS, LANES, Lane, Lane64, Quad, Sum, dispatch, gram, larger, map, map2, row_start, step_by_step,
};
use crate::parallel;
use crate::structure::exact::kernels::block::BlockScores;
use crate::structure::exact::kernels::kernel::Kernel;
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::Rows;

/// Rows whose scores share a unit.
const WIDTH: usize = 1024;

/// Bytes of the matrices that are multiplied at once: they stay in the second cache.
const MATRIX: usize = 256 << 10;

/// Steps of four rows that are multiplied at once: below this, sums are moved more often than they are added to.
const FEWEST_STEPS: usize = 16;

/// Strips that threads work on side by side; each has sums of its own.
const STRIPS_AT_A_TIME: usize = 4;

/// Counts within this ratio are alike: they share one unit without a loss of digits.
pub(crate) const LIKE_COUNTS: f32 = 4.0;

/// The most classes: a vote is a byte here.
pub(crate) const MOST_CLASSES: usize = 254;

/// The largest byte.
const LARGEST: f32 = 127.0;

/// J over the rows of `blocks`, packed lower triangles; the counts of each block are alike.
pub(crate) fn outer_product(kernel: &Kernel<'_>, blocks: &[usize]) -> Vec<Lane64> {
    let layout = kernel.layout();
    let blocks_of_strip = (WIDTH / kernel.rows.block_rows()).max(1);
    let strips: Vec<&[usize]> = strips(kernel.rows, blocks, blocks_of_strip).collect();
    let mut lower = vec![[0.0; LANES]; row_start(layout.len())];
    for strips in strips.chunks(STRIPS_AT_A_TIME) {
        let products: Vec<Products> = parallel::map(strips, |blocks| products_of(kernel, blocks));
        dispatch(
            #[inline(always)]
            || products.iter().for_each(|products| products.add_to(layout, &mut lower)),
        );
    }
    lower
}

/// Blocks whose counts are alike, at most `most` together; counts fall from block to block.
fn strips<'a>(rows: &'a Rows, blocks: &'a [usize], most: usize) -> impl Iterator<Item = &'a [usize]> {
    let largest = move |block: usize| rows.counts[rows.block(block).start];
    let smallest = move |block: usize| rows.counts[rows.block(block).end - 1];
    let mut rest = blocks;
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let alike = |block: &&usize| largest(first) <= LIKE_COUNTS * smallest(**block);
        let (strip, after) = rest.split_at(rest.iter().take(most).take_while(alike).count().max(1));
        rest = after;
        Some(strip)
    })
}

/// The products of a strip in whole units.
struct Products {
    sums: Vec<Sum>,
    /// For each kind of score (features, then further parameters) and lane, what one unit is worth.
    unit: Vec<Lane>,
}

impl Products {
    #[inline(always)]
    fn add_to(&self, layout: Numbering, lower: &mut [Lane64]) {
        let unit_of = |d: usize| -> Lane64 {
            let further = |d: usize| layout.features + d - layout.links();
            let kind = if d < layout.links() { d / layout.sources } else { further(d) };
            self.unit[kind].map(f64::from)
        };
        let units: Vec<Lane64> = (0..layout.len()).map(unit_of).collect();
        for i in 0..layout.len() {
            let row = row_start(i)..=row_start(i) + i;
            for ((to, sum), unit) in lower[row.clone()].iter_mut().zip(&self.sums[row]).zip(&units) {
                for lane in 0..LANES {
                    to[lane] += f64::from(sum.0[lane]) * (units[i][lane] * unit[lane]);
                }
            }
        }
    }
}

/// All scores of a strip: for each row one lane for each value, which are, of every feature, what a link scores if its other
/// source abstains and if it votes for each class, and then the further parameters.
struct Scores {
    values: usize,
    lanes: Vec<Lane>,
    /// The largest size of each kind.
    largest: Vec<Lane>,
}

fn products_of(kernel: &Kernel<'_>, blocks: &[usize]) -> Products {
    crate::watch::look();
    let layout = kernel.layout();
    let scores = dispatch(
        #[inline(always)]
        || scores_of(kernel, blocks),
    );
    let in_units = |largest: Lane| map(largest, |x| if x > 0.0 { x / LARGEST } else { 1.0 });
    let unit: Vec<Lane> = scores.largest.iter().map(|&largest| in_units(largest)).collect();
    let padded = layout.len().next_multiple_of(GRAM_ROWS);
    let steps = scores.lanes.len() / scores.values / GRAM_ROWS;
    let most = (MATRIX / (padded * size_of::<Quad>())).max(FEWEST_STEPS);
    // Blocks have whole steps, but for the last of all.
    let steps_of_block = kernel.rows.block_rows() / GRAM_ROWS;
    let votes = kernel.rows.votes_by_fours().chunks_exact(layout.sources);
    let votes: Vec<&[u32]> = blocks
        .iter()
        .flat_map(|&block| votes.clone().skip(block * steps_of_block).take(steps_of_block))
        .collect();
    let mut sums = vec![Sum::ZERO; row_start(padded)];
    let mut panels = Vec::new();
    let mut quads = vec![Quad::ZERO; scores.values];
    for first in (0..steps).step_by(most) {
        let part = first..(first + most).min(steps);
        panels.resize(padded / GRAM_ROWS * part.len(), [Quad::ZERO; GRAM_ROWS]);
        dispatch(
            #[inline(always)]
            || {
                for (at, step) in part.clone().enumerate() {
                    scores.round(layout, step, &unit, &mut quads);
                    let mut put = |d: usize, quad: Quad| {
                        panels[d / GRAM_ROWS * part.len() + at][d % GRAM_ROWS] = quad;
                    };
                    fill(layout, &quads, votes[step], &mut put);
                }
            },
        );
        gram(&panels, part.len(), &mut sums);
    }
    Products { sums, unit }
}

/// The column of every parameter: of a link, the value of the class its other source votes for in each of the four rows.
#[inline(always)]
fn fill(layout: Numbering, quads: &[Quad], votes: &[u32], put: &mut impl FnMut(usize, Quad)) {
    let (n, k) = (layout.sources, layout.classes);
    for (t, values) in quads.chunks_exact(k + 1).take(layout.features).enumerate() {
        for (l, &votes) in votes.iter().enumerate() {
            let mut chosen = values[0];
            for (class, value) in (1..).zip(&values[1..]) {
                step_by_step();
                let here = equal_bytes(votes, class * 0x0101_0101);
                for lane in 0..LANES {
                    chosen.0[lane] ^= (values[0].0[lane] ^ value.0[lane]) & here;
                }
            }
            put(t * n + l, chosen);
        }
    }
    for (x, quad) in quads[layout.features * (k + 1)..].iter().enumerate() {
        put(layout.links() + x, *quad);
    }
}

/// 255 in each byte in which the two are equal, else 0.
#[inline(always)]
fn equal_bytes(a: u32, b: u32) -> u32 {
    const LOW: u32 = 0x7f7f_7f7f;
    let different = a ^ b;
    // The highest bit of each byte that is 0.
    let same = !(((different & LOW) + LOW) | different | LOW);
    (same >> 7) * 255
}

#[inline(always)]
fn scores_of(kernel: &Kernel<'_>, blocks: &[usize]) -> Scores {
    let layout = kernel.layout();
    let rows = kernel.rows;
    let (k, further) = (layout.classes, layout.len() - layout.links());
    let values = layout.features * (k + 1) + further;
    let height: usize = blocks.iter().map(|&block| rows.block(block).len()).sum();
    let mut lanes = vec![Lane::ZERO; values * height.next_multiple_of(GRAM_ROWS)];
    let mut largest = vec![Lane::ZERO; layout.features + further];
    let mut work = kernel.work();
    let mut scores = BlockScores::<false>::new(rows, layout);
    let mut to = lanes.chunks_exact_mut(values);
    for &block in blocks {
        kernel.row_scores(None, block, &mut work, &mut scores);
        for ((at, u), to) in rows.block(block).enumerate().zip(&mut to) {
            let root = rows.counts[u].sqrt();
            for (t, (to, largest)) in
                to.chunks_exact_mut(k + 1).zip(&mut largest).enumerate().take(layout.features)
            {
                let abstained = scores.abstained(t)[at];
                to[0] = map(abstained, |a| a * root);
                for (to, &voted) in to[1..].iter_mut().zip(&scores.voted(t)[at * rows.stride()..]) {
                    step_by_step();
                    *to = map2(abstained, voted, |a, b| (a + b) * root);
                }
                for &score in &*to {
                    step_by_step();
                    *largest = larger_size(*largest, score);
                }
            }
            let of_further = to[layout.features * (k + 1)..].iter_mut().zip(&mut largest[layout.features..]);
            for (x, (to, largest)) in of_further.enumerate() {
                *to = map(scores.further_at(x, at), |score| score * root);
                *largest = larger_size(*largest, *to);
            }
        }
    }
    Scores { values, lanes, largest }
}

impl Scores {
    /// Four rows of every value, as bytes.
    #[inline(always)]
    fn round(&self, layout: Numbering, step: usize, unit: &[Lane], quads: &mut [Quad]) {
        // Adding 1.5 · 2^23 rounds to a whole number and leaves it in the lowest bits.
        const ROUND: f32 = 12_582_912.0;
        let of_links = layout.features * (layout.classes + 1);
        let rows = &self.lanes[step * GRAM_ROWS * self.values..];
        for (value, quad) in quads.iter_mut().enumerate() {
            let kind = if value < of_links {
                value / (layout.classes + 1)
            } else {
                value - layout.features * layout.classes
            };
            let inverse = map(unit[kind], |unit| 1.0 / unit);
            *quad = Quad::ZERO;
            for row in 0..GRAM_ROWS {
                let score = rows[row * self.values + value];
                for lane in 0..LANES {
                    let byte = (score[lane] * inverse[lane] + ROUND).to_bits() & 0xff;
                    quad.0[lane] |= byte << (8 * row);
                }
            }
        }
    }
}

#[inline(always)]
fn larger_size(largest: Lane, score: Lane) -> Lane {
    map2(largest, score, |largest, score| larger(largest, score.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_compared_one_by_one() {
        for a in 0..=255u32 {
            for b in 0..=255u32 {
                let words = (a | b << 8 | 255 << 16, b | b << 8 | a << 16);
                let truth = |a, b| if a == b { 255 } else { 0 };
                let expected = truth(a, b) | 255 << 8 | truth(255, a) << 16 | 255 << 24;
                assert_eq!(equal_bytes(words.0, words.1), expected, "{a} {b}");
            }
        }
    }
}
