//! What a column holds, in numbers.

use hashbrown::HashMap;

use super::{SampleColumn, Told};
use crate::votes::marks::{AbstainMarks, MINUS_ONE, number, whole_number};
use crate::votes::notes::NotSource;

/// A text of this many words is not a class, and one of this many characters is not either.
const WORDS: usize = 5;
const CHARACTERS: usize = 60;

/// More values than this are many, if there are fewer than [`CELLS_A_VALUE`] cells for each.
pub(super) const FEW: usize = 20;
const CELLS_A_VALUE: usize = 4;

/// The values of a column as classes are compared: trimmed, in lower case, numbers in their shortest form.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// The column.
    pub(super) column: usize,
    pub(super) name: String,
    /// For each row, the number of its value counted from 1; 0 if there is none.
    pub(super) rows: Vec<u32>,
    /// How often each value occurs, by the number that all profiles share.
    pub(super) counts: HashMap<u32, usize>,
    /// Cells with a vote.
    pub(super) cells: usize,
    /// Cells with numbers that are not whole.
    pub(super) fractions: usize,
    /// Cells with long texts.
    pub(super) wordy: usize,
}

impl Profile {
    /// Different values.
    pub(super) fn different(&self) -> usize {
        self.counts.len()
    }

    /// What a column with nearly as many values as cells is.
    pub(super) fn identifiers(&self) -> NotSource {
        if 3 * self.wordy > self.cells {
            NotSource::Text
        } else {
            NotSource::Identifiers { values: self.different(), cells: self.cells }
        }
    }

    /// Whether there are so many values that they are hardly classes.
    pub(super) fn has_many(&self) -> bool {
        self.different() > FEW && self.different() * CELLS_A_VALUE > self.cells
    }
}

/// Numbers for the values of all columns.
#[derive(Debug, Default)]
pub(super) struct Values {
    number_of: HashMap<String, u32>,
    names: Vec<String>,
}

impl Values {
    fn number(&mut self, value: String) -> u32 {
        let next = self.names.len() as u32 + 1;
        *self.number_of.entry(value).or_insert_with_key(|value| {
            self.names.push(value.clone());
            next
        })
    }

    pub(super) fn name(&self, number: u32) -> &str {
        &self.names[number as usize - 1]
    }
}

/// Whether `text`, trimmed, is not a vote.
fn abstains(text: &str, told: &Told) -> bool {
    let spelled = whole_number(text).map_or_else(|| text.to_string(), |number| number.to_string());
    if told.marks.were_given(&spelled) {
        return true;
    }
    let declared = |name: &String| name.to_lowercase() == spelled.to_lowercase();
    if told.classes.as_ref().is_some_and(|classes| classes.iter().any(declared)) {
        return false;
    }
    told.marks.contain(&spelled) || (told.marks == AbstainMarks::Usual && spelled == MINUS_ONE)
}

fn is_boolean(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

/// The profiles of some columns. Where some hold booleans and others 0 and 1, these are the same values.
pub(super) fn profiles(columns: &[(usize, &SampleColumn)], told: &Told, values: &mut Values) -> Vec<Profile> {
    let votes = |column: &SampleColumn| -> Vec<String> {
        column.texts.iter().filter(|text| !abstains(text, told)).cloned().collect()
    };
    let all = |column: &SampleColumn, is: &dyn Fn(&str) -> bool| {
        let votes = votes(column);
        !votes.is_empty() && votes.iter().all(|text| is(text))
    };
    let is_bit = |text: &str| matches!(whole_number(text), Some(0 | 1));
    let unify = columns.iter().any(|(_, column)| all(column, &is_boolean))
        && columns.iter().any(|(_, column)| all(column, &is_bit));
    columns.iter().map(|&(at, column)| profile(at, column, told, values, unify)).collect()
}

fn profile(at: usize, column: &SampleColumn, told: &Told, values: &mut Values, unify: bool) -> Profile {
    let mut meaning = vec![0];
    let (mut fraction, mut wordy) = (vec![false], vec![false]);
    for text in &column.texts {
        let whole = whole_number(text);
        let value = match whole {
            _ if abstains(text, told) => None,
            Some(number) => Some(number.to_string()),
            None if unify && text.eq_ignore_ascii_case("true") => Some("1".to_string()),
            None if unify && text.eq_ignore_ascii_case("false") => Some("0".to_string()),
            None => Some(text.to_lowercase()),
        };
        fraction.push(value.is_some() && whole.is_none() && number(text).is_some());
        wordy.push(value.is_some() && is_wordy(text));
        meaning.push(value.map_or(0, |value| values.number(value)));
    }
    let rows: Vec<u32> = column.cells.iter().map(|&cell| meaning[cell as usize]).collect();
    let mut counts = HashMap::new();
    for &value in rows.iter().filter(|&&value| value != 0) {
        *counts.entry(value).or_insert(0) += 1;
    }
    let of = |flags: &[bool]| column.cells.iter().filter(|&&cell| flags[cell as usize]).count();
    Profile {
        column: at,
        name: column.name.clone(),
        cells: rows.iter().filter(|&&value| value != 0).count(),
        counts,
        rows,
        fractions: of(&fraction),
        wordy: of(&wordy),
    }
}

fn is_wordy(text: &str) -> bool {
    text.split_whitespace().count() >= WORDS || text.chars().count() > CHARACTERS
}
