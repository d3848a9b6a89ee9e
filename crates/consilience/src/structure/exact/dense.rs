//! The outer product of scores where most sources vote: one problem at a time, scores rounded to bytes.
//!
//! A score is rounded to 1/127 of the largest of its kind, by an error that is as good as random and independent from row
//! to row, so that sums over thousands of rows keep four digits; products of bytes are exact and many at a time.

use rayon::prelude::*;

use super::block::BlockScores;
use super::kernel::Kernel;
use super::layout::Layout;
use super::rows::Rows;
use crate::optim::{COLUMNS, LANES, Lane, Lane64, dispatch, gram, map, row_start};

/// Rows whose scores are multiplied at once: the matrix of one problem stays in the second cache.
const WIDTH: usize = 2048;

/// Counts within this ratio are alike: they share one unit without a loss of digits.
pub(super) const LIKE_COUNTS: f32 = 4.0;

/// The most classes: a vote is a byte here.
pub(super) const MOST_CLASSES: usize = 254;

/// The largest byte.
const LARGEST: f32 = 127.0;

/// Scores of one kind (those of a feature, or of one further parameter) of all rows of a strip, for each lane, as bytes.
struct Strip {
    width: usize,
    /// For each lane, feature and class (0 an abstain), then for each lane and further parameter: one row of bytes.
    link_values: Vec<i8>,
    further_values: Vec<i8>,
    /// For each kind (features, then further parameters) and lane, what one unit is worth.
    unit: Vec<Lane>,
    /// For each source, its votes.
    votes: Vec<u8>,
}

