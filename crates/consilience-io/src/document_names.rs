//! The sources and classes of a document, and lookups of their names.

use consilience::sources::{Classes, Sources, Vote};

use crate::document::{BY_HAND, DocumentProblem};

/// At most this many sources are named.
const MOST_NAMED: usize = 8;

/// The sources and classes that a document of one kind lists.
pub(crate) struct DocumentNames {
    kind: &'static str,
    pub(crate) sources: Sources,
    pub(crate) classes: Classes,
}

impl DocumentNames {
    pub(crate) fn new(
        kind: &'static str,
        sources: &[String],
        classes: &[String],
    ) -> Result<Self, DocumentProblem> {
        let wrong = |detail: String| DocumentProblem::OtherKind { kind, detail };
        let sources = Sources::new(sources.to_vec()).map_err(|error| wrong(error.to_string()))?;
        let classes = Classes::new(classes.to_vec()).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { kind, sources, classes })
    }

    /// The error that the document is invalid, for this reason.
    pub(crate) fn wrong(&self, detail: impl std::fmt::Display) -> DocumentProblem {
        let detail = detail.to_string();
        if self.kind == BY_HAND {
            DocumentProblem::Invalid { detail }
        } else {
            DocumentProblem::OtherKind { kind: self.kind, detail }
        }
    }

    /// The number of a source.
    pub(crate) fn source(&self, name: &str) -> Result<usize, DocumentProblem> {
        let unknown = || {
            let sources = self.sources.names();
            let more = if sources.len() > MOST_NAMED { ", ..." } else { "" };
            let listed = sources[..sources.len().min(MOST_NAMED)].join(", ");
            self.wrong(format!("\"{name}\" is not one of the sources ({listed}{more})"))
        };
        self.sources.position(name).ok_or_else(unknown)
    }

    /// The numbers of some sources.
    pub(crate) fn sources(&self, names: &[String]) -> Result<Vec<usize>, DocumentProblem> {
        names.iter().map(|name| self.source(name)).collect()
    }

    /// The numbers of the sources of each group.
    pub(crate) fn groups<'a>(
        &self,
        groups: impl IntoIterator<Item = &'a Vec<String>>,
    ) -> Result<Vec<Vec<usize>>, DocumentProblem> {
        groups.into_iter().map(|names| self.sources(names)).collect()
    }

    /// The vote for a class.
    pub(crate) fn class(&self, name: &str) -> Result<Vote, DocumentProblem> {
        self.classes.vote(name).ok_or_else(|| self.wrong(format!("there is no class \"{name}\"")))
    }
}
