//! Which candidates become part of the structure.

use std::fmt;
use std::str::FromStr;

use super::graph::LearnedDependency;
use super::presence::presence;
use crate::dependency::DependencyType as _;

/// How to select dependencies.
///
/// ```
/// use consilience::structure::Select;
///
/// assert_eq!("fdr=0.05".parse(), Ok(Select::Fdr(0.05)));
/// assert_eq!(Select::Top(20).to_string(), "top=20");
/// assert!("fdr=2".parse::<Select>().is_err()); // a rate is below 1
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Select {
    /// Strong and certain: `|weight| >=` [`AUTO_WEIGHT`] and family-wise error at most [`AUTO_ERROR`]. The default.
    Auto,
    /// The false discovery rate is at most this (Benjamini and Hochberg 1995). Above 0, below 1.
    Fdr(f64),
    /// The probability of selecting any false dependency is at most this (Bonferroni). Above 0, below 1.
    Fwer(f64),
    /// The probability of missing any dependency is at most this, judged by the typical strength of the certain ones. Above 0,
    /// below 1.
    Miss(f64),
    /// `|weight|` is above this: the paper's rule. Above 0.
    Threshold(f64),
    /// This many of the most certain ones.
    Top(usize),
}

/// The smallest weight that [`Select::Auto`] selects.
pub const AUTO_WEIGHT: f64 = 0.1;

/// The family-wise error of [`Select::Auto`].
pub const AUTO_ERROR: f64 = 0.01;

/// A selection rule that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a selection rule; write auto, fdr=0.05, fwer=0.05, miss=0.1 (between 0 and 1), threshold=0.05 (above 0) or top=20"
)]
pub struct SelectError(pub String);

impl FromStr for Select {
    type Err = SelectError;
    fn from_str(text: &str) -> Result<Self, SelectError> {
        let refuse = || SelectError(text.to_string());
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let (rule, value) = text.split_once('=').ok_or_else(refuse)?;
        let number = || value.parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0).ok_or_else(refuse);
        let rate = || number().and_then(|x| if x < 1.0 { Ok(x) } else { Err(refuse()) });
        match rule {
            "fdr" => rate().map(Self::Fdr),
            "fwer" => rate().map(Self::Fwer),
            "miss" => rate().map(Self::Miss),
            "threshold" => number().map(Self::Threshold),
            "top" => value.parse().map(Self::Top).map_err(|_| refuse()),
            _ => Err(refuse()),
        }
    }
}

impl fmt::Display for Select {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => write!(f, "auto"),
            Self::Fdr(rate) => write!(f, "fdr={rate}"),
            Self::Fwer(rate) => write!(f, "fwer={rate}"),
            Self::Miss(rate) => write!(f, "miss={rate}"),
            Self::Threshold(epsilon) => write!(f, "threshold={epsilon}"),
            Self::Top(count) => write!(f, "top={count}"),
        }
    }
}

