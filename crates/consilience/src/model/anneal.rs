//! Marginals by sampling: chains that start from independent sources and turn the joint factors on step by step.
//!
//! The steps weigh each chain as annealed importance sampling does, which gives the partition function of each class
//! and so the class balance, without a bias from a class that a chain cannot leave.
//!
//! # Formula
//! ```text
//! Z_y(h) = Σ_λ exp( single factors + h · joint factors ),   Z_y(0) = Π_j Σ_v exp( single factors of j )
//! log w  = Σ_t (h_{t+1} - h_t) · joint energy of λ_t,       Z_y(1) = Z_y(0) · E[w]
//! ```
//! # Reference
//! Neal, Annealed importance sampling, Statistics and Computing 11 (2001).

use super::gibbs::{Estimate, Gibbs, SampledMarginals, SamplingOptions};
use crate::num::{log_sum_exp, softmax_in_place};
use crate::parallel;
use crate::rng::Streams;

/// What one chain of one class saw.
struct Chain {
    log_weight: f64,
    /// Mean φ of every factor, then the share of every value of every source.
    means: Vec<f64>,
}

/// The chains of one class put together.
struct ClassEstimate {
    log_z: Estimate,
    means: Vec<Estimate>,
}

impl Gibbs<'_> {
    /// Estimates all marginals and expectations; the same for any number of threads.
    pub fn marginals(&self, options: &SamplingOptions) -> SampledMarginals {
        let k = self.model.classes().len();
        let by_class: Vec<ClassEstimate> = (0..k).map(|y| self.class_estimate(y, options)).collect();
        let closed_form = self.model.class_balance_in_closed_form();
        let exact = closed_form.is_some();
        let log_z: Vec<f64> = by_class.iter().map(|class| class.log_z.value).collect();
        let log_partition = log_sum_exp(&log_z);
        let p = closed_form.unwrap_or_else(|| {
            let mut p = log_z;
            softmax_in_place(&mut p);
            p
        });
        // Squared errors of log Z_y; they move the class balance unless that is known without sampling.
        let squared: Vec<f64> = by_class.iter().map(|class| class.log_z.stderr.powi(2)).collect();
        let moved = |slope: &dyn Fn(usize) -> f64| -> f64 {
            if exact { 0.0 } else { (0..k).map(|y| slope(y).powi(2) * squared[y]).sum() }
        };
        let identity = |y: usize, z: usize| f64::from(u8::from(y == z));
        let class =
            |y: usize| Estimate { value: p[y], stderr: moved(&|z| p[y] * (identity(y, z) - p[z])).sqrt() };
        let mixed = |d: usize| {
            let of_class = |y: usize| by_class[y].means[d];
            let value: f64 = (0..k).map(|y| p[y] * of_class(y).value).sum();
            let within: f64 = (0..k).map(|y| (p[y] * of_class(y).stderr).powi(2)).sum();
            Estimate { value, stderr: (within + moved(&|y| p[y] * (of_class(y).value - value))).sqrt() }
        };
        let joint = |at: usize, y: usize| {
            let given = by_class[y].means[at];
            let balance = class(y);
            let squared = (balance.value * given.stderr).powi(2) + (given.value * balance.stderr).powi(2);
            Estimate { value: balance.value * given.value, stderr: squared.sqrt() }
        };
        let factors = self.model.factors().len();
        let mut at = factors;
        let mut votes = Vec::with_capacity(self.model.domains().len());
        for domain in self.model.domains() {
            votes.push((at..at + domain.len()).flat_map(|at| (0..k).map(move |y| joint(at, y))).collect());
            at += domain.len();
        }
        SampledMarginals {
            log_partition: Estimate {
                value: log_partition,
                stderr: (0..k).map(|y| p[y].powi(2) * squared[y]).sum::<f64>().sqrt(),
            },
            classes: (0..k).map(class).collect(),
            votes,
            expectations: (0..factors).map(mixed).collect(),
        }
    }

    fn class_estimate(&self, y: usize, options: &SamplingOptions) -> ClassEstimate {
        let chains = options.chains.max(2);
        let streams = Streams::new(options.seed);
        let run = |c: usize| self.chain(y, options, streams, (y * chains + c) as u64);
        let runs: Vec<Chain> = parallel::map(0..chains, run);

        let top = runs.iter().map(|run| run.log_weight).fold(f64::NEG_INFINITY, f64::max);
        let weight = estimate(runs.iter().map(|run| (run.log_weight - top).exp()));
        let log_z = Estimate {
            value: self.log_partition_of_independent(y) + top + weight.value.ln(),
            stderr: weight.stderr / weight.value,
        };
        let means = (0..runs[0].means.len()).map(|d| estimate(runs.iter().map(|run| run.means[d]))).collect();
        ClassEstimate { log_z, means }
    }

    fn chain(&self, y: usize, options: &SamplingOptions, streams: Streams, number: u64) -> Chain {
        let mut rng = streams.stream(number);
        let mut state = self.independent(y, &mut rng);
        let steps = options.annealing.max(1);
        let mut log_weight = 0.0;
        for step in 1..=steps {
            crate::watch::look();
            log_weight += self.joint_energy(&state) / steps as f64;
            self.sweep(&mut state, step as f64 / steps as f64, &mut rng);
        }
        for _ in 0..options.burn_in {
            self.sweep(&mut state, 1.0, &mut rng);
        }
        let factors = self.model.factors().len();
        let domains = self.model.domains();
        let mut sums = vec![0.0; factors + domains.iter().map(crate::sources::Domain::len).sum::<usize>()];
        let sweeps = options.sweeps.max(1);
        for _ in 0..sweeps {
            crate::watch::look();
            self.sweep(&mut state, 1.0, &mut rng);
            for (d, sum) in sums[..factors].iter_mut().enumerate() {
                *sum += self.phi(d, &state);
            }
            let mut at = factors;
            for (domain, &place) in domains.iter().zip(&state.places) {
                sums[at + usize::from(place)] += 1.0;
                at += domain.len();
            }
        }
        for sum in &mut sums {
            *sum /= sweeps as f64;
        }
        Chain { log_weight, means: sums }
    }

    /// log Z_y(0): the joint factors left out.
    fn log_partition_of_independent(&self, y: usize) -> f64 {
        let mut log_z = 0.0;
        let mut by_source: Vec<Vec<f64>> =
            self.model.domains().iter().map(|domain| vec![0.0; domain.len()]).collect();
        for factor in self.compiled.factors() {
            match *factor.scope.as_slice() {
                [] => log_z += factor.energy[y * factor.class_stride],
                [j] => {
                    let energy = &factor.energy[y * factor.class_stride..];
                    by_source[j].iter_mut().zip(energy).for_each(|(sum, energy)| *sum += energy);
                }
                _ => {}
            }
        }
        log_z + by_source.iter().map(|energies| log_sum_exp(energies)).sum::<f64>()
    }
}

/// The mean of independent numbers and its standard error.
fn estimate(numbers: impl Iterator<Item = f64> + Clone) -> Estimate {
    let count = numbers.clone().count() as f64;
    let value = numbers.clone().sum::<f64>() / count;
    let spread = numbers.map(|x| (x - value).powi(2)).sum::<f64>() / (count - 1.0);
    Estimate { value, stderr: (spread / count).sqrt() }
}
