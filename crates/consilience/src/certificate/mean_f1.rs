//! The interval of the mean F1 over the classes, by a Bayesian bootstrap.

use crate::interval::{Interval, Z_95};
use crate::parallel;
use crate::rng::{Stream, Streams};
use crate::sources::Vote;
use rand_distr::{Distribution as _, Gamma};

/// Draws; the ends of the interval then move by less than a tenth of its width from seed to seed.
const DRAWS: u64 = 2000;

/// How often each label counts as right, and as wrong, before any answer. In 300 draws of 30 answers, ½ covered 84% on crowd_web and
/// 81% on trec, ¼ 91% and 87%, and a plain bootstrap 90% and 82%.
const BEFORE: f64 = 0.25;

/// The fewest degrees of freedom, and what draws are at least multiplied by. Without both, intervals of six classes covered 90%; with
/// at least 8, those of ten classes covered 79% at 30 answers.
const LEAST_FREEDOM: f64 = 4.0;
const LEAST_WIDENING: f64 = 1.06;

/// The normal quantile of the accuracy that bounds the mean F1 of two classes: a bit above that of 95%, because both have to hold.
pub(super) const Z_BOUND: f64 = 2.05;

/// The mean of F1 over the classes that occur, and its 95% interval.
///
/// # Formula
/// ```text
/// θ_c ~ Dirichlet( answers t of items labelled c + before ),   before = ¼ for t = c, ¼ / (classes - 1) for each other t
/// F1_t = 2 m_t θ_tt / ( m_t + Σ_c m_c θ_ct ),   m_c = share of all items that is labelled c
/// low, high = the 2.5% and 97.5% quantiles of the mean of F1 over 2000 draws, their distance from the median times
///             max( 1.06, t / z ),   t: Student's 97.5% quantile for max( 4, answers / classes + 1 ) degrees of freedom
/// high of two classes: at most the largest mean F1 that any split of the errors has at the upper end of Wilson's 96% interval of
///                      the accuracy; 1 to 4% narrower, and not too wide where a few errors of thirty answers decide
/// ```
/// The draws treat as certain what so few answers say about each label; Student's quantile makes up for that.
/// The number of items with each label is known, and only their true classes are not. A plain bootstrap draws both, and
/// knows nothing about labels that no answered item has. `labelled` counts the items with each label, and `fraction` is the
/// share of all items that is answered; `highest_accuracy` is the upper end of the accuracy's 96% interval.
///
/// # Reference
/// Rubin (1981), The Bayesian bootstrap.
pub fn mean_f1(
    decided: &[Vote],
    truth: &[Vote],
    labelled: &[u64],
    fraction: f64,
    highest_accuracy: f64,
    seed: u64,
) -> Option<Interval> {
    let answered = Counts::new(decided, truth, labelled);
    let estimate = answered.estimate()?;
    if fraction >= 1.0 {
        return Some(Interval { estimate, low: estimate, high: estimate });
    }
    let streams = Streams::new(seed);
    let mut draws: Vec<f64> = parallel::map(0..DRAWS, |b| answered.draw(&mut streams.stream(b)));
    draws.sort_by(f64::total_cmp);
    let quantile = |share: f64| draws[((draws.len() - 1) as f64 * share).round() as usize];
    let scale = (1.0 - fraction).sqrt() * widening(decided.len(), labelled.len());
    let end = |share: f64| quantile(0.5) + scale * (quantile(share) - quantile(0.5));
    Some(Interval {
        estimate,
        low: end(0.025).clamp(0.0, 1.0).min(estimate),
        high: end(0.975).min(answered.bound(highest_accuracy)).clamp(0.0, 1.0).max(estimate),
    })
}

/// What distances from the median are multiplied by.
fn widening(answers: usize, classes: usize) -> f64 {
    let freedom = (answers as f64 / classes.max(1) as f64 + 1.0).max(LEAST_FREEDOM);
    (student(freedom) / Z_95).max(LEAST_WIDENING)
}

/// Student's 97.5% quantile.
///
/// # Formula
/// ```text
/// z + (z³ + z) / 4f + (5z⁵ + 16z³ + 3z) / 96f² + (3z⁷ + 19z⁵ + 17z³ - 15z) / 384f³        f degrees of freedom; right to 0.01 from 4 on
/// ```
/// # Reference
/// Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.7.5.
fn student(freedom: f64) -> f64 {
    let z = Z_95;
    z + (z.powi(3) + z) / (4.0 * freedom)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * freedom.powi(3))
}

/// Answers by label, and how many items have each label.
struct Counts<'a> {
    /// For each label, the answers to the items that have it, by class.
    answers: Vec<Vec<f64>>,
    labelled: &'a [u64],
}

