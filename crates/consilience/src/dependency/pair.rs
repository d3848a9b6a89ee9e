//! What all dependencies between two sources have in common.

/// Makes the type of a dependency between two sources: its documentation, its name in Rust and in files, whether the order
/// of the sources matters, whether it reads the class, and φ of the two votes and the class.
macro_rules! pair_dependency {
    ($(#[$doc:meta])* $type:ident, $name:literal, directed: $directed:literal, reads_class: $reads:literal, $phi:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $type {
            sources: [usize; 2],
        }

        impl $type {
            pub(crate) const SHAPE: $crate::dependency::Shape =
                $crate::dependency::Shape { name: $name, sources: 2, class: false, ordered: $directed };

            /// Of the different sources `j` and `l`; for a directed type, j <- l.
            pub fn new(j: usize, l: usize) -> Result<Self, $crate::dependency::DependencyError> {
                Self::from_parts(&[j, l], None)
            }

            pub(crate) fn from_parts(
                sources: &[usize],
                class: Option<$crate::sources::Vote>,
            ) -> Result<Self, $crate::dependency::DependencyError> {
                let (sources, _) = Self::SHAPE.check(sources, class)?;
                Ok(Self { sources })
            }
        }

        impl $crate::dependency::DependencyType for $type {
            fn name(&self) -> &'static str {
                Self::SHAPE.name
            }

            fn sources(&self) -> &[usize] {
                &self.sources
            }

            fn reads_class(&self) -> bool {
                $reads
            }

            fn phi(&self, votes: &[$crate::sources::Vote], y: $crate::sources::Vote) -> f64 {
                let phi: fn(&[$crate::sources::Vote], $crate::sources::Vote) -> f64 = $phi;
                phi(votes, y)
            }
        }
    };
}

pub(super) use pair_dependency;
