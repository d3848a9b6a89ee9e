//! Search: which items have some words in their name or text.
//!
//! All texts are one string, so that a search is one pass over it: a search per item would take ten times as long.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use regex::{Regex, RegexBuilder};

use crate::error::RequestError;
use crate::latest::Latest;
use crate::table::Table;

/// Longer searches are refused.
const LONGEST: usize = 200;
/// So many results are kept: other filters and views ask for the same words.
const MOST_KEPT: usize = 8;
/// Items that one piece of work searches.
const PIECE: usize = 1 << 13;

/// Some texts for each item, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    text: String,
    /// Where each cell ends in the text.
    ends: Vec<usize>,
    /// How many cells there are up to each item, this one included.
    upto: Vec<usize>,
}

impl Cells {
    /// Adds an item with its cells.
    pub(crate) fn push<S: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = S>) {
        for cell in cells {
            self.text.push_str(cell.as_ref());
            self.ends.push(self.text.len());
        }
        self.upto.push(self.ends.len());
    }

    /// The cells of item `i`.
    pub(crate) fn of_item(&self, i: usize) -> impl Iterator<Item = &str> {
        self.places(i).map(|cell| &self.text[self.start(cell)..self.ends[cell]])
    }

    fn places(&self, i: usize) -> Range<usize> {
        let first = if i == 0 { 0 } else { self.upto[i - 1] };
        first..self.upto[i]
    }

    fn start(&self, cell: usize) -> usize {
        if cell == 0 { 0 } else { self.ends[cell - 1] }
    }

    /// Marks the items of `found` that have `words` in a cell; `found` begins with item `first`.
    fn mark(&self, words: &Regex, first: usize, found: &mut [bool]) {
        let (start, end) = (self.places(first).start, self.upto[first + found.len() - 1]);
        if start == end {
            return;
        }
        let text = &self.text[..self.ends[end - 1]];
        let (mut at, mut cell, mut item) = (self.start(start), start, first);
        while let Some(hit) = words.find_at(text, at) {
            while self.ends[cell] <= hit.start() {
                cell += 1;
            }
            while self.upto[item] <= cell {
                item += 1;
            }
            at = if hit.end() <= self.ends[cell] {
                found[item - first] = true;
                self.ends[self.upto[item] - 1]
            } else {
                // It goes on in the next cell, so that no cell has it.
                hit.start() + text[hit.start()..].chars().next().map_or(1, char::len_utf8)
            };
        }
    }
}

/// Searches among the items of a table.
pub(crate) struct Search {
    names: Cells,
    latest: Latest<String, [bool]>,
}

impl Search {
    pub(crate) fn new(table: &Table) -> Self {
        let mut names = Cells::default();
        for name in table.items.iter() {
            names.push([name]);
        }
        Self { names, latest: Latest::new(MOST_KEPT) }
    }

    /// Which items have `words` in their name or text, in any case; nothing if there are no words.
    pub(crate) fn items(&self, table: &Table, words: &str) -> Result<Option<Arc<[bool]>>, RequestError> {
        let words = words.trim();
        if words.is_empty() {
            return Ok(None);
        }
        if words.chars().count() > LONGEST {
            return Err(RequestError::Wrong(format!("search for at most {LONGEST} characters")));
        }
        if let Some(found) = self.latest.get(words) {
            return Ok(Some(found));
        }
        let pattern = RegexBuilder::new(&regex::escape(words)).case_insensitive(true).build();
        let pattern = pattern.map_err(|error| RequestError::Wrong(error.to_string()))?;
        let mut found = vec![false; table.items.len()];
        found.par_chunks_mut(PIECE).enumerate().for_each(|(piece, found)| {
            self.names.mark(&pattern, piece * PIECE, found);
            if let Some(texts) = &table.texts {
                texts.cells().mark(&pattern, piece * PIECE, found);
            }
        });
        Ok(Some(self.latest.keep(words.to_string(), found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(items: &[&[&str]]) -> Cells {
        let mut cells = Cells::default();
        for item in items {
            cells.push(*item);
        }
        cells
    }

    #[test]
    fn cells_are_kept_as_they_were() {
        let cells = cells(&[&[], &["a", "", "b"], &["äö"], &[]]);
        let of_item = |i| cells.of_item(i).collect::<Vec<_>>();
        assert_eq!(
            [of_item(0), of_item(1), of_item(2), of_item(3)],
            [vec![], vec!["a", "", "b"], vec!["äö"], vec![]]
        );
    }

    /// One pass over the string finds what a search of each cell finds.
    #[test]
    fn a_search_finds_what_is_within_a_cell() {
        let items: [&[&str]; 9] = [
            &["aab", "Needle"],
            &[],
            &["nee", "dle"],
            &["", "xxneeneedle"],
            &["nee"],
            &["dle needle"],
            &["", ""],
            &["ÄÖ needl", "e"],
            &["äö"],
        ];
        let cells = cells(&items);
        for words in ["needle", "nee", "e", "äö", "a", "zz", "needle needle", "ÄÖ N"] {
            let pattern = RegexBuilder::new(words).case_insensitive(true).build().unwrap();
            let expected: Vec<bool> =
                items.iter().map(|item| item.iter().any(|cell| pattern.is_match(cell))).collect();
            for piece in [1, 2, 4, 9] {
                let mut found = vec![false; items.len()];
                for (n, found) in found.chunks_mut(piece).enumerate() {
                    cells.mark(&pattern, n * piece, found);
                }
                assert_eq!(found, expected, "{words} in pieces of {piece}");
            }
        }
    }
}
