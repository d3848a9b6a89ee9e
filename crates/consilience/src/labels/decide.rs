//! From probabilities to one class.

use super::Labels;
use crate::num::pick;
use crate::parallel;
use crate::rng::{Streams, unit};
use crate::sources::{ABSTAIN, Vote};

/// Probabilities nearer than this are the same: they come from sums whose terms may be in another order.
const TOLERANCE: f64 = 1e-9;

/// How to label an item if several classes have the highest probability, or nobody votes on it.
///
/// ```
/// use consilience::labels::Ties;
/// use consilience::pipeline::{Votes, majority_vote};
///
/// let votes = Votes::from_text(&["a", "b"], [["no", "yes"]])?;
/// let tied = majority_vote(&votes);
/// assert_eq!(tied.decide(0, Ties::Empty), None);
/// assert_eq!(tied.decide(0, Ties::First), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Leave it without a label. The default.
    #[default]
    Empty,
    /// The first of the classes with the highest probability.
    First,
    /// One of the classes with the highest probability at random, depending on this seed and the item's number.
    Random(u64),
}

/// The first class with the highest of these probabilities.
#[inline]
pub(super) fn likeliest(probabilities: &[f64]) -> Vote {
    if let [first, second] = *probabilities {
        return if first >= second.max(first) - TOLERANCE { 1 } else { 2 };
    }
    let highest = probabilities.iter().copied().fold(0.0, f64::max);
    (1..).zip(probabilities).find(|&(_, &p)| p >= highest - TOLERANCE).map_or(1, |(c, _)| c)
}

