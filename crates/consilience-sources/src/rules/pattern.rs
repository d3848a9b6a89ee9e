//! Regular expressions: in linear time if possible, else with a limit on backtracking.

use regex::RegexBuilder;

/// Steps that an expression with look-around or back-references may take on one text.
const MOST_STEPS: usize = 1_000_000;

/// Bytes that a compiled expression may take.
const MOST_BYTES: usize = 10 << 20;

/// A regular expression that is looked for in texts.
#[derive(Clone, Debug)]
pub struct Pattern {
    engine: Engine,
    source: String,
    ignore_case: bool,
}

#[derive(Clone, Debug)]
enum Engine {
    /// Time in proportion to the text, whatever the expression.
    Linear(regex::Regex),
    /// Look-around and back-references.
    Backtracking(Box<fancy_regex::Regex>),
}

/// Why an expression is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is not a regular expression.
    #[error("the regular expression cannot be read: {detail}")]
    Syntax {
        /// What is wrong with it, and where.
        detail: String,
    },
    /// It would take too much memory.
    #[error(
        "the regular expression takes more than {} MB when compiled; use smaller counts in braces, or several sources",
        MOST_BYTES >> 20
    )]
    TooBig,
}

/// A search was given up because it took too many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the regular expression takes more than {MOST_STEPS} steps on this text")]
pub struct TooLong;

impl Pattern {
    /// Compiles an expression.
    pub fn new(pattern: &str, ignore_case: bool) -> Result<Self, PatternError> {
        let linear = RegexBuilder::new(pattern).case_insensitive(ignore_case).size_limit(MOST_BYTES).build();
        let engine = match linear {
            Ok(regex) => Engine::Linear(regex),
            Err(regex::Error::CompiledTooBig(_)) => return Err(PatternError::TooBig),
            Err(error) => {
                let fancy = fancy_regex::RegexBuilder::new(pattern)
                    .case_insensitive(ignore_case)
                    .backtrack_limit(MOST_STEPS)
                    .delegate_size_limit(MOST_BYTES)
                    .build();
                match fancy {
                    Ok(regex) => Engine::Backtracking(Box::new(regex)),
                    Err(fancy) => return Err(refusal(&error, &fancy)),
                }
            }
        };
        Ok(Self { engine, source: pattern.to_string(), ignore_case })
    }

    /// Whether it is found in `text`.
    pub fn is_in(&self, text: &str) -> Result<bool, TooLong> {
        match &self.engine {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(regex) => regex.is_match(text).map_err(|_| TooLong),
        }
    }

    /// The expression as it was written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether capitals and small letters are the same throughout.
    pub(super) fn ignores_case(&self) -> bool {
        self.ignore_case
    }

    /// Whether every search takes time in proportion to the text.
    pub fn is_linear(&self) -> bool {
        matches!(self.engine, Engine::Linear(_))
    }
}

/// What both engines say, in one line; the linear one explains more, but does not know look-around.
fn refusal(linear: &regex::Error, fancy: &fancy_regex::Error) -> PatternError {
    let text = linear.to_string();
    if fancy.to_string().contains("size limit") {
        return PatternError::TooBig;
    }
    let unsupported = text.contains("look-around") || text.contains("backreferences");
    let detail = if unsupported {
        fancy.to_string()
    } else {
        text.lines().last().unwrap_or(&text).trim_start_matches("error: ").to_string()
    };
    PatternError::Syntax { detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_around_takes_the_other_engine() {
        let pattern = Pattern::new(r"spam(?!mer)", false).unwrap();
        assert!(!pattern.is_linear());
        assert_eq!(pattern.is_in("a spammer"), Ok(false));
        assert_eq!(pattern.is_in("a spam, a spammer"), Ok(true));
    }

    #[test]
    fn backtracking_has_an_end() {
        let pattern = Pattern::new(r"^(?:(a)\1?)+c$", false).unwrap();
        assert_eq!(pattern.is_in(&"a".repeat(60)), Err(TooLong));
    }

    #[test]
    fn bombs_are_refused() {
        assert_eq!(Pattern::new(r"((a{1,1000}){1,1000}){1,1000}", false).unwrap_err(), PatternError::TooBig);
        let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
        assert!(matches!(Pattern::new(&deep, false), Err(PatternError::Syntax { .. })));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = Pattern::new("(a", false).unwrap_err();
        assert_eq!(error.to_string(), "the regular expression cannot be read: unclosed group");
    }
}
