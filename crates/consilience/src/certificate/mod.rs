//! A certificate: how good labels are, with intervals, from a random sample of answers.
//!
//! | file | holds |
//! |---|---|
//! | [`crate::interval`] | Wilson's interval, for accuracy, precision and recall |
//! | `f1.rs` | F1 of one class |
//! | `mean_f1.rs` | the mean F1 of all classes |
//! | `share.rs` | class shares: the labels of all items, corrected by the answers |
//! | `calibration.rs` | whether confidence is calibrated |
//! | `needed.rs` | how many answers a given width needs |
//! | `taught.rs` | what changes if the answers also corrected the model |
//!
//! Labels may come from any source: a model, a vendor, a language model. The answers must be a random sample of the items.

mod calibration;
mod f1;
mod mean_f1;
mod needed;
mod share;
mod taught;

pub use calibration::Calibration;
pub use f1::f1_interval;
use mean_f1::Z_BOUND;
pub use mean_f1::mean_f1;
pub use needed::needed;
use share::cross_fitted_share;
pub use share::{Share, share_interval};
pub use taught::Widening;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::interval::{Interval, Z_95, wilson};
use crate::sources::{ABSTAIN, Classes, Vote};

/// Labels to certify.
///
/// ```
/// use consilience::certificate::{Certified, certify};
/// use consilience::sources::Classes;
///
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// // Ten items; people answered five of them. 0 stands for no answer.
/// let labels = [1, 1, 2, 2, 1, 2, 1, 1, 2, 1];
/// let answers = [1, 0, 2, 0, 2, 0, 1, 0, 2, 0];
/// let all = Certified { classes: &classes, labels: &labels, probabilities: None, answers: &answers, held_out: None, held_out_labels: None };
/// let certificate = certify(&all, None)?;
/// assert_eq!((certificate.items, certificate.answers), (10, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Certified<'a> {
    /// The classes of labels and answers.
    pub classes: &'a Classes,
    /// One label per item; [`ABSTAIN`] if it has none.
    pub labels: &'a [Vote],
    /// The probability of each class, item by item, if known.
    pub probabilities: Option<&'a [f64]>,
    /// One answer per item; [`ABSTAIN`] if there is none.
    pub answers: &'a [Vote],
    /// If the answers also corrected the model that made the labels: the probabilities of the answered items from models that
    /// have not seen their answers, in the order of the answered items.
    pub held_out: Option<&'a [f64]>,
    /// The labels that these items would have without their answers, by the rule that labelled the others; [`ABSTAIN`] for none.
    /// If not given, their most probable held-out classes.
    pub held_out_labels: Option<&'a [Vote]>,
}

/// Why labels cannot be certified.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// There are no answers.
    #[error("no item has an answer; answer a random sample of the items first")]
    NoAnswers,
    /// A list with the wrong length.
    #[error("there are {items} labels, but {found} {what}; provide one per item")]
    Length {
        /// How many items there are.
        items: usize,
        /// What has another length.
        what: &'static str,
        /// Its length.
        found: usize,
    },
    /// A label or answer that is not a class.
    #[error("item {item}: {class} is not one of the {classes} classes")]
    NoSuchClass {
        /// The item, counted from 0.
        item: usize,
        /// The label or answer.
        class: Vote,
        /// How many classes there are.
        classes: usize,
    },
    /// A number that is not a probability.
    #[error("item {item}: {value} is not a probability; use a number from 0 to 1")]
    NotAProbability {
        /// The item, counted from 0; of held-out probabilities the answered item.
        item: usize,
        /// The number.
        value: f64,
    },
    /// A width out of range.
    #[error("the width must be above 0 and below 1, but is {0}")]
    Within(f64),
}

