//! All structures along the l1 path, from no dependencies to many.

use super::exact::{ExactError, ExactOptions, fit_path};
use super::graph::Structure;
use super::learn::{Candidate, candidates, structure_of};
use super::select::Select;
use crate::dependency::Dependency;
use crate::votes::Votes;

/// The structures at decreasing penalties.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// From the strongest penalty to the weakest.
    pub steps: Vec<PathStep>,
}

/// The dependencies at one penalty.
#[derive(Clone, Debug, PartialEq)]
pub struct PathStep {
    /// The penalty on the mean log pseudolikelihood of an item.
    pub epsilon: f64,
    /// The dependencies with nonzero weights, in the order of the structure's candidates.
    pub dependencies: Vec<(Dependency, f64)>,
}

impl PathStep {
    /// The dependencies whose |weight| is above the penalty: the paper's rule, in which ε is both penalty and threshold.
    pub fn selected(&self) -> impl Iterator<Item = &(Dependency, f64)> {
        self.dependencies.iter().filter(|(_, weight)| weight.abs() > self.epsilon)
    }
}

/// Twenty-one penalties, evenly spaced on a logarithmic scale, from 0.3, at which hardly any dependency survives, down to 0.003.
///
/// ```
/// let epsilons = consilience::structure::default_epsilons();
/// assert_eq!(epsilons.len(), 21);
/// assert!(epsilons.windows(2).all(|pair| pair[0] > pair[1]));
/// ```
pub fn default_epsilons() -> Vec<f64> {
    (0..=20).map(|step| 0.3 * 0.01f64.powf(f64::from(step) / 20.0)).collect()
}

/// Solves the l1-regularized marginal pseudolikelihood (Eq. 6 of the paper) at each penalty, starting from the previous solution.
///
/// Penalties must be above 0; they are sorted in descending order. Vote rates, class terms and accuracies are not penalized.
///
/// ```
/// use consilience::structure::{ExactOptions, learn_path};
/// # use consilience::model::{CellLimit, Links, Planted, simulate};
/// # let planted = Planted { links: Links::Pairs(1), strength: 1.0, ..Planted::new(5)? };
/// # let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
///
/// let path = learn_path(&votes, &ExactOptions::default(), &[0.02, 0.2])?;
/// assert_eq!(path.steps[0].epsilon, 0.2); // strongest penalty first
/// assert!(path.steps[0].dependencies.len() <= path.steps[1].dependencies.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn_path(votes: &Votes, options: &ExactOptions, epsilons: &[f64]) -> Result<Path, ExactError> {
    learn_with_path(votes, options, Select::Auto, epsilons).map(|(_, path)| path)
}

/// The structure and the path, at little more than the cost of the path alone.
pub fn learn_with_path(
    votes: &Votes,
    options: &ExactOptions,
    select: Select,
    epsilons: &[f64],
) -> Result<(Structure, Path), ExactError> {
    let mut epsilons = epsilons.to_vec();
    if let Some(bad) = epsilons.iter().find(|epsilon| !(epsilon.is_finite() && **epsilon > 0.0)) {
        return Err(ExactError::Range { parameter: "epsilon", range: "above 0", value: bad.to_string() });
    }
    epsilons.sort_by(|a, b| b.total_cmp(a));
    epsilons.dedup();
    let fitted = fit_path(votes, options, &epsilons)?;
    let step_of = |(epsilon, weights): (&f64, &Vec<Vec<f64>>)| PathStep {
        epsilon: *epsilon,
        dependencies: candidates(&fitted)
            .filter_map(|Candidate { dependency, here: (j, at), there: (l, back), .. }| {
                let weight = 0.5 * (weights[j][at] + weights[l][back]);
                (weight != 0.0).then_some((dependency, weight))
            })
            .collect(),
    };
    let path = Path { steps: epsilons.iter().zip(&fitted.penalised).map(step_of).collect() };
    Ok((structure_of(votes, &fitted, select), path))
}
