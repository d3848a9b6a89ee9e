//! How much weight training on the answers alone gets next to the corrected model.
//!
//! Where sources vote on nearly every item, a hundred answers teach more about them than the votes did; if they seldom vote,
//! answers alone know next to nothing. Held-out answers show which it is.
//!
//! # Formula
//! ```text
//! log q = (1 - w) log q_corrected + w log q_alone + constant,   w = argmax Σ_held-out log q(answer) - w
//! ```
//! q_alone is a ridge on the votes. Both are sums over votes, so that their mixture is a correction again. The last term is an
//! exponential prior: answers alone must be better by more than chance.

use rayon::prelude::*;

use super::fit::fit_one;
use super::objective::AnsweredRow;
use super::{Correction, CorrectionPriors, Corrector, Shift};
use crate::sources::Domain;

/// Fewer answers are not enough to choose by.
const FEWEST: f64 = 40.0;
/// Neither are these with fewer of the second most frequent class: of a rare class, answers alone know next to nothing.
const FEWEST_OF_SECOND: f64 = 8.0;

/// The number of folds, and the most rows that choosing looks at.
const FOLDS: usize = 5;
const MOST_ROWS: usize = 1000;

/// The weights to choose from; the model always keeps some say.
const STEPS: usize = 18;
const STEP: f64 = 0.05;

/// The spread of the weights of the ridge: a penalty of 1.
const RIDGE: f64 = 1.0;

/// What corrections are fitted to: the answers, the classes, the sources, the usual number of votes, and the priors.
#[derive(Clone, Copy)]
pub(crate) struct Lesson<'a> {
    pub(crate) k: usize,
    pub(crate) domains: &'a [Domain],
    pub(crate) usual_votes: f64,
    pub(crate) priors: CorrectionPriors,
}

impl Lesson<'_> {
    /// The model corrected by the answers of `rows`.
    fn corrected(&self, rows: &[AnsweredRow]) -> Correction {
        fit_one(rows, self.k, self.domains, self.usual_votes, self.priors)
    }

    /// A ridge on the votes of the answered items alone.
    fn alone(&self, rows: &[AnsweredRow]) -> Correction {
        let blank: Vec<AnsweredRow> =
            rows.iter().map(|row| AnsweredRow { log_p: vec![0.0; self.k], ..row.clone() }).collect();
        let priors = CorrectionPriors {
            slope: 1e-6,
            bias: 3.0,
            trend: 0.0,
            source: 0.0,
            // The prior of single votes is lowered where items have many, which is meant for corrections.
            vote: RIDGE / CorrectionPriors::lowered_by(self.usual_votes.max(1.0)),
            other: 0.0,
            wider_where_contradicted: false,
        };
        fit_one(&blank, self.k, self.domains, self.usual_votes, priors)
    }

    /// What answers alone have to say, from 0 to 0.9.
    pub(crate) fn share_of_answers(&self, rows: &[AnsweredRow]) -> f64 {
        if too_few(rows, self.k) {
            return 0.0;
        }
        let every = rows.len().div_ceil(MOST_ROWS);
        let rows: Vec<&AnsweredRow> = rows.iter().step_by(every).collect();
        let of_fold = |fold: usize| -> Vec<f64> {
            let (held, rest): (Vec<_>, Vec<_>) =
                rows.iter().enumerate().partition(|(place, _)| place % FOLDS == fold);
            let rest: Vec<AnsweredRow> = rest.into_iter().map(|(_, row)| (*row).clone()).collect();
            let (corrected, alone) = (self.corrected(&rest), self.alone(&rest));
            let mut gained = vec![0.0; STEPS + 1];
            for (step, gained) in gained.iter_mut().enumerate() {
                let mixed = mix(&corrected, &alone, STEP * step as f64);
                let corrector = Corrector::new(&mixed, self.domains.len());
                for (_, row) in &held {
                    let mut q: Vec<f64> = row.log_p.iter().map(|log_p| log_p.exp()).collect();
                    corrector.apply(row.votes.iter().copied(), &mut q);
                    *gained +=
                        row.counts.iter().zip(&q).map(|(count, q)| count * q.max(1e-12).ln()).sum::<f64>();
                }
            }
            gained
        };
        let by_fold: Vec<Vec<f64>> = (0..FOLDS).into_par_iter().map(of_fold).collect();
        let gain = |step: usize| by_fold.iter().map(|gained| gained[step]).sum::<f64>() - STEP * step as f64;
        let best = (0..=STEPS).fold(0, |best, step| if gain(step) > gain(best) { step } else { best });
        STEP * best as f64
    }

    /// The correction in which answers alone have that much to say.
    pub(crate) fn learned(&self, rows: &[AnsweredRow], share: f64) -> Correction {
        let corrected = self.corrected(rows);
        if share > 0.0 { mix(&corrected, &self.alone(rows), share) } else { corrected }
    }
}

