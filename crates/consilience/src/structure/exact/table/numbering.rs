//! How the parameters of a problem are numbered.

/// Links (features one behind the other), vote rates, classes, accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbering {
    /// Active sources.
    pub(crate) sources: usize,
    pub(crate) features: usize,
    /// Classes that the batch votes for.
    pub(crate) rates: usize,
    /// All classes.
    pub(crate) classes: usize,
}

impl Numbering {
    pub(crate) fn links(self) -> usize {
        self.sources * self.features
    }

    /// Where the class terms start.
    pub(crate) fn class_terms(self) -> usize {
        self.links() + self.rates
    }

    pub(crate) fn accuracy(self) -> usize {
        self.class_terms() + self.classes
    }

    pub(crate) fn len(self) -> usize {
        self.accuracy() + 1
    }
}
