//! The outcome of fitting.

use std::fmt;
use std::str::FromStr;

/// The objective that was maximized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Estimator {
    /// The marginal likelihood.
    Exact,
    /// The joint marginal pseudolikelihood.
    Pseudo,
    /// The marginal likelihood, with gradients from Gibbs sampling.
    Gibbs,
    /// The marginal likelihood of a class-conditional model, by expectation maximization.
    Em,
    /// Nothing: the weights were given.
    Given,
}

/// An unknown estimator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not one of exact, pseudo, gibbs, em, given")]
pub struct UnknownEstimator(String);

impl Estimator {
    const ALL: [Self; 5] = [Self::Exact, Self::Pseudo, Self::Gibbs, Self::Em, Self::Given];

    /// Its name in files.
    ///
    /// ```
    /// use consilience::model::Estimator;
    ///
    /// assert_eq!(Estimator::Pseudo.name().parse(), Ok(Estimator::Pseudo));
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Pseudo => "pseudo",
            Self::Gibbs => "gibbs",
            Self::Em => "em",
            Self::Given => "given",
        }
    }
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Estimator {
    type Err = UnknownEstimator;

    fn from_str(name: &str) -> Result<Self, UnknownEstimator> {
        let found = Self::ALL.into_iter().find(|estimator| estimator.name() == name);
        found.ok_or_else(|| UnknownEstimator(name.to_string()))
    }
}

/// The outcome of fitting.
///
/// ```
/// use consilience::model::{Ending, Estimator};
///
/// let ending = Ending::given();
/// assert!(ending.converged && ending.estimator == Estimator::Given);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// The objective that was maximized.
    pub estimator: Estimator,
    /// Whether the remaining gain is below the tolerance.
    pub converged: bool,
    /// Steps taken.
    pub iterations: usize,
    /// The largest slope of the objective along a weight that is free to move, divided by the number of items.
    pub gradient_norm: f64,
    /// The objective: log likelihood of all votes plus log density of the priors (up to constants); unknown when sampling.
    pub objective: Option<f64>,
}

impl Ending {
    /// The outcome if the weights were given and nothing was fitted.
    pub fn given() -> Self {
        Self {
            estimator: Estimator::Given,
            converged: true,
            iterations: 0,
            gradient_norm: 0.0,
            objective: None,
        }
    }
}
