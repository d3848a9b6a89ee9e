//! The label models that are compared, and how their labels are scored.

use consilience::labels::{Labels, Ties, infer, majority_vote};
use consilience::model::{Dependence, FitOptions, Fitted, fit};
use consilience::report::score::{ClassScore, accuracy};
use consilience::sources::{ABSTAIN, Vote};
use consilience::structure::{ExactOptions, Select, learn_exact};
use consilience::votes::Votes;

use crate::error::ReproduceError;

/// Ties are broken by chance; scores are means over this many draws.
const DRAWS: u64 = 20;

/// A way from votes to labels, in its default setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelModel {
    /// The class with the most votes.
    Majority,
    /// Every vote counts in full.
    Independent,
    /// The default: votes that repeat others count once.
    Repeats,
    /// The links that the exact method selects by its default rule, each with its own weight, as in the paper.
    Linked,
}

impl LabelModel {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Majority => "majority vote",
            Self::Independent => "independent",
            Self::Repeats => "repeats count once",
            Self::Linked => "learned links",
        }
    }

    /// Fits on `votes`; nothing is fitted for majority vote.
    pub(crate) fn fit(self, votes: &Votes) -> Result<Option<Model>, ReproduceError> {
        let failed =
            |problem: &dyn std::fmt::Display| ReproduceError::experiment(self.name(), &problem.to_string());
        let options = FitOptions::default();
        let fitted = |dependence| fit(votes, dependence, &options).map_err(|problem| failed(&problem));
        Ok(match self {
            Self::Majority => None,
            Self::Independent => Some(Model { fitted: fitted(Dependence::Independent)?, links: 0 }),
            Self::Repeats => {
                let fitted = fitted(Dependence::Repeats)?;
                let mut pairs: Vec<(usize, usize)> =
                    fitted.repeats.iter().map(|r| ordered(r.source, r.of)).collect();
                pairs.extend(fitted.copies.iter().flat_map(|group| pairs_within(group)));
                pairs.sort_unstable();
                pairs.dedup();
                Some(Model { fitted, links: pairs.len() })
            }
            Self::Linked => {
                let structure = learn_exact(votes, &ExactOptions::default(), Select::Auto);
                let structure = structure.map_err(|problem| failed(&problem))?;
                let copied: usize = structure.copies.iter().map(|group| pairs_within(group).len()).sum();
                let links = structure.selected().count() + copied;
                Some(Model { fitted: fitted(Dependence::Linked(&structure))?, links })
            }
        })
    }
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

fn pairs_within(group: &[usize]) -> Vec<(usize, usize)> {
    let of =
        |(at, &j): (usize, &usize)| group[at + 1..].iter().map(move |&l| ordered(j, l)).collect::<Vec<_>>();
    group.iter().enumerate().flat_map(of).collect()
}

/// A fitted model.
pub(crate) struct Model {
    pub(crate) fitted: Fitted,
    /// Pairs of sources that it takes to depend on each other.
    pub(crate) links: usize,
}

/// The labels of `votes` by a model, or by majority if there is none.
pub(crate) fn label(model: Option<&Model>, votes: &Votes) -> Result<Labels, ReproduceError> {
    let Some(model) = model else { return Ok(majority_vote(votes)) };
    infer(&model.fitted, votes).map_err(|problem| ReproduceError::experiment("labels", &problem))
}

/// How decisions compare with gold: of the second class if there are two, else the mean over the classes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Scores {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
    pub(crate) accuracy: f64,
}

impl Scores {
    /// Of decisions; `None` if no item has gold.
    pub(crate) fn of_decisions(decided: &[Vote], gold: &[Vote], classes: usize) -> Option<Self> {
        let wanted: Vec<Vote> = if classes == 2 { vec![2] } else { (1..=classes as Vote).collect() };
        let mut scores = Self { accuracy: accuracy(decided, gold)?, ..Self::default() };
        let share = 1.0 / wanted.len() as f64;
        for class in wanted {
            let of_class = ClassScore::new(class, decided, gold)?;
            scores.precision += share * of_class.precision;
            scores.recall += share * of_class.recall;
            scores.f1 += share * of_class.f1;
        }
        Some(scores)
    }

    /// Of labels, on the items for which `judged` holds; ties are broken by chance.
    pub(crate) fn of_labels(labels: &Labels, gold: &[Vote], judged: impl Fn(usize) -> bool) -> Option<Self> {
        let gold: Vec<Vote> =
            gold.iter().enumerate().map(|(i, &gold)| if judged(i) { gold } else { ABSTAIN }).collect();
        let mut mean = Self::default();
        for seed in 0..DRAWS {
            let decide = |i| labels.decide(i, Ties::Random(seed)).unwrap_or(ABSTAIN);
            let decided: Vec<Vote> = (0..labels.items()).map(decide).collect();
            let one = Self::of_decisions(&decided, &gold, labels.classes().len())?;
            let share = 1.0 / DRAWS as f64;
            mean.precision += share * one.precision;
            mean.recall += share * one.recall;
            mean.f1 += share * one.f1;
            mean.accuracy += share * one.accuracy;
        }
        Some(mean)
    }
}

/// What distinguishes a table of votes from others: a hash (FNV-1a) of all its votes and of gold.
pub(crate) fn digest(votes: &Votes, gold: Option<&[Vote]>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |value: u64| {
        for byte in value.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    take(votes.sources().len() as u64);
    take(votes.classes().len() as u64);
    for i in 0..votes.items() {
        take(u64::MAX);
        for (j, vote) in votes.row_of_item(i) {
            take((j as u64) << 16 | u64::from(vote));
        }
    }
    gold.into_iter().flatten().for_each(|&gold| take(u64::from(gold)));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_two_classes_and_of_more() {
        let two = Scores::of_decisions(&[2, 2, 1, 1], &[2, 1, 2, 1], 2).unwrap();
        assert!((two.precision - 0.5).abs() < 1e-12 && (two.recall - 0.5).abs() < 1e-12);
        // Class 1: 1 of 2 right, all of 1 found; class 2: 1 of 1, 1 of 2; class 3: none of none.
        let three = Scores::of_decisions(&[1, 1, 2], &[1, 2, 2], 3).unwrap();
        assert!((three.precision - 0.5).abs() < 1e-12 && (three.recall - 0.5).abs() < 1e-12, "{three:?}");
        assert!(Scores::of_decisions(&[1], &[ABSTAIN], 2).is_none());
    }

    #[test]
    fn pairs_of_a_group() {
        assert_eq!(pairs_within(&[3, 1, 4]), [(1, 3), (3, 4), (1, 4)]);
        assert!(pairs_within(&[1]).is_empty());
    }
}
