//! Models with a known structure, for simulations.

use super::{Model, ModelError};
use crate::dependency::{Accuracy, ClassPrior, Dependency, DependencyError, Factor, Propensity};
use crate::rng::{Streams, unit};
use crate::sources::{Classes, Domain, NamesError, Sources};

/// Why the description of a model is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlantedError {
    /// A number outside of its range.
    #[error("{what} must be {range}, but is {value}")]
    Range {
        /// Which number.
        what: &'static str,
        /// What it may be.
        range: String,
        /// What it is.
        value: String,
    },
    /// More linked sources than there are.
    #[error("{links} need {needed} sources, but there are {sources}; use more sources or fewer links")]
    TooFewSources {
        /// The links asked for.
        links: String,
        /// How many sources they take.
        needed: usize,
        /// How many there are.
        sources: usize,
    },
    /// Bad names.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// A type that does not join two sources.
    #[error(transparent)]
    Dependency(#[from] DependencyError),
    /// The parts do not fit.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// One number for all sources, or one per source, drawn uniformly between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Spread {
    /// The same number for all.
    pub fn constant(value: f64) -> Self {
        Self { low: value, high: value }
    }

    fn check(
        self,
        what: &'static str,
        range: std::ops::RangeInclusive<f64>,
        open: bool,
    ) -> Result<(), PlantedError> {
        let inside = |x: f64| {
            x.is_finite() && range.contains(&x) && !(open && (x <= *range.start() || x >= *range.end()))
        };
        if inside(self.low) && inside(self.high) && self.low <= self.high {
            return Ok(());
        }
        let between = if open { "strictly between" } else { "between" };
        Err(PlantedError::Range {
            what,
            range: format!("{between} {} and {} (lower end first)", range.start(), range.end()),
            value: if self.low.to_bits() == self.high.to_bits() {
                self.low.to_string()
            } else {
                format!("{}..{}", self.low, self.high)
            },
        })
    }
}

/// Which sources are linked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Links {
    /// None.
    None,
    /// This many pairs, no source in two of them: 0-1, 2-3, ...
    Pairs(usize),
    /// Every pair with this probability.
    Density(f64),
    /// `count` groups of `size` sources, all pairs within a group.
    Cliques {
        /// Sources in a group.
        size: usize,
        /// How many groups.
        count: usize,
    },
}

/// The description of a model to simulate from.
///
/// The defaults are the paper's simulations (section 5.1): accuracy weights 1.0, correlation weights 0.25, two classes
/// with equal shares, and abstention rates that follow from the accuracy.
///
/// ```
/// use consilience::model::{Links, Planted, Spread};
///
/// let planted = Planted {
///     correct: Some(Spread { low: 0.6, high: 0.9 }),
///     links: Links::Cliques { size: 3, count: 2 },
///     ..Planted::new(10)?
/// };
/// assert_eq!(planted.pairs().len(), 6); // three pairs in each clique
/// assert_eq!(planted.model()?.sources().len(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Planted {
    /// The number of sources, at least 1.
    pub sources: usize,
    /// The classes.
    pub classes: Classes,
    /// The share of each class; equal by default.
    pub balance: Option<Vec<f64>>,
    /// Weight of the accuracy dependency, -10 to 10.
    pub accuracy: Spread,
    /// Share of correct votes of a source, between 0 and 1; replaces `accuracy`.
    pub correct: Option<Spread>,
    /// Share of items on which a source abstains, between 0 and 1. Default: follows from the accuracy.
    pub abstain: Option<Spread>,
    /// Which sources are linked.
    pub links: Links,
    /// The type of the links.
    pub link_type: String,
    /// Weight of the links, -10 to 10.
    pub strength: f64,
    /// The seed of the random parts of the model. Default: 0.
    pub seed: u64,
}

/// Weights beyond this say no more: e^20 is half a billion.
const LARGEST_WEIGHT: f64 = 10.0;

/// The streams of a seed: structure and weights each draw from their own.
const STRUCTURE_STREAM: u64 = u64::MAX;
const WEIGHT_STREAM: u64 = u64::MAX - 1;

impl Planted {
    /// `sources` independent sources with the paper's accuracies, two classes called 0 and 1.
    pub fn new(sources: usize) -> Result<Self, NamesError> {
        Ok(Self {
            sources,
            classes: Classes::numbered(2)?,
            balance: None,
            accuracy: Spread::constant(1.0),
            correct: None,
            abstain: None,
            links: Links::None,
            link_type: "correlation".to_string(),
            strength: 0.25,
            seed: 0,
        })
    }

