//! From votes to the model: the weights of given dependencies.
//!
//! | file | holds |
//! |---|---|
//! | `exact.rs` | the marginal likelihood, partition function by elimination: Eq. (2) of the paper |
//! | `pseudo.rs` | the joint marginal pseudolikelihood: Eq. (4) and (5) for all sources at once |
//! | `gibbs.rs` | stochastic gradients with interleaved Gibbs sampling, the paper's way |
//! | `dawid_skene.rs` | the class-conditional model by expectation maximisation |
//! | `prior.rs` | what is believed of each weight |
//! | `temper.rs` | how confidence is lowered where votes go together |

mod dawid_skene;
mod dense;
mod exact;
mod expected;
mod gibbs;
mod layout;
mod options;
mod prior;
mod pseudo;
mod repeats;
mod rows;
mod temper;
mod weights;

use std::fmt::Write as _;

use rayon::prelude::*;

pub use dawid_skene::{DawidSkeneOptions, fit_dawid_skene};
pub use options::{ClassBalance, FitError, FitOptions, GibbsOptions, Inference, Priors};
pub use prior::{Free, WeightPrior};
pub use temper::Temper;
pub use weights::{Objective, fit_weights};

use super::Model;
use crate::dependency::{Dependency, DependencyType as _, Factor};
use crate::structure::Structure;
use crate::votes::Votes;
use prior::Counted;
use repeats::Repeats;

/// How fitting ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// What was maximised: "exact", "pseudo", "gibbs" or "em".
    pub inference: String,
    /// Whether the gain still to be had is below the tolerance.
    pub converged: bool,
    /// Steps taken.
    pub iterations: usize,
    /// The largest slope of the objective along a weight that is free to move, divided by the number of items.
    pub gradient_norm: f64,
    /// The objective: log likelihood of all votes plus log density of the priors (up to their constants); sampling does
    /// not know it.
    pub objective: Option<f64>,
}

/// A model with weights from votes, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The model.
    pub model: Model,
    /// How confidence is lowered.
    pub temper: Temper,
    /// How fitting ended.
    pub ending: Ending,
    /// From how many items.
    pub items: usize,
    /// Groups of sources that are exact copies; the members of a group share the weight of one source.
    pub copies: Vec<Vec<usize>>,
    /// What the user should know, one sentence each.
    pub notes: Vec<String>,
}

/// Fits the model of independent sources, or with the selected dependencies of `structure`.
pub fn fit(votes: &Votes, structure: Option<&Structure>, options: &FitOptions) -> Result<Fitted, FitError> {
    options.check(votes.classes().len())?;
    let mut notes = Vec::new();
    let counted = count(votes);
    let mut repeats = Repeats::of(votes);
    if let Some(structure) = structure {
        check_names(votes, structure)?;
        if repeats.copies.is_empty() {
            repeats.copies.clone_from(&structure.copies);
        }
    }
    let n = votes.sources().len();
    let mut skipped = vec![false; n];
    for group in &repeats.copies {
        group[1..].iter().for_each(|&j| skipped[j] = true);
    }
    let mut terms = prior::single_source_terms(votes, &counted, &repeats, &skipped, options);
    if let Some(structure) = structure {
        let mut left_out = 0;
        for learned in structure.selected() {
            let sources = learned.dependency.sources();
            if sources.iter().any(|&j| skipped[j] || votes.domains()[j].classes().is_empty()) {
                left_out += 1;
                continue;
            }
            let prior = prior::link_prior(options, learned.weight);
            terms.push(Free { dependency: learned.dependency.clone(), prior });
        }
        if left_out > 0 {
            notes.push(format!("{left_out} dependencies on copies or silent sources are left out"));
        }
    }
    note_what_is_odd(votes, &repeats, &mut notes);
    let (model, ending, more) = fit_weights(votes, &terms, options)?;
    notes.extend(more);
    let model = share_among_copies(model, &repeats.copies)?;
    let temper = if options.temper { Temper::of(&model, votes, &counted) } else { Temper::none() };
    if !ending.converged && ending.inference != "gibbs" {
        notes.push(format!(
            "fitting stopped after {} steps with a slope of {:.1e} an item; raise the number of steps",
            ending.iterations, ending.gradient_norm
        ));
    }
    Ok(Fitted { model, temper, ending, items: votes.items(), copies: repeats.copies, notes })
}

