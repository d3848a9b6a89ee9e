//! The direction of a quasi-Newton step from the steps before it: L-BFGS.

use crate::parallel;

/// A step and the change of the slopes along it.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) step: Vec<f64>,
    pub(crate) change: Vec<f64>,
}

/// Products over the weights that count.
pub(crate) trait Products {
    /// Σ a_i b_i.
    fn dot(&self, a: &[f64], b: &[f64]) -> f64;
    /// x <- x + factor y.
    fn add_scaled(&self, x: &mut [f64], factor: f64, y: &[f64]);
}

/// All weights, of which there may be millions; the order of sums does not depend on the number of threads.
pub(crate) struct All;

/// Weights that one thread takes.
const PIECE: usize = 1 << 12;

impl Products for All {
    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        let product = |(a, b): (&[f64], &[f64])| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        parallel::map(a.chunks(PIECE).zip(b.chunks(PIECE)), product).iter().sum()
    }

    fn add_scaled(&self, x: &mut [f64], factor: f64, y: &[f64]) {
        parallel::for_each(x.chunks_mut(PIECE).zip(y.chunks(PIECE)), |(x, y)| {
            x.iter_mut().zip(y).for_each(|(x, y)| *x += factor * y);
        });
    }
}

/// The weights that are free to move.
pub(crate) struct Free<'a>(pub(crate) &'a [bool]);

impl Products for Free<'_> {
    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).zip(self.0).filter(|(_, free)| **free).map(|((a, b), _)| a * b).sum()
    }

    fn add_scaled(&self, x: &mut [f64], factor: f64, y: &[f64]) {
        for ((x, y), &free) in x.iter_mut().zip(y).zip(self.0) {
            if free {
                *x += factor * y;
            }
        }
    }
}

/// `d` times the inverse of the curvature that `pairs`, oldest first, have shown.
///
/// # Formula
/// ```text
/// newest to oldest:  α_i = s_i d / s_i y_i,   d <- d - α_i y_i
/// d <- H_0 d
/// oldest to newest:  d <- d + ( α_i - y_i d / s_i y_i ) s_i
/// ```
/// with H_0 by `scale`, and s_i y_i given with each pair.
///
/// # Reference
/// Nocedal and Wright, Numerical Optimization (2006), Algorithm 7.4.
pub(crate) fn two_loops(
    products: &impl Products,
    pairs: &[(&Pair, f64)],
    d: &mut [f64],
    scale: impl FnOnce(&mut [f64]),
) {
    let mut alphas = Vec::with_capacity(pairs.len());
    for (pair, along) in pairs.iter().rev() {
        let alpha = products.dot(&pair.step, d) / along;
        products.add_scaled(d, -alpha, &pair.change);
        alphas.push(alpha);
    }
    scale(d);
    for ((pair, along), alpha) in pairs.iter().zip(alphas.iter().rev()) {
        let beta = products.dot(&pair.change, d) / along;
        products.add_scaled(d, alpha - beta, &pair.step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With as many conjugate steps as weights, what comes out is the inverse itself.
    #[test]
    fn a_quadratic_is_inverted_by_its_own_axes() {
        let curvature = [2.0, 5.0, 0.5];
        let pair = |i: usize| {
            let mut step = vec![0.0; 3];
            step[i] = 0.7;
            let change = step.iter().zip(curvature).map(|(s, h)| s * h).collect();
            Pair { step, change }
        };
        let pairs: Vec<Pair> = (0..3).map(pair).collect();
        let along: Vec<(&Pair, f64)> = pairs.iter().map(|p| (p, All.dot(&p.step, &p.change))).collect();
        let mut d = vec![1.0, -3.0, 4.0];
        two_loops(&All, &along, &mut d, |d| d.iter_mut().for_each(|d| *d *= 9.0));
        for (d, expected) in d.iter().zip([0.5, -0.6, 8.0]) {
            assert!((d - expected).abs() < 1e-12, "{d} instead of {expected}");
        }

        // A weight that is not free stays where it is, whatever the pairs say of it.
        let free = Free(&[true, false, true]);
        let along: Vec<(&Pair, f64)> =
            [0, 2].map(|i| (&pairs[i], free.dot(&pairs[i].step, &pairs[i].change))).into();
        let mut d = vec![1.0, 0.0, 4.0];
        two_loops(&free, &along, &mut d, |_| ());
        assert!((d[0] - 0.5).abs() < 1e-12 && d[1].abs() < 1e-300 && (d[2] - 8.0).abs() < 1e-12, "{d:?}");
    }
}