/// J over the rows of `blocks`, packed lower triangles; the counts of each block are alike.
pub(super) fn outer_product(kernel: &Kernel<'_>, blocks: &[usize]) -> Vec<Lane64> {
    let layout = kernel.layout();
    let blocks_of_strip = (WIDTH / kernel.rows.block_rows()).max(1);
    let mut sums: Vec<Vec<f64>> = vec![vec![0.0; row_start(layout.len())]; kernel.group.members.len()];
    for blocks in strips(kernel.rows, blocks, blocks_of_strip) {
        let strip = dispatch(
            #[inline(always)]
            || strip_of(kernel, blocks),
        );
        sums.par_iter_mut().enumerate().for_each_init(Vec::new, |matrix, (lane, sums)| {
            crate::watch::look();
            fill_matrix(&strip, layout, lane, matrix);
            add_products(&strip, layout, lane, matrix, sums);
        });
    }
    let mut lower = vec![[0.0; LANES]; row_start(layout.len())];
    for (lane, sums) in sums.iter().enumerate() {
        for (cell, sum) in lower.iter_mut().zip(sums) {
            cell[lane] = *sum;
        }
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

/// Adds the products of one problem.
fn add_products(strip: &Strip, layout: Layout, lane: usize, matrix: &[i8], sums: &mut [f64]) {
    let size = layout.len();
    let unit_of = |d: usize| {
        let kind = if d < layout.links() { d / layout.sources } else { layout.features + d - layout.links() };
        f64::from(strip.unit[kind][lane])
    };
    let units: Vec<f64> = (0..size).map(unit_of).collect();
    gram(matrix, strip.width, |i, j, tile| {
        for (i, row) in (i..size).zip(tile) {
            let to = &mut sums[row_start(i)..=row_start(i) + i];
            for ((to, &sum), unit) in to.iter_mut().skip(j).zip(row).zip(&units[j..]) {
                *to += f64::from(sum) * units[i] * unit;
            }
        }
    });
}

/// One row of bytes for each parameter; further rows, up to a multiple of what products take, are of no account.
fn fill_matrix(strip: &Strip, layout: Layout, lane: usize, matrix: &mut Vec<i8>) {
    let (width, k) = (strip.width, layout.classes);
    matrix.resize(layout.len().next_multiple_of(crate::optim::GRAM_ROWS) * width, 0);
    dispatch(
        #[inline(always)]
        || {
            let mut parameters = matrix.chunks_exact_mut(width);
            for t in 0..layout.features {
                let values =
                    &strip.link_values[(lane * layout.features + t) * (k + 1) * width..][..(k + 1) * width];
                for (votes, to) in strip.votes.chunks_exact(width).zip(&mut parameters) {
                    choose(votes, values, to);
                }
            }
            let further = layout.len() - layout.links();
            for (from, to) in strip.further_values[lane * further * width..]
                .chunks_exact(width)
                .take(further)
                .zip(parameters)
            {
                to.copy_from_slice(from);
            }
        },
    );
}

/// In each column, the value of the class voted for.
#[inline(always)]
fn choose(votes: &[u8], values: &[i8], to: &mut [i8]) {
    to.copy_from_slice(&values[..to.len()]);
    for (class, values) in (1..).zip(values.chunks_exact(to.len()).skip(1)) {
        for ((to, &value), &vote) in to.iter_mut().zip(values).zip(votes) {
            // By masks, so that there is no branch to keep the compiler from vectors.
            let here = -i8::from(vote == class);
            *to = value & here | *to & !here;
        }
    }
}

#[inline(always)]
fn strip_of(kernel: &Kernel<'_>, blocks: &[usize]) -> Strip {
    let layout = kernel.layout();
    let rows = kernel.rows;
    let (k, further) = (layout.classes, layout.len() - layout.links());
    let kinds = layout.features + further;
    let values_of_kind = layout.features * (k + 1) + further;
    let width = (blocks.len() * rows.block_rows()).next_multiple_of(COLUMNS);
    // First all scores, each value a row of lanes, to see how large they get.
    let mut values = vec![Lane::ZERO; values_of_kind * width];
    let mut largest = vec![Lane::ZERO; kinds];
    let mut work = kernel.work();
    let mut scores = BlockScores::new(rows, layout);
    for (turn, &block) in blocks.iter().enumerate() {
        kernel.block(block, &mut work, &mut scores);
        for (at, u) in rows.block(block).enumerate() {
            let root = rows.counts[u].sqrt();
            let column = turn * rows.block_rows() + at;
            for t in 0..layout.features {
                let abstained = scores.abstained(t)[at];
                let voted = &scores.voted(t)[at * rows.stride()..][..k];
                let all = std::iter::once(Lane::ZERO).chain(voted.iter().copied());
                for (value, extra) in all.enumerate() {
                    let score = crate::optim::map2(abstained, extra, |a, b| (a + b) * root);
                    largest[t] = larger_size(largest[t], score);
                    values[(t * (k + 1) + value) * width + column] = score;
                }
            }
            for x in 0..further {
                let score = map(scores.further_at(x, at), |score| score * root);
                largest[layout.features + x] = larger_size(largest[layout.features + x], score);
                values[(layout.features * (k + 1) + x) * width + column] = score;
            }
        }
    }
    let unit: Vec<Lane> =
        largest.iter().map(|&largest| map(largest, |x| if x > 0.0 { x / LARGEST } else { 1.0 })).collect();
    let kind_of = |value: usize| {
        if value < layout.features * (k + 1) { value / (k + 1) } else { value - layout.features * k }
    };
    let mut link_values = vec![0; LANES * layout.features * (k + 1) * width];
    let mut further_values = vec![0; LANES * further * width];
    for (value, scores) in values.chunks_exact(width).enumerate() {
        let inverse = map(unit[kind_of(value)], |unit| 1.0 / unit);
        let of_links = layout.features * (k + 1);
        let (to, row, rows_of_lane) = if value < of_links {
            (&mut link_values, value, of_links)
        } else {
            (&mut further_values, value - of_links, further)
        };
        for (column, &score) in scores.iter().enumerate() {
            let bytes =
                crate::optim::map2(score, inverse, |score, inverse| (score * inverse).round_ties_even());
            for lane in 0..LANES {
                to[(lane * rows_of_lane + row) * width + column] = bytes[lane] as i8;
            }
        }
    }
    Strip { width, link_values, further_values, unit, votes: votes_of(rows, blocks, width) }
}

#[inline(always)]
fn larger_size(largest: Lane, score: Lane) -> Lane {
    crate::optim::map2(largest, score, |largest, score| crate::optim::larger(largest, score.abs()))
}

/// For each source and column, 0 where it abstains, else its class counted from 1.
fn votes_of(rows: &Rows, blocks: &[usize], width: usize) -> Vec<u8> {
    let n = rows.active.len();
    let mut votes = vec![0; n * width];
    for (turn, &block) in blocks.iter().enumerate() {
        for (l, votes) in votes.chunks_exact_mut(width).enumerate() {
            for &cell in rows.of_source(block, l) {
                let (row, class) = rows.row_and_class(cell);
                votes[turn * rows.block_rows() + row] = class as u8 + 1;
            }
        }
    }
    votes
}
