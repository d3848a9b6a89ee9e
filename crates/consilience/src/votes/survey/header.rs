//! Whether the first line of a table is a header, or a row like the others.

use super::names::is_saved_index;
use super::{Sample, Told};
use crate::votes::marks::{number, whole_number};
use crate::votes::survey::profile::{Values, profiles};

/// More values than this, and a column says nothing about its header.
const FEW: usize = 20;

/// Whether the names of the columns look like one more row of votes: every column with few values has its name among them.
///
/// Columns that a program has numbered (0, 1, 2, ...) are named, unless their numbers are votes too, and so are sources that are
/// called by the one class that they vote for.
pub fn looks_like_votes(sample: &Sample, told: &Told) -> bool {
    let names: Vec<&str> = sample.columns.iter().map(|column| column.name.trim()).collect();
    let told_names = [&told.item, &told.gold, &told.long_source, &told.long_vote];
    let told_names = told_names.into_iter().flatten().chain(&told.sources).chain(&told.ignore);
    if names.is_empty() || told_names.into_iter().any(|name| names.contains(&name.as_str())) {
        return false;
    }
    let columns: Vec<_> = sample.columns.iter().enumerate().collect();
    let mut values = Values::default();
    let (mut asked, mut hits) = (0, 0);
    for profile in profiles(&columns, told, &mut values) {
        let different = profile.different();
        if !(2..=FEW).contains(&different) || different == profile.cells {
            continue;
        }
        asked += 1;
        // Sources called a and b that vote for A and B are named.
        let name = profile.name.trim();
        let number = whole_number(name);
        let texts = &sample.columns[profile.column].texts;
        hits += usize::from(
            texts.iter().any(|text| text == name || (number.is_some() && whole_number(text) == number)),
        );
    }
    (asked > 0 && hits == asked) || (is_all_numbers(&names) && !is_count(&names))
}

/// Whether no name is a word, and several are numbers or booleans.
fn is_all_numbers(names: &[&str]) -> bool {
    let is_plain = |name: &str| {
        number(name).is_some() || name.eq_ignore_ascii_case("true") || name.eq_ignore_ascii_case("false")
    };
    names.iter().filter(|name| !name.is_empty()).all(|name| is_plain(name))
        && names.iter().filter(|name| !name.is_empty()).count() >= 2
}

/// Whether the names go up by one, as programs name columns without names, and people years; an index may come before them.
fn is_count(names: &[&str]) -> bool {
    let names = match names {
        [index, rest @ ..] if is_saved_index(index) => rest,
        names => names,
    };
    let first = names.first().and_then(|name| name.parse::<i64>().ok());
    first.is_some_and(|first| (first..).zip(names).all(|(number, name)| name.parse() == Ok(number)))
}

/// Names for columns without a header: c1, c2, ...
pub fn numbered(columns: usize) -> Vec<String> {
    (1..=columns).map(|number| format!("c{number}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::votes::survey::SampleColumn;

    fn missing(lines: &[&str]) -> bool {
        let names = lines[0].split(',');
        let mut columns: Vec<SampleColumn> = names.map(SampleColumn::new).collect();
        for line in &lines[1..] {
            columns.iter_mut().zip(line.split(',')).for_each(|(column, cell)| column.push(cell));
        }
        looks_like_votes(&Sample { columns, whole: true }, &Told::default())
    }

    #[test]
    fn a_header_is_told_from_a_row() {
        assert!(missing(&["1,0,1", "0,0,1", "1,1,1"]));
        assert!(missing(&["q1,spam,ham", "q2,ham,ham", "q3,spam,spam", "q4,ham,ham"]));
        assert!(missing(&["q1,ann,yes", "q1,bob,no", "q2,ann,no", "q2,bob,yes", "q3,ann,yes"]));
        assert!(!missing(&["a,b,c", "0,0,1", "1,1,1"]));
        assert!(!missing(&["0,1,2", "0,0,1", "1,1,1", "0,1,0"]));
        assert!(!missing(&[",0,1,2", "0,0,0,1", "1,1,1,1", "2,0,1,0"]));
        assert!(!missing(&["spam,ham", "spam,", ",ham", "spam,ham"]));
        assert!(!missing(&["item,a,b", "1,x,y", "2,y,y", "3,x,x"]));
        assert!(!missing(&["a,b", "A,B", "B,B", "A,A"]));
        assert!(missing(&["1.0,0", "1,0", "0,1", "1,0"]));
    }
}
