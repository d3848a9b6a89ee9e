//! The interval of the mean F1 over the classes, by bootstrap.

use rayon::prelude::*;

use crate::interval::Interval;
use crate::rng::{Streams, unit};
use crate::sources::Vote;

/// Resamples; the ends of the interval then move by less than a tenth of its width from seed to seed.
const RESAMPLES: u64 = 2000;

/// The mean of F1 over the classes that occur, and its 95% interval.
///
/// # Formula
/// ```text
/// draw the answered items with repetition, 2000 times;   d_b = ( F1_b - F1 ) sqrt(1 - fraction)
/// low, high = F1 + the 2.5% and 97.5% quantiles of d
/// ```
/// `fraction` is the part of all items that is answered.
///
/// # Reference
/// Efron (1979), Bootstrap methods: another look at the jackknife.
pub fn macro_f1(
    decided: &[Vote],
    truth: &[Vote],
    classes: usize,
    fraction: f64,
    seed: u64,
) -> Option<Interval> {
    let items: Vec<usize> = (0..truth.len()).collect();
    let estimate = mean_f1(&items, decided, truth, classes)?;
    let streams = Streams::new(seed);
    let resample = |b: u64| {
        let mut rng = streams.stream(b);
        let drawn: Vec<usize> = items
            .iter()
            .map(|_| ((unit(&mut rng) * items.len() as f64) as usize).min(items.len() - 1))
            .collect();
        mean_f1(&drawn, decided, truth, classes).map(|f1| f1 - estimate)
    };
    let mut deviations: Vec<f64> = (0..RESAMPLES).into_par_iter().filter_map(resample).collect();
    deviations.sort_by(f64::total_cmp);
    let quantile = |share: f64| deviations[((deviations.len() - 1) as f64 * share).round() as usize];
    let shrink = (1.0 - fraction).max(0.0).sqrt();
    let end = |share: f64| (estimate + shrink * quantile(share)).clamp(0.0, 1.0);
    Some(Interval { estimate, low: end(0.025), high: end(0.975) })
}

fn mean_f1(items: &[usize], decided: &[Vote], truth: &[Vote], classes: usize) -> Option<f64> {
    let (mut right, mut either) = (vec![0.0; classes + 1], vec![0.0; classes + 1]);
    for &i in items {
        let (label, class) = (usize::from(decided[i]), usize::from(truth[i]));
        either[label] += 1.0;
        either[class] += 1.0;
        if label == class {
            right[class] += 1.0;
        }
    }
    let f1: Vec<f64> =
        (1..=classes).filter(|&c| either[c] > 0.0).map(|c| 2.0 * right[c] / either[c]).collect();
    (!f1.is_empty()).then(|| f1.iter().sum::<f64>() / f1.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::score::ClassScore;

    #[test]
    fn the_estimate_is_the_mean_of_the_classes() {
        let (decided, truth) = ([1, 2, 2, 1, 2, 0, 1], [2, 2, 1, 1, 2, 2, 2]);
        let of = |class| ClassScore::new(class, &decided, &truth).unwrap().f1;
        let found = macro_f1(&decided, &truth, 3, 0.0, 1).unwrap();
        assert!((found.estimate - 0.5 * (of(1) + of(2))).abs() < 1e-12, "{found:?}");
        assert!(found.low < found.estimate && found.estimate < found.high);
        assert_eq!(macro_f1(&decided, &truth, 3, 0.0, 1), Some(found));
        assert_eq!(macro_f1(&[], &[], 3, 0.0, 1), None);
    }

    /// Planted: two even classes, 80% of the labels right, so that the true mean F1 is 0.8.
    #[test]
    fn coverage() {
        let runs = 300u64;
        let mut covered = 0u32;
        for run in 0..runs {
            let mut rng = Streams::new(9).stream(run);
            let truth: Vec<Vote> = (0..100).map(|_| 1 + Vote::from(unit(&mut rng) < 0.5)).collect();
            let decided: Vec<Vote> =
                truth.iter().map(|&class| if unit(&mut rng) < 0.8 { class } else { 3 - class }).collect();
            let found = macro_f1(&decided, &truth, 2, 0.0, run).unwrap();
            covered += u32::from(found.low <= 0.8 && 0.8 <= found.high);
        }
        let coverage = f64::from(covered) / runs as f64;
        assert!((0.91..=0.985).contains(&coverage), "{coverage}");
    }
}
