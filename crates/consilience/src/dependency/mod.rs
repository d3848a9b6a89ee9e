//! The dependencies of the model: functions φ of a few votes and the class, each with a weight.
//!
//! ```text
//! p(λ, y) ∝ exp( Σ_d θ_d φ_d(λ, y) )
//! ```
//! Each type has its own file. A new type needs a new file, a line in `dependency_types!` below, and a row in the contract
//! test (`tests/it/dependencies.rs`).

mod accuracy;
mod agreement;
mod class_accuracy;
mod class_agreement;
mod class_prior;
mod compiled;
mod conjunction;
mod correlation;
mod exclusive;
mod factors;
mod fixing;
mod one_class;
mod pair;
mod propensity;
mod reinforcing;
mod table;
mod vote_rate;

use std::fmt;

pub use accuracy::Accuracy;
pub use agreement::Agreement;
pub use class_accuracy::ClassAccuracy;
pub use class_agreement::ClassAgreement;
pub use class_prior::ClassPrior;
pub(crate) use compiled::strides;
pub use compiled::{Compiled, CompiledFactor};
pub use conjunction::Conjunction;
pub use correlation::Correlation;
pub use exclusive::Exclusive;
pub(crate) use factors::phi_of_row;
pub use factors::{Factor, Factors};
pub use fixing::Fixing;
pub use propensity::Propensity;
pub use reinforcing::Reinforcing;
pub use table::Table;
pub use vote_rate::VoteRate;

use crate::sources::Vote;

/// Why a dependency is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DependencyError {
    /// No such type.
    #[error("there is no dependency type \"{name}\"; the types are {}", Dependency::TYPES.join(", "))]
    UnknownType {
        /// The name asked for.
        name: String,
    },
    /// Wrong number of sources.
    #[error("a dependency of type {name} needs {expected} source(s), but got {got}")]
    Arity {
        /// The type.
        name: &'static str,
        /// How many it takes.
        expected: usize,
        /// How many were given.
        got: usize,
    },
    /// One source twice.
    #[error("a dependency of type {name} needs different sources, but one is named twice")]
    SameSource {
        /// The type.
        name: &'static str,
    },
    /// A class is missing, or given if none belongs.
    #[error("a dependency of type {name} {}", if *.needed { "is about one class, but none is given" } else { "is about no single class, but one is given" })]
    Class {
        /// The type.
        name: &'static str,
        /// Whether the type is about a class.
        needed: bool,
    },
    /// The values of a user's table do not fit.
    #[error("a table over {sources} source(s) and {classes} classes needs {expected} values, but got {got}")]
    TableSize {
        /// How many sources it is over.
        sources: usize,
        /// How many classes there are.
        classes: usize,
        /// How many values it needs.
        expected: usize,
        /// How many were given.
        got: usize,
    },
    /// A number that is not finite.
    #[error("a table's values must be finite numbers, but value {position} is {value}")]
    NotFinite {
        /// The place of the value, counted from 1.
        position: usize,
        /// The value.
        value: f64,
    },
}

/// The interface of all dependency types.
///
/// ```
/// use consilience::dependency::{Correlation, DependencyType as _};
///
/// let link = Correlation::new(0, 1)?;
/// assert_eq!(link.phi(&[2, 2], 1), 1.0); // both say the same
/// assert_eq!(link.phi(&[2, 0], 1), 0.0);
/// assert!(!link.reads_class());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DependencyType {
    /// Its name in files.
    fn name(&self) -> &'static str;

    /// The sources whose votes it reads, in the order that [`Self::phi`] takes them.
    fn sources(&self) -> &[usize];

    /// The one class it is about, if any.
    fn class(&self) -> Option<Vote> {
        None
    }

    /// Whether its value depends on the latent class.
    fn reads_class(&self) -> bool;

    /// φ of the votes of [`Self::sources`] and the class `y`.
    fn phi(&self, votes: &[Vote], y: Vote) -> f64;

    /// Whether renaming the classes, in the votes and in `y` alike, never changes the value.
    fn treats_classes_alike(&self) -> bool {
        self.class().is_none()
    }
}

