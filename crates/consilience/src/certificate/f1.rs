//! The interval of one class's F1.

use crate::interval::{Interval, wilson};

/// The interval of F1 = 2 right / (labelled + there), where `right` items are labelled with the class and belong to it, and
/// `labelled + there` counts the items labelled with it and those that belong to it.
///
/// # Formula
/// ```text
/// J = right / either          either = labelled + there - right: the items that are one or the other
/// F1 = 2 J / (1 + J)          which rises with J, so that the ends of J's interval (Wilson) give those of F1
/// ```
/// A bootstrap only knows what was drawn: if all of ten answers are correct, its interval is from 1 to 1. This interval
/// also covers small samples, and costs nothing.
///
/// ```
/// use consilience::certificate::f1_interval;
/// use consilience::interval::Z_95;
///
/// // 40 items labelled spam, 50 that are spam, 36 that are both.
/// let f1 = f1_interval(36, 40, 50, 0.0, Z_95).expect("there is spam");
/// assert!((f1.estimate - 0.8).abs() < 1e-12);
/// assert!(f1.low < 0.8 && 0.8 < f1.high);
/// ```
pub fn f1_interval(right: u64, labelled: u64, there: u64, fraction: f64, z: f64) -> Option<Interval> {
    let either = labelled + there - right;
    let of_share = |share: f64| 2.0 * share / (1.0 + share);
    wilson(right as f64, either as f64, fraction, z).map(|share| Interval {
        estimate: of_share(share.estimate),
        low: of_share(share.low),
        high: of_share(share.high),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Z_95;
    use crate::report::score::ClassScore;
    use crate::rng::{Streams, unit};

    /// The estimate is the F1 that scoring has.
    #[test]
    fn the_estimate_is_f1() {
        let (decided, truth) = ([1, 2, 2, 1, 2, 2, 1], [2, 2, 1, 1, 2, 2, 2]);
        let expected = ClassScore::new(2, &decided, &truth).unwrap().f1;
        let found = f1_interval(3, 4, 5, 0.0, Z_95).unwrap();
        assert!((found.estimate - expected).abs() < 1e-12, "{found:?} and {expected}");
        assert!(found.low < found.estimate && found.estimate < found.high);
        assert_eq!(f1_interval(0, 0, 0, 0.0, Z_95), None);
    }

    /// Planted: half of the items are of the class, 80% of the labels right. True F1 is 0.8.
    #[test]
    fn coverage() {
        let runs = 3000u64;
        let mut covered = 0u32;
        for run in 0..runs {
            let mut rng = Streams::new(5).stream(run);
            let (mut right, mut labelled, mut there) = (0, 0, 0);
            for _ in 0..40 {
                let of_class = unit(&mut rng) < 0.5;
                let label = of_class == (unit(&mut rng) < 0.8);
                right += u64::from(of_class && label);
                labelled += u64::from(label);
                there += u64::from(of_class);
            }
            let found = f1_interval(right, labelled, there, 0.0, Z_95).unwrap();
            covered += u32::from(found.low <= 0.8 && 0.8 <= found.high);
        }
        let coverage = f64::from(covered) / runs as f64;
        assert!((0.93..=0.98).contains(&coverage), "{coverage}");
    }
}
