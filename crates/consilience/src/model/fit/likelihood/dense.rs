//! The expected counts of two classes if most sources vote: rows side by side in the lanes of vectors.

use super::expected::Expected;
use super::layout::{Layout, Tables};
use super::rows::Rows;
use crate::optim::{LANES, Lane, dispatch, exp, larger, ln, map, map2};
use crate::parallel;
use crate::sources::Vote;

/// Rows of votes for two classes as two bits per cell, turned: sixteen rows of one source, then of the next.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    sources: usize,
    cells: Vec<Cells>,
    counts: Vec<Lane>,
    /// For each place of a layout, how many items have its vote.
    cast: Vec<f64>,
}

/// The votes of one source in [`LANES`] rows, two bits each: a vote for the first class is -1, for the second +1, none is 0.
#[derive(Clone, Copy, Debug, Default)]
struct Cells(u32);

const _: () = assert!(2 * LANES == u32::BITS as usize, "two bits per row fill a word");

impl Cells {
    /// Notes a vote for `class` in a row that has none yet.
    #[inline(always)]
    fn vote(&mut self, lane: usize, class: Vote) {
        self.0 |= if class == 1 { 0b11 } else { 0b01 } << (2 * lane);
    }

    /// The number of each row: its bits are shifted to the top, and back with their sign.
    #[inline(always)]
    fn numbers(self) -> Lane {
        let mut x = Lane::ZERO;
        for i in 0..LANES {
            x[i] = ((self.0 << (u32::BITS - 2 - 2 * i as u32)).cast_signed() >> (u32::BITS - 2)) as f32;
        }
        x
    }
}

/// Blocks of sixteen rows that are added up in single precision; products of as many numbers of 1 to 2 do not overflow.
const PIECE: usize = 256;
/// Fewer rows are not worth turning.
const FEWEST_ROWS: usize = 1 << 13;
/// Reading every cell pays if there is a vote in every so many.
const CELLS_A_VOTE: usize = 8;

impl Dense {
    /// Of `rows`, if that pays: two classes, and many rows with many votes.
    pub(crate) fn new(layout: &Layout, rows: &Rows<'_>) -> Option<Self> {
        let sources = layout.domains.len();
        if layout.k != 2 || layout.has_class_joints() || rows.len() < FEWEST_ROWS {
            return None;
        }
        let patterns = rows.votes.patterns();
        let sampled: usize = (0..64).map(|i| patterns.row(rows.pattern(i * rows.len() / 64)).count()).sum();
        if sampled * CELLS_A_VOTE < 64 * sources {
            return None;
        }
        let blocks = rows.len().div_ceil(LANES);
        let mut cells = vec![Cells::default(); blocks * sources];
        let mut counts = vec![Lane::ZERO; blocks];
        let fill = |block: usize, cells: &mut [Cells], count: &mut Lane, cast: &mut [u64]| {
            for lane in 0..LANES.min(rows.len() - block * LANES) {
                let p = rows.pattern(block * LANES + lane);
                count[lane] = rows.count(block * LANES + lane) as f32;
                let items = patterns.counts()[p];
                patterns.row(p).for_each(|(j, vote): (usize, Vote)| {
                    cells[j].vote(lane, vote);
                    cast[2 * j + usize::from(vote == 2)] += items;
                });
            }
        };
        let pieces = cells.chunks_mut(sources * PIECE).zip(counts.chunks_mut(PIECE)).enumerate();
        let cast = parallel::map(pieces, |(piece, (cells, counts))| {
            let mut cast = vec![0; 2 * sources];
            for (i, (cells, count)) in cells.chunks_exact_mut(sources).zip(counts).enumerate() {
                fill(piece * PIECE + i, cells, count, &mut cast);
            }
            cast
        });
        let scale = rows.scale();
        let mut by_place = vec![0.0; layout.places()];
        for (j, domain) in layout.domains.iter().enumerate() {
            for (&class, place) in domain.classes().iter().zip(layout.starts[j] + 1..) {
                let at = 2 * j + usize::from(class == 2);
                by_place[place] = cast.iter().map(|cast| cast[at]).sum::<u64>() as f64 * scale;
            }
        }
        Some(Self { sources, cells, counts, cast: by_place })
    }

    /// For each place of a layout, how many items have its vote.
    pub(crate) fn cast(&self) -> &[f64] {
        &self.cast
    }

    /// The expected counts under `energies`, silence not yet filled in.
    pub(crate) fn expected(&self, layout: &Layout, energies: &Tables, silent: [f64; 2]) -> Expected {
        let weights = self.weights(layout, energies);
        let lead = (silent[1] - silent[0]) as f32;
        let pieces = self.cells.chunks(self.sources * PIECE).zip(self.counts.chunks(PIECE));
        let pieces = parallel::map(pieces, |(cells, counts)| {
            crate::watch::look();
            dispatch(
                #[inline(always)]
                || piece(cells, counts, &weights, lead),
            )
        });
        let mut total = Sums::zero(self.sources);
        for sums in &pieces {
            total.add(sums);
        }
        let mut counts = Tables::zero(layout);
        counts.class = vec![total.items - total.second, total.second];
        let mut log_sum = total.log_sum + total.items * silent[0];
        for (j, domain) in layout.domains.iter().enumerate() {
            for (&class, place) in domain.classes().iter().zip(layout.starts[j] + 1..) {
                let sign = if class == 2 { 1.0 } else { -1.0 };
                // Σ over votes for this class of c q(2): half of the sum over all votes and the signed sum.
                let second = (0.5 * (total.all[j] + sign * total.signed[j])).clamp(0.0, self.cast[place]);
                counts.unary[2 * place] = self.cast[place] - second;
                counts.unary[2 * place + 1] = second;
                let abstain = layout.starts[j];
                log_sum += self.cast[place] * (energies.unary[2 * place] - energies.unary[2 * abstain]);
            }
        }
        Expected { log_sum, counts }
    }

