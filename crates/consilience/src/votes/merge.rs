//! Two tables as one.

use super::builder::VotesBuilder;
use super::{Votes, VotesError};
use crate::sources::{ABSTAIN, Classes, Sources, Vote, natural_order};

impl Votes {
    /// The items of `self`, then those of `other`, in one table.
    ///
    /// Sources are matched by name; a source that only one table has abstains on the other's items, and new ones come
    /// last. Classes are matched by name; if the two lists differ, the result has all of them in natural order. The
    /// operation is associative, and the patterns and counts of the result do not depend on the order of the tables.
    ///
    /// ```
    /// use consilience::votes::Votes;
    ///
    /// let monday = Votes::from_text(&["a", "b"], [["yes", "no"]])?;
    /// let tuesday = Votes::from_text(&["b", "c"], [["no", "yes"]])?;
    /// let both = monday.merge(&tuesday)?;
    /// assert_eq!(both.sources().names(), ["a", "b", "c"]);
    /// assert_eq!(both.row_of_item(1).collect::<Vec<_>>(), [(1, 1), (2, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(&self, other: &Self) -> Result<Self, VotesError> {
        let classes = merge_classes(self.classes(), other.classes())?;
        let sources = merge_sources(self.sources(), other.sources())?;
        let mut builder = VotesBuilder::new(sources);
        for part in [self, other] {
            let relabel = relabel(part.classes(), &classes);
            let resource: Vec<u32> = part
                .sources()
                .names()
                .iter()
                .filter_map(|name| builder.sources().position(name))
                .map(|j| j as u32)
                .collect();
            builder.append(&VotesBuilder::from_votes(part), &relabel, &resource)?;
        }
        let unchanged: Vec<Vote> = (0..=classes.len() as Vote).collect();
        builder.finish_with(classes, &unchanged)
    }
}

fn merge_classes(a: &Classes, b: &Classes) -> Result<Classes, VotesError> {
    if a == b {
        return Ok(a.clone());
    }
    let mut names: Vec<String> = a.names().iter().chain(b.names()).cloned().collect();
    names.sort_by(|x, y| natural_order(x, y));
    names.dedup();
    Ok(Classes::new(names)?)
}

fn merge_sources(a: &Sources, b: &Sources) -> Result<Sources, VotesError> {
    let new = b.names().iter().filter(|name| a.position(name).is_none());
    Ok(Sources::new(a.names().iter().chain(new).cloned().collect())?)
}

fn relabel(from: &Classes, to: &Classes) -> Vec<Vote> {
    std::iter::once(ABSTAIN).chain(from.names().iter().filter_map(|name| to.vote(name))).collect()
}
