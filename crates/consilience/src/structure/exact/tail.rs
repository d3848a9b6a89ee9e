//! How improbable a sum of small whole numbers is: exact if that is cheap, by a saddlepoint if it is not.
//!
//! Where two sources meet on a handful of items, how often they say the same is far from normal, and so is every estimate
//! that is made of it. The sum itself has a distribution that can be written down.

use std::f64::consts::{PI, SQRT_2};

/// What some items that are alike may add to the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Draw {
    /// The probability of adding 1.
    pub(crate) one: f64,
    /// The probability of adding 2.
    pub(crate) two: f64,
    /// How many items there are.
    pub(crate) times: u32,
}

impl Draw {
    fn none(&self) -> f64 {
        (1.0 - self.one - self.two).max(0.0)
    }
}

/// Multiplications up to which the distribution is computed in full.
const MOST_PRODUCTS: usize = 1 << 21;

/// Values beyond the one seen that the upper tail is summed over, at least: their probabilities fall quickly.
const BEYOND: usize = 48;

/// Mean and variance of the sum.
pub(crate) fn moments(draws: &[Draw]) -> (f64, f64) {
    let (mut mean, mut variance) = (0.0, 0.0);
    for draw in draws {
        let (times, expected) = (f64::from(draw.times), draw.one + 2.0 * draw.two);
        mean += times * expected;
        variance += times * (draw.one + 4.0 * draw.two - expected * expected).max(0.0);
    }
    (mean, variance)
}

/// The probability of a sum at least as far from its mean as `seen`, on the same side, doubled; at most 1.
pub(crate) fn two_sided(draws: &[Draw], seen: u64) -> f64 {
    let (mean, _) = moments(draws);
    let upper = seen as f64 > mean;
    let one_sided = if upper { at_least(draws, seen) } else { at_most(draws, seen) };
    (2.0 * one_sided).min(1.0)
}

/// P(sum >= seen).
fn at_least(draws: &[Draw], seen: u64) -> f64 {
    let seen_at = usize::try_from(seen).unwrap_or(usize::MAX);
    let width = seen_at.saturating_add(seen_at / 2).saturating_add(BEYOND);
    if products(draws, width) <= MOST_PRODUCTS {
        distribution(draws, width)[seen_at..].iter().sum()
    } else {
        saddlepoint(draws, seen)
    }
}

/// P(sum <= seen).
fn at_most(draws: &[Draw], seen: u64) -> f64 {
    let seen_at = usize::try_from(seen).unwrap_or(usize::MAX);
    if products(draws, seen_at) <= MOST_PRODUCTS {
        distribution(draws, seen_at).iter().sum()
    } else {
        // 2 - draw is a draw as well: the lower tail of one is the upper tail of the other.
        let items: u64 = draws.iter().map(|draw| u64::from(draw.times)).sum();
        let turned: Vec<Draw> = draws.iter().map(|draw| Draw { two: draw.none(), ..*draw }).collect();
        saddlepoint(&turned, 2 * items - seen)
    }
}

fn products(draws: &[Draw], width: usize) -> usize {
    let items: usize = draws.iter().map(|draw| draw.times as usize).sum();
    items.saturating_mul(width.saturating_add(1))
}

/// The probability of each sum from 0 to `most`: item by item.
fn distribution(draws: &[Draw], most: usize) -> Vec<f64> {
    let mut probability = vec![0.0; most + 1];
    probability[0] = 1.0;
    let mut reached = 0;
    for draw in draws {
        let none = draw.none();
        for _ in 0..draw.times {
            reached = (reached + 2).min(most);
            for sum in (0..=reached).rev() {
                let mut next = probability[sum] * none;
                if sum >= 1 {
                    next += probability[sum - 1] * draw.one;
                }
                if sum >= 2 {
                    next += probability[sum - 2] * draw.two;
                }
                probability[sum] = next;
            }
        }
    }
    probability
}

