//! Decisions with the highest expected F1 of a class.

use super::Labels;
use crate::sources::Vote;

/// The probability threshold for a class that maximizes its expected F1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F1Decision {
    /// The class.
    pub class: Vote,
    /// Items with at least this probability are labelled with the class.
    pub threshold: f64,
    /// The expected F1, according to the probabilities.
    pub expected: f64,
}

impl Labels {
    /// The threshold on the probability of `class` with the highest expected F1 over the items with votes; `None` if there are
    /// no such items.
    ///
    /// # Formula
    /// ```text
    /// max over cuts of  2 Σ p of the items above / ( their number + Σ p of all ),   cuts between different p only
    /// ```
    /// It trusts the probabilities: if they are too high for a rare class, far too many items are chosen.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let rows = [["ham", "ham", "ham"], ["ham", "ham", "spam"], ["spam", "spam", "spam"]];
    /// let votes = Votes::from_text(&["a", "b", "c"], rows)?;
    /// let labels = majority_vote(&votes);
    /// let spam = votes.classes().vote("spam").expect("a class");
    /// let decision = labels.expected_f1(spam).expect("there are votes");
    /// assert_eq!(labels.decide_f1(2, &decision), Some(spam));
    /// assert!(decision.expected > 0.8 && decision.threshold > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_f1(&self, class: Vote) -> Option<F1Decision> {
        let at = usize::from(class).checked_sub(1).filter(|&at| at < self.classes.len())?;
        let mut items = vec![0u64; self.patterns()];
        (0..self.items()).filter(|&i| self.has_votes(i)).for_each(|i| items[self.pattern_of(i)] += 1);
        let mut order: Vec<(f64, f64)> = items
            .iter()
            .enumerate()
            .filter(|(_, items)| **items > 0)
            .map(|(p, &items)| (self.pattern(p)[at], items as f64))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let all: f64 = order.iter().map(|(p, items)| p * items).sum();
        let (mut chosen, mut right) = (0.0, 0.0);
        let mut best: Option<F1Decision> = None;
        for (place, &(p, items)) in order.iter().enumerate() {
            chosen += items;
            right += p * items;
            let expected = 2.0 * right / (chosen + all);
            let last = order.get(place + 1).is_none_or(|&(next, _)| next < p);
            if last && best.is_none_or(|best| expected > best.expected) {
                best = Some(F1Decision { class, threshold: p, expected });
            }
        }
        best
    }

    /// The class of item `i` by `decision`: its class, or else the likeliest other class; `None` if nobody votes.
    pub fn decide_f1(&self, i: usize, decision: &F1Decision) -> Option<Vote> {
        if !self.has_votes(i) {
            return None;
        }
        let probabilities = self.item(i);
        if probabilities[usize::from(decision.class) - 1] >= decision.threshold {
            return Some(decision.class);
        }
        let others = (1..).zip(probabilities).filter(|&(c, _): &(Vote, _)| c != decision.class);
        let better = |best: Option<(Vote, f64)>, (c, &p): (Vote, &f64)| match best {
            Some((_, highest)) if highest >= p => best,
            _ => Some((c, p)),
        };
        others.fold(None, better).map(|(c, _)| c)
    }
}

#[cfg(test)]
mod tests {
    use crate::labels::majority_vote;
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;

    /// Probabilities of the second class: 1, 2/3, 1/3 and 0, one item each. F1 of the first one alone is 2 / 3, of two
    /// 10/3 / 4 = 5/6, of three 4 / 5, of all 4 / 6.
    #[test]
    fn the_best_cut_is_found() {
        let mut builder = VotesBuilder::new(Sources::new(vec!["a".into(), "b".into(), "c".into()]).unwrap());
        for row in [[2, 2, 2], [2, 2, 1], [2, 1, 1], [1, 1, 1], [0, 0, 0]] {
            builder.push_dense(&row).unwrap();
        }
        let labels = majority_vote(&builder.finish_as(Classes::numbered(2).unwrap()).unwrap());
        let decision = labels.expected_f1(2).unwrap();
        assert!((decision.expected - 5.0 / 6.0).abs() < 1e-12, "{decision:?}");
        let decided: Vec<_> = (0..5).map(|i| labels.decide_f1(i, &decision)).collect();
        assert_eq!(decided, [Some(2), Some(2), Some(1), Some(1), None]);
        assert_eq!(labels.expected_f1(3), None);
    }
}
