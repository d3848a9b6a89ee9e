//! How the parameters of a problem are numbered.

/// Links (features one behind the other), vote rates, classes, accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Active sources.
    pub(super) sources: usize,
    pub(super) features: usize,
    /// Classes that the group votes for.
    pub(super) rates: usize,
    /// All classes.
    pub(super) classes: usize,
}

impl Layout {
    pub(super) fn links(self) -> usize {
        self.sources * self.features
    }

    /// Where the class terms start.
    pub(super) fn class_terms(self) -> usize {
        self.links() + self.rates
    }

    pub(super) fn accuracy(self) -> usize {
        self.class_terms() + self.classes
    }

    pub(super) fn len(self) -> usize {
        self.accuracy() + 1
    }
}
