//! How engines write names, texts and numbers, and what they call their functions.

use super::regex::Translated;

/// What Rust reads as a number; engines read more.
const NUMBER: &str = r"[+-]?(?:(?i:inf|infinity|nan)|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)";

/// Stands at the ends of words, where an engine has no word boundaries: a code point that no text has.
pub(super) const MARK: char = '\u{fdd0}';

/// Whose SQL it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// DuckDB.
    DuckDb,
    /// Apache Spark.
    Spark,
}

impl Dialect {
    /// What it is called in messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::DuckDb => "DuckDB",
            Self::Spark => "Spark",
        }
    }

    /// How many queries it plans one inside the other; Spark's stack overflows on long chains.
    pub(super) fn most_levels(self) -> usize {
        match self {
            Self::DuckDb => 100,
            Self::Spark => 25,
        }
    }

    pub(super) fn name(self, name: &str) -> String {
        match self {
            Self::DuckDb => format!("\"{}\"", name.replace('"', "\"\"")),
            Self::Spark => format!("`{}`", name.replace('`', "``")),
        }
    }

    pub(super) fn text(self, text: &str) -> String {
        match self {
            Self::DuckDb => format!("'{}'", text.replace('\'', "''")),
            Self::Spark => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        }
    }

    /// A literal of type double: one without an exponent would be a decimal, which is rounded differently.
    pub(super) fn number(number: f64) -> String {
        if number.is_infinite() {
            let sign = if number < 0.0 { "-" } else { "" };
            return format!("CAST('{sign}Infinity' AS DOUBLE)");
        }
        let digits = format!("{number:?}");
        if digits.contains('e') { digits } else { format!("{digits}e0") }
    }

    pub(super) fn as_text(self, value: &str) -> String {
        match self {
            Self::DuckDb => format!("CAST({value} AS VARCHAR)"),
            Self::Spark => format!("CAST({value} AS STRING)"),
        }
    }

    /// Without the white space around it, which is more than engines trim by themselves.
    pub(super) fn trimmed(self, text: &str) -> String {
        let blank = super::regex::blank();
        let all = if self == Self::DuckDb { ", 'g'" } else { "" };
        format!("regexp_replace({text}, {}, ''{all})", self.text(&format!(r"\A{blank}+|{blank}+\z")))
    }

    /// In small letters, up to the final sigma in DuckDB, which takes one code point after the other.
    pub(super) fn lowered(self, text: &str) -> String {
        match self {
            Self::DuckDb => format!("lower(replace({text}, chr(304), 'i' || chr(775)))"),
            Self::Spark => format!("lower({text})"),
        }
    }

    pub(super) fn contains(self, text: &str, part: &str) -> String {
        format!("contains({text}, {})", self.text(part))
    }

    pub(super) fn matches(self, text: &str, pattern: &Translated) -> String {
        match pattern.boundaries {
            0 => self.matches_plain(text, &pattern.pattern),
            marks => {
                let marks = format!("repeat(chr({}), {marks})", u32::from(MARK));
                let word = self.text(&format!("{}+", super::regex::word()));
                let marked = format!("regexp_replace({text}, {word}, {marks} || '\\0' || {marks}, 'g')");
                self.matches_plain(&marked, &pattern.pattern)
            }
        }
    }

    fn matches_plain(self, text: &str, pattern: &str) -> String {
        match self {
            Self::DuckDb => format!("regexp_matches({text}, {})", self.text(pattern)),
            Self::Spark => format!("({text} RLIKE {})", self.text(pattern)),
        }
    }

    /// Whether a text is a number, with blanks around it or without.
    pub(super) fn is_number(self, text: &str) -> String {
        let blank = super::regex::blank();
        self.matches_plain(text, &format!(r"\A{blank}*{NUMBER}{blank}*\z"))
    }

    /// Ends the query if an item comes here.
    pub(super) fn failure(self, message: &str) -> String {
        let function = match self {
            Self::DuckDb => "error",
            Self::Spark => "raise_error",
        };
        format!("{function}({})", self.text(message))
    }
}
