//! How often each pair of sources agrees beyond chance.

use serde::Serialize;

use crate::votes::{PairCounts, Votes};

/// The maximum number of sources to compare.
pub const MOST_COMPARED: usize = 400;

/// Cohen's kappa of each pair of sources, over the items on which both vote.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The sources in the order of the rows: groups first, so that they show as blocks.
    pub order: Vec<usize>,
    /// How many sources were left out because there are more than [`MOST_COMPARED`].
    pub left_out: usize,
    /// For each source of `order` the kappas with those before it, to three digits; `None` if no item has votes of both.
    pub kappa: Vec<Vec<Option<f64>>>,
}

impl Agreement {
    /// Compares the sources of `votes`, those of `groups` first; `None` if too many pairs share items.
    pub fn new(votes: &Votes, groups: &[Vec<usize>]) -> Option<Self> {
        Some(Self::of_pairs(votes.sources().len(), &votes.pairs().ok()?, groups))
    }

    /// The same of `n` sources whose `pairs` have been counted.
    pub(super) fn of_pairs(n: usize, pairs: &[PairCounts], groups: &[Vec<usize>]) -> Self {
        let mut order: Vec<usize> = groups.iter().flatten().copied().collect();
        let mut listed = vec![false; n];
        for &j in &order {
            listed[j] = true;
        }
        order.extend((0..n).filter(|&j| !listed[j]));
        let left_out = n.saturating_sub(MOST_COMPARED);
        order.truncate(MOST_COMPARED);
        let mut place = vec![usize::MAX; n];
        order.iter().enumerate().for_each(|(row, &j)| place[j] = row);
        let mut kappa: Vec<Vec<Option<f64>>> = (0..order.len()).map(|row| vec![None; row]).collect();
        for pair in pairs {
            let [a, b] = pair.sources.map(|j| place[j]);
            if a != usize::MAX && b != usize::MAX {
                kappa[a.max(b)][a.min(b)] = pair.kappa().map(|kappa| (kappa * 1000.0).round() / 1000.0);
            }
        }
        Self { order, left_out, kappa }
    }
}
