//! Stochastic gradients of the marginal likelihood with interleaved Gibbs sampling: the paper's way.

use super::expected::{Reader, Scores};
use super::layout::{Layout, Tables};
use super::prior::Free;
use super::weights::rough_curvature;
use crate::model::Model;
use crate::model::fit::options::{FitError, FitOptions};
use crate::model::fit::{Ending, Estimator};
use crate::model::gibbs::Gibbs;
use crate::num::{pick, softmax_in_place};
use crate::parallel;
use crate::rng::{Stream, Streams, unit};
use crate::votes::Votes;

/// Chains that one random stream drives.
const CHAINS_A_STREAM: usize = 32;
/// Weights that move by less than this between the third and the last quarter of the steps have converged.
const AT_REST: f64 = 0.05;

/// Chains with their stream, and the share of a step's items that is theirs.
struct Chains {
    rng: Stream,
    batch: usize,
    /// For each chain the position of each source's vote in its domain, then the class.
    states: Vec<Vec<u32>>,
}

/// Fits by stochastic gradients.
///
/// # Formula
/// ```text
/// θ_d += η_t / h_d · ( E[φ_d | λ_u] over a few items u - φ_d over the chains - precision_d (θ_d - mean_d) / N )
/// ```
/// with h_d the rough curvature of a weight an item and η_t falling with the share of the steps done. Between steps
/// each chain draws its class given its votes, then each vote given the class and the other votes. The weights returned are
/// the mean over the last half of the steps.
///
/// # Reference
/// Bach et al. (2017), section 2: "maximum likelihood ... by interleaving stochastic gradient descent with Gibbs sampling".
/// Given all pairs of sources it is the baseline of section 5.2.
pub(crate) fn fit_by_gibbs(
    votes: &Votes,
    layout: &Layout,
    terms: &[Free],
    model: &Model,
    options: &FitOptions,
) -> Result<(Vec<f64>, Ending), FitError> {
    Gibbs::new(model)?;
    let settings = options.gibbs;
    let items = votes.items() as f64;
    let mut weights: Vec<f64> = terms.iter().map(|term| term.prior.start).collect();
    let scale: Vec<f64> = rough_curvature(layout, votes, terms).iter().map(|h| h / items).collect();
    let mut groups = start(votes, layout, &weights, options);
    let steps = settings.steps;
    let mut slopes = vec![0.0; terms.len()];
    let mut mean_slopes = vec![0.0; terms.len()];
    let (mut third, mut last) = (vec![0.0; terms.len()], vec![0.0; terms.len()]);
    crate::watch::expect_passes(steps);
    for step in 0..steps {
        crate::watch::look();
        crate::watch::pass_done();
        let energies = layout.energies(&weights);
        let scores = Scores::new(layout, &energies);
        let parts =
            parallel::map(&mut groups, |group| group.step(votes, layout, &energies, &scores, options));
        let mut total = Tables::zero(layout);
        for part in &parts {
            total.add(part);
        }
        slopes.fill(0.0);
        layout.add_slopes(&total, &mut slopes);
        let done = step as f64 / steps as f64;
        let width = settings.step / (1.0 + 10.0 * done);
        for (d, term) in terms.iter().enumerate() {
            let prior = &term.prior;
            let slope = slopes[d] - prior.precision * (weights[d] - prior.mean) / items;
            // No step is longer than one, however rare the dependency.
            let moved = weights[d] + (width * slope / scale[d]).clamp(-1.0, 1.0);
            weights[d] = moved.clamp(prior.lower, prior.upper);
            if 2 * step >= steps {
                mean_slopes[d] += 2.0 * slope / steps as f64;
                *(if 4 * step >= 3 * steps { &mut last[d] } else { &mut third[d] }) += weights[d];
            }
        }
    }
    let (first_half, last_half) = (steps / 2, steps);
    let in_last = (first_half..last_half).filter(|step| 4 * step >= 3 * steps).count().max(1) as f64;
    let in_third = (last_half - first_half - in_last as usize) as f64;
    let mut moved = 0.0f64;
    for d in 0..terms.len() {
        let mean_last = last[d] / in_last;
        let mean_third = if in_third > 0.0 { third[d] / in_third } else { mean_last };
        moved = moved.max((mean_last - mean_third).abs());
        weights[d] = (last[d] + third[d]) / (in_last + in_third);
    }
    let ending = Ending {
        estimator: Estimator::Gibbs,
        converged: moved < AT_REST,
        iterations: steps,
        gradient_norm: mean_slopes.iter().fold(0.0, |norm, slope| norm.max(slope.abs())),
        objective: None,
    };
    Ok((weights, ending))
}

