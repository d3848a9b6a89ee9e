//! Level and spread of the strength, by maximum likelihood.

use super::clarity::ClarityPrior;
use super::densities::{CLEAREST, Densities, product, spread_of};
use super::grid::{Curve, POINTS, STRENGTHS};
use super::label::largest;
use super::log_sum::LogSum;
use super::states::States;
use super::strength::Strength;
use super::voices::Voices;
use crate::num::log_odds;
use crate::optim::{Bend, EIGHT, dispatch, exp_of_eight, in_memory, newton_pair, simplex, step_by_step};
use crate::parallel;
use crate::sources::Vote;

/// What is believed of level and clarity (level² / (level² + spread²)) before any vote is seen, for sources of one class, whose
/// votes cannot determine; for sources of several classes see [`Believed`].
const LEVEL_ONE_CLASS: f64 = 1.8;
const CLARITY_ONE_CLASS: f64 = 0.8;
/// The standard deviation of log level around that.
const LEVEL_SPREAD: f64 = 0.3;
/// Clarity and its spread if sources have many votes, which then determine it as far as they can, and the degrees of freedom that let
/// them.
const CLARITY_OF_MANY: f64 = 0.3;
const CLARITY_SPREAD_OF_MANY: f64 = 0.3;
const FREEDOM_OF_MANY: f64 = 3.0;
/// Where the search starts: the best of a grid over log level and the log odds of clarity, first, step and number.
const LEVELS: (f64, f64, usize) = (-1.2, 0.2, 13);
const CLARITIES: (f64, f64, usize) = (-2.5, 0.5, 16);
/// ... over about this many rows.
const START_ROWS: usize = 1 << 11;
/// The first steps along log level and along the log odds of clarity, from there and from an earlier estimate.
const FIRST_STEPS: [f64; 2] = [0.1, 0.3];
const LATER_STEPS: [f64; 2] = [0.02, 0.06];
/// Remaining log likelihood at which the search ends.
const TOLERANCE: f64 = 1e-4;
/// Rows that one piece of work takes.
const PIECE: usize = 256;

/// What is believed of the impression on sources of several classes before any vote is seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Believed {
    pub(crate) level: f64,
    pub(crate) clarity: f64,
    /// The standard deviation of the log odds of clarity.
    pub(crate) clarity_spread: f64,
}

impl Believed {
    fn clarity(&self) -> ClarityPrior {
        ClarityPrior { mean: log_odds(self.clarity), spread: self.clarity_spread, freedom: None }
    }
}

/// Rows of votes with their counts.
pub(crate) struct Sample {
    pub(crate) rows: Vec<Vec<(u32, Vote)>>,
    pub(crate) counts: Vec<f64>,
}

impl Sample {
    /// The rows that have votes of sources of several classes.
    pub(super) fn rows_of_several(&self, voices: &Voices) -> Vec<usize> {
        let of_several = |row: &[(u32, Vote)]| row.iter().any(|&(j, _)| voices.several[j as usize]);
        (0..self.rows.len()).filter(|&u| of_several(&self.rows[u])).collect()
    }
}

/// The likelihood of the votes of sources of several classes, as a function of level and spread.
///
/// # Formula
/// ```text
/// ℓ(level, spread) = Σ_u c_u log Σ_g H_ug p(z_g),   H_ug ∝ Σ_c exp Σ_j δ_j ( z_g w_j(λ_uj, c) - ψ_j(c, z_g) )
/// ```
/// H is computed once.
pub(crate) struct Surface {
    likelihoods: Vec<Curve>,
    counts: Vec<f64>,
    /// The share of sources of one class in the votes that count.
    one_class: f64,
    /// The log level that is believed of sources of several classes.
    level: f64,
    /// What is believed of the log odds of their clarity.
    clarity: ClarityPrior,
}

