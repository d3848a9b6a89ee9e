//! How likely a source's votes are given the class seen and its strength.

use super::grid::{Curve, STRENGTHS};
use super::voices::Voices;

/// With more classes than this, a source is taken to vote for all of them alike.
const MOST_CLASSES: usize = 32;

impl Voices {
    /// ψ_j(c, z): the logarithm by which scores must be lowered so that the probabilities of all votes add up to 1.
    ///
    /// # Formula
    /// ```text
    /// several classes:  ψ_j(c, z) = log Σ_v rate_j(v) e^{z w_j(v, c)}
    /// one class:        ψ_j(z) = log( (e^{z a_j} + k - 1) / k )
    /// ```
    /// One curve per class, or a single one if it is the same for all.
    pub(crate) fn normalisers(&self, j: usize) -> Vec<Curve> {
        let k = self.k;
        if !self.several[j] || k > MOST_CLASSES {
            return vec![even(self.own[j], k)];
        }
        let rates = &self.rates[j * k..(j + 1) * k];
        let of_class = |c: usize| {
            let mut curve = Curve::ZERO;
            for (v, &rate) in rates.iter().enumerate().filter(|(_, rate)| **rate > 0.0) {
                let score = self.score(j, v, c);
                curve.iter_mut().zip(STRENGTHS.iter()).for_each(|(sum, z)| *sum += rate * (z * score).exp());
            }
            Curve(curve.map(f64::ln))
        };
        (0..k).map(of_class).collect()
    }

    /// The mean of ψ_j(c, z) over the classes.
    pub(crate) fn mean_normaliser(&self, j: usize) -> Curve {
        let curves = self.normalisers(j);
        let mut mean = Curve::ZERO;
        for curve in &curves {
            mean.iter_mut().zip(curve.iter()).for_each(|(mean, psi)| *mean += psi / curves.len() as f64);
        }
        mean
    }

    /// The one that labels use: the mean for two classes; for more, that of the weakest of the source's votes.
    pub(crate) fn label_normaliser(&self, j: usize) -> Curve {
        if self.k == 2 {
            return self.mean_normaliser(j);
        }
        let k = self.k;
        let votes = (0..k).filter(|v| self.rates[j * k + v] > 0.0);
        let weakest = votes.map(|v| self.own_of_vote(j, v)).fold(f64::INFINITY, f64::min);
        even(if weakest.is_finite() { weakest } else { 0.0 }, k)
    }
}

/// log( (e^{z a} + k - 1) / k ).
fn even(own: f64, k: usize) -> Curve {
    let others = k as f64 - 1.0;
    Curve(STRENGTHS.map(|z| {
        let x = z * own;
        let top = x.max(0.0);
        top + (((x - top).exp() + others * (-top).exp()) / k as f64).ln()
    }))
}
