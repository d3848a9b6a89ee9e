//! Votes that the data holds already.

use arrow::array::{ArrayRef, Float64Array, Int16Array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use consilience::sources::Classes;
use hashbrown::HashMap;

use super::class::{FAULT, NO, code, texts};
use crate::file::{Reading, Side};

/// What cells mean, with classes as numbers.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    Classes(Classes),
    Map(HashMap<String, i16>),
    Thresholds(Vec<(Side, f64, i16)>),
}

impl Cells {
    /// A reading; its classes are known to be some.
    pub(super) fn new(reading: &Reading, classes: &Classes) -> Self {
        let class = |name: &str| classes.vote(name).map_or(FAULT, code);
        match reading {
            Reading::Classes => Self::Classes(classes.clone()),
            Reading::Map(map) => {
                Self::Map(map.iter().map(|(cell, name)| (cell.clone(), class(name))).collect())
            }
            Reading::Thresholds(list) => {
                Self::Thresholds(list.iter().map(|one| (one.side, one.bound, class(&one.vote))).collect())
            }
        }
    }

    /// What the source says by each cell. An empty cell is missing; a cell that is not a class, or not a number, is a fault.
    pub(super) fn read(&self, column: &ArrayRef) -> Result<Int16Array, String> {
        match self {
            Self::Classes(classes) => {
                let one = |cell: &str| classes.vote(cell.trim()).map_or(FAULT, code);
                Ok(texts(column)?.iter().map(|cell| cell.filter(|cell| !cell.is_empty()).map(one)).collect())
            }
            Self::Map(map) => {
                let one = |cell: &str| map.get(cell).copied().unwrap_or(NO);
                Ok(texts(column)?.iter().map(|cell| cell.filter(|cell| !cell.is_empty()).map(one)).collect())
            }
            Self::Thresholds(list) => {
                let one = |number: f64| {
                    let holds = |(side, bound, _): &&(Side, f64, i16)| side.holds(number, *bound);
                    list.iter().find(holds).map_or(NO, |(_, _, class)| *class)
                };
                if column.data_type().is_numeric() {
                    let numbers = cast(column, &DataType::Float64).map_err(|error| error.to_string())?;
                    let numbers = numbers.as_any().downcast_ref::<Float64Array>().ok_or("not numbers")?;
                    return Ok(numbers
                        .iter()
                        .map(|number| number.filter(|n| !n.is_nan()).map(one))
                        .collect());
                }
                let parsed = |cell: &str| match cell.trim().parse::<f64>() {
                    Ok(number) if number.is_nan() => None,
                    Ok(number) => Some(one(number)),
                    Err(_) => Some(FAULT),
                };
                Ok(texts(column)?
                    .iter()
                    .map(|cell| cell.filter(|cell| !cell.is_empty()).and_then(parsed))
                    .collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::StringArray;

    use super::*;
    use crate::file::Threshold;

    fn told(reading: &Reading, cells: &[&str]) -> Vec<Option<i16>> {
        let classes = Classes::new(vec!["ham".into(), "spam".into()]).unwrap();
        let column: ArrayRef = Arc::new(StringArray::from(cells.to_vec()));
        Cells::new(reading, &classes).read(&column).unwrap().iter().collect()
    }

    #[test]
    fn cells_become_votes() {
        assert_eq!(told(&Reading::Classes, &["spam", "", "eggs"]), [Some(2), None, Some(FAULT)]);
        let map = Reading::Map(vec![("5".into(), "spam".into())]);
        assert_eq!(told(&map, &["5", "4", ""]), [Some(2), Some(NO), None]);
        let bound = |side, bound, vote: &str| Threshold { side, bound, vote: vote.into() };
        let list =
            Reading::Thresholds(vec![bound(Side::AtLeast, 0.8, "spam"), bound(Side::Below, 0.2, "ham")]);
        assert_eq!(
            told(&list, &["0.8", "0.2", "0.1", "x", "nan", ""]),
            [Some(2), Some(NO), Some(1), Some(FAULT), None, None]
        );
    }
}
