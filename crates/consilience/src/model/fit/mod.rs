//! From votes to the model: the weights of given dependencies.
//!
//! Each layer uses only those above it:
//!
//! | layer | does |
//! |---|---|
//! | `options.rs`, `ending.rs`, `note.rs` | options, outcome and notes |
//! | `likelihood/` | the likelihood of votes under given weights, and the best weights |
//! | `repetition/` | which sources repeat each other |
//! | `impressions/` | labels if items differ in difficulty |
//! | `repeated_once/` | the default model, in which repeated votes count once |
//! | `dawid_skene/` | the class-conditional model, by expectation maximization |

mod dawid_skene;
mod ending;
mod impressions;
mod likelihood;
mod note;
mod options;
mod repeated_once;
mod repetition;

pub use dawid_skene::model::{DawidSkeneOptions, fit_dawid_skene, fit_dawid_skene_knowing};
pub use ending::{Ending, Estimator, UnknownEstimator};
pub use likelihood::prior::{Free, WeightPrior};
pub use likelihood::weights::{Objective, fit_weights};
pub use note::FitNote;
pub use options::{ClassBalance, FitError, FitOptions, GibbsOptions, Inference, Priors};
pub use repeated_once::learned::{default_structure, with_repetitions};
pub use repetition::pairs::FEWEST_COMPARED;

use super::{Correction, Impression, Model};
use crate::dependency::{Dependency, DependencyType as _, Factor};
use crate::structure::Structure;
use crate::votes::Votes;
use likelihood::prior::Counted;

/// A model fitted to votes, and the outcome of fitting.
///
/// ```
/// use consilience::pipeline::{Votes, label};
///
/// let rows = [["yes", "yes", "no"], ["no", "no", "no"], ["yes", "yes", "yes"]].repeat(40);
/// let model = label(&Votes::from_text(&["a", "a_copy", "b"], rows)?)?.model;
/// assert_eq!(model.copies, [[0, 1]]); // a and its copy share the weight of one source
/// assert_eq!(model.model.sources().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The model.
    pub model: Model,
    /// How the votes' scores become labels; `None` if the scores are used directly.
    pub impression: Option<Impression>,
    /// The outcome of fitting.
    pub ending: Ending,
    /// The number of items it was fitted to.
    pub items: usize,
    /// For each source, the share of its votes that counts because the rest repeat others; the weights already include it.
    pub shares: Vec<f64>,
    /// Sources that repeat others.
    pub repeats: Vec<Repeat>,
    /// Groups of sources that are exact copies; the members of a group share the weight of one source.
    pub copies: Vec<Vec<usize>>,
    /// The correction by answers, if some were given.
    pub correction: Option<Correction>,
    /// Notes for the user.
    pub notes: Vec<FitNote>,
}

impl Fitted {
    /// A model whose weights were given, every source counted in full.
    pub fn given(model: Model, items: usize) -> Self {
        Self {
            shares: vec![1.0; model.sources().len()],
            model,
            impression: None,
            ending: Ending::given(),
            items,
            repeats: Vec::new(),
            copies: Vec::new(),
            correction: None,
            notes: Vec::new(),
        }
    }

    /// Whether this is a model of independent sources with two classes, in which every source counts in full and is better
    /// than chance.
    pub fn is_independent(&self) -> bool {
        let better = |factor: &Factor| match (&factor.dependency, factor.dependency.sources()) {
            (Dependency::Accuracy(_), [_]) => 2.0 * factor.weight > repeated_once::useless::USELESS,
            (_, sources) => sources.len() == 1,
        };
        self.model.classes().len() == 2
            && self.shares.iter().all(|&share| share >= 1.0)
            && self.model.factors().list().iter().all(better)
    }
}

/// A source that repeats another.
///
/// ```
/// use consilience::pipeline::{Votes, label};
/// # use consilience::model::{CellLimit, Links, Planted, simulate};
/// # let planted = Planted { links: Links::Pairs(1), strength: 1.5, ..Planted::new(6)? };
/// # let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
///
/// let model = label(&votes)?.model; // of six sources, of which 0 and 1 repeat each other
/// assert!(model.repeats.iter().any(|repeat| (repeat.source, repeat.of) == (1, 0) && repeat.share > 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// The source.
    pub source: usize,
    /// The source that it repeats.
    pub of: usize,
    /// The share of its votes that repeat the other source, beyond what their accuracies explain.
    pub share: f64,
}

