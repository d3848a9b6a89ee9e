//! What columns the data has, and what cells of text look like.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};
use consilience_io::{ReadError, read_table};
use datafusion_expr::type_coercion::binary::type_union_coercion;

use super::data::{Data, DataError, DataFile};
use super::open;

/// Rows that are looked at to tell numbers from texts.
const SAMPLE: usize = 10_000;

/// The columns of the data: those of its first file, with types that hold the cells of all files.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// Name and type of each column as it is read: texts in files of text, their own types in others.
    pub(super) columns: Vec<Field>,
    /// What the cells of a column of texts look like, if that is not text; one per column.
    pub(super) meaning: Vec<Option<DataType>>,
    /// Columns whose types in different files have nothing in common.
    pub(super) conflicts: Vec<Conflict>,
}

/// A column that has one type in the first file and another one in a later file.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    pub(super) column: String,
    file: String,
    types: [DataType; 2],
}

impl Conflict {
    pub(super) fn error(&self) -> DataError {
        let [here, before] = &self.types;
        let detail = format!(
            "the column {:?} is {here} in this file, but {before} before it; give it the same type in all files",
            self.column
        );
        DataError::Columnar { file: self.file.clone(), detail }
    }
}

impl Survey {
    pub(super) fn of(data: &Data) -> Result<Self, DataError> {
        let Some(first) = data.files.first() else {
            return Err(DataError::NoFiles { name: "data".to_string(), what: "no file is named" });
        };
        let mut survey = match open::schema(first)? {
            Some(schema) => Self::typed(&schema),
            None => Self::sampled(data)?,
        };
        for file in &data.files[1..] {
            if let Some(schema) = open::schema(file)? {
                survey.widen(&schema, file);
            }
        }
        for (key, _) in &first.folders {
            if survey.position(key).is_none() {
                survey.columns.push(Field::new(key, DataType::Utf8, true));
                let mut look = Look::default();
                let folders = data.files.iter().flat_map(|file| &file.folders);
                folders.filter(|(other, _)| other == key).for_each(|(_, value)| look.see(value));
                survey.meaning.push(look.meaning());
            }
        }
        Ok(survey)
    }

    /// Columns get types that hold the cells of another file as well.
    fn widen(&mut self, schema: &Schema, file: &DataFile) {
        for field in schema.fields() {
            let Some(at) = self.position(field.name()) else { continue };
            let (here, before) = (field.data_type(), self.columns[at].data_type());
            // Cells of a file of text may look like anything.
            if here == before || self.meaning[at].is_some() {
                continue;
            }
            match common(before, here) {
                Some(wider) => self.columns[at].set_data_type(wider),
                None => self.conflicts.push(Conflict {
                    column: field.name().clone(),
                    file: file.input.name(),
                    types: [here.clone(), before.clone()],
                }),
            }
        }
    }

