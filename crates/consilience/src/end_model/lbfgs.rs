//! The minimum of a smooth convex function, by limited-memory quasi-Newton steps.
//!
//! # Formula
//! ```text
//! x <- x - t H g,   H from the last 10 pairs s = x' - x, y = g' - g, by L-BFGS
//! t = 1, 1/2, 1/4, ... until F(x') <= F(x) - 1e-4 t g . H g        stop when ‖g‖ <= tolerance
//! ```
//!
//! # Reference
//! Nocedal, *Updating quasi-Newton matrices with limited storage*, Mathematics of Computation 35, 1980.

use crate::optim::{All, Finish, Pair, Products as _, two_loops};

const MEMORY: usize = 10;
const ARMIJO: f64 = 1e-4;
const HALVINGS: usize = 60;

/// Moves `x` to the minimum of `f`, which puts its gradient into its second argument. `first` is the length of the first
/// step along the gradient.
pub(super) fn minimise(
    mut f: impl FnMut(&[f64], &mut [f64]) -> f64,
    x: &mut Vec<f64>,
    first: f64,
    tolerance: f64,
    max_iterations: usize,
) -> Finish {
    let n = x.len();
    let (mut gradient, mut next_gradient) = (vec![0.0; n], vec![0.0; n]);
    let mut next = vec![0.0; n];
    let mut value = f(x, &mut gradient);
    // Steps of the past, and step times change of each.
    let mut past: Vec<(Pair, f64)> = Vec::with_capacity(MEMORY);
    let (mut iterations, mut evaluations) = (0, 1);
    loop {
        let gradient_norm = All.dot(&gradient, &gradient).sqrt();
        let ended = |converged, evaluations| Finish {
            converged,
            iterations,
            evaluations,
            slope: gradient_norm,
            value,
        };
        if gradient_norm <= tolerance {
            return ended(true, evaluations);
        }
        if iterations == max_iterations {
            return ended(false, evaluations);
        }
        let mut direction = direction(&gradient, &past, first);
        let mut slope = All.dot(&direction, &gradient);
        if slope >= 0.0 {
            // Rounding has spoiled the memory; the gradient itself always leads downhill.
            past.clear();
            direction = gradient.iter().map(|g| -first * g).collect();
            slope = All.dot(&direction, &gradient);
        }
        let mut length = 1.0;
        let mut found = None;
        for _ in 0..HALVINGS {
            next.copy_from_slice(x);
            All.add_scaled(&mut next, length, &direction);
            let next_value = f(&next, &mut next_gradient);
            evaluations += 1;
            // Near the minimum the differences of F drown in rounding while the gradient is still exact.
            let flat = next_value <= value + 1e-14 * value.abs()
                && All.dot(&next_gradient, &next_gradient).sqrt() < gradient_norm;
            if next_value <= value + ARMIJO * length * slope || flat {
                found = Some(next_value);
                break;
            }
            length *= 0.5;
        }
        let Some(next_value) = found else { return ended(false, evaluations) };
        iterations += 1;
        let step: Vec<f64> = next.iter().zip(x.iter()).map(|(a, b)| a - b).collect();
        let change: Vec<f64> = next_gradient.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let along = All.dot(&step, &change);
        if along > 0.0 {
            if past.len() == MEMORY {
                past.remove(0);
            }
            past.push((Pair { step, change }, along));
        }
        std::mem::swap(x, &mut next);
        std::mem::swap(&mut gradient, &mut next_gradient);
        value = next_value;
    }
}

/// -H g.
fn direction(gradient: &[f64], past: &[(Pair, f64)], first: f64) -> Vec<f64> {
    let pairs: Vec<(&Pair, f64)> = past.iter().map(|(pair, along)| (pair, *along)).collect();
    let scale = pairs.last().map_or(first, |(pair, along)| along / All.dot(&pair.change, &pair.change));
    let mut d: Vec<f64> = gradient.iter().map(|g| -g).collect();
    two_loops(&All, &pairs, &mut d, |d| d.iter_mut().for_each(|d| *d *= scale));
    d
}

#[cfg(test)]
mod tests {
    use super::super::loss::tests::random_problem;
    use super::*;
    use consilience_testing::close;

    /// Second road: gradient descent with Nesterov's momentum, restarted, which shares nothing but the gradient, itself
    /// checked against finite differences.
    #[test]
    fn the_minimum_is_that_of_a_second_solver() {
        for k in [2, 4] {
            let problem = random_problem(k, 40, 6, 0.01);
            let n = problem.parameters();
            let mut found = vec![0.0; n];
            let ended = minimise(|x, g| problem.value(x, g), &mut found, 1.0, 1e-9, 1000);
            assert!(ended.converged && ended.slope <= 1e-9, "{ended:?}");

            let (mut x, mut ahead, mut g) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
            let mut t = 1.0f64;
            for _ in 0..200_000 {
                problem.value(&ahead, &mut g);
                if g.iter().map(|g| g * g).sum::<f64>().sqrt() < 1e-8 {
                    break;
                }
                let moved: Vec<f64> = ahead.iter().zip(&g).map(|(x, g)| x - 0.3 * g).collect();
                let uphill: f64 = g.iter().zip(moved.iter().zip(&x)).map(|(g, (a, b))| g * (a - b)).sum();
                if uphill > 0.0 {
                    t = 1.0;
                }
                let next_t = 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
                let momentum = (t - 1.0) / next_t;
                ahead = moved.iter().zip(&x).map(|(new, old)| new + momentum * (new - old)).collect();
                (x, t) = (moved, next_t);
            }
            let worst = found.iter().zip(&ahead).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-4, "k = {k}: apart by {worst}");
            assert!(close(ended.value, problem.value(&ahead, &mut g), 1e-10));
        }
    }

    #[test]
    fn too_few_steps_are_no_convergence() {
        let problem = random_problem(3, 40, 6, 0.01);
        let mut x = vec![0.0; problem.parameters()];
        let ended = minimise(|x, g| problem.value(x, g), &mut x, 1.0, 1e-9, 2);
        assert!(!ended.converged && ended.iterations == 2 && ended.slope > 1e-9);
    }
}
