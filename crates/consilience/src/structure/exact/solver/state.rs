//! The state of a batch of problems from round to round.

use crate::optim::{LANES, Lane64, Solver};
use crate::structure::exact::table::batch::Batch;
use crate::structure::exact::table::context::Context;
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::Rows;

/// What the prior of accuracies is centred on: sources are taken to be better than chance.
pub(crate) const FIRST_ACCURACY: f64 = 1.0;

/// How the parameters of the problems of a batch are numbered.
pub(crate) fn layout(rows: &Rows, batch: &Batch, features: usize) -> Numbering {
    Numbering { sources: rows.active.len(), features, rates: batch.classes.len(), classes: rows.classes }
}

/// The parameters of a batch and the state of its problems.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) layout: Numbering,
    pub(crate) x: Vec<Lane64>,
    pub(crate) value: Lane64,
    pub(crate) converged: [bool; LANES],
    /// How far from the optimum of the last round the problem furthest from it began, in standard errors.
    pub(crate) moved: f64,
    /// The factor of an earlier round, which serves later ones as well where memory allows to keep it.
    pub(crate) factor: Option<Solver>,
}

impl State {
    /// Accuracies at their first value, vote rates where they give the shares of votes seen.
    ///
    /// `votes` has for each active source and class how many of the `items` it votes for it on.
    pub(crate) fn start(rows: &Rows, batch: &Batch, votes: &[Vec<f64>], items: f64) -> Self {
        let layout = layout(rows, batch, 0);
        let mut x = vec![[0.0; LANES]; layout.len()];
        x[layout.accuracy()] = [FIRST_ACCURACY; LANES];
        for (place, (inside, &class)) in batch.in_domain.iter().zip(&batch.classes).enumerate() {
            x[place] = std::array::from_fn(|lane| {
                let votes = &votes[rows.numbers[batch.source(lane)]];
                if inside[lane] { first_rate(votes, usize::from(class) - 1, items) } else { 0.0 }
            });
        }
        Self { layout, x, value: [0.0; LANES], converged: [false; LANES], moved: f64::INFINITY, factor: None }
    }

    /// How far the last round moved the problem that it moved furthest, in standard errors: of all its weights together, or, where
    /// they are many, five times what one of them moves.
    pub(crate) fn unrest(&self) -> f64 {
        self.moved / (0.04 * self.x.len() as f64).max(1.0).sqrt()
    }

    /// The same with links of weight 0 in front.
    pub(crate) fn with_links(self, layout: Numbering) -> Self {
        let mut x = vec![[0.0; LANES]; layout.links()];
        x.extend(self.x);
        Self { layout, x, factor: None, ..self }
    }
}

/// The vote rate at which a source of the first accuracy votes for `class` as often as it does, classes even.
fn first_rate(votes: &[f64], class: usize, items: f64) -> f64 {
    let k = votes.len() as f64;
    let even = ((FIRST_ACCURACY.exp() + (k - 1.0) * (-FIRST_ACCURACY).exp()) / k).ln();
    let abstains = (items - votes.iter().sum::<f64>()).max(0.0);
    ((votes[class] + 0.5) / (abstains + 0.5)).ln() - even
}

/// The class terms at which classes are even, all sources at their first accuracy and rate.
pub(crate) fn even_classes(votes: &[Vec<f64>], items: f64, classes: usize) -> Vec<f64> {
    let mut terms = vec![0.0; classes];
    for votes in votes {
        let rate =
            |class| if votes[class] > 0.0 { first_rate(votes, class, items) } else { f64::NEG_INFINITY };
        make_up(&mut terms, FIRST_ACCURACY, &(0..classes).map(rate).collect::<Vec<f64>>());
    }
    centred(terms)
}

/// The class terms that give the class shares seen in `context`, sources taken as independent: one step of the EM
/// algorithm.
///
/// # Formula
/// ```text
/// π_y = log( 1/m Σ_u c_u Q_u(y) ) - Σ_j log( 1 + Σ_v exp( r_jv + a_j (2·1{v=y} - 1) ) ),   centred
/// ```
/// If sources vote for some classes only, their silence supports the others, and π has to make up for it.
pub(crate) fn class_terms(rows: &Rows, context: &Context, batches: &[Batch], states: &[State]) -> Vec<f64> {
    let mut shares = vec![0.0; rows.classes];
    for (u, &count) in rows.counts.iter().enumerate() {
        for (share, &q) in shares.iter_mut().zip(context.row(u)) {
            *share += f64::from(count) * f64::from(q);
        }
    }
    let mut terms: Vec<f64> = shares.iter().map(|share| (share + 0.5).ln()).collect();
    for (batch, state) in batches.iter().zip(states) {
        for lane in 0..batch.members.len() {
            let mut rates = vec![f64::NEG_INFINITY; rows.classes];
            for (place, &class) in batch.classes.iter().enumerate() {
                if batch.in_domain[place][lane] {
                    rates[usize::from(class) - 1] = state.x[place][lane];
                }
            }
            make_up(&mut terms, state.x[state.layout.accuracy()][lane], &rates);
        }
    }
    centred(terms)
}

/// Takes log( 1 + Σ_v exp( r_v + a (2·1{v=y} - 1) ) ) off each term.
fn make_up(terms: &mut [f64], accuracy: f64, rates: &[f64]) {
    for (y, term) in terms.iter_mut().enumerate() {
        let weight = |(v, rate): (usize, &f64)| (rate + if v == y { accuracy } else { -accuracy }).exp();
        *term -= rates.iter().enumerate().map(weight).sum::<f64>().ln_1p();
    }
}

fn centred(mut terms: Vec<f64>) -> Vec<f64> {
    let mean = terms.iter().sum::<f64>() / terms.len() as f64;
    for term in &mut terms {
        *term -= mean;
    }
    terms
}
