//! What the votes of each row say of class and strength, by the ogive.

use rayon::prelude::*;

use super::grid::{Curve, POINTS, add_curve};
use super::label::{each, exponentials, largest};
use super::surface::Sample;
use super::voices::Voices;
use crate::optim::{dispatch, in_memory, step_by_step};
use crate::sources::Vote;

/// Rows that one piece of work takes.
const PIECE: usize = 256;

/// The likelihood of the votes of sources of several classes, for each of two classes seen and each strength.
///
/// # Formula
/// ```text
/// L_u(c, z) ∝ exp Σ_j δ_j t_j(λ_uj | c, z),   the largest of each row is 1
/// ```
pub(crate) struct States {
    /// The rows of the sample that have such votes; the others say nothing.
    pub(crate) rows: Vec<usize>,
    /// L for each of them.
    pub(crate) likelihoods: Vec<[Curve; 2]>,
}

impl States {
    pub(crate) fn new(voices: &Voices, sample: &Sample) -> Self {
        let rows = sample.rows_of_several(voices);
        let likelihoods = vec![[[0.0; POINTS]; 2]; rows.len()];
        let mut states = Self { rows, likelihoods };
        states.update(voices, sample);
        states
    }

    /// The same rows of the same sample under other `voices`.
    pub(crate) fn update(&mut self, voices: &Voices, sample: &Sample) {
        let tables = each(voices);
        let pieces = self.likelihoods.par_chunks_mut(PIECE).zip(self.rows.par_chunks(PIECE));
        pieces.for_each(|(likelihoods, rows)| {
            crate::watch::look();
            dispatch(
                #[inline(always)]
                || {
                    for (likelihood, &u) in likelihoods.iter_mut().zip(rows) {
                        *likelihood = of_row(voices, &tables, &sample.rows[u]);
                    }
                },
            );
        });
    }
}

#[inline(always)]
fn of_row(voices: &Voices, tables: &[[Curve; 2]], row: &[(u32, Vote)]) -> [Curve; 2] {
    let mut seen = [[0.0; POINTS]; 2];
    let sums = in_memory(&mut seen);
    for &(j, vote) in row {
        step_by_step();
        if voices.several[j as usize] {
            let [first, second] = &tables[j as usize * 2 + usize::from(vote) - 1];
            add_curve(&mut sums[0], first, 1.0);
            add_curve(&mut sums[1], second, 1.0);
        }
    }
    let most = largest(sums);
    for curve in &mut seen {
        for x in curve.iter_mut() {
            *x -= most;
        }
        *curve = exponentials(curve);
    }
    seen
}
