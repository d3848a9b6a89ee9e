//! The factor graph: sources, their domains, the classes, and weighted dependencies between them.

mod anneal;
mod conditionals;
mod correction;
mod elimination;
mod exact;
mod fit;
mod gibbs;
mod impression;
mod plan;
mod planted;
mod posterior;
mod scores;
mod simulate;

use crate::dependency::{Dependency, DependencyType, Factor, Factors};
use crate::sources::{Classes, Domain, Sources, Vote};
use crate::structure::Conditional;

pub(crate) use correction::{AnsweredRow, Corrector, Learned, Lesson, Tally};
pub use correction::{Correction, CorrectionPriors, Shift};
pub use elimination::Elimination;
pub use exact::{ExactSampler, Marginals};
pub use fit::{
    ClassBalance, DawidSkeneOptions, Dependence, Ending, Estimator, FEWEST_COMPARED, FitError, FitNote,
    FitOptions, Fitted, Free, GibbsOptions, Inference, Objective, Priors, Repeat, UnknownEstimator,
    WeightPrior, default_structure, fit, fit_dawid_skene, fit_dawid_skene_knowing, fit_weights,
    with_repetitions,
};
pub use gibbs::{Estimate, Gibbs, SampledMarginals, SamplingOptions, TooLarge};
pub(crate) use impression::Labeller;
pub use impression::{Impression, ImpressionLink};
pub use plan::{CellLimit, TooWide};
pub use planted::{Links, Planted, PlantedError, Spread};
pub(crate) use scores::RowScores;
pub use simulate::{BURN_IN, Drawing, SimulateError, Simulated, simulate};

/// Why a model is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// One domain per source is needed.
    #[error("the model has {sources} sources, but {domains} domains")]
    Domains {
        /// How many sources there are.
        sources: usize,
        /// How many domains are given.
        domains: usize,
    },
    /// A dependency over a source that is not there.
    #[error(
        "{dependency}: there is no source number {source_number}; the {sources} sources are numbered from 0"
    )]
    NoSuchSource {
        /// The dependency.
        dependency: String,
        /// The source it names.
        source_number: usize,
        /// How many there are.
        sources: usize,
    },
    /// A class that is not there.
    #[error("{what}: there is no class {class}; classes are numbered from 1 to {classes}")]
    NoSuchClass {
        /// What names it.
        what: String,
        /// The class it names.
        class: Vote,
        /// How many there are.
        classes: usize,
    },
    /// A weight that is not a finite number.
    #[error("{dependency}: the weight must be a finite number, but is {weight}")]
    Weight {
        /// The dependency.
        dependency: String,
        /// The weight.
        weight: f64,
    },
}

/// A model of votes and the class.
///
/// # Formula
/// ```text
/// p(λ, y) = exp( Σ_d θ_d φ_d(λ, y) ) / Z
/// ```
/// # Reference
/// Bach et al. (2017), Eq. (3); with accuracies alone, Eq. (1).
///
/// ```
/// use consilience::dependency::{Accuracy, Factor};
/// use consilience::model::Model;
/// use consilience::sources::{Classes, Domain, Sources};
///
/// let sources = Sources::new(vec!["strong".into(), "weak".into()])?;
/// let factors = vec![Factor::new(Accuracy::new(0), 2.0), Factor::new(Accuracy::new(1), 0.5)];
/// let model = Model::new(sources, Classes::numbered(2)?, vec![Domain::full(2); 2], factors)?;
/// let posterior = model.posterior(&[(0, 1), (1, 2)]); // the strong source votes for class 1, the weak one for class 2
/// assert!(posterior[0] > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    sources: Sources,
    classes: Classes,
    domains: Vec<Domain>,
    factors: Factors,
    silent_scores: Vec<f64>,
}

impl Model {
    /// Creates a model with these factors; checks that all sources and classes exist and that all weights are finite.
    pub fn new(
        sources: Sources,
        classes: Classes,
        domains: Vec<Domain>,
        factors: Vec<Factor>,
    ) -> Result<Self, ModelError> {
        let (n, k) = (sources.len(), classes.len());
        if domains.len() != n {
            return Err(ModelError::Domains { sources: n, domains: domains.len() });
        }
        let no_class = |what: String, class| ModelError::NoSuchClass { what, class, classes: k };
        for (j, domain) in domains.iter().enumerate() {
            if let Some(&class) = domain.classes().iter().find(|&&c| usize::from(c) > k) {
                return Err(no_class(format!("source \"{}\"", sources.name(j)), class));
            }
        }
        for factor in &factors {
            let dependency = &factor.dependency;
            if let Some(&j) = dependency.sources().iter().find(|&&j| j >= n) {
                return Err(ModelError::NoSuchSource {
                    dependency: dependency.to_string(),
                    source_number: j,
                    sources: n,
                });
            }
            if let Some(class) = dependency.class().filter(|&c| c == 0 || usize::from(c) > k) {
                return Err(no_class(dependency.to_string(), class));
            }
            if let Dependency::Table(table) = dependency
                && table.classes() != k
            {
                return Err(no_class(dependency.to_string(), table.classes() as Vote));
            }
            if !factor.weight.is_finite() {
                return Err(ModelError::Weight { dependency: dependency.to_string(), weight: factor.weight });
            }
        }
        let factors = Factors::new(factors, n);
        let silent_scores = factors.silent_scores(k);
        Ok(Self { sources, classes, domains, factors, silent_scores })
    }

    /// The sources.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// For each source, the values it can take.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// The weighted dependencies.
    pub fn factors(&self) -> &Factors {
        &self.factors
    }

    /// The scores of the classes if nobody votes.
    pub(crate) fn silent_scores(&self) -> &[f64] {
        &self.silent_scores
    }

    /// Σ_d θ_d φ_d: the logarithm of the joint probability up to the partition function.
    pub fn energy(&self, votes: &[Vote], y: Vote) -> f64 {
        self.factors.energy(votes, y)
    }

    /// p(λ_j, y | the other votes), Eq. (4) of the paper.
    pub fn conditional<'a>(&'a self, votes: &'a [Vote], j: usize) -> Conditional<'a> {
        Conditional::new(&self.factors, votes, j, &self.domains[j], self.classes.len())
    }

    /// The probability of each class before any vote is seen, if it follows from the class priors alone: no factor
    /// distinguishes the classes except a class prior, and every source can vote for every class.
    pub fn class_balance_in_closed_form(&self) -> Option<Vec<f64>> {
        let k = self.classes.len();
        let mut log_prior = vec![0.0; k];
        for factor in self.factors.list() {
            match &factor.dependency {
                Dependency::ClassPrior(prior) => {
                    let class = prior.class()?;
                    log_prior[usize::from(class) - 1] += factor.weight;
                }
                other if other.treats_classes_alike() => {}
                _ => return None,
            }
        }
        if self.domains.iter().any(|domain| !(domain.len() == 1 || domain.len() == k + 1)) {
            return None;
        }
        crate::num::softmax_in_place(&mut log_prior);
        Some(log_prior)
    }
}
