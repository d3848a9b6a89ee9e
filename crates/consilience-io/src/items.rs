//! The names of the items, stored so that ten million of them cost little.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The default column with the item names, in tables that are read and written.
pub const ITEM_COLUMN: &str = "item";

/// The name of each item: the text of the item column or, without one, the row number.
///
/// ```
/// use consilience_io::ItemNames;
///
/// let mut items: ItemNames = ["q1", "q2"].into_iter().collect();
/// items.push("q3");
/// assert_eq!((items.len(), items.position("q2")), (3, Some(1)));
/// assert_eq!(ItemNames::row_numbers(3).name(2), "2"); // a table without names counts its rows
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemNames(Names);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Names {
    /// Items are called `first`, `first` + 1, ...; nothing is stored but their number.
    RowNumbers { first: u64, items: usize },
    /// All names in one string; name `i` ends at `ends[i]`.
    Stored { text: String, ends: Vec<usize> },
}

impl ItemNames {
    /// `items` names: 0, 1, 2, ...
    pub fn row_numbers(items: usize) -> Self {
        Self::row_numbers_from(0, items)
    }

    /// `items` names: `first`, `first` + 1, ..., for a part of a table.
    pub fn row_numbers_from(first: u64, items: usize) -> Self {
        Self(Names::RowNumbers { first, items })
    }

    /// No names yet, to be filled with [`Self::push`].
    pub fn named() -> Self {
        Self(Names::Stored { text: String::new(), ends: Vec::new() })
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        match &self.0 {
            Names::RowNumbers { items, .. } => *items,
            Names::Stored { ends, .. } => ends.len(),
        }
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the names are row numbers.
    pub fn are_row_numbers(&self) -> bool {
        matches!(self.0, Names::RowNumbers { .. })
    }

    /// Whether the names are 0, 1, 2, ..., stored or not.
    pub fn count_rows(&self) -> bool {
        matches!(self.0, Names::RowNumbers { first: 0, .. })
            || self.iter().enumerate().all(|(i, name)| name.parse() == Ok(i))
    }

    /// The name of item `i`.
    pub fn name(&self, i: usize) -> Cow<'_, str> {
        match &self.0 {
            Names::RowNumbers { first, .. } => Cow::Owned((first + i as u64).to_string()),
            Names::Stored { text, ends } => {
                let start = if i == 0 { 0 } else { ends[i - 1] };
                Cow::Borrowed(&text[start..ends[i]])
            }
        }
    }

    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        (0..self.len()).map(|i| self.name(i))
    }

    /// The first item called `name`.
    pub fn position(&self, name: &str) -> Option<usize> {
        match &self.0 {
            Names::RowNumbers { first, items } => {
                let number: u64 = name.parse().ok()?;
                usize::try_from(number.checked_sub(*first)?).ok().filter(|i| i < items)
            }
            Names::Stored { .. } => (0..self.len()).find(|&i| self.name(i) == name),
        }
    }

    /// The first name that an earlier item has, too.
    pub(crate) fn first_twice(&self) -> Option<String> {
        if self.are_row_numbers() {
            return None;
        }
        let mut seen = hashbrown::HashSet::with_capacity(self.len());
        self.iter().find(|name| !seen.insert(name.clone().into_owned())).map(Cow::into_owned)
    }

    /// Appends a name; row numbers become stored names.
    pub fn push(&mut self, name: &str) {
        self.push_with(|text| text.push_str(name));
    }

    pub(crate) fn push_number(&mut self, number: impl std::fmt::Display) {
        self.push_with(|text| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{number}");
        });
    }

    fn push_with(&mut self, write: impl FnOnce(&mut String)) {
        if let Names::RowNumbers { first, items } = self.0 {
            let mut stored = Self::named();
            (first..first + items as u64).for_each(|number| stored.push_number(number));
            *self = stored;
        }
        if let Names::Stored { text, ends } = &mut self.0 {
            write(text);
            ends.push(text.len());
        }
    }

    /// Keeps the names of the items for which `keep` says so.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = Self::named();
        (0..self.len()).filter(|&i| keep(i)).for_each(|i| kept.push(&self.name(i)));
        *self = kept;
    }

    /// Adds all names of `other` behind these.
    pub(crate) fn append(&mut self, other: &Self) {
        for name in other.iter() {
            self.push(&name);
        }
    }
}

impl<S: AsRef<str>> FromIterator<S> for ItemNames {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut result = Self::named();
        for name in names {
            result.push(name.as_ref());
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let names: ItemNames = ["b", "", "äö"].into_iter().collect();
        assert_eq!(names.iter().collect::<Vec<_>>(), ["b", "", "äö"]);
        assert_eq!(names.position("äö"), Some(2));
        assert_eq!(names.position("x"), None);
    }

    #[test]
    fn row_numbers_store_nothing() {
        let mut names = ItemNames::row_numbers(2);
        assert_eq!(names.iter().collect::<Vec<_>>(), ["0", "1"]);
        assert_eq!(names.position("1"), Some(1));
        assert_eq!(names.position("2"), None);
        names.push("x");
        assert_eq!(names.iter().collect::<Vec<_>>(), ["0", "1", "x"]);
        assert!(!names.are_row_numbers());
    }

    #[test]
    fn parts_go_on_counting() {
        let mut names = ItemNames::row_numbers_from(7, 3);
        assert_eq!(names.iter().collect::<Vec<_>>(), ["7", "8", "9"]);
        assert_eq!([names.position("6"), names.position("9"), names.position("10")], [None, Some(2), None]);
        assert!(!names.count_rows());
        names.retain(|i| i != 1);
        assert_eq!(names.iter().collect::<Vec<_>>(), ["7", "9"]);
    }
}
