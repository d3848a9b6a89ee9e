//! Where two labellings differ, and how often one is right.

use super::{Labels, Ties};
use crate::sources::{ABSTAIN, Vote};

impl Labels {
    /// The items that both label, and label differently; ties are no label.
    pub fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let decided = |labels: &Self, i: usize| labels.decide(i, Ties::Empty);
        (0..self.items())
            .filter(move |&i| matches!((decided(self, i), decided(other, i)), (Some(a), Some(b)) if a != b))
    }

    /// The share of right labels among the items that have votes and `gold`; ties count by chance. None where there are no such
    /// items.
    pub fn share_right(&self, gold: &[Vote]) -> Option<f64> {
        let judged = || (0..self.items()).filter(|&i| gold[i] != ABSTAIN && self.has_votes(i));
        let all = judged().count();
        (all > 0).then(|| judged().map(|i| self.chance_of(i, gold[i])).sum::<f64>() / all as f64)
    }
}
