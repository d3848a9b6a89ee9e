//! Answers from a file: `item, answer`, other columns ignored.

use std::collections::HashMap;

use consilience::answers::Answers;
use consilience::sources::{ABSTAIN, Classes, Vote};
use consilience::votes::{AbstainMarks, Vocabulary};

use crate::format::Format;
use crate::input::Input;
use crate::items::{ITEM_COLUMN, ItemNames};
use crate::one_line::some_of;
use crate::read::{Place, ReadError, TableHeader, TableRow, read_table};

/// The column of the answers.
pub const ANSWER_COLUMN: &str = "answer";
/// Without a column of items, one of this name has the item names.
pub(crate) const ID_COLUMN: &str = "id";
/// The column that says how an item was drawn.
pub const DRAWN_COLUMN: &str = "drawn";
/// Its value for items that were not drawn uniformly.
pub const DRAWN_WHERE_MODELS_DIFFER: &str = "where models differ";

/// What is wrong with a table of answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerProblem {
    /// No column of answers.
    #[error(
        "there is no column \"answer\"; rename the answer column to \"answer\", or select it; the columns are {}",
        some_of(columns)
    )]
    NoColumn {
        /// The columns there are.
        columns: Vec<String>,
    },
    /// The items have names, but the answers do not say which they are about.
    #[error(
        "the items have names, but there is no column \"item\" or \"id\" that says which item an answer belongs to; add one; the columns are {}",
        some_of(columns)
    )]
    NoItems {
        /// The columns there are.
        columns: Vec<String>,
    },
    /// An answer that is not a class.
    #[error(
        "the answer \"{answer}\" is not a class; the classes are {}. Correct the answer",
        some_of(classes)
    )]
    NoSuchClass {
        /// The answer as written.
        answer: String,
        /// The classes there are.
        classes: Vec<String>,
    },
    /// Two answers for one item.
    #[error("item \"{item}\" has two different answers, \"{first}\" and \"{second}\"; keep one of them")]
    TwoAnswers {
        /// The item.
        item: String,
        /// The class that came first.
        first: String,
        /// The class that came later.
        second: String,
    },
    /// A row number beyond the table.
    #[error(
        "item \"{item}\" does not exist: the items have no names, only row numbers from 0 to {}; use answers to this table",
        items.saturating_sub(1)
    )]
    NoSuchRow {
        /// The item.
        item: String,
        /// How many items there are.
        items: usize,
    },
    /// None of the items is known.
    #[error(
        "none of its {answers} answers belongs to an item of this table (the first is for \"{first}\"); use answers to this table"
    )]
    NoneKnown {
        /// How many answers there are.
        answers: usize,
        /// The item of the first.
        first: String,
    },
    /// Answers in order, but not one row per item.
    #[error(
        "it has {rows} rows and no column \"item\", but there are {items} items; provide one row per item in the same order, or add the column"
    )]
    Rows {
        /// The rows.
        rows: usize,
        /// The items.
        items: usize,
    },
}

/// Answers to the items of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswersFile {
    /// The answers.
    pub answers: Answers,
    /// Whether answered items were drawn where models disagree, and so are not a random sample of all items.
    pub not_random: bool,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
}

/// Options for [`read_answers`].
///
/// ```
/// use consilience_io::{AnswersOptions, Format};
///
/// let options =
///     AnswersOptions::default().with_column("truth").with_format(Format::Csv);
/// assert_eq!(options.column.as_deref(), Some("truth"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AnswersOptions {
    /// The column with the answers. Default: [`ANSWER_COLUMN`].
    pub column: Option<String>,
    /// The column with the item names. Default: [`ITEM_COLUMN`].
    pub item: Option<String>,
    /// Values that mean "not answered", in addition to an empty cell.
    pub abstain: AbstainMarks,
    /// The format. Default: detected from the first bytes.
    pub format: Option<Format>,
}

