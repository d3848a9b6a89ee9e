//! Sources composed of other sources.
//!
//! A part that failed or whose text is missing leaves the whole open, unless the other parts decide it.

use arrow::array::{Array as _, ArrayRef, Int16Array};

use super::class::{FAULT, NO};

/// How parts make a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    All,
    Any,
    Not,
}

/// What the source of these parts says, if it votes for `class`.
pub(super) fn compose(way: Way, class: i16, parts: &[ArrayRef], rows: usize) -> Result<Int16Array, String> {
    let parts: Option<Vec<&Int16Array>> =
        parts.iter().map(|part| part.as_any().downcast_ref::<Int16Array>()).collect();
    let parts = parts.ok_or("its parts are not sources")?;
    let of = |part: &Int16Array, row: usize| part.is_valid(row).then(|| part.value(row));
    let one = |row: usize| {
        let values = parts.iter().map(|part| of(part, row));
        match way {
            Way::Any => strongest(Some(NO), values, true),
            Way::All => strongest(Some(1), values, false),
            Way::Not => match strongest(Some(NO), values, true) {
                Some(FAULT) => Some(FAULT),
                Some(NO) => Some(1),
                Some(_) => Some(NO),
                None => None,
            },
        }
    };
    Ok((0..rows).map(|row| one(row).map(|value| if value > NO { class } else { value })).collect())
}

/// The whole, which begins as `start`: what decides it wins, then a fault, then what is missing.
fn strongest(start: Option<i16>, parts: impl Iterator<Item = Option<i16>>, any: bool) -> Option<i16> {
    let decides = |value: Option<i16>| value.is_some_and(|value| if any { value > NO } else { value == NO });
    let rank = |value: Option<i16>| match value {
        value if decides(value) => 3,
        Some(FAULT) => 2,
        None => 1,
        Some(_) => 0,
    };
    let mut whole = start;
    for part in parts {
        if rank(part) > rank(whole) {
            whole = part;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn parts_decide_or_leave_it_open() {
        let values = [Some(2), Some(NO), Some(FAULT), None];
        let pairs: Vec<_> = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect();
        let front: ArrayRef = Arc::new(pairs.iter().map(|pair| pair.0).collect::<Int16Array>());
        let back: ArrayRef = Arc::new(pairs.iter().map(|pair| pair.1).collect::<Int16Array>());
        let parts = [front, back];
        let told = |way| -> Vec<Option<i16>> { compose(way, 7, &parts, 16).unwrap().iter().collect() };
        let (yes, no, bad) = (Some(7), Some(NO), Some(FAULT));
        assert_eq!(
            told(Way::Any),
            [yes, yes, yes, yes, yes, no, bad, None, yes, bad, bad, bad, yes, None, bad, None]
        );
        assert_eq!(
            told(Way::All),
            [yes, no, bad, None, no, no, no, no, bad, no, bad, bad, None, no, bad, None]
        );
        let one = compose(Way::Not, 7, &parts[1..], 4).unwrap();
        assert_eq!(one.iter().collect::<Vec<_>>(), [no, yes, bad, None]);
    }
}