impl Surface {
    /// Of the scaled link; `one_class` is the share of sources of one class in all votes that count.
    pub(crate) fn scaled(voices: &Voices, sample: &Sample, one_class: f64, believed: &Believed) -> Self {
        let (n, k) = (voices.sources(), voices.k);
        let normalisers =
            parallel::map(0..n, |j| if voices.several[j] { voices.normalisers(j) } else { Vec::new() });
        Self::of(
            voices,
            sample,
            one_class,
            believed,
            #[inline(always)]
            |row, seen, scores| {
                let mut shared = Curve::ZERO;
                let shared = in_memory(&mut shared);
                scores.fill(0.0);
                for &(j, vote) in row {
                    step_by_step();
                    let (j, v) = (j as usize, usize::from(vote) - 1);
                    if !voices.several[j] {
                        continue;
                    }
                    let share = voices.shares[j];
                    scores[v] += share * voices.own[j];
                    if let Some(table) = voices.table[j] {
                        let cells = &voices.tables[table][v * k..][..k];
                        for (score, cell) in scores.iter_mut().zip(cells) {
                            *score += share * cell;
                        }
                    }
                    match &normalisers[j][..] {
                        [all] => shared.add(all, share),
                        each => {
                            for (seen, psi) in seen.iter_mut().zip(each) {
                                step_by_step();
                                seen.add(psi, -share);
                            }
                        }
                    }
                }
                for (seen, score) in seen.iter_mut().zip(&*scores) {
                    step_by_step();
                    for g in 0..POINTS {
                        seen[g] += STRENGTHS[g] * score - shared[g];
                    }
                }
            },
        )
    }

    /// Of the ogive; `many` if sources have many votes.
    pub(crate) fn ogive(
        states: &States,
        sample: &Sample,
        one_class: f64,
        believed: &Believed,
        many: bool,
    ) -> Self {
        let of_many = ClarityPrior {
            mean: log_odds(CLARITY_OF_MANY),
            spread: CLARITY_SPREAD_OF_MANY,
            freedom: Some(FREEDOM_OF_MANY),
        };
        let both = |[first, second]: &[Curve; 2]| Curve::of(|g| first[g] + second[g]);
        Self {
            likelihoods: parallel::map_each(states.likelihoods.len(), PIECE, |u| {
                both(&states.likelihoods[u])
            }),
            counts: states.rows.iter().map(|&u| sample.counts[u]).collect(),
            one_class,
            level: believed.level.ln(),
            clarity: if many { of_many } else { believed.clarity() },
        }
    }

    /// Of what `add` makes of the votes of a row, given room for the scores of the classes.
    fn of(
        voices: &Voices,
        sample: &Sample,
        one_class: f64,
        believed: &Believed,
        add: impl Fn(&[(u32, Vote)], &mut [Curve], &mut [f64]) + Sync,
    ) -> Self {
        // Rows without such votes say nothing.
        let told = sample.rows_of_several(voices);
        let of_rows = |rows: &[usize]| {
            crate::watch::look();
            dispatch(
                #[inline(always)]
                || {
                    let mut seen = vec![Curve::ZERO; voices.k];
                    let mut scores = vec![0.0; voices.k];
                    let mut curves: Vec<Curve> = Vec::with_capacity(rows.len());
                    for &u in rows {
                        seen.fill(Curve::ZERO);
                        add(&sample.rows[u], &mut seen, &mut scores);
                        curves.push(summed(&seen));
                    }
                    curves
                },
            )
        };
        Self {
            likelihoods: parallel::flat_map(told.chunks(PIECE), of_rows),
            counts: told.iter().map(|&u| sample.counts[u]).collect(),
            one_class,
            level: believed.level.ln(),
            clarity: believed.clarity(),
        }
    }

