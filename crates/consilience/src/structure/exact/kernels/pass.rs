//! One pass over the rows: the likelihood of all problems of a batch and its gradient.

use super::block::BlockScores;
use super::kernel::{Kernel, ZERO, sum_of};
use crate::optim::{LANES, Lane, Lane64, add, dispatch};
use crate::parallel;
use crate::structure::exact::table::span::Span;
use crate::watch;

/// Blocks whose sums are kept in single precision before they are added to the double-precision total.
const BLOCKS: usize = 4;

/// The log likelihood of the problems of a batch and its gradient.
#[derive(Clone, Debug)]
pub(crate) struct Gradient {
    pub(crate) log_likelihood: Lane64,
    pub(crate) by_parameter: Vec<Lane64>,
}

impl Gradient {
    fn new(size: usize) -> Self {
        Self { log_likelihood: [0.0; LANES], by_parameter: vec![[0.0; LANES]; size] }
    }

    fn add(&mut self, other: &Self) {
        for (to, from) in self.by_parameter.iter_mut().zip(&other.by_parameter) {
            for i in 0..LANES {
                to[i] += from[i];
            }
        }
        for i in 0..LANES {
            self.log_likelihood[i] += other.log_likelihood[i];
        }
    }
}

/// Likelihood and gradient over the rows of `span`.
pub(crate) fn gradient(kernel: &Kernel<'_>, span: &Span) -> Gradient {
    // Chunks depend on the rows alone, and their sums are added in order: any number of threads gives the same bits.
    let of_chunk = |blocks: &[usize]| {
        watch::look();
        dispatch(
            #[inline(always)]
            || gradient_of(kernel, blocks),
        )
    };
    let parts: Vec<Gradient> = parallel::map(span.chunks(), of_chunk);
    watch::pass_done();
    let mut total = Gradient::new(kernel.layout().len());
    for part in &parts {
        total.add(part);
    }
    total
}

/// Adds single-precision sums to the total and clears them.
#[inline(always)]
fn flush(total: &mut [Lane64], part: &mut [Lane]) {
    for (total, part) in total.iter_mut().zip(part) {
        for i in 0..LANES {
            total[i] += f64::from(part[i]);
        }
        *part = ZERO;
    }
}

#[inline(always)]
fn gradient_of(kernel: &Kernel<'_>, blocks: &[usize]) -> Gradient {
    let layout = kernel.layout();
    let rows = kernel.rows;
    let n = layout.sources;
    let lists = kernel.contrast.map_or(rows.lists(), |contrast| &contrast.lists);
    let mut total = Gradient::new(layout.len());
    let mut part = vec![ZERO; layout.links()];
    let mut abstained = vec![ZERO; layout.features];
    let mut total_abstained = vec![[0.0; LANES]; layout.features];
    let mut work = kernel.work();
    let mut scores = BlockScores::<true>::new(rows, layout);
    for (turn, &block) in blocks.iter().enumerate() {
        kernel.block(None, block, &mut work, &mut scores);
        scores.weigh();
        let height = rows.block(block).len();
        for t in 0..layout.features {
            let links = &mut part[t * n..(t + 1) * n];
            let voted = scores.voted(t);
            for (l, link) in links.iter_mut().enumerate() {
                add(link, &sum_of(voted, lists.of_source_by_fours(block, l)));
            }
            for score in &scores.abstained(t)[..height] {
                add(&mut abstained[t], score);
            }
        }
        if turn % BLOCKS == BLOCKS - 1 || turn + 1 == blocks.len() {
            kernel.settle_absent(&mut scores);
            let (links, further) = total.by_parameter.split_at_mut(layout.links());
            flush(links, &mut part);
            flush(further, scores.further_sums());
            flush(&mut total_abstained, &mut abstained);
        }
    }
    scores.take_log_likelihood(&mut total.log_likelihood);
    for t in 0..layout.features {
        for link in &mut total.by_parameter[t * n..(t + 1) * n] {
            for i in 0..LANES {
                link[i] += total_abstained[t][i];
            }
        }
    }
    total
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
    use crate::structure::exact::table::rows::Rows;
    use crate::votes::VotesBuilder;
    use rand::RngExt as _;

    /// Where the votes leave no doubt of the class, its terms have nothing to gain, however many rows there are: rounding that is
    /// alike in all rows must not add up. It did, by 1e-8 to 1e-7 a row, and a million rows never came to rest.
    #[test]
    fn certain_classes_leave_class_terms_alone() {
        let (n, items) = (60, 8_192);
        for (k, features) in [
            (2, vec![Feature::Correlation]),
            (3, vec![Feature::Correlation]),
            (5, vec![Feature::Correlation]),
            (3, vec![Feature::Agreement, Feature::FixedBy]),
        ] {
            let mut rng = Streams::new(4).stream(k);
            let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
            for item in 0..items {
                let class = (item % k as usize) as u16 + 1;
                let row: Vec<u16> = (0..n)
                    .map(|_| if rng.random_bool(0.9) { class } else { rng.random_range(0..=k as u16) })
                    .collect();
                builder.push_dense(&row).unwrap();
            }
            let votes = builder.finish_as(Classes::numbered(k as usize).unwrap()).unwrap();
            let rows = Rows::new(&votes);
            let rows = if features == [Feature::Correlation] { rows.with_contrast() } else { rows };
            let context = Context::new(&rows, &vec![1.3; n], &vec![0.0; k as usize]);
            let mut lane = || Lane(std::array::from_fn(|_| rng.random_range(0.0..0.1)));
            let parameters = Parameters {
                links: (0..(n + 1) * features.len())
                    .map(|at| if at % (n + 1) < n { lane() } else { ZERO })
                    .collect(),
                rates: (0..k).map(|_| lane()).collect(),
                class_terms: (0..k).map(|_| lane()).collect(),
                accuracy: lane(),
            };
            let batch = &Batch::all(&rows, &votes)[0];
            let kernel = Kernel::new(&rows, batch, &context, &features, &parameters);
            let layout = kernel.layout();
            let found = gradient(&kernel, &Span::all(&rows));
            for slope in &found.by_parameter[layout.class_terms()..layout.accuracy()] {
                for slope in slope {
                    assert!(slope.abs() < 1e-11 * items as f64, "{k} classes, {features:?}: {slope}");
                }
            }
        }
    }
}