/// How good the labels are, judged by the answers. All intervals are 95% intervals.
///
/// ```
/// use consilience::certificate::{Certified, certify};
/// use consilience::sources::Classes;
///
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// // Ten items; people answered five of them. 0 stands for no answer.
/// let labels = [1, 1, 2, 2, 1, 2, 1, 1, 2, 1];
/// let answers = [1, 0, 2, 0, 2, 0, 1, 0, 2, 0];
/// let all = Certified { classes: &classes, labels: &labels, probabilities: None, answers: &answers, held_out: None, held_out_labels: None };
/// let certificate = certify(&all, None)?;
/// let accuracy = certificate.accuracy.expect("answered items have labels");
/// assert_eq!(accuracy.estimate, 0.8); // four of five labels are correct
/// assert!(accuracy.low < 0.8 && 0.8 < accuracy.high);
/// assert_eq!(certificate.shares[1].0, "spam");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// The number of answered items.
    pub answers: usize,
    /// The number of items.
    pub items: usize,
    /// How many items have a label.
    pub labelled: usize,
    /// Whether the answers also corrected the model. If so, each answer was compared with the label of a model that had not seen
    /// it, and all numbers except the shares are for the items without answers.
    pub cross_fitted: bool,
    /// The share of correct labels among the items that have one.
    pub accuracy: Option<Interval>,
    /// The mean F1 over the classes, by a Bayesian bootstrap.
    pub macro_f1: Option<Interval>,
    /// Whether confidence is calibrated, if probabilities are known.
    pub calibration: Option<Calibration>,
    /// The share of each class among all items.
    #[serde(serialize_with = "as_map")]
    pub shares: Vec<(String, Share)>,
    /// Precision, recall and F1 of each class.
    #[serde(serialize_with = "as_map")]
    pub classes: Vec<(String, ClassCertificate)>,
    /// How many answers the requested width needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Within>,
}

/// Precision, recall and F1 of one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassCertificate {
    /// The share of items labelled with the class that belong to it; `None` if no answered item has that label.
    pub precision: Option<Interval>,
    /// The share of items of the class that are labelled with it; `None` if no answer is of the class.
    pub recall: Option<Interval>,
    /// Their harmonic mean; `None` if neither a label nor an answer is of the class.
    pub f1: Option<Interval>,
}

/// How many answers in total intervals of a given width need.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Within {
    /// The largest distance of an end from the estimate.
    pub width: f64,
    /// For the accuracy.
    pub accuracy: Option<usize>,
    /// For the share of each class.
    #[serde(serialize_with = "as_map")]
    pub shares: Vec<(String, usize)>,
}

