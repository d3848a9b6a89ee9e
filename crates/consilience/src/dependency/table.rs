//! A user's own dependency, given as a table.

use super::{DependencyError, DependencyType};
use crate::sources::Vote;

/// Any function of a few votes and the class.
///
/// # Formula
/// ```text
/// φ(λ_1, ..., λ_s, y) = values[ ((λ_1 (k+1) + λ_2) (k+1) + ... + λ_s) k + (y - 1) ]
/// ```
/// with votes 0 (abstain) to k and classes 1 to k: the last vote moves faster than the first, the class fastest.
/// # Domain
/// Any finite number.
///
/// # When it holds
/// Where the user knows how a group of sources behaves and no built-in type says it.
///
/// # Reference
/// Bach et al. (2017), Eq. (3), which allows any dependency.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    sources: Vec<usize>,
    classes: usize,
    values: Vec<f64>,
    reads_class: bool,
}

impl Table {
    /// The name in files.
    pub const NAME: &'static str = "table";

    /// Over different `sources`, for `classes` classes, with `(classes + 1)^sources * classes` values.
    pub fn new(sources: Vec<usize>, classes: usize, values: Vec<f64>) -> Result<Self, DependencyError> {
        if (1..sources.len()).any(|i| sources[i..].contains(&sources[i - 1])) {
            return Err(DependencyError::SameSource { name: Self::NAME });
        }
        let expected = u32::try_from(sources.len())
            .ok()
            .and_then(|s| (classes + 1).checked_pow(s))
            .and_then(|cells| cells.checked_mul(classes))
            .unwrap_or(usize::MAX);
        if values.len() != expected || classes == 0 {
            let (sources, got) = (sources.len(), values.len());
            return Err(DependencyError::TableSize { sources, classes, expected, got });
        }
        if let Some(position) = values.iter().position(|v| !v.is_finite()) {
            return Err(DependencyError::NotFinite { position: position + 1, value: values[position] });
        }
        let reads_class =
            values.chunks_exact(classes).any(|row| row.iter().any(|v| v.to_bits() != row[0].to_bits()));
        Ok(Self { sources, classes, values, reads_class })
    }

    /// From a function of the votes and the class.
    pub fn from_fn(
        sources: Vec<usize>,
        classes: usize,
        phi: impl Fn(&[Vote], Vote) -> f64,
    ) -> Result<Self, DependencyError> {
        let mut votes = vec![0; sources.len()];
        let mut values = Vec::new();
        loop {
            values.extend((1..=classes as Vote).map(|y| phi(&votes, y)));
            let Some(place) = votes.iter().rposition(|&v| usize::from(v) < classes) else {
                return Self::new(sources, classes, values);
            };
            votes[place] += 1;
            votes[place + 1..].fill(0);
        }
    }

    /// The values, in the order of the formula.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The number of classes that it is for.
    pub fn classes(&self) -> usize {
        self.classes
    }
}

impl DependencyType for Table {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn sources(&self) -> &[usize] {
        &self.sources
    }

    fn reads_class(&self) -> bool {
        self.reads_class
    }

    fn phi(&self, votes: &[Vote], y: Vote) -> f64 {
        let row = votes.iter().fold(0, |row, &v| row * (self.classes + 1) + usize::from(v));
        self.values[row * self.classes + usize::from(y) - 1]
    }

    /// Nobody has checked it, so it is not assumed.
    fn treats_classes_alike(&self) -> bool {
        false
    }
}
