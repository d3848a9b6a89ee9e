//! Classes that may be one class in two spellings, and classes that may be several in one cell.

use crate::votes::notes::ReadingNote;

/// Signs between several classes in one cell.
const BETWEEN: [char; 6] = [',', ';', '|', '/', '+', '&'];

/// Words that people shorten to their first letter.
const SHORTENED: [&str; 10] =
    ["yes", "no", "true", "false", "positive", "negative", "pos", "neg", "male", "female"];

/// Words and other words for the same, or the ways in which people shorten them other than to the first letter.
const SHORT_FORMS: [(&str, &str); 20] = [
    ("yes", "true"),
    ("no", "false"),
    ("positive", "pos"),
    ("negative", "neg"),
    ("neutral", "neu"),
    ("neutral", "neut"),
    ("irrelevant", "irrel"),
    ("relevant", "rel"),
    ("correct", "corr"),
    // In other languages.
    ("yes", "ja"),
    ("yes", "oui"),
    ("yes", "si"),
    ("yes", "да"),
    ("no", "nein"),
    ("no", "нет"),
    ("true", "wahr"),
    ("true", "vrai"),
    ("false", "falsch"),
    ("false", "faux"),
    ("false", "falso"),
];

/// More classes than this are names of something, and many of them look alike.
const MOST_CLASSES: usize = 50;

/// A misspelt class is at least so many times rarer than the class that is meant.
const RARE: u64 = 12;

/// More classes than this are free answers, among which numbers are nothing special.
const MOST_MIXED: usize = 20;

/// What the names of the classes may hide.
pub(super) fn hints(classes: &[String], counts: impl FnOnce() -> Vec<u64>) -> Vec<ReadingNote> {
    if classes.len() < 3 || classes.len() > MOST_CLASSES {
        return Vec::new();
    }
    let counts = counts();
    let lower: Vec<String> = classes.iter().map(|name| name.to_lowercase()).collect();
    let mut pairs = Vec::new();
    for (i, a) in lower.iter().enumerate() {
        for (j, b) in lower.iter().enumerate().skip(i + 1) {
            let (rare, frequent) = (counts[i + 1].min(counts[j + 1]), counts[i + 1].max(counts[j + 1]));
            let is_typo = rare > 0 && RARE * rare <= frequent && is_one_letter_off(a, b);
            if are_alike(a, b) || is_typo {
                pairs.push((classes[i].clone(), classes[j].clone()));
            }
        }
    }
    let is_several = |name: &&String| {
        let parts: Vec<String> = name.split(BETWEEN).map(|part| part.trim().to_lowercase()).collect();
        parts.len() > 1 && parts.iter().all(|part| lower.contains(part))
    };
    let several: Vec<String> = classes.iter().filter(is_several).cloned().collect();
    let mixed = mixed_kinds(classes);
    let alike = (!pairs.is_empty()).then_some(ReadingNote::AlikeClasses { pairs });
    let several = (!several.is_empty()).then_some(ReadingNote::SeveralInOne { classes: several });
    alike.into_iter().chain(several).chain(mixed).collect()
}

/// Whether one letter is missing, too many or another one, in words of at least three.
fn is_one_letter_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() < b.len() { (&a, &b) } else { (&b, &a) };
    let is_word = |letters: &[char]| letters.iter().all(|c| c.is_alphabetic());
    let same_start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let same_end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    long.len() >= 3
        && long.len() - short.len() <= 1
        && same_start + same_end + 1 >= long.len()
        && is_word(short)
        && is_word(long)
}

/// Where some classes are numbers and about as many are words, two of each at least, both may be the same.
fn mixed_kinds(classes: &[String]) -> Option<ReadingNote> {
    let (numbers, words): (Vec<String>, Vec<String>) =
        classes.iter().cloned().partition(|name| name.parse::<i64>().is_ok());
    let are_few = classes.len() <= MOST_MIXED && numbers.len() >= 2 && words.len() >= 2;
    (are_few && numbers.len().abs_diff(words.len()) <= 1)
        .then_some(ReadingNote::MixedKinds { numbers, words })
}

/// Without the tones of skin and the variants of emoji.
fn without_tone(name: &str) -> String {
    name.chars().filter(|c| !('\u{1f3fb}'..='\u{1f3ff}').contains(c) && *c != '\u{fe0f}').collect()
}

/// Whether two names in lower case differ in signs, blanks, accents or letters of other alphabets only, or one is a usual word and
/// the other its first letter.
fn are_alike(a: &str, b: &str) -> bool {
    // A sign at the end is a part of grades, blood groups and C++.
    let letters = |name: &str| -> String {
        let own = name.trim_end_matches(['+', '-']);
        let signs = if own.ends_with(char::is_alphanumeric) { &name[own.len()..] } else { "" };
        own.chars().filter(|c| c.is_alphanumeric()).map(plain).chain(signs.chars()).collect()
    };
    // cat and cats
    let is_plural = |one: &str, many: &str| one.len() > 2 && many.strip_suffix('s') == Some(one);
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
    let spelled_out = |name: &str| {
        letters(&name.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss"))
    };
    (has_letters && (first == second || spelled_out(a) == spelled_out(b)))
        || without_tone(a) == without_tone(b)
        || is_plural(&first, &second)
        || is_plural(&second, &first)
        || starts(a, b)
        || starts(b, a)
        || shortens(&first, &second)
        || shortens(&second, &first)
        || ends(a, b)
        || ends(b, a)
}

/// The Latin letter without its accent, or that a Cyrillic or Greek one looks like. An accent of its own is no letter.
fn plain(c: char) -> char {
    const ACCENTED: [(&str, char); 11] = [
        ("àáâãäåāăą", 'a'),
        ("çćč", 'c'),
        ("ďđ", 'd'),
        ("èéêëēėęě", 'e'),
        ("ìíîïīįı", 'i'),
        ("łľ", 'l'),
        ("ñńň", 'n'),
        ("òóôõöøōő", 'o'),
        ("šśş", 's'),
        ("ùúûüūůű", 'u'),
        ("ýÿ", 'y'),
    ];
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
    if let Some((_, latin)) = ACCENTED.iter().find(|(accented, _)| accented.contains(c)) {
        return *latin;
    }
    LIKE.iter().find(|(like, _)| *like == c).map_or(c, |(_, latin)| *latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(classes: &[&str]) -> Vec<ReadingNote> {
        hints(&classes.iter().map(ToString::to_string).collect::<Vec<_>>(), || vec![9; classes.len() + 1])
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
        assert_eq!(of(&["Gut", "Mu\u{308}ll", "Müll"]), alike("Mu\u{308}ll", "Müll"));
        assert_eq!(of(&["cat", "cats", "dog"]), alike("cat", "cats"));
        assert_eq!(of(&["дa", "да", "нет"]), alike("дa", "да"));
    }

    #[test]
    fn a_rare_class_that_is_one_letter_off_is_found() {
        let names = ["ha", "ham", "spam"].map(str::to_string);
        assert_eq!(hints(&names, || vec![0, 2, 60, 60]), alike("ha", "ham"));
        assert_eq!(hints(&names, || vec![0, 20, 60, 60]), []);
        assert!(is_one_letter_off("cat", "cot") && !is_one_letter_off("cat", "dog"));
        assert!(!is_one_letter_off("v1", "v12"));
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
            &["A", "A+", "A-", "B"],
        ] {
            let expected = Vec::new();
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
