//! What can be set, and why nothing can be learned.

use super::super::candidates::LinkType;

/// Options for the exact method.
///
/// ```
/// use consilience::structure::{ExactOptions, LinkType};
///
/// let options = ExactOptions::default().with_types(vec![LinkType::Correlation, LinkType::Reinforcing]);
/// assert!(options.check().is_ok());
/// assert!(ExactOptions::default().with_types(vec![]).check().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExactOptions {
    /// The types of links to look for, one or more. Default: correlation.
    pub types: Vec<LinkType>,
    /// A problem is solved when the remaining gain in log likelihood is below this. Above 0; default 1e-4.
    pub tolerance: f64,
    /// Precision of the normal prior around 0 that keeps weights finite if votes are never seen to differ. Above 0; default 0.01.
    pub ridge: f64,
}

impl Default for ExactOptions {
    fn default() -> Self {
        Self { types: vec![LinkType::Correlation], tolerance: 1e-4, ridge: 0.01 }
    }
}

/// Types of which one is a sum of the others and a vote rate.
const REDUNDANT: [[LinkType; 3]; 2] = [
    [LinkType::Correlation, LinkType::Agreement, LinkType::Exclusive],
    [LinkType::Conjunction, LinkType::Reinforcing, LinkType::Exclusive],
];

option_setters! {
    ExactOptions {
        /// Sets the types of links to look for, one or more. Default: correlation.
        with_types(types: Vec<LinkType>);
        /// Sets the gain in log likelihood below which a problem is solved. Above 0; default 1e-4.
        with_tolerance(tolerance: f64);
        /// Sets the precision of the normal prior around 0 on the weights. Above 0; default 0.01.
        with_ridge(ridge: f64);
    }
}

impl ExactOptions {
    /// Checks that every setting is in its range.
    pub fn check(&self) -> Result<(), ExactError> {
        let each = |parameter, range, value: String, holds: bool| {
            if holds { Ok(()) } else { Err(ExactError::Range { parameter, range, value }) }
        };
        let names: Vec<&str> = self.types.iter().map(|kind| kind.name()).collect();
        let once = (1..names.len()).all(|at| !names[at..].contains(&names[at - 1]));
        let shown = if names.is_empty() { "empty".to_string() } else { names.join(", ") };
        each("types", "one or more types of links, each once", shown, !names.is_empty() && once)?;
        for together in REDUNDANT {
            let all = together.iter().all(|kind| self.types.contains(kind));
            let range = "types that votes can tell apart (one of correlation, agreement, exclusive is determined by the \
                         other two, and so is one of conjunction, reinforcing, exclusive)";
            each("types", range, names.join(", "), !all)?;
        }
        let positive = |x: f64| x.is_finite() && x > 0.0;
        each("tolerance", "above 0", self.tolerance.to_string(), positive(self.tolerance))?;
        each("ridge", "above 0", self.ridge.to_string(), positive(self.ridge))
    }
}

/// Why learning is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// A setting outside its range.
    #[error("{parameter} must be {range}, but is {value}")]
    Range {
        /// The setting.
        parameter: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it is.
        value: String,
    },
    /// Fewer than two sources that vote and differ.
    #[error(
        "only {active} source(s) vote and are not an exact copy of another; dependencies need at least two such sources"
    )]
    TooFewSources {
        /// How many there are.
        active: usize,
    },
    /// More links than fit into memory.
    #[error(
        "{sources} sources have too many possible links for the exact method (at most {limit} sources); use Algorithm 1 (sgd), or fewer sources"
    )]
    TooManySources {
        /// How many there are.
        sources: usize,
        /// How many there may be.
        limit: usize,
    },
    /// More pairs of sources with items in common than fit into memory.
    #[error(
        "testing all pairs of {sources} sources would take about {} GB; use fewer sources or items",
        bytes.div_ceil(1 << 30)
    )]
    TooManyPairs {
        /// How many sources there are.
        sources: usize,
        /// What the tests would take.
        bytes: usize,
    },
    /// More classes, or links of several types, than fit into memory.
    #[error(
        "the problem of one source has {weights} weights (its links of all types, its vote rates and the classes), too many for the exact method (at most {limit}); use fewer classes, types or sources"
    )]
    TooManyWeights {
        /// How many there are.
        weights: usize,
        /// How many there may be.
        limit: usize,
    },
}
