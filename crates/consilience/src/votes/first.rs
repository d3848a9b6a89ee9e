//! The first items of a table.

use super::{Votes, VotesBuilder, VotesError};
use crate::sources::ABSTAIN;

impl Votes {
    /// The table of the first `items` items, with all sources and classes.
    ///
    /// ```
    /// use consilience::pipeline::Votes;
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["x", "y"], ["y", ""], ["x", "x"]])?;
    /// let first = votes.first(2)?;
    /// assert_eq!((first.items(), first.classes().len()), (2, 2));
    /// assert!(first.row_of_item(1).eq(votes.row_of_item(1)));
    /// # Ok::<(), consilience::votes::VotesError>(())
    /// ```
    pub fn first(&self, items: usize) -> Result<Self, VotesError> {
        let mut builder = VotesBuilder::new(self.sources().clone());
        let mut row = vec![ABSTAIN; self.sources().len()];
        for &pattern in self.item_pattern().iter().take(items) {
            self.patterns().read_into(pattern as usize, &mut row);
            builder.push_dense(&row)?;
        }
        builder.finish_as(self.classes().clone())
    }
}
