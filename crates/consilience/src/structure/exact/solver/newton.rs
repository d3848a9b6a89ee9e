//! Sixteen maximisations side by side: quasi-Newton steps with a Cholesky factor that limited-memory updates refine.
//!
//! # Formula
//! ```text
//! x <- x + t d,   d = -H⁻¹ g,   H⁻¹ = the two-loop recursion over the last steps around (J + ridge)⁻¹
//! ```
//! Each lane has its own step length, halved until the objective falls (Armijo), and is done when g·H⁻¹g, twice the
//! remaining gain, is below the tolerance.
//!
//! # Reference
//! Nocedal and Wright, Numerical Optimization, Algorithms 3.1 and 7.4.

use std::collections::VecDeque;

use crate::optim::{LANES, Lane64, Solver};

/// Steps that are remembered.
const MEMORY: usize = 8;

/// Share of the gain promised by the slope that a step must bring.
const ARMIJO: f64 = 1e-4;

/// Rounding noise of the objective, relative to its value.
const NOISE: f64 = 1e-6;

/// Largest change of a parameter in one step.
const LONGEST: f64 = 2.0;

const ZERO: Lane64 = [0.0; LANES];

/// A function to be made small, in every lane: its value and gradient.
pub(crate) trait Objective {
    fn evaluate(&mut self, x: &[Lane64]) -> (Lane64, Vec<Lane64>);

    /// What rounding may add to a value however small it is: that of one term of the sum, times their number.
    fn rounding(&self) -> f64;
}

/// How a minimisation ended.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    pub(crate) x: Vec<Lane64>,
    pub(crate) value: Lane64,
    pub(crate) converged: [bool; LANES],
    /// g·H⁻¹g where it started.
    pub(crate) first_decrement: Lane64,
    /// Evaluations of the objective.
    pub(crate) passes: usize,
}

/// A step and the change of the gradient along it; `inverse` is 1 / step·change, or 0 if the step is not used.
struct Pair {
    step: Vec<Lane64>,
    change: Vec<Lane64>,
    inverse: Lane64,
}

fn dot(a: &[Lane64], b: &[Lane64]) -> Lane64 {
    let mut sum = ZERO;
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            sum[i] += a[i] * b[i];
        }
    }
    sum
}

fn add_times(to: &mut [Lane64], factor: &Lane64, what: &[Lane64]) {
    for (to, what) in to.iter_mut().zip(what) {
        for i in 0..LANES {
            to[i] += factor[i] * what[i];
        }
    }
}

/// Minimises from `x` on, at most `most_passes` evaluations.
pub(crate) fn minimise(
    objective: &mut impl Objective,
    x: Vec<Lane64>,
    factor: &Solver,
    tolerance: f64,
    most_passes: usize,
) -> Minimum {
    let mut x = x;
    let (mut value, mut slope) = objective.evaluate(&x);
    let mut passes = 1;
    let mut memory: VecDeque<Pair> = VecDeque::new();
    let mut first_decrement = None;
    loop {
        let mut direction = newton_direction(&slope, &memory, factor);
        let decrement = dot(&slope, &direction).map(|d| -d);
        let first_decrement = *first_decrement.get_or_insert(decrement);
        let converged = decrement.map(|d| d <= tolerance);
        let over = decrement.map(|d| d <= tolerance || d.is_nan());
        if over.iter().all(|&over| over) || passes >= most_passes {
            return Minimum { x, value, converged, first_decrement, passes };
        }
        limit(&mut direction, &over);
        let promised = dot(&slope, &direction);
        let mut length = over.map(|over| if over { 0.0 } else { 1.0 });
        let (next, next_value, next_slope) = loop {
            let mut next = x.clone();
            add_times(&mut next, &length, &direction);
            let (next_value, next_slope) = objective.evaluate(&next);
            passes += 1;
            let mut all_fell = true;
            for i in 0..LANES {
                // Sums over many rows carry rounding noise; a rise below it is no rise. The gradient is far more exact
                // than the difference of two such sums, so close to the optimum it alone decides.
                let noise = NOISE * value[i].abs() + objective.rounding();
                let fell = next_value[i] <= value[i] + ARMIJO * length[i] * promised[i] + noise;
                if !fell && length[i] > 0.0 {
                    length[i] = if length[i] < 1e-3 { 0.0 } else { length[i] * 0.5 };
                    all_fell = false;
                }
            }
            if all_fell {
                break (next, next_value, next_slope);
            }
            if passes >= most_passes {
                // The last trial rose somewhere: the point before it is the better one.
                return Minimum { x, value, converged, first_decrement, passes };
            }
        };
        let difference = |a: &[Lane64], b: &[Lane64]| -> Vec<Lane64> {
            a.iter().zip(b).map(|(a, b)| std::array::from_fn(|i| a[i] - b[i])).collect()
        };
        let (step, change) = (difference(&next, &x), difference(&next_slope, &slope));
        let curvature = dot(&step, &change);
        let scale = dot(&change, &change);
        let inverse = std::array::from_fn(|i| {
            if curvature[i] > 1e-10 * scale[i] && curvature[i] > 0.0 { 1.0 / curvature[i] } else { 0.0 }
        });
        memory.push_back(Pair { step, change, inverse });
        if memory.len() > MEMORY {
            memory.pop_front();
        }
        (x, value, slope) = (next, next_value, next_slope);
    }
}

/// -H⁻¹ g by the two-loop recursion.
fn newton_direction(slope: &[Lane64], memory: &VecDeque<Pair>, factor: &Solver) -> Vec<Lane64> {
    let mut direction: Vec<Lane64> = slope.iter().map(|g| g.map(|g| -g)).collect();
    let mut weights = Vec::with_capacity(memory.len());
    for pair in memory.iter().rev() {
        let along = dot(&pair.step, &direction);
        let weight: Lane64 = std::array::from_fn(|i| pair.inverse[i] * along[i]);
        add_times(&mut direction, &weight.map(|w| -w), &pair.change);
        weights.push(weight);
    }
    factor.solve(&mut direction);
    for (pair, weight) in memory.iter().zip(weights.iter().rev()) {
        let along = dot(&pair.change, &direction);
        let correction: Lane64 = std::array::from_fn(|i| weight[i] - pair.inverse[i] * along[i]);
        add_times(&mut direction, &correction, &pair.step);
    }
    direction
}

/// Shortens steps that are too long and stops lanes that are done.
fn limit(direction: &mut [Lane64], done: &[bool; LANES]) {
    let mut largest = ZERO;
    for d in direction.iter() {
        for i in 0..LANES {
            largest[i] = largest[i].max(d[i].abs());
        }
    }
    for d in direction {
        for i in 0..LANES {
            d[i] = if done[i] {
                0.0
            } else if largest[i] > LONGEST {
                d[i] * LONGEST / largest[i]
            } else {
                d[i]
            };
        }
    }
}
