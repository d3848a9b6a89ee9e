//! The sums of a panel if most sources vote on few classes: sixteen rows side by side in the lanes of vectors.

use super::slots::PanelSums;
use crate::model::fit::likelihood::layout::Layout;
use crate::model::fit::likelihood::rows::Rows;
use crate::optim::{LANES, Lane, dispatch, exp, larger, ln, map2};
use crate::parallel;

/// Rows of votes as one byte per cell, turned: sixteen rows of one source, then of the next; 0 abstains.
#[derive(Clone, Debug)]
pub(super) struct LaneRows {
    sources: usize,
    cells: Vec<u8>,
    counts: Vec<Lane>,
    /// For each place of the layout, for how many items its vote is cast.
    pub(super) cast: Vec<f64>,
}

/// Blocks of sixteen rows that are added up in single precision; products of as many sums do not overflow.
const PIECE: usize = 128;
/// Fewer rows are not worth turning.
const FEWEST_ROWS: usize = 1 << 13;
/// Each cell is compared with every class; with more classes, going from vote to vote is faster.
const MOST_CLASSES: usize = 32;
/// ... and so it is where fewer than one cell in so many is filled.
const CELLS_PER_VOTE: usize = 3;
/// Classes that go over the cells together; their number is made up to one of a few multiples.
const FOUR: usize = 4;
/// The score of a class that is there only to make up the number: e to it is negligible next to any other.
const NEVER: f32 = -1e4;

impl LaneRows {
    /// Of `rows`, if that pays.
    pub(super) fn new(layout: &Layout, rows: &Rows<'_>) -> Option<Self> {
        let sources = layout.domains.len();
        if layout.k > MOST_CLASSES || rows.len() < FEWEST_ROWS {
            return None;
        }
        let patterns = rows.votes.patterns();
        let sampled: usize = (0..64).map(|i| patterns.row(rows.pattern(i * rows.len() / 64)).count()).sum();
        if sampled * CELLS_PER_VOTE < 64 * sources {
            return None;
        }
        let blocks = rows.len().div_ceil(LANES);
        let size = LANES * sources;
        let mut cells = vec![0u8; blocks * size];
        let mut counts = vec![Lane::ZERO; blocks];
        let pieces = cells.chunks_mut(size * PIECE).zip(counts.chunks_mut(PIECE)).enumerate();
        let cast = parallel::map(pieces, |(piece, (cells, counts))| {
            let mut cast = vec![0; layout.places()];
            let first = piece * PIECE * LANES;
            for row in first..(first + counts.len() * LANES).min(rows.len()) {
                let (block, lane) = ((row - first) / LANES, (row - first) % LANES);
                let p = rows.pattern(row);
                counts[block][lane] = rows.count(row) as f32;
                let of_block = &mut cells[block * size..(block + 1) * size];
                patterns.row(p).for_each(|(j, vote)| {
                    of_block[j * LANES + lane] = vote as u8;
                    cast[layout.place(j, vote)] += patterns.counts()[p];
                });
            }
            cast
        });
        let total = |place: usize| cast.iter().map(|cast| cast[place]).sum::<u64>() as f64 * rows.scale();
        let cast = (0..layout.places()).map(total).collect();
        Some(Self { sources, cells, counts, cast })
    }

    /// The sums where class y has the score `silence[y]` without votes, and each vote of source j adds `lift[j]` to its class:
    /// the formula of [`super::slots::Slots::sums`].
    pub(super) fn sums(&self, silence: &[f64], lift: &[f64]) -> PanelSums {
        let k = silence.len();
        let (exact_silence, exact_lift) = (silence, lift);
        let grid = grid(silence, lift);
        let silence: Vec<f32> = silence.iter().map(|&score| on_grid(score, grid)).collect();
        let lift: Vec<f32> = lift.iter().map(|&lift| on_grid(lift, grid)).collect();
        let pieces = self.cells.chunks(LANES * self.sources * PIECE).zip(self.counts.chunks(PIECE));
        let pieces = parallel::map(pieces, |(cells, counts)| {
            crate::watch::look();
            dispatch(
                #[inline(always)]
                || match k {
                    0..=4 => piece::<4>(cells, counts, &silence, &lift),
                    5..=8 => piece::<8>(cells, counts, &silence, &lift),
                    9..=12 => piece::<12>(cells, counts, &silence, &lift),
                    13..=20 => piece::<20>(cells, counts, &silence, &lift),
                    _ => piece::<MOST_CLASSES>(cells, counts, &silence, &lift),
                },
            )
        });
        let mut sums = PanelSums { log_sum: 0.0, right: vec![0.0; lift.len()], class: vec![0.0; k] };
        for piece in &pieces {
            sums.log_sum += piece.log_sum;
            sums.right.iter_mut().zip(&piece.right).for_each(|(sum, part)| *sum += part);
            sums.class.iter_mut().zip(&piece.class).for_each(|(sum, part)| *sum += part);
        }
        // Rounded weights make the sum a staircase, on which no search finds its way down; its slopes put that right.
        let of_rounding = |exact: &[f64], rounded: &[f32], slopes: &[f64]| -> f64 {
            let each = exact.iter().zip(rounded).zip(slopes);
            each.map(|((exact, &rounded), slope)| (exact - f64::from(rounded)) * slope).sum()
        };
        sums.log_sum += of_rounding(exact_lift, &lift, &sums.right);
        sums.log_sum += of_rounding(exact_silence, &silence, &sums.class);
        sums
    }
}

