//! Minimises a smooth function of weights that have bounds: projected steps of limited-memory BFGS.

use std::collections::VecDeque;
use std::sync::Arc;

use super::two_loops::{Free, Pair, Products as _, two_loops};

/// How a minimisation ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Finish {
    /// Whether the remaining fall is below the tolerance.
    pub(crate) converged: bool,
    /// Steps taken.
    pub(crate) iterations: usize,
    /// Times the function was computed.
    pub(crate) evaluations: usize,
    /// The largest slope along a weight that is free to move; without bounds, the norm of all slopes.
    pub(crate) slope: f64,
    /// The function's value.
    pub(crate) value: f64,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    /// The remaining fall of the function, by the model that the steps come from.
    pub(crate) tolerance: f64,
    /// The most steps.
    pub(crate) iterations: usize,
    /// Values of the function that differ by less than this share may be the same.
    pub(crate) rounding: f64,
}

/// Lower and upper bound of each weight.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
}

impl Bounds {
    pub(crate) fn project(&self, x: &mut [f64]) {
        for (x, (lower, upper)) in x.iter_mut().zip(self.lower.iter().zip(&self.upper)) {
            *x = x.max(*lower).min(*upper);
        }
    }

    /// Whether weight `i` may move against its slope.
    fn is_free(&self, i: usize, x: f64, slope: f64) -> bool {
        !(x <= self.lower[i] && slope >= 0.0 || x >= self.upper[i] && slope <= 0.0)
    }
}

/// A function to be minimised.
pub(crate) trait Smooth {
    /// Its value at `x`, and its gradient into `slopes`.
    fn loss(&mut self, x: &[f64], slopes: &mut [f64]) -> f64;

    /// A rough inverse of its curvature at `x` over the `free` weights, if one is known.
    fn scaling(&mut self, _x: &[f64], _free: &[bool]) -> Option<Arc<dyn Scaling>> {
        None
    }
}

impl<F: FnMut(&[f64], &mut [f64]) -> f64> Smooth for F {
    fn loss(&mut self, x: &[f64], slopes: &mut [f64]) -> f64 {
        self(x, slopes)
    }
}

/// The inverse of a positive definite matrix over the free weights.
pub(crate) trait Scaling: Send + Sync {
    /// The inverse times `x` in place; `x` is 0 along weights that are not free, and stays so.
    fn solve(&self, x: &mut [f64]);
}

/// Pairs of steps and changes of the slope that are remembered.
const MEMORY: usize = 12;
/// A step is taken if the function falls by at least this share of what the slope promises.
const SUFFICIENT: f64 = 1e-4;
/// Halvings of a step before a direction is given up.
const MOST_HALVINGS: usize = 40;

/// Where values are rounded: steps in a row that bring less than the tolerance before the search is at its end.
const MOST_IDLE: usize = 5;

/// What is remembered of a function's curvature; it can be carried over to a function that is nearly the same.
#[derive(Clone, Debug)]
pub(crate) struct Curvature {
    /// A rough second derivative along each weight, above 0.
    diagonal: Vec<f64>,
    steps: VecDeque<Seen>,
}

/// A step with its products over all weights, which hold as long as all are free.
#[derive(Clone, Debug)]
struct Seen {
    pair: Pair,
    /// step · change, and the product of both squared lengths.
    along: f64,
    sizes: f64,
}

impl Curvature {
    pub(crate) fn new(diagonal: Vec<f64>) -> Self {
        Self { diagonal, steps: VecDeque::new() }
    }

    fn remember(&mut self, step: Vec<f64>, change: Vec<f64>) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let along = dot(&step, &change);
        let sizes = dot(&step, &step) * dot(&change, &change);
        if along.is_finite() && along > 1e-10 * sizes.sqrt() {
            if self.steps.len() == MEMORY {
                self.steps.pop_front();
            }
            self.steps.push_back(Seen { pair: Pair { step, change }, along, sizes });
        }
    }

    /// -H⁻¹ slope over the free weights, 0 along the others.
    ///
    /// # Formula
    /// ```text
    /// L-BFGS, all products over the free weights
    /// H_0 = the scaling that the function gives, else diagonal · (y D⁻¹ y) / (s y) of the last pair
    /// ```
    fn direction(&self, slope: &[f64], free: &[bool], scaling: Option<&dyn Scaling>) -> Vec<f64> {
        let products = Free(free);
        let all_free = free.iter().all(|&free| free);
        let kept = self.steps.iter().filter_map(|Seen { pair, along, sizes }| {
            let (along, sizes) = if all_free {
                (*along, *sizes)
            } else {
                let size = |list: &[f64]| products.dot(list, list);
                (products.dot(&pair.step, &pair.change), size(&pair.step) * size(&pair.change))
            };
            // Over fewer weights than it was seen on, a pair may no longer say that the function is convex.
            (along > 1e-12 * sizes.sqrt() && along > 0.0).then_some((pair, along))
        });
        let kept: Vec<(&Pair, f64)> = kept.collect();
        let mut d: Vec<f64> = slope.iter().zip(free).map(|(g, &free)| if free { -g } else { 0.0 }).collect();
        two_loops(&products, &kept, &mut d, |d| match scaling {
            Some(scaling) => scaling.solve(d),
            None => self.scale_by_diagonal(d, kept.last().copied(), free),
        });
        d
    }

    fn scale_by_diagonal(&self, d: &mut [f64], last: Option<(&Pair, f64)>, free: &[bool]) {
        let scale = last.map_or(1.0, |(pair, along)| {
            let weighted: f64 = pair
                .change
                .iter()
                .zip(&self.diagonal)
                .zip(free)
                .filter(|(_, free)| **free)
                .map(|((y, h), _)| y * y / h)
                .sum();
            along / weighted.max(f64::MIN_POSITIVE)
        });
        d.iter_mut().zip(&self.diagonal).for_each(|(d, h)| *d *= scale / h);
    }
}

