//! Options and errors of fitting.

use crate::model::ModelError;
use crate::model::gibbs::TooLarge;
use crate::model::impression::Believed;
use crate::model::plan::{CellLimit, TooWide};

/// How the weights are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inference {
    /// Exact if elimination stays within the limit, otherwise by pseudolikelihood.
    #[default]
    Auto,
    /// The exact marginal likelihood; fails if elimination exceeds the limit.
    Exact,
    /// The joint marginal pseudolikelihood: every source given all others.
    Pseudo,
    /// Stochastic gradients of the marginal likelihood with interleaved Gibbs sampling, as in the paper.
    Gibbs,
}

impl Inference {
    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::Pseudo => "pseudo",
            Self::Gibbs => "gibbs",
        }
    }
}

/// The assumed shares of the classes before any vote is seen: the weights of the class priors.
///
/// They are the probabilities of an item without votes. How often a class occurs under the model also depends on how
/// readily the sources vote on its items.
///
/// ```
/// use consilience::model::{ClassBalance, FitOptions};
///
/// let rare = FitOptions::default().with_class_balance(ClassBalance::Given(vec![0.95, 0.05]));
/// assert!(rare.check(2).is_ok());
/// assert!(rare.check(3).is_err()); // one share per class
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum ClassBalance {
    /// Equal shares: no class prior in the model. The default.
    #[default]
    Even,
    /// These shares, one per class, above 0, adding up to 1.
    Given(Vec<f64>),
    /// Estimated with the other weights. In sparse tables, it often cannot be separated from the vote rates.
    Estimated,
}

/// Prior beliefs about the sources.
///
/// Accuracies are shares of correct votes; internally, the log odds against each wrong class have normal priors (`prior.rs`
/// has the formula).
///
/// ```
/// use consilience::model::{FitOptions, Priors};
///
/// let trusting = FitOptions::default().with_priors(Priors::default().with_accuracy(0.8));
/// assert!(trusting.check(2).is_ok());
/// let wrong = FitOptions::default().with_priors(Priors::default().with_accuracy(1.5));
/// assert_eq!(
///     wrong.check(2).map_err(|error| error.to_string()),
///     Err("the assumed accuracy must be between 0 and 1, but is 1.5".to_string())
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Priors {
    /// Assumed share of correct votes of a source that votes for several classes. Between 0 and 1. Default: 0.6, or 0.7 if there
    /// are three to five such sources that vote on most items together, unless they are declared independent.
    pub accuracy: Option<f64>,
    /// The same for a source that only ever votes for one class; lower if it votes on so many items that it cannot be this
    /// precise. Between 0 and 1; default 0.7.
    pub one_class_accuracy: f64,
    /// Precision of the prior on a log odds. At least 0; default 1.
    pub precision: f64,
    /// Precision added for each item, for sources that only ever vote for one class: these are hardly identified and stay
    /// close to the assumption. At least 0; default 0.3.
    pub one_class_precision: f64,
    /// Precision added for each vote, for the other sources. At least 0; default 1/400.
    pub vote_precision: f64,
    /// The initial log odds of those others. 0 to 12; default 0.1.
    pub start: f64,
    /// Whether a source may be worse than chance. Default: no, because otherwise a whole panel may flip.
    pub below_chance: bool,
    /// Standard deviation of the prior on vote rates around the observed ones. Above 0; default 3.
    pub rate_spread: f64,
    /// Standard deviation of the prior around 0 on dependencies between sources. Above 0; default 1.
    pub link_spread: f64,
    /// Assumed mean strength of the impression that items make on sources that vote for several classes
    /// ([`crate::model::Impression`]). Above 0; default 1.2.
    pub level: f64,
    /// Assumed clarity of that impression, level² / (level² + spread²). Between 0 and 1; default 0.5.
    pub clarity: f64,
    /// Standard deviation of the prior on the log odds of clarity. Above 0; default 0.4.
    pub clarity_spread: f64,
}

impl Default for Priors {
    fn default() -> Self {
        Self {
            accuracy: None,
            one_class_accuracy: 0.7,
            precision: 1.0,
            one_class_precision: 0.3,
            vote_precision: 1.0 / 400.0,
            start: 0.1,
            below_chance: false,
            rate_spread: 3.0,
            link_spread: 1.0,
            level: 1.2,
            clarity: 0.5,
            clarity_spread: 0.4,
        }
    }
}