/// The assumed dependence between sources.
///
/// ```
/// use consilience::model::{Dependence, FitOptions, fit};
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let votes = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?.votes;
///
/// let independent = fit(&votes, Dependence::Independent, &FitOptions::default())?;
/// assert!(independent.is_independent() && independent.repeats.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub enum Dependence<'a> {
    /// Nothing: every vote counts in full.
    Independent,
    /// The structure learned from these votes ([`with_repetitions`]): votes that repeat others count once.
    #[default]
    Repeats,
    /// A given structure: votes of sources that it lists as repeating each other count once. If it does not list
    /// repetition, sources joined by a dependency with a positive weight are compared. With [`Inference::Pseudo`] and
    /// [`Inference::Gibbs`], the same as `Linked`.
    Structure(&'a Structure),
    /// The selected dependencies of a structure, each with its own weight: the paper's model.
    Linked(&'a Structure),
}

impl<'a> From<&'a Structure> for Dependence<'a> {
    fn from(structure: &'a Structure) -> Self {
        Self::Structure(structure)
    }
}

/// Fits a model to `votes`; pass a `&Structure` to say which sources depend on each other.
///
/// ```
/// use consilience::model::{FitOptions, default_structure, fit};
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let votes = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?.votes;
///
/// let structure = default_structure(&votes)?;
/// let fitted = fit(&votes, &structure, &FitOptions::default())?;
/// assert!(fitted.ending.converged);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<'a>(
    votes: &Votes,
    dependence: impl Into<Dependence<'a>>,
    options: &FitOptions,
) -> Result<Fitted, FitError> {
    let dependence = dependence.into();
    options.check(votes.classes().len())?;
    if let Dependence::Structure(structure) | Dependence::Linked(structure) = dependence {
        check_structure(votes, structure)?;
    }
    let counted = count(votes);
    let sampled_or_pseudo = matches!(options.inference, Inference::Pseudo | Inference::Gibbs);
    let mut fitted = match dependence {
        Dependence::Linked(structure) => fit_structure(votes, structure, &counted, options)?,
        Dependence::Structure(structure) if sampled_or_pseudo => {
            fit_structure(votes, structure, &counted, options)?
        }
        Dependence::Structure(structure) => {
            repeated_once::discounted::fit_shared(votes, &counted, Some(structure), options)?
        }
        Dependence::Repeats => {
            let structure = default_structure(votes)?;
            repeated_once::discounted::fit_shared(votes, &counted, Some(&structure), options)?
        }
        Dependence::Independent if sampled_or_pseudo => fit_terms(votes, Vec::new(), &[], &counted, options)?,
        Dependence::Independent => repeated_once::discounted::fit_shared(votes, &counted, None, options)?,
    };
    note_what_is_odd(votes, &mut fitted.notes);
    for group in &fitted.copies {
        fitted.notes.push(FitNote::Copies { sources: names(votes, group) });
    }
    let Ending { estimator, converged, iterations, gradient_norm, .. } = fitted.ending;
    if !converged && estimator != Estimator::Gibbs {
        fitted.notes.push(FitNote::NotConverged { iterations, slope: gradient_norm });
    }
    Ok(fitted)
}

/// With the selected dependencies of `structure`.
fn fit_structure(
    votes: &Votes,
    structure: &Structure,
    counted: &Counted,
    options: &FitOptions,
) -> Result<Fitted, FitError> {
    let mut is_copy = vec![false; votes.sources().len()];
    for group in &structure.copies {
        group[1..].iter().for_each(|&j| is_copy[j] = true);
    }
    let mut links = Vec::new();
    let mut left_out = 0;
    for learned in structure.selected() {
        let sources = learned.dependency.sources();
        if sources.iter().any(|&j| is_copy[j] || votes.domains()[j].classes().is_empty()) {
            left_out += 1;
            continue;
        }
        let prior = likelihood::prior::link_prior(options, learned.weight);
        links.push(Free { dependency: learned.dependency.clone(), prior });
    }
    let mut fitted = fit_terms(votes, links, &structure.copies, counted, options)?;
    if left_out > 0 {
        fitted.notes.push(FitNote::DependenciesLeftOut { count: left_out });
    }
    Ok(fitted)
}

