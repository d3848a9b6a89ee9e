//! Votes that the data holds already.

use consilience::sources::Classes;
use hashbrown::HashMap;

use super::outcome::{FAULT, NO, Outcome, code};
use crate::file::{Reading, Side};

/// What cells mean, with classes as numbers.
#[derive(Clone, Debug)]
pub(crate) enum Cells {
    Classes(Classes),
    Map(HashMap<String, i16>),
    Thresholds(Vec<(Side, f64, i16)>),
}

impl Cells {
    /// A reading; its classes are known to be some.
    pub(crate) fn new(reading: &Reading, classes: &Classes) -> Self {
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

    /// Whether cells are compared as numbers.
    pub(crate) fn are_numbers(&self) -> bool {
        matches!(self, Self::Thresholds(_))
    }

    /// What the source says by a cell. An empty one is missing; one that is not a class, or not a number, is a fault.
    pub(crate) fn read(&self, cell: &str) -> Outcome {
        if cell.is_empty() {
            return None;
        }
        match self {
            Self::Classes(classes) => Some(classes.vote(cell.trim()).map_or(FAULT, code)),
            Self::Map(map) => Some(map.get(cell).copied().unwrap_or(NO)),
            Self::Thresholds(_) => match cell.trim().parse() {
                Ok(number) => self.read_number(number),
                Err(_) => Some(FAULT),
            },
        }
    }

    /// The same by a number; NaN is missing.
    pub(crate) fn read_number(&self, number: f64) -> Outcome {
        let Self::Thresholds(list) = self else { return Some(FAULT) };
        let holds = |(side, bound, _): &&(Side, f64, i16)| side.holds(number, *bound);
        (!number.is_nan()).then(|| list.iter().find(holds).map_or(NO, |(_, _, class)| *class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Threshold;

    fn told(reading: &Reading, cells: &[&str]) -> Vec<Outcome> {
        let classes = Classes::new(vec!["ham".into(), "spam".into()]).unwrap();
        let reading = Cells::new(reading, &classes);
        cells.iter().map(|cell| reading.read(cell)).collect()
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