impl<'a> Counts<'a> {
    fn new(decided: &[Vote], truth: &[Vote], labelled: &'a [u64]) -> Self {
        let k = labelled.len();
        let mut answers = vec![vec![0.0; k]; k];
        for (&label, &class) in decided.iter().zip(truth) {
            answers[usize::from(label) - 1][usize::from(class) - 1] += 1.0;
        }
        Self { answers, labelled }
    }

    /// The mean F1 of the answered items.
    fn estimate(&self) -> Option<f64> {
        average(&self.answers, |_| false)
    }

    /// The largest mean F1 that the accuracy allows, if there are two classes.
    fn bound(&self, highest_accuracy: f64) -> f64 {
        const SPLITS: u32 = 100;
        let [first, second] = self.labelled else { return 1.0 };
        let errors = 1.0 - highest_accuracy;
        let labelled = [first, second].map(|&count| count as f64 / (first + second) as f64);
        let of_split = |part: u32| {
            let share = f64::from(part) / f64::from(SPLITS);
            let wrong = [errors * share, errors * (1.0 - share)];
            let is_possible = wrong[0] <= labelled[0] && wrong[1] <= labelled[1];
            let items = [0, 1].map(|c| {
                let mut row = vec![labelled[c] - wrong[c], wrong[c]];
                row.rotate_right(c);
                row
            });
            if is_possible { average(&items, |_| false) } else { None }
        };
        (0..=SPLITS).filter_map(of_split).reduce(f64::max).unwrap_or(1.0)
    }

    /// The mean F1 of all items, as the answers let it be.
    fn draw(&self, rng: &mut Stream) -> f64 {
        let k = self.labelled.len();
        let all: u64 = self.labelled.iter().sum();
        let mut items = vec![vec![0.0; k]; k];
        for (label, row) in items.iter_mut().enumerate().filter(|(label, _)| self.labelled[*label] > 0) {
            for (class, x) in row.iter_mut().enumerate() {
                let before = if class == label { BEFORE } else { BEFORE / (k - 1).max(1) as f64 };
                // Every shape is above 0, so that there is such a distribution.
                *x = Gamma::new(self.answers[label][class] + before, 1.0)
                    .map_or(0.0, |gamma| gamma.sample(rng));
            }
            let sum = row.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            let share = self.labelled[label] as f64 / all as f64;
            for x in row.iter_mut() {
                *x *= share / sum;
            }
        }
        // A class that nobody has seen, neither as a label nor as an answer, may not be there at all.
        let unseen = |class: usize| {
            self.labelled[class] == 0 && self.answers.iter().all(|answers| answers[class] <= 0.0)
        };
        average(&items, unseen).unwrap_or(0.0)
    }
}

