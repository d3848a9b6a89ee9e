//! From votes to the structure.

use super::exact::{ExactError, ExactFit, ExactOptions, Feature, fit};
use super::graph::{LearnedDependency, Structure};
use super::select::{Select, fill_in_q, mark, two_sided_p};
use crate::dependency::Dependency;
use crate::votes::Votes;

/// Learns the structure by the exact method.
pub fn learn_exact(votes: &Votes, options: &ExactOptions, select: Select) -> Result<Structure, ExactError> {
    Ok(structure_of(votes, &fit(votes, options)?, select))
}

pub(super) fn structure_of(votes: &Votes, fitted: &ExactFit, select: Select) -> Structure {
    let mut dependencies = combine(fitted);
    fill_in_q(&mut dependencies);
    mark(&mut dependencies, select);
    let unsettled = fitted.sources.iter().filter(|fit| !fit.converged).map(|fit| fit.source);
    Structure {
        sources: votes.sources().clone(),
        classes: votes.classes().clone(),
        dependencies,
        copies: fitted.copies.clone(),
        method: "exact".to_string(),
        select: select.to_string(),
        items: votes.items(),
        unsettled: unsettled.collect(),
    }
}

/// A candidate and where its two estimates stand: the source's place among the active ones, and the link's in its problem.
pub(super) struct Candidate {
    pub(super) dependency: Dependency,
    pub(super) here: (usize, usize),
    pub(super) there: (usize, usize),
}

/// All candidates, by source numbers then type.
pub(super) fn candidates(fitted: &ExactFit) -> impl Iterator<Item = Candidate> {
    let n = fitted.sources.len();
    let pairs = (0..n).flat_map(move |j| (j + 1..n).map(move |l| (j, l)));
    pairs.flat_map(move |(j, l)| {
        fitted.features.iter().enumerate().filter_map(move |(t, feature)| {
            let (kind, reverse) = feature.link();
            // A directed link l <- j is the reverse feature in j's problem and the straight one in l's.
            let turned = |other: &Feature| other.link() == (kind, !reverse);
            let mirror = fitted.features.iter().position(turned).unwrap_or(t);
            let (mut to, mut from) = (&fitted.sources[j], &fitted.sources[l]);
            // Where the votes do not tell the direction, the source that votes more often is taken to back the other up:
            // the dependency pays it for voting where the other does.
            let untold = kind.directed() && mirror == t;
            if reverse || untold && from.votes > to.votes {
                (to, from) = (from, to);
            }
            let dependency = kind.between(to.source, from.source).ok()?;
            Some(Candidate { dependency, here: (j, t * n + l), there: (l, mirror * n + j) })
        })
    })
}

/// The candidates with their estimates: each from the problem of one source and from that of the other.
///
/// # Formula
/// ```text
/// w = ½ (w_j + w_l),   stderr = max(stderr_j, stderr_l)
/// ```
/// The two estimates rest on the same agreements and so go almost in step: their mean is no more certain than one of
/// them, and the less certain one decides.
fn combine(fitted: &ExactFit) -> Vec<LearnedDependency> {
    let estimate = |(source, at): (usize, usize)| fitted.sources[source].links[at];
    candidates(fitted)
        .map(|Candidate { dependency, here, there }| {
            let ((weight_j, stderr_j), (weight_l, stderr_l)) = (estimate(here), estimate(there));
            let (weight, stderr) = (0.5 * (weight_j + weight_l), stderr_j.max(stderr_l));
            let z = if stderr > 0.0 { weight / stderr } else { 0.0 };
            LearnedDependency {
                dependency,
                weight,
                stderr: stderr.is_finite().then_some(stderr),
                z: Some(z),
                p: Some(two_sided_p(z)),
                q: None,
                selected: false,
            }
        })
        .collect()
}