/// Accuracies and vote rates of all sources, copies merged, and `links` between them.
fn fit_terms(
    votes: &Votes,
    links: Vec<Free>,
    copies: &[Vec<usize>],
    counted: &Counted,
    options: &FitOptions,
) -> Result<Fitted, FitError> {
    let n = votes.sources().len();
    let mut counts_once = vec![1.0; n];
    let mut shares = vec![1.0; n];
    for group in copies {
        group[1..].iter().for_each(|&j| counts_once[j] = 0.0);
        for &j in group {
            shares[j] = 1.0 / group.len() as f64;
        }
    }
    let mut terms = likelihood::prior::single_source_terms(votes, counted, &counts_once, options);
    terms.extend(links);
    let powers = vec![1.0; n];
    let (model, ending, notes) =
        likelihood::weights::fit_raised(likelihood::rows::Rows::voted(votes), &terms, &powers, options)?;
    let model = share_among_copies(model, copies)?;
    let (model, impression) =
        impressions::with_impression::with_impression(model, votes, counted, &shares, options)?;
    let copies = copies.to_vec();
    let (items, repeats, correction) = (votes.items(), Vec::new(), None);
    Ok(Fitted { model, impression, ending, items, shares, repeats, copies, correction, notes })
}

/// How often each source votes, and for what.
fn count(votes: &Votes) -> Counted {
    let of_source = |counts: &Vec<u64>| counts.iter().map(|&count| count as f64).collect();
    Counted {
        items: likelihood::rows::Rows::voted(votes).items().max(1.0),
        votes: votes.vote_counts().iter().map(of_source).collect(),
    }
}

/// Checks that the structure is valid, and about the sources and classes of the votes.
fn check_structure(votes: &Votes, structure: &Structure) -> Result<(), FitError> {
    structure.check()?;
    if *votes.sources() != structure.sources {
        let (ours, theirs) = (votes.sources(), &structure.sources);
        let missing = theirs.names().iter().find(|name| ours.position(name).is_none());
        let unknown = ours.names().iter().find(|name| theirs.position(name).is_none());
        return Err(FitError::OtherSources(match (missing, unknown) {
            (Some(name), _) => format!("\"{name}\" is missing from the votes"),
            (_, Some(name)) => format!("\"{name}\" is not in the structure"),
            _ => "they are in a different order".to_string(),
        }));
    }
    if *votes.classes() != structure.classes {
        let list = |names: &[String]| names.join(",");
        return Err(FitError::OtherClasses {
            theirs: list(structure.classes.names()),
            ours: list(votes.classes().names()),
        });
    }
    Ok(())
}

fn note_what_is_odd(votes: &Votes, notes: &mut Vec<FitNote>) {
    let domains = votes.domains();
    let silent: Vec<usize> = (0..domains.len()).filter(|&j| domains[j].classes().is_empty()).collect();
    if !silent.is_empty() {
        notes.push(FitNote::Silent { sources: names(votes, &silent) });
    }
    match domains.len() - silent.len() {
        0 => notes.push(FitNote::NobodyVotes),
        1 => notes.push(FitNote::OneSource),
        2 => notes.push(FitNote::TwoSources),
        _ => {}
    }
    let mut voted = vec![false; votes.classes().len()];
    domains.iter().flat_map(crate::sources::Domain::classes).for_each(|&c| voted[c as usize - 1] = true);
    let unvoted = votes.classes().votes().filter(|&c| !voted[c as usize - 1]);
    let classes: Vec<String> = unvoted.map(|c| votes.classes().name(c).to_string()).collect();
    if !classes.is_empty() {
        notes.push(FitNote::NoVotesFor { classes });
    }
}

fn names(votes: &Votes, list: &[usize]) -> Vec<String> {
    list.iter().map(|&j| votes.sources().name(j).to_string()).collect()
}

/// The weight of a source and its copies, spread evenly over them.
fn share_among_copies(model: Model, copies: &[Vec<usize>]) -> Result<Model, FitError> {
    if copies.is_empty() {
        return Ok(model);
    }
    let mut factors: Vec<Factor> = Vec::new();
    for factor in model.factors.list() {
        let group = match *factor.dependency.sources() {
            [j] => copies.iter().find(|group| group[0] == j),
            _ => None,
        };
        let Some(group) = group else {
            factors.push(factor.clone());
            continue;
        };
        let class = factor.dependency.class();
        let reads_class = factor.dependency.reads_class();
        for &j in group {
            let Ok(dependency) = Dependency::new(factor.dependency.name(), &[j], class) else { continue };
            let share = if reads_class { factor.weight / group.len() as f64 } else { factor.weight };
            factors.push(Factor::new(dependency, share));
        }
    }
    Ok(Model::new(model.sources, model.classes, model.domains, factors)?)
}
