//! Why a column is not a source.

use std::fmt;

/// Why a column is not taken as a source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotSource {
    /// No name and no values.
    Empty,
    /// It numbers the rows.
    RowNumbers,
    /// Its name is that of identifiers.
    NamedId,
    /// Its name is that of the items, but some of them are there more than once.
    RepeatedIds {
        /// One of them.
        example: String,
    },
    /// Nearly every row has a value of its own.
    Identifiers {
        /// Different values.
        values: usize,
        /// Cells with a value.
        cells: usize,
    },
    /// Free text.
    Text,
    /// Numbers with fractions.
    Fractions,
    /// Values that no other column has.
    Unshared {
        /// How many.
        values: usize,
    },
    /// One and the same value in every row, which no other column has.
    Constant,
    /// What its name says about the votes of another column, such as a confidence.
    About {
        /// The other column.
        column: String,
    },
    /// Named like gold, where another column is the gold or its values are not votes.
    LikeGold,
    /// A type that holds no votes, such as a date.
    Type(String),
    /// It names the sources of votes that no other column holds.
    NamesSources,
}

impl fmt::Display for NotSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no name and no values"),
            Self::RowNumbers => f.write_str("row numbers"),
            Self::NamedId => f.write_str("named like identifiers"),
            Self::RepeatedIds { example } => {
                write!(f, "named like identifiers, but \"{example}\" occurs more than once")
            }
            Self::Identifiers { values, cells } => {
                write!(f, "{values} different values in {cells} cells")
            }
            Self::Text => f.write_str("free text"),
            Self::Fractions => f.write_str("numbers with fractions"),
            Self::Unshared { values } => write!(f, "{values} values that no other column has"),
            Self::Constant => f.write_str("one value in every row that no other column has"),
            Self::About { column } => write!(f, "describes the votes of \"{column}\""),
            Self::LikeGold => f.write_str("named like gold"),
            Self::Type(kind) => write!(f, "type {kind}"),
            Self::NamesSources => f.write_str("names sources, but no column holds their votes"),
        }
    }
}
