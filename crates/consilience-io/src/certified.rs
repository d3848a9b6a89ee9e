//! Labels to be certified: `item, label`, with `p_<class>` if they are known; also labels that others made.

use consilience::sources::{Classes, NamesError, Vote};
use consilience::votes::{AbstainMarks, Meaning, Vocabulary};

use crate::answers::{AnswersOptions, ID_COLUMN};
use crate::format::Format;
use crate::input::Input;
use crate::items::{ITEM_COLUMN, ItemNames};
use crate::read::{Place, Problem, Progress, ReadError, TableHeader, TableRow, read_table};

/// The prefix of the names of probability columns.
const PREFIX: &str = "p_";
/// The same for the probabilities of answered items by models that have not seen their answers.
pub(crate) const HELD_OUT_PREFIX: &str = "held_out_";
/// The column with the labels that these models give them.
pub(crate) const HELD_OUT_COLUMN: &str = "held_out";
/// Written numbers are rounded; their sum may be this far from 1.
const SUM_TOLERANCE: f64 = 1e-3;

/// Labels as a file holds them.
#[derive(Clone, Debug, PartialEq)]
pub struct CertifiedLabels {
    /// The classes.
    pub classes: Classes,
    /// The item names; row numbers if there is no column `item` or `id`.
    pub items: ItemNames,
    /// One label per item; abstain if it has none.
    pub labels: Vec<Vote>,
    /// The probability of each class, item by item, if the file has them.
    pub probabilities: Option<Vec<f64>>,
    /// If the answers corrected the model that made the labels: for each item, the probability of each class from a model that
    /// has not seen the item's answer; NaN for items without an answer.
    pub held_out: Option<Vec<f64>>,
    /// The same for labels: one per item, abstain if it has none or no answer. Files of earlier versions do not have them.
    pub held_out_labels: Option<Vec<Vote>>,
}

/// Reads labels from the column `column` and, if present, the columns `item` (or `id`) and `p_<class>`.
///
/// The classes are those of the probabilities. Without probabilities, they are `classes` or, if not given, those of the labels
/// and of `answers`.
///
/// ```
/// use consilience_io::{AnswersOptions, Input, read_certified};
///
/// # let folder = tempfile::tempdir()?;
/// # let (labels, answers) = (folder.path().join("labels.csv"), folder.path().join("answers.csv"));
/// std::fs::write(&labels, "item,label\nq1,ham\nq2,spam\nq3,ham\n")?;
/// std::fs::write(&answers, "item,answer\nq1,ham\nq3,spam\n")?;
/// let answers = (&Input::Path(answers), &AnswersOptions::default());
/// let read = read_certified(&Input::Path(labels), "label", None, None, answers, None, &|_| {})?;
/// assert_eq!(read.labels, [1, 2, 1]);
/// assert!(read.probabilities.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_certified(
    input: &Input,
    column: &str,
    item: Option<&str>,
    classes: Option<&Classes>,
    answers: (&Input, &AnswersOptions),
    format: Option<Format>,
    progress: &dyn Fn(Progress),
) -> Result<CertifiedLabels, ReadError> {
    let begin = |header: &TableHeader| Rows::begin(header, column, item, classes);
    let mut rows = read_table(input, format, begin, Rows::take, progress)?;
    if rows.classes.is_none() {
        add_answered_classes(&mut rows.vocabulary, answers)?;
    }
    rows.finish(&input.name())
}

/// Adds the classes that the answers name.
fn add_answered_classes(
    vocabulary: &mut Vocabulary,
    (input, options): (&Input, &AnswersOptions),
) -> Result<(), ReadError> {
    let column = options.column.as_deref().unwrap_or(crate::answers::ANSWER_COLUMN);
    read_table(
        input,
        options.format,
        // A file without the column is refused when the answers themselves are read.
        |header: &TableHeader| {
            Ok((header.position(column).into_iter().collect(), header.position(column).is_some()))
        },
        |there: &mut bool, row: &TableRow<'_>| {
            if *there {
                vocabulary.read(row.cell(0)).map_err(|error| row.error_in(0, error.into()))?;
            }
            Ok::<(), ReadError>(())
        },
        &|_| {},
    )
    .map(|_| ())
}

struct Rows {
    classes: Option<Classes>,
    vocabulary: Vocabulary,
    items: Option<ItemNames>,
    labels: Vec<Vote>,
    probabilities: Option<Vec<f64>>,
    held_out: Option<Vec<f64>>,
    held_out_labels: Option<Vec<Vote>>,
}

