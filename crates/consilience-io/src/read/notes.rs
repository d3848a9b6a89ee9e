//! What a reader should tell the user about a table that is fine but may not be what was meant.

use consilience::votes::Votes;

use crate::one_line::some_of;

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
    let ids: Vec<&str> = votes.never_twice().into_iter().map(|j| votes.sources().name(j)).collect();
    let first = ids.first()?;
    Some(format!(
        "no two rows agree in {}; if that is no source but an id, use --item \"{first}\" or --ignore \"{first}\"",
        some_of(&ids)
    ))
}
