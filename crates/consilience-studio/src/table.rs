//! The table that is shown.

use std::sync::Arc;

use consilience::sources::Vote;
use consilience::votes::Votes;
use consilience_io::ItemNames;

/// A table of votes with all that is known of its items.
pub struct Table {
    /// What it is called.
    pub name: String,
    /// The votes.
    pub votes: Votes,
    /// The names of the items.
    pub items: Arc<ItemNames>,
    /// One true class per item, abstain where it is not known; for scoring only.
    pub gold: Option<Arc<[Vote]>>,
    /// The items' text.
    pub texts: Option<Arc<Texts>>,
}

/// The text of each item, in one or more columns.
#[derive(Debug, Default)]
pub struct Texts {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// For each item one text per column; nothing where an item has none.
    pub of_item: Vec<Box<[Box<str>]>>,
}

impl Table {
    /// The same items with other votes.
    #[cfg(feature = "edit")]
    pub(crate) fn with_votes(&self, votes: Votes) -> Self {
        let Self { name, items, gold, texts, .. } = self;
        Self { votes, name: name.clone(), items: Arc::clone(items), gold: gold.clone(), texts: texts.clone() }
    }

    /// The cells of item `i`: the name of the column and its text.
    pub(crate) fn text(&self, i: usize) -> Vec<(&str, &str)> {
        let Some(texts) = &self.texts else { return Vec::new() };
        texts.columns.iter().map(String::as_str).zip(texts.of_item[i].iter().map(AsRef::as_ref)).collect()
    }
}
