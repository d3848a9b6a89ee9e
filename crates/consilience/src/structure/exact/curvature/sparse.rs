//! The outer product of scores if few sources vote: pairs of votes only, sixteen problems at a time.

use super::expected::Expected;
use crate::optim::{LANES, Lane, Lane64, add, add_product, dispatch, map, map2, row_start};
use crate::structure::exact::kernels::block::BlockScores;
use crate::structure::exact::kernels::kernel::{Kernel, ZERO};
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::Rows;

/// Single-precision sums of this many blocks keep their digits.
const FLUSH: usize = 512;

/// Bytes of scores that are held at once: so many rows share each visit to a row of the matrix, which may be far larger than
/// the cache.
const HELD: usize = 4 << 20;

/// The sums from which the matrix is put together.
///
/// A link's score is b if its other source abstains and b + d if it votes, so that the work follows the votes.
pub(crate) struct Sums {
    /// Σ d d' for links whose other sources both vote, packed lower triangle.
    pub(crate) voted: Vec<Lane>,
    /// For each feature t, Σ b_t d for every link.
    pub(crate) abstained_voted: Vec<Lane>,
    /// Σ b b' for every two features.
    pub(crate) abstained: Vec<Lane>,
    /// For each further parameter (rates, class terms, accuracy), Σ e d for every link.
    pub(crate) further_voted: Vec<Lane>,
    /// For each further parameter, Σ e b for every feature.
    pub(crate) further_abstained: Vec<Lane>,
    /// Σ e e' for every two further parameters.
    pub(crate) further: Vec<Lane>,
}

