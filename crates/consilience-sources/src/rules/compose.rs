//! Sources made of other sources.
//!
//! A part that failed or whose text is missing leaves the whole open, unless the other parts decide it.

use super::outcome::{FAULT, NO, Outcome};
use crate::file::Kind;

/// How parts make a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    All,
    Any,
    Not,
}

impl Way {
    /// The way of a kind that is made of other sources.
    pub(crate) fn of(kind: &Kind) -> Option<Self> {
        match kind {
            Kind::All(_) => Some(Self::All),
            Kind::Any(_) => Some(Self::Any),
            Kind::Not(_) => Some(Self::Not),
            _ => None,
        }
    }

    /// What the source of these parts says, if it votes for `class`.
    pub(crate) fn compose(self, class: i16, parts: impl Iterator<Item = Outcome>) -> Outcome {
        let value = match self {
            Self::Any => strongest(Some(NO), parts, true),
            Self::All => strongest(Some(1), parts, false),
            Self::Not => match strongest(Some(NO), parts, true) {
                Some(FAULT) => Some(FAULT),
                Some(NO) => Some(1),
                Some(_) => Some(NO),
                None => None,
            },
        };
        value.map(|value| if value > NO { class } else { value })
    }
}

/// The whole, which begins as `start`: what decides it wins, then a fault, then what is missing.
fn strongest(start: Outcome, parts: impl Iterator<Item = Outcome>, any: bool) -> Outcome {
    let decides = |value: Outcome| value.is_some_and(|value| if any { value > NO } else { value == NO });
    let rank = |value: Outcome| match value {
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
    use super::*;

    #[test]
    fn parts_decide_or_leave_it_open() {
        let values = [Some(2), Some(NO), Some(FAULT), None];
        let pairs: Vec<_> = values.iter().flat_map(|&a| values.iter().map(move |&b| [a, b])).collect();
        let told = |way: Way| -> Vec<Outcome> {
            pairs.iter().map(|pair| way.compose(7, pair.iter().copied())).collect()
        };
        let (yes, no, bad) = (Some(7), Some(NO), Some(FAULT));
        assert_eq!(
            told(Way::Any),
            [yes, yes, yes, yes, yes, no, bad, None, yes, bad, bad, bad, yes, None, bad, None]
        );
        assert_eq!(
            told(Way::All),
            [yes, no, bad, None, no, no, no, no, bad, no, bad, bad, None, no, bad, None]
        );
        let not: Vec<Outcome> =
            values.iter().map(|&value| Way::Not.compose(7, [value].into_iter())).collect();
        assert_eq!(not, [no, yes, bad, None]);
    }
}