fn as_map<T: Serialize, S: Serializer>(list: &[(String, T)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(list.len()))?;
    for (name, value) in list {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// The seed of the bootstrap; certificates of the same files are the same.
const SEED: u64 = 0;

/// Certifies labels. `within`, above 0 and below 1, also asks how many answers intervals of ± that width need.
///
/// ```
/// use consilience::certificate::{Certified, certify};
/// use consilience::sources::Classes;
///
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// let labels = [[1; 60], [2; 60]].concat();
/// // People answered every fourth item, and agree on all of them but one.
/// let mut answers: Vec<u16> = labels.iter().enumerate().map(|(i, &label)| if i % 4 == 0 { label } else { 0 }).collect();
/// answers[0] = 2;
/// let certified =
///     Certified { classes: &classes, labels: &labels, probabilities: None, answers: &answers, held_out: None, held_out_labels: None };
/// let certificate = certify(&certified, Some(0.05))?;
/// let accuracy = certificate.accuracy.expect("some labels have answers");
/// assert!(accuracy.low < 29.0 / 30.0 && 29.0 / 30.0 < accuracy.high);
/// assert!(certificate.within.and_then(|within| within.accuracy).is_some_and(|answers| answers > 30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify(certified: &Certified<'_>, within: Option<f64>) -> Result<Certificate, CertifyError> {
    check(certified, within)?;
    let Certified { classes, labels, probabilities, answers, held_out, held_out_labels } = *certified;
    let (items, k) = (labels.len(), classes.len());
    let answered: Vec<usize> = (0..items).filter(|&i| answers[i] != ABSTAIN).collect();
    let given = answered.len();
    let drawn = given as f64 / items as f64;
    let held = |place: usize| held_out.map(|p| &p[place * k..(place + 1) * k]);
    let own = |i: usize| probabilities.map(|p| &p[i * k..(i + 1) * k]);
    let label = |place: usize| match (held_out_labels, labels[answered[place]]) {
        (Some(without_answers), _) => without_answers[place],
        (None, ABSTAIN) => ABSTAIN,
        (None, own) => held(place).map_or(own, best),
    };
    // Only labels are judged; items without one say nothing about how much answers moved them.
    let judged = || (0..given).filter(|&place| label(place) != ABSTAIN);
    let taught = held_out.is_some().then(|| Widening::new(judged().filter_map(held), k));
    // Cross-fitted, all is about the items that nobody answered.
    let others = items.saturating_sub(given).max(1) as f64;
    let fraction = if taught.is_some() { -(given as f64) / others } else { drawn };
    let widened = |by: f64| 1.0 - by * (1.0 - fraction);
    let of_labels = taught.map_or(1.0, Widening::of_labels);
    let of_precision = taught.map_or(1.0, Widening::of_precision);
    let of_recall = taught.map_or(1.0, Widening::of_recall);
    let of_mean = taught.map_or(1.0, Widening::of_mean);
    // Cross-fitted, the truth is a count among the `share` of the other items.
    let in_counts = |interval: Option<Interval>, share: f64| match interval {
        Some(interval) if taught.is_some() => Some(interval.in_counts(share * others)),
        interval => interval,
    };
    // Answered items that have a label: the label and the answer.
    let pairs: Vec<(Vote, Vote)> = (0..given)
        .map(|place| (label(place), answers[answered[place]]))
        .filter(|&(label, _)| label != ABSTAIN)
        .collect();
    let right = pairs.iter().filter(|(label, answer)| label == answer).count();
    let accuracy = wilson(right as f64, pairs.len() as f64, widened(of_labels), Z_95);
    let accuracy = in_counts(accuracy, pairs.len() as f64 / given as f64);
    let highest_accuracy = wilson(right as f64, pairs.len() as f64, widened(of_labels), Z_BOUND);
    let highest_accuracy =
        in_counts(highest_accuracy, pairs.len() as f64 / given as f64).map_or(1.0, |found| found.high);
    let (decided, truth): (Vec<Vote>, Vec<Vote>) = pairs.iter().copied().unzip();

    let mut labelled_as = vec![0; k];
    labels
        .iter()
        .filter(|&&label| label != ABSTAIN)
        .for_each(|&label| labelled_as[usize::from(label) - 1] += 1);

    let of_class = |class: Vote| {
        let count =
            |test: &dyn Fn(Vote, Vote) -> bool| pairs.iter().filter(|&&(a, b)| test(a, b)).count() as u64;
        let both = count(&|label, answer| label == class && answer == class);
        let labelled = count(&|label, _| label == class);
        let there = count(&|_, answer| answer == class);
        let share = |counted: u64| counted as f64 / given as f64;
        let of_draws = |draws: u64, by: f64| {
            in_counts(wilson(both as f64, draws as f64, widened(by), Z_95), share(draws))
        };
        ClassCertificate {
            precision: of_draws(labelled, of_precision),
            recall: of_draws(there, of_recall),
            f1: f1_interval(both, labelled, there, widened(of_labels), Z_95),
        }
    };
    let share_of = |class: Vote| {
        let c = usize::from(class) - 1;
        let proxy = |i: usize| own(i).map_or(f64::from(u8::from(labels[i] == class)), |p| p[c]);
        let of_answers: Vec<(bool, f64)> = (0..given)
            .map(|place| {
                let i = answered[place];
                (answers[i] == class, held(place).map_or_else(|| proxy(i), |p| p[c]))
            })
            .collect();
        // Answered items are labelled by their answers where these taught the model; the model's view of all items is what
        // it says of the others and, held out, of these.
        let all = (0..items).filter(|&i| held_out.is_none() || answers[i] == ABSTAIN).map(proxy).sum::<f64>();
        let seen =
            if held_out.is_some() { of_answers.iter().map(|(_, proxy)| proxy).sum::<f64>() } else { 0.0 };
        let interval_of = if held_out.is_some() { cross_fitted_share } else { share_interval };
        interval_of(&of_answers, (all + seen) / items as f64, drawn, Z_95)
    };
    let named = |class: Vote| classes.name(class).to_string();
    let shares: Vec<(String, Share)> = classes.votes().map(|class| (named(class), share_of(class))).collect();
    let within = within.map(|width| Within {
        width,
        accuracy: accuracy.map(|found| needed(found.estimate, of_labels, width, items, Z_95)),
        shares: shares
            .iter()
            .map(|(name, share)| {
                (name.clone(), needed(share.interval.estimate, share.ratio, width, items, Z_95))
            })
            .collect(),
    });
    let rows: Option<Vec<(&[f64], Vote)>> = (0..given)
        .map(|place| Some((held(place).or_else(|| own(answered[place]))?, answers[answered[place]])))
        .collect();
    Ok(Certificate {
        answers: given,
        items,
        labelled: labels.iter().filter(|&&label| label != ABSTAIN).count(),
        cross_fitted: held_out.is_some(),
        accuracy,
        macro_f1: mean_f1(&decided, &truth, &labelled_as, widened(of_mean), highest_accuracy, SEED),
        calibration: rows.and_then(|rows| Calibration::new(&rows)),
        shares,
        classes: classes.votes().map(|class| (named(class), of_class(class))).collect(),
        within,
    })
}

/// The class with the highest probability, the first of several.
fn best(p: &[f64]) -> Vote {
    (1..p.len()).fold(0, |best, c| if p[c] > p[best] { c } else { best }) as Vote + 1
}

fn check(certified: &Certified<'_>, within: Option<f64>) -> Result<(), CertifyError> {
    let Certified { classes, labels, probabilities, answers, held_out, held_out_labels } = *certified;
    let (items, k) = (labels.len(), classes.len());
    let length = |what: &'static str, found: usize, expected: usize| {
        if found == expected { Ok(()) } else { Err(CertifyError::Length { items, what, found }) }
    };
    length("answers", answers.len(), items)?;
    length("probabilities", probabilities.map_or(items * k, <[f64]>::len), items * k)?;
    let given = answers.iter().filter(|&&answer| answer != ABSTAIN).count();
    length("held-out probabilities", held_out.map_or(given * k, <[f64]>::len), given * k)?;
    length("held-out labels", held_out_labels.map_or(given, <[Vote]>::len), given)?;
    let beyond = |list: &[Vote]| list.iter().position(|&class| usize::from(class) > k).map(|i| (i, list[i]));
    if let Some((item, class)) = [labels, answers].into_iter().chain(held_out_labels).find_map(beyond) {
        return Err(CertifyError::NoSuchClass { item, class, classes: k });
    }
    if given == 0 {
        return Err(CertifyError::NoAnswers);
    }
    for list in [probabilities, held_out].into_iter().flatten() {
        if let Some(place) = list.iter().position(|p| !(0.0..=1.0).contains(p)) {
            return Err(CertifyError::NotAProbability { item: place / k, value: list[place] });
        }
    }
    match within {
        Some(width) if !(width > 0.0 && width < 1.0) => Err(CertifyError::Within(width)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that are not probabilities are refused, with the item.
    #[test]
    fn probabilities_are_checked() {
        let classes = Classes::numbered(2).unwrap();
        let certify_with = |probabilities: &[f64], held_out: Option<&[f64]>| {
            let certified = Certified {
                classes: &classes,
                labels: &[1, 2],
                probabilities: Some(probabilities),
                answers: &[1, 0],
                held_out,
                held_out_labels: None,
            };
            certify(&certified, None).map(|found| found.answers)
        };
        assert_eq!(certify_with(&[0.9, 0.1, 0.2, 0.8], Some(&[0.6, 0.4])), Ok(1));
        let wrong = |item, value| Err(CertifyError::NotAProbability { item, value });
        assert_eq!(certify_with(&[0.9, 0.1, 1.2, -0.2], None), wrong(1, 1.2));
        assert_eq!(certify_with(&[0.9, 0.1, 0.2, 0.8], Some(&[0.6, -0.4])), wrong(0, -0.4));
        assert!(certify_with(&[f64::NAN, 0.1, 0.2, 0.8], None).is_err());
    }
}
