//! How confidence is lowered where votes go together more than independent ones would.

use super::layout::Layout;
use super::prior::Counted;
use super::rows::Rows;
use crate::dependency::Dependency;
use crate::model::Model;
use crate::votes::Votes;

/// By what the scores of an item's classes are multiplied before they become probabilities.
///
/// The class with the highest score stays the same; how sure the label is becomes honest. No gold is needed: sources that
/// share mistakes make the scores spread more widely over the items than independent votes could.
///
/// # Formula
/// ```text
/// P_u = (1 - floor) softmax( T_u S_u ) + floor / k,   T_u = min( most, scale / (1 + max(n_u - 1, 0) ρ)^power )
/// n_u = Σ over votes on u of δ_j
/// ρ = (d - 1) / max( n̄ - 1, 0.1 ),   n̄ = Σ_u c_u n_u² / Σ_u c_u n_u
/// d = max( 1, Σ_y Var_u(S_uy) / Σ_y Σ_j Var of source j's own part of S_uy )
/// ```
/// with δ_j the share of source j's votes that count, and the scores of an item centred over its classes.
///
/// # Reference
/// The design effect of Kish, Survey Sampling (1965), applied to the votes on an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temper {
    /// The factor of an item with one vote, before it is cut off; above 1 it allows for the part of the spread that comes from
    /// the class itself.
    pub scale: f64,
    /// How fast the factor falls with the number of votes.
    pub power: f64,
    /// No factor is larger.
    pub most: f64,
    /// The share of every label that stays with chance, because any model may be wrong.
    pub floor: f64,
    /// ρ: how much the votes on an item go together, at least 0.
    pub correlation: f64,
}

/// Before anything is known of the votes.
const START: Temper = Temper { scale: 3.0, power: 1.3, most: 1.5, floor: 0.02, correlation: 0.0 };
/// With fewer than this many votes beyond the first, their number is taken to be this.
const FEWEST_OTHERS: f64 = 0.1;

impl Temper {
    /// Confidence as the model has it.
    pub fn none() -> Self {
        Self { scale: 1.0, power: 1.0, most: 1.0, floor: 0.0, correlation: 0.0 }
    }

    /// T of an item with `votes` votes, repeated ones counted in parts.
    pub fn factor(&self, votes: f64) -> f64 {
        let others = (votes - 1.0).max(0.0);
        (self.scale / (1.0 + others * self.correlation).powf(self.power)).min(self.most)
    }

    /// Of `model` on the votes that it was fitted to; `shares` of the sources' votes count.
    pub(super) fn of(model: &Model, votes: &Votes, counted: &Counted, shares: &[f64]) -> Self {
        let dependencies: Vec<Dependency> =
            model.factors().list().iter().map(|factor| factor.dependency.clone()).collect();
        let k = votes.classes().len();
        let layout = Layout::new(&dependencies, votes.domains(), k);
        let mut parts = layout.energies(&model.factors().weights()).unary;
        for cells in parts.chunks_exact_mut(k) {
            let mean = cells.iter().sum::<f64>() / k as f64;
            for cell in cells {
                *cell -= mean;
            }
        }
        let moments = moments(&layout, &parts, shares, &Rows::voted(votes));
        let items = counted.items;
        let spread: f64 =
            (0..k).map(|y| moments.squares[y] / items - (moments.sums[y] / items).powi(2)).sum();
        let mut own = 0.0;
        for (j, counts) in counted.votes.iter().enumerate() {
            for y in 0..k {
                let (mut mean, mut square) = (0.0, 0.0);
                for (votes_for, place) in counts.iter().zip(layout.starts[j] + 1..) {
                    let part = parts[place * k + y];
                    mean += votes_for / items * part;
                    square += votes_for / items * part * part;
                }
                own += square - mean * mean;
            }
        }
        if own <= 0.0 || moments.votes <= 0.0 {
            return START;
        }
        let design = (spread / own).max(1.0);
        let crowd = moments.votes_squared / moments.votes;
        Self { correlation: (design - 1.0) / (crowd - 1.0).max(FEWEST_OTHERS), ..START }
    }
}

struct Moments {
    sums: Vec<f64>,
    squares: Vec<f64>,
    votes: f64,
    votes_squared: f64,
}

/// Sums over the items of the scores, their squares, the numbers of votes that count and their squares.
fn moments(layout: &Layout, parts: &[f64], shares: &[f64], rows: &Rows<'_>) -> Moments {
    let k = layout.k;
    let zero = || Moments { sums: vec![0.0; k], squares: vec![0.0; k], votes: 0.0, votes_squared: 0.0 };
    let patterns = rows.votes.patterns();
    let pieces = rows.in_pieces(2 * k, |range| {
        let mut moments = zero();
        let mut scores = vec![0.0; k];
        for row in range {
            scores.fill(0.0);
            let mut cast = 0.0;
            patterns.row(rows.pattern(row)).for_each(|(j, vote)| {
                let part = &parts[layout.place(j, vote) * k..][..k];
                scores.iter_mut().zip(part).for_each(|(score, part)| *score += part);
                cast += shares[j];
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
