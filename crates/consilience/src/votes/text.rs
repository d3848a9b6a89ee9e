//! A table from rows of text.

use super::{Vocabulary, Votes, VotesBuilder, VotesError};
use crate::sources::{Sources, Vote};

impl Votes {
    /// Builds a table from text: one row per item, one vote per source. Empty text abstains, and the classes are those voted for.
    ///
    /// ```
    /// use consilience::votes::Votes;
    ///
    /// let votes = Votes::from_text(&["judge_a", "judge_b"], [["good", "bad"], ["good", ""]])?;
    /// assert_eq!((votes.items(), votes.classes().names()), (2, &["bad".to_string(), "good".to_string()][..]));
    /// # Ok::<(), consilience::votes::VotesError>(())
    /// ```
    pub fn from_text<Row, Cell>(
        sources: &[&str],
        rows: impl IntoIterator<Item = Row>,
    ) -> Result<Self, VotesError>
    where
        Row: AsRef<[Cell]>,
        Cell: AsRef<str>,
    {
        let sources = Sources::new(sources.iter().map(ToString::to_string).collect())?;
        let mut vocabulary = Vocabulary::default();
        let mut builder = VotesBuilder::new(sources);
        for row in rows {
            let read = |cell: &Cell| vocabulary.read(cell.as_ref());
            let votes = row.as_ref().iter().map(read).collect::<Result<Vec<Vote>, _>>()?;
            builder.push_dense(&votes)?;
        }
        builder.finish(&vocabulary)
    }
}
