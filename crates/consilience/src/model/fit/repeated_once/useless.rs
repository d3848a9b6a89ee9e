//! Sources that are no better than chance, and tables without them.

use crate::dependency::{Dependency, DependencyType as _, Factor};
use crate::model::Model;
use crate::model::fit::Fitted;
use crate::model::fit::likelihood::prior::Counted;
use crate::model::fit::options::FitError;
use crate::votes::{Votes, VotesBuilder};

/// A source of several classes with a log odds below this says nothing, and is left with this share of it.
pub(crate) const USELESS: f64 = 0.1;
pub(crate) const LEFT_OF_USELESS: f64 = 0.01;
/// With this many votes that is sure: such a log odds is 2.5 points above chance, two standard errors of a share of so many votes.
pub(crate) const SURELY_USELESS: f64 = 1600.0;

/// Which sources of several classes are no better than chance.
pub(crate) fn useless(model: &Model, votes: &Votes) -> Vec<bool> {
    near_chance(model, votes, USELESS)
}

/// Which sources of several classes have log odds below `limit`, for or against their votes.
pub(crate) fn near_chance(model: &Model, votes: &Votes, limit: f64) -> Vec<bool> {
    let mut near = vec![false; votes.sources().len()];
    for factor in model.factors().list() {
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            let several = votes.domains()[*j].classes().len() > 1;
            near[*j] = several && 2.0 * factor.weight.abs() < limit;
        }
    }
    near
}

/// Those of the `useless` sources that have enough votes to be sure of it.
pub(crate) fn surely(useless: &[bool], counted: &Counted) -> Vec<bool> {
    let sure = |(j, useless): (usize, &bool)| *useless && counted.total(j) >= SURELY_USELESS;
    useless.iter().enumerate().map(sure).collect()
}

/// The votes of the sources that are not `useless`, if there are both; all sources keep their places.
pub(crate) fn without_useless(votes: &Votes, useless: &[bool]) -> Result<Option<Votes>, FitError> {
    let speak = (0..useless.len()).any(|j| !useless[j] && !votes.domains()[j].classes().is_empty());
    if !speak || !useless.contains(&true) {
        return Ok(None);
    }
    let mut builder = VotesBuilder::new(votes.sources().clone());
    let mut row = Vec::new();
    for i in 0..votes.items() {
        row.clear();
        let kept = votes.row_of_item(i).filter(|&(j, _)| !useless[j]);
        row.extend(kept.map(|(j, vote)| (j as u32, vote)));
        builder.push(&row)?;
    }
    Ok(Some(builder.finish_as(votes.classes().clone())?))
}

/// The model of the informative sources, with the `useless` ones added as `all` has them.
pub(crate) fn with_useless(
    mut kept: Fitted,
    all: Fitted,
    votes: &Votes,
    useless: &[bool],
) -> Result<Fitted, FitError> {
    let of_useless = |factor: &&Factor| matches!(factor.dependency.sources(), [j] if useless[*j]);
    let mut factors = kept.model.factors().list().to_vec();
    factors.extend(all.model.factors().list().iter().filter(of_useless).cloned());
    kept.model =
        Model::new(votes.sources().clone(), votes.classes().clone(), votes.domains().to_vec(), factors)?;
    for (j, share) in kept.shares.iter_mut().enumerate().filter(|(j, _)| useless[*j]) {
        *share = all.shares[j];
    }
    kept.repeats.retain(|repeat| !useless[repeat.source]);
    kept.repeats.extend(all.repeats.iter().filter(|repeat| useless[repeat.source]));
    kept.repeats.sort_by_key(|repeat| (repeat.source, repeat.of));
    Ok(Fitted { items: votes.items(), copies: all.copies, notes: all.notes, ..kept })
}
