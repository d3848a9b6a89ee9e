//! Classes whose names still have signs of the file around them: `"yes"` with its quotes, `['yes', 'no']` with its brackets.

use crate::votes::notes::ReadingNote;

/// A note on such classes, if all classes are of the kind.
pub(super) fn hint(classes: &[String]) -> Option<ReadingNote> {
    let are_all = |is_one: fn(&str) -> bool| !classes.is_empty() && classes.iter().all(|name| is_one(name));
    if are_all(is_list) {
        return Some(ReadingNote::Lists { example: classes[0].clone() });
    }
    are_all(is_quoted).then(|| ReadingNote::QuotedClasses { example: classes[0].clone() })
}

fn is_quoted(name: &str) -> bool {
    let is_between = |sign: char| {
        name.len() > 2
            && name
                .strip_prefix(sign)
                .and_then(|rest| rest.strip_suffix(sign))
                .is_some_and(|name| !name.contains(sign))
    };
    is_between('"') || is_between('\'')
}

fn is_list(name: &str) -> bool {
    [('[', ']'), ('(', ')'), ('{', '}')].iter().any(|&(open, close)| {
        name.strip_prefix(open).is_some_and(|rest| rest.ends_with(close))
            && name.contains([',', ';', '\'', '"'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(classes: &[&str]) -> Option<ReadingNote> {
        hint(&classes.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn quotes_and_lists_are_told() {
        let quoted = |example: &str| Some(ReadingNote::QuotedClasses { example: example.to_string() });
        assert_eq!(of(&["\"no\"", "\"yes\""]), quoted("\"no\""));
        assert_eq!(of(&["'no'", "'yes'"]), quoted("'no'"));
        let lists = Some(ReadingNote::Lists { example: "['a', 'b']".to_string() });
        assert_eq!(of(&["['a', 'b']", "['b', 'b']"]), lists);
        assert_eq!(of(&["(0/1)", "1"]), None);
        assert_eq!(of(&["no", "\"yes\""]), None);
        assert_eq!(of(&[]), None);
    }
}
