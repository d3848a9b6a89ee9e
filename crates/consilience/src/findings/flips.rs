//! Labels that differ between two models.

use serde::Serialize;

use crate::labels::Labels;
use crate::parallel;

/// Items that one piece of work counts, at least.
const PIECE: usize = 1 << 16;

/// How many items have which label by one model and by another.
///
/// ```
/// use consilience::findings::Flips;
/// use consilience::pipeline::{Votes, label, majority_vote};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let flips = Flips::new(&majority_vote(&votes), &label(&votes)?.labels);
/// assert_eq!(flips.counts.iter().flatten().sum::<u64>(), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flips {
    /// Items by the label of the first model (rows) and of the second (columns); 0 means no label, `c` is class number `c`, counted from 1.
    pub counts: Vec<Vec<u64>>,
    /// Items that both models label, differently.
    pub flipped: u64,
}

impl Flips {
    /// Compares two labellings of the same items; items without votes do not count.
    pub fn new(a: &Labels, b: &Labels) -> Self {
        let k = a.classes().len();
        let (of_a, of_b) = (a.decided(), b.decided());
        let nothing = || vec![vec![0; k + 1]; k + 1];
        let count = |items: std::ops::Range<usize>| {
            let mut counts = nothing();
            for i in items.filter(|&i| a.has_votes(i)) {
                counts[usize::from(of_a[a.pattern_of(i)])][usize::from(of_b[b.pattern_of(i)])] += 1;
            }
            counts
        };
        let add = |mut sums: Vec<Vec<u64>>, counts: Vec<Vec<u64>>| {
            sums.iter_mut().flatten().zip(counts.iter().flatten()).for_each(|(sum, count)| *sum += count);
            sums
        };
        let parts = parallel::map(parallel::few_ranges(a.items(), PIECE), count);
        let counts = parts.into_iter().fold(nothing(), add);
        let flipped = (1..=k).flat_map(|c| (1..=k).map(move |d| (c, d))).filter(|(c, d)| c != d);
        let flipped = flipped.map(|(c, d)| counts[c][d]).sum();
        Self { counts, flipped }
    }
}
