//! The information matrix of all problems of a group: the outer product of the scores.

use super::pass::Layout;
use super::rows::Rows;
use super::scores::{Kernel, Scores};
use crate::optim::{LANES, Lane, Lane64, add_product, dispatch, map};

/// Rows whose scores are computed before they are multiplied: few enough to stay in the nearest cache.
const BLOCK: usize = 128;

/// Single-precision sums of this many rows keep their digits.
const FLUSH: usize = 1 << 16;

/// The sums from which the matrix is put together.
///
/// A link's score is b where its other source abstains and b + d where it votes, so that the work follows the votes.
struct Sums {
    /// Σ d d' for links whose other sources both vote, packed lower triangle.
    voted: Vec<Lane>,
    /// For each feature t, Σ b_t d for every link.
    abstained_voted: Vec<Lane>,
    /// Σ b b' for every two features.
    abstained: Vec<Lane>,
    /// For each further parameter (rates, accuracy), Σ e d for every link.
    further_voted: Vec<Lane>,
    /// For each further parameter, Σ e b for every feature.
    further_abstained: Vec<Lane>,
    /// Σ e e' for every two further parameters.
    further: Vec<Lane>,
}

impl Sums {
    fn new(layout: Layout) -> Self {
        let links = layout.links();
        let further = layout.rates + 1;
        let lanes = |count: usize| vec![Lane::ZERO; count];
        Self {
            voted: lanes(links * (links + 1) / 2),
            abstained_voted: lanes(layout.features * links),
            abstained: lanes(layout.features * layout.features),
            further_voted: lanes(further * links),
            further_abstained: lanes(further * layout.features),
            further: lanes(further * further),
        }
    }

    fn all(&mut self) -> [&mut Vec<Lane>; 6] {
        [
            &mut self.voted,
            &mut self.abstained_voted,
            &mut self.abstained,
            &mut self.further_voted,
            &mut self.further_abstained,
            &mut self.further,
        ]
    }
}

/// The outer product of the scores, summed over all rows: packed lower triangles.
///
/// # Formula
/// ```text
/// J = Σ_u c_u s_u s_uᵀ
/// ```
pub(super) fn information(kernel: &Kernel<'_>) -> Vec<Lane64> {
    dispatch(
        #[inline(always)]
        || information_kernel(kernel),
    )
}

#[inline(always)]
fn information_kernel(kernel: &Kernel<'_>) -> Vec<Lane64> {
    let layout = kernel.layout();
    let mut sums = Sums::new(layout);
    let mut total = vec![[0.0; LANES]; layout.len() * (layout.len() + 1) / 2];
    let mut scores = kernel.scores();
    let mut block: Vec<Lane> = vec![Lane::ZERO; BLOCK * scores.voted.len()];
    let rows = kernel.rows();
    let mut by_source: Vec<Vec<(u32, u32)>> = vec![Vec::new(); layout.sources];
    for start in (0..rows.len()).step_by(BLOCK) {
        let end = (start + BLOCK).min(rows.len());
        by_source.iter_mut().for_each(Vec::clear);
        for u in start..end {
            kernel.row(u, &mut scores);
            let width = scores.voted.len();
            block[(u - start) * width..(u - start + 1) * width].copy_from_slice(&scores.voted);
            for (at, &l) in rows.row(u).0.iter().enumerate() {
                by_source[usize::from(l)].push((u as u32, at as u32));
            }
            add_row(rows, u, &scores, layout, &mut sums);
        }
        add_products(rows, start, &block, &by_source, layout, &mut sums.voted);
        if end.is_multiple_of(FLUSH) || end == rows.len() {
            assemble(layout, &mut sums, &mut total);
        }
    }
    total
}

