//! Labels into files: `item, label, confidence, p_<class>...`.

use consilience::labels::{Labels, Ties};
use consilience::sources::{Classes, Vote};

use super::error::WriteError;
use super::output::Output;
use super::table::{Cell, Column, Kind, TableWriter};
use super::votes::Spelling;
use crate::answers::ANSWER_COLUMN;
use crate::certified::{HELD_OUT_COLUMN, HELD_OUT_PREFIX};
use crate::format::Format;
use crate::items::{ITEM_COLUMN, ItemNames};

/// The label of one item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelRow<'a> {
    /// The item's name.
    pub item: &'a str,
    /// The class, or `None` if undecided.
    pub label: Option<&'a str>,
    /// The probability of that class.
    pub confidence: f64,
    /// The probability of each class.
    pub probabilities: &'a [f64],
}

/// The answer to an item, and what the item would be labelled without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnsweredLabel<'a> {
    /// The answer.
    pub answer: &'a str,
    /// The class that a model gives that has not seen the answer, or `None` if undecided.
    pub held_out: Option<&'a str>,
    /// The probability of each class by that model.
    pub probabilities: &'a [f64],
}

impl<'a> LabelRow<'a> {
    /// The row of item `i`, which is called `item` and was given the class `label`.
    pub fn of(labels: &'a Labels, i: usize, item: &'a str, label: Option<Vote>) -> Self {
        let probabilities = labels.item(i);
        Self {
            item,
            label: label.map(|class| labels.classes().name(class)),
            confidence: label.map_or(labels.confidence(i), |class| probabilities[usize::from(class) - 1]),
            probabilities,
        }
    }
}

/// Writes labels one at a time; the file appears when it is complete.
///
/// ```
/// use consilience::sources::Classes;
/// use consilience_io::{Format, LabelRow, LabelWriter, Output};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("labels.jsonl");
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// let mut writer = LabelWriter::new(Output::create(&path)?, &classes, Some(Format::Jsonl))?;
/// writer.write(&LabelRow { item: "q1", label: Some("spam"), confidence: 0.75, probabilities: &[0.25, 0.75] })?;
/// writer.finish()?;
/// assert!(std::fs::read_to_string(&path)?.starts_with("{\"item\":\"q1\",\"label\":\"spam\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LabelWriter {
    table: TableWriter,
    /// The classes, if rows show their votes.
    classes: Option<Classes>,
}

impl LabelWriter {
    /// Begins a file of labels over `classes`. The default `format` is that of the output's extension; CSV for standard output.
    pub fn new(output: Output, classes: &Classes, format: Option<Format>) -> Result<Self, WriteError> {
        Ok(Self { table: TableWriter::new(output, format, &columns(classes))?, classes: None })
    }

    /// The same for labels of patterns: in place of the item, the votes of all `sources` and the `count` of the pattern, by which
    /// labels are joined to items elsewhere.
    pub fn of_patterns(
        output: Output,
        classes: &Classes,
        sources: &[String],
        count: &str,
        format: Option<Format>,
    ) -> Result<Self, WriteError> {
        let kind = Spelling::new(classes).kind;
        let mut all: Vec<Column> = sources.iter().map(|name| Column::new(name, kind)).collect();
        all.push(Column::new(count, Kind::Integer));
        all.extend(columns(classes).into_iter().skip(1));
        Ok(Self { table: TableWriter::new(output, format, &all)?, classes: Some(classes.clone()) })
    }

    /// Adds the label of the next pattern of [`Self::of_patterns`].
    pub fn write_pattern(
        &mut self,
        votes: &[Vote],
        count: u64,
        row: &LabelRow<'_>,
    ) -> Result<(), WriteError> {
        let spelling = self.classes.as_ref().map(Spelling::new);
        let cell = |&vote: &Vote| spelling.as_ref().map_or(Cell::Empty, |spelling| spelling.cell(vote));
        let count = Cell::Integer(i64::try_from(count).unwrap_or(i64::MAX));
        let label = row.label.map_or(Cell::Empty, Cell::Text);
        let rest = [count, label, number(row.confidence)];
        self.table.row(votes.iter().map(cell).chain(rest).chain(row.probabilities.iter().map(|&p| number(p))))
    }

