//! How often the intervals of `certify` cover the truth on real tables, and how wide they are.

use std::fmt::Write as _;

use consilience::answers::{Answers, sample};
use consilience::certificate::{Certificate, Certified, Widening, certify};
use consilience::interval::Interval;
use consilience::labels::{Ties, correct, held_out, infer};
use consilience::model::{CorrectionPriors, Dependence, FitOptions, Fitted, fit};
use consilience::report::score::{ClassScore, accuracy};
use consilience::sources::{ABSTAIN, Vote};
use consilience_reproduce::set::Set;
use rayon::prelude::*;

/// Numbers of answers.
pub(crate) const COUNTS: [usize; 4] = [30, 50, 100, 300];

/// What is covered, in the order of the columns.
const WHAT: [&str; 6] = ["accuracy", "precision", "recall", "F1", "mean F1", "share"];

/// How often intervals covered, out of how many, and the sum of their widths relative to the answers alone (shares).
#[derive(Clone, Copy, Default)]
struct Covered {
    times: f64,
    all: f64,
    width: f64,
}

impl Covered {
    fn add(&mut self, interval: Option<&Interval>, truth: f64, width: f64) {
        let Some(interval) = interval else { return };
        self.all += 1.0;
        // Estimates and truths are ratios of counts: equal ones may differ in the last bit.
        self.times += f64::from(u8::from(interval.low <= truth + 1e-12 && truth <= interval.high + 1e-12));
        self.width += width;
    }

    fn join(&mut self, other: Self) {
        self.times += other.times;
        self.all += other.all;
        self.width += other.width;
    }

    fn share(self) -> f64 {
        self.times / self.all.max(1.0)
    }
}

/// Labels of the items that have gold, empty where nobody votes or classes tie.
pub(crate) struct Known {
    pub(crate) items: Vec<usize>,
    labels: Vec<Vote>,
    probabilities: Vec<f64>,
    gold: Vec<Vote>,
}

impl Known {
    pub(crate) fn new(set: &Set, fitted: &Fitted) -> anyhow::Result<Self> {
        let labels = infer(fitted, &set.votes)?;
        let k = set.votes.classes().len();
        let items: Vec<usize> =
            (0..set.votes.items()).filter(|&i| (1..=k).contains(&usize::from(set.gold[i]))).collect();
        Ok(Self {
            labels: items.iter().map(|&i| labels.decide(i, Ties::Empty).unwrap_or(ABSTAIN)).collect(),
            probabilities: items.iter().flat_map(|&i| labels.item(i).to_vec()).collect(),
            gold: items.iter().map(|&i| set.gold[i]).collect(),
            items,
        })
    }
}

/// What certificates are about, of all items that are judged.
pub(crate) struct Truth {
    pub(crate) accuracy: f64,
    /// Precision, recall and F1 of each class; `None` if neither label nor gold has it.
    pub(crate) classes: Vec<Option<ClassScore>>,
    pub(crate) mean_f1: f64,
    shares: Vec<f64>,
}

impl Truth {
    /// Of the labelled items for which `judged` holds; shares are of all.
    fn new(known: &Known, k: usize, judged: impl Fn(usize) -> bool) -> Self {
        let counts = |&place: &usize| judged(place) && known.labels[place] != ABSTAIN;
        let pick = |list: &[Vote]| -> Vec<Vote> {
            (0..list.len()).filter(counts).map(|place| list[place]).collect()
        };
        let (labels, gold) = (pick(&known.labels), pick(&known.gold));
        let class = |c: Vote| {
            let there = labels.contains(&c) || gold.contains(&c);
            there.then(|| ClassScore::new(c, &labels, &gold)).flatten()
        };
        let classes: Vec<Option<ClassScore>> = (1..=k as Vote).map(class).collect();
        let f1: Vec<f64> = classes.iter().flatten().map(|class| class.f1).collect();
        let share =
            |c: Vote| known.gold.iter().filter(|&&class| class == c).count() as f64 / known.gold.len() as f64;
        Self {
            accuracy: accuracy(&labels, &gold).unwrap_or(0.0),
            mean_f1: f1.iter().sum::<f64>() / f1.len().max(1) as f64,
            classes,
            shares: (1..=k as Vote).map(share).collect(),
        }
    }

    fn covered(&self, found: &Certificate) -> [Covered; 6] {
        let mut columns = [Covered::default(); 6];
        columns[0].add(found.accuracy.as_ref(), self.accuracy, 0.0);
        for (truth, (_, class)) in self.classes.iter().zip(&found.classes) {
            let Some(truth) = truth else { continue };
            columns[1].add(class.precision.as_ref(), truth.precision, 0.0);
            columns[2].add(class.recall.as_ref(), truth.recall, 0.0);
            columns[3].add(class.f1.as_ref(), truth.f1, 0.0);
        }
        columns[4].add(found.macro_f1.as_ref(), self.mean_f1, 0.0);
        // Of two classes the shares add up to 1: one of them says all.
        let first = usize::from(self.shares.len() == 2);
        for (truth, (_, share)) in self.shares.iter().zip(&found.shares).skip(first) {
            let width = share.interval.half_width() / share.answers_alone.half_width();
            columns[5].add(Some(&share.interval), *truth, width);
        }
        columns
    }
}