/// Moves `x` to a minimum of `function` within `bounds`; the function writes its gradient and returns its value.
///
/// The value never rises beyond its rounding: a step is taken only if the function falls.
pub(crate) fn minimise(
    x: &mut [f64],
    bounds: &Bounds,
    curvature: &mut Curvature,
    stop: Stop,
    mut function: impl Smooth,
) -> Finish {
    let n = x.len();
    bounds.project(x);
    let mut gradient = vec![0.0; n];
    let mut value = function.loss(x, &mut gradient);
    let mut finish = Finish { converged: false, iterations: 0, evaluations: 1, slope: f64::INFINITY, value };
    let mut fresh = curvature.steps.is_empty();
    let mut idle = 0;
    let mut first_gain = 0.0;
    let (mut trial, mut trial_gradient) = (vec![0.0; n], vec![0.0; n]);
    loop {
        let free: Vec<bool> = (0..n).map(|i| bounds.is_free(i, x[i], gradient[i])).collect();
        finish.slope = (0..n).filter(|&i| free[i]).map(|i| gradient[i].abs()).fold(0.0, f64::max);
        finish.value = value;
        let scaling = function.scaling(x, &free);
        let mut direction = curvature.direction(&gradient, &free, scaling.as_deref());
        let promised = |d: &[f64]| -d.iter().zip(&gradient).map(|(d, g)| d * g).sum::<f64>();
        let mut gain = promised(&direction);
        if !(gain.is_finite() && gain >= 0.0) {
            curvature.steps.clear();
            direction = curvature.direction(&gradient, &free, scaling.as_deref());
            gain = promised(&direction);
            fresh = true;
        }
        if 0.5 * gain <= stop.tolerance {
            finish.converged = true;
            return finish;
        }
        // Slopes that are rounded promise falls for ever that no step brings.
        if stop.rounding > 0.0 && idle >= MOST_IDLE {
            finish.converged = true;
            return finish;
        }
        if finish.iterations == stop.iterations {
            return finish;
        }
        if finish.iterations == 0 {
            first_gain = gain;
        }
        crate::watch::expect_more_passes(steps_to_go(first_gain, gain, finish.iterations, stop));
        let before = value;
        // Before any curvature has been seen, no weight moves by more than one.
        let longest = direction.iter().fold(0.0f64, |longest, d| longest.max(d.abs()));
        let mut length = if fresh { 1.0f64.min(1.0 / longest.max(f64::MIN_POSITIVE)) } else { 1.0 };
        let mut taken = false;
        for _ in 0..MOST_HALVINGS {
            trial.iter_mut().zip(x.iter().zip(&direction)).for_each(|(t, (x, d))| *t = x + length * d);
            bounds.project(&mut trial);
            let along: f64 = trial.iter().zip(&*x).zip(&gradient).map(|((t, x), g)| (t - x) * g).sum();
            let trial_value = function.loss(&trial, &mut trial_gradient);
            crate::watch::pass_done();
            finish.evaluations += 1;
            if trial_value.is_finite()
                && trial_value <= value + SUFFICIENT * along.min(0.0) + stop.rounding * value.abs()
            {
                let step: Vec<f64> = trial.iter().zip(&*x).map(|(t, x)| t - x).collect();
                let change: Vec<f64> = trial_gradient.iter().zip(&gradient).map(|(t, g)| t - g).collect();
                curvature.remember(step, change);
                x.copy_from_slice(&trial);
                std::mem::swap(&mut gradient, &mut trial_gradient);
                value = trial_value;
                taken = true;
                break;
            }
            length *= if trial_value.is_finite() { shorter(length, along, trial_value - value) } else { 0.1 };
        }
        finish.iterations += 1;
        idle = if before - value > stop.tolerance { 0 } else { idle + 1 };
        if !taken {
            if fresh {
                // Along the slope itself nothing falls: what is left is rounding.
                return finish;
            }
            curvature.steps.clear();
            fresh = true;
            continue;
        }
        fresh = false;
    }
}

/// Steps before anything is known of how fast the promised gain falls.
const USUAL_STEPS: usize = 12;

