//! From votes to structure, by any method.

use super::PipelineError;
use crate::model::with_repetitions;
use crate::structure::{ExactOptions, Path, Select, SgdOptions, Structure, learn_exact, learn_sgd};
use crate::votes::Votes;

/// How to learn dependencies.
///
/// ```
/// use consilience::pipeline::Method;
/// use consilience::structure::{ExactOptions, LinkType};
///
/// let types = vec![LinkType::Correlation, LinkType::Reinforcing];
/// let method = Method::Exact(ExactOptions::default().with_types(types));
/// assert!(matches!(method, Method::Exact(options) if options.types.len() == 2));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Maximizes the marginal pseudolikelihood of each source exactly, and gives standard errors.
    Exact(ExactOptions),
    /// Algorithm 1 of the paper. Its epsilon also selects the dependencies.
    Sgd(SgdOptions),
}

/// Options for [`learn`].
///
/// ```
/// use consilience::pipeline::{LearnOptions, Method};
/// use consilience::structure::{Select, SgdOptions};
///
/// let careful = LearnOptions::default().with_select(Select::Fdr(0.05));
/// assert!(careful.check().is_ok());
/// let papers = LearnOptions::default().with_method(Method::Sgd(SgdOptions::default()));
/// assert!(papers.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LearnOptions {
    /// The method. Default: exact.
    pub method: Method,
    /// How the exact method selects dependencies. Default: [`Select::Auto`].
    pub select: Select,
    /// Whether to look for sources that repeat each other; the label model counts their votes only in part. Default: true.
    pub repetitions: bool,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self { method: Method::Exact(ExactOptions::default()), select: Select::Auto, repetitions: true }
    }
}

impl LearnOptions {
    /// Sets the method. Default: exact.
    #[must_use]
    pub fn with_method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// Sets the selection rule of the exact method. Default: [`Select::Auto`].
    #[must_use]
    pub fn with_select(self, select: Select) -> Self {
        Self { select, ..self }
    }

    /// Sets whether to look for sources that repeat each other. Default: true.
    #[must_use]
    pub fn with_repetitions(self, repetitions: bool) -> Self {
        Self { repetitions, ..self }
    }

    /// Checks that every setting is in its range.
    pub fn check(&self) -> Result<(), PipelineError> {
        match &self.method {
            Method::Exact(options) => Ok(options.check()?),
            Method::Sgd(options) => Ok(options.check()?),
        }
    }
}

/// Learns which sources depend on each other, and which repeat each other.
///
/// ```
/// use consilience::model::{CellLimit, Links, Planted, simulate};
/// use consilience::pipeline::{LearnOptions, learn};
///
/// let mut planted = Planted::new(8)?;
/// planted.links = Links::Pairs(1);
/// planted.strength = 1.0;
/// let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
/// let structure = learn(&votes, &LearnOptions::default())?;
/// let found: Vec<String> = structure.selected().map(|link| link.dependency.to_string()).collect();
/// assert_eq!(found, ["correlation[0, 1]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn(votes: &Votes, options: &LearnOptions) -> Result<Structure, PipelineError> {
    let structure = match &options.method {
        Method::Exact(exact) => learn_exact(votes, exact, options.select)?,
        Method::Sgd(sgd) => learn_sgd(votes, sgd)?.structure(votes),
    };
    with_repetition(votes, structure, options)
}

/// Like [`learn`], and also returns the structure at each penalty in `epsilons`; only the exact method has such a path.
///
/// ```
/// use consilience::pipeline::{LearnOptions, learn_with_path};
/// use consilience::structure::default_epsilons;
/// # use consilience::model::{CellLimit, Links, Planted, simulate};
/// # let planted = Planted { links: Links::Pairs(1), strength: 1.0, ..Planted::new(5)? };
/// # let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
///
/// let epsilons = default_epsilons();
/// let (structure, path) = learn_with_path(&votes, &LearnOptions::default(), &epsilons)?;
/// assert_eq!(path.steps.len(), epsilons.len());
/// let link = structure.selected().next().expect("a link was planted between 0 and 1");
/// assert!(path.steps.iter().any(|step| step.selected().any(|(found, _)| *found == link.dependency)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn_with_path(
    votes: &Votes,
    options: &LearnOptions,
    epsilons: &[f64],
) -> Result<(Structure, Path), PipelineError> {
    let Method::Exact(exact) = &options.method else { return Err(PipelineError::NoPath) };
    let (structure, path) = crate::structure::learn_with_path(votes, exact, options.select, epsilons)?;
    Ok((with_repetition(votes, structure, options)?, path))
}

fn with_repetition(
    votes: &Votes,
    structure: Structure,
    options: &LearnOptions,
) -> Result<Structure, PipelineError> {
    if options.repetitions { Ok(with_repetitions(votes, structure)?) } else { Ok(structure) }
}
