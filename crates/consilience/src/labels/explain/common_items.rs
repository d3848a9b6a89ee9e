//! Whether enough other sources vote on a source's items to measure its accuracy: two are.

use crate::model::Fitted;
use crate::sources::Vote;

/// The sources with which each source shares items.
pub(super) struct CommonItems {
    /// For each source, the first of its copies.
    first: Vec<usize>,
    /// For each source, up to two others that vote on one of its items.
    met: Vec<[Option<usize>; 2]>,
}

impl CommonItems {
    pub(super) fn new(fitted: &Fitted) -> Self {
        let n = fitted.model.sources().len();
        let mut first: Vec<usize> = (0..n).collect();
        for group in &fitted.copies {
            for &j in group {
                first[j] = group[0];
            }
        }
        Self { first, met: vec![[None; 2]; n] }
    }

    /// Records that the sources of a row vote on the same item.
    pub(super) fn meet(&mut self, row: &[(usize, Vote)]) {
        for &(j, _) in row {
            if self.suffice(j) {
                continue;
            }
            for &(l, _) in row {
                self.meets(j, self.first[l]);
            }
        }
    }

    /// Records that `j` shares an item with `l`, the first of its copies.
    fn meets(&mut self, j: usize, l: usize) {
        match &mut self.met[j] {
            _ if l == self.first[j] => {}
            [first @ None, _] => *first = Some(l),
            [Some(first), second @ None] if *first != l => *second = Some(l),
            _ => {}
        }
    }

    /// Adds what another part of the table shows.
    pub(super) fn add(&mut self, other: &Self) {
        for (j, met) in other.met.iter().enumerate() {
            met.iter().flatten().for_each(|&l| self.meets(j, l));
        }
    }

    /// Whether two other sources, which are not copies of it, vote on items of source `j`.
    pub(super) fn suffice(&self, j: usize) -> bool {
        self.met[j][1].is_some()
    }
}
