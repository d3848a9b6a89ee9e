//! Accuracies of dense panels, given the impression.

use crate::dependency::{Dependency, DependencyType as _, Factor};
use crate::model::Model;
use crate::model::fit::options::FitError;
use crate::model::impression::{
    Believed, Curve, OGIVE_SCALE, POINTS, STRENGTHS, Sample, States, Strength, Surface, Voices, normal,
};
use crate::optim::{EIGHT, dispatch};
use crate::parallel;

/// Rounds of expectation and maximisation: few if sources have few votes, whose slopes would drift away from what is likely
/// before, else this many more.
const ROUNDS: usize = 8;
const MORE_ROUNDS: usize = 16;
/// ... from this many votes of a source on the average on.
const MANY_VOTES: f64 = 500.0;
/// All rounds but the last few go over about so many rows only.
const LAST_ROUNDS: usize = 3;
const ROUGH_ROWS: usize = 1 << 11;
/// Those rounds end once no slope and no lean is further than this from where they would end: less than the standard error of
/// a source with 1,000 votes by far.
const NEAR: f64 = 0.005;
/// Steps of each maximisation.
const STEPS: usize = 4;
/// The prior of a slope: normal around this with variance 1, or around its negative for a source worse than chance.
const SLOPE: f64 = 0.4;
/// The prior of a lean: normal around 0 with this variance.
const LEAN_VARIANCE: f64 = 36.0;
/// The largest slope, and the largest steps of slope and lean.
const LARGEST: f64 = 12.0;
const SLOPE_STEP: f64 = 1.0;
const LEAN_STEP: f64 = 2.0;
/// Rows of one piece of work, at least, and the most pieces, whose sums are kept side by side.
const PIECE: usize = 1 << 9;
/// Rows whose posteriors fit into the nearest cache together, so that sums are read and written once for all of them.
const BLOCK: usize = 1 << 5;
const MOST_PIECES: usize = 16;

/// The model with accuracies and rates of the sources of several classes fitted under the impression, for two classes on which
/// most items have many votes; then level and spread of the strength.
///
/// # Formula
/// ```text
/// p(λ_j = 2 | s) = Φ( (b_j + a_j s) / 1.7 ),   s = +z where class 2 is seen, -z where class 1 is
/// E:  q_u(s) ∝ p(z) Π_j p(λ_uj | s)^δ_j,   n_j2(s), n_j1(s): the expected items of state s on which j casts each vote
/// M:  four Fisher scoring steps of the probit regression of n_j2 / (n_j1 + n_j2) on s,   a_j ~ N(±0.4, 1), b_j ~ N(0, 36)
/// at most 8 rounds, or 24 if sources have many votes
/// ```
/// A source that is worse than chance before stays so, and no other becomes so.
pub(crate) fn refitted(
    model: &Model,
    mut voices: Voices,
    sample: &Sample,
    one_class: f64,
    believed: &Believed,
) -> Result<(Model, f64, f64), FitError> {
    let votes = sample.rows.iter().zip(&sample.counts).map(|(row, count)| row.len() as f64 * count);
    let many = votes.sum::<f64>() >= MANY_VOTES * voices.sources() as f64;
    let rounds = if many { ROUNDS + MORE_ROUNDS } else { ROUNDS };
    let below: Vec<bool> = voices.own.iter().map(|&own| own < 0.0).collect();
    let surface = |states: &States, sample: &Sample, last: Option<(f64, f64)>| {
        Surface::ogive(states, sample, one_class, believed, many).estimate(last)
    };
    let mut last = None;
    let few = thinned(sample);
    let mut states = States::new(&voices, &few);
    let mut steps = Steps::default();
    for _ in LAST_ROUNDS..rounds {
        let strength = surface(&states, &few, last);
        last = Some(strength);
        if steps.left(maximised(&mut voices, &few, &states, strength, &below)) < NEAR {
            break;
        }
        states.update(&voices, &few);
    }
    let mut states = States::new(&voices, sample);
    for _ in 0..LAST_ROUNDS {
        let strength = surface(&states, sample, last);
        last = Some(strength);
        maximised(&mut voices, sample, &states, strength, &below);
        states.update(&voices, sample);
    }
    let (level, spread) = surface(&states, sample, last);
    Ok((with_voices(model, &voices)?, level, spread))
}

