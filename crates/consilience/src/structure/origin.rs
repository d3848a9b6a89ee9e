//! The origin of a structure.

use std::fmt;

/// How a structure was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// Learned by the exact method.
    Exact,
    /// Learned by Algorithm 1 of the paper.
    Sgd,
    /// Learned by maximum likelihood over all pairs.
    Likelihood,
    /// Every pair of sources, without learning.
    AllPairs,
    /// Written by hand.
    Given,
}

impl Origin {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Exact, Self::Sgd, Self::Likelihood, Self::AllPairs, Self::Given];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Sgd => "sgd",
            Self::Likelihood => "likelihood",
            Self::AllPairs => "all pairs",
            Self::Given => "given",
        }
    }

    /// The origin with this name; [`Origin::Given`] for any other name.
    ///
    /// ```
    /// use consilience::structure::Origin;
    ///
    /// assert_eq!(Origin::of_name("sgd"), Origin::Sgd);
    /// assert_eq!(Origin::of_name("by hand"), Origin::Given);
    /// ```
    pub fn of_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|origin| origin.name() == name).unwrap_or(Self::Given)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
