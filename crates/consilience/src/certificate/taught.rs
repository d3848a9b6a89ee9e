//! What changes if the answers that judge labels also corrected the model that made them.

/// By how much the variance of estimates is larger than if the answers were independent of the labels.
///
/// Answers that judge a model also moved its labels. Where two classes are nearly equally probable for many items, the answers
/// decide between them, and a model that lacks one of them may decide the other way: the held-out labels of all these items
/// are right or wrong together. So the variance grows with the share of such answers.
///
/// # Formula
/// ```text
/// close         share of the answers to labelled items whose two most probable classes differ by less than 0.25 in held-out log odds
/// of labels     1.05 + 2.5 close     shares of correct labels, and F1
/// of precision  1.15 + 4 close
/// of recall     1.05 + 7 close         what moves from one class to another changes only the counter
/// of the mean   1 + 1.5 close        the mean F1, where what one class gains another loses
/// ```
/// On fourteen tables with 30 to 300 answers, `close` is 0 to 0.29, and the variance 0.8 to 1.6 times (precision 1.0 to 1.9,
/// recall 1.0 to 2.2) that of independent answers. Between tables, `close` explains most of that. On the 108 items of
/// crowd_bluebird, precision and recall vary more, because few items are left.
///
/// `board --widening --planted 1` chooses such constants by coverage, on planted tables and on two of the three kinds of real
/// tables, and scores the third (`bench/NOTES.md`).
#[derive(Clone, Copy, Debug)]
pub struct Widening {
    /// The share of answers whose two most probable classes are close.
    pub close: f64,
}

/// Two classes are close if they differ by less than this in log odds.
const CLOSE: f64 = 0.25;

impl Widening {
    /// `held_out`: the probability of each of `k` classes, answer by answer, from models that have not seen the answer; of the
    /// answers that judge a label.
    pub fn new<'a>(held_out: impl IntoIterator<Item = &'a [f64]>, k: usize) -> Self {
        let is_close = |p: &[f64]| {
            debug_assert_eq!(p.len(), k);
            let (first, second) =
                p.iter().fold(
                    (0.0, 0.0),
                    |(first, second): (f64, f64), &p| {
                        if p > first { (p, first) } else { (first, second.max(p)) }
                    },
                );
            first < second * CLOSE.exp()
        };
        let (mut close, mut answers) = (0.0, 0.0);
        for p in held_out {
            answers += 1.0;
            close += f64::from(u8::from(is_close(p)));
        }
        Self { close: close / f64::max(answers, 1.0) }
    }

    /// The factor for shares of correct labels and for F1.
    pub fn of_labels(self) -> f64 {
        1.05 + 2.5 * self.close
    }

    /// The factor for precision.
    pub fn of_precision(self) -> f64 {
        1.15 + 4.0 * self.close
    }

    /// The factor for recall.
    pub fn of_recall(self) -> f64 {
        1.05 + 7.0 * self.close
    }

    /// The factor for the mean F1.
    pub fn of_mean(self) -> f64 {
        1.0 + 1.5 * self.close
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Certified, certify};
    use super::*;
    use crate::interval::{Interval, Z_95, wilson};
    use crate::sources::{ABSTAIN, Classes, Vote};

    #[test]
    fn close_answers_are_counted() {
        let close = |p: &[f64], k| Widening::new(p.chunks_exact(k), k).close;
        assert!((close(&[0.55, 0.45, 0.6, 0.4, 0.5, 0.5, 1.0, 0.0], 2) - 0.5).abs() < 1e-12);
        assert!((close(&[0.1, 0.43, 0.47, 0.8, 0.1, 0.1], 3) - 0.5).abs() < 1e-12);
        assert!(close(&[], 2).abs() < 1e-12);
    }

    /// Planted: items of four kinds whose class is a coin with its own chance. Answers decide which class each kind is labelled
    /// with, and judge these labels. The intervals of precision cover that of the items without answers.
    #[test]
    fn answers_that_taught_the_labels_are_covered() {
        use crate::rng::{Streams, unit};
        const CHANCES: [f64; 4] = [0.9, 0.65, 0.5, 0.3];
        let classes = Classes::numbered(2).unwrap();
        let (items, given, folds) = (2_000, 100, 20);
        let runs = 600u64;
        let (mut covered, mut plain) = (0u32, 0u32);
        for run in 0..runs {
            let mut rng = Streams::new(11).stream(run);
            let truth: Vec<Vote> =
                (0..items).map(|i| if unit(&mut rng) < CHANCES[i % 4] { 2 } else { 1 }).collect();
            // The probability of class 2 for each kind by the answers that are not in the part `without`.
            let by_answers = |without: usize| {
                let (mut counts, mut all) = ([1.0; 4], [2.0; 4]);
                for i in (0..given).filter(|i| i / 4 % folds != without) {
                    counts[i % 4] += f64::from(truth[i] - 1);
                    all[i % 4] += 1.0;
                }
                [0, 1, 2, 3].map(|kind| counts[kind] / all[kind])
            };
            let label = |p: f64| if p > 0.5 { 2 } else { 1 };
            let all = by_answers(folds).map(label);
            let labels: Vec<Vote> =
                (0..items).map(|i| if i < given { truth[i] } else { all[i % 4] }).collect();
            let answers: Vec<Vote> = (0..items).map(|i| if i < given { truth[i] } else { ABSTAIN }).collect();
            let second: Vec<f64> = (0..given).map(|i| by_answers(i / 4 % folds)[i % 4]).collect();
            let held: Vec<Vote> = second.iter().copied().map(label).collect();
            let held_out: Vec<f64> = second.iter().flat_map(|&p| [1.0 - p, p]).collect();
            let certified = Certified {
                classes: &classes,
                labels: &labels,
                probabilities: None,
                answers: &answers,
                held_out: Some(&held_out),
                held_out_labels: None,
            };
            let interval = certify(&certified, None).unwrap().classes[1].1.precision.unwrap();
            let (mut both, mut labelled) = (0.0, 0.0);
            for i in (given..items).filter(|&i| labels[i] == 2) {
                both += f64::from(u8::from(truth[i] == 2));
                labelled += 1.0;
            }
            let is_in = |interval: Interval| (interval.low..=interval.high).contains(&(both / labelled));
            covered += u32::from(is_in(interval));
            let right = held.iter().zip(&truth).filter(|&(&label, &truth)| label == 2 && truth == 2).count();
            let named = held.iter().filter(|&&label| label == 2).count();
            let fraction = -(given as f64) / (items - given) as f64;
            plain += u32::from(is_in(wilson(right as f64, named as f64, fraction, Z_95).unwrap()));
        }
        let share = |covered: u32| f64::from(covered) / runs as f64;
        assert!((0.93..=0.98).contains(&share(covered)), "{}", share(covered));
        // Without the widening they would not.
        assert!(share(plain) < 0.93, "{}", share(plain));
    }
}