    /// The linked pairs.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        match self.links {
            Links::None => Vec::new(),
            Links::Pairs(count) => (0..count).map(|p| (2 * p, 2 * p + 1)).collect(),
            Links::Density(share) => {
                let mut rng = Streams::new(self.seed).stream(STRUCTURE_STREAM);
                all_pairs(0..self.sources).filter(|_| unit(&mut rng) < share).collect()
            }
            Links::Cliques { size, count } => {
                (0..count).flat_map(|c| all_pairs(c * size..(c + 1) * size)).collect()
            }
        }
    }

    /// The model.
    pub fn model(&self) -> Result<Model, PlantedError> {
        self.check()?;
        let k = self.classes.len();
        let mut factors: Vec<Factor> = Vec::new();
        if let Some(balance) = &self.balance {
            for (share, class) in balance.iter().zip(1..) {
                factors.push(Factor::new(ClassPrior::new(class), share.ln()));
            }
        }
        let mut rng = Streams::new(self.seed).stream(WEIGHT_STREAM);
        let mut draw = |spread: Spread| spread.low + (spread.high - spread.low) * unit(&mut rng);
        for j in 0..self.sources {
            let accuracy = match self.correct {
                Some(correct) => accuracy_weight(draw(correct), k),
                None => draw(self.accuracy),
            };
            factors.push(Factor::new(Accuracy::new(j), accuracy));
            if let Some(abstain) = self.abstain {
                factors.push(Factor::new(Propensity::new(j), propensity_weight(draw(abstain), accuracy, k)));
            }
        }
        for (j, l) in self.pairs() {
            factors.push(Factor::new(Dependency::new(&self.link_type, &[j, l], None)?, self.strength));
        }
        let domains = vec![Domain::full(k); self.sources];
        Ok(Model::new(Sources::numbered(self.sources)?, self.classes.clone(), domains, factors)?)
    }

    fn check(&self) -> Result<(), PlantedError> {
        if self.sources == 0 {
            let range = "at least 1".to_string();
            return Err(PlantedError::Range { what: "the number of sources", range, value: "0".to_string() });
        }
        self.accuracy.check("the accuracy weight", -LARGEST_WEIGHT..=LARGEST_WEIGHT, false)?;
        Spread::constant(self.strength).check("the link weight", -LARGEST_WEIGHT..=LARGEST_WEIGHT, false)?;
        if let Some(correct) = self.correct {
            correct.check("the share of correct votes", 0.0..=1.0, true)?;
        }
        if let Some(abstain) = self.abstain {
            abstain.check("the share of abstains", 0.0..=1.0, true)?;
        }
        if let Links::Density(share) = self.links {
            Spread::constant(share).check("the density", 0.0..=1.0, false)?;
        }
        if let Some(balance) = &self.balance {
            self.check_balance(balance)?;
        }
        let (links, needed) = match self.links {
            Links::Pairs(count) => (format!("{count} pairs"), count.saturating_mul(2)),
            Links::Cliques { size, count } => {
                (format!("{count} clique(s) of {size}"), size.saturating_mul(count))
            }
            Links::None | Links::Density(_) => return Ok(()),
        };
        if needed > self.sources {
            return Err(PlantedError::TooFewSources { links, needed, sources: self.sources });
        }
        Ok(())
    }

    fn check_balance(&self, balance: &[f64]) -> Result<(), PlantedError> {
        let all_positive = balance.iter().all(|&share| share > 0.0 && share < 1.0);
        let sums_to_one = (balance.iter().sum::<f64>() - 1.0).abs() < 1e-6;
        if balance.len() == self.classes.len() && all_positive && sums_to_one {
            return Ok(());
        }
        Err(PlantedError::Range {
            what: "the class balance",
            range: format!("{} positive shares that sum to 1", self.classes.len()),
            value: format!("{balance:?}"),
        })
    }
}

fn all_pairs(range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    let end = range.end;
    range.flat_map(move |j| (j + 1..end).map(move |l| (j, l)))
}

/// The weight a of the accuracy dependency under which a source alone is right in a share p of its votes.
///
/// # Formula
/// ```text
/// p = e^a / (e^a + (k-1) e^-a),   a = ½ log( p (k-1) / (1-p) )
/// ```
fn accuracy_weight(correct: f64, k: usize) -> f64 {
    0.5 * (correct * (k - 1) as f64 / (1.0 - correct)).ln()
}

/// The weight of the propensity dependency under which a source alone abstains on a share q of the items.
///
/// # Formula
/// ```text
/// q = 1 / (1 + e^w (e^a + (k-1) e^-a)),   w = log( (1-q) / q ) - log(e^a + (k-1) e^-a)
/// ```
fn propensity_weight(abstain: f64, accuracy: f64, k: usize) -> f64 {
    ((1.0 - abstain) / abstain).ln() - (accuracy.exp() + (k - 1) as f64 * (-accuracy).exp()).ln()
}
