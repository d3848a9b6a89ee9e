//! Messages that fit one line of a terminal or a log, whatever a file holds.

/// Longer messages lose their middle.
const LONGEST: usize = 900;

/// `text` without line breaks and other control characters, and cut in the middle if it is very long.
pub(crate) fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let count = clean.chars().count();
    if count <= LONGEST {
        return clean;
    }
    let head: String = clean.chars().take(LONGEST * 2 / 3).collect();
    let tail: String = clean.chars().skip(count - LONGEST / 3).collect();
    format!("{head} ... {tail}")
}

/// The first few of `names` in quotes, for a message.
pub(crate) fn some_of<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 8;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|n| format!("\"{}\"", n.as_ref())).collect();
    if names.len() > SHOWN {
        shown.push(format!("... ({} in all)", names.len()));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_one_short_line() {
        assert_eq!(one_line("a\nb\tc"), "a b c");
        let long = one_line(&"é".repeat(5000));
        assert!(long.chars().count() < 920 && long.contains(" ... "));
    }

    #[test]
    fn lists_are_cut() {
        assert_eq!(some_of(&["a", "b"]), "\"a\", \"b\"");
        assert!(some_of(&vec!["x"; 100]).ends_with("... (100 in all)"));
    }
}
