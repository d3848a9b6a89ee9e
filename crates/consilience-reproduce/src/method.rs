//! The ways of learning a structure that are compared.

use std::fmt;

use consilience::dependency::{Accuracy, DependencyType as _};
use consilience::model::{FitOptions, Free, Inference, WeightPrior, fit_weights};
use consilience::structure::{
    ExactOptions, LikelihoodOptions, LinkType, Select, SgdOptions, Structure, learn_exact, learn_likelihood,
    learn_sgd,
};
use consilience::votes::Votes;

use crate::error::ReproduceError;
use crate::world::Drawn;

/// A way of learning a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    /// Algorithm 1 of the paper with this epsilon.
    Sgd(f64),
    /// The exact method with this rule.
    Exact(Select),
    /// Maximum likelihood over all pairs with Gibbs sampling, with this epsilon: the paper's baseline.
    Likelihood(f64),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sgd(epsilon) => write!(f, "sgd epsilon={epsilon}"),
            Self::Exact(select) => write!(f, "exact {select}"),
            Self::Likelihood(epsilon) => write!(f, "likelihood epsilon={epsilon}"),
        }
    }
}

/// How a learned structure compares with the true one; links are compared as pairs of sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// True links that were not found.
    pub(crate) missed: usize,
    /// Links that were found and are not true.
    pub(crate) extra: usize,
    /// Links that were found.
    pub(crate) found: usize,
}

impl Outcome {
    fn new(structure: &Structure, truth: &[(usize, usize)]) -> Self {
        let pair = |sources: &[usize]| (sources[0].min(sources[1]), sources[0].max(sources[1]));
        let mut found: Vec<(usize, usize)> =
            structure.selected().map(|learned| pair(learned.dependency.sources())).collect();
        found.sort_unstable();
        // The two directions of a directed type are one pair.
        found.dedup();
        let hits = found.iter().filter(|pair| truth.contains(pair)).count();
        Self { missed: truth.len() - hits, extra: found.len() - hits, found: found.len() }
    }

    /// Whether exactly the true links were found.
    pub(crate) fn is_exact(self) -> bool {
        self.missed == 0 && self.extra == 0
    }
}

/// One outcome for each of `methods` on the same votes; the exact method is fitted once for all its rules.
pub(crate) fn compare(
    methods: &[Method],
    drawn: &Drawn,
    kind: LinkType,
) -> Result<Vec<Outcome>, ReproduceError> {
    let mut fitted: Option<Structure> = None;
    let mut outcomes = Vec::with_capacity(methods.len());
    for &method in methods {
        let structure = match (method, fitted.take()) {
            (Method::Exact(select), Some(structure)) => structure.selected_by(select),
            (_, other) => {
                let learned = learn(method, &drawn.votes, kind)?;
                fitted = other;
                learned
            }
        };
        outcomes.push(Outcome::new(&structure, &drawn.truth));
        if matches!(method, Method::Exact(_)) {
            fitted = Some(structure);
        }
    }
    Ok(outcomes)
}

/// The structure that `method` learns from `votes`.
pub(crate) fn learn(method: Method, votes: &Votes, kind: LinkType) -> Result<Structure, ReproduceError> {
    let types = vec![kind];
    match method {
        Method::Sgd(epsilon) => {
            let options = SgdOptions::default().with_types(types).with_epsilon(epsilon);
            let fit = learn_sgd(votes, &options);
            Ok(fit.map_err(|problem| ReproduceError::experiment(&method, &problem))?.structure(votes))
        }
        Method::Exact(select) => {
            let options = ExactOptions::default().with_types(types);
            learn_exact(votes, &options, select)
                .map_err(|problem| ReproduceError::experiment(&method, &problem))
        }
        Method::Likelihood(epsilon) => {
            let options = LikelihoodOptions { epsilon, ..LikelihoodOptions::default() };
            let fit = learn_likelihood(votes, &options);
            Ok(fit.map_err(|problem| ReproduceError::experiment(&method, &problem))?.structure(votes))
        }
    }
}

/// Seconds on the processor that the general sampler takes for all pairs: weights of any dependencies over tables of their
/// votes, with the settings that are the default of fitting.
pub(crate) fn general_seconds(votes: &Votes) -> Result<f64, ReproduceError> {
    let n = votes.sources().len();
    let mut terms = Vec::new();
    for j in 0..n {
        terms.push(Free { dependency: Accuracy::new(j).into(), prior: WeightPrior::normal(1.0, 1.0) });
        let pairs = (j + 1..n).filter_map(|l| LinkType::Correlation.between(j, l).ok());
        terms.extend(pairs.map(|dependency| Free { dependency, prior: WeightPrior::normal(0.0, 1.0) }));
    }
    let options = FitOptions::default().with_inference(Inference::Gibbs);
    let start = now();
    fit_weights(votes, &terms, &options)
        .map_err(|problem| ReproduceError::experiment("general sampler", &problem))?;
    Ok(now() - start)
}

/// Seconds on the processor that `method` takes on `votes`, if this thread does all the work.
pub(crate) fn seconds(method: Method, votes: &Votes, kind: LinkType) -> Result<f64, ReproduceError> {
    let start = now();
    learn(method, votes, kind)?;
    Ok(now() - start)
}

/// Seconds that this thread has been on a processor: other programs do not count.
#[cfg(target_os = "linux")]
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Seconds on the clock, if the system is not known to count those of a thread.
#[cfg(not(target_os = "linux"))]
fn now() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;
    use consilience::model::Links;

    #[test]
    fn rules_of_one_fit_are_as_those_of_many() {
        let drawn = World::new(6, Links::Density(0.4)).draw(600, 3).unwrap();
        let methods = [
            Method::Exact(Select::Fwer(0.05)),
            Method::Sgd(0.03),
            Method::Exact(Select::Fdr(0.2)),
            Method::Likelihood(0.03),
            Method::Exact(Select::Threshold(0.1)),
        ];
        let together = compare(&methods, &drawn, LinkType::Correlation).unwrap();
        for (method, outcome) in methods.iter().zip(together) {
            let alone = learn(*method, &drawn.votes, LinkType::Correlation).unwrap();
            assert_eq!(Outcome::new(&alone, &drawn.truth), outcome, "{method}");
        }
    }
}