impl Labels {
    /// The first class with the highest probability for the items of pattern `p` of the votes.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "no", "no"], ["yes", "yes", ""]])?;
    /// let labels = majority_vote(&votes);
    /// let first = labels.likeliest(labels.pattern_of(0));
    /// assert_eq!(labels.classes().name(first), "no");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn likeliest(&self, p: usize) -> Vote {
        likeliest(self.pattern(p))
    }

    /// The label of each pattern of the votes: what [`Self::decide`] gives its items with [`Ties::Empty`], and [`ABSTAIN`] for none.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["no", "yes"], ["yes", "yes"], ["yes", "yes"]])?;
    /// let (labels, decided) = (majority_vote(&votes), majority_vote(&votes).decided());
    /// assert_eq!([decided[labels.pattern_of(0)], decided[labels.pattern_of(1)]], [0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decided(&self) -> Vec<Vote> {
        parallel::map_each(self.patterns(), parallel::ROWS, |p| self.alone(p).unwrap_or(ABSTAIN))
    }

    /// The class of pattern `p` if it has votes and one class is the likeliest.
    fn alone(&self, p: usize) -> Option<Vote> {
        let probabilities = self.pattern(p);
        let highest = probabilities.iter().copied().fold(0.0, f64::max);
        let mut best = (1..).zip(probabilities).filter(|&(_, &p)| p >= highest - TOLERANCE).map(|(c, _)| c);
        let first = best.next()?;
        (self.is_voted(p) && best.next().is_none()).then_some(first)
    }

    /// The probability that item `i` is labelled `gold` if ties are broken at random: 1, 0, or a fraction if several classes
    /// share the highest probability. All scores count ties this way.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["no", "yes"], ["yes", "yes"]])?;
    /// let labels = majority_vote(&votes);
    /// assert_eq!([labels.chance_of(0, 2), labels.chance_of(1, 2), labels.chance_of(1, 1)], [0.5, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chance_of(&self, i: usize, gold: Vote) -> f64 {
        let highest = self.confidence(i);
        let best = || (1..).zip(self.item(i)).filter(|&(_, &p)| p >= highest - TOLERANCE).map(|(c, _)| c);
        if best().any(|class: Vote| class == gold) { 1.0 / best().count() as f64 } else { 0.0 }
    }

    /// The class of item `i` with the highest probability; `ties` says what to do if there are several, or no votes.
    ///
    /// ```
    /// use consilience::labels::Ties;
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["no", "yes", "yes"], ["", "", ""]])?;
    /// let labels = majority_vote(&votes);
    /// assert_eq!(labels.decide(0, Ties::Empty), votes.classes().vote("yes"));
    /// let coin = labels.decide(1, Ties::Random(7)); // nobody votes: one of the classes, by the seed
    /// assert!(coin.is_some() && coin == labels.decide(1, Ties::Random(7)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decide(&self, i: usize, ties: Ties) -> Option<Vote> {
        if let Some(class) = self.alone(self.pattern_of(i)) {
            return Some(class);
        }
        let (probabilities, highest) = (self.item(i), self.confidence(i));
        match ties {
            Ties::Empty => None,
            Ties::First => Some(self.likeliest(self.pattern_of(i))),
            Ties::Random(seed) => {
                let weights: Vec<f64> =
                    probabilities.iter().map(|&p| f64::from(p >= highest - TOLERANCE)).collect();
                let mut rng = Streams::new(seed).stream(self.items_before + i as u64);
                Some(pick(&weights, unit(&mut rng)) as Vote + 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::majority_vote;
    use crate::sources::{Classes, Sources};
    use crate::votes::{Votes, VotesBuilder};

    fn votes(k: usize, rows: &[[Vote; 3]]) -> Votes {
        let sources = Sources::new(vec!["a".into(), "b".into(), "c".into()]).unwrap();
        let mut builder = VotesBuilder::new(sources);
        for row in rows {
            builder.push_dense(row).unwrap();
        }
        builder.finish_as(Classes::numbered(k).unwrap()).unwrap()
    }

    #[test]
    fn majority_shares_the_votes() {
        let labels = majority_vote(&votes(3, &[[1, 1, 2], [0, 0, 0], [3, 0, 0]]));
        let close = |a: &[f64], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        assert!(close(labels.item(0), [2.0 / 3.0, 1.0 / 3.0, 0.0]));
        assert!(close(labels.item(1), [1.0 / 3.0; 3]));
        assert!(close(labels.item(2), [0.0, 0.0, 1.0]));
        assert!(labels.has_votes(0) && !labels.has_votes(1));
    }

    #[test]
    fn ties_and_items_without_votes_have_no_label_unless_asked() {
        let labels = majority_vote(&votes(3, &[[1, 1, 2], [2, 3, 0], [0, 0, 0], [1, 2, 3]]));
        let decided = |ties| (0..4).map(|i| labels.decide(i, ties)).collect::<Vec<_>>();
        assert_eq!(decided(Ties::Empty), [Some(1), None, None, None]);
        assert_eq!(decided(Ties::First), [Some(1), Some(2), Some(1), Some(1)]);
        let likeliest: Vec<Option<Vote>> =
            (0..4).map(|i| Some(labels.likeliest(labels.pattern_of(i)))).collect();
        assert_eq!(likeliest, decided(Ties::First));
        assert_eq!(decided(Ties::Random(3)), decided(Ties::Random(3)));
    }

    /// The same numbers as in python/tests/test_majority.py.
    #[test]
    fn random_ties_of_a_seed_stay_the_same() {
        let labels = majority_vote(&votes(3, &[[2, 3, 0]; 24]));
        let drawn: String = (0..24).map(|i| labels.decide(i, Ties::Random(1)).unwrap().to_string()).collect();
        assert_eq!(drawn, "233332322233333223322333");
    }

    #[test]
    fn random_ties_are_fair_and_stay_among_the_tied() {
        let labels = majority_vote(&votes(3, &vec![[2, 3, 0]; 10_000]));
        let (mut twos, mut threes) = (0i32, 0i32);
        for i in 0..labels.items() {
            match labels.decide(i, Ties::Random(11)) {
                Some(2) => twos += 1,
                Some(3) => threes += 1,
                other => panic!("{other:?} is not among the tied"),
            }
        }
        // Five standard errors of 10,000 fair coins.
        assert!((twos - threes).abs() < 500, "{twos} and {threes}");
    }
}