/// How often each source votes, and for what; whole numbers, so that the order of adding does not matter.
fn count(votes: &Votes) -> Counted {
    let rows = rows::Rows::all(votes);
    let patterns = votes.patterns();
    let zero = || votes.domains().iter().map(|domain| vec![0.0; domain.classes().len()]).collect::<Vec<_>>();
    let layout = layout::Layout::new(&[], votes.domains(), votes.classes().len());
    let pieces = rows.in_pieces(|range| {
        let mut counts = vec![0u64; layout.places()];
        for p in range {
            let count = patterns.counts()[p];
            patterns.row(p).for_each(|(j, vote)| counts[layout.place(j, vote)] += count);
        }
        counts
    });
    let mut by_source = zero();
    for (j, counts) in by_source.iter_mut().enumerate() {
        for (c, count) in counts.iter_mut().enumerate() {
            *count = pieces.par_iter().map(|piece| piece[layout.starts[j] + 1 + c]).sum::<u64>() as f64;
        }
    }
    Counted { items: votes.items() as f64, votes: by_source }
}

fn check_names(votes: &Votes, structure: &Structure) -> Result<(), FitError> {
    if *votes.sources() != structure.sources {
        let (ours, theirs) = (votes.sources(), &structure.sources);
        let missing = theirs.names().iter().find(|name| ours.position(name).is_none());
        let unknown = ours.names().iter().find(|name| theirs.position(name).is_none());
        return Err(FitError::OtherSources(match (missing, unknown) {
            (Some(name), _) => format!("\"{name}\" is missing here"),
            (_, Some(name)) => format!("\"{name}\" is not in the structure"),
            _ => "they stand in another order".to_string(),
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

/// Names at most this many sources in one note.
const MOST_NAMES: usize = 8;

fn names(votes: &Votes, list: &[usize]) -> String {
    let mut text = String::new();
    for (i, &j) in list.iter().take(MOST_NAMES).enumerate() {
        let _ = write!(text, "{}\"{}\"", if i == 0 { "" } else { ", " }, votes.sources().name(j));
    }
    if list.len() > MOST_NAMES {
        let _ = write!(text, " and {} more", list.len() - MOST_NAMES);
    }
    text
}

fn note_what_is_odd(votes: &Votes, repeats: &Repeats, notes: &mut Vec<String>) {
    let domains = votes.domains();
    let silent: Vec<usize> = (0..domains.len()).filter(|&j| domains[j].classes().is_empty()).collect();
    if !silent.is_empty() {
        notes.push(format!("{} never vote(s) and get(s) no weight", names(votes, &silent)));
    }
    match domains.len() - silent.len() {
        0 => notes.push("nobody votes: every item gets the class balance".to_string()),
        1 => notes.push(
            "with one source there is nothing to compare: its accuracy is what the prior assumes".to_string(),
        ),
        2 => notes.push(
            "with two sources their agreement tells only both accuracies together: each stays near its prior"
                .to_string(),
        ),
        _ => {}
    }
    for group in &repeats.copies {
        notes.push(format!("{} cast exactly the same votes and count as one source", names(votes, group)));
    }
    let mut voted = vec![false; votes.classes().len()];
    domains.iter().flat_map(crate::sources::Domain::classes).for_each(|&c| voted[c as usize - 1] = true);
    let unvoted: Vec<&str> = votes
        .classes()
        .votes()
        .filter(|&c| !voted[c as usize - 1])
        .map(|c| votes.classes().name(c))
        .collect();
    if !unvoted.is_empty() {
        notes.push(format!(
            "nobody votes for {}: its probability comes from votes against the other classes only",
            unvoted.join(", ")
        ));
    }
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