    /// Level and spread; from `start` on if one is given, else from the best of a grid.
    pub(crate) fn estimate(&self, start: Option<(f64, f64)>) -> (f64, f64) {
        let between = |several: f64, one: f64| several + self.one_class * (one - several);
        let level = between(self.level, LEVEL_ONE_CLASS.ln());
        let clarity =
            ClarityPrior { mean: between(self.clarity.mean, log_odds(CLARITY_ONE_CLASS)), ..self.clarity };
        let result = |[level, clarity]: [f64; 2]| (level.exp(), spread_of(level, clarity));
        if self.likelihoods.is_empty() {
            return result([level, clarity.mean]);
        }
        let prior = |x: [f64; 2]| 0.5 * ((x[0] - level) / LEVEL_SPREAD).powi(2) + clarity.cost(x[1]);
        let (from, [along_level, along_clarity]) = match start {
            None => (self.best_of_grid(prior), FIRST_STEPS),
            Some((level, spread)) => ([level.ln(), 2.0 * (level / spread).ln()], LATER_STEPS),
        };
        let weight_of_level = LEVEL_SPREAD.powi(-2);
        let bend = |x: [f64; 2]| {
            let likelihood = self.bend(x);
            Bend {
                value: prior(x) + likelihood.value,
                slopes: [
                    weight_of_level * (x[0] - level) + likelihood.slopes[0],
                    clarity.slope(x[1]) + likelihood.slopes[1],
                ],
                curvature: [
                    weight_of_level + likelihood.curvature[0],
                    likelihood.curvature[1],
                    clarity.weight(x[1]) + likelihood.curvature[2],
                ],
            }
        };
        let mut best = newton_pair(from, TOLERANCE, bend).unwrap_or_else(|| {
            let corners = [from, [from[0] + along_level, from[1]], [from[0], from[1] + along_clarity]];
            simplex(corners, 1e-3, |x| prior(x) - self.log_likelihood(x, 1))
        });
        best[1] = best[1].min(CLEAREST);
        result(best)
    }

    fn best_of_grid(&self, prior: impl Fn([f64; 2]) -> f64 + Sync) -> [f64; 2] {
        let stride = self.counts.len().div_ceil(START_ROWS);
        let places: Vec<[f64; 2]> = (0..LEVELS.2 * CLARITIES.2)
            .map(|at| {
                let (i, j) = (at / CLARITIES.2, at % CLARITIES.2);
                [LEVELS.0 + LEVELS.1 * i as f64, CLARITIES.0 + CLARITIES.1 * j as f64]
            })
            .collect();
        let losses = parallel::map(&places, |&x| prior(x) - self.log_likelihood(x, stride));
        let best = (0..places.len()).fold(0, |best, at| if losses[at] < losses[best] { at } else { best });
        places[best]
    }

    /// -ℓ with its derivatives.
    ///
    /// # Formula
    /// ```text
    /// L_u = H_u p,   r_ui = H_u ∂_i p / L_u,   S = Σ_u c_u H_u / L_u
    /// ∂_i ℓ = S ∂_i p,   ∂_i ∂_j ℓ = S ∂_i ∂_j p - Σ_u c_u r_ui r_uj
    /// ```
    fn bend(&self, x: [f64; 2]) -> Bend {
        let densities = Densities::new(x);
        let mut sum = LogSum::default();
        let mut shares = Curve::ZERO;
        let shares = in_memory(&mut shares);
        let mut curvature = [0.0; 3];
        dispatch(
            #[inline(always)]
            || {
                for (likelihood, &count) in self.likelihoods.iter().zip(&self.counts) {
                    step_by_step();
                    let value = product(likelihood, &densities.value) + f64::MIN_POSITIVE;
                    sum.add(value, count);
                    let share = count / value;
                    shares.add(likelihood, share);
                    let a = product(likelihood, &densities.slopes[0]) / value;
                    let b = product(likelihood, &densities.slopes[1]) / value;
                    curvature[0] += count * a * a;
                    curvature[1] += count * a * b;
                    curvature[2] += count * b * b;
                }
            },
        );
        let along = |curve: &Curve| product(shares, curve);
        Bend {
            value: -sum.total(),
            slopes: [0, 1].map(|i| -along(&densities.slopes[i])),
            curvature: [0, 1, 2].map(|i| curvature[i] - along(&densities.curvature[i])),
        }
    }