    /// Like [`Self::new`], for labels of a model that answers have corrected: the columns `answer`, `held_out` and `held_out_<class>`
    /// are added for answered items, so that the labels can be certified with these answers.
    pub fn with_answers(
        output: Output,
        classes: &Classes,
        format: Option<Format>,
    ) -> Result<Self, WriteError> {
        let mut columns = columns(classes);
        columns.push(Column::new(ANSWER_COLUMN, Kind::Text));
        columns.push(Column::new(HELD_OUT_COLUMN, Kind::Text));
        let held_out = |class: &String| Column::new(format!("{HELD_OUT_PREFIX}{class}"), Kind::Number);
        columns.extend(classes.names().iter().map(held_out));
        Ok(Self { table: TableWriter::new(output, format, &columns)?, classes: None })
    }

    /// Adds the label of the next item for [`Self::with_answers`], and what is known of it if it is answered.
    pub fn write_answered(
        &mut self,
        row: &LabelRow<'_>,
        answered: Option<AnsweredLabel<'_>>,
    ) -> Result<(), WriteError> {
        let label = row.label.map_or(Cell::Empty, Cell::Text);
        let head = [Cell::Text(row.item), label, number(row.confidence)];
        let answer = answered.map_or(Cell::Empty, |answered| Cell::Text(answered.answer));
        let label_without = answered.and_then(|answered| answered.held_out).map_or(Cell::Empty, Cell::Text);
        let held_out = |c: usize| answered.map_or(Cell::Empty, |answered| number(answered.probabilities[c]));
        let classes = row.probabilities.len();
        let probabilities = row.probabilities.iter().map(|&p| number(p));
        let without_answer = [answer, label_without].into_iter().chain((0..classes).map(held_out));
        self.table.row(head.into_iter().chain(probabilities).chain(without_answer))
    }

    /// Adds the label of the next item.
    pub fn write(&mut self, row: &LabelRow<'_>) -> Result<(), WriteError> {
        let label = row.label.map_or(Cell::Empty, Cell::Text);
        let head = [Cell::Text(row.item), label, number(row.confidence)];
        self.table.row(head.into_iter().chain(row.probabilities.iter().map(|&p| number(p))))
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), WriteError> {
        self.table.finish()
    }
}

fn columns(classes: &Classes) -> Vec<Column> {
    let mut columns = vec![
        Column::new(ITEM_COLUMN, Kind::Text),
        Column::new("label", Kind::Text),
        Column::new("confidence", Kind::Number),
    ];
    columns.extend(classes.names().iter().map(|class| Column::new(format!("p_{class}"), Kind::Number)));
    columns
}

/// No format of ours has a word for what is not a number, so it stays empty.
fn number(number: f64) -> Cell<'static> {
    if number.is_finite() { Cell::Number(number) } else { Cell::Empty }
}

/// Writes the labels of all items, in order. The output's extension sets the format; standard output gets CSV.
///
/// ```
/// use consilience::labels::Ties;
/// use consilience::pipeline::{Votes, majority_vote};
/// use consilience_io::{ItemNames, Output, write_labels};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("labels.csv");
/// let votes = Votes::from_text(&["a", "b", "c", "d"], [["yes", "yes", "yes", "no"], ["yes", "no", "", ""]])?;
/// let items: ItemNames = ["q1", "q2"].into_iter().collect();
/// write_labels(Output::create(&path)?, &majority_vote(&votes), &items, Ties::Empty)?;
/// let written = std::fs::read_to_string(&path)?;
/// assert_eq!(written, "item,label,confidence,p_no,p_yes\nq1,yes,0.75,0.25,0.75\nq2,,0.5,0.5,0.5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_labels(
    output: Output,
    labels: &Labels,
    items: &ItemNames,
    ties: Ties,
) -> Result<(), WriteError> {
    let mut writer = LabelWriter::new(output, labels.classes(), None)?;
    for i in 0..labels.items() {
        writer.write(&LabelRow::of(labels, i, &items.name(i), labels.decide(i, ties)))?;
    }
    writer.finish()
}
