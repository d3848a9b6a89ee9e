//! What problems take from each other, from round to round: a fixed point, approached faster than by turns.
//!
//! Where sources are weak, one round overshoots and the next one undershoots. The rounds before show by how much.
//!
//! # Formula
//! ```text
//! f_i = T(x_i) - x_i,   γ = argmin | f_r - Σ_i γ_i (f_(i+1) - f_i) |
//! x_(r+1) = T(x_r) - Σ_i γ_i (T(x_(i+1)) - T(x_i))
//! ```
//! # Reference
//! Anderson 1965; Walker and Ni 2011, Anderson acceleration for fixed-point iterations.

use std::collections::VecDeque;

/// Rounds that are remembered.
const MEMORY: usize = 4;

/// What keeps the small system solvable where rounds hardly differ, relative to its diagonal.
const RIDGE: f64 = 1e-8;

/// An extrapolation further than this many times the plain step is not believed.
const FURTHEST: f64 = 10.0;

/// The rounds so far: what each began with, and what came out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    seen: VecDeque<(Vec<f64>, Vec<f64>)>,
}

impl Rounds {
    /// Where the next round begins, after one that began with `x` and gave `out`; both in units of their uncertainty.
    pub(crate) fn next(&mut self, x: Vec<f64>, out: Vec<f64>) -> Vec<f64> {
        self.seen.push_back((x, out));
        if self.seen.len() > MEMORY {
            self.seen.pop_front();
        }
        let Some((x, out)) = self.seen.back() else { return Vec::new() };
        let step: Vec<f64> = difference(out, x);
        let (mut steps, mut outs) = (Vec::new(), Vec::new());
        for (before, after) in self.seen.iter().zip(self.seen.iter().skip(1)) {
            steps.push(difference(&difference(&after.1, &after.0), &difference(&before.1, &before.0)));
            outs.push(difference(&after.1, &before.1));
        }
        let Some(gamma) = least_squares(&steps, &step) else { return out.clone() };
        let mut next = out.clone();
        for (gamma, change) in gamma.iter().zip(&outs) {
            for (next, change) in next.iter_mut().zip(change) {
                *next -= gamma * change;
            }
        }
        let (plain, far) = (norm(&step), norm(&difference(&next, x)));
        if far.is_finite() && far <= FURTHEST * plain { next } else { out.clone() }
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// The combination of `columns` nearest to `target`; `None` if there are no columns or they carry no information.
fn least_squares(columns: &[Vec<f64>], target: &[f64]) -> Option<Vec<f64>> {
    let n = columns.len();
    if n == 0 {
        return None;
    }
    let mut system: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> = columns.iter().map(|column| dot(&columns[i], column)).collect();
            row[i] *= 1.0 + RIDGE;
            row.push(dot(&columns[i], target));
            row
        })
        .collect();
    for pivot in 0..n {
        let best = (pivot..n).max_by(|&a, &b| system[a][pivot].abs().total_cmp(&system[b][pivot].abs()))?;
        system.swap(pivot, best);
        let head = system[pivot][pivot];
        if head.abs() < f64::MIN_POSITIVE {
            return None;
        }
        for row in pivot + 1..n {
            let factor = system[row][pivot] / head;
            for column in pivot..=n {
                system[row][column] -= factor * system[pivot][column];
            }
        }
    }
    let mut solution = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| system[row][column] * solution[column]).sum();
        solution[row] = (system[row][n] - known) / system[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear map with a mode that overshoots and one that creeps: rounds by turns need hundreds, these a handful.
    #[test]
    fn linear_rounds_end_soon() {
        let map = |x: &[f64]| vec![1.0 - 0.9 * x[0] + 0.1 * x[1], 0.5 + 0.85 * x[1], 0.3 * x[2]];
        let fixed = {
            let second = 0.5 / 0.15;
            vec![(1.0 + 0.1 * second) / 1.9, second, 0.0]
        };
        let (mut rounds, mut x) = (Rounds::default(), vec![0.0, 3.0, 1.0]);
        for _ in 0..7 {
            let out = map(&x);
            x = rounds.next(x, out);
        }
        for (x, fixed) in x.iter().zip(&fixed) {
            assert!((x - fixed).abs() < 1e-6, "{x} {fixed}");
        }
    }
}