/// How the parts of a built-in type look; the checks of all constructors are made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    name: &'static str,
    sources: usize,
    class: bool,
    /// Whether the order of the sources means nothing, so that they are kept ascending.
    ordered: bool,
}

impl Shape {
    fn check<const N: usize>(
        &self,
        sources: &[usize],
        class: Option<Vote>,
    ) -> Result<([usize; N], Vote), DependencyError> {
        let arity = DependencyError::Arity { name: self.name, expected: self.sources, got: sources.len() };
        let mut sources: [usize; N] = sources.try_into().map_err(|_| arity)?;
        if !self.ordered {
            sources.sort_unstable();
        }
        if (1..N).any(|i| sources[i..].contains(&sources[i - 1])) {
            return Err(DependencyError::SameSource { name: self.name });
        }
        if class.is_some() != self.class {
            return Err(DependencyError::Class { name: self.name, needed: self.class });
        }
        Ok((sources, class.unwrap_or_default()))
    }
}

/// Makes the enum of all types, its dispatch, and the list of the built-in names.
macro_rules! dependency_types {
    ($($(#[$doc:meta])* $variant:ident),* $(,)?; $($(#[$own_doc:meta])* $own:ident),* $(,)?) => {
        /// A dependency of any type.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Dependency {
            $($(#[$doc])* $variant($variant),)*
            $($(#[$own_doc])* $own($own),)*
        }

        impl Dependency {
            /// The names of all built-in types.
            pub const TYPES: &'static [&'static str] = &[$($variant::SHAPE.name),*];

            /// The built-in type called `name` over `sources`, about `class` if the type is about one.
            pub fn new(name: &str, sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
                $(if name == $variant::SHAPE.name {
                    return $variant::from_parts(sources, class).map(Self::$variant);
                })*
                Err(DependencyError::UnknownType { name: name.to_string() })
            }

            fn as_type(&self) -> &dyn DependencyType {
                match self {
                    $(Self::$variant(d) => d,)*
                    $(Self::$own(d) => d,)*
                }
            }
        }

        $(impl From<$variant> for Dependency {
            fn from(d: $variant) -> Self {
                Self::$variant(d)
            }
        })*
        $(impl From<$own> for Dependency {
            fn from(d: $own) -> Self {
                Self::$own(d)
            }
        })*
    };
}

dependency_types! {
    /// How common a class is.
    ClassPrior,
    /// How often a source votes.
    Propensity,
    /// How often a source votes for one class.
    VoteRate,
    /// How often a source is correct.
    Accuracy,
    /// How often a source is correct on items of a given class.
    ClassAccuracy,
    /// Two sources cast the same vote, including abstentions.
    Correlation,
    /// Two sources vote for the same class.
    Agreement,
    /// Two sources vote for the same class on items of a given class.
    ClassAgreement,
    /// Two sources are correct together.
    Conjunction,
    /// One source backs up another.
    Reinforcing,
    /// One source corrects another.
    Fixing,
    /// Two sources do not vote together.
    Exclusive;
    /// A user-defined function, given as a table.
    Table,
}

impl DependencyType for Dependency {
    fn name(&self) -> &'static str {
        self.as_type().name()
    }
    fn sources(&self) -> &[usize] {
        self.as_type().sources()
    }
    fn class(&self) -> Option<Vote> {
        self.as_type().class()
    }
    fn reads_class(&self) -> bool {
        self.as_type().reads_class()
    }
    fn phi(&self, votes: &[Vote], y: Vote) -> f64 {
        self.as_type().phi(votes, y)
    }
    fn treats_classes_alike(&self) -> bool {
        self.as_type().treats_classes_alike()
    }
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.name(), self.sources())?;
        self.class().map_or(Ok(()), |c| write!(f, " of class {c}"))
    }
}

/// 1 where `holds`, else 0.
fn indicator(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}
