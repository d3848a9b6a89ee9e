//! How sources vote given the state of the item.

use super::pairs::Pairs;

/// How sources vote given the state of the item, by the posteriors.
pub(crate) struct Given {
    /// How many states there are.
    pub(crate) states: usize,
    /// Expected items of each state.
    pub(crate) state: Vec<f64>,
    /// p(λ_j = v | s) for each source, vote and state.
    pub(crate) of_items: Vec<f64>,
    /// p(λ_j = v | λ_j ≠ 0, s), half a vote added.
    pub(crate) of_votes: Vec<f64>,
}

impl Given {
    pub(crate) fn new(pairs: &Pairs, q: &[f64], states: usize) -> Self {
        let (n, k) = (pairs.n, pairs.k);
        let mut state = vec![0.0; states];
        let mut joint = vec![0.0; n * k * states];
        for (u, row) in pairs.rows.iter().enumerate() {
            let q = &q[u * states..(u + 1) * states];
            for (sum, q) in state.iter_mut().zip(q) {
                *sum += pairs.counts[u] * q;
            }
            for &(j, vote) in row {
                let cells = &mut joint[(j as usize * k + usize::from(vote) - 1) * states..][..states];
                cells.iter_mut().zip(q).for_each(|(cell, q)| *cell += pairs.counts[u] * q);
            }
        }
        let of_items = (0..joint.len()).map(|at| joint[at] / state[at % states].max(1e-9)).collect();
        let mut voted = vec![0.0; n * states];
        for (at, cells) in joint.chunks_exact(states).enumerate() {
            let voted = &mut voted[at / k * states..][..states];
            voted.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += cell);
        }
        let of_votes = (0..joint.len())
            .map(|at| (joint[at] + 0.5 / k as f64) / (voted[at / (k * states) * states + at % states] + 0.5))
            .collect();
        Self { states, state, of_items, of_votes }
    }
}
