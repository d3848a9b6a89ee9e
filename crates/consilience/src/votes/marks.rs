//! Which written marks mean that a source abstains.

/// Values that mean abstain, in addition to an empty cell.
///
/// ```
/// use consilience::votes::{AbstainMarks, Vocabulary};
///
/// let mut vocabulary = Vocabulary::new(AbstainMarks::these(["skip"]));
/// assert_eq!(vocabulary.read("skip")?, 0);
/// assert_eq!(vocabulary.read("cat")?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AbstainMarks {
    /// What people usually write: `-1` (unless -1 and 1 are the only votes), `NA`, `None`, `null`, `nan`, `abstain`, `?`, `-`
    /// and the like, in any case.
    #[default]
    Usual,
    /// These values, ignoring case, and the usual words and signs, but not `-1`.
    These(Vec<String>),
}

/// Usual marks, lower case; `-1` has rules of its own.
const USUAL: [&str; 46] = [
    "na",
    "n/a",
    "n.a.",
    "#n/a",
    "<na>",
    "nan",
    "none",
    "null",
    "nil",
    "nat",
    "abstain",
    "abstained",
    "?",
    "-",
    "--",
    // As SAS and Stata write it.
    ".",
    // What spreadsheets show where a formula fails.
    "#ref!",
    "#value!",
    "#div/0!",
    "#name?",
    "#num!",
    "#null!",
    // As other programs write it: pandas, databases, printf on Windows, JavaScript, typesetters.
    "#na",
    "#n/a n/a",
    "-nan",
    "1.#ind",
    "-1.#ind",
    "1.#qnan",
    "-1.#qnan",
    "\\n",
    "(null)",
    "<null>",
    "[null]",
    "(none)",
    "<none>",
    "(blank)",
    "undefined",
    "[]",
    "''",
    "\"\"",
    "??",
    "???",
    "---",
    "\u{2013}",
    "\u{2014}",
    "\u{2212}",
];

/// The number that abstains by convention.
pub(super) const MINUS_ONE: &str = "-1";

impl AbstainMarks {
    /// Takes the given values; surrounding spaces are ignored.
    pub fn these<S: AsRef<str>>(marks: impl IntoIterator<Item = S>) -> Self {
        Self::These(marks.into_iter().map(|mark| spelled(mark.as_ref())).collect())
    }

    /// Whether `text`, trimmed and with numbers in their shortest form, abstains; `-1` is not a usual mark here.
    pub(super) fn contain(&self, text: &str) -> bool {
        is_usual(text) || self.were_given(text)
    }

    /// Whether the user named this mark.
    pub(super) fn were_given(&self, text: &str) -> bool {
        match self {
            Self::Usual => false,
            Self::These(marks) => marks.iter().any(|mark| mark.to_lowercase() == text.to_lowercase()),
        }
    }

    /// How to write an abstention, for messages.
    pub(super) fn example(&self) -> &str {
        match self {
            Self::Usual => MINUS_ONE,
            Self::These(marks) => {
                marks.iter().find(|mark| !mark.is_empty()).map_or("nothing", |mark| mark.as_str())
            }
        }
    }
}

/// Whether `text` is one of the words and signs that usually mean that there is no vote.
pub(super) fn is_usual(text: &str) -> bool {
    (text.len() <= 9 && USUAL.iter().any(|mark| mark.eq_ignore_ascii_case(text))) || is_failed_formula(text)
}

/// What spreadsheets show in any language where a formula fails, such as `#VALUE!`, `#NOM?` and `#NV`, or where a column is too
/// narrow: `####`.
fn is_failed_formula(text: &str) -> bool {
    const SHORT: [&str; 3] = ["nv", "n/d", "getting_data"];
    let Some(name) = text.strip_prefix('#') else { return false };
    let is_shouted = name.strip_suffix(['!', '?']).is_some_and(|name| {
        name.len() > 1
            && name.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || "/\u{a1}\u{bf}_".contains(c))
    });
    let is_short = SHORT.iter().any(|short| short.eq_ignore_ascii_case(name));
    is_shouted || is_short || (name.len() > 1 && name.chars().all(|c| c == '#'))
}

/// `text` without surrounding spaces, and as a whole number if it is one: `1.0`, `+1` and `1,0` are `1`.
pub(super) fn spelled(text: &str) -> String {
    let text = text.trim();
    whole_number(text).map_or_else(|| text.to_string(), |number| number.to_string())
}

/// Above this, not every whole number is an `f64` of its own.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole number that `text` spells, if it does.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    let number = number(text)?;
    let whole = number.abs() <= LARGEST_EXACT && number.trunc().to_bits() == number.to_bits();
    whole.then_some(number as i64)
}

/// The number that `text` spells, if it does; if a comma marks decimals, only `1,0` and the like are distinguished from lists.
pub(super) fn number(text: &str) -> Option<f64> {
    // Word processors write another minus sign.
    if let Some(rest) = text.strip_prefix('\u{2212}') {
        return number(rest).filter(|_| rest.starts_with(|c: char| c.is_ascii_digit())).map(|number| -number);
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.infINF".contains(c))
        && !text.eq_ignore_ascii_case("nan")
    {
        return None;
    }
    match text.split_once(',') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => {
            whole.parse::<i64>().ok().map(|number| number as f64)
        }
        _ => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_marks_go_in_any_case() {
        for mark in [
            "NA",
            "n/a",
            "None",
            "NULL",
            "NaN",
            "Abstain",
            "?",
            "-",
            "<NA>",
            "\\N",
            "(Null)",
            "—",
            "undefined",
            "#NV",
            "#WERT!",
            "#NOM?",
            "#\u{a1}VALOR!",
            "#####",
        ] {
            assert!(AbstainMarks::Usual.contain(mark), "{mark}");
        }
        for other in ["-1", "nah", "no", "", "unknown", "#1", "#tag", "#go!", "#"] {
            assert!(!AbstainMarks::Usual.contain(other), "{other}");
        }
        let told = AbstainMarks::these(["0.0", " Skip "]);
        assert!(told.contain("0") && told.contain("SKIP") && told.contain("NA") && !told.contain("-1"));
    }

    #[test]
    fn numbers_have_one_spelling() {
        for (text, expected) in [
            ("1.0", "1"),
            ("+1", "1"),
            (" 1 ", "1"),
            ("1,0", "1"),
            ("-0", "0"),
            ("\u{2212}1", "-1"),
            ("1,2", "1,2"),
            ("a", "a"),
        ] {
            assert_eq!(spelled(text), expected);
        }
        assert_eq!(number("0.5"), Some(0.5));
        assert_eq!(whole_number("1e308"), None);
    }
}