/// About how many steps are still to come, if the promised gain goes on falling as it did in the first `done` ones.
fn steps_to_go(first_gain: f64, gain: f64, done: usize, stop: Stop) -> usize {
    let most = stop.iterations.saturating_sub(done).max(1);
    let fallen = (first_gain / gain).ln();
    if done == 0 || fallen.is_nan() || fallen <= 0.0 {
        return USUAL_STEPS.min(most);
    }
    let steps = (0.5 * gain / stop.tolerance).ln().max(0.0) / fallen * done as f64;
    (steps.ceil().max(1.0) as usize).min(most)
}

/// By what a step is shortened: the minimum of the parabola through value and slope at 0 and the value at the step.
fn shorter(length: f64, along: f64, rise: f64) -> f64 {
    let slope = along / length;
    let parabola = -slope * length / (2.0 * (rise - slope * length));
    if parabola.is_finite() { parabola.clamp(0.1, 0.5) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unbounded(n: usize) -> Bounds {
        Bounds { lower: vec![f64::NEG_INFINITY; n], upper: vec![f64::INFINITY; n] }
    }

    fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> f64 {
        let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
        gradient[0] = -2.0 * a - 400.0 * x[0] * b;
        gradient[1] = 200.0 * b;
        a * a + 100.0 * b * b
    }

    const STOP: Stop = Stop { tolerance: 1e-14, iterations: 500, rounding: 0.0 };

    #[test]
    fn the_curved_valley_is_followed_to_its_end() {
        let mut x = [-1.2, 1.0];
        let finish = minimise(&mut x, &unbounded(2), &mut Curvature::new(vec![1.0; 2]), STOP, rosenbrock);
        assert!(finish.converged && finish.iterations < 100, "{finish:?}");
        assert!((x[0] - 1.0).abs() < 1e-5 && (x[1] - 1.0).abs() < 1e-5, "{x:?}");
    }

    /// With x_0 <= 0.5 the minimum of the valley is at (0.5, 0.25).
    #[test]
    fn bounds_hold_and_the_minimum_on_them_is_found() {
        let bounds = Bounds { lower: vec![-2.0, -1.0], upper: vec![0.5, 3.0] };
        let mut x = [-1.2, 1.0];
        let seen_outside = std::cell::Cell::new(false);
        let finish =
            minimise(&mut x, &bounds, &mut Curvature::new(vec![1.0; 2]), STOP, |x: &[f64], g: &mut [f64]| {
                seen_outside.set(seen_outside.get() || x[0] > 0.5 || x[1] < -1.0);
                rosenbrock(x, g)
            });
        assert!(finish.converged && !seen_outside.get(), "{finish:?}");
        assert!((x[0] - 0.5).abs() < 1e-9 && (x[1] - 0.25).abs() < 1e-6, "{x:?}");
    }

    /// Slopes with noise of rounding promise more than there is; the search ends all the same, at the minimum.
    #[test]
    fn rounded_values_do_not_keep_it_going() {
        let mut x = [4.0, -3.0];
        let mut turn = 0u32;
        let stop = Stop { tolerance: 1e-3, iterations: 500, rounding: 1e-9 };
        let finish = minimise(
            &mut x,
            &unbounded(2),
            &mut Curvature::new(vec![1.0; 2]),
            stop,
            |x: &[f64], g: &mut [f64]| {
                turn += 1;
                let noise = if turn.is_multiple_of(2) { 3.0 } else { -3.0 };
                (g[0], g[1]) = (2.0 * x[0] + noise * 0.05, 20.0 * x[1] - noise * 0.2);
                ((1e4 + x[0] * x[0] + 10.0 * x[1] * x[1]) * 1e4).round() / 1e4
            },
        );
        assert!(finish.converged && finish.iterations < 40, "{finish:?}");
        assert!(x[0].abs() < 0.2 && x[1].abs() < 0.1, "{x:?}");
    }

    #[test]
    fn steps_to_go_follow_the_fall_of_the_gain() {
        let stop = Stop { tolerance: 0.5e-6, iterations: 100, rounding: 0.0 };
        // Two steps took two of eight powers of ten.
        assert_eq!(steps_to_go(1e2, 1.0, 2, stop), 6);
        assert_eq!(steps_to_go(1e2, 1e2, 0, stop), USUAL_STEPS);
        assert_eq!(steps_to_go(1.0, 2.0, 5, stop), USUAL_STEPS);
        assert_eq!(steps_to_go(1e2, 99.0, 98, stop), 2);
    }

    /// Values that are not numbers are stepped back from, and a badly scaled diagonal is put right.
    #[test]
    fn cliffs_and_bad_scales_are_survived() {
        let mut x = [3.0, 1.0];
        let finish = minimise(
            &mut x,
            &unbounded(2),
            &mut Curvature::new(vec![1e-6, 1e3]),
            STOP,
            |x: &[f64], g: &mut [f64]| {
                (g[0], g[1]) = (1.0 - 1.0 / x[0], 2e4 * (x[1] - 7.0));
                if x[0] <= 0.0 { f64::NAN } else { x[0] - x[0].ln() + 1e4 * (x[1] - 7.0).powi(2) }
            },
        );
        assert!(finish.converged, "{finish:?}");
        assert!((x[0] - 1.0).abs() < 1e-5 && (x[1] - 7.0).abs() < 1e-6, "{x:?}");
    }
}
