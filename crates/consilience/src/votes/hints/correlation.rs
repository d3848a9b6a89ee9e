//! Whether the votes of two sources go up and down together.

use crate::votes::Votes;

/// The number of each class: what its name says if all names are numbers, 0 and 1 if there are two classes, and nothing otherwise.
pub(super) fn numbers(classes: &[String]) -> Option<Vec<f64>> {
    let written: Option<Vec<f64>> = classes.iter().map(|name| name.parse().ok()).collect();
    written.or_else(|| (classes.len() == 2).then(|| vec![0.0, 1.0]))
}

/// The correlation of the numbers of two sources, and on how many items both vote; `None` if one of them always says the same.
pub(super) fn correlation(votes: &Votes, numbers: &[f64], a: usize, b: usize) -> Option<(f64, f64)> {
    let (mut items, mut sums, mut squares, mut products) = (0.0, [0.0; 2], [0.0; 2], 0.0);
    for (p, &times) in votes.patterns().counts().iter().enumerate() {
        let number_of = |source: usize| {
            let (_, vote) = votes.patterns().row(p).find(|(voter, _)| *voter == source)?;
            numbers.get(usize::from(vote).checked_sub(1)?).copied()
        };
        let (Some(x), Some(y)) = (number_of(a), number_of(b)) else { continue };
        let times = times as f64;
        items += times;
        products += times * x * y;
        for (at, number) in [x, y].into_iter().enumerate() {
            sums[at] += times * number;
            squares[at] += times * number * number;
        }
    }
    let spread = |at: usize| items * squares[at] - sums[at] * sums[at];
    let both = (spread(0) * spread(1)).sqrt();
    (both > 0.0).then(|| ((items * products - sums[0] * sums[1]) / both, items))
}
