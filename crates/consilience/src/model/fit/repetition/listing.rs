//! What a structure says about each pair of sources before they are compared.

/// What is known of a pair of sources before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Said to repeat each other: any excess agreement counts.
    Repetition,
    /// Joined by a dependency with a positive weight, or near copies: any excess agreement counts, if it can be told from
    /// the class; between sources of several classes more than is usual, since they share the impression too.
    Linked,
    /// Nothing: only excess agreement that is large and certain counts.
    Open,
    /// Nothing, not even whether a dependency joins them: between sources of several classes excess agreement counts that stands
    /// out, between others what is large and certain.
    Unread,
    /// Said not to repeat each other.
    Closed,
}

/// What is known of all pairs.
pub(crate) struct Listing {
    n: usize,
    pairs: Vec<Listed>,
}

impl Listing {
    /// Of `n` sources, all pairs alike.
    pub(crate) fn new(n: usize, all: Listed) -> Self {
        Self { n, pairs: vec![all; n * n] }
    }

    /// Both directions of a pair.
    pub(crate) fn set(&mut self, j: usize, l: usize, listed: Listed) {
        self.pairs[j * self.n + l] = listed;
        self.pairs[l * self.n + j] = listed;
    }

    pub(crate) fn of(&self, j: usize, l: usize) -> Listed {
        self.pairs[j * self.n + l]
    }
}
