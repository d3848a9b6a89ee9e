//! Which row of another file belongs to which item: by the items' names, or by order.

use consilience::votes::ReadingNote;
use hashbrown::HashMap;

use crate::items::ItemNames;
use crate::read::Problem;

/// How the rows of another file go with the items.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Matched {
    /// For each item its row, if it has one.
    ByName {
        /// One per item.
        rows: Vec<Option<usize>>,
        /// What the user should know.
        note: Option<ReadingNote>,
    },
    /// Row by row.
    ByOrder {
        /// What the user should know.
        note: ReadingNote,
    },
}

/// At least this share of the rows, or of the items, must be found for a column to name the items.
const MOST: f64 = 0.5;

/// Finds among `candidates`, columns of another file with `rows` rows, the one that names the items, and uses it.
///
/// Where the items have names but no column has them, although one is called as if it did, that is an error: by order, rows
/// would go with items of other names.
pub(crate) fn match_items(
    what: &'static str,
    items: &ItemNames,
    rows: usize,
    candidates: &[(&str, &[String])],
    is_name: &dyn Fn(&str) -> bool,
    told: Option<&str>,
) -> Result<Matched, Problem> {
    let mut item_of: HashMap<String, usize> = HashMap::with_capacity(items.len());
    for (i, name) in items.iter().enumerate() {
        item_of.entry(name.trim().to_string()).or_insert(i);
    }
    let found = |cells: &[String]| cells.iter().filter(|cell| item_of.contains_key(cell.as_str())).count();
    let fits = |name: &str, cells: &[String]| {
        let found = found(cells);
        if items.are_row_numbers() {
            // Any column of numbers could be taken for row numbers; only one that is called so, and fits whole, is.
            is_name(name) && found == rows
        } else {
            found as f64 > MOST * rows.min(items.len()) as f64
        }
    };
    let best = candidates
        .iter()
        .filter(|(name, cells)| {
            told.is_none_or(|told| told == *name || !candidates.iter().any(|(n, _)| *n == told))
                && fits(name, cells)
        })
        .max_by_key(|(name, cells)| (is_name(name), found(cells)));
    let Some((_, cells)) = best else {
        if !items.are_row_numbers()
            && let Some((name, cells)) = candidates.iter().find(|(name, _)| is_name(name))
        {
            let (theirs, ours) = (cells.first().cloned().unwrap_or_default(), items.name(0).into_owned());
            return Err(Problem::ItemsApart { what, column: (*name).to_string(), theirs, ours });
        }
        return Ok(Matched::ByOrder { note: ReadingNote::ByOrder { what } });
    };
    by_name(what, items, cells, &item_of)
}

fn by_name(
    what: &'static str,
    items: &ItemNames,
    cells: &[String],
    item_of: &HashMap<String, usize>,
) -> Result<Matched, Problem> {
    if item_of.len() < items.len() {
        let mut seen: hashbrown::HashSet<String> = hashbrown::HashSet::new();
        let twice = items.iter().find(|name| !seen.insert(name.trim().to_string()));
        return Err(Problem::ItemTwiceInVotes { item: twice.unwrap_or_default().into_owned(), what });
    }
    let mut rows: Vec<Option<usize>> = vec![None; items.len()];
    let mut others = 0;
    for (row, cell) in cells.iter().enumerate() {
        match item_of.get(cell.as_str()) {
            Some(&item) if rows[item].is_some() => return Err(Problem::ItemTwice { item: cell.clone() }),
            Some(&item) => rows[item] = Some(row),
            None => others += 1,
        }
    }
    let without = rows.iter().filter(|row| row.is_none()).count();
    let note =
        (without > 0 || others > 0).then_some(ReadingNote::WithoutMatch { what, items: without, others });
    Ok(Matched::ByName { rows, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> ItemNames {
        list.iter().collect()
    }

    fn cells(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    fn by(items: &ItemNames, column: &str, list: &[&str]) -> Result<Matched, Problem> {
        let cells = cells(list);
        match_items("gold", items, list.len(), &[(column, &cells)], &|name| name == "id", None)
    }

    #[test]
    fn rows_go_by_name_whatever_their_order() {
        let items = names(&["a", "b", "c"]);
        let rows = |matched| match matched {
            Ok(Matched::ByName { rows, .. }) => rows,
            other => panic!("{other:?}"),
        };
        assert_eq!(rows(by(&items, "id", &["c", "a", "b"])), [Some(1), Some(2), Some(0)]);
        assert_eq!(rows(by(&items, "whatever", &["c", "x", "b"])), [None, Some(2), Some(0)]);
        assert!(matches!(by(&items, "id", &["c", "c", "b"]), Err(Problem::ItemTwice { .. })));
        assert!(matches!(by(&names(&["a", "a"]), "id", &["a"]), Err(Problem::ItemTwiceInVotes { .. })));
    }

    #[test]
    fn rows_go_by_order_only_where_there_are_no_names() {
        let numbers = ItemNames::row_numbers(3);
        assert!(matches!(by(&numbers, "id", &["2", "0", "1"]), Ok(Matched::ByName { .. })));
        assert!(matches!(by(&numbers, "id", &["1", "2", "3"]), Ok(Matched::ByOrder { .. })));
        assert!(matches!(by(&numbers, "score", &["2", "0", "1"]), Ok(Matched::ByOrder { .. })));
        let items = names(&["a", "b", "c"]);
        assert!(matches!(by(&items, "score", &["2", "0", "1"]), Ok(Matched::ByOrder { .. })));
        assert!(matches!(by(&items, "id", &["2", "0", "1"]), Err(Problem::ItemsApart { .. })));
    }
}
