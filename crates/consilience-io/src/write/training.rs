//! Files that other trainers take: the items' texts with soft labels, or with weighted hard ones.

use consilience::sources::Classes;

use super::error::WriteError;
use super::output::Output;
use super::table::{Cell, Column, Kind, TableWriter};
use crate::format::Format;
use crate::items::ITEM_COLUMN;

/// How probabilities are written for other trainers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingLayout {
    /// One row per item: `item`, the texts, `p_<class>`... For trainers that take a distribution over the classes.
    Soft,
    /// One row for each class of an item that has any probability: `item`, the texts, `label`, `weight`. For trainers
    /// that take a class and a weight; the weighted loss is the expected loss.
    Weighted,
}

/// Writes items one at a time; the file appears when it is complete.
///
/// ```
/// use consilience::sources::Classes;
/// use consilience_io::{Output, TrainingFileWriter, TrainingLayout};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("training.csv");
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// let texts = ["text".to_string()];
/// let mut writer =
///     TrainingFileWriter::new(Output::create(&path)?, TrainingLayout::Weighted, &texts, &classes, None)?;
/// writer.write("q1", &["win money"], &[0.25, 0.75])?;
/// writer.finish()?;
/// let written = std::fs::read_to_string(&path)?;
/// assert_eq!(written, "item,text,label,weight\nq1,win money,ham,0.25\nq1,win money,spam,0.75\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TrainingFileWriter {
    table: TableWriter,
    layout: TrainingLayout,
    classes: Classes,
}

impl TrainingFileWriter {
    /// Begins a file over `classes` with these text columns. The default `format` is that of the output's extension; CSV for
    /// standard output.
    pub fn new(
        output: Output,
        layout: TrainingLayout,
        texts: &[String],
        classes: &Classes,
        format: Option<Format>,
    ) -> Result<Self, WriteError> {
        let mut columns = vec![Column::new(ITEM_COLUMN, Kind::Text)];
        columns.extend(texts.iter().map(|name| Column::new(name, Kind::Text)));
        match layout {
            TrainingLayout::Soft => columns
                .extend(classes.names().iter().map(|class| Column::new(format!("p_{class}"), Kind::Number))),
            TrainingLayout::Weighted => {
                columns.push(Column::new("label", Kind::Text));
                columns.push(Column::new("weight", Kind::Number));
            }
        }
        Ok(Self { table: TableWriter::new(output, format, &columns)?, layout, classes: classes.clone() })
    }

    /// The columns that this layout adds to the texts.
    pub fn own_columns(layout: TrainingLayout, classes: &Classes) -> Vec<String> {
        let own: Vec<String> = match layout {
            TrainingLayout::Soft => classes.names().iter().map(|class| format!("p_{class}")).collect(),
            TrainingLayout::Weighted => vec!["label".to_string(), "weight".to_string()],
        };
        std::iter::once(ITEM_COLUMN.to_string()).chain(own).collect()
    }

    /// Adds an item with the probability of each class.
    pub fn write(&mut self, item: &str, texts: &[&str], probabilities: &[f64]) -> Result<(), WriteError> {
        let head = || std::iter::once(item).chain(texts.iter().copied()).map(Cell::Text);
        match self.layout {
            TrainingLayout::Soft => {
                self.table.row(head().chain(probabilities.iter().map(|&p| Cell::Number(p))))
            }
            TrainingLayout::Weighted => {
                for (class, &p) in self.classes.names().iter().zip(probabilities) {
                    if p > 0.0 {
                        self.table.row(head().chain([Cell::Text(class), Cell::Number(p)]))?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), WriteError> {
        self.table.finish()
    }
}
