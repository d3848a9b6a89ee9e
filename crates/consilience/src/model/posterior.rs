//! The posterior of the class given the votes.

use super::Model;
use crate::dependency::{Dependency, DependencyType, Factor};
use crate::num::softmax_in_place;
use crate::sources::{ABSTAIN, Vote};

impl Model {
    /// p(y | λ) for each class, given the votes `(source, vote)` of one item, in ascending order of sources and without abstentions.
    ///
    /// # Formula
    /// ```text
    /// p(y | λ) ∝ exp( Σ_d θ_d φ_d(λ, y) )   over the dependencies d that read y
    /// ```
    /// All others, including correlations, cancel, so no partition function is needed. The sum starts from the item on
    /// which every source abstains, so its cost depends on the votes, not on the number of sources.
    pub fn posterior(&self, votes: &[(usize, Vote)]) -> Vec<f64> {
        let mut scores = self.class_scores(votes);
        softmax_in_place(&mut scores);
        scores
    }

    /// For each class, the energy of the factors that depend on the class: the log posterior up to a constant.
    pub fn class_scores(&self, votes: &[(usize, Vote)]) -> Vec<f64> {
        let mut scores = self.silent_scores.clone();
        for &(j, _) in votes {
            for &d in self.factors.of_source(j) {
                let factor = &self.factors.list()[d as usize];
                if factor.dependency.reads_class() && first_voter(&factor.dependency, votes) == Some(j) {
                    add_change_from_silence(factor, votes, &mut scores);
                }
            }
        }
        scores
    }
}

fn vote_of(votes: &[(usize, Vote)], j: usize) -> Vote {
    votes.binary_search_by_key(&j, |&(source, _)| source).map_or(ABSTAIN, |place| votes[place].1)
}

/// The one source of the scope at which a factor is counted, so that it is counted once.
fn first_voter(dependency: &Dependency, votes: &[(usize, Vote)]) -> Option<usize> {
    let mut voters = dependency.sources().iter().copied().filter(|&j| vote_of(votes, j) != ABSTAIN);
    voters.next()
}

fn add_change_from_silence(factor: &Factor, votes: &[(usize, Vote)], scores: &mut [f64]) {
    let cast: Vec<Vote> = factor.dependency.sources().iter().map(|&j| vote_of(votes, j)).collect();
    let silence = vec![ABSTAIN; cast.len()];
    for (score, y) in scores.iter_mut().zip(1..) {
        *score += factor.weight * (factor.dependency.phi(&cast, y) - factor.dependency.phi(&silence, y));
    }
}
