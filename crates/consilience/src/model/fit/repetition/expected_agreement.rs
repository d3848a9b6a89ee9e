//! How often two sources are expected to say the same where both vote.

use super::pairs::Pairs;
use super::votes_by_state::Given;
use crate::optim::{LANES, Lane, add_product, dispatch, map2, step_by_step};
use crate::parallel;

/// For each pair of sources, the agreement expected where both vote if they were independent given the state of the item: its
/// class, or class and strength of the impression.
///
/// # Formula
/// ```text
/// E = Σ_s Q(s) g_s,   Var = Σ_s Q(s) g_s (1 - g_s),   Q(s) = Σ_{u: both vote} c_u q_u(s)
/// g_s = Σ_v p(v | j votes, s) p(v | l votes, s)
/// ```
pub(crate) struct Sayings {
    n: usize,
    /// For each source, expected agreement and variance with each source after it.
    after: Vec<Vec<(f64, f64)>>,
}

impl Sayings {
    /// Of `pairs` with the posteriors `q` of its rows, states fastest.
    pub(crate) fn new(pairs: &Pairs, q: &[f64], given: &Given) -> Self {
        let states = given.states;
        let visits: usize = pairs.rows.iter().map(|row| row.len() * row.len()).sum();
        let products = pairs.n.saturating_mul(pairs.n).saturating_mul(states * pairs.rows.len() / LANES);
        let columns = (products < visits * (VISIT + states / 4)).then(|| Columns::new(pairs, q, states));
        let with_later = |j: usize| {
            crate::watch::look();
            let mut items = vec![0.0; (pairs.n - j - 1) * states];
            dispatch(
                #[inline(always)]
                || match &columns {
                    Some(columns) => columns.add_items(j, &mut items),
                    None => add_items(pairs, q, states, j, &mut items),
                },
            );
            agreement(pairs, given, j, &items)
        };
        Self { n: pairs.n, after: parallel::map(0..pairs.n, with_later) }
    }

    /// Expected agreement and variance of source `j` with every source; 0 with itself.
    pub(crate) fn of_source(&self, j: usize) -> (Vec<f64>, Vec<f64>) {
        let with = |l: usize| match l.cmp(&j) {
            std::cmp::Ordering::Less => self.after[l][j - l - 1],
            std::cmp::Ordering::Equal => (0.0, 0.0),
            std::cmp::Ordering::Greater => self.after[j][l - j - 1],
        };
        (0..self.n).map(with).unzip()
    }
}

/// Products of sixteen numbers that are added up in the time of one visit to a pair of votes.
const VISIT: usize = 4;

