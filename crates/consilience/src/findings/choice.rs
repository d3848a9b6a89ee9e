//! A person's choice of which sources repeat each other.

use serde::{Deserialize, Serialize};

use crate::structure::{Repetition, Structure};

/// Which pairs of a structure count as repeating each other, and which other pairs do.
///
/// ```
/// use consilience::findings::Choice;
/// use consilience::sources::{Classes, Sources};
/// use consilience::structure::Structure;
///
/// let sources = Sources::new(vec!["gpt".into(), "gpt_strict".into(), "human".into()])?;
/// let structure = Structure::without_dependencies(sources, Classes::numbered(2)?, 100);
/// let choice = Choice { accepted: vec![[0, 1]], ..Choice::default() }; // a person knows that these two belong together
/// let chosen = choice.apply(&structure)?.repetitions.unwrap_or_default();
/// assert_eq!(chosen.pairs[0].sources, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The smallest share of repetition that counts, from 0 to 1. Default: 0.
    pub least_share: f64,
    /// Pairs that count whatever their share; the share is measured if unknown.
    pub accepted: Vec<[usize; 2]>,
    /// Pairs that do not count.
    pub forbidden: Vec<[usize; 2]>,
}

/// Why a choice is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// A share outside its range.
    #[error("the minimum share must be between 0 and 1, but is {0}")]
    Share(f64),
    /// A pair that does not exist.
    #[error("{0} and {1} must be two different sources of the {2}, numbered from 0")]
    Pair(usize, usize, usize),
}

impl Choice {
    /// `structure` with the repetitions that were chosen.
    pub fn apply(&self, structure: &Structure) -> Result<Structure, ChoiceError> {
        let n = structure.sources.len();
        if !(0.0..=1.0).contains(&self.least_share) {
            return Err(ChoiceError::Share(self.least_share));
        }
        for &[a, b] in self.accepted.iter().chain(&self.forbidden) {
            if a >= n || b >= n || a == b {
                return Err(ChoiceError::Pair(a, b, n));
            }
        }
        let ordered = |pairs: &[[usize; 2]]| -> Vec<[usize; 2]> {
            pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect()
        };
        let (accepted, forbidden) = (ordered(&self.accepted), ordered(&self.forbidden));
        let mut found = structure.repetitions.clone().unwrap_or_default();
        // Sources stay in a group that counts as one where they repeat a member far enough, or where that was not measured.
        let share = |a: usize, b: usize| {
            let pair = found.pairs.iter().find(|pair| pair.sources == [a.min(b), a.max(b)]);
            pair.map(|pair| pair.share)
        };
        let near = |a: usize, b: usize| share(a, b).is_none_or(|share| share >= self.least_share);
        let stays = |group: &[usize], j: usize| group.iter().any(|&l| l != j && near(j, l));
        let once =
            found.once.iter().map(|group| group.iter().copied().filter(|&j| stays(group, j)).collect());
        found.once = once.collect();
        found.pairs.retain(|pair| {
            let kept = pair.share >= self.least_share || accepted.contains(&pair.sources);
            kept && !forbidden.contains(&pair.sources)
        });
        for &sources in accepted.iter().filter(|pair| !forbidden.contains(pair)) {
            if !found.pairs.iter().any(|pair| pair.sources == sources) {
                found.pairs.push(Repetition { sources, share: 0.0, z: None });
            }
        }
        found.pairs.sort_by_key(|pair| pair.sources);
        found.pairs.dedup_by_key(|pair| pair.sources);
        // Of a group that counts as one, the later source of a forbidden pair is taken out.
        for group in &mut found.once {
            for &[a, b] in &forbidden {
                if group.contains(&a) {
                    group.retain(|&j| j != b);
                }
            }
        }
        found.once.retain(|group| group.len() > 1);
        Ok(Structure { repetitions: Some(found), ..structure.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};
    use crate::structure::Repetitions;

    #[test]
    fn pairs_are_kept_added_and_forbidden() {
        let sources = Sources::numbered(5).unwrap();
        let given = Structure::new(sources, Classes::numbered(2).unwrap(), Vec::new(), 10).unwrap();
        let pair = |a, b, share| Repetition { sources: [a, b], share, z: Some(9.0) };
        let found = Repetitions {
            pairs: vec![pair(0, 1, 0.2), pair(0, 2, 0.6), pair(1, 2, 0.9)],
            once: vec![vec![2, 3, 4]],
        };
        let structure = Structure { repetitions: Some(found), ..given };
        let choice =
            Choice { least_share: 0.5, accepted: vec![[4, 0], [1, 0]], forbidden: vec![[2, 1], [4, 2]] };
        let chosen = choice.apply(&structure).unwrap().repetitions.unwrap();
        let kept: Vec<_> = chosen.pairs.iter().map(|pair| (pair.sources, pair.share)).collect();
        assert_eq!(kept, [([0, 1], 0.2), ([0, 2], 0.6), ([0, 4], 0.0)]);
        assert_eq!(chosen.once, [vec![2, 3]]);
        let joined = Repetitions { pairs: vec![pair(0, 1, 0.9), pair(0, 2, 0.4)], once: vec![vec![0, 1, 2]] };
        let strict = Choice { least_share: 0.8, forbidden: vec![[1, 2]], ..Choice::default() };
        let chosen = strict.apply(&Structure { repetitions: Some(joined), ..structure.clone() }).unwrap();
        assert_eq!(chosen.repetitions.unwrap().once, [vec![0, 1]]);
        assert_eq!(Choice::default().apply(&structure).unwrap(), structure);
        let wrong = |choice: Choice| choice.apply(&structure).unwrap_err();
        assert_eq!(wrong(Choice { accepted: vec![[1, 1]], ..Choice::default() }), ChoiceError::Pair(1, 1, 5));
        assert_eq!(wrong(Choice { least_share: 2.0, ..Choice::default() }), ChoiceError::Share(2.0));
    }
}
