//! The class shares of items without votes.

use super::{Correction, Corrector, LEAST};

/// How many answers the shares count for that are known without any answer to an item without votes.
const ASSUMED: f64 = 2.0;

impl Correction {
    /// A correction that changes nothing.
    pub(crate) fn none(k: usize) -> Self {
        Self {
            slope: 1.0,
            biases: vec![0.0; k],
            trends: vec![0.0; k],
            usual_votes: 1.0,
            shifts: Vec::new(),
            without_votes: None,
            answers: 0,
        }
    }

    /// Also takes the class shares of items without votes from `counts`, the answers for each class to such items. `p` are the uncorrected
    /// probabilities of such an item.
    ///
    /// # Formula
    /// ```text
    /// q(y) = ( counts(y) + 2 r(y) ) / ( Σ counts + 2 ),   score(y) = log q(y) - slope · log p(y)
    /// ```
    /// with r the probabilities that bias and trend alone would give.
    ///
    /// That nobody votes on an item says something about its class, other things than votes say about the classes of the rest: the
    /// answers to these items teach nothing about other items, and those to others little about these.
    pub(crate) fn with_answers_without_votes(mut self, p: &[f64], counts: &[f64]) -> Self {
        let answers: f64 = counts.iter().sum();
        if answers <= 0.0 {
            return self;
        }
        let mut assumed = p.to_vec();
        let without_shifts = Self { shifts: Vec::new(), ..self.clone() };
        Corrector::new(&without_shifts, 0).apply(std::iter::empty(), &mut assumed);
        let score = |((count, r), p): ((&f64, &f64), &f64)| {
            ((count + ASSUMED * r) / (answers + ASSUMED)).max(LEAST).ln() - self.slope * p.max(LEAST).ln()
        };
        self.without_votes = Some(counts.iter().zip(&assumed).zip(p).map(score).collect());
        self.answers += answers as usize;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_the_answers() {
        for k in [2, 3] {
            let p = vec![1.0 / k as f64; k];
            let mut counts = vec![0.0; k];
            (counts[0], counts[1]) = (7.0, 1.0);
            let correction =
                Correction { slope: 0.7, ..Correction::none(k) }.with_answers_without_votes(&p, &counts);
            assert_eq!(correction.answers, 8);
            let corrector = Corrector::new(&correction, 0);
            let mut q = p.clone();
            corrector.apply(std::iter::empty(), &mut q);
            for (y, q) in q.iter().enumerate() {
                let expected = (counts[y] + 2.0 / k as f64) / 10.0;
                assert!((q - expected).abs() < 1e-12, "{k} classes: {q} and {expected}");
            }
            let none = Correction::none(k).with_answers_without_votes(&p, &vec![0.0; k]);
            assert_eq!(none, Correction::none(k));
        }
    }
}
