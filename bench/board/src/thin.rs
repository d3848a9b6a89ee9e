//! Tables in which one class is rare.

use consilience::answers::sample;
use consilience::sources::Vote;
use consilience_reproduce::set::{Metric, Set, chosen};

/// `set` with so few items of the second of two classes that they have this share; `None` if there are more classes, or
/// fewer such items already. Items without gold or votes are left out.
pub(crate) fn thinned(set: &Set, share: f64) -> anyhow::Result<Option<Set>> {
    let known = |class: Vote| -> Vec<usize> {
        let of_class = |&i: &usize| set.gold[i] == class && set.votes.row_of_item(i).next().is_some();
        (0..set.votes.items()).filter(of_class).collect()
    };
    let (first, second) = (known(1), known(2));
    let kept = (share / (1.0 - share) * first.len() as f64).round() as usize;
    if set.votes.classes().len() != 2 || kept >= second.len() {
        return Ok(None);
    }
    let mut wanted = vec![false; set.votes.items()];
    let drawn = sample(second.len(), kept, 0).into_iter().map(|place| second[place]);
    for i in first.into_iter().chain(drawn) {
        wanted[i] = true;
    }
    Ok(Some(Set {
        name: format!("{:.0}% of {}", 100.0 * share, set.name),
        metric: Metric::F1,
        votes: set.votes_of(&wanted)?,
        gold: chosen(&set.gold, &wanted),
        texts: None,
    }))
}
