//! What all dependencies about sources and one class have in common.

/// Implements a dependency about one class: its name in files, its number of sources, whether it reads the true class, and φ of the
/// votes, the true class and its own class.
macro_rules! one_class_dependency {
    ($type:ident, $name:literal, sources: $sources:literal, reads_class: $reads:literal, $phi:expr) => {
        impl $type {
            pub(crate) const SHAPE: $crate::dependency::Shape =
                $crate::dependency::Shape { name: $name, sources: $sources, class: true, ordered: false };

            pub(crate) fn from_parts(
                sources: &[usize],
                class: Option<$crate::sources::Vote>,
            ) -> Result<Self, $crate::dependency::DependencyError> {
                let (sources, class) = Self::SHAPE.check(sources, class)?;
                Ok(Self { sources, class })
            }
        }

        impl $crate::dependency::DependencyType for $type {
            fn name(&self) -> &'static str {
                Self::SHAPE.name
            }

            fn sources(&self) -> &[usize] {
                &self.sources
            }

            fn class(&self) -> Option<$crate::sources::Vote> {
                Some(self.class)
            }

            fn reads_class(&self) -> bool {
                $reads
            }

            fn phi(&self, votes: &[$crate::sources::Vote], y: $crate::sources::Vote) -> f64 {
                type Phi = fn(&[$crate::sources::Vote], $crate::sources::Vote, $crate::sources::Vote) -> f64;
                let phi: Phi = $phi;
                phi(votes, y, self.class)
            }
        }
    };
}

pub(super) use one_class_dependency;
