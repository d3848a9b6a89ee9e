//! The impression that an item makes on all sources: how hard items differ from easy ones.
//!
//! | file | holds |
//! |---|---|
//! | `grid.rs` | the strengths that sums go over |
//! | `strength.rs` | how often an impression has which strength, and how often it is right |
//! | `voices.rs` | how much each source's votes count |
//! | `normaliser.rs` | how likely votes are given class and strength |
//! | `ogive.rs` | the same by the normal distribution function |
//! | `label.rs` | the posterior of the class, and of class and strength |
//! | `states.rs` | what votes say about class and strength, row by row |
//! | `densities.rs` | the distribution of the strength with its derivatives by level and clarity |
//! | `clarity.rs` | what is believed of clarity before any vote is seen |
//! | `log_sum.rs` | sums of logarithms |
//! | `surface.rs` | level and spread of the strength by maximum likelihood |

mod clarity;
mod densities;
mod grid;
mod label;
mod log_sum;
mod normaliser;
mod ogive;
mod states;
mod strength;
mod surface;
mod voices;

pub(crate) use grid::{Curve, POINTS, STRENGTHS};
pub(crate) use label::{Labeller, Seen};
pub(crate) use ogive::{OGIVE_SCALE, normal};
pub(crate) use states::States;
pub(crate) use strength::Strength;
pub(crate) use surface::{Believed, Sample, Surface};
pub(crate) use voices::Voices;

/// What all sources see of an item: a class, mostly the right one, more or less clearly.
///
/// # Formula
/// ```text
/// z ~ N( level, spread² );   z > 0: the right class is seen with strength z;   z < 0: a wrong one with strength -z
/// given the class seen c and its strength z, votes are independent:   log p(λ_j = v | c, z) = δ_j t_j(v | c, z)
/// scaled:  t_j(v | c, z) = z w_j(v, c) - ψ_j(z)         ogive, two classes:  t_j(v | c, z) = log Φ( ±( b_j ± a_j z ) / 1.7 )
/// P(y | λ) ∝ π_y Σ_z ( p(y, z) right(z) + Σ_{c ≠ y} p(c, z) (1 - right(z)) / (k - 1) ),   p(c, z) ∝ e^{b_c} p(z) Π_j p(λ_j | c, z)
/// ```
/// with a_j, w_j and vote rates those of the model, δ_j the share of a source's votes that counts, π the class priors of the
/// model and b_c the class term. A spread of 0 and a level of 1 are the model as it is. If items differ in difficulty, the
/// spread is large, and many votes that agree say less than their number would.
///
/// One more vote for a class never lowers its probability: the larger z, the more such a vote raises p(y, z), and the more
/// of p(y, z) goes to class y.
#[derive(Clone, Debug, PartialEq)]
pub struct Impression {
    /// The mean of z; above 0.
    pub level: f64,
    /// The standard deviation of z; above 0.
    pub spread: f64,
    /// How votes follow from what is seen.
    pub link: ImpressionLink,
    /// b_c: for each class, what is added to its score when it is seen.
    pub class_term: Vec<f64>,
}

/// How votes follow from the class that is seen and its strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpressionLink {
    /// Scores are multiplied by the strength.
    Scaled,
    /// By the normal distribution function, two classes only: accuracies and rates of the model are those of the votes given
    /// the strength.
    Ogive,
}

impl ImpressionLink {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scaled => "scaled",
            Self::Ogive => "ogive",
        }
    }

    /// The link of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Scaled, Self::Ogive].into_iter().find(|link| link.name() == name)
    }
}

impl Impression {
    /// What is wrong with it in a model of `k` classes; `None` if it is sound.
    pub fn problem(&self, k: usize) -> Option<String> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        if !positive(self.level) || !positive(self.spread) {
            return Some(format!(
                "the level and spread of its impression must be above 0, but are {} and {}",
                self.level, self.spread
            ));
        }
        if self.class_term.len() != k || self.class_term.iter().any(|term| !term.is_finite()) {
            return Some(format!("its impression needs a class term of {k} numbers"));
        }
        if self.link == ImpressionLink::Ogive && k != 2 {
            return Some(format!("an impression with the link \"ogive\" is for 2 classes, not {k}"));
        }
        None
    }

    /// The share of the variation of z that is not difficulty: level² / (level² + spread²).
    pub fn clarity(&self) -> f64 {
        self.level.powi(2) / (self.level.powi(2) + self.spread.powi(2))
    }
}
