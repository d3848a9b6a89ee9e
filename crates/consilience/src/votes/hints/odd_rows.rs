//! A first or last row whose classes occur nowhere else: a second header, units, a total, a legend.

use crate::sources::Vote;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;

/// In shorter tables every row is odd.
const ROWS: usize = 4;
/// In longer ones, a row with classes of its own is odd even if they are of the same kind: a row of types, a header that is
/// written twice, a legend.
const MANY_ROWS: usize = 30;
const ROWS_OF_A_CLASS: usize = 20;

/// Notes on the first and on the last row, where two sources or more vote there, nobody votes for these classes elsewhere, and they are
/// of another kind than the others: words among numbers, numbers among words, or numbers far above all others. Some exports have two
/// rows of headers below the first.
pub(super) fn hints(votes: &Votes) -> Vec<ReadingNote> {
    let items = votes.items();
    if items < ROWS || votes.classes().len() < 3 {
        return Vec::new();
    }
    let mut counts = vec![0u64; votes.classes().len() + 1];
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        votes.patterns().row(p).for_each(|(_, vote)| counts[usize::from(vote)] += times);
    }
    // The classes of the first of the rows `at`, where all of them are odd together.
    let odd = |at: &[usize]| -> Option<Vec<String>> {
        let votes_at = |item: usize| votes.row_of_item(item).map(|(_, vote)| vote);
        let here: Vec<Vote> = at.iter().flat_map(|&item| votes_at(item)).collect();
        let times = |class: Vote| here.iter().filter(|&&vote| vote == class).count() as u64;
        let several = at.iter().all(|&item| votes_at(item).count() > 1);
        let alone = several && here.iter().all(|&vote| times(vote) == counts[usize::from(vote)]);
        let is_here = |class: &Vote| here.contains(class);
        let (own, others): (Vec<Vote>, Vec<Vote>) = (1..=votes.classes().len() as Vote)
            .filter(|&class| counts[usize::from(class)] > 0)
            .partition(is_here);
        let names = |classes: &[Vote]| -> Vec<String> {
            classes.iter().map(|&class| votes.classes().name(class).to_string()).collect()
        };
        let first: Vec<Vote> =
            own.iter().copied().filter(|&class| votes_at(at[0]).any(|vote| vote == class)).collect();
        let (own, others) = (names(&own), names(&others));
        let is_header_or_legend = items >= MANY_ROWS
            && others.len() * ROWS_OF_A_CLASS <= items
            && own.iter().all(|name| name.parse::<f64>().is_err());
        (alone && (is_header_or_legend || are_of_another_kind(&own, &others))).then(|| names(&first))
    };
    let first =
        odd(&[0]).or_else(|| odd(&[0, 1])).map(|classes| ReadingNote::OddRow { last: false, classes });
    let last = odd(&[items - 1]).map(|classes| ReadingNote::OddRow { last: true, classes });
    first.into_iter().chain(last).collect()
}

fn are_of_another_kind(own: &[String], others: &[String]) -> bool {
    let numbers =
        |names: &[String]| names.iter().map(|name| name.parse::<i64>().ok()).collect::<Option<Vec<_>>>();
    let has_none = |names: &[String]| names.iter().all(|name| name.parse::<i64>().is_err());
    match (numbers(own), numbers(others)) {
        (Some(own), Some(others)) => own.iter().min() > others.iter().max().map(|most| most + 1).as_ref(),
        (Some(_), None) => has_none(others),
        (None, Some(_)) => has_none(own),
        // Shares and other numbers with fractions, also with a comma or in percent.
        (None, None) => {
            let is_fraction =
                |name: &String| name.trim_end_matches(['%', ' ']).replace(',', ".").parse::<f64>().is_ok();
            own.iter().all(is_fraction) && !others.iter().any(is_fraction)
        }
    }
}