/// The mean of F1 over the classes that occur and are not left out.
fn average(items: &[Vec<f64>], left_out: impl Fn(usize) -> bool) -> Option<f64> {
    let k = items.len();
    let f1: Vec<f64> = (0..k)
        .filter(|&class| !left_out(class))
        .filter_map(|class| {
            let labelled: f64 = items[class].iter().sum();
            let there: f64 = items.iter().map(|row| row[class]).sum();
            (labelled + there > 0.0).then(|| 2.0 * items[class][class] / (labelled + there))
        })
        .collect();
    (!f1.is_empty()).then(|| f1.iter().sum::<f64>() / f1.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::wilson;
    use crate::report::score::ClassScore;
    use crate::rng::unit;

    fn highest(labels: &[Vote], truth: &[Vote], fraction: f64) -> f64 {
        let right = labels.iter().zip(truth).filter(|(label, class)| label == class).count();
        wilson(right as f64, labels.len() as f64, fraction, Z_BOUND).unwrap().high
    }

    #[test]
    fn the_estimate_is_the_mean_of_the_classes() {
        let (decided, truth) = ([1, 2, 2, 1, 2, 1, 1], [2, 2, 1, 1, 2, 2, 2]);
        let of = |class| ClassScore::new(class, &decided, &truth).unwrap().f1;
        let found = mean_f1(&decided, &truth, &[40, 30, 0], 0.0, 1.0, 1).unwrap();
        assert!((found.estimate - 0.5 * (of(1) + of(2))).abs() < 1e-12, "{found:?}");
        assert!(found.low < found.estimate && found.estimate < found.high);
        assert_eq!(mean_f1(&decided, &truth, &[40, 30, 0], 0.0, 1.0, 1), Some(found));
        assert_eq!(mean_f1(&[], &[], &[40, 30, 0], 0.0, 1.0, 1), None);
    }

    /// Where all items are answered, nothing is left to be uncertain of.
    #[test]
    fn all_items_leave_no_doubt() {
        let (decided, truth) = (vec![1, 2, 2, 1, 1, 2, 1, 2], vec![1, 2, 1, 1, 1, 2, 1, 2]);
        let found = mean_f1(&decided, &truth, &[4, 4], 1.0, 1.0, 1).unwrap();
        assert_eq!((found.low, found.high), (found.estimate, found.estimate));
    }

    /// Planted: labels of `k` classes of uneven shares, of which 80% are right.
    fn coverage(k: usize, answers: usize) -> f64 {
        let (runs, items) = (300u64, 3000);
        let mut rng = Streams::new(9).stream(0);
        let labels: Vec<Vote> = (0..items).map(|_| 1 + (unit(&mut rng).powi(2) * k as f64) as Vote).collect();
        let wrong = |label: Vote, rng: &mut Stream| {
            1 + (usize::from(label) + (unit(rng) * (k - 1) as f64) as usize) % k
        };
        let truth: Vec<Vote> = labels
            .iter()
            .map(|&label| if unit(&mut rng) < 0.8 { label } else { wrong(label, &mut rng) as Vote })
            .collect();
        let mut labelled = vec![0; k];
        for &label in &labels {
            labelled[usize::from(label) - 1] += 1;
        }
        let of_all = Counts::new(&labels, &truth, &labelled).estimate().unwrap();
        let covers = |run: &u64| {
            let drawn = crate::answers::sample(items, answers, *run);
            let (labels, truth): (Vec<Vote>, Vec<Vote>) =
                drawn.iter().map(|&i| (labels[i], truth[i])).unzip();
            let found =
                mean_f1(&labels, &truth, &labelled, 0.0, highest(&labels, &truth, 0.0), *run).unwrap();
            found.low <= of_all && of_all <= found.high
        };
        (0..runs).filter(covers).count() as f64 / runs as f64
    }

    /// Planted: even classes, and labels of which 93% are right. Six errors of thirty answers are too many for that, and five of them
    /// leave the truth just outside: with both ends of the draws 98.4% would be covered, with the bound 94.5%.
    #[test]
    fn few_errors_do_not_widen_too_much() {
        let labelled = [400, 400];
        let of = |errors: usize| {
            let labels: Vec<Vote> = (0..30).map(|i| 1 + (i % 2) as Vote).collect();
            let truth: Vec<Vote> =
                labels.iter().enumerate().map(|(i, &l)| if i < errors { 3 - l } else { l }).collect();
            mean_f1(&labels, &truth, &labelled, 30.0 / 800.0, highest(&labels, &truth, 30.0 / 800.0), 1)
                .unwrap()
        };
        let truth = 743.0 / 800.0;
        assert!(of(4).high > truth && of(5).high < truth, "{:?} {:?}", of(4), of(5));
        assert!(of(0).high > 0.999 && of(0).low < truth);
    }

    /// The bound is the best of all splits: of errors that are all in one label, or spread evenly.
    #[test]
    fn the_bound_is_the_best_split() {
        let (labels, truth) = (vec![1, 1, 1, 1, 2, 2, 2, 2, 2, 2], vec![1, 1, 1, 2, 2, 2, 2, 2, 2, 1]);
        let counts = Counts::new(&labels, &truth, &[30, 70]);
        let highest = highest(&labels, &truth, 0.0);
        let errors = 1.0 - highest;
        let f1 = |a: f64, b: f64| {
            let (tp, tn) = (0.3 - a, 0.7 - b);
            0.5 * (2.0 * tp / (2.0 * tp + a + b) + 2.0 * tn / (2.0 * tn + a + b))
        };
        let best =
            (0..=1000).map(|i| errors * f64::from(i) / 1000.0).map(|a| f1(a, errors - a)).fold(0.0, f64::max);
        assert!((counts.bound(highest) - best).abs() < 1e-4, "{} {best}", counts.bound(highest));
        assert!((Counts::new(&labels, &truth, &[30, 70, 0]).bound(highest) - 1.0).abs() < 1e-12);
    }

    /// Printed tables have 2.776, 2.571, 2.306, 2.131 and 1.984 for 4, 5, 8, 15 and 100 degrees of freedom.
    #[test]
    fn students_quantile() {
        for (freedom, expected) in [(4.0, 2.776), (5.0, 2.571), (8.0, 2.306), (15.0, 2.131), (100.0, 1.984)] {
            assert!((student(freedom) - expected).abs() < 0.01, "{freedom}: {}", student(freedom));
        }
        assert!((widening(28, 2) - 2.131 / Z_95).abs() < 0.01 && widening(300, 2) <= LEAST_WIDENING);
    }

    #[test]
    fn intervals_cover() {
        for (k, answers) in [(2, 30), (2, 100), (4, 50), (6, 100), (10, 50)] {
            let coverage = coverage(k, answers);
            assert!((0.92..=0.985).contains(&coverage), "{k} classes, {answers} answers: {coverage}");
        }
    }
}
