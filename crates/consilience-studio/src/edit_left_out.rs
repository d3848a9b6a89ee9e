//! Without the query engine there are no sources to edit.

/// The place where sources are edited; there is none.
pub enum Desk {}
