//! How often two sources are expected to say the same where both vote.

use rayon::prelude::*;

use super::repeats::{Given, Pairs};
use crate::optim::dispatch;

/// For each pair of sources, the agreement expected where both vote if they were independent given the class.
///
/// # Formula
/// ```text
/// E = Σ_y Q(y) g_y,   Var = Σ_y Q(y) g_y (1 - g_y),   Q(y) = Σ_{u: both vote} c_u q_u(y)
/// g_y = Σ_v p(v | j votes, y) p(v | l votes, y)
/// ```
pub(super) struct Sayings {
    n: usize,
    /// For each source, expected agreement and variance with each source after it.
    after: Vec<Vec<(f64, f64)>>,
}

impl Sayings {
    /// Of `pairs` with the posteriors `q` of its rows, classes fastest.
    pub(super) fn new(pairs: &Pairs, q: &[f64], given: &Given) -> Self {
        let after = (0..pairs.n).into_par_iter().map(|j| with_later_sources(pairs, q, given, j)).collect();
        Self { n: pairs.n, after }
    }

    /// Expected agreement and variance of source `j` with every source; 0 with itself.
    pub(super) fn of_source(&self, j: usize) -> (Vec<f64>, Vec<f64>) {
        let with = |l: usize| match l.cmp(&j) {
            std::cmp::Ordering::Less => self.after[l][j - l - 1],
            std::cmp::Ordering::Equal => (0.0, 0.0),
            std::cmp::Ordering::Greater => self.after[j][l - j - 1],
        };
        (0..self.n).map(with).unzip()
    }
}

fn with_later_sources(pairs: &Pairs, q: &[f64], given: &Given, j: usize) -> Vec<(f64, f64)> {
    crate::watch::look();
    let (n, k) = (pairs.n, pairs.k);
    let mut items = vec![0.0; (n - j - 1) * k];
    dispatch(
        #[inline(always)]
        || add_items(pairs, q, j, &mut items),
    );
    let agree = |l: usize, y: usize| -> f64 {
        let p = |j: usize, v: usize| given.of_votes[(j * k + v) * k + y];
        (0..k).map(|v| p(j, v) * p(l, v)).sum()
    };
    let with = |l: usize| {
        let items = &items[(l - j - 1) * k..][..k];
        let mut sums = (0.0, 0.0);
        if items.iter().any(|&items| items > 0.0) {
            for (y, items) in items.iter().enumerate() {
                let agree = agree(l, y);
                sums.0 += items * agree;
                sums.1 += items * agree * (1.0 - agree);
            }
        }
        sums
    };
    (j + 1..n).map(with).collect()
}

/// Adds to `items`, for each later source and class, the expected items of that class on which both vote.
#[inline(always)]
fn add_items(pairs: &Pairs, q: &[f64], j: usize, items: &mut [f64]) {
    let k = pairs.k;
    let mut counted = vec![0.0; k];
    for &u in &pairs.rows_of[j] {
        let u = u as usize;
        let row = &pairs.rows[u];
        let later = row.partition_point(|&(l, _)| l as usize <= j);
        counted
            .iter_mut()
            .zip(&q[u * k..(u + 1) * k])
            .for_each(|(counted, q)| *counted = pairs.counts[u] * q);
        for &(l, _) in &row[later..] {
            let sums = &mut items[(l as usize - j - 1) * k..][..k];
            sums.iter_mut().zip(&counted).for_each(|(sum, items)| *sum += items);
        }
    }
}
