//! From votes to the structure.

use super::exact::{ExactError, ExactFit, ExactOptions, Feature, fit, nearer_to_zero};
use super::graph::{LearnedDependency, Structure};
use super::origin::Origin;
use super::select::{Select, fill_in_q, mark, two_sided_p};
use crate::dependency::Dependency;
use crate::votes::Votes;

/// Learns the structure by the exact method; [`crate::pipeline::learn`] also finds sources that repeat each other.
///
/// ```
/// use consilience::structure::{ExactOptions, Select, learn_exact};
/// # use consilience::model::{CellLimit, Links, Planted, simulate};
/// # let planted = Planted { links: Links::Pairs(1), strength: 1.0, ..Planted::new(5)? };
/// # let votes = simulate(&planted.model()?, 2_000, 1, CellLimit::default(), |_| {})?.votes;
///
/// let structure = learn_exact(&votes, &ExactOptions::default(), Select::Fwer(0.01))?;
/// let link = structure.selected().next().expect("a link was planted between 0 and 1");
/// assert!((link.weight - 1.0).abs() < 3.0 * link.stderr.unwrap_or(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn_exact(votes: &Votes, options: &ExactOptions, select: Select) -> Result<Structure, ExactError> {
    Ok(structure_of(votes, &fit(votes, options)?, select))
}

pub(super) fn structure_of(votes: &Votes, fitted: &ExactFit, select: Select) -> Structure {
    let mut dependencies = combine(fitted);
    let active = fitted.sources.len();
    let tests = active * active.saturating_sub(1) / 2 * fitted.features.len();
    fill_in_q(&mut dependencies, tests);
    mark(&mut dependencies, select, tests);
    let unsettled = fitted.sources.iter().filter(|fit| !fit.converged).map(|fit| fit.source);
    Structure {
        dependencies,
        tests,
        untested: fitted.untested,
        copies: fitted.copies.clone(),
        mirrors: fitted.mirrors.clone(),
        origin: Origin::Exact,
        select: Some(select),
        unsettled: unsettled.collect(),
        ..Structure::without_dependencies(votes.sources().clone(), votes.classes().clone(), votes.items())
    }
}

/// A candidate that was fitted and where its two estimates stand: the source's place among the active ones, and the link's in its
/// problem.
pub(super) struct Candidate {
    pub(super) dependency: Dependency,
    /// The places of its sources among the active ones, ascending, and the number of its feature.
    pub(super) key: (usize, usize, usize),
    pub(super) here: (usize, usize),
    pub(super) there: (usize, usize),
}

/// All candidates that were fitted, by source numbers then type.
pub(super) fn candidates(fitted: &ExactFit) -> impl Iterator<Item = Candidate> {
    let pairs = fitted.sources.iter().enumerate().flat_map(|(j, fit)| {
        let later = fit.others.iter().enumerate().filter(move |&(_, &l)| l > j);
        later.map(move |(at, &l)| (j, at, l))
    });
    pairs.flat_map(move |(j, at, l)| {
        let (of_j, of_l) = (&fitted.sources[j], &fitted.sources[l]);
        let back = of_l.others.binary_search(&j);
        fitted.features.iter().enumerate().filter_map(move |(t, feature)| {
            let (kind, reverse) = feature.link();
            // A directed link l <- j is the reverse feature in j's problem and the straight one in l's.
            let turned = |other: &Feature| other.link() == (kind, !reverse);
            let mirror = fitted.features.iter().position(turned).unwrap_or(t);
            let dependency = dependency(fitted, *feature, mirror == t, [j, l])?;
            let there = (l, mirror * of_l.others.len() + back.ok()?);
            Some(Candidate { dependency, key: (j, l, t), here: (j, t * of_j.others.len() + at), there })
        })
    })
}

/// The dependency that `feature` stands for between the active sources j < l, as j's problem sees it.
fn dependency(fitted: &ExactFit, feature: Feature, alone: bool, [j, l]: [usize; 2]) -> Option<Dependency> {
    let (kind, reverse) = feature.link();
    let (mut to, mut from) = (&fitted.sources[j], &fitted.sources[l]);
    // Where the votes do not tell the direction, the source that votes more often is taken to back the other up: the dependency
    // pays it for voting where the other does.
    let untold = kind.directed() && alone;
    if reverse || untold && from.votes > to.votes {
        (to, from) = (from, to);
    }
    kind.between(to.source, from.source).ok()
}

/// The candidates with their estimates: each from the problem of one source and from that of the other.
///
/// # Formula
/// ```text
/// w = ½ (w_j + w_l),   stderr = max(stderr_j, stderr_l)
/// ```
/// The two estimates rest on the same agreements and so go almost in step: their mean is no more certain than one of
/// them, and the less certain one decides. Between sources that seldom meet, z comes from the sums that were tested, the less
/// certain one as well, and the standard error is what makes it weight / stderr.
fn combine(fitted: &ExactFit) -> Vec<LearnedDependency> {
    let estimate = |(source, at): (usize, usize)| fitted.sources[source].links[at];
    let estimated = candidates(fitted).map(|Candidate { dependency, key, here, there }| {
        let (here, there) = (estimate(here), estimate(there));
        let weight = 0.5 * (here.weight + there.weight);
        let stderr = here.stderr.max(there.stderr);
        let learned = if let (Some(a), Some(b)) = (here.tested, there.tested) {
            tested(dependency, (weight, stderr), nearer_to_zero(a, b))
        } else {
            learned(dependency, weight, stderr, if stderr > 0.0 { weight / stderr } else { 0.0 })
        };
        (key, learned)
    });
    let not_fitted = fitted.rejected.iter().filter_map(|rejected| {
        let feature = fitted.features[rejected.feature];
        let (kind, reverse) = feature.link();
        let told = fitted.features.iter().any(|other| other.link() == (kind, !reverse));
        let [j, l] = rejected.sources;
        let dependency = dependency(fitted, feature, !told, [j, l])?;
        Some(((j, l, rejected.feature), tested(dependency, (rejected.weight, rejected.stderr), rejected.z)))
    });
    let mut all: Vec<((usize, usize, usize), LearnedDependency)> = estimated.chain(not_fitted).collect();
    all.sort_by_key(|(key, _)| *key);
    all.into_iter().map(|(_, learned)| learned).collect()
}

/// One that was tested by a sum, and the standard error that makes z weight / stderr. A weight of another sign than its test is no
/// more than noise.
fn tested(dependency: Dependency, (weight, stderr): (f64, f64), z: f64) -> LearnedDependency {
    if weight * z > 0.0 {
        learned(dependency, weight, weight / z, z)
    } else {
        learned(dependency, weight, stderr, 0.0)
    }
}

fn learned(dependency: Dependency, weight: f64, stderr: f64, z: f64) -> LearnedDependency {
    LearnedDependency {
        dependency,
        weight,
        stderr: stderr.is_finite().then_some(stderr),
        z: Some(z),
        p: Some(two_sided_p(z)),
        q: None,
        selected: false,
    }
}
