//! The rules themselves, on one text at a time: what the command line, the engine and Python share.

mod dictionary;
mod finder;
mod literals;
mod pattern;
mod texts;

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
