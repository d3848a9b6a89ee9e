//! The queue of items to label, and the file of answers.
//!
//! Every answer is in the file before the page hears of it: the file is written whole into a new one that takes its place.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use consilience::answers::{Answers, sample};
use consilience::sources::{ABSTAIN, Classes, Vote};
use consilience_io::{
    ANSWER_COLUMN, DRAWN_COLUMN, DRAWN_WHERE_MODELS_DIFFER, ITEM_COLUMN, Input, ItemNames, Output, ReadError,
    TableHeader, TextTableWriter, WriteError, read_table,
};

/// The draw is the same every time, so that a queue goes on where it was.
const SEED: u64 = 0;

/// Why answers cannot be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerBookError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error("the answer was not saved: {0}")]
    Write(#[from] WriteError),
    /// An answer that is not a class.
    #[error("{file}: the answer \"{answer}\" to item \"{item}\" is not a class; the classes are {classes}")]
    NoSuchClass {
        /// The file.
        file: String,
        /// The item.
        item: String,
        /// The answer.
        answer: String,
        /// The classes.
        classes: String,
    },
    /// An item that is not in the table.
    #[error("{file}: there is no item \"{item}\" in the votes; use answers to this table")]
    NoSuchItem {
        /// The file.
        file: String,
        /// The item.
        item: String,
    },
    /// Two items of one name: it would not be known whose answer an answer is.
    #[error(
        "item \"{0}\" occurs twice in the votes, so answers cannot be matched by item; give every item a unique name"
    )]
    ItemTwice(String),
    /// Answers that contradict each other.
    #[error("{file}: item \"{item}\" has two different answers; keep one of them")]
    TwoAnswers {
        /// The file.
        file: String,
        /// The item.
        item: String,
    },
    /// Items that are not a random sample.
    #[error(
        "{file}: its items were drawn where models disagree (sample --differ), so nothing can be certified; use another file"
    )]
    NotRandom {
        /// The file.
        file: String,
    },
    /// Answers that somebody else gave in the meantime.
    #[error(
        "{file} has changed since the studio read it, so the answer was not saved; restart the studio to continue with the new file"
    )]
    Changed {
        /// The file.
        file: String,
    },
    /// An item that cannot be answered now.
    #[error("item number {0} is not in the queue")]
    NotAsked(usize),
    /// A class that is not there.
    #[error("there is no class number {0}")]
    NoClass(Vote),
    /// Nothing to undo.
    #[error("there is nothing to undo")]
    NothingToUndo,
}

impl AnswerBookError {
    pub(crate) fn is_server(&self) -> bool {
        matches!(self, Self::Read(_) | Self::Write(_))
    }
}

/// The answers given so far, and the order in which items are asked about.
#[derive(Debug)]
pub struct AnswerBook {
    path: PathBuf,
    /// The file as it was read or written last; nothing where there was none.
    seen: Option<u64>,
    columns: Vec<String>,
    item_column: usize,
    answer_column: usize,
    rows: Vec<Vec<String>>,
    row_of_item: HashMap<usize, usize>,
    /// In the order in which they were given: item and class.
    given: Vec<(usize, Vote)>,
    /// Items given or skipped since the start, for undoing.
    done: Vec<Done>,
    skipped: Vec<usize>,
    items: usize,
    classes: Classes,
}

#[derive(Clone, Copy, Debug)]
enum Done {
    Answered,
    Skipped,
}

impl AnswerBook {
    /// Opens the file of answers; a missing file is created with the first answer.
    pub fn open(path: &Path, items: &ItemNames, classes: &Classes) -> Result<Self, AnswerBookError> {
        let mut book = Self {
            path: path.to_path_buf(),
            seen: fingerprint(path),
            columns: vec![ITEM_COLUMN.to_string(), ANSWER_COLUMN.to_string()],
            item_column: 0,
            answer_column: 1,
            rows: Vec::new(),
            row_of_item: HashMap::new(),
            given: Vec::new(),
            done: Vec::new(),
            skipped: Vec::new(),
            items: items.len(),
            classes: classes.clone(),
        };
        if path.exists() || !items.are_row_numbers() {
            let item_of = by_name(items)?;
            if path.exists() {
                book.read(&item_of)?;
            }
        }
        Ok(book)
    }

