//! Where two labellings differ, and how often one is right.

use super::{Labels, Ties};
use crate::sources::{ABSTAIN, Vote};

impl Labels {
    /// The items that both label, but differently; tied items have no label.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, label, majority_vote};
    ///
    /// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
    /// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
    /// let (model, majority) = (label(&votes)?.labels, majority_vote(&votes));
    /// assert!(majority.differing(&majority).next().is_none());
    /// assert!(model.differing(&majority).all(|i| model.class(i) != majority.class(i)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let decided = |labels: &Self, i: usize| labels.decide(i, Ties::Empty);
        (0..self.items())
            .filter(move |&i| matches!((decided(self, i), decided(other, i)), (Some(a), Some(b)) if a != b))
    }

    /// The share of correct labels among the items with votes and `gold`; ties count by chance. `None` if there are no such
    /// items.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["yes", "yes"], ["no", "yes"], ["", ""]])?;
    /// let right = majority_vote(&votes).share_right(&[2, 2, 2]); // gold: "yes" everywhere
    /// assert_eq!(right, Some(0.75)); // one right, one tie; nobody votes on the third
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn share_right(&self, gold: &[Vote]) -> Option<f64> {
        let judged = || (0..self.items()).filter(|&i| gold[i] != ABSTAIN && self.has_votes(i));
        let all = judged().count();
        (all > 0).then(|| judged().map(|i| self.chance_of(i, gold[i])).sum::<f64>() / all as f64)
    }
}