impl Sums {
    fn new(layout: Numbering) -> Self {
        let links = layout.links();
        let further = layout.len() - links;
        let lanes = |count: usize| vec![ZERO; count];
        Self {
            voted: lanes(row_start(links)),
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

/// J over the rows of `blocks`, packed lower triangles.
pub(crate) fn outer_product(kernel: &Kernel<'_>, blocks: &[usize]) -> Vec<Lane64> {
    let mut total = vec![[0.0; LANES]; row_start(kernel.layout().len())];
    sum_up(kernel, None, blocks, &mut total);
    total
}

/// What the model expects of J if only the other sources' votes are known.
///
/// # Formula
/// ```text
/// Σ_u c_u Σ_v p(v) s_u(v) s_u(v)ᵀ
/// ```
/// Vote by vote if a link reads the class; otherwise the sum over v has a closed form (`expected.rs`).
pub(crate) fn expected_outer_product(kernel: &Kernel<'_>, blocks: &[usize]) -> Vec<Lane64> {
    let mut total = vec![[0.0; LANES]; row_start(kernel.layout().len())];
    if !kernel.reads_class() {
        dispatch(
            #[inline(always)]
            || sum_up_expected(kernel, blocks, &mut total),
        );
        return total;
    }
    for cast in 0..=kernel.batch.classes.len() {
        sum_up(kernel, Some(cast), blocks, &mut total);
    }
    total
}

fn sum_up(kernel: &Kernel<'_>, cast: Option<usize>, blocks: &[usize], total: &mut [Lane64]) {
    dispatch(
        #[inline(always)]
        || sum_up_scores(kernel, cast, blocks, total),
    );
}

#[inline(always)]
fn sum_up_expected(kernel: &Kernel<'_>, blocks: &[usize], total: &mut [Lane64]) {
    let layout = kernel.layout();
    let mut sums = Sums::new(layout);
    let mut room = Expected::new(kernel);
    for blocks in blocks.chunks(FLUSH) {
        for &block in blocks {
            crate::watch::look();
            room.add_block(kernel, block, &mut sums);
        }
        assemble(layout, &mut sums, total);
    }
}

#[inline(always)]
fn sum_up_scores(kernel: &Kernel<'_>, cast: Option<usize>, blocks: &[usize], total: &mut [Lane64]) {
    let layout = kernel.layout();
    let rows = kernel.rows;
    let mut sums = Sums::new(layout);
    let mut work = kernel.work();
    let held = (HELD / BlockScores::<false>::bytes(rows, layout)).clamp(1, FLUSH);
    let mut scores = vec![BlockScores::<false>::new(rows, layout); held.min(blocks.len())];
    let mut added = 0;
    for strip in blocks.chunks(held) {
        crate::watch::look();
        if added + strip.len() > FLUSH {
            assemble(layout, &mut sums, total);
            added = 0;
        }
        for (&block, scores) in strip.iter().zip(&mut scores) {
            kernel.row_scores(cast, block, &mut work, scores);
            if cast.is_some() {
                scores.weigh_by_probability();
            }
            add_others(rows, block, scores, layout, &mut sums);
        }
        add_voted_pairs(rows, strip, &scores, layout, &mut sums.voted);
        added += strip.len();
    }
    assemble(layout, &mut sums, total);
}

/// Adds the products of two voting links: link by link, so that the row of the matrix being filled stays in the nearest
/// cache for all rows of the blocks.
#[inline(always)]
fn add_voted_pairs(
    rows: &Rows,
    blocks: &[usize],
    scores: &[BlockScores<false>],
    layout: Numbering,
    voted: &mut [Lane],
) {
    let (n, k) = (layout.sources, layout.classes);
    for t in 0..layout.features {
        for l in 0..n {
            let f = t * n + l;
            let matrix_row = &mut voted[row_start(f)..][..=f];
            for (&block, scores) in blocks.iter().zip(scores) {
                let first = rows.block(block).start;
                for &cell in rows.of_source(block, l) {
                    let at = rows.row_and_class(cell).0;
                    let count = rows.counts[first + at];
                    let score = map(scores.voted(t)[usize::from(cell)], |score| score * count);
                    for earlier in 0..=t {
                        let others = &scores.voted(earlier)[at * rows.stride()..][..k];
                        let cells = &mut matrix_row[earlier * n..];
                        for (class, other) in others.iter().enumerate() {
                            let product = map2(score, *other, |score, other| score * other);
                            for &q in rows.of_class(first + at, class) {
                                if earlier == t && usize::from(q) > l {
                                    break;
                                }
                                add(&mut cells[usize::from(q)], &product);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Adds all products but those of two voting links.
#[inline(always)]
fn add_others(rows: &Rows, block: usize, scores: &BlockScores<false>, layout: Numbering, sums: &mut Sums) {
    let (n, links) = (layout.sources, layout.links());
    let further = layout.len() - links;
    for (at, u) in rows.block(block).enumerate() {
        let count = rows.counts[u];
        for t in 0..layout.features {
            let voted = &scores.voted(t)[at * rows.stride()..];
            for s in 0..layout.features {
                let weighted = map(scores.abstained(s)[at], |score| score * count);
                add_voted(rows, u, voted, &weighted, &mut sums.abstained_voted[s * links + t * n..]);
                add_product(
                    &mut sums.abstained[t * layout.features + s],
                    &weighted,
                    &scores.abstained(t)[at],
                );
            }
            for x in 0..further {
                let weighted = map(scores.further_at(x, at), |score| score * count);
                add_voted(rows, u, voted, &weighted, &mut sums.further_voted[x * links + t * n..]);
                add_product(
                    &mut sums.further_abstained[x * layout.features + t],
                    &weighted,
                    &scores.abstained(t)[at],
                );
            }
        }
        for x in 0..further {
            let weighted = map(scores.further_at(x, at), |score| score * count);
            for y in 0..=x {
                add_product(&mut sums.further[x * further + y], &weighted, &scores.further_at(y, at));
            }
        }
    }
}

/// Adds `factor × d` for every voting link.
#[inline(always)]
fn add_voted(rows: &Rows, u: usize, voted: &[Lane], factor: &Lane, to: &mut [Lane]) {
    for class in 0..rows.classes {
        for &l in rows.of_class(u, class) {
            add_product(&mut to[usize::from(l)], factor, &voted[class]);
        }
    }
}

/// Adds the matrix that `sums` stands for to `total` and clears the sums.
fn assemble(layout: Numbering, sums: &mut Sums, total: &mut [Lane64]) {
    let (n, links) = (layout.sources, layout.links());
    let further = layout.len() - links;
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
                &sums.voted[row_start(f) + g],
                &sums.abstained_voted[s * links + f],
                &sums.abstained_voted[t * links + g],
                &sums.abstained[t * layout.features + s],
            ]);
        }
    }
    for x in 0..further {
        for f in 0..links {
            add(&[&sums.further_voted[x * links + f], &sums.further_abstained[x * layout.features + f / n]]);
        }
        for y in 0..=x {
            add(&[&sums.further[x * further + y]]);
        }
    }
    for part in sums.all() {
        part.fill(ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use crate::sources::{Classes, Sources};
    use crate::structure::exact::kernels::kernel::Parameters;
    use crate::structure::exact::table::batch::Batch;
    use crate::structure::exact::table::context::Context;
    use crate::structure::exact::table::feature::Feature;
    use crate::structure::exact::table::span::Span;
    use crate::votes::VotesBuilder;
    use rand::RngExt as _;

    /// The closed form against the sum over all votes that could have been cast; sources of one class and repeated rows included.
    #[test]
    fn the_closed_form_is_the_sum_over_votes() {
        let mut rng = Streams::new(8).stream(0);
        let (n, k) = (18, 4);
        let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
        for i in 0..500 {
            let row: Vec<u16> = (0..n)
                .map(|j| match j {
                    _ if i % 9 == 0 && j > 1 => 0,
                    3 => 2 * u16::from(rng.random_range(0..3) == 0),
                    _ => rng.random_range(0..=k as u16),
                })
                .collect();
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(k).unwrap()).unwrap();
        let rows = Rows::new(&votes);
        let context = Context::new(&rows, &vec![0.4; n], &[0.1, 0.0, -0.1, 0.2]);
        for features in [
            vec![Feature::Correlation],
            vec![Feature::Agreement, Feature::Exclusive],
            vec![Feature::Agreement],
        ] {
            for batch in &Batch::all(&rows, &votes) {
                let mut lane = || Lane(std::array::from_fn(|_| rng.random_range(-0.4..0.4)));
                let links = (0..(n + 1) * features.len())
                    .map(|at| if at % (n + 1) < n { lane() } else { Lane::ZERO })
                    .collect();
                let parameters = Parameters {
                    links,
                    rates: batch.classes.iter().map(|_| lane()).collect(),
                    class_terms: (0..k).map(|_| lane()).collect(),
                    accuracy: lane(),
                };
                let kernel = Kernel::new(&rows, batch, &context, &features, &parameters);
                let span = Span::all(&rows);
                let found = expected_outer_product(&kernel, span.blocks());
                let mut truth = vec![[0.0; LANES]; found.len()];
                for cast in 0..=batch.classes.len() {
                    sum_up(&kernel, Some(cast), span.blocks(), &mut truth);
                }
                let size = kernel.layout().len();
                for i in 0..size {
                    for j in 0..=i {
                        for lane in 0..batch.members.len() {
                            let at = |i: usize, j: usize| truth[row_start(i) + j][lane];
                            let off = found[row_start(i) + j][lane] - at(i, j);
                            let size = (at(i, i) * at(j, j)).sqrt();
                            assert!(off.abs() <= 2e-4 * size + 1e-3, "{features:?} {i} {j}: {off} of {size}");
                        }
                    }
                }
            }
        }
    }
}
