//! The information matrix of all problems of a batch: the outer product of the scores.

use super::dense;
use super::sparse;
use crate::optim::Lane64;
use crate::structure::exact::kernels::kernel::Kernel;
use crate::structure::exact::table::span::Span;

/// Rows that the curvature of steps is taken from: at least these, and so many for each parameter, of the votes seen or of
/// those expected.
pub(crate) const FEWEST_ROWS: usize = 2048;
const SEEN_ROWS_OF_PARAMETER: usize = 64;
const EXPECTED_ROWS_OF_PARAMETER: usize = 16;

/// Of many rows at least one in so many: each pass that a better curvature saves goes over all of them.
const ONE_ROW_IN: usize = 8;

/// Products of bytes that take the time of one of sixteen problems' numbers in single precision. The same for all processors, so
/// that results are.
const BYTES_AT_A_TIME: f64 = 32.0;

/// The curvature that steps go by, from a share of the rows: packed lower triangles.
///
/// Where votes are few, those seen say little of it: two sources that are expected to agree on three items and agree on none
/// leave hardly any score to be squared. Then all votes that could have been cast are averaged over, in at least `fewest` rows.
pub(crate) fn curvature(kernel: &Kernel<'_>, fewest: usize) -> Vec<Lane64> {
    let size = kernel.layout().len();
    let rows = kernel.rows.len();
    let share = |of_parameter: usize| {
        Span::share(kernel.rows, FEWEST_ROWS.max(of_parameter * size).max(rows / ONE_ROW_IN))
    };
    let seen = share(SEEN_ROWS_OF_PARAMETER);
    if dense_is_cheaper(kernel, &seen) && rows >= SEEN_ROWS_OF_PARAMETER * size {
        return information(kernel, &seen);
    }
    expected_information(kernel, fewest)
}

/// What the model expects of the outer product of the scores, from a share of the rows, at least so many: packed lower
/// triangles.
fn expected_information(kernel: &Kernel<'_>, fewest: usize) -> Vec<Lane64> {
    let rows = kernel.rows.len();
    let fewest = fewest.max(EXPECTED_ROWS_OF_PARAMETER * kernel.layout().len());
    let span = Span::share(kernel.rows, fewest.max(rows / ONE_ROW_IN));
    scaled(sparse::expected_outer_product(kernel, span.blocks()), &span)
}

/// The outer product of the scores over the rows of `span`, scaled up to all items: packed lower triangles.
///
/// # Formula
/// ```text
/// J = Σ_u c_u s_u s_uᵀ
/// ```
pub(crate) fn information(kernel: &Kernel<'_>, span: &Span) -> Vec<Lane64> {
    let lower = if dense_is_cheaper(kernel, span) {
        // Bytes serve rows of like counts; the few rows that many items share are summed in full precision.
        let alike = |block: &usize| {
            let counts = &kernel.rows.counts[kernel.rows.block(*block)];
            counts[0] <= dense::LIKE_COUNTS * counts[counts.len() - 1]
        };
        let (like, unlike): (Vec<usize>, Vec<usize>) = span.blocks().iter().partition(|block| alike(block));
        let mut lower = dense::outer_product(kernel, &like);
        if !unlike.is_empty() {
            for (to, from) in lower.iter_mut().zip(sparse::outer_product(kernel, &unlike)) {
                *to = std::array::from_fn(|lane| to[lane] + from[lane]);
            }
        }
        lower
    } else {
        sparse::outer_product(kernel, span.blocks())
    };
    scaled(lower, span)
}

fn scaled(mut lower: Vec<Lane64>, span: &Span) -> Vec<Lane64> {
    if span.scale > 1.0 {
        for cell in &mut lower {
            *cell = cell.map(|x| x * span.scale);
        }
    }
    lower
}

/// One way goes over the pairs of votes and further parameters of each row, sixteen problems at a time and with a load and a store for each
/// product; the other over all pairs of parameters, many rows at a time.
fn dense_is_cheaper(kernel: &Kernel<'_>, span: &Span) -> bool {
    let layout = kernel.layout();
    if layout.classes > dense::MOST_CLASSES {
        return false;
    }
    let (mut products, mut rows) = (0.0, 0.0);
    let further = (layout.len() - layout.links()) as f64;
    for &block in span.blocks() {
        for u in kernel.rows.block(block) {
            let votes = (kernel.rows.votes(u) * layout.features) as f64 + further;
            products += 0.5 * votes * (votes + 1.0);
            rows += 1.0;
        }
    }
    let size = layout.len() as f64;
    let problems = kernel.batch.members.len() as f64;
    rows * problems * 0.5 * size * size / BYTES_AT_A_TIME <= 2.5 * products
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::{Lane, row_start};
    use crate::rng::Streams;
    use crate::sources::{Classes, Sources};
    use crate::structure::exact::kernels::kernel::Parameters;
    use crate::structure::exact::table::batch::Batch;
    use crate::structure::exact::table::context::Context;
    use crate::structure::exact::table::feature::Feature;
    use crate::structure::exact::table::rows::Rows;
    use crate::votes::VotesBuilder;
    use rand::RngExt as _;

    /// Bytes and single precision give the same matrix, to the digits that bytes keep; repeated rows included.
    #[test]
    fn both_ways_agree() {
        let mut rng = Streams::new(3).stream(0);
        let n = 18;
        let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
        for i in 0..6_000 {
            let row: Vec<u16> =
                (0..n).map(|j| if i % 9 == 0 && j > 1 { 0 } else { rng.random_range(0..4) }).collect();
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(3).unwrap()).unwrap();
        let rows = Rows::new(&votes);
        assert!(rows.counts[0] > 20.0 && rows.len() > 5_000);
        let context = Context::new(&rows, &vec![0.4; n], &[0.1, 0.0, -0.1]);
        for features in
            [vec![Feature::Correlation], vec![Feature::Agreement, Feature::FixedBy, Feature::Fixes]]
        {
            let batch = &Batch::all(&rows, &votes)[1];
            let mut lane = || Lane(std::array::from_fn(|_| rng.random_range(-0.3..0.3)));
            let links =
                (0..(n + 1) * features.len()).map(|at| if at % (n + 1) < n { lane() } else { Lane::ZERO });
            let parameters = Parameters {
                links: links.collect(),
                rates: (0..3).map(|_| lane()).collect(),
                class_terms: (0..3).map(|_| lane()).collect(),
                accuracy: lane(),
            };
            let kernel = Kernel::new(&rows, batch, &context, &features, &parameters);
            let span = Span::all(&rows);
            assert!(dense_is_cheaper(&kernel, &span));
            let (dense, sparse) =
                (information(&kernel, &span), sparse::outer_product(&kernel, span.blocks()));
            for i in 0..kernel.layout().len() {
                for j in 0..=i {
                    for lane in 0..batch.members.len() {
                        let at = |i: usize, j: usize| sparse[row_start(i) + j][lane];
                        let off = (dense[row_start(i) + j][lane] - at(i, j)) / (at(i, i) * at(j, j)).sqrt();
                        // Scores that are mostly far below the largest of their kind lose most to rounding (fixing: 1.2e-3 of the
                        // variance); standard errors move by half of that.
                        assert!(off.abs() < 2e-3, "{features:?} {i} {j}: {off}");
                    }
                }
            }
        }
    }
}