/// Chains start at items of the table, with a class drawn given their votes.
fn start(votes: &Votes, layout: &Layout, weights: &[f64], options: &FitOptions) -> Vec<Chains> {
    let streams = Streams::new(options.seed);
    let settings = options.gibbs;
    let groups = settings.chains.div_ceil(CHAINS_A_STREAM);
    let energies = layout.energies(weights);
    let scores = Scores::new(layout, &energies);
    let make = |g: usize| {
        let mut rng = streams.stream(g as u64);
        let chains = CHAINS_A_STREAM.min(settings.chains - g * CHAINS_A_STREAM);
        let batch = (g + 1) * settings.batch / groups - g * settings.batch / groups;
        let mut reader = Reader::new(layout, votes.patterns(), true);
        let mut q = vec![0.0; layout.k];
        let mut draw = || {
            reader.read(random_pattern(votes, &mut rng));
            scores.of_row(&reader, &mut q);
            softmax_in_place(&mut q);
            let mut state = reader.positions.clone();
            state.push(pick(&q, unit(&mut rng)) as u32);
            state
        };
        let states = (0..chains).map(|_| draw()).collect();
        Chains { rng, batch, states }
    };
    (0..groups).map(make).collect()
}

fn random_pattern(votes: &Votes, rng: &mut Stream) -> usize {
    let item = (unit(rng) * votes.items() as f64) as usize;
    votes.item_pattern()[item.min(votes.items() - 1)] as usize
}

impl Chains {
    /// The share of this group in one step's slopes by energies.
    fn step(
        &mut self,
        votes: &Votes,
        layout: &Layout,
        energies: &Tables,
        scores: &Scores<'_>,
        options: &FitOptions,
    ) -> Tables {
        let k = layout.k;
        let mut slopes = Tables::zero(layout);
        let mut q = vec![0.0; k];
        let mut reader = Reader::new(layout, votes.patterns(), true);
        let share = 1.0 / options.gibbs.batch as f64;
        for _ in 0..self.batch {
            reader.read(random_pattern(votes, &mut self.rng));
            scores.of_row(&reader, &mut q);
            softmax_in_place(&mut q);
            let position = |j: usize| reader.positions[j] as usize;
            for (y, &p) in q.iter().enumerate() {
                add_state(layout, &position, y, share * p, &mut slopes);
            }
        }
        let share = 1.0 / options.gibbs.chains as f64;
        let mut table = Vec::new();
        for state in &mut self.states {
            for _ in 0..options.gibbs.sweeps {
                sweep(layout, energies, state, &mut table, &mut q, &mut self.rng);
            }
            let class = state[layout.domains.len()] as usize;
            add_state(layout, &|j| state[j] as usize, class, -share, &mut slopes);
        }
        slopes
    }
}

/// Adds `amount` in every cell that a state of votes and class is in.
fn add_state(layout: &Layout, position: &dyn Fn(usize) -> usize, y: usize, amount: f64, slopes: &mut Tables) {
    let k = layout.k;
    slopes.class[y] += amount;
    for (j, &start) in layout.starts[..layout.domains.len()].iter().enumerate() {
        slopes.unary[(start + position(j)) * k + y] += amount;
    }
    for joint in &layout.joints {
        slopes.joint[joint.cell(position) + y * joint.class_stride] += amount;
    }
}

/// Draws the class again, then each vote.
fn sweep(
    layout: &Layout,
    energies: &Tables,
    state: &mut [u32],
    table: &mut Vec<f64>,
    q: &mut [f64],
    rng: &mut Stream,
) {
    let k = layout.k;
    let n = layout.domains.len();
    q.copy_from_slice(&energies.class);
    for (j, &start) in layout.starts[..n].iter().enumerate() {
        let cells = &energies.unary[(start + state[j] as usize) * k..][..k];
        q.iter_mut().zip(cells).for_each(|(q, energy)| *q += energy);
    }
    for joint in layout.joints.iter().filter(|joint| joint.reads_class()) {
        let cell = joint.cell(|l| state[l] as usize);
        q.iter_mut().enumerate().for_each(|(y, q)| *q += energies.joint[cell + y * joint.class_stride]);
    }
    softmax_in_place(q);
    let y = pick(q, unit(rng));
    state[n] = y as u32;
    for j in 0..n {
        let values = layout.domains[j].len();
        table.clear();
        table.extend((0..values).map(|v| energies.unary[(layout.starts[j] + v) * k + y]));
        state[j] = 0;
        for &s in &layout.joints_of[j] {
            let joint = &layout.joints[s as usize];
            let cell = joint.cell(|l| state[l] as usize) + y * joint.class_stride;
            let stride = joint.stride_of(j);
            table.iter_mut().enumerate().for_each(|(v, energy)| *energy += energies.joint[cell + v * stride]);
        }
        softmax_in_place(table);
        state[j] = pick(table, unit(rng)) as u32;
    }
}