consilience::option_setters! {
    AnswersOptions {
        /// Sets the column with the answers. Default: [`ANSWER_COLUMN`].
        with_column(column: impl Into<String>) = Some(column.into());
        /// Sets the column with the item names. Default: [`ITEM_COLUMN`].
        with_item(item: impl Into<String>) = Some(item.into());
        /// Sets the values that mean "not answered", in addition to an empty cell. Default: the usual ones.
        with_abstain(abstain: AbstainMarks);
        /// Sets the format. Default: detected from the first bytes.
        with_format(format: Format) = Some(format);
    }
}

/// Reads answers to `items`, whose classes are `classes`.
///
/// Answers are matched by item name. Items without names are numbered by row, from 0; a table of answers without item names
/// then needs one row per item, in the same order.
///
/// ```
/// use consilience::sources::Classes;
/// use consilience_io::{AnswersOptions, Input, ItemNames, read_answers};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("answers.csv");
/// std::fs::write(&path, "item,answer\nq3,spam\nq1,ham\n")?;
/// let items: ItemNames = ["q1", "q2", "q3"].into_iter().collect();
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// let read = read_answers(&Input::Path(path), &AnswersOptions::default(), &items, &classes)?;
/// assert_eq!(read.answers.of_items(), [1, 0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_answers(
    input: &Input,
    options: &AnswersOptions,
    items: &ItemNames,
    classes: &Classes,
) -> Result<AnswersFile, ReadError> {
    let begin = |header: &TableHeader| Rows::begin(header, options, items, classes);
    let rows = read_table(input, options.format, begin, Rows::take, &|_| {})?;
    rows.finish(&input.name())
}

/// A number below 2^16 that depends on the last letters of a name.
fn ending(name: &str) -> usize {
    let mut last = [0; 8];
    let bytes = name.as_bytes();
    let bytes = &bytes[bytes.len().saturating_sub(8)..];
    last[..bytes.len()].copy_from_slice(bytes);
    // Multiplying spreads the letters over the upper bits.
    (u64::from_le_bytes(last).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize
}

struct Rows<'a> {
    items: &'a ItemNames,
    classes: &'a Classes,
    vocabulary: Vocabulary,
    has_item: bool,
    has_drawn: bool,
    /// By the item's name; in the order of the rows where these have no names.
    by_name: HashMap<String, Vote>,
    first: Option<String>,
    in_order: Vec<Vote>,
    not_random: bool,
}

impl<'a> Rows<'a> {
    fn begin(
        header: &TableHeader,
        options: &AnswersOptions,
        items: &'a ItemNames,
        classes: &'a Classes,
    ) -> Result<(Vec<usize>, Self), ReadError> {
        let columns = || header.names().to_vec();
        let answer = match &options.column {
            Some(name) => header.find("the answers", name)?,
            None if header.position(ANSWER_COLUMN).is_some() => header.find("the answers", ANSWER_COLUMN)?,
            None => return Err(header.error(AnswerProblem::NoColumn { columns: columns() }.into())),
        };
        let named = options.item.as_deref().and_then(|name| header.position(name));
        let item = named.or_else(|| header.position(ITEM_COLUMN));
        // A table of votes or data may call the names of its items so.
        let item = item.or_else(|| header.position(ID_COLUMN).filter(|_| !items.are_row_numbers()));
        if item.is_none() && !items.are_row_numbers() {
            return Err(header.error(AnswerProblem::NoItems { columns: columns() }.into()));
        }
        let drawn = header.position(DRAWN_COLUMN);
        let wanted = [Some(answer), item, drawn].into_iter().flatten().collect();
        let rows = Self {
            items,
            classes,
            vocabulary: Vocabulary::declared(classes, options.abstain.clone()),
            has_item: item.is_some(),
            has_drawn: drawn.is_some(),
            by_name: HashMap::new(),
            first: None,
            in_order: Vec::new(),
            not_random: false,
        };
        Ok((wanted, rows))
    }

