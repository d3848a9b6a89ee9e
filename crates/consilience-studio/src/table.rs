//! The table that is shown.

use std::sync::Arc;

use consilience::sources::Vote;
use consilience::structure::Composition;
use consilience::votes::Votes;
use consilience_io::ItemNames;

use crate::search::Cells;

/// A table of votes with all that is known of its items.
pub struct Table {
    /// What it is called.
    pub name: String,
    /// The votes.
    pub votes: Votes,
    /// The names of the items.
    pub items: Arc<ItemNames>,
    /// One true class per item, abstain if it is not known; for scoring only.
    pub gold: Option<Arc<[Vote]>>,
    /// The items' text.
    pub texts: Option<Arc<Texts>>,
    /// Sources that are declared as combinations of others.
    pub compositions: Vec<Composition>,
}

/// The text of each item, in one or more columns.
#[derive(Debug, Default)]
pub struct Texts {
    columns: Vec<String>,
    cells: Cells,
}

impl Texts {
    /// Takes the names of the columns, and for each item one text per column; nothing if an item has none.
    pub fn new(columns: Vec<String>, of_item: Vec<Box<[Box<str>]>>) -> Self {
        let mut cells = Cells::default();
        for item in of_item {
            cells.push(item.iter());
        }
        Self { columns, cells }
    }

    pub(crate) fn cells(&self) -> &Cells {
        &self.cells
    }
}

impl Table {
    /// The same items with votes of other sources.
    #[cfg(feature = "edit")]
    pub(crate) fn with_votes(&self, votes: Votes, compositions: Vec<Composition>) -> Self {
        let Self { name, items, gold, texts, .. } = self;
        Self {
            votes,
            name: name.clone(),
            items: Arc::clone(items),
            gold: gold.clone(),
            texts: texts.clone(),
            compositions,
        }
    }

    /// The cells of item `i`: the name of the column and its text.
    pub(crate) fn text(&self, i: usize) -> Vec<(&str, &str)> {
        let Some(texts) = &self.texts else { return Vec::new() };
        texts.columns.iter().map(String::as_str).zip(texts.cells.of_item(i)).collect()
    }
}