option_setters! {
    Priors {
        /// Sets the assumed share of correct votes of a source that votes for several classes. Between 0 and 1. Default: 0.6, or
        /// 0.7 if there are few such sources.
        with_accuracy(accuracy: f64) = Some(accuracy);
        /// Sets the same for sources that only ever vote for one class. Between 0 and 1; default 0.7.
        with_one_class_accuracy(one_class_accuracy: f64);
        /// Sets the precision of the prior on a log odds. At least 0; default 1.
        with_precision(precision: f64);
        /// Sets the precision added for each item, for sources that only ever vote for one class. At least 0; default 0.3.
        with_one_class_precision(one_class_precision: f64);
        /// Sets the precision added for each vote, for the other sources. At least 0; default 1/400.
        with_vote_precision(vote_precision: f64);
        /// Sets the initial log odds of sources that vote for several classes. 0 to 12; default 0.1.
        with_start(start: f64);
        /// Sets whether a source may be worse than chance. Default: false.
        with_below_chance(below_chance: bool);
        /// Sets the standard deviation of the prior on vote rates. Above 0; default 3.
        with_rate_spread(rate_spread: f64);
        /// Sets the standard deviation of the prior on dependencies between sources. Above 0; default 1.
        with_link_spread(link_spread: f64);
        /// Sets the assumed mean strength of the impression that items make. Above 0; default 1.2.
        with_level(level: f64);
        /// Sets the assumed clarity of that impression. Between 0 and 1; default 0.5.
        with_clarity(clarity: f64);
        /// Sets the standard deviation of the prior on the log odds of clarity. Above 0; default 0.4.
        with_clarity_spread(clarity_spread: f64);
    }
}

impl Priors {
    pub(crate) fn impression(&self) -> Believed {
        let Self { level, clarity, clarity_spread, .. } = *self;
        Believed { level, clarity, clarity_spread }
    }
}

/// The settings of stochastic gradients with interleaved Gibbs sampling.
///
/// ```
/// use consilience::model::{FitOptions, GibbsOptions, Inference};
///
/// let quick = GibbsOptions::default().with_steps(200);
/// let options = FitOptions::default().with_inference(Inference::Gibbs).with_gibbs(quick);
/// assert!(options.check(2).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GibbsOptions {
    /// Number of chains, which continue from step to step. 1 to 65,536; default 512.
    pub chains: usize,
    /// Number of items per step. 1 to 1,048,576; default 512.
    pub batch: usize,
    /// Number of steps. 1 to 10,000,000; default 2,000.
    pub steps: usize,
    /// Number of sweeps over all sources before each step. 1 to 1000; default 1.
    pub sweeps: usize,
    /// Initial step size, in units of a weight's own scale; it falls as 1 / (1 + 10 · share of steps done). Above 0, at
    /// most 1; default 0.2.
    pub step: f64,
}

impl Default for GibbsOptions {
    fn default() -> Self {
        Self { chains: 512, batch: 512, steps: 2_000, sweeps: 1, step: 0.2 }
    }
}

option_setters! {
    GibbsOptions {
        /// Sets the number of chains. 1 to 65,536; default 512.
        with_chains(chains: usize);
        /// Sets the number of items per step. 1 to 1,048,576; default 512.
        with_batch(batch: usize);
        /// Sets the number of steps. 1 to 10,000,000; default 2,000.
        with_steps(steps: usize);
        /// Sets the number of sweeps over all sources before each step. 1 to 1000; default 1.
        with_sweeps(sweeps: usize);
        /// Sets the initial step size, in units of a weight's own scale. Above 0, at most 1; default 0.2.
        with_step(step: f64);
    }
}

/// Options for [`fit`](super::fit).
///
/// ```
/// use consilience::model::{ClassBalance, FitOptions, Inference};
///
/// let options = FitOptions::default().with_inference(Inference::Pseudo).with_class_balance(ClassBalance::Estimated);
/// assert!(options.check(2).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FitOptions {
    /// How the weights are estimated. Default: auto.
    pub inference: Inference,
    /// The assumed class shares. Default: equal.
    pub class_balance: ClassBalance,
    /// Prior beliefs about the sources.
    pub priors: Priors,
    /// Fitting ends when the remaining gain in log likelihood is below this, or below 1e-8 per item on large tables, which
    /// are summed in single precision. Above 0; default 1e-6.
    pub tolerance: f64,
    /// The maximum number of steps. 1 to 1,000,000; default 1000.
    pub iterations: usize,
    /// Maximum number of table cells that elimination may fill at each step. Default: 262,144.
    pub cells: CellLimit,
    /// The settings of `Inference::Gibbs`.
    pub gibbs: GibbsOptions,
    /// Whether items may differ in difficulty ([`crate::model::Impression`]); otherwise labels are as confident as if votes
    /// were independent. Default: yes.
    pub impression: bool,
    /// Seed of `Inference::Gibbs`. Default 0.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            inference: Inference::Auto,
            class_balance: ClassBalance::Even,
            priors: Priors::default(),
            tolerance: 1e-6,
            iterations: 1000,
            cells: CellLimit(1 << 18),
            gibbs: GibbsOptions::default(),
            impression: true,
            seed: 0,
        }
    }
}

