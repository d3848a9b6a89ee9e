//! A first or last row with classes of its own: a second header, units, a total.

use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// In shorter tables every row is odd.
const ROWS: usize = 4;

/// Notes on the first and on the last row, where two sources or more vote there and nobody votes for these classes elsewhere.
pub(super) fn hints(votes: &Votes) -> Vec<ReadingNote> {
    let items = votes.items();
    if items < ROWS || votes.classes().len() < 3 {
        return Vec::new();
    }
    let mut counts = vec![0u64; votes.classes().len() + 1];
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        votes.patterns().row(p).for_each(|(_, vote)| counts[usize::from(vote)] += times);
    }
    let odd = |item: usize| -> Option<Vec<String>> {
        let row: Vec<Vote> = votes.row_of_item(item).map(|(_, vote)| vote).collect();
        let here = |class: Vote| row.iter().filter(|&&vote| vote == class).count() as u64;
        let alone = row.len() > 1 && row.iter().all(|&vote| here(vote) == counts[usize::from(vote)]);
        alone.then(|| {
            let mut classes = row.clone();
            classes.sort_unstable();
            classes.dedup();
            classes.into_iter().map(|class| votes.classes().name(class).to_string()).collect()
        })
    };
    let first = odd(0).map(|classes| ReadingNote::OddRow { last: false, classes });
    let last = odd(items - 1).map(|classes| ReadingNote::OddRow { last: true, classes });
    first.into_iter().chain(last).collect()
}
