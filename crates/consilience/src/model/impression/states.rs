//! What the votes of each row say of class and strength, by the ogive.

use rayon::prelude::*;

use super::grid::{Curve, POINTS};
use super::label::{each, exponentials, largest};
use super::surface::Sample;
use super::voices::Voices;
use crate::optim::dispatch;
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
        let tables = each(voices);
        let rows = sample.rows_of_several(voices);
        let of_rows = |rows: &[usize]| {
            crate::watch::look();
            dispatch(
                #[inline(always)]
                || {
                    let mut likelihoods = Vec::with_capacity(rows.len());
                    for &u in rows {
                        likelihoods.push(of_row(voices, &tables, &sample.rows[u]));
                    }
                    likelihoods
                },
            )
        };
        let likelihoods = rows.par_chunks(PIECE).flat_map_iter(of_rows).collect();
        Self { rows, likelihoods }
    }
}

#[inline(always)]
fn of_row(voices: &Voices, tables: &[[Curve; 2]], row: &[(u32, Vote)]) -> [Curve; 2] {
    let mut seen = [[0.0; POINTS]; 2];
    for &(j, vote) in row {
        if voices.several[j as usize] {
            let of_vote = &tables[j as usize * 2 + usize::from(vote) - 1];
            for c in 0..2 {
                for g in 0..POINTS {
                    seen[c][g] += of_vote[c][g];
                }
            }
        }
    }
    let most = largest(&seen);
    for curve in &mut seen {
        for x in curve.iter_mut() {
            *x -= most;
        }
        *curve = exponentials(curve);
    }
    seen
}