/// One maximisation: slopes and leans of all sources of several classes, given the `states` of the rows. The largest step.
fn maximised(
    voices: &mut Voices,
    sample: &Sample,
    states: &States,
    strength: (f64, f64),
    below: &[bool],
) -> f64 {
    let counts = expected(voices, sample, states, strength);
    let lean = |voices: &Voices, j: usize| (voices.rates[j * 2 + 1] / voices.rates[j * 2]).ln();
    let dense: Vec<usize> = (0..voices.sources()).filter(|&j| voices.several[j]).collect();
    let of_source =
        |&j: &usize| regression(&counts[j * 2], &counts[j * 2 + 1], voices.own[j], lean(voices, j), below[j]);
    let fitted: Vec<(f64, f64)> = parallel::map(&dense, of_source);
    let mut largest: f64 = 0.0;
    for (&j, (slope, next)) in dense.iter().zip(fitted) {
        largest = largest.max((slope - voices.own[j]).abs()).max((next - lean(voices, j)).abs());
        voices.own[j] = slope;
        let second = 1.0 / (1.0 + (-next).exp());
        voices.rates[j * 2] = 1.0 - second;
        voices.rates[j * 2 + 1] = second;
    }
    largest
}

/// How far rounds whose steps shrink by a steady factor are from their end.
#[derive(Default)]
struct Steps {
    last: Option<f64>,
}

impl Steps {
    /// What is left after a round that has made this `step`: the sum of the steps that would follow.
    fn left(&mut self, step: f64) -> f64 {
        let factor = self.last.replace(step).map_or(1.0, |last| step / last.max(f64::MIN_POSITIVE));
        if factor < 1.0 { step * factor / (1.0 - factor) } else { f64::INFINITY }
    }
}

/// An even part of the rows.
fn thinned(sample: &Sample) -> Sample {
    let stride = sample.rows.len().div_ceil(ROUGH_ROWS).max(1);
    Sample {
        rows: sample.rows.iter().step_by(stride).cloned().collect(),
        counts: sample.counts.iter().step_by(stride).copied().collect(),
    }
}

