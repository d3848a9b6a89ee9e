//! How much of a source's votes is its own, by the learned links alone.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::dependency::DependencyType as _;
use crate::structure::{LinkType, Structure};
use crate::votes::Votes;

/// Sources that are tied by less than this through others are taken to be independent.
const FAINT: f64 = 0.05;

/// The shares that sources have before any of them are compared: a group that moves together would otherwise be mistaken for the
/// truth, since its members agree with each other more than with anyone else.
///
/// # Formula
/// ```text
/// share_j = 1 / (1 + Σ_l r_jl),   r_jl: the largest product of ties along a path of links from j to l
/// tie of a link with weight w: (e^w - 1) / (e^w + k - 1)
/// ```
/// The tie is the agreement of two sources beyond chance that their link implies, given the class; along a path, ties multiply.
/// This holds exactly if links form no circle. Only sources that vote for several classes are considered: links between rules for
/// one class do not distort which class is seen.
pub(crate) fn implied_shares(votes: &Votes, structure: &Structure) -> Vec<f64> {
    let k = votes.classes().len() as f64;
    let several: Vec<bool> = votes.domains().iter().map(|domain| domain.classes().len() > 1).collect();
    let mut ties: Vec<Vec<(usize, f64)>> = vec![Vec::new(); several.len()];
    for learned in structure.selected() {
        let [j, l] = *learned.dependency.sources() else { continue };
        let apart = learned.dependency.name() == LinkType::Exclusive.name();
        if learned.weight > 0.0 && !apart && several[j] && several[l] {
            let odds = learned.weight.exp();
            let tie = (odds - 1.0) / (odds + k - 1.0);
            ties[j].push((l, tie));
            ties[l].push((j, tie));
        }
    }
    (0..several.len()).map(|j| 1.0 / (1.0 + sum_of_ties(&ties, j))).collect()
}

/// The sum of the strongest ties between `source` and all others, directly or through others.
fn sum_of_ties(ties: &[Vec<(usize, f64)>], source: usize) -> f64 {
    let mut settled = vec![source];
    let mut reached: BinaryHeap<Reached> =
        ties[source].iter().map(|&(to, tie)| Reached { tie, to }).collect();
    let mut sum = 0.0;
    while let Some(Reached { tie, to }) = reached.pop() {
        if tie < FAINT {
            break;
        }
        if settled.contains(&to) {
            continue;
        }
        settled.push(to);
        sum += tie;
        reached.extend(ties[to].iter().map(|&(next, step)| Reached { tie: tie * step, to: next }));
    }
    sum
}

/// A source at the end of a path, strongest first.
struct Reached {
    tie: f64,
    to: usize,
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        self.tie.total_cmp(&other.tie).then_with(|| other.to.cmp(&self.to))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Reached {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leader with two followers, and a chain behind one of them: 1 - 0 - 2 - 3, ties 0.5, 0.8 and 0.4.
    #[test]
    fn ties_multiply_along_paths() {
        let ties = vec![
            vec![(1, 0.5), (2, 0.8)],
            vec![(0, 0.5)],
            vec![(0, 0.8), (3, 0.4)],
            vec![(2, 0.4)],
            Vec::new(),
        ];
        let expected = [
            0.5 + 0.8 + 0.8 * 0.4,
            0.5 + 0.5 * 0.8 + 0.5 * 0.8 * 0.4,
            0.8 + 0.8 * 0.5 + 0.4,
            0.4 + 0.4 * 0.8 + 0.4 * 0.8 * 0.5,
            0.0,
        ];
        for (source, expected) in expected.into_iter().enumerate() {
            assert!((sum_of_ties(&ties, source) - expected).abs() < 1e-12, "source {source}");
        }
    }

    /// In a circle, the stronger of two paths counts.
    #[test]
    fn each_source_counts_once() {
        let ties = vec![vec![(1, 0.9), (2, 0.1)], vec![(0, 0.9), (2, 0.9)], vec![(0, 0.1), (1, 0.9)]];
        assert!((sum_of_ties(&ties, 0) - (0.9 + 0.81)).abs() < 1e-12);
    }
}