fn too_few(rows: &[AnsweredRow], k: usize) -> bool {
    let mut of_class: Vec<f64> = (0..k).map(|y| rows.iter().map(|row| row.counts[y]).sum()).collect();
    of_class.sort_by(|a, b| b.total_cmp(a));
    of_class.iter().sum::<f64>() < FEWEST || of_class.get(1).is_none_or(|&second| second < FEWEST_OF_SECOND)
}

/// (1 - w) a + w b, part by part; both were fitted to the same rows, and b does not read the model.
fn mix(a: &Correction, b: &Correction, w: f64) -> Correction {
    let between =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| (1.0 - w) * a + w * b).collect() };
    let shift = |(a, b): (&Shift, &Shift)| Shift { scores: between(&a.scores, &b.scores), ..a.clone() };
    Correction {
        slope: (1.0 - w) * a.slope,
        biases: between(&a.biases, &b.biases),
        trends: between(&a.trends, &b.trends),
        shifts: a.shifts.iter().zip(&b.shifts).map(shift).collect(),
        ..a.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};
    use crate::sources::Vote;

    /// Answered items on which source j is right with probability `right[j]`; the model says `p` for the first class.
    fn rows(items: usize, right: &[f64], p: impl Fn(Vote) -> f64) -> Vec<AnsweredRow> {
        let mut rng = Streams::new(4).stream(0);
        let mut row = |_| {
            let class: Vote = 1 + Vote::from(unit(&mut rng) < 0.5);
            let votes = (0..right.len())
                .map(|j| (j, if unit(&mut rng) < right[j] { class } else { 3 - class }))
                .collect();
            let first = p(class);
            AnsweredRow {
                votes,
                log_p: vec![first.ln(), (1.0 - first).ln()],
                counts: (1..=2).map(|c| f64::from(u8::from(c == class))).collect(),
            }
        };
        (0..items).map(&mut row).collect()
    }

    fn lesson(domains: &[Domain]) -> Lesson<'_> {
        Lesson { k: 2, domains, usual_votes: domains.len() as f64, priors: CorrectionPriors::default() }
    }

    /// A model that is always wrong adds nothing to good sources; one that is right needs no answers, and a few answers
    /// are not asked.
    #[test]
    fn held_out_answers_decide() {
        let domains = vec![Domain::full(2); 4];
        let lesson = lesson(&domains);
        let right = [0.9, 0.85, 0.8, 0.5];
        let misled = |class: Vote| if class == 1 { 0.02 } else { 0.98 };
        let noisy = rows(100, &right, |_| 0.5);
        assert!(lesson.share_of_answers(&noisy) > 0.2);
        assert!(lesson.share_of_answers(&rows(200, &[0.5; 4], |class| 1.0 - misled(class))) < 0.2);
        assert!(lesson.share_of_answers(&rows(30, &right, |_| 0.5)) <= 0.0);
    }

    /// Forty answers of which seven are of the other class are not asked; with one more they are.
    #[test]
    fn rare_classes_are_left_to_the_model() {
        let of = |first: f64, second: f64| {
            vec![AnsweredRow { votes: Vec::new(), log_p: vec![-0.7; 2], counts: vec![first, second] }]
        };
        assert!(too_few(&of(33.0, 7.0), 2) && !too_few(&of(32.0, 8.0), 2));
        assert!(too_few(&of(19.0, 20.0), 2) && too_few(&of(100.0, 0.0), 2));
    }

    /// The mixture of two corrections is the mixture of their log probabilities.
    #[test]
    fn mixtures_are_corrections() {
        let domains = vec![Domain::full(2); 3];
        let lesson = lesson(&domains);
        let rows = rows(60, &[0.9, 0.7, 0.6], |class| if class == 1 { 0.7 } else { 0.4 });
        let (a, b) = (lesson.corrected(&rows), lesson.alone(&rows));
        let apply = |correction: &Correction, row: &AnsweredRow| {
            let mut q: Vec<f64> = row.log_p.iter().map(|x| x.exp()).collect();
            Corrector::new(correction, 3).apply(row.votes.iter().copied(), &mut q);
            (q[0] / q[1]).ln()
        };
        for row in &rows[..10] {
            let expected = 0.7 * apply(&a, row) + 0.3 * apply(&b, row);
            // The ridge reads the model with a slope that is all but 1, which the mixture leaves out.
            let read = row.log_p[0] - row.log_p[1];
            let found = apply(&mix(&a, &b, 0.3), row);
            assert!((found - (expected - 0.3 * read)).abs() < 1e-4, "{found} {expected}");
        }
    }
}
