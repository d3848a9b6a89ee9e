//! The prior and the bounds of each weight.

use crate::dependency::{Accuracy, ClassPrior, Dependency, VoteRate};
use crate::model::fit::options::{ClassBalance, FitOptions};
use crate::sources::{Domain, Vote};
use crate::votes::Votes;

/// The prior of one weight: a normal density cut off at two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightPrior {
    /// The mean.
    pub mean: f64,
    /// One over the variance; 0 for no opinion.
    pub precision: f64,
    /// The weight is no less than this.
    pub lower: f64,
    /// The weight is no more than this.
    pub upper: f64,
    /// Where fitting starts.
    pub start: f64,
}

impl WeightPrior {
    /// Normal around `mean`, where fitting starts too, within -20 and 20.
    pub fn normal(mean: f64, precision: f64) -> Self {
        Self { mean, precision, lower: -LARGEST, upper: LARGEST, start: mean }
    }

    /// Held at `weight`.
    pub fn fixed(weight: f64) -> Self {
        Self { mean: weight, precision: 0.0, lower: weight, upper: weight, start: weight }
    }
}

impl WeightPrior {
    /// Of the accuracy of a source that others show to be worse than chance: its votes count against their class, half as much
    /// as they would count for it.
    ///
    /// # Formula
    /// ```text
    /// mean <- -½ mean,   -upper <= θ <= 0,   start <- -½ mean for one class, -start for others
    /// ```
    pub(crate) fn turned(self) -> Self {
        let mean = -0.5 * self.mean;
        // A source of one class starts from what is assumed of it.
        let assumed = (self.start - self.mean).abs() < 1e-12;
        let start = if assumed { mean } else { -self.start };
        Self { mean, precision: self.precision, lower: -self.upper, upper: 0.0, start }
    }
}

/// A dependency whose weight is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// The dependency.
    pub dependency: Dependency,
    /// The prior of its weight.
    pub prior: WeightPrior,
}

/// No weight is larger; e^20 is half a billion.
const LARGEST: f64 = 20.0;
/// The largest log odds of a source being right.
const LARGEST_LOG_ODDS: f64 = 12.0;
/// The largest weight of a dependency between sources.
const LARGEST_LINK: f64 = 8.0;
/// A rule that fires on this share of a class's items or more is taken to be barely better than chance.
const BARELY: f64 = 1.0001;

/// The assumed share of correct votes of a source that votes for several classes.
const ACCURACY: f64 = 0.6;

/// How often each source votes, and for what.
pub(crate) struct Counted {
    pub(crate) items: f64,
    /// For each source, how often it votes for each class of its domain.
    pub(crate) votes: Vec<Vec<f64>>,
}

impl Counted {
    pub(crate) fn total(&self, j: usize) -> f64 {
        self.votes[j].iter().sum()
    }
}

/// The assumed share of correct votes of a source.
///
/// # Formula
/// ```text
/// several classes:  α = 0.6, or as the options say
/// one class:        α = min( one_class_accuracy, max( N / (k n_j), 1.0001 / k ) )
/// ```
/// A rule for one class that fires on most items cannot be precise.
fn assumed_accuracy(options: &FitOptions, domain: &Domain, k: usize, votes: f64, counted: &Counted) -> f64 {
    let items = counted.items;
    if domain.classes().len() > 1 {
        return options.priors.accuracy.unwrap_or(ACCURACY);
    }
    let most = items / (k as f64 * votes.max(1.0));
    options.priors.one_class_accuracy.min(most.max(BARELY / k as f64))
}

