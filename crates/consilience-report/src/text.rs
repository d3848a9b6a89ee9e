//! Numbers and names as people read them.

use std::fmt::Write as _;

use consilience::findings::Flag;

/// Text between tags or in a quoted attribute. Names come from files and may hold anything.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if is_unsafe(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Control characters, and marks that turn the direction of the text that follows.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// At most `most` characters; an ellipsis stands for the rest.
pub(crate) fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    let mut kept: String = text.chars().take(most.saturating_sub(1)).collect();
    kept.push('…');
    kept
}

/// How wide a text may be, in units of its font size: the reader's font is not known here, so that wide ones count.
pub(crate) fn widest(text: &str) -> f64 {
    let letter = |c: char| match c {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '('
        | ')' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '<' | '>' | '=' | '+' | '#' | '~' => 1.0,
        'A'..='Z' | '&' => 0.79,
        c if c.is_ascii() => 0.65,
        _ => 1.0,
    };
    text.chars().map(letter).sum()
}

/// `12345` as `12,345`.
///
/// ```
/// use consilience_report::thousands;
///
/// assert_eq!((thousands(0), thousands(999)), ("0".to_string(), "999".to_string()));
/// assert_eq!(thousands(1_234_567), "1,234,567");
/// ```
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 item`, `2 items`.
///
/// ```
/// use consilience_report::counted;
///
/// assert_eq!(counted(1, "item", "items"), "1 item");
/// assert_eq!(counted(12_345, "item", "items"), "12,345 items");
/// ```
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A share in per cent: `83%`, or `0.4%` if it is small.
pub(crate) fn percent(share: f64) -> String {
    let per_cent = 100.0 * share;
    let mut text = String::new();
    let small = per_cent > 0.0 && per_cent < 9.95;
    let nearly_all = (99.5..100.0).contains(&per_cent);
    let digits = usize::from(small || nearly_all);
    let shown = if nearly_all { per_cent.min(99.9) } else { per_cent };
    let _ = write!(text, "{shown:.digits$}%");
    text
}

/// A count if it is whole, else one digit: `5.2`.
pub(crate) fn one_digit(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
}

/// The text about a source: those it repeats in one phrase, the strongest first.
pub(crate) fn flags(flags: &[Flag]) -> Vec<String> {
    let repeats = |known: &&Flag| matches!(known, Flag::Repeats { .. });
    let others = flags.iter().filter(repeats).count().saturating_sub(1);
    let first = flags.iter().find(repeats).map(|known| match others {
        0 => flag(known),
        1 => format!("{} and 1 other", flag(known)),
        _ => format!("{} and {others} others", flag(known)),
    });
    first.into_iter().chain(flags.iter().filter(|known| !repeats(known)).map(flag)).collect()
}

fn flag(flag: &Flag) -> String {
    match flag {
        Flag::Copies { of } => format!("exact copy of {of}"),
        Flag::Mirrors { of } => format!("mirror image of {of}"),
        Flag::Repeats { of, share: Some(share) } => format!("repeats {of} ({})", percent(*share)),
        Flag::Repeats { of, share: None } => format!("repeats {of}"),
        Flag::Silent => "never votes".to_string(),
        Flag::AtChance => "no better than chance".to_string(),
        Flag::Assumed => "accuracy assumed, not measured".to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_text() {
        assert_eq!(
            escape("<script>\"a\" & 'b'</script>\u{202e}\n"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;\u{fffd}\u{fffd}"
        );
        assert_eq!(short("abcdef", 4), "abc…");
        assert_eq!(short("abcd", 4), "abcd");
    }

    #[test]
    fn shares_are_never_rounded_to_all_or_nothing() {
        let told: Vec<String> =
            [0.0, 0.0004, 0.04, 0.126, 0.994, 0.9999, 1.0].into_iter().map(percent).collect();
        assert_eq!(told, ["0%", "0.0%", "4.0%", "13%", "99%", "99.9%", "100%"]);
        assert_eq!((one_digit(5.0), one_digit(5.24)), ("5".to_string(), "5.2".to_string()));
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
