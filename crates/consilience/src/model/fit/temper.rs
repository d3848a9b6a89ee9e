//! How confidence is lowered where votes go together more than independent ones would.

use super::layout::{Layout, Tables};
use super::prior::Counted;
use super::rows::Rows;
use crate::dependency::Dependency;
use crate::model::Model;
use crate::sources::ABSTAIN;
use crate::votes::Votes;

/// By what the scores of an item's classes are multiplied before they become probabilities.
///
/// The class with the highest score stays the same; how sure the label is becomes honest. No gold is needed: sources that
/// share mistakes make the scores spread more widely over the items than independent votes could.
///
/// # Formula
/// ```text
/// P_u = softmax( T_u S_u ),   T_u = min( 1, scale / (1 + (n_u - 1) ρ) ),   n_u: votes on the item
/// ρ = (d - 1) / (n̄ - 1),   n̄ = Σ_u c_u n_u² / Σ_u c_u n_u
/// d = max( 1, Σ_y Var_u(S_uy) / Σ_y Σ_j Var of source j's own part of S_uy )
/// ```
/// # Reference
/// The design effect of Kish, Survey Sampling (1965), applied to the votes on an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temper {
    /// The factor for an item whose votes tell nothing of each other; above 1 it allows for the part of the spread that
    /// comes from the class itself.
    pub scale: f64,
    /// ρ: how much the votes on an item go together, 0 to 1.
    pub correlation: f64,
}

/// The default of [`Temper::scale`].
const SCALE: f64 = 1.5;

impl Temper {
    /// Confidence as the model has it.
    pub fn none() -> Self {
        Self { scale: 1.0, correlation: 0.0 }
    }

    /// T of an item with `votes` votes.
    pub fn factor(&self, votes: usize) -> f64 {
        let others = votes.saturating_sub(1) as f64;
        (self.scale / (1.0 + others * self.correlation)).min(1.0)
    }

    /// Of `model` on the votes that it was fitted to.
    pub(super) fn of(model: &Model, votes: &Votes, counted: &Counted) -> Self {
        let dependencies: Vec<Dependency> =
            model.factors().list().iter().map(|f| f.dependency.clone()).collect();
        let k = votes.classes().len();
        let layout = Layout::new(&dependencies, votes.domains(), k);
        let energies = layout.energies(&model.factors().weights());
        let right = right_scores(&layout, &energies);
        let rows = Rows::all(votes);
        let moments = moments(&layout, &right, &rows);
        let items = counted.items;
        let spread: f64 =
            (0..k).map(|y| moments.squares[y] / items - (moments.sums[y] / items).powi(2)).sum();
        let mut own = 0.0;
        for (j, domain) in votes.domains().iter().enumerate() {
            for ((&class, &votes_for), place) in
                domain.classes().iter().zip(&counted.votes[j]).zip(layout.starts[j] + 1..)
            {
                debug_assert_ne!(class, ABSTAIN);
                let share = votes_for / items;
                own += right[place].powi(2) * share * (1.0 - share);
            }
        }
        let crowd = moments.votes_squared / moments.votes.max(1.0);
        if own <= 0.0 || crowd <= 1.0 {
            return Self { scale: SCALE, correlation: 0.0 };
        }
        let design = (spread / own).max(1.0);
        Self { scale: SCALE, correlation: ((design - 1.0) / (crowd - 1.0)).clamp(0.0, 1.0) }
    }
}

/// For each place, what a vote adds to the score of its own class beyond the mean of the other classes.
fn right_scores(layout: &Layout, energies: &Tables) -> Vec<f64> {
    let k = layout.k;
    let mut right = vec![0.0; layout.places()];
    for (j, domain) in layout.domains.iter().enumerate() {
        for (&class, place) in domain.classes().iter().zip(layout.starts[j] + 1..) {
            let cells = &energies.unary[place * k..(place + 1) * k];
            let own = cells[usize::from(class) - 1];
            let others = (cells.iter().sum::<f64>() - own) / (k as f64 - 1.0);
            right[place] = own - others;
        }
    }
    right
}

struct Moments {
    sums: Vec<f64>,
    squares: Vec<f64>,
    votes: f64,
    votes_squared: f64,
}

/// Sums over the items of the scores, their squares, the numbers of votes and their squares.
fn moments(layout: &Layout, right: &[f64], rows: &Rows<'_>) -> Moments {
    let k = layout.k;
    let zero = || Moments { sums: vec![0.0; k], squares: vec![0.0; k], votes: 0.0, votes_squared: 0.0 };
    let patterns = rows.votes.patterns();
    let pieces = rows.in_pieces(|range| {
        let mut moments = zero();
        let mut scores = vec![0.0; k];
        for row in range {
            scores.fill(0.0);
            let mut cast = 0.0;
            patterns.row(rows.pattern(row)).for_each(|(j, vote)| {
                scores[usize::from(vote) - 1] += right[layout.place(j, vote)];
                cast += 1.0;
            });
            let count = rows.count(row);
            for (y, score) in scores.iter().enumerate() {
                moments.sums[y] += count * score;
                moments.squares[y] += count * score * score;
            }
            moments.votes += count * cast;
            moments.votes_squared += count * cast * cast;
        }
        moments
    });
    pieces.into_iter().fold(zero(), |mut total, piece| {
        total.sums.iter_mut().zip(&piece.sums).for_each(|(sum, part)| *sum += part);
        total.squares.iter_mut().zip(&piece.squares).for_each(|(sum, part)| *sum += part);
        total.votes += piece.votes;
        total.votes_squared += piece.votes_squared;
        total
    })
}