    fn take(&mut self, row: &TableRow<'_>) -> Result<(), ReadError> {
        let written = row.cell(0).trim();
        let no_such_class = || {
            let classes = self.classes.names().to_vec();
            row.error_in(0, AnswerProblem::NoSuchClass { answer: written.to_string(), classes }.into())
        };
        let answer = self.vocabulary.read(written).map_err(|_| no_such_class())?;
        // A number never stands for a class of another name.
        let is_other = |number: f64| self.classes.name(answer).parse() != Ok(number);
        if answer != ABSTAIN && written.parse().is_ok_and(is_other) {
            return Err(no_such_class());
        }
        if !self.has_item {
            self.in_order.push(answer);
            return Ok(());
        }
        if answer == ABSTAIN {
            return Ok(());
        }
        if self.has_drawn && row.cell(2).trim() == DRAWN_WHERE_MODELS_DIFFER {
            self.not_random = true;
        }
        let item = row.cell(1);
        if self.items.are_row_numbers() && self.items.position(item.trim()).is_none() {
            let problem = AnswerProblem::NoSuchRow { item: item.to_string(), items: self.items.len() };
            return Err(row.error_in(1, problem.into()));
        }
        self.first.get_or_insert_with(|| item.to_string());
        match self.by_name.insert(item.to_string(), answer) {
            Some(earlier) if earlier != answer => {
                let name = |class: Vote| self.classes.name(class).to_string();
                let (first, second) = (name(earlier), name(answer));
                Err(row.error(AnswerProblem::TwoAnswers { item: item.to_string(), first, second }.into()))
            }
            _ => Ok(()),
        }
    }

    fn finish(self, file: &str) -> Result<AnswersFile, ReadError> {
        let place = Place::file(file);
        let mut notes = Vec::new();
        let items = self.items.len();
        let of_item = if self.has_item {
            let (of_item, known) = self.join();
            if known == 0
                && let Some(first) = self.first
            {
                let answers = self.by_name.len();
                return Err(place.because(AnswerProblem::NoneKnown { answers, first }));
            }
            let unknown = self.by_name.len() - known;
            if unknown > 0 {
                notes.push(format!(
                    "{file}: {unknown} of {} answers {} for items that are not in this table and {} ignored",
                    self.by_name.len(),
                    if unknown == 1 { "is" } else { "are" },
                    if unknown == 1 { "is" } else { "are" },
                ));
            }
            if self.items.are_row_numbers() && known > 0 {
                notes.push(format!(
                    "{file}: the items have no names; answers are matched by row number, counted from 0"
                ));
            }
            of_item
        } else {
            if self.in_order.len() != items {
                return Err(place.because(AnswerProblem::Rows { rows: self.in_order.len(), items }));
            }
            notes.push(format!("{file}: the items have no names; answers are matched by row order"));
            self.in_order
        };
        let answers = Answers::new(of_item, items, self.classes);
        // Both conditions hold by construction: one entry per item, and the vocabulary knows the classes alone.
        let answers = answers.map_err(|_| place.because(AnswerProblem::Rows { rows: items, items }))?;
        if answers.is_empty() {
            notes.push(format!("{file}: no item has an answer yet, so nothing changes"));
        }
        Ok(AnswersFile { answers, not_random: self.not_random, notes })
    }

    /// One entry per item, and how many of the named answers found their item.
    fn join(&self) -> (Vec<Vote>, usize) {
        let mut of_item = vec![ABSTAIN; self.items.len()];
        if self.items.are_row_numbers() {
            for (name, &answer) in &self.by_name {
                if let Some(i) = self.items.position(name.trim()) {
                    of_item[i] = answer;
                }
            }
            return (of_item, self.by_name.len());
        }
        let mut known = std::collections::HashSet::new();
        // Most items of a large table have no answer, which their last letters tell.
        let mut endings = vec![false; 1 << 16];
        self.by_name.keys().for_each(|name| endings[ending(name)] = true);
        for (i, name) in self.items.iter().enumerate().filter(|(_, name)| endings[ending(name)]) {
            if let Some((name, &answer)) = self.by_name.get_key_value(name.as_ref()) {
                of_item[i] = answer;
                known.insert(name.as_str());
            }
        }
        (of_item, known.len())
    }
}