/// Expected agreement and variance of source `j` with each later one, from the expected `items` of each state on which both
/// vote.
fn agreement(pairs: &Pairs, given: &Given, j: usize, items: &[f64]) -> Vec<(f64, f64)> {
    let (n, k, states) = (pairs.n, pairs.k, given.states);
    let agree = |l: usize, y: usize| -> f64 {
        let p = |j: usize, v: usize| given.of_votes[(j * k + v) * states + y];
        (0..k).map(|v| p(j, v) * p(l, v)).sum()
    };
    let with = |l: usize| {
        let items = &items[(l - j - 1) * states..][..states];
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

/// Adds to `items`, for each later source and state, the expected items of that state on which both vote.
#[inline(always)]
fn add_items(pairs: &Pairs, q: &[f64], states: usize, j: usize, items: &mut [f64]) {
    let k = states;
    let mut counted = vec![0.0; k];
    for &(u, _) in &pairs.rows_of[j] {
        let u = u as usize;
        let row = &pairs.rows[u];
        let later = row.partition_point(|&(l, _)| l as usize <= j);
        counted.iter_mut().zip(&q[u * k..(u + 1) * k]).for_each(|(items, q)| *items = pairs.counts[u] * q);
        for &(l, _) in &row[later..] {
            let sums = &mut items[(l as usize - j - 1) * k..][..k];
            sums.iter_mut().zip(&counted).for_each(|(sum, items)| *sum += items);
        }
    }
}

/// The same from columns, if most sources vote: products of whole columns.
struct Columns {
    k: usize,
    /// For each source and row, 1 if it votes, in lanes.
    voted: Vec<Vec<Lane>>,
    /// For each state and row, c q(s).
    items: Vec<Vec<Lane>>,
}

/// Lanes that are added up in single precision.
const PIECE: usize = 64;

impl Columns {
    fn new(pairs: &Pairs, q: &[f64], states: usize) -> Self {
        let (n, k) = (pairs.n, states);
        let lanes = pairs.rows.len().div_ceil(LANES);
        let mut voted = vec![vec![Lane::ZERO; lanes]; n];
        let mut items = vec![vec![Lane::ZERO; lanes]; k];
        for (u, row) in pairs.rows.iter().enumerate() {
            let (lane, i) = (u / LANES, u % LANES);
            for &(j, _) in row {
                voted[j as usize][lane][i] = 1.0;
            }
            for (items, q) in items.iter_mut().zip(&q[u * k..(u + 1) * k]) {
                items[lane][i] = (pairs.counts[u] * q) as f32;
            }
        }
        Self { k, voted, items }
    }

    #[inline(always)]
    fn add_items(&self, j: usize, items: &mut [f64]) {
        let mut own = [Lane::ZERO; PIECE];
        for (piece, voted) in self.voted[j].chunks(PIECE).enumerate() {
            let range = piece * PIECE..piece * PIECE + voted.len();
            for (y, of_class) in self.items.iter().enumerate() {
                let own = &mut own[..voted.len()];
                for ((own, voted), items) in own.iter_mut().zip(voted).zip(&of_class[range.clone()]) {
                    step_by_step();
                    *own = map2(*voted, *items, |voted, items| voted * items);
                }
                for (later, items) in self.voted[j + 1..].iter().zip(items.iter_mut().skip(y).step_by(self.k))
                {
                    *items += sum_of_products(own, &later[range.clone()]);
                }
            }
        }
    }
}

/// Σ a b over all lanes.
#[inline(always)]
fn sum_of_products(a: &[Lane], b: &[Lane]) -> f64 {
    // Two sums side by side: one addition need not wait for the other.
    let mut sums = [Lane::ZERO; 2];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<2>(), b.as_chunks::<2>());
    for (a, b) in a.iter().zip(b) {
        for i in 0..2 {
            add_product(&mut sums[i], &a[i], &b[i]);
        }
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        add_product(&mut sums[0], a, b);
    }
    let all = map2(sums[0], sums[1], |a, b| a + b);
    all.iter().map(|&x| f64::from(x)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fit::likelihood::rows::Rows;
    use crate::rng::{Streams, unit};
    use crate::sources::{Classes, Sources, Vote};
    use crate::votes::VotesBuilder;

    #[test]
    fn columns_add_up_as_pairs_of_votes_do() {
        let (n, k) = (7, 5);
        let mut random = Streams::new(4).stream(0);
        let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
        for _ in 0..3000 {
            let row: Vec<Vote> = (0..n).map(|_| (unit(&mut random) * 6.0) as Vote).collect();
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(k).unwrap()).unwrap();
        let pairs = Pairs::new(&votes, &Rows::voted(&votes));
        let q: Vec<f64> = (0..pairs.rows.len() * k).map(|_| unit(&mut random)).collect();
        let columns = Columns::new(&pairs, &q, k);
        for j in 0..n {
            let (mut by_columns, mut by_pairs) = (vec![0.0; (n - j - 1) * k], vec![0.0; (n - j - 1) * k]);
            columns.add_items(j, &mut by_columns);
            add_items(&pairs, &q, k, j, &mut by_pairs);
            for (a, b) in by_columns.iter().zip(&by_pairs) {
                assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
            }
        }
    }
}
