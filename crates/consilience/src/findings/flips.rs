//! Which labels two models give differently.

use serde::Serialize;

use crate::labels::{Labels, Ties};

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
        let mut counts = vec![vec![0; k + 1]; k + 1];
        let mut flipped = 0;
        for i in (0..a.items()).filter(|&i| a.has_votes(i)) {
            let label = |labels: &Labels| labels.decide(i, Ties::Empty).map_or(0, usize::from);
            let (first, second) = (label(a), label(b));
            counts[first][second] += 1;
            flipped += u64::from(first != second && first > 0 && second > 0);
        }
        Self { counts, flipped }
    }
}