/// The distance between neighbours of single precision at the largest score there can be.
fn grid(silence: &[f64], lift: &[f64]) -> f64 {
    let largest = silence.iter().fold(0.0f64, |largest, score| largest.max(score.abs()));
    let reach = largest + lift.iter().map(|lift| lift.abs()).sum::<f64>();
    reach.max(1.0).log2().ceil().exp2() / f64::from(1u32 << f32::MANTISSA_DIGITS)
}

/// The nearest multiple of `grid`: sums of such numbers are exact in single precision. Otherwise each source's votes would
/// be rounded the same way on all rows, which adds up.
fn on_grid(x: f64, grid: f64) -> f32 {
    ((x / grid).round() * grid) as f32
}

/// `sum`, and `of` more if the cell holds `class`.
#[inline(always)]
fn add_where(sum: Lane, cells: [u8; LANES], class: u8, of: f32) -> Lane {
    let mut out = Lane::ZERO;
    for i in 0..LANES {
        out[i] = sum[i] + if cells[i] == class { of } else { 0.0 };
    }
    out
}

/// `of` if the cell holds `class`, else `other`.
#[inline(always)]
fn choose(cells: [u8; LANES], class: u8, of: Lane, other: Lane) -> Lane {
    let mut out = Lane::ZERO;
    for i in 0..LANES {
        out[i] = if cells[i] == class { of[i] } else { other[i] };
    }
    out
}

/// The sums of some blocks with at most `K` classes.
#[inline(always)]
fn piece<const K: usize>(cells: &[u8], counts: &[Lane], silence: &[f32], lift: &[f32]) -> PanelSums {
    let n = lift.len();
    let mut silent = [NEVER; K];
    silent[..silence.len()].copy_from_slice(silence);
    // Sources are visited through a list, so that the compiler puts rows and not sources into lanes.
    let order: Vec<u32> = (0..n as u32).collect();
    let mut right = vec![Lane::ZERO; n];
    let mut class = [Lane::ZERO; K];
    let mut product = [1.0f64; LANES];
    let mut ahead = [0.0f64; LANES];
    for (block, count) in cells.chunks_exact(LANES * n).zip(counts) {
        let (columns, _) = block.as_chunks::<LANES>();
        let mut q = scores::<K>(columns, &silent, lift, &order);
        let top = q.iter().fold(q[0], |top, score| map2(top, *score, larger));
        let mut sum = Lane::ZERO;
        for q in &mut q {
            *q = exp(map2(*q, top, |score, top| score - top));
            sum = map2(sum, *q, |sum, e| sum + e);
        }
        let share = map2(*count, sum, |count, sum| count / sum);
        for (q, class) in q.iter_mut().zip(&mut class) {
            *q = map2(*q, share, |e, share| e * share);
            *class = map2(*class, *q, |sum, q| sum + q);
        }
        if count.iter().all(|&c| c.to_bits() == 1f32.to_bits()) {
            for i in 0..LANES {
                product[i] *= f64::from(sum[i]);
                ahead[i] += f64::from(top[i]);
            }
        } else {
            let log = ln(sum);
            for i in 0..LANES {
                ahead[i] += f64::from(count[i]) * f64::from(top[i] + log[i]);
            }
        }
        for &j in &order {
            let column = columns[j as usize];
            let mut cast = Lane::ZERO;
            for (y, q) in (1u8..).zip(&q) {
                cast = choose(column, y, *q, cast);
            }
            right[j as usize] = map2(right[j as usize], cast, |sum, q| sum + q);
        }
    }
    let total = |lane: &Lane| lane.iter().map(|&x| f64::from(x)).sum::<f64>();
    PanelSums {
        log_sum: ahead.iter().sum::<f64>() + product.iter().map(|product| product.ln()).sum::<f64>(),
        right: right.iter().map(total).collect(),
        class: class.iter().map(total).collect(),
    }
}

/// The score of each class on sixteen rows.
#[inline(always)]
fn scores<const K: usize>(
    columns: &[[u8; LANES]],
    silent: &[f32; K],
    lift: &[f32],
    order: &[u32],
) -> [Lane; K] {
    let mut scores = [Lane::ZERO; K];
    for (first, (four, silent)) in
        (1u8..).step_by(FOUR).zip(scores.chunks_exact_mut(FOUR).zip(silent.chunks_exact(FOUR)))
    {
        // One variable per class, so that each stays in a register.
        let start = |i: usize| Lane([silent[i]; LANES]);
        let (mut a, mut b, mut c, mut d) = (start(0), start(1), start(2), start(3));
        for &j in order {
            let (column, lift) = (columns[j as usize], lift[j as usize]);
            a = add_where(a, column, first, lift);
            b = add_where(b, column, first + 1, lift);
            c = add_where(c, column, first + 2, lift);
            d = add_where(d, column, first + 3, lift);
        }
        four.copy_from_slice(&[a, b, c, d]);
    }
    scores
}