    /// For each source, what a vote x of -1 or +1 adds to the lead of the second class: m x + d x².
    fn weights(&self, layout: &Layout, energies: &Tables) -> Vec<(f32, f32)> {
        let lead = |place: usize| energies.unary[2 * place + 1] - energies.unary[2 * place];
        let of_source = |j: usize| {
            let mut by_class = [0.0, 0.0];
            for (&class, place) in layout.domains[j].classes().iter().zip(layout.starts[j] + 1..) {
                by_class[usize::from(class) - 1] = lead(place) - lead(layout.starts[j]);
            }
            match layout.domains[j].classes() {
                // One class only: the other sign is never seen, and the term without a sign is not needed.
                [1] => (-by_class[0] as f32, 0.0),
                [2] => (by_class[1] as f32, 0.0),
                _ => ((0.5 * (by_class[1] - by_class[0])) as f32, (0.5 * (by_class[1] + by_class[0])) as f32),
            }
        };
        (0..self.sources).map(of_source).collect()
    }
}

/// What rows add up to.
struct Sums {
    items: f64,
    log_sum: f64,
    /// Σ c q(2).
    second: f64,
    /// For each source, Σ c q(2) x and Σ c q(2) x².
    signed: Vec<f64>,
    all: Vec<f64>,
}

impl Sums {
    fn zero(sources: usize) -> Self {
        Self { items: 0.0, log_sum: 0.0, second: 0.0, signed: vec![0.0; sources], all: vec![0.0; sources] }
    }

    fn add(&mut self, other: &Self) {
        self.items += other.items;
        self.log_sum += other.log_sum;
        self.second += other.second;
        self.signed.iter_mut().zip(&other.signed).for_each(|(sum, part)| *sum += part);
        self.all.iter_mut().zip(&other.all).for_each(|(sum, part)| *sum += part);
    }
}

#[inline(always)]
fn piece(cells: &[Cells], counts: &[Lane], weights: &[(f32, f32)], silent_lead: f32) -> Sums {
    let n = weights.len();
    let even = weights.iter().all(|&(_, d)| d.abs() <= 0.0);
    let mut sums = Sums::zero(n);
    // For each source, Σ c q(2) x and Σ c q(2) |x|. Sources are visited through a list, so that the compiler does not put sources into the
    // lanes of vectors instead of rows.
    let mut both = vec![[Lane::ZERO; 2]; n];
    let order: Vec<u32> = (0..n as u32).collect();
    let mut second = Lane::ZERO;
    // Π (1 + e^-|lead|) of rows that stand for one item each, one product per lane.
    let mut product = [1.0f64; LANES];
    let mut ahead = [0.0f64; LANES];
    for (columns, count) in cells.chunks_exact(n).zip(counts) {
        let mut lead = Lane([silent_lead; LANES]);
        if even {
            for (column, &(m, _)) in columns.iter().zip(weights) {
                lead = map2(lead, column.numbers(), |lead, x| lead + m * x);
            }
        } else {
            for (column, &(m, d)) in columns.iter().zip(weights) {
                lead = map2(lead, column.numbers(), |lead, x| lead + x * (m + d * x));
            }
        }
        let small = exp(map(lead, |lead| -larger(lead, -lead)));
        let unlikely = map(small, |small| small / (1.0 + small));
        let q = map2(lead, unlikely, |lead, unlikely| if lead > 0.0 { 1.0 - unlikely } else { unlikely });
        let q = map2(q, *count, |q, c| q * c);
        second = map2(second, q, |sum, q| sum + q);
        if count.iter().all(|&c| c.to_bits() == 1f32.to_bits()) {
            for i in 0..LANES {
                product[i] *= 1.0 + f64::from(small[i]);
                ahead[i] += f64::from(larger(lead[i], 0.0));
            }
        } else {
            let log = ln(map(small, |small| 1.0 + small));
            for i in 0..LANES {
                ahead[i] += f64::from(count[i]) * f64::from(larger(lead[i], 0.0) + log[i]);
            }
        }
        sums.items += count.iter().map(|&c| f64::from(c)).sum::<f64>();
        for &j in &order {
            let part = map2(columns[j as usize].numbers(), q, |x, q| x * q);
            let sums = &mut both[j as usize];
            sums[0] = map2(sums[0], part, |signed, part| signed + part);
            sums[1] = map2(sums[1], part, |all, part| all + larger(part, -part));
        }
    }
    let total = |lane: &Lane| lane.iter().map(|&x| f64::from(x)).sum::<f64>();
    sums.second = total(&second);
    sums.log_sum = ahead.iter().sum::<f64>() + product.iter().map(|product| product.ln()).sum::<f64>();
    sums.signed = both.iter().map(|sums| total(&sums[0])).collect();
    sums.all = both.iter().map(|sums| total(&sums[1])).collect();
    sums
}
