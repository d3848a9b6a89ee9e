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

use super::design::{Design, Tally};
use super::fit::{Solution, TOLERANCE, solve};
use super::objective::{AnsweredRow, Objective};
use super::{Correction, CorrectionPriors, Shift};
use crate::num::softmax_in_place;
use crate::parallel;
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

/// No held-out answer counts as less probable.
const LEAST_PROBABLE: f64 = 1e-12;

/// The spread of the weights of the ridge: a penalty of 1.
const RIDGE: f64 = 1.0;

/// What is left to be gained where a search begins at a solution and only chooses: the steps to choose from are far coarser.
const ROUGH: f64 = 1e-4;

/// What corrections are fitted to: the answered rows, the sources, and the priors.
pub(crate) struct Lesson<'a> {
    design: Design,
    domains: &'a [Domain],
    priors: CorrectionPriors,
    ridge: CorrectionPriors,
}

/// What answers teach, and where the fits with more answers may begin.
pub(crate) struct Learned {
    corrected: Solution,
    alone: Option<Solution>,
    /// What answers alone have to say, from 0 to 0.9.
    share: f64,
}

impl<'a> Lesson<'a> {
    /// For `k` classes, sources with these domains, and a table with `usual_votes` on an item that has any.
    pub(crate) fn new(
        rows: &[AnsweredRow],
        k: usize,
        domains: &'a [Domain],
        usual_votes: f64,
        priors: CorrectionPriors,
    ) -> Self {
        let ridge = CorrectionPriors {
            slope: 1e-6,
            bias: 3.0,
            trend: 0.0,
            source: 0.0,
            // The prior of single votes is lowered where items have many, which is meant for corrections.
            vote: RIDGE / CorrectionPriors::lowered_by(usual_votes.max(1.0)),
            other: 0.0,
            wider_where_contradicted: false,
        };
        Self { design: Design::new(rows, k, usual_votes), domains, priors, ridge }
    }

    /// What the model corrected by the answers of `tally` is fitted by.
    fn corrected<'b>(&'b self, tally: &'b Tally) -> Objective<'b> {
        Objective::new(&self.design, tally, self.priors)
    }

    /// The same for a ridge on the votes of the answered items alone.
    fn alone<'b>(&'b self, tally: &'b Tally) -> Objective<'b> {
        Objective::new(&self.design, tally, self.ridge).without_model()
    }

    /// What the answers of `tally` teach.
    pub(crate) fn learn(&self, tally: &Tally) -> Learned {
        self.learn_choosing_to(tally, TOLERANCE)
    }

    /// The same, with the share chosen by fits that are only as close as the choice needs.
    pub(crate) fn learn_roughly(&self, tally: &Tally) -> Learned {
        self.learn_choosing_to(tally, ROUGH)
    }

    fn learn_choosing_to(&self, tally: &Tally, tolerance: f64) -> Learned {
        let corrected = solve(&self.corrected(tally), None, TOLERANCE);
        if too_few(tally) {
            return Learned { corrected, alone: None, share: 0.0 };
        }
        let alone = solve(&self.alone(tally), None, TOLERANCE);
        let share = self.choose(tally, [&corrected, &alone], tolerance);
        Learned { corrected, alone: Some(alone), share }
    }

    /// The same for more answers than those that taught `fewer`, with its share. An answer that is held out must be in neither: where
    /// a search begins shows in the last digits of where it ends.
    pub(crate) fn learn_more(&self, tally: &Tally, fewer: &Learned) -> Learned {
        let ridge = || solve(&self.alone(tally), fewer.alone.as_ref(), TOLERANCE);
        Learned {
            corrected: solve(&self.corrected(tally), Some(&fewer.corrected), TOLERANCE),
            alone: (fewer.share > 0.0).then(ridge),
            share: fewer.share,
        }
    }

