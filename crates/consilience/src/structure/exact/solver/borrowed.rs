//! What links are uncertain by because the accuracies of the other sources are.
//!
//! Each problem takes the accuracies of the others as given. Where sources are hardly better than chance, they are known badly,
//! and an error of theirs looks like a dependency. That is so where classes are many; with few, no false links were seen, and the
//! bound below would hide true ones.
//!
//! # Formula
//! ```text
//! Var(w) = (H⁻¹)_ww + E_σ( (W e)_w² ),   e = σ s + T e,   σ_l = ±1 with even chance
//! ```
//! with s the standard errors of the accuracies, and W e and T e how far links and accuracies move in their own problems if the
//! accuracies that they take move by e. The expectation is the delta method's sum over sources, here the mean over a few draws of all
//! signs at once, each of which costs passes over a share of the rows.
//!
//! # Reference
//! Murphy and Topel 1985, Estimation and inference in two-step econometric models.

use super::rounds::Rounds;

/// Draws of the signs: if accuracies do not answer each other, which leaves next to nothing to be added, and if they do.
const FEW_DRAWS: usize = 4;
const DRAWS: usize = 16;

/// Rows that slopes are taken over, at least.
pub(crate) const ROWS: usize = 2048;

/// Accuracies that move by less than this share of their errors if the others move by theirs do not answer each other.
const NO_ANSWER: f64 = 0.1;

/// Rounds in which answers are followed.
const ROUNDS: usize = 8;

/// How far the accuracy and the links of one source's problem move.
#[derive(Clone, Debug)]
pub(crate) struct Moved {
    pub(crate) accuracy: f64,
    pub(crate) links: Vec<f64>,
}

/// For each of the `members`, the mean square of how far each of its links moves with the `errors` of the accuracies; `respond` says how
/// far all members move if the accuracies do.
pub(crate) fn squares(
    errors: &[f64],
    members: &[usize],
    respond: impl Fn(&[f64]) -> Vec<Moved>,
) -> Vec<Vec<f64>> {
    let mut squares: Vec<Vec<f64>> = vec![Vec::new(); members.len()];
    let (mut draw, mut draws) = (0, FEW_DRAWS);
    while draw < draws {
        let signs: Vec<f64> = (0..errors.len()).map(|j| if even(j, draw) { 1.0 } else { -1.0 }).collect();
        let (moved, answered) = settled(&signs, errors, members, &respond);
        if answered {
            draws = DRAWS;
        }
        draw += 1;
        for (squares, moved) in squares.iter_mut().zip(moved) {
            squares.resize(moved.links.len(), 0.0);
            squares.iter_mut().zip(moved.links).for_each(|(sum, x)| *sum += x * x);
        }
    }
    squares.iter_mut().flatten().for_each(|sum| *sum /= draws as f64);
    squares
}

/// How all members move in the end if the accuracies first move by their errors with these signs, and whether they answered.
fn settled(
    signs: &[f64],
    errors: &[f64],
    members: &[usize],
    respond: impl Fn(&[f64]) -> Vec<Moved>,
) -> (Vec<Moved>, bool) {
    let mut rounds = Rounds::default();
    // In units of the errors.
    let mut x = signs.to_vec();
    let mut round = 1;
    loop {
        // What is far away is no longer on the line: the response is taken one error from here.
        let short = 1.0 / root_mean_square(&x).max(1.0);
        let step: Vec<f64> = x.iter().zip(errors).map(|(x, error)| short * x * error).collect();
        let mut moved = respond(&step);
        for moved in &mut moved {
            moved.accuracy /= short;
            moved.links.iter_mut().for_each(|link| *link /= short);
        }
        let mut out = signs.to_vec();
        for (&j, moved) in members.iter().zip(&moved) {
            if errors[j] > 0.0 {
                out[j] += moved.accuracy / errors[j];
            }
        }
        let answer: Vec<f64> = out.iter().zip(signs).map(|(out, sign)| out - sign).collect();
        let answered = root_mean_square(&answer) >= NO_ANSWER;
        if round == ROUNDS || !(round > 1 || answered) {
            return (moved, round > 1);
        }
        x = rounds.next(x, out);
        round += 1;
    }
}

fn root_mean_square(x: &[f64]) -> f64 {
    (x.iter().map(|x| x * x).sum::<f64>() / x.len().max(1) as f64).sqrt()
}

/// A fair coin of source and draw: one bit of a mixed number.
fn even(j: usize, draw: usize) -> bool {
    let mut x = (j as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (draw as u64 + 1).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 30;
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    (x ^ (x >> 31)) & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signs are even, and those of two sources or of two draws have nothing to do with each other.
    #[test]
    fn signs_are_fair() {
        let n = 4000;
        let ups = |test: &dyn Fn(usize) -> bool| (0..n).filter(|&j| test(j)).count() as f64 / n as f64;
        assert!((ups(&|j| even(j, 0)) - 0.5).abs() < 0.03);
        assert!((ups(&|j| even(j, 0) == even(j + 1, 0)) - 0.5).abs() < 0.03);
        assert!((ups(&|j| even(j, 0) == even(j, 1)) - 0.5).abs() < 0.03);
    }

    /// Three accuracies that answer each other by a known matrix: their error in the end is (1 - T)⁻¹ of the first one.
    #[test]
    fn answers_are_followed_to_their_end() {
        let answer = |step: &[f64]| {
            let t = [[0.0, -0.8, 0.1], [-0.7, 0.0, 0.2], [0.3, 0.1, 0.0]];
            let of = |j: usize| (0..3).map(|l| t[j][l] * step[l]).sum::<f64>();
            (0..3).map(|j| Moved { accuracy: of(j), links: vec![2.0 * step[(j + 1) % 3]] }).collect()
        };
        let errors = [0.1, 0.1, 0.1];
        let (moved, answered): (Vec<Moved>, bool) = settled(&[1.0, 1.0, -1.0], &errors, &[0, 1, 2], answer);
        assert!(answered);
        let mut x = [0.1, 0.1, -0.1f64];
        for _ in 0..2000 {
            let out: Vec<Moved> = answer(&x);
            for (j, first) in [0.1, 0.1, -0.1].into_iter().enumerate() {
                x[j] = first + out[j].accuracy;
            }
        }
        for j in 0..3 {
            let expected = 2.0 * x[(j + 1) % 3];
            assert!((moved[j].links[0] - expected).abs() < 1e-4, "{} {expected}", moved[j].links[0]);
        }
    }

    /// Accuracies that are known well add the square of their errors, and one response is enough.
    #[test]
    fn known_accuracies_are_asked_once() {
        let asked = std::cell::Cell::new(0);
        let respond = |step: &[f64]| {
            asked.set(asked.get() + 1);
            vec![
                Moved { accuracy: 0.0, links: vec![3.0 * step[1]] },
                Moved { accuracy: 0.0, links: vec![step[0]] },
            ]
        };
        let squares = squares(&[0.1, 0.2], &[0, 1], respond);
        assert!((squares[0][0] - 0.36).abs() < 1e-12 && (squares[1][0] - 0.01).abs() < 1e-12, "{squares:?}");
        assert_eq!(asked.get(), FEW_DRAWS);
    }
}