/// The probability of a standard normal number at least as far from 0 as `z`.
///
/// # Formula
/// ```text
/// p = erfc( |z| / √2 )
/// ```
pub(super) fn two_sided_p(z: f64) -> f64 {
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// Fills in q, the smallest false discovery rate at which each candidate is selected.
///
/// # Formula
/// ```text
/// q_(i) = min over j >= i of  p_(j) · N / j,   p sorted ascending
/// ```
/// with N all tests, those of candidates that are not listed included.
pub(super) fn fill_in_q(candidates: &mut [LearnedDependency], tests: usize) {
    let mut order: Vec<(f64, usize)> =
        candidates.iter().enumerate().filter_map(|(at, candidate)| candidate.p.map(|p| (p, at))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut least = 1.0f64;
    for (rank, &(p, at)) in order.iter().enumerate().rev() {
        least = least.min(p * tests as f64 / (rank + 1) as f64);
        candidates[at].q = Some(least);
    }
}

/// Marks the selected candidates, of which there are `tests`, listed or not.
pub(super) fn mark(candidates: &mut [LearnedDependency], select: Select, tests: usize) {
    let tests = tests as f64;
    let p = |candidate: &LearnedDependency| candidate.p.unwrap_or(1.0);
    if let Select::Top(count) = select {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| candidates[b].certainty().total_cmp(&candidates[a].certainty()));
        for (rank, &at) in order.iter().enumerate() {
            candidates[at].selected = rank < count && candidates[at].certainty() > 0.0;
        }
        return;
    }
    if let Select::Miss(rate) = select {
        mark_all_but_improbable(candidates, rate);
        return;
    }
    for candidate in candidates {
        candidate.selected = match select {
            Select::Auto => candidate.weight.abs() >= AUTO_WEIGHT && p(candidate) * tests <= AUTO_ERROR,
            Select::Fdr(rate) => candidate.q.unwrap_or(1.0) <= rate,
            Select::Fwer(rate) => p(candidate) * tests <= rate,
            Select::Threshold(epsilon) => candidate.weight.abs() > epsilon,
            Select::Miss(_) | Select::Top(_) => false,
        };
    }
}

/// Leaves out the least probable candidates as long as their probabilities add up to no more than `rate`.
///
/// The sum is the expected number of dependencies left out, which bounds the probability of leaving out any.
fn mark_all_but_improbable(candidates: &mut [LearnedDependency], rate: f64) {
    let mut types: Vec<&'static str> =
        candidates.iter().map(|candidate| candidate.dependency.name()).collect();
    types.sort_unstable();
    types.dedup();
    let mut order: Vec<(f64, usize)> = Vec::with_capacity(candidates.len());
    for kind in types {
        let (places, estimates): (Vec<usize>, Vec<(f64, f64)>) = candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| candidate.dependency.name() == kind)
            .filter_map(|(at, candidate)| candidate.stderr.map(|stderr| (at, (candidate.weight, stderr))))
            .unzip();
        order.extend(presence(&estimates).into_iter().zip(places));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for candidate in candidates.iter_mut() {
        candidate.selected = false;
    }
    let mut left_out = 0.0;
    for (probability, at) in order {
        left_out += probability;
        candidates[at].selected = left_out > rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependency::Correlation;

    fn candidates(p: &[f64]) -> Vec<LearnedDependency> {
        let candidate = |(l, &p): (usize, &f64)| LearnedDependency {
            dependency: Correlation::new(0, l + 1).unwrap().into(),
            weight: 0.5,
            stderr: Some(0.1),
            z: Some(1.0 / (p + 1e-9)),
            p: Some(p),
            q: None,
            selected: false,
        };
        let mut list: Vec<LearnedDependency> = p.iter().enumerate().map(candidate).collect();
        fill_in_q(&mut list, p.len());
        list
    }

    fn chosen(p: &[f64], select: Select) -> Vec<usize> {
        let mut list = candidates(p);
        mark(&mut list, select, p.len());
        list.iter().enumerate().filter(|(_, candidate)| candidate.selected).map(|(at, _)| at).collect()
    }

    /// The worked example of Benjamini and Hochberg (1995): fifteen tests, four rejected at 0.05, three by Bonferroni.
    const PUBLISHED: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
        0.6528, 0.7590, 1.0000,
    ];

    #[test]
    fn the_published_example_comes_out() {
        assert_eq!(chosen(&PUBLISHED, Select::Fdr(0.05)), [0, 1, 2, 3]);
        assert_eq!(chosen(&PUBLISHED, Select::Fwer(0.05)), [0, 1, 2]);
        assert_eq!(chosen(&PUBLISHED, Select::Top(2)), [0, 1]);
        assert_eq!(chosen(&PUBLISHED, Select::Top(0)).len(), 0);
        assert_eq!(chosen(&PUBLISHED, Select::Top(99)).len(), 15);
        assert_eq!(chosen(&PUBLISHED, Select::Threshold(0.6)).len(), 0);
        let q = candidates(&PUBLISHED);
        assert!(q.windows(2).all(|pair| pair[0].q <= pair[1].q));
    }

    #[test]
    fn rules_are_read_and_written() {
        for text in ["auto", "fdr=0.05", "fwer=0.01", "miss=0.1", "threshold=0.05", "top=20"] {
            assert_eq!(text.parse::<Select>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "fdr",
            "fdr=",
            "fdr=2",
            "miss=1",
            "miss=0",
            "fdr=0",
            "fdr=nan",
            "top=-1",
            "top=1.5",
            "threshold=-1",
            "best=3",
        ] {
            assert!(text.parse::<Select>().is_err(), "{text}");
        }
    }

    #[test]
    fn p_is_that_of_the_normal_distribution() {
        for (z, p) in
            [(0.0, 1.0), (1.959_963_984_540_054, 0.05), (-3.290_526_731_491_926, 0.001), (40.0, 0.0)]
        {
            assert!((two_sided_p(z) - p).abs() < 1e-12, "{z}");
        }
    }
}
