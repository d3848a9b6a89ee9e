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
            // The other engine would take a{5,2} for text.
            Err(error) if error.to_string().contains("repetition count range") => {
                return Err(syntax(&error.to_string()));
            }
            Err(error) => {
                let fancy = fancy_regex::RegexBuilder::new(pattern)
                    .case_insensitive(ignore_case)
                    .backtrack_limit(MOST_STEPS)
                    .delegate_size_limit(MOST_BYTES)
                    .build();
                match fancy {
                    Ok(regex) => Engine::Backtracking(Box::new(regex)),
                    Err(fancy)
                        if fancy.to_string().contains("size limit") || fancy.to_string().contains("NFA") =>
                    {
                        return Err(PatternError::TooBig);
                    }
                    // The linear engine explains more, but does not know look-around.
                    Err(fancy) if needs_backtracking(&error) => return Err(syntax(&fancy.to_string())),
                    Err(_) => return Err(syntax(&error.to_string())),
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

/// Whether the linear engine refuses an expression because of look-around or back-references.
fn needs_backtracking(error: &regex::Error) -> bool {
    let text = error.to_string();
    text.contains("look-around") || text.contains("backreferences")
}

/// What an engine says, in one line.
fn syntax(message: &str) -> PatternError {
    let last = message.lines().last().unwrap_or(message);
    PatternError::Syntax { detail: last.trim_start_matches("error: ").to_string() }
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
        assert_eq!(Pattern::new(r"(?=a)(a{1000}){1000}", false).unwrap_err(), PatternError::TooBig);
        let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
        assert!(matches!(Pattern::new(&deep, false), Err(PatternError::Syntax { .. })));
    }

    #[test]
    fn counts_that_end_before_they_begin_are_refused() {
        let error = Pattern::new("a{5,2}", false).unwrap_err().to_string();
        assert!(error.contains("invalid repetition count range"), "{error}");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = Pattern::new("(a", false).unwrap_err();
        assert_eq!(error.to_string(), "the regular expression cannot be read: unclosed group");
    }
}
