//! Classes that may be one class in two spellings, and classes that may be several in one cell.

use crate::votes::notes::ReadingNote;

/// Signs between several classes in one cell.
const BETWEEN: [char; 6] = [',', ';', '|', '/', '+', '&'];

/// Words that people shorten to their first letter.
const SHORTENED: [&str; 10] =
    ["yes", "no", "true", "false", "positive", "negative", "pos", "neg", "male", "female"];

/// Words and the ways in which people shorten them, other than to the first letter.
const SHORT_FORMS: [(&str, &str); 7] = [
    ("positive", "pos"),
    ("negative", "neg"),
    ("neutral", "neu"),
    ("neutral", "neut"),
    ("irrelevant", "irrel"),
    ("relevant", "rel"),
    ("correct", "corr"),
];

/// More classes than this are names of something, and many of them look alike.
const MOST_CLASSES: usize = 50;

/// What the names of the classes may hide.
pub(super) fn hints(classes: &[String]) -> Vec<ReadingNote> {
    if classes.len() < 3 || classes.len() > MOST_CLASSES {
        return Vec::new();
    }
    let lower: Vec<String> = classes.iter().map(|name| name.to_lowercase()).collect();
    let mut pairs = Vec::new();
    for (i, a) in lower.iter().enumerate() {
        for (j, b) in lower.iter().enumerate().skip(i + 1) {
            if are_alike(a, b) {
                pairs.push((classes[i].clone(), classes[j].clone()));
            }
        }
    }
    let is_several = |name: &&String| {
        let parts: Vec<String> = name.split(BETWEEN).map(|part| part.trim().to_lowercase()).collect();
        parts.len() > 1 && parts.iter().all(|part| lower.contains(part))
    };
    let several: Vec<String> = classes.iter().filter(is_several).cloned().collect();
    let alike = (!pairs.is_empty()).then_some(ReadingNote::AlikeClasses { pairs });
    let several = (!several.is_empty()).then_some(ReadingNote::SeveralInOne { classes: several });
    alike.into_iter().chain(several).collect()
}

/// Whether two names in lower case differ in signs, blanks, accents or letters of other alphabets only, or one is a usual word and
/// the other its first letter.
fn are_alike(a: &str, b: &str) -> bool {
    let letters =
        |name: &str| -> String { name.chars().filter(|c| c.is_alphanumeric()).map(plain).collect() };
    let (first, second) = (letters(a), letters(b));
    let starts = |word: &str, letter: &str| {
        SHORTENED.contains(&word) && letter.chars().count() == 1 && word.starts_with(letter)
    };
    // Numbers with signs between, such as 1-2 and 12, are not alike.
    let has_letters = first.chars().any(char::is_alphabetic);
    let shortens = |long: &str, short: &str| SHORT_FORMS.contains(&(long, short));
    // "Answer: A" is A.
    let ends = |long: &str, short: &str| {
        long.rsplit_once(':').is_some_and(|(_, last)| !short.is_empty() && letters(last) == letters(short))
    };
    (has_letters && first == second)
        || starts(a, b)
        || starts(b, a)
        || shortens(&first, &second)
        || shortens(&second, &first)
        || ends(a, b)
        || ends(b, a)
}

/// The Latin letter that a Cyrillic or Greek one looks like.
fn plain(c: char) -> char {
    const LIKE: [(char, char); 17] = [
        ('а', 'a'),
        ('е', 'e'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('у', 'y'),
        ('х', 'x'),
        ('і', 'i'),
        ('к', 'k'),
        ('м', 'm'),
        ('т', 't'),
        ('в', 'b'),
        ('н', 'h'),
        ('ο', 'o'),
        ('α', 'a'),
        ('ν', 'v'),
        ('ι', 'i'),
    ];
    LIKE.iter().find(|(like, _)| *like == c).map_or(c, |(_, latin)| *latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(classes: &[&str]) -> Vec<ReadingNote> {
        hints(&classes.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    fn alike(a: &str, b: &str) -> Vec<ReadingNote> {
        vec![ReadingNote::AlikeClasses { pairs: vec![(a.to_string(), b.to_string())] }]
    }

    #[test]
    fn spellings_of_one_class_are_found() {
        assert_eq!(of(&["no", "yes", "yes."]), alike("yes", "yes."));
        assert_eq!(of(&["Y", "no", "yes"]), alike("Y", "yes"));
        assert_eq!(of(&["neg", "pos", "positive"]), alike("pos", "positive"));
        assert_eq!(of(&["A", "Answer: A", "B"]), alike("A", "Answer: A"));
        assert_eq!(of(&["non toxic", "non-toxic", "toxic"]), alike("non toxic", "non-toxic"));
        assert_eq!(of(&["дa", "да", "нет"]), alike("дa", "да"));
    }

    #[test]
    fn classes_of_their_own_are_left_alone() {
        for classes in [
            &["1-2", "12", "3"][..],
            &["model_a", "model_b", "tie"],
            &["A", "B", "C"],
            &["a", "an", "the"],
            &["no", "yes"],
            &["C", "C++", "Java"],
        ] {
            let expected = if classes[1] == "C++" { alike("C", "C++") } else { Vec::new() };
            assert_eq!(of(classes), expected, "{classes:?}");
        }
    }

    #[test]
    fn several_classes_in_one_cell_are_found() {
        let several = vec![ReadingNote::SeveralInOne { classes: vec!["cat, dog".to_string()] }];
        assert_eq!(of(&["cat", "cat, dog", "dog"]), several);
        assert_eq!(of(&["cat", "cat/other", "dog"]), []);
    }
}
