//! The rules themselves, on one text at a time: what the command line, the engine and Python share.

#[cfg(feature = "files")]
mod cells;
#[cfg(feature = "files")]
mod compose;
mod dictionary;
#[cfg(feature = "files")]
mod dictionary_file;
mod finder;
#[cfg(feature = "files")]
mod keyword_file;
mod literals;
#[cfg(feature = "files")]
mod outcome;
mod pattern;
mod spacer;
mod texts;

#[cfg(feature = "files")]
pub(crate) use cells::Cells;
#[cfg(feature = "files")]
pub(crate) use compose::Way;
#[cfg(feature = "files")]
pub(crate) use dictionary_file::load as load_dictionary;
#[cfg(feature = "files")]
pub(crate) use keyword_file::load as load_keywords;
#[cfg(feature = "files")]
pub(crate) use outcome::{FAULT, MOST_CLASSES, NO, Outcome, code, reason};

pub use dictionary::{Dictionary, DictionaryError};
pub use finder::KeywordFinder;
pub use pattern::{Pattern, PatternError, TooLong};
pub use texts::{Found, Keyword, TextRule, TextRules, TextRulesError};

use std::borrow::Cow;

/// `text` in lower case, if requested.
pub fn lowered(text: &str, lower: bool) -> Cow<'_, str> {
    match lower {
        false => Cow::Borrowed(text),
        true if text.is_ascii() => Cow::Owned(text.to_ascii_lowercase()),
        true => Cow::Owned(text.to_lowercase()),
    }
}
