//! What the votes of each row say about class and strength, by the ogive.

use super::grid::Curve;
use super::label::{each, exponentials, largest};
use super::surface::Sample;
use super::voices::Voices;
use crate::optim::dispatch;
use crate::parallel;
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
        let likelihoods = vec![[Curve::ZERO; 2]; rows.len()];
        let mut states = Self { rows, likelihoods };
        states.update(voices, sample);
        states
    }

    /// The same rows of the same sample under other `voices`.
    pub(crate) fn update(&mut self, voices: &Voices, sample: &Sample) {
        let tables = each(voices);
        let pieces = self.likelihoods.chunks_mut(PIECE).zip(self.rows.chunks(PIECE));
        parallel::for_each(pieces, |(likelihoods, rows)| {
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
    let told = row.iter().filter(|&&(j, _)| voices.several[j as usize]);
    let tables = told.map(|&(j, vote)| &tables[j as usize * 2 + usize::from(vote) - 1]);
    // One by one: what `map` calls is not compiled for the same vectors.
    let first = Curve::ZERO.plus_all(tables.clone().map(|table| &table[0]));
    let second = Curve::ZERO.plus_all(tables.map(|table| &table[1]));
    let mut seen = [first, second];
    let most = largest(&seen);
    for curve in &mut seen {
        for x in curve.iter_mut() {
            *x -= most;
        }
        *curve = exponentials(curve);
    }
    seen
}
