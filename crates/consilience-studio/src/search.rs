//! Search: which items have some words in their name or text.
//!
//! All texts are one string, so that a search is one pass over it: a search per item would take ten times as long.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem::Finder;
use rayon::prelude::*;
use regex::{Regex, RegexBuilder};

use crate::bits::Bits;
use crate::error::RequestError;
use crate::latest::Latest;
use crate::table::Table;

/// Longer searches are refused.
const LONGEST: usize = 200;
/// So many results are kept: other filters and views ask for the same words.
const MOST_KEPT: usize = 8;
/// Items that one piece of work searches, a multiple of 64.
const PIECE: usize = 1 << 13;
/// Bytes of text that are put into small letters at a time; they stay in the cache.
const BLOCK: usize = 1 << 15;

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

    /// Marks those of `items` that have `words` in a cell; the first of them is the first bit of `found`.
    fn mark(&self, words: &Words, items: Range<usize>, found: &mut [u64]) {
        let (start, end) = (self.places(items.start).start, self.upto[items.end - 1]);
        if start == end {
            return;
        }
        let place = Place { cells: self, cell: start, item: items.start, first: items.start, found };
        match words {
            Words::Ascii(words) => place.mark_ascii(words, self.start(start), self.ends[end - 1]),
            Words::Any(words) => place.mark_any(words, self.start(start), self.ends[end - 1]),
        }
    }
}

/// What is searched for.
enum Words {
    /// ASCII characters, with small letters only.
    Ascii(Box<Finder<'static>>),
    Any(Regex),
}

impl Words {
    fn new(words: &str) -> Result<Self, RequestError> {
        if words.is_ascii() {
            return Ok(Self::Ascii(Box::new(Finder::new(&words.to_ascii_lowercase()).into_owned())));
        }
        let pattern = RegexBuilder::new(&regex::escape(words)).case_insensitive(true).build();
        Ok(Self::Any(pattern.map_err(|error| RequestError::Wrong(error.to_string()))?))
    }
}

/// Where a search is.
struct Place<'a> {
    cells: &'a Cells,
    cell: usize,
    item: usize,
    first: usize,
    found: &'a mut [u64],
}

impl Place<'_> {
    /// Marks the item of a hit, and says where the item ends; nothing if the hit goes on in the next cell, so that no cell
    /// has it.
    fn mark(&mut self, hit: Range<usize>) -> Option<usize> {
        let Cells { ends, upto, .. } = self.cells;
        while ends[self.cell] <= hit.start {
            self.cell += 1;
        }
        while upto[self.item] <= self.cell {
            self.item += 1;
        }
        let n = self.item - self.first;
        (hit.end <= ends[self.cell]).then(|| {
            self.found[n / 64] |= 1 << (n % 64);
            ends[upto[self.item] - 1]
        })
    }

    /// Searches the text from `at` to `end`, block by block: each is put into small letters, which takes less time than to
    /// compare letters in two forms.
    fn mark_ascii(mut self, words: &Finder<'_>, mut at: usize, end: usize) {
        let text = self.cells.text.as_bytes();
        let length = words.needle().len();
        let mut small = Vec::with_capacity(BLOCK + length);
        while at + length <= end {
            small.clear();
            small.extend_from_slice(&text[at..end.min(at + BLOCK + length - 1)]);
            small.make_ascii_lowercase();
            let mut seen = 0;
            while let Some(hit) = small.get(seen..).and_then(|rest| words.find(rest)) {
                let start = at + seen + hit;
                seen = self.mark(start..start + length).unwrap_or(start + 1) - at;
            }
            at += seen.max(BLOCK);
        }
    }

    fn mark_any(mut self, words: &Regex, mut at: usize, end: usize) {
        let text = &self.cells.text[..end];
        while let Some(hit) = words.find_at(text, at) {
            let next = || hit.start() + text[hit.start()..].chars().next().map_or(1, char::len_utf8);
            at = self.mark(hit.range()).unwrap_or_else(next);
        }
    }
}

/// Searches among the items of a table.
pub(crate) struct Search {
    names: Cells,
    latest: Latest<String, Bits>,
}

impl Search {
    pub(crate) fn new(table: &Table) -> Self {
        let mut names = Cells::default();
        for name in table.items.iter() {
            names.push([name]);
        }
        Self { names, latest: Latest::new(MOST_KEPT) }
    }

    /// Which items have `words` in their name or text, in any case; nothing where there are no words.
    pub(crate) fn items(&self, table: &Table, words: &str) -> Result<Option<Arc<Bits>>, RequestError> {
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
        let pattern = Words::new(words)?;
        let items = table.items.len();
        let mut found = vec![0; items.div_ceil(64)];
        found.par_chunks_mut(PIECE / 64).enumerate().for_each(|(piece, found)| {
            let items = piece * PIECE..items.min((piece + 1) * PIECE);
            self.names.mark(&pattern, items.clone(), found);
            if let Some(texts) = &table.texts {
                texts.cells().mark(&pattern, items, found);
            }
        });
        Ok(Some(self.latest.keep(words.to_string(), Bits::of_words(found))))
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
        for words in ["needle", "nee", "E", "äö", "a", "zz", "needle needle", "ÄÖ N", "ÄÖ", "dle n", "needl"]
        {
            let expected: Vec<bool> = items
                .iter()
                .map(|item| item.iter().any(|cell| cell.to_lowercase().contains(&words.to_lowercase())))
                .collect();
            assert_eq!(marked(&cells, words, &[1, 2, 4, 9]), expected, "{words}");
        }
    }

    /// What a search for `words` finds, whatever the pieces of its work.
    fn marked(cells: &Cells, words: &str, pieces: &[usize]) -> Vec<bool> {
        let items = cells.upto.len();
        let words = Words::new(words).unwrap();
        let found = |piece: usize| -> Vec<bool> {
            let pieces = (0..items).step_by(piece).map(|first| first..items.min(first + piece));
            pieces
                .flat_map(|items| {
                    let mut found = vec![0; items.len().div_ceil(64)];
                    cells.mark(&words, items.clone(), &mut found);
                    (0..items.len()).map(move |n| found[n / 64] >> (n % 64) & 1 == 1)
                })
                .collect()
        };
        let first = found(pieces[0]);
        assert!(pieces.iter().all(|&piece| found(piece) == first));
        first
    }

    /// Words at the seam of two blocks of text are found, and those at the seam of two cells are not.
    #[test]
    fn blocks_of_text_hide_nothing() {
        let mut expected = Vec::new();
        let mut cells = Cells::default();
        for i in 0..4000usize {
            let gap = "x".repeat(i * 7919 % 61);
            let has = i % 3 == 0;
            let word = if has { "NeedLE" } else { "need" };
            cells.push([format!("{gap}{word}"), if i % 3 == 1 { "le".to_string() } else { gap }]);
            expected.push(has);
        }
        assert!(cells.text.len() > 4 * BLOCK);
        assert_eq!(marked(&cells, "needle", &[4000, 64, 1]), expected);
        let long = "y".repeat(3 * BLOCK);
        let mut cells = Cells::default();
        for item in [
            format!("{long}needle{long}"),
            long.clone(),
            format!("needle{long}needle"),
            "need".to_string(),
            "le".to_string(),
        ] {
            cells.push([item]);
        }
        assert_eq!(marked(&cells, "Needle", &[5, 1]), [true, false, true, false, false]);
    }
}