    /// The same columns with the types that their cells mean, for SQL.
    pub(super) fn meant(&self) -> Schema {
        let field = |(field, meaning): (&Field, &Option<DataType>)| match meaning {
            Some(meaning) => field.clone().with_data_type(meaning.clone()),
            None => field.clone(),
        };
        Schema::new(self.columns.iter().zip(&self.meaning).map(field).collect::<Vec<_>>())
    }

    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|field| field.name() == name)
    }

    fn typed(schema: &Schema) -> Self {
        let column = |field: &Arc<Field>| {
            let kind = field.data_type();
            let kind = if is_text(kind) { DataType::Utf8 } else { kind.clone() };
            field.as_ref().clone().with_nullable(true).with_data_type(kind)
        };
        let columns: Vec<Field> = schema.fields().iter().map(column).collect();
        Self { meaning: vec![None; columns.len()], columns, conflicts: Vec::new() }
    }

    /// The columns of files of text, by their first rows: however rows are split into files, the same rows are looked at.
    fn sampled(data: &Data) -> Result<Self, DataError> {
        let names = RefCell::new(Vec::new());
        let looks = RefCell::new(Vec::new());
        let rows = Cell::new(0);
        let mut without_rows = None;
        for file in &data.files {
            if rows.get() == SAMPLE || open::schema(file)?.is_some() {
                break;
            }
            let read = read_table::<Vec<usize>, Stop>(
                &file.input,
                data.format,
                |header| {
                    if names.borrow().is_empty() {
                        names.replace(header.names().to_vec());
                        looks.replace(vec![Look::default(); header.names().len()]);
                    }
                    // The place of each column of this file among those of the first one.
                    let names = names.borrow();
                    let place = |name: &String| names.iter().position(|other| other == name);
                    let found =
                        header.names().iter().enumerate().filter_map(|(at, name)| Some((at, place(name)?)));
                    Ok(found.unzip())
                },
                |places, row| {
                    let mut looks = looks.borrow_mut();
                    places.iter().enumerate().for_each(|(i, &place)| looks[place].see(row.cell(i)));
                    rows.set(rows.get() + 1);
                    if rows.get() == SAMPLE { Err(Stop::Enough) } else { Ok(()) }
                },
                &|_| (),
            );
            match read {
                Ok(_) | Err(Stop::Enough) => {}
                Err(Stop::Error(error)) if open::has_no_rows(&error) => {
                    without_rows.get_or_insert(error);
                }
                Err(Stop::Error(error)) => return Err(error.into()),
            }
        }
        if let Some(error) = without_rows.filter(|_| rows.get() == 0) {
            return Err(error.into());
        }
        let columns = names.take().iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        let meaning = looks.take().iter().map(Look::meaning).collect();
        Ok(Self { columns, meaning, conflicts: Vec::new() })
    }
}

/// A type that holds the values of both without loss, as far as there is one; texts and numbers have none.
fn common(a: &DataType, b: &DataType) -> Option<DataType> {
    match (is_text(a), is_text(b)) {
        (true, true) => Some(DataType::Utf8),
        _ if a.is_null() => Some(b.clone()),
        _ if b.is_null() => Some(a.clone()),
        (false, false) if a.is_nested() || b.is_nested() => None,
        (false, false) => type_union_coercion(a, b).filter(|wider| !is_text(wider)),
        _ => None,
    }
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Ends reading early.
pub(super) enum Stop {
    Enough,
    Error(ReadError),
}

impl From<ReadError> for Stop {
    fn from(error: ReadError) -> Self {
        Self::Error(error)
    }
}

/// What all cells of a column can be read as.
#[derive(Clone, Debug)]
struct Look {
    integer: bool,
    number: bool,
    truth: bool,
    cells: usize,
}

impl Default for Look {
    fn default() -> Self {
        Self { integer: true, number: true, truth: true, cells: 0 }
    }
}

impl Look {
    fn see(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.cells += 1;
        // 007 is a name, not a number.
        let digits = cell.trim_start_matches(['-', '+']);
        let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        self.integer &= !padded && cell.parse::<i64>().is_ok();
        self.number &= !padded && cell.parse::<f64>().is_ok();
        self.truth &= ["true", "false", "True", "False", "TRUE", "FALSE"].contains(&cell);
    }

    fn meaning(&self) -> Option<DataType> {
        match self {
            Self { cells: 0, .. } => None,
            Self { integer: true, .. } => Some(DataType::Int64),
            Self { number: true, .. } => Some(DataType::Float64),
            Self { truth: true, .. } => Some(DataType::Boolean),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_tell_their_type() {
        let of = |cells: &[&str]| {
            let mut look = Look::default();
            for cell in cells {
                look.see(cell);
            }
            look.meaning()
        };
        assert_eq!(of(&["1", "", "-20"]), Some(DataType::Int64));
        assert_eq!(of(&["1", "0.5", "1e3"]), Some(DataType::Float64));
        assert_eq!(of(&["true", "False"]), Some(DataType::Boolean));
        assert_eq!(of(&["007"]), None);
        assert_eq!(of(&["1", "one"]), None);
        assert_eq!(of(&["", ""]), None);
    }
}