/// The prior of the accuracy weight θ_j; 2 θ_j is the log odds of the right against one wrong class.
///
/// # Formula
/// ```text
/// 2 θ_j ~ N( μ_j, 1 / τ_j ),   μ_j = log( α_j (k-1) / (1 - α_j) ),   0 <= 2 θ_j <= 12
/// τ_j = precision + one_class_precision · N              for a source of one class
/// τ_j = δ_j (precision + vote_precision · n_j)           for the others
/// ```
/// with δ_j the share of a source's votes that count.
fn accuracy_prior(
    options: &FitOptions,
    domain: &Domain,
    k: usize,
    j: usize,
    counted: &Counted,
    share: f64,
) -> WeightPrior {
    let priors = &options.priors;
    let votes = counted.total(j);
    let alpha = assumed_accuracy(options, domain, k, votes, counted);
    let mean = (alpha * (k as f64 - 1.0) / (1.0 - alpha)).ln();
    let one_class = domain.classes().len() < 2;
    let precision = if one_class {
        priors.precision + priors.one_class_precision * counted.items
    } else {
        share * (priors.precision + priors.vote_precision * votes)
    };
    let lower = if priors.below_chance { -LARGEST_LOG_ODDS } else { 0.0 };
    let start = if one_class { mean } else { priors.start };
    // From log odds to the weight of a dependency that is +1 or -1.
    WeightPrior {
        mean: 0.5 * mean,
        precision: 4.0 * precision,
        lower: 0.5 * lower,
        upper: 0.5 * LARGEST_LOG_ODDS,
        start: (0.5 * start).max(0.5 * lower),
    }
}

/// The prior of a vote rate: around the log odds of the vote against abstaining that the table shows.
///
/// # Formula
/// ```text
/// r_jc ~ N( log( max(n_jc, ½) / max(N - n_j, ½) ) - ½ + E[θ_j], rate_spread² )
/// ```
/// A right vote has the energy r_jc + θ_j, a wrong one r_jc - θ_j.
fn rate_prior(options: &FitOptions, votes_for: f64, silent: f64, accuracy: f64) -> WeightPrior {
    let mean = (votes_for.max(0.5) / silent.max(0.5)).ln() - 0.5 + accuracy;
    WeightPrior::normal(mean.clamp(-LARGEST + 1.0, LARGEST - 1.0), options.priors.rate_spread.powi(-2))
}

/// The prior of a dependency between sources that was learned with weight `learned`.
pub(crate) fn link_prior(options: &FitOptions, learned: f64) -> WeightPrior {
    let start = if learned.is_finite() { learned.clamp(-LARGEST_LINK, LARGEST_LINK) } else { 0.0 };
    WeightPrior {
        mean: 0.0,
        precision: options.priors.link_spread.powi(-2),
        lower: -LARGEST_LINK,
        upper: LARGEST_LINK,
        start,
    }
}

/// Class priors, vote rates and accuracies of all sources that vote; `shares` of 0 leave a source out.
pub(crate) fn single_source_terms(
    votes: &Votes,
    counted: &Counted,
    shares: &[f64],
    options: &FitOptions,
) -> Vec<Free> {
    let k = votes.classes().len();
    let mut terms: Vec<Free> = match &options.class_balance {
        ClassBalance::Even => Vec::new(),
        ClassBalance::Given(balance) => (1..)
            .zip(balance)
            .map(|(c, p)| Free { dependency: ClassPrior::new(c).into(), prior: WeightPrior::fixed(p.ln()) })
            .collect(),
        ClassBalance::Estimated => (1..=k as Vote)
            .map(|c| Free { dependency: ClassPrior::new(c).into(), prior: WeightPrior::normal(0.0, 0.1) })
            .collect(),
    };
    for (j, domain) in votes.domains().iter().enumerate() {
        if domain.classes().is_empty() || shares[j] <= 0.0 {
            continue;
        }
        let total = counted.total(j);
        let accuracy = accuracy_prior(options, domain, k, j, counted, shares[j]);
        for (&class, &votes_for) in domain.classes().iter().zip(&counted.votes[j]) {
            let prior = rate_prior(options, votes_for, counted.items - total, accuracy.mean);
            terms.push(Free { dependency: VoteRate::new(j, class).into(), prior });
        }
        terms.push(Free { dependency: Accuracy::new(j).into(), prior: accuracy });
    }
    terms
}
