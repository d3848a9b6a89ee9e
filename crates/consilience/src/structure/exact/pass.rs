//! One pass over the rows: the likelihood of all problems of a group and its gradient.

use super::scores::Kernel;
use crate::optim::{LANES, Lane, Lane64, add, add_times, dispatch, map};

/// Rows whose sums are kept in single precision before they are added to the double-precision total.
const BLOCK: usize = 512;

/// How the parameters of a problem are numbered: links (features one behind the other), vote rates, accuracy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) sources: usize,
    pub(super) features: usize,
    pub(super) rates: usize,
}

impl Layout {
    pub(super) fn links(self) -> usize {
        self.sources * self.features
    }

    pub(super) fn accuracy(self) -> usize {
        self.links() + self.rates
    }

    pub(super) fn len(self) -> usize {
        self.accuracy() + 1
    }
}

/// The log likelihood of the problems of a group and its gradient.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    pub(super) log_likelihood: Lane64,
    pub(super) by_parameter: Vec<Lane64>,
}

#[inline(always)]
fn scaled(a: &Lane, factor: f32) -> Lane {
    map(*a, |a| a * factor)
}

/// Adds single-precision sums to the total and clears them.
#[inline(always)]
fn flush(total: &mut [Lane64], part: &mut [Lane]) {
    for (total, part) in total.iter_mut().zip(part) {
        for i in 0..LANES {
            total[i] += f64::from(part[i]);
            part[i] = 0.0;
        }
    }
}

/// Likelihood and gradient over all rows.
pub(super) fn gradient(kernel: &Kernel<'_>) -> Gradient {
    dispatch(
        #[inline(always)]
        || gradient_kernel(kernel),
    )
}

#[inline(always)]
fn gradient_kernel(kernel: &Kernel<'_>) -> Gradient {
    let layout = kernel.layout();
    let (n, k) = (layout.sources, kernel.rows().classes);
    let mut total = vec![[0.0; LANES]; layout.len()];
    let mut part = vec![Lane::ZERO; layout.len()];
    let mut abstained = vec![Lane::ZERO; layout.features];
    let mut log_likelihood = [Lane::ZERO];
    let mut total_abstained = vec![[0.0; LANES]; layout.features];
    let mut total_log_likelihood = [[0.0; LANES]];
    let mut scores = kernel.scores();
    let mut weighted: Vec<Lane> = scores.voted.clone();
    for u in 0..kernel.rows().len() {
        let count = kernel.rows().counts[u];
        kernel.row(u, &mut scores);
        for (to, from) in weighted.iter_mut().zip(&scores.voted) {
            *to = scaled(from, count);
        }
        let (sources, votes) = kernel.rows().row(u);
        for t in 0..layout.features {
            let links = &mut part[t * n..(t + 1) * n];
            let voted = &weighted[t * k..(t + 1) * k];
            for (&l, &vote) in sources.iter().zip(votes) {
                add(&mut links[usize::from(l)], &voted[usize::from(vote) - 1]);
            }
            add_times(&mut abstained[t], &scores.abstained[t], count);
        }
        for (to, rate) in part[layout.links()..].iter_mut().zip(&scores.rates) {
            add_times(to, rate, count);
        }
        add_times(&mut part[layout.accuracy()], &scores.accuracy, count);
        add_times(&mut log_likelihood[0], &scores.log_likelihood, count);
        if u % BLOCK == BLOCK - 1 {
            flush(&mut total, &mut part);
            flush(&mut total_abstained, &mut abstained);
            flush(&mut total_log_likelihood, &mut log_likelihood);
        }
    }
    flush(&mut total, &mut part);
    flush(&mut total_abstained, &mut abstained);
    flush(&mut total_log_likelihood, &mut log_likelihood);
    for t in 0..layout.features {
        for link in &mut total[t * n..(t + 1) * n] {
            for i in 0..LANES {
                link[i] += total_abstained[t][i];
            }
        }
    }
    Gradient { log_likelihood: total_log_likelihood[0], by_parameter: total }
}