/// Why fitting is impossible.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// A setting outside its range.
    #[error("{parameter} must be {range}, but is {value}")]
    Range {
        /// The setting.
        parameter: &'static str,
        /// What it may be.
        range: String,
        /// What it is.
        value: String,
    },
    /// The structure names sources or classes that do not exist, or weights that are not numbers.
    #[error("the structure is invalid: {0}")]
    Structure(#[from] crate::structure::StructureError),
    /// The structure is about other sources.
    #[error(
        "the sources of the structure and of the votes differ: {0}; learn the structure from these votes"
    )]
    OtherSources(String),
    /// The structure is about other classes.
    #[error(
        "the classes of the structure and of the votes differ ({theirs}, here {ours}); list the votes' classes in the structure's order"
    )]
    OtherClasses {
        /// The classes of the structure.
        theirs: String,
        /// The classes of the votes.
        ours: String,
    },
    /// The votes of some of the sources do not form a table.
    #[error(transparent)]
    Votes(#[from] crate::votes::VotesError),
    /// The parts do not form a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Exact inference exceeds the limit.
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// Sampling exceeds the limit.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

option_setters! {
    FitOptions {
        /// Sets how the weights are estimated. Default: auto.
        with_inference(inference: Inference);
        /// Sets the assumed class shares. Default: equal.
        with_class_balance(class_balance: ClassBalance);
        /// Sets the priors on the sources. Default: [`Priors::default`].
        with_priors(priors: Priors);
        /// Sets the gain in log likelihood below which fitting ends. Above 0; default 1e-6.
        with_tolerance(tolerance: f64);
        /// Sets the maximum number of steps. 1 to 1,000,000; default 1000.
        with_iterations(iterations: usize);
        /// Sets the maximum number of table cells that elimination may fill at each step. Default: 262,144.
        with_cells(cells: CellLimit);
        /// Sets the settings of [`Inference::Gibbs`]. Default: [`GibbsOptions::default`].
        with_gibbs(gibbs: GibbsOptions);
        /// Sets whether items may differ in difficulty. Default: true.
        with_impression(impression: bool);
        /// Sets the seed of [`Inference::Gibbs`]. Default: 0.
        with_seed(seed: u64);
    }
}

impl FitOptions {
    /// Checks that every setting is in its range, for tables of `k` classes.
    pub fn check(&self, k: usize) -> Result<(), FitError> {
        let each = |parameter, range: &str, value: String, holds: bool| {
            if holds { Ok(()) } else { Err(FitError::Range { parameter, range: range.to_string(), value }) }
        };
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        let share = |x: f64| x > 0.0 && x < 1.0;
        let Priors { accuracy, one_class_accuracy, precision, one_class_precision, .. } = self.priors;
        let Priors { vote_precision, start, rate_spread, link_spread, .. } = self.priors;
        if let Some(accuracy) = accuracy {
            each("the assumed accuracy", "between 0 and 1", accuracy.to_string(), share(accuracy))?;
        }
        let holds = share(one_class_accuracy);
        each(
            "the assumed accuracy of one-class sources",
            "between 0 and 1",
            one_class_accuracy.to_string(),
            holds,
        )?;
        each("the precision of accuracies", "at least 0", precision.to_string(), not_negative(precision))?;
        let holds = not_negative(one_class_precision);
        each(
            "the precision per item of one-class sources",
            "at least 0",
            one_class_precision.to_string(),
            holds,
        )?;
        each(
            "the precision per vote",
            "at least 0",
            vote_precision.to_string(),
            not_negative(vote_precision),
        )?;
        each("the start of accuracies", "0 to 12", start.to_string(), (0.0..=12.0).contains(&start))?;
        each("the spread of vote rates", "above 0", rate_spread.to_string(), positive(rate_spread))?;
        each("the spread of links", "above 0", link_spread.to_string(), positive(link_spread))?;
        let Priors { level, clarity, clarity_spread, .. } = self.priors;
        each("the assumed level of impressions", "above 0", level.to_string(), positive(level))?;
        each("the assumed clarity of impressions", "between 0 and 1", clarity.to_string(), share(clarity))?;
        let holds = positive(clarity_spread);
        each("the spread of the clarity of impressions", "above 0", clarity_spread.to_string(), holds)?;
        each("the tolerance", "above 0", self.tolerance.to_string(), positive(self.tolerance))?;
        let holds = (1..=1_000_000).contains(&self.iterations);
        each("the number of steps", "1 to 1,000,000", self.iterations.to_string(), holds)?;
        let GibbsOptions { chains, batch, steps, sweeps, step } = self.gibbs;
        each("the number of chains", "1 to 65,536", chains.to_string(), (1..=65_536).contains(&chains))?;
        each("the batch", "1 to 1,048,576", batch.to_string(), (1..=1_048_576).contains(&batch))?;
        each(
            "the number of Gibbs steps",
            "1 to 10,000,000",
            steps.to_string(),
            (1..=10_000_000).contains(&steps),
        )?;
        each("the number of sweeps", "1 to 1000", sweeps.to_string(), (1..=1000).contains(&sweeps))?;
        each("the Gibbs step", "above 0 and at most 1", step.to_string(), positive(step) && step <= 1.0)?;
        if let ClassBalance::Given(balance) = &self.class_balance {
            let sums_to_one = (balance.iter().sum::<f64>() - 1.0).abs() < 1e-6;
            let holds = balance.len() == k && balance.iter().all(|&p| share(p)) && sums_to_one;
            let range = format!("{k} shares above 0 that add up to 1, one per class");
            each("the class balance", &range, format!("{balance:?}"), holds)?;
        }
        Ok(())
    }
}
