//! Labels from a file: the probability of each class for each item, as `consilience label` writes them.

use consilience::sources::Classes;

use super::Progress;
use super::error::{Problem, ReadError};
use super::table::{TableHeader, TableRow, read_table};
use crate::format::Format;
use crate::input::Input;
use crate::items::ItemNames;

/// The prefix of the name of a probability column.
const PREFIX: &str = "p_";

/// Written numbers are rounded; their sum may be this far from 1.
const SUM_TOLERANCE: f64 = 1e-3;

/// Labels as a file holds them.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelTable {
    /// The classes, in the order of the columns.
    pub classes: Classes,
    /// The item names; row numbers if there is no column `item`.
    pub items: ItemNames,
    /// The probability of each class, item by item.
    pub probabilities: Vec<f64>,
    /// Whether each item has a label in the column `label`; true for all if there is no such column.
    pub decided: Vec<bool>,
}

impl LabelTable {
    /// The probability of each class for item `i`.
    pub fn item(&self, i: usize) -> &[f64] {
        let k = self.classes.len();
        &self.probabilities[i * k..(i + 1) * k]
    }
}

/// Reads labels with the columns `p_<class>` for two or more classes and, if present, `item` and `label`.
///
/// ```
/// use consilience_io::{Input, read_labels};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("labels.csv");
/// std::fs::write(&path, "item,label,p_ham,p_spam\nq1,spam,0.1,0.9\nq2,,0.5,0.5\n")?;
/// let labels = read_labels(&Input::Path(path), None, &|_| {})?;
/// assert_eq!(labels.item(0), [0.1, 0.9]);
/// assert_eq!(labels.decided, [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_labels(
    input: &Input,
    format: Option<Format>,
    progress: &dyn Fn(Progress),
) -> Result<LabelTable, ReadError> {
    let rows = read_table(input, format, Rows::begin, Rows::take, progress)?;
    let items = rows.items.unwrap_or_else(|| ItemNames::row_numbers(rows.decided.len()));
    Ok(LabelTable { classes: rows.classes, items, probabilities: rows.probabilities, decided: rows.decided })
}

/// Labels while they are read. The chosen cells are the item, the label, and the probabilities.
struct Rows {
    classes: Classes,
    items: Option<ItemNames>,
    has_label: bool,
    probabilities: Vec<f64>,
    decided: Vec<bool>,
}

impl Rows {
    fn begin(header: &TableHeader) -> Result<(Vec<usize>, Self), ReadError> {
        let (item, label) = (header.position("item"), header.position("label"));
        let mut wanted: Vec<usize> = item.into_iter().chain(label).collect();
        let mut classes = Vec::new();
        for (column, name) in header.names().iter().enumerate() {
            if let Some(class) = name.strip_prefix(PREFIX) {
                classes.push(class.to_string());
                wanted.push(column);
            }
        }
        if classes.len() < 2 {
            let columns = header.names().to_vec();
            return Err(header.error(Problem::NotLabels { found: classes.len(), columns }));
        }
        let rows = Self {
            classes: Classes::new(classes).map_err(|error| header.error(error.into()))?,
            items: item.map(|_| ItemNames::named()),
            has_label: label.is_some(),
            probabilities: Vec::new(),
            decided: Vec::new(),
        };
        Ok((wanted, rows))
    }

    fn take(&mut self, row: &TableRow<'_>) -> Result<(), ReadError> {
        let mut cell = 0;
        if let Some(items) = &mut self.items {
            items.push(row.cell(cell));
            cell += 1;
        }
        self.decided.push(!self.has_label || !row.cell(cell).trim().is_empty());
        cell += usize::from(self.has_label);
        let start = self.probabilities.len();
        for class in 0..self.classes.len() {
            let text = row.cell(cell + class).trim();
            let number = text.parse::<f64>().ok().filter(|p| (0.0..=1.0).contains(p));
            let problem = || row.error_in(cell + class, Problem::NotProbability { text: text.to_string() });
            self.probabilities.push(number.ok_or_else(problem)?);
        }
        let sum: f64 = self.probabilities[start..].iter().sum();
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(row.error(Problem::ProbabilitySum { sum }));
        }
        Ok(())
    }
}