/// P(sum >= seen) for `seen` above the mean.
///
/// # Formula
/// ```text
/// K(t) = Σ log( q₀ + q₁ e^t + q₂ e^2t ),   K'(t) = seen
/// w = √(2 (t·seen - K(t))),   u = (1 - e^-t) √K''(t)
/// P ≈ 1 - Φ(w) - φ(w) (1/w - 1/u)
/// ```
/// # Reference
/// Lugannani and Rice 1980; Butler 2007, Saddlepoint Approximations with Applications, section 1.2 (whole numbers).
fn saddlepoint(draws: &[Draw], seen: u64) -> f64 {
    let target = seen as f64;
    let (mut low, mut high) = (0.0f64, 1.0f64);
    while slope(draws, high).0 < target && high < 256.0 {
        (low, high) = (high, 2.0 * high);
    }
    let mut t = 0.5 * (low + high);
    for _ in 0..100 {
        let (first, second) = slope(draws, t);
        if first < target {
            low = t;
        } else {
            high = t;
        }
        let newton = t + (target - first) / second.max(f64::MIN_POSITIVE);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let moved = (next - t).abs();
        t = next;
        if moved < 1e-12 * (1.0 + t) {
            break;
        }
    }
    let w = (2.0 * (t * target - cumulant(draws, t))).max(0.0).sqrt();
    if w < 1e-3 {
        return 0.5;
    }
    let u = -(-t).exp_m1() * slope(draws, t).1.sqrt();
    let density = (-0.5 * w * w).exp() / (2.0 * PI).sqrt();
    (0.5 * libm::erfc(w / SQRT_2) - density * (1.0 / w - 1.0 / u)).clamp(0.0, 1.0)
}

fn cumulant(draws: &[Draw], t: f64) -> f64 {
    let up = t.exp();
    let of = |draw: &Draw| f64::from(draw.times) * (draw.none() + (draw.one + draw.two * up) * up).ln();
    draws.iter().map(of).sum()
}

/// K'(t) and K''(t).
fn slope(draws: &[Draw], t: f64) -> (f64, f64) {
    let up = t.exp();
    let (mut first, mut second) = (0.0, 0.0);
    for draw in draws {
        let (one, two) = (draw.one * up, draw.two * up * up);
        let all = draw.none() + one + two;
        let (mean, square) = ((one + 2.0 * two) / all, (one + 4.0 * two) / all);
        first += f64::from(draw.times) * mean;
        second += f64::from(draw.times) * (square - mean * mean);
    }
    (first, second)
}

/// The z of a two-sided p: the inverse of p = erfc( z / √2 ).
pub(crate) fn z_of(p: f64) -> f64 {
    if p >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 38.5);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if libm::erfc(middle / SQRT_2) > p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use rand::RngExt as _;

    fn close(a: f64, b: f64, relative: f64) -> bool {
        (a - b).abs() <= relative * a.abs().max(b.abs())
    }

    /// All outcomes of a few items, one by one.
    #[test]
    fn tails_are_those_of_enumeration() {
        let draws = [
            Draw { one: 0.1, two: 0.3, times: 2 },
            Draw { one: 0.05, two: 0.02, times: 3 },
            Draw { one: 0.0, two: 0.6, times: 1 },
        ];
        let items: Vec<Draw> =
            draws.iter().flat_map(|draw| std::iter::repeat_n(*draw, draw.times as usize)).collect();
        let mut truth = vec![0.0; 2 * items.len() + 1];
        for outcome in 0..3usize.pow(items.len() as u32) {
            let (mut code, mut sum, mut probability) = (outcome, 0, 1.0);
            for item in &items {
                probability *= [1.0 - item.one - item.two, item.one, item.two][code % 3];
                sum += code % 3;
                code /= 3;
            }
            truth[sum] += probability;
        }
        for seen in 0..truth.len() {
            assert!(close(at_least(&draws, seen as u64), truth[seen..].iter().sum(), 1e-12));
            assert!(close(at_most(&draws, seen as u64), truth[..=seen].iter().sum(), 1e-12));
        }
    }

    /// Two roads to the same tail: the distribution in full, and the saddlepoint.
    #[test]
    fn the_saddlepoint_is_close_far_out_and_near() {
        let mut rng = Streams::new(5).stream(0);
        for scale in [0.002, 0.02, 0.3] {
            let draws: Vec<Draw> = (0..400)
                .map(|_| Draw {
                    one: scale * rng.random::<f64>(),
                    two: scale * rng.random::<f64>(),
                    times: 1 + rng.random_range(0..3),
                })
                .collect();
            let (mean, variance) = moments(&draws);
            for sds in [0.5, 2.0, 4.0, 6.0] {
                let seen = (mean + sds * variance.sqrt()).ceil() as u64;
                let exact: f64 = distribution(&draws, 4 * seen as usize + 200)[seen as usize..].iter().sum();
                assert!(close(at_least(&draws, seen), exact, 1e-8), "{scale} {sds}");
                let near = saddlepoint(&draws, seen);
                assert!(close(near, exact, 0.08), "{scale} {sds}: {near} {exact}");
            }
        }
    }

    #[test]
    fn z_is_the_inverse_of_p() {
        for z in [0.1, 1.0, 3.3, 8.0, 30.0] {
            assert!((z_of(libm::erfc(z / SQRT_2)) - z).abs() < 1e-9, "{z}");
        }
        assert!(z_of(1.0).abs() < 1e-12 && z_of(0.0) > 38.0);
    }
}