/// `model` with the accuracies and rates of `voices`.
fn with_voices(model: &Model, voices: &Voices) -> Result<Model, FitError> {
    let mut middle = vec![0.0; voices.sources()];
    for factor in model.factors().list() {
        if let (Dependency::VoteRate(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            middle[*j] += 0.5 * factor.weight;
        }
    }
    let changed = |factor: &Factor| {
        let &[j] = factor.dependency.sources() else { return factor.weight };
        match &factor.dependency {
            _ if !voices.several[j] => factor.weight,
            Dependency::Accuracy(_) => 0.5 * voices.own[j] * voices.shares[j],
            Dependency::VoteRate(_) => {
                let lean = (voices.rates[j * 2 + 1] / voices.rates[j * 2]).ln();
                let second = factor.dependency.class() == Some(2);
                middle[j] + if second { 0.5 * lean } else { -0.5 * lean }
            }
            _ => factor.weight,
        }
    };
    let factors = model.factors().list().iter();
    let factors = factors.map(|factor| Factor::new(factor.dependency.clone(), changed(factor))).collect();
    let (sources, classes) = (model.sources().clone(), model.classes().clone());
    Ok(Model::new(sources, classes, model.domains().to_vec(), factors)?)
}

/// For each source and vote, the expected items of each state (class 1, then class 2 seen) on which it casts that vote.
fn expected(
    voices: &Voices,
    sample: &Sample,
    states: &States,
    (level, spread): (f64, f64),
) -> Vec<[Curve; 2]> {
    let density = Strength::new(level, spread).density();
    let zero = || vec![[Curve::ZERO; 2]; voices.sources() * 2];
    let length = PIECE.max(states.rows.len().div_ceil(MOST_PIECES));
    let pieces = parallel::map(
        states.rows.chunks(length).zip(states.likelihoods.chunks(length)),
        |(rows, likelihoods)| {
            crate::watch::look();
            let mut sums = zero();
            let mut q = [[Curve::ZERO; 2]; BLOCK];
            let mut cast = vec![Vec::with_capacity(BLOCK); voices.sources() * 2];
            for (rows, likelihoods) in rows.chunks(BLOCK).zip(likelihoods.chunks(BLOCK)) {
                by_vote(voices, sample, rows, &mut cast);
                dispatch(
                    #[inline(always)]
                    || {
                        for ((&u, likelihood), q) in rows.iter().zip(likelihoods).zip(&mut q) {
                            *q = posterior(likelihood, &density, sample.counts[u]);
                        }
                        for (sums, rows) in sums.iter_mut().zip(&cast) {
                            sums[0] = sums[0].plus_all(rows.iter().map(|&at| &q[usize::from(at)][0]));
                            sums[1] = sums[1].plus_all(rows.iter().map(|&at| &q[usize::from(at)][1]));
                        }
                    },
                );
            }
            sums
        },
    );
    pieces.into_iter().fold(zero(), |mut total, piece| {
        for (total, piece) in total.as_flattened_mut().iter_mut().zip(piece.as_flattened()) {
            total.add(piece, 1.0);
        }
        total
    })
}

/// The expected items of each state of `count` items with this `likelihood`.
#[inline(always)]
fn posterior(likelihood: &[Curve; 2], density: &Curve, count: f64) -> [Curve; 2] {
    let mut q = *likelihood;
    let mut totals = [f64::MIN_POSITIVE; EIGHT];
    for curve in &mut q {
        for (q, density) in curve.as_chunks_mut::<EIGHT>().0.iter_mut().zip(density.as_chunks::<EIGHT>().0) {
            for i in 0..EIGHT {
                q[i] *= density[i];
                totals[i] += q[i];
            }
        }
    }
    let scale = count / totals.iter().sum::<f64>();
    for curve in &mut q {
        for q in curve.iter_mut() {
            *q *= scale;
        }
    }
    q
}

/// Which of the `rows` have each vote of each source of several classes.
fn by_vote(voices: &Voices, sample: &Sample, rows: &[usize], cast: &mut [Vec<u8>]) {
    cast.iter_mut().for_each(Vec::clear);
    for (at, &u) in (0..).zip(rows) {
        for &(j, vote) in sample.rows[u].iter().filter(|&&(j, _)| voices.several[j as usize]) {
            cast[j as usize * 2 + usize::from(vote) - 1].push(at);
        }
    }
}

/// Slope and lean of one source, by Fisher scoring from where they are.
fn regression(first: &[Curve; 2], second: &[Curve; 2], slope: f64, lean: f64, below: bool) -> (f64, f64) {
    let (mean, low, high) = if below { (-SLOPE, -LARGEST, 0.0) } else { (SLOPE, 0.0, LARGEST) };
    let (mut slope, mut lean) = (slope, lean);
    for _ in 0..STEPS {
        let mut slopes = [-lean / LEAN_VARIANCE, -(slope - mean)];
        let mut curvature = [1.0 / LEAN_VARIANCE, 0.0, 1.0];
        for (c, side) in [-1.0, 1.0].into_iter().enumerate() {
            for g in 0..POINTS {
                let s = side * STRENGTHS[g];
                let all = first[c][g] + second[c][g];
                let eta = (lean + slope * s) / OGIVE_SCALE;
                let p = normal(eta).clamp(1e-9, 1.0 - 1e-9);
                let change = (-0.5 * eta * eta).exp() / (2.0 * std::f64::consts::PI).sqrt() / OGIVE_SCALE;
                let residual = (second[c][g] - all * p) * change / (p * (1.0 - p));
                let weight = all * change * change / (p * (1.0 - p));
                slopes[0] += residual;
                slopes[1] += residual * s;
                curvature[0] += weight;
                curvature[1] += weight * s;
                curvature[2] += weight * s * s;
            }
        }
        let [a, b, d] = curvature;
        let determinant = a * d - b * b;
        let step = (d * slopes[0] - b * slopes[1]) / determinant;
        lean += step.clamp(-LEAN_STEP, LEAN_STEP);
        let step = (a * slopes[1] - b * slopes[0]) / determinant;
        slope = (slope + step.clamp(-SLOPE_STEP, SLOPE_STEP)).clamp(low, high);
    }
    (slope, lean)
}