impl Rows {
    fn begin(
        header: &TableHeader,
        column: &str,
        item: Option<&str>,
        classes: Option<&Classes>,
    ) -> Result<(Vec<usize>, Self), ReadError> {
        let label = header.find("the labels", column)?;
        let item = match item {
            Some(name) => Some(header.find("the items", name)?),
            None => header.position(ITEM_COLUMN).or_else(|| header.position(ID_COLUMN)),
        };
        let of_prefix = |prefix: &str| -> Vec<(usize, String)> {
            let named = header.names().iter().enumerate();
            named.filter_map(|(place, name)| Some((place, name.strip_prefix(prefix)?.to_string()))).collect()
        };
        let probabilities = of_prefix(PREFIX);
        let known = probabilities.len() >= 2;
        let names = |list: &[(usize, String)]| list.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
        let wrong = |error: NamesError| header.error(error.into());
        let of_columns = known.then(|| Classes::new(names(&probabilities))).transpose().map_err(wrong)?;
        let held_out = of_prefix(HELD_OUT_PREFIX);
        let has_held_out = known && names(&held_out) == names(&probabilities);
        let mut wanted = vec![label];
        wanted.extend(item);
        if known {
            wanted.extend(probabilities.iter().map(|(place, _)| *place));
        }
        if has_held_out {
            wanted.extend(held_out.iter().map(|(place, _)| *place));
        }
        let held_out_label = header.position(HELD_OUT_COLUMN).filter(|_| has_held_out);
        wanted.extend(held_out_label);
        let classes = of_columns.or_else(|| classes.cloned());
        let rows = Self {
            vocabulary: match &classes {
                Some(classes) => Vocabulary::declared(classes, AbstainMarks::Usual),
                None => Vocabulary::new(AbstainMarks::Usual),
            },
            classes,
            items: item.map(|_| ItemNames::named()),
            labels: Vec::new(),
            probabilities: known.then(Vec::new),
            held_out: has_held_out.then(Vec::new),
            held_out_labels: held_out_label.map(|_| Vec::new()),
        };
        Ok((wanted, rows))
    }

    fn take(&mut self, row: &TableRow<'_>) -> Result<(), ReadError> {
        let label = self.vocabulary.read(row.cell(0)).map_err(|error| row.error_in(0, error.into()))?;
        self.labels.push(label);
        let mut cell = 1;
        if let Some(items) = &mut self.items {
            items.push(row.cell(cell));
            cell += 1;
        }
        let k = self.vocabulary.names().len();
        if let Some(probabilities) = &mut self.probabilities {
            let start = probabilities.len();
            for c in cell..cell + k {
                probabilities.push(probability(row, c)?);
            }
            let sum: f64 = probabilities[start..].iter().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(row.error(Problem::ProbabilitySum { sum }));
            }
            cell += k;
        }
        if let Some(held_out) = &mut self.held_out {
            for c in cell..cell + k {
                held_out.push(if row.cell(c).trim().is_empty() { f64::NAN } else { probability(row, c)? });
            }
            cell += k;
        }
        if let Some(labels) = &mut self.held_out_labels {
            let label = self.vocabulary.read(row.cell(cell));
            labels.push(label.map_err(|error| row.error_in(cell, error.into()))?);
        }
        Ok(())
    }

    fn finish(self, file: &str) -> Result<CertifiedLabels, ReadError> {
        let place = Place::file(file);
        let items = self.items.unwrap_or_else(|| ItemNames::row_numbers(self.labels.len()));
        if let Some(item) = items.first_twice() {
            return Err(place.because(Problem::ItemTwice { item }));
        }
        let mut counts = vec![0; self.vocabulary.names().len() + 1];
        self.labels.iter().for_each(|&label| counts[usize::from(label)] += 1);
        let Meaning { classes, relabel, .. } =
            self.vocabulary.finish(&counts).map_err(|error| place.because(error))?;
        let in_order = |labels: Vec<Vote>| -> Vec<Vote> {
            labels.into_iter().map(|label| relabel[usize::from(label)]).collect()
        };
        Ok(CertifiedLabels {
            classes,
            items,
            labels: in_order(self.labels),
            probabilities: self.probabilities,
            held_out: self.held_out,
            held_out_labels: self.held_out_labels.map(in_order),
        })
    }
}

fn probability(row: &TableRow<'_>, cell: usize) -> Result<f64, ReadError> {
    let text = row.cell(cell).trim();
    let number = text.parse::<f64>().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or_else(|| row.error_in(cell, Problem::NotProbability { text: text.to_string() }))
}
