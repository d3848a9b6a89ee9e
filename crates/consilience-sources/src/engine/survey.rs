//! What columns the data has, and what cells of text look like.

use std::cell::{Cell, RefCell};

use arrow::datatypes::{DataType, Field, Schema};
use consilience_io::{ReadError, read_table};

use super::data::{Data, DataError, DataFile};
use super::open;

/// Rows that are looked at to tell numbers from texts.
const SAMPLE: usize = 10_000;

/// The columns of the data, by its first file.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// Name and type of each column as it is read: texts in files of text, their own types in others.
    pub(super) columns: Vec<Field>,
    /// What the cells of a column of texts look like, if that is not text; one per column.
    pub(super) meaning: Vec<Option<DataType>>,
}

impl Survey {
    pub(super) fn of(data: &Data) -> Result<Self, DataError> {
        let Some(first) = data.files.first() else {
            return Err(DataError::NoFiles { name: "data".to_string(), what: "no file is named" });
        };
        let mut survey = match open::schema(first)? {
            Some(schema) => Self::typed(&schema),
            None => Self::sampled(first, data)?,
        };
        for (key, value) in &first.folders {
            if survey.position(key).is_none() {
                survey.columns.push(Field::new(key, DataType::Utf8, true));
                let mut look = Look::default();
                look.see(value);
                survey.meaning.push(look.meaning());
            }
        }
        Ok(survey)
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
        let columns: Vec<Field> =
            schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true)).collect();
        Self { meaning: vec![None; columns.len()], columns }
    }

    fn sampled(file: &DataFile, data: &Data) -> Result<Self, DataError> {
        let names = RefCell::new(Vec::new());
        let looks = RefCell::new(Vec::new());
        let rows = Cell::new(0);
        let read = read_table::<(), Stop>(
            &file.input,
            data.format,
            |header| {
                names.replace(header.names().to_vec());
                looks.replace(vec![Look::default(); header.names().len()]);
                Ok(((0..header.names().len()).collect(), ()))
            },
            |(), row| {
                for (i, look) in looks.borrow_mut().iter_mut().enumerate() {
                    look.see(row.cell(i));
                }
                rows.set(rows.get() + 1);
                if rows.get() == SAMPLE { Err(Stop::Enough) } else { Ok(()) }
            },
            &|_| (),
        );
        match read {
            Ok(()) | Err(Stop::Enough) => {}
            Err(Stop::Error(error)) => return Err(error.into()),
        }
        let columns = names.take().iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        Ok(Self { columns, meaning: looks.take().iter().map(Look::meaning).collect() })
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