/// Adds the products of two voting links: link by link, so that the row of the matrix being filled stays in the nearest
/// cache for all rows of the block.
#[inline(always)]
fn add_products(
    rows: &Rows,
    start: usize,
    block: &[Lane],
    by_source: &[Vec<(u32, u32)>],
    layout: Layout,
    voted: &mut [Lane],
) {
    let (n, k) = (layout.sources, rows.classes);
    let width = layout.features * k;
    for t in 0..layout.features {
        for (l, seen) in by_source.iter().enumerate() {
            let f = t * n + l;
            let matrix_row = &mut voted[f * (f + 1) / 2..][..=f];
            for &(u, at) in seen {
                let (u, at) = (u as usize, at as usize);
                let (sources, votes) = rows.row(u);
                let scores = &block[(u - start) * width..][..width];
                let count = rows.counts[u];
                let score = map(scores[t * k + usize::from(votes[at]) - 1], |score| score * count);
                for earlier in 0..t {
                    let scores = &scores[earlier * k..(earlier + 1) * k];
                    let cells = &mut matrix_row[earlier * n..(earlier + 1) * n];
                    for (&q, &vote) in sources.iter().zip(votes) {
                        add_product(&mut cells[usize::from(q)], &score, &scores[usize::from(vote) - 1]);
                    }
                }
                let scores = &scores[t * k..(t + 1) * k];
                let cells = &mut matrix_row[t * n..];
                for (&q, &vote) in sources[..=at].iter().zip(votes) {
                    add_product(&mut cells[usize::from(q)], &score, &scores[usize::from(vote) - 1]);
                }
            }
        }
    }
}

/// Adds all products of one row but those of two voting links.
#[inline(always)]
fn add_row(rows: &Rows, u: usize, scores: &Scores, layout: Layout, sums: &mut Sums) {
    let (n, k) = (layout.sources, rows.classes);
    let links = layout.links();
    let count = rows.counts[u];
    let (sources, votes) = rows.row(u);
    for t in 0..layout.features {
        for (s, abstained) in scores.abstained.iter().enumerate() {
            add_voted(
                sources,
                votes,
                &scores.voted[t * k..],
                abstained,
                count,
                &mut sums.abstained_voted[s * links + t * n..],
            );
        }
        for (x, further) in scores.rates.iter().chain([&scores.accuracy]).enumerate() {
            add_voted(
                sources,
                votes,
                &scores.voted[t * k..],
                further,
                count,
                &mut sums.further_voted[x * links + t * n..],
            );
        }
    }
    for (t, abstained) in scores.abstained.iter().enumerate() {
        let weighted = map(*abstained, |score| score * count);
        for (s, other) in scores.abstained.iter().enumerate() {
            add_product(&mut sums.abstained[t * layout.features + s], &weighted, other);
        }
        for (x, rate) in scores.rates.iter().chain([&scores.accuracy]).enumerate() {
            add_product(&mut sums.further_abstained[x * layout.features + t], &weighted, rate);
        }
    }
    for (x, rate) in scores.rates.iter().chain([&scores.accuracy]).enumerate() {
        let weighted = map(*rate, |score| score * count);
        for (y, other) in scores.rates.iter().chain([&scores.accuracy]).enumerate() {
            add_product(&mut sums.further[x * (layout.rates + 1) + y], &weighted, other);
        }
    }
}

/// Adds `count × factor × d` for every voting link.
#[inline(always)]
fn add_voted(sources: &[u16], votes: &[u16], voted: &[Lane], factor: &Lane, count: f32, to: &mut [Lane]) {
    let weighted = map(*factor, |score| score * count);
    for (&l, &vote) in sources.iter().zip(votes) {
        add_product(&mut to[usize::from(l)], &weighted, &voted[usize::from(vote) - 1]);
    }
}

/// Adds the matrix that `sums` stands for to `total` and clears the sums.
fn assemble(layout: Layout, sums: &mut Sums, total: &mut [Lane64]) {
    let (n, links) = (layout.sources, layout.links());
    let mut at = 0;
    let mut add = |parts: &[&Lane]| {
        for i in 0..LANES {
            total[at][i] += parts.iter().map(|part| f64::from(part[i])).sum::<f64>();
        }
        at += 1;
    };
    for f in 0..links {
        let t = f / n;
        for g in 0..=f {
            let s = g / n;
            add(&[
                &sums.voted[f * (f + 1) / 2 + g],
                &sums.abstained_voted[s * links + f],
                &sums.abstained_voted[t * links + g],
                &sums.abstained[t * layout.features + s],
            ]);
        }
    }
    for x in 0..=layout.rates {
        for f in 0..links {
            add(&[&sums.further_voted[x * links + f], &sums.further_abstained[x * layout.features + f / n]]);
        }
        for y in 0..=x {
            add(&[&sums.further[x * (layout.rates + 1) + y]]);
        }
    }
    for part in sums.all() {
        part.fill(Lane::ZERO);
    }
}