    /// The share of answers alone that predicts held-out folds best; `all` are the solutions for the answers of all folds.
    fn choose(&self, tally: &Tally, all: [&Solution; 2], tolerance: f64) -> f64 {
        let every = self.design.rows().div_ceil(MOST_ROWS);
        let fold_of = |row: usize| (row / every) % FOLDS;
        let looked_at = tally.filter(|row| row % every == 0);
        let of_fold = |fold: usize| {
            let rest = looked_at.filter(|row| fold_of(row) != fold);
            let (corrected, alone) = (self.corrected(&rest), self.alone(&rest));
            let solutions =
                [solve(&corrected, Some(all[0]), tolerance), solve(&alone, Some(all[1]), tolerance)];
            let held = looked_at.filter(|row| fold_of(row) == fold);
            let (mut gained, mut q) = (vec![0.0; STEPS + 1], vec![0.0; self.design.k]);
            for (row, counts) in held.iter() {
                let (a, b) =
                    (corrected.scores_at(row, &solutions[0].x), alone.scores_at(row, &solutions[1].x));
                for (step, gained) in gained.iter_mut().enumerate() {
                    mix_into(&mut q, &a, &b, STEP * step as f64);
                    softmax_in_place(&mut q);
                    *gained += counts
                        .iter()
                        .zip(&q)
                        .map(|(count, q)| count * q.max(LEAST_PROBABLE).ln())
                        .sum::<f64>();
                }
            }
            gained
        };
        let by_fold: Vec<Vec<f64>> = parallel::map(0..FOLDS, of_fold);
        let gain = |step: usize| by_fold.iter().map(|gained| gained[step]).sum::<f64>() - STEP * step as f64;
        let best = (0..=STEPS).fold(0, |best, step| if gain(step) > gain(best) { step } else { best });
        STEP * best as f64
    }

    /// The correction that the answers of `tally` taught.
    pub(crate) fn correction(&self, tally: &Tally, learned: &Learned) -> Correction {
        let corrected = self.corrected(tally).correction(&learned.corrected.x, self.domains);
        match &learned.alone {
            Some(alone) if learned.share > 0.0 => {
                mix(&corrected, &self.alone(tally).correction(&alone.x, self.domains), learned.share)
            }
            _ => corrected,
        }
    }
}

fn too_few(tally: &Tally) -> bool {
    let mut of_class = tally.by_class();
    of_class.sort_by(|a, b| b.total_cmp(a));
    of_class.iter().sum::<f64>() < FEWEST || of_class.get(1).is_none_or(|&second| second < FEWEST_OF_SECOND)
}

/// (1 - w) a + w b into `mixed`.
fn mix_into(mixed: &mut [f64], a: &[f64], b: &[f64], w: f64) {
    mixed.iter_mut().zip(a.iter().zip(b)).for_each(|(mixed, (a, b))| *mixed = (1.0 - w) * a + w * b);
}

