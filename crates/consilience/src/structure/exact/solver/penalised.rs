//! Sixteen minimisations with an l1 penalty on the links: Eq. (6) of the paper, solved to its optimum.
//!
//! # Formula
//! ```text
//! min over x of  f(x) + κ Σ_links |x_d|,   κ = m ε
//! x <- x + t d,   d = argmin g·d + ½ d·H d + κ Σ_links |x_d + d_d|   (by coordinates)
//! ```
//! f is the negative log pseudolikelihood with its priors, H its information matrix at the optimum without a penalty.
//! Each lane has its own step length and is done when the step promises less than the tolerance.
//!
//! # Reference
//! Lee, Sun and Saunders 2014, Proximal Newton-type methods for minimizing composite functions.

use super::newton::Objective;
use crate::optim::{LANES, Lane64, row_start};

/// Sweeps over the coordinates in one step.
const MOST_SWEEPS: usize = 100;

/// A sweep that promises less than this share of the tolerance ends the step.
const SHARE: f64 = 0.01;

/// Share of the promised gain that a step must bring, and rounding noise of the objective relative to its value.
const ARMIJO: f64 = 1e-4;
const NOISE: f64 = 1e-6;

const ZERO: Lane64 = [0.0; LANES];

/// A symmetric matrix in each lane, rows behind each other.
pub(crate) struct Hessian {
    size: usize,
    cells: Vec<Lane64>,
}

impl Hessian {
    /// From packed lower triangles.
    pub(crate) fn new(size: usize, lower: &[Lane64]) -> Self {
        let mut cells = vec![ZERO; size * size];
        for i in 0..size {
            for j in 0..=i {
                cells[i * size + j] = lower[row_start(i) + j];
                cells[j * size + i] = lower[row_start(i) + j];
            }
        }
        Self { size, cells }
    }

    fn row(&self, i: usize) -> &[Lane64] {
        &self.cells[i * self.size..(i + 1) * self.size]
    }
}

/// How a minimisation ended.
pub(crate) struct Penalised {
    pub(crate) x: Vec<Lane64>,
    /// Evaluations of the objective.
    pub(crate) passes: usize,
}

/// Minimises from `x` on; the first `links` parameters are penalised by `penalty`.
pub(crate) fn minimise(
    objective: &mut impl Objective,
    mut x: Vec<Lane64>,
    hessian: &Hessian,
    (links, penalty): (usize, f64),
    tolerance: f64,
    most_passes: usize,
) -> Penalised {
    let (mut value, mut slope) = objective.evaluate(&x);
    let mut passes = 1;
    loop {
        let step = step(hessian, &slope, &x, (links, penalty), tolerance);
        let before = size_of(&x[..links]);
        let full: Vec<Lane64> = moved(&x, &step, &[1.0; LANES]);
        let after = size_of(&full[..links]);
        let promised: Lane64 = std::array::from_fn(|i| {
            let along: f64 = slope.iter().zip(&step).map(|(g, d)| g[i] * d[i]).sum();
            along + penalty * (after[i] - before[i])
        });
        let converged = promised.map(|promised| -promised <= tolerance);
        if converged.iter().all(|&done| done) || passes >= most_passes {
            return Penalised { x, passes };
        }
        let mut length = converged.map(|done| if done { 0.0 } else { 1.0 });
        loop {
            let next = moved(&x, &step, &length);
            let (next_value, next_slope) = objective.evaluate(&next);
            passes += 1;
            let next_size = size_of(&next[..links]);
            let mut all_fell = true;
            for i in 0..LANES {
                let change = next_value[i] - value[i] + penalty * (next_size[i] - before[i]);
                let fell = change
                    <= ARMIJO * length[i] * promised[i] + NOISE * value[i].abs() + objective.rounding();
                if !fell && length[i] > 0.0 {
                    length[i] = if length[i] < 1e-3 { 0.0 } else { length[i] * 0.5 };
                    all_fell = false;
                }
            }
            if all_fell {
                (x, value, slope) = (next, next_value, next_slope);
                break;
            }
            if passes >= most_passes {
                return Penalised { x, passes };
            }
        }
    }
}

fn size_of(links: &[Lane64]) -> Lane64 {
    std::array::from_fn(|i| links.iter().map(|x| x[i].abs()).sum())
}

fn moved(x: &[Lane64], step: &[Lane64], length: &Lane64) -> Vec<Lane64> {
    x.iter().zip(step).map(|(x, d)| std::array::from_fn(|i| x[i] + length[i] * d[i])).collect()
}

/// The minimum of the quadratic model with the penalty, by coordinates.
fn step(
    hessian: &Hessian,
    slope: &[Lane64],
    x: &[Lane64],
    (links, penalty): (usize, f64),
    tolerance: f64,
) -> Vec<Lane64> {
    let mut step = vec![ZERO; hessian.size];
    // The model's slope: g + H d.
    let mut model = slope.to_vec();
    for _ in 0..MOST_SWEEPS {
        let mut largest = 0.0f64;
        for at in 0..hessian.size {
            let row = hessian.row(at);
            let penalty = if at < links { penalty } else { 0.0 };
            let change: Lane64 = std::array::from_fn(|i| {
                let curvature = row[at][i];
                if curvature <= 0.0 {
                    return 0.0;
                }
                let here = x[at][i] + step[at][i];
                soft(here - model[at][i] / curvature, penalty / curvature) - here
            });
            let gain = (0..LANES).map(|i| change[i] * change[i] * row[at][i]).fold(0.0, f64::max);
            if gain <= 0.0 {
                continue;
            }
            largest = largest.max(gain);
            for i in 0..LANES {
                step[at][i] += change[i];
            }
            for (model, h) in model.iter_mut().zip(row) {
                for i in 0..LANES {
                    model[i] += h[i] * change[i];
                }
            }
        }
        if largest <= SHARE * tolerance {
            break;
        }
    }
    step
}

/// The nearest number to `x` that costs least: sign(x) max(|x| - t, 0).
fn soft(x: f64, t: f64) -> f64 {
    if x > t {
        x - t
    } else if x < -t {
        x + t
    } else {
        0.0
    }
}