    fn read(&mut self, item_of: &HashMap<String, usize>) -> Result<(), AnswerBookError> {
        let file = self.path.display().to_string();
        let begin = |header: &TableHeader| {
            let places = (header.find("--answers", ITEM_COLUMN)?, header.find("--answers", ANSWER_COLUMN)?);
            let all = (0..header.names().len()).collect();
            Ok::<_, ReadError>((all, (header.names().to_vec(), places, Vec::new())))
        };
        let input = Input::from_arg(self.path.as_os_str());
        let (columns, (item, answer), rows) = read_table(
            &input,
            None,
            begin,
            |(columns, _, rows): &mut (Vec<String>, (usize, usize), Vec<Vec<String>>), row| {
                rows.push((0..columns.len()).map(|cell| row.cell(cell).to_string()).collect());
                Ok(())
            },
            &|_| {},
        )?;
        let drawn = columns.iter().position(|name| name == DRAWN_COLUMN);
        let mut known: HashMap<usize, Vote> = HashMap::new();
        for (place, row) in rows.iter().enumerate() {
            let said = row[answer].trim();
            let Some(&i) = item_of.get(row[item].trim()) else {
                return Err(AnswerBookError::NoSuchItem { file, item: row[item].clone() });
            };
            self.row_of_item.insert(i, place);
            if said.is_empty() {
                continue;
            }
            if drawn.is_some_and(|drawn| row[drawn].trim() == DRAWN_WHERE_MODELS_DIFFER) {
                return Err(AnswerBookError::NotRandom { file });
            }
            let Some(class) = self.classes.vote(said) else {
                return Err(AnswerBookError::NoSuchClass {
                    file,
                    item: row[item].clone(),
                    answer: said.to_string(),
                    classes: self.classes.names().join(", "),
                });
            };
            match known.insert(i, class) {
                None => self.given.push((i, class)),
                Some(other) if other == class => {}
                Some(_) => return Err(AnswerBookError::TwoAnswers { file, item: row[item].clone() }),
            }
        }
        (self.columns, self.item_column, self.answer_column, self.rows) = (columns, item, answer, rows);
        Ok(())
    }

    /// The answers in the order in which they were given.
    pub(crate) fn given(&self) -> &[(usize, Vote)] {
        &self.given
    }

    /// The answers as the core takes them.
    pub(crate) fn answers(&self) -> Option<Answers> {
        let mut of_item = vec![ABSTAIN; self.items];
        self.given.iter().for_each(|&(i, class)| of_item[i] = class);
        Answers::new(of_item, self.items, &self.classes).ok()
    }

    /// The next item to ask about: drawn from all items alike, those skipped last.
    pub(crate) fn next(&self) -> Option<usize> {
        let known = |i: &usize| self.given.iter().any(|(other, _)| other == i) || self.skipped.contains(i);
        let enough = (self.given.len() + self.skipped.len() + 1).min(self.items);
        let drawn = sample(self.items, enough, SEED).into_iter().find(|i| !known(i));
        drawn.or_else(|| {
            self.skipped.iter().copied().find(|i| !self.given.iter().any(|(other, _)| other == i))
        })
    }

    /// Whether something can be undone.
    pub(crate) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// How many items were skipped.
    pub(crate) fn skipped(&self) -> usize {
        self.skipped.len()
    }

    /// Keeps an answer to the next item.
    pub(crate) fn answer(
        &mut self,
        item: usize,
        class: Vote,
        items: &ItemNames,
    ) -> Result<(), AnswerBookError> {
        if class == ABSTAIN || usize::from(class) > self.classes.len() {
            return Err(AnswerBookError::NoClass(class));
        }
        if self.next() != Some(item) {
            return Err(AnswerBookError::NotAsked(item));
        }
        let row = self.row(item, items);
        self.rows[row][self.answer_column] = self.classes.name(class).to_string();
        if let Err(error) = self.save() {
            self.rows[row][self.answer_column].clear();
            return Err(error);
        }
        self.given.push((item, class));
        self.done.push(Done::Answered);
        Ok(())
    }

    /// Puts an item behind the others.
    pub(crate) fn skip(&mut self, item: usize) -> Result<(), AnswerBookError> {
        if self.next() != Some(item) {
            return Err(AnswerBookError::NotAsked(item));
        }
        self.skipped.retain(|&other| other != item);
        self.skipped.push(item);
        self.done.push(Done::Skipped);
        Ok(())
    }

    /// Takes back what was done last since the start.
    pub(crate) fn undo(&mut self) -> Result<(), AnswerBookError> {
        match self.done.last() {
            None => return Err(AnswerBookError::NothingToUndo),
            Some(Done::Skipped) => _ = self.skipped.pop(),
            Some(Done::Answered) => {
                if let Some(&(item, _)) = self.given.last() {
                    let row = self.row_of_item.get(&item).copied();
                    let cell = row.map(|row| std::mem::take(&mut self.rows[row][self.answer_column]));
                    if let Err(error) = self.save() {
                        if let (Some(row), Some(cell)) = (row, cell) {
                            self.rows[row][self.answer_column] = cell;
                        }
                        return Err(error);
                    }
                    self.given.pop();
                }
            }
        }
        self.done.pop();
        Ok(())
    }

    fn row(&mut self, item: usize, items: &ItemNames) -> usize {
        if let Some(&row) = self.row_of_item.get(&item) {
            return row;
        }
        let mut row = vec![String::new(); self.columns.len()];
        row[self.item_column] = items.name(item).into_owned();
        self.rows.push(row);
        self.row_of_item.insert(item, self.rows.len() - 1);
        self.rows.len() - 1
    }