/// The tables of coverage by set and number of answers.
pub(crate) fn tables(sets: &[Set], draws: u64, cross_fitted_draws: u64) -> anyhow::Result<String> {
    let mut text = String::new();
    for cross_fitted in [false, true] {
        let draws = if cross_fitted { cross_fitted_draws } else { draws };
        if draws == 0 {
            continue;
        }
        let _ = writeln!(
            text,
            "Coverage of 95% intervals in per cent, {draws} draws each{}; the last column is the width of the share's interval \
             relative to that of the answers alone.\n",
            if cross_fitted { ", answers that also taught the model (cross-fitted)" } else { "" }
        );
        let _ = writeln!(text, "| set | answers | {} | width |", WHAT.join(" | "));
        let _ = writeln!(text, "|---|---|{}---|", "---|".repeat(WHAT.len()));
        let mut sums = vec![([0.0; 6], 0.0, [100.0f64; 6], [0.0f64; 6]); COUNTS.len()];
        for set in sets {
            let fitted = fit(&set.votes, Dependence::Repeats, &FitOptions::default())?;
            let known = Known::new(set, &fitted)?;
            let truth = Truth::new(&known, set.votes.classes().len(), |_| true);
            for (place, count) in COUNTS.into_iter().enumerate() {
                if 2 * count > known.items.len() {
                    continue;
                }
                let one = |draw: u64| {
                    if cross_fitted {
                        let found = CrossFitted::new(set, &fitted, &known, count, draw)?;
                        Ok(found.truth.covered(&found.certificate))
                    } else {
                        one(set, &known, count, draw).map(|found| truth.covered(&found))
                    }
                };
                let all = (0..draws).into_par_iter().map(one).collect::<anyhow::Result<Vec<_>>>()?;
                let mut columns = [Covered::default(); 6];
                for found in &all {
                    columns.iter_mut().zip(found).for_each(|(column, found)| column.join(*found));
                }
                let shown: Vec<String> =
                    columns.iter().map(|c| format!("{:.1}", 100.0 * c.share())).collect();
                let width = columns[5].width / columns[5].all.max(1.0);
                let _ = writeln!(text, "| {} | {count} | {} | {width:.2} |", set.name, shown.join(" | "));
                let (sum, all, least, most) = &mut sums[place];
                for (i, column) in columns.iter().enumerate() {
                    sum[i] += 100.0 * column.share();
                    least[i] = least[i].min(100.0 * column.share());
                    most[i] = most[i].max(100.0 * column.share());
                }
                *all += 1.0;
            }
        }
        for (count, (sum, all, least, most)) in COUNTS.iter().zip(&sums) {
            let shown: Vec<String> = (0..6)
                .map(|i| format!("{:.1} ({:.1} to {:.1})", sum[i] / f64::max(*all, 1.0), least[i], most[i]))
                .collect();
            let _ = writeln!(text, "| **average** (range) | {count} | {} | |", shown.join(" | "));
        }
        text.push('\n');
    }
    Ok(text)
}

fn one(set: &Set, known: &Known, count: usize, draw: u64) -> anyhow::Result<Certificate> {
    let mut answers = vec![ABSTAIN; known.items.len()];
    for place in sample(known.items.len(), count, draw) {
        answers[place] = known.gold[place];
    }
    let certified = Certified {
        classes: set.votes.classes(),
        labels: &known.labels,
        probabilities: Some(&known.probabilities),
        answers: &answers,
        held_out: None,
        held_out_labels: None,
    };
    Ok(certify(&certified, None)?)
}

/// The certificate and the truth if the answers have taught the model: what is certified are its labels of the other items.
pub(crate) struct CrossFitted {
    pub(crate) certificate: Certificate,
    pub(crate) truth: Truth,
    /// By how much its intervals are widened.
    pub(crate) widening: Widening,
}

impl CrossFitted {
    pub(crate) fn new(
        set: &Set,
        fitted: &Fitted,
        known: &Known,
        count: usize,
        draw: u64,
    ) -> anyhow::Result<Self> {
        let mut of_item = vec![ABSTAIN; set.votes.items()];
        let mut answers = vec![ABSTAIN; known.items.len()];
        for place in sample(known.items.len(), count, draw) {
            of_item[known.items[place]] = known.gold[place];
            answers[place] = known.gold[place];
        }
        let (k, given) =
            (set.votes.classes().len(), Answers::new(of_item, set.votes.items(), set.votes.classes())?);
        let priors = CorrectionPriors::default();
        let taught = correct(fitted, &set.votes, &given, priors)?.fitted;
        let after = Known::new(set, &taught)?;
        let held = held_out(fitted, &set.votes, &given, priors)?;
        let without_answers = infer(&taught, &set.votes)?.with_held_out(&held, &set.votes);
        let decide = |&i: &usize| without_answers.decide(i, Ties::Empty).unwrap_or(ABSTAIN);
        let held_out_labels: Vec<Vote> = held.items.iter().map(decide).collect();
        let certified = Certified {
            classes: set.votes.classes(),
            labels: &after.labels,
            probabilities: Some(&after.probabilities),
            answers: &answers,
            held_out: Some(&held.probabilities),
            held_out_labels: Some(&held_out_labels),
        };
        let judged =
            held.rows().zip(&held_out_labels).filter(|(_, label)| **label != ABSTAIN).map(|((_, p), _)| p);
        Ok(Self {
            certificate: certify(&certified, None)?,
            truth: Truth::new(&after, k, |place| answers[place] == ABSTAIN),
            widening: Widening::new(judged, k),
        })
    }
}
