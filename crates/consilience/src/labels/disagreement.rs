//! How many items two models label differently, and the surest of them.

use super::Labels;

/// From this share of the items with votes on, a user should look at the items that two models label differently.
const MUCH: f64 = 0.05;

/// The items that two models label differently, counted over one or several parts of a table, and the surest of them. Tied items
/// have no label, as in [`Labels::differing`].
///
/// ```
/// use consilience::labels::Disagreement;
/// use consilience::model::{Dependence, FitOptions, fit};
/// use consilience::pipeline::{Votes, infer, majority_vote};
///
/// let rows = [["1", "1", "0"], ["0", "0", "0"], ["1", "1", "1"], ["0", "1", "0"]].repeat(10);
/// let votes = Votes::from_text(&["a", "a_copy", "b"], rows)?;
/// let labels = infer(&fit(&votes, Dependence::Independent, &FitOptions::default())?, &votes)?;
/// let mut disagreement = Disagreement::default();
/// disagreement.add(&labels, &majority_vote(&votes), |i| i);
/// assert_eq!((disagreement.voted(), disagreement.differ()), (40, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement<N> {
    voted: u64,
    differ: u64,
    /// The confidence of the less confident model, and the item's name; surest first.
    surest: Vec<(f64, N)>,
}

impl<N> Default for Disagreement<N> {
    fn default() -> Self {
        Self { voted: 0, differ: 0, surest: Vec::new() }
    }
}

impl<N> Disagreement<N> {
    /// At most this many items are named.
    pub const MOST_NAMED: usize = 8;

    /// Adds a part of a table, labelled by both models; `name` gives the name of an item by its number.
    pub fn add(&mut self, labels: &Labels, other: &Labels, name: impl Fn(usize) -> N) {
        self.voted += (0..labels.items()).filter(|&i| labels.has_votes(i)).count() as u64;
        for i in labels.differing(other) {
            self.differ += 1;
            let sure = labels.confidence(i).min(other.confidence(i));
            // Items come in order, so that of equally sure ones the first stay.
            let place = self.surest.partition_point(|(placed, _)| placed.total_cmp(&sure).is_ge());
            if place < Self::MOST_NAMED {
                self.surest.insert(place, (sure, name(i)));
                self.surest.truncate(Self::MOST_NAMED);
            }
        }
    }

    /// The number of items with votes.
    pub fn voted(&self) -> u64 {
        self.voted
    }

    /// The number of items that both label, but differently.
    pub fn differ(&self) -> u64 {
        self.differ
    }

    /// Whether they are so many, at least 5% of the items with votes, that a user should look at some.
    pub fn is_large(&self) -> bool {
        self.differ > 0 && self.differ as f64 >= MUCH * self.voted as f64
    }

    /// The items of which both models are surest, at most [`Self::MOST_NAMED`].
    pub fn surest(&self) -> impl Iterator<Item = &N> {
        self.surest.iter().map(|(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Vote;
    use crate::votes::Votes;

    /// Labels with these probabilities of the second class, each item with a pattern of its own.
    fn labels(yes: &[f64]) -> Labels {
        let n = yes.len().ilog2() as usize + 1;
        let names: Vec<String> = (0..n).map(|j| format!("s{j}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let vote = |bit: bool| if bit { "yes" } else { "no" };
        let rows: Vec<Vec<&str>> =
            (0..yes.len()).map(|i| (0..n).map(|j| vote(i >> j & 1 == 1)).collect()).collect();
        let votes = Votes::from_text(&names, rows).unwrap();
        let mut probabilities = vec![0.0; 2 * votes.patterns().len()];
        for (&p, share) in votes.shared_item_pattern().iter().zip(yes) {
            probabilities[2 * p as usize] = 1.0 - share;
            probabilities[2 * p as usize + 1] = *share;
        }
        Labels::new(&votes, probabilities)
    }

    #[test]
    fn ties_do_not_differ_and_the_surest_come_first() {
        let (ours, other) = (labels(&[0.9, 0.6, 0.5, 0.2]), labels(&[0.3, 0.1, 0.9, 0.1]));
        let mut found = Disagreement::default();
        found.add(&ours, &other, |i| i);
        assert_eq!((found.voted(), found.differ()), (4, 2));
        assert_eq!(found.surest().copied().collect::<Vec<_>>(), [0, 1]);
        assert!(found.is_large());
        // A second part has names of its own, and its surest item comes before those of the first.
        found.add(&labels(&[0.95, 0.9]), &labels(&[0.05, 0.9]), |i| 10 + i);
        assert_eq!((found.voted(), found.differ()), (6, 3));
        assert_eq!(found.surest().copied().collect::<Vec<_>>(), [10, 0, 1]);
    }

    #[test]
    fn few_differences_are_not_large_and_few_items_are_named() {
        let ours = vec![0.9; 64];
        let mut other = ours.clone();
        (0..3).for_each(|i| other[i] = 0.1);
        let mut found = Disagreement::default();
        found.add(&labels(&ours), &labels(&other), |i| i as Vote);
        assert!(!found.is_large());
        (3..20).for_each(|i| other[i] = 0.1);
        let mut found = Disagreement::default();
        found.add(&labels(&ours), &labels(&other), |i| i);
        assert!(found.is_large());
        assert_eq!(found.surest().copied().collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
        assert!(!Disagreement::<usize>::default().is_large());
    }
}