    /// ℓ over every `stride`-th row, which stand for all.
    fn log_likelihood(&self, [level, clarity]: [f64; 2], stride: usize) -> f64 {
        let density = Strength::new(level.exp(), spread_of(level, clarity)).density();
        let (mut sum, mut items) = (LogSum::default(), 0.0);
        dispatch(
            #[inline(always)]
            || {
                for (likelihood, &count) in self.likelihoods.iter().zip(&self.counts).step_by(stride) {
                    sum.add(product(likelihood, &density) + f64::MIN_POSITIVE, count);
                    items += count;
                }
            },
        );
        let sum = sum.total();
        if stride == 1 { sum } else { sum * self.counts.iter().sum::<f64>() / items }
    }
}

/// Σ_c e^{x_c}, divided by the largest term.
#[inline(always)]
fn summed(seen: &[Curve]) -> Curve {
    let most = largest(seen);
    let mut sums = Curve::ZERO;
    for curve in seen {
        for (sums, x) in sums.as_chunks_mut::<EIGHT>().0.iter_mut().zip(curve.as_chunks::<EIGHT>().0) {
            let mut below = *x;
            for i in 0..EIGHT {
                below[i] -= most;
            }
            let exps = exp_of_eight(&below);
            for i in 0..EIGHT {
                sums[i] += exps[i];
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use consilience_testing::gradient;

    use super::*;
    use crate::rng::{Streams, unit};

    const LEVEL: f64 = 1.2;

    fn random() -> Surface {
        let mut rng = Streams::new(5).stream(1);
        let mut curve = || Curve::of(|g| (-((g as f64 / 9.0) - 3.0 * unit(&mut rng)).powi(2)).exp());
        let likelihoods: Vec<Curve> = (0..300).map(|_| curve()).collect();
        let counts = (0..300).map(|u| 1.0 + f64::from(u % 3)).collect();
        let clarity = ClarityPrior { mean: 0.0, spread: 0.4, freedom: None };
        Surface { likelihoods, counts, one_class: 0.2, level: LEVEL.ln(), clarity }
    }

    #[test]
    fn slopes_and_curvature_are_those_of_the_likelihood() {
        let surface = random();
        for place in [[0.1, 0.3], [-0.7, 2.0], [0.6, -1.5]] {
            let bend = surface.bend(place);
            assert!((bend.value + surface.log_likelihood(place, 1)).abs() < 1e-9 * bend.value.abs());
            let slopes = gradient(&place, |x| -surface.log_likelihood([x[0], x[1]], 1));
            let of_slope = |i: usize| gradient(&place, |x| surface.bend([x[0], x[1]]).slopes[i]);
            let ([a, b], [_, d]) =
                (<[f64; 2]>::try_from(of_slope(0)).unwrap(), <[f64; 2]>::try_from(of_slope(1)).unwrap());
            let found = [bend.slopes.to_vec(), bend.curvature.to_vec()].concat();
            for (found, expected) in found.iter().zip([slopes[0], slopes[1], a, b, d]) {
                assert!(
                    (found - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                    "{found} instead of {expected}"
                );
            }
        }
    }

    /// Second road: a search that knows no slopes.
    #[test]
    fn newtons_steps_end_where_a_slower_search_does() {
        let surface = random();
        let (level, spread) = surface.estimate(None);
        let prior = |x: [f64; 2]| {
            let level = LEVEL.ln() + 0.2 * (LEVEL_ONE_CLASS.ln() - LEVEL.ln());
            let clarity = 0.2 * log_odds(CLARITY_ONE_CLASS);
            0.5 * (((x[0] - level) / LEVEL_SPREAD).powi(2) + ((x[1] - clarity) / 0.4).powi(2))
        };
        let slow =
            simplex([[0.0, 0.0], [0.1, 0.0], [0.0, 0.3]], 1e-8, |x| prior(x) - surface.log_likelihood(x, 1));
        assert!((level.ln() - slow[0]).abs() < 1e-3 && (spread - spread_of(slow[0], slow[1])).abs() < 1e-3);
    }
}
