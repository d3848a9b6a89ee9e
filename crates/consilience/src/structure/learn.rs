//! From votes to the structure.

use super::exact::{ExactError, ExactFit, ExactOptions, Feature, fit};
use super::graph::{LearnedDependency, Structure};
use super::select::{Select, fill_in_q, mark, two_sided_p};
use crate::votes::Votes;

/// Learns the structure by the exact method.
pub fn learn_exact(votes: &Votes, options: &ExactOptions, select: Select) -> Result<Structure, ExactError> {
    let fitted = fit(votes, options)?;
    let mut dependencies = combine(&fitted);
    fill_in_q(&mut dependencies);
    mark(&mut dependencies, select);
    Ok(Structure {
        sources: votes.sources().clone(),
        classes: votes.classes().clone(),
        dependencies,
        copies: fitted.copies,
        method: "exact".to_string(),
        select: select.to_string(),
        items: votes.items(),
    })
}

/// One candidate from its two estimates: in the problem of one source and in that of the other.
///
/// # Formula
/// ```text
/// w = ½ (w_j + w_l),   stderr = ½ (stderr_j + stderr_l)
/// ```
/// The two estimates rest on the same agreements and so go almost in step; their errors are averaged, not divided by √2.
fn combine(fitted: &ExactFit) -> Vec<LearnedDependency> {
    let n = fitted.sources.len();
    let mut dependencies = Vec::new();
    for j in 0..n {
        for l in j + 1..n {
            for (t, feature) in fitted.features.iter().enumerate() {
                let (kind, reverse) = feature.link();
                // A directed link l <- j is the reverse feature in j's problem and the straight one in l's.
                let turned = |other: &Feature| other.link() == (kind, !reverse);
                let mirror = fitted.features.iter().position(turned).unwrap_or(t);
                let (weight_j, stderr_j) = fitted.sources[j].links[t * n + l];
                let (weight_l, stderr_l) = fitted.sources[l].links[mirror * n + j];
                let (mut to, mut from) = (&fitted.sources[j], &fitted.sources[l]);
                // Where the votes do not tell the direction, the source that votes more often is taken to back the other up:
                // the dependency pays it for voting where the other does.
                let untold = kind.directed() && mirror == t;
                if reverse || untold && from.votes > to.votes {
                    (to, from) = (from, to);
                }
                let Ok(dependency) = kind.between(to.source, from.source) else { continue };
                let (weight, stderr) = (0.5 * (weight_j + weight_l), 0.5 * (stderr_j + stderr_l));
                let z = if stderr > 0.0 { weight / stderr } else { 0.0 };
                dependencies.push(LearnedDependency {
                    dependency,
                    weight,
                    stderr: stderr.is_finite().then_some(stderr),
                    z: Some(z),
                    p: Some(two_sided_p(z)),
                    q: None,
                    selected: false,
                });
            }
        }
    }
    dependencies
}