    /// Writes the file, unless that would remove answers of somebody else.
    fn save(&mut self) -> Result<(), AnswerBookError> {
        let found = fingerprint(&self.path);
        if found.is_some() && found != self.seen {
            return Err(AnswerBookError::Changed { file: self.path.display().to_string() });
        }
        let output = Output::create(&self.path)?;
        let mut writer = TextTableWriter::new(output, &self.columns, None)?;
        for row in &self.rows {
            writer.write(&row.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        writer.finish()?;
        self.seen = fingerprint(&self.path);
        Ok(())
    }
}

/// The number of each item by its name.
fn by_name(items: &ItemNames) -> Result<HashMap<String, usize>, AnswerBookError> {
    let mut item_of = HashMap::with_capacity(items.len());
    for (i, name) in items.iter().enumerate() {
        if item_of.insert(name.trim().to_string(), i).is_some() {
            return Err(AnswerBookError::ItemTwice(name.into_owned()));
        }
    }
    Ok(item_of)
}

/// What tells the contents of a file from others; nothing where it cannot be read.
fn fingerprint(path: &Path) -> Option<u64> {
    let bytes = std::fs::read(path).ok()?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> ItemNames {
        (0..20).map(|i| format!("x{i}")).collect()
    }

    fn open(path: &Path) -> Result<AnswerBook, AnswerBookError> {
        AnswerBook::open(path, &names(), &Classes::new(vec!["ham".into(), "spam".into()]).unwrap())
    }

    #[test]
    fn answers_are_kept_and_the_queue_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.csv");
        std::fs::write(&path, "item,text,answer\nx3,\"a, b\",spam\nx4,,\n").unwrap();
        let mut book = open(&path).unwrap();
        let mut asked = Vec::new();
        for place in 0..6 {
            let item = book.next().unwrap();
            asked.push(item);
            if place == 2 {
                book.skip(item).unwrap();
            } else {
                book.answer(item, 1 + (place % 2), &names()).unwrap();
            }
        }
        let last = *asked.last().unwrap();
        book.undo().unwrap();
        assert_eq!(book.next(), Some(last));
        let again = open(&path).unwrap();
        // The file keeps its rows where they were, so that its order may be another one.
        let sorted = |book: &AnswerBook| {
            let mut given = book.given().to_vec();
            given.sort_unstable();
            given
        };
        assert_eq!(sorted(&again), sorted(&book));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("item,text,answer\nx3,\"a, b\",spam\n"), "{text}");
        // Skipped items are asked about at the end, and all items once.
        while let Some(item) = book.next() {
            assert!(!asked[..5].contains(&item) || item == asked[2]);
            book.answer(item, 1, &names()).unwrap();
        }
        assert_eq!(book.given().len(), 20);
        assert!(matches!(book.answer(0, 1, &names()), Err(AnswerBookError::NotAsked(0))));
    }

    #[test]
    fn answers_of_somebody_else_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.csv");
        let (mut one, mut other) = (open(&path).unwrap(), open(&path).unwrap());
        let item = one.next().unwrap();
        one.answer(item, 1, &names()).unwrap();
        let refused = other.answer(item, 2, &names()).unwrap_err();
        assert!(matches!(refused, AnswerBookError::Changed { .. }), "{refused}");
        assert_eq!((other.given().len(), other.next()), (0, Some(item)));
        assert_eq!(open(&path).unwrap().given(), [(item, 1)]);
        // Its own answers are no change, and a file that is gone is written again with all answers.
        std::fs::remove_file(&path).unwrap();
        let second = one.next().unwrap();
        one.answer(second, 2, &names()).unwrap();
        assert_eq!(open(&path).unwrap().given(), [(item, 1), (second, 2)]);
        one.undo().unwrap();
        assert_eq!(open(&path).unwrap().given(), [(item, 1)]);
    }

    #[test]
    fn files_that_do_not_fit_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.csv");
        for (text, why) in [
            ("item,answer\nx99,ham\n", "no item"),
            ("item,answer\nx1,eggs\n", "not a class"),
            ("item,answer\nx1,ham\nx2,ham\nx1,spam\n", "item \"x1\" has two different answers"),
            ("item,drawn,answer\nx1,where models differ,ham\n", "drawn where models disagree"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = open(&path).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert!(open(&folder.path().join("new.csv")).unwrap().undo().is_err());
        // Equal ones are one answer.
        std::fs::write(&path, "item,answer\nx1,ham\n x1 ,ham\n").unwrap();
        assert_eq!(open(&path).unwrap().given(), [(1, 1)]);
        // After a restart, an answer to one of two items of a name would be the other's.
        let twice: ItemNames = ["x0", "x1", "x0"].into_iter().collect();
        let classes = Classes::new(vec!["ham".into(), "spam".into()]).unwrap();
        let error = AnswerBook::open(&folder.path().join("new.csv"), &twice, &classes).unwrap_err();
        assert!(error.to_string().contains("item \"x0\" occurs twice"), "{error}");
    }
}