/// The same part by part; both were fitted to the same rows, and b does not read the model.
fn mix(a: &Correction, b: &Correction, w: f64) -> Correction {
    let between = |a: &[f64], b: &[f64]| -> Vec<f64> {
        let mut mixed = vec![0.0; a.len()];
        mix_into(&mut mixed, a, b, w);
        mixed
    };
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
    use super::super::Corrector;
    use super::*;
    use crate::rng::{Streams, unit};
    use crate::sources::Vote;

    /// Answered items on which source j is right with probability `right[j]`, and their answers for each class, row by row; the
    /// model says `p` for the first class.
    fn rows(items: usize, right: &[f64], p: impl Fn(Vote) -> f64) -> (Vec<AnsweredRow>, Tally) {
        let mut rng = Streams::new(4).stream(0);
        let mut row = |_| {
            let class: Vote = 1 + Vote::from(unit(&mut rng) < 0.5);
            let votes = (0..right.len())
                .map(|j| (j, if unit(&mut rng) < right[j] { class } else { 3 - class }))
                .collect();
            let first = p(class);
            let counts: Vec<f64> = (1..=2).map(|c| f64::from(u8::from(c == class))).collect();
            (AnsweredRow { votes, log_p: vec![first.ln(), (1.0 - first).ln()] }, counts)
        };
        let (rows, counts): (Vec<AnsweredRow>, Vec<Vec<f64>>) = (0..items).map(&mut row).unzip();
        (rows, Tally::new(2, &counts.concat()))
    }

    fn lesson<'a>(rows: &[AnsweredRow], domains: &'a [Domain]) -> Lesson<'a> {
        Lesson::new(rows, 2, domains, domains.len() as f64, CorrectionPriors::default())
    }

    /// A model that is always wrong adds nothing to good sources; one that is right needs no answers, and a few answers
    /// are not asked.
    #[test]
    fn held_out_answers_decide() {
        let domains = vec![Domain::full(2); 4];
        let share = |(rows, tally): (Vec<AnsweredRow>, Tally)| lesson(&rows, &domains).learn(&tally).share;
        let right = [0.9, 0.85, 0.8, 0.5];
        let misled = |class: Vote| if class == 1 { 0.02 } else { 0.98 };
        assert!(share(rows(100, &right, |_| 0.5)) > 0.2);
        assert!(share(rows(200, &[0.5; 4], |class| 1.0 - misled(class))) < 0.2);
        assert!(share(rows(30, &right, |_| 0.5)) <= 0.0);
    }

    /// Forty answers of which seven are of the other class are not asked; with one more they are.
    #[test]
    fn rare_classes_are_left_to_the_model() {
        let too_few = |first: f64, second: f64| too_few(&Tally::new(2, &[first, second]));
        assert!(too_few(33.0, 7.0) && !too_few(32.0, 8.0));
        assert!(too_few(19.0, 20.0) && too_few(100.0, 0.0));
    }

    /// A fit that begins at the solution with fewer answers ends where one that begins at no correction does.
    #[test]
    fn the_beginning_of_a_search_does_not_matter() {
        let domains = vec![Domain::full(2); 5];
        let right = [0.95, 0.8, 0.7, 0.6, 0.5];
        let (rows, tally) = rows(120, &right, |class| if class == 1 { 0.6 } else { 0.45 });
        let lesson = lesson(&rows, &domains);
        for fold in 0..6 {
            let fewer = tally.filter(|row| row % 6 != fold && row % 6 != (fold + 1) % 6);
            let (rough, close) = (lesson.learn_roughly(&fewer), lesson.learn(&fewer));
            assert!((rough.share - close.share).abs() < 1.01 * STEP, "{} and {}", rough.share, close.share);
            let more = tally.filter(|row| row % 6 != fold);
            let warm = lesson.correction(&more, &lesson.learn_more(&more, &rough));
            let cold = lesson.correction(&more, &Learned { share: rough.share, ..lesson.learn(&more) });
            assert!((warm.slope - cold.slope).abs() < 1e-3, "{} and {}", warm.slope, cold.slope);
            for (a, b) in warm.shifts.iter().zip(&cold.shifts) {
                for (a, b) in a.scores.iter().zip(&b.scores) {
                    assert!((a - b).abs() < 1e-3, "{a} and {b}");
                }
            }
        }
    }

    /// The mixture of two corrections is the mixture of their log probabilities.
    #[test]
    fn mixtures_are_corrections() {
        let domains = vec![Domain::full(2); 3];
        let (rows, tally) = rows(60, &[0.9, 0.7, 0.6], |class| if class == 1 { 0.7 } else { 0.4 });
        let lesson = lesson(&rows, &domains);
        let of =
            |objective: Objective<'_>| objective.correction(&solve(&objective, None, TOLERANCE).x, &domains);
        let (a, b) = (of(lesson.corrected(&tally)), of(lesson.alone(&tally)));
        let apply = |correction: &Correction, row: &AnsweredRow| {
            let mut q: Vec<f64> = row.log_p.iter().map(|x| x.exp()).collect();
            Corrector::new(correction, 3).apply(row.votes.iter().copied(), &mut q);
            (q[0] / q[1]).ln()
        };
        for row in &rows[..10] {
            let expected = 0.7 * apply(&a, row) + 0.3 * apply(&b, row);
            // The ridge reads the model with a slope of 1, which the mixture leaves out.
            let read = row.log_p[0] - row.log_p[1];
            let found = apply(&mix(&a, &b, 0.3), row);
            assert!((found - (expected - 0.3 * read)).abs() < 1e-4, "{found} {expected}");
        }
    }
}
