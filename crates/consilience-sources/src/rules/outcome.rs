//! What a source says of an item, as a number.
//!
//! | value | meaning |
//! |---|---|
//! | a class, from 1 | the source's condition holds, and it votes for this class |
//! | 0 | its condition does not hold: it abstains, or votes as `otherwise` says |
//! | -1 | it failed on this item: it abstains, and the fault is counted |
//! | none | what it reads is missing: it abstains |

use consilience::sources::{Classes, Vote};

use crate::file::Kind;

/// What a source says of an item.
pub(crate) type Outcome = Option<i16>;

/// The condition does not hold.
pub(crate) const NO: i16 = 0;
/// The source failed.
pub(crate) const FAULT: i16 = -1;

/// More classes do not fit next to what is not a class.
pub(crate) const MOST_CLASSES: usize = i16::MAX as usize;

/// A vote as an outcome.
pub(crate) fn code(vote: Vote) -> i16 {
    vote as i16
}

/// What a fault of a source of this kind means.
pub(crate) fn reason(kind: &Kind, classes: &Classes) -> String {
    match kind {
        Kind::Regex { .. } => "the regular expression takes too many steps on this text".to_string(),
        Kind::Sql(_) => {
            let classes = classes.names().join(", ");
            format!("the SQL returns a text that is not a class; the classes are {classes}")
        }
        Kind::Column { column, .. } => format!("the cell of column {column:?} cannot be read as a vote"),
        Kind::All(_) | Kind::Any(_) | Kind::Not(_) => "one of its parts failed".to_string(),
        _ => "it failed".to_string(),
    }
}
