//! What a reader should tell the user about a table that is fine but may not be what was meant.

use consilience::sources::Vote;
use consilience::votes::Votes;
use hashbrown::HashSet;

use super::error::Problem;
use crate::one_line::some_of;

/// With fewer votes, all of them being different says nothing.
const FEW: usize = 20;

/// A column of ids has more than so many times the values of all others. Sources that answer freely have many values each.
const VALUES_OF_OTHERS: usize = 4;

/// Notes about `votes`, one sentence each.
pub(super) fn about(votes: &Votes) -> Vec<String> {
    silent_sources(votes).into_iter().chain(ids_among_sources(votes)).collect()
}

fn silent_sources(votes: &Votes) -> Option<String> {
    let names = votes.sources().names();
    let silent: Vec<&String> =
        names.iter().zip(votes.domains()).filter(|(_, d)| d.len() == 1).map(|(name, _)| name).collect();
    match silent.len() {
        0 => None,
        1 => Some(format!("the source {} never votes; it is kept and changes nothing", some_of(&silent))),
        count => Some(format!(
            "{count} sources never vote ({}); they are kept and change nothing",
            some_of(&silent)
        )),
    }
}

fn ids_among_sources(votes: &Votes) -> Option<String> {
    let ids: Vec<&str> = never_twice(votes).into_iter().map(|j| votes.sources().name(j)).collect();
    let first = ids.first()?;
    Some(format!(
        "no two rows agree in {}; if that is no source but an id, use --item \"{first}\" or --ignore \"{first}\"",
        some_of(&ids)
    ))
}

/// The sources that never vote for one class twice, as a column of item ids that nobody declared.
fn never_twice(votes: &Votes) -> Vec<usize> {
    let suspects: Vec<usize> =
        (0..votes.sources().len()).filter(|&j| votes.domains()[j].classes().len() >= FEW).collect();
    if suspects.is_empty() {
        return suspects;
    }
    let mut cast = vec![0u64; votes.sources().len()];
    for (p, count) in votes.patterns().counts().iter().enumerate() {
        votes.patterns().row(p).for_each(|(source, _)| cast[source] += count);
    }
    suspects.into_iter().filter(|&j| cast[j] == votes.domains()[j].classes().len() as u64).collect()
}

/// The first column that can only be one of item ids: no two rows agree in it, while all others together have few values. Taken for a
/// source, it would make thousands of classes, which would be fitted for hours and mean nothing.
pub(super) fn items_as_source(votes: &Votes) -> Option<Problem> {
    never_twice(votes).into_iter().find_map(|j| {
        let others = votes.domains().iter().enumerate().filter(|&(l, _)| l != j);
        let others = others.flat_map(|(_, domain)| domain.classes()).collect::<HashSet<&Vote>>().len();
        let (name, values) = (votes.sources().name(j), votes.domains()[j].classes().len());
        (others > 0 && values > VALUES_OF_OTHERS * others).then(|| Problem::ItemsAsSource {
            name: name.to_string(),
            values,
            others,
        })
    })
}
