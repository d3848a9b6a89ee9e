//! Regular expressions for other engines: the same matches, in the syntax that RE2 and Java share.
//!
//! Classes such as `\w`, case and set operations are resolved here, because engines understand them differently.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, LookSet, Repetition};

use super::dialect::{Dialect, MARK};

/// Larger counts are refused by DuckDB.
const MOST_REPEATS: u32 = 1000;

/// Classes of more ranges are written with the names of categories.
const FEW_RANGES: usize = 4;

/// Categories that all engines know by these names, the large ones before their parts.
const CATEGORIES: [&str; 19] = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "S", "Sc", "Sm", "So",
    "Z",
];

const UNICODE_WORD: &str = r"\w";
const ASCII_WORD: &str = r"(?-u:\w)";
const WHOLE_WORD: &str = r"[\p{Alphabetic}\p{N}_]";

/// An expression in the syntax of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Translated {
    pub(super) pattern: String,
    /// How many marks the text needs at each end of a word, because the engine has no word boundaries.
    pub(super) boundaries: usize,
    /// Whether it matters which of its two small letters a capital sigma becomes.
    pub(super) tells_sigmas_apart: bool,
}

/// Translates an expression, or says what it has that the engine lacks.
pub(super) fn translate(pattern: &str, ignore_case: bool, dialect: Dialect) -> Result<Translated, String> {
    let hir = ParserBuilder::new()
        .case_insensitive(ignore_case)
        .build()
        .parse(pattern)
        .map_err(|_| "look-around and back-references differ between engines".to_string())?;
    let boundaries = match dialect {
        Dialect::DuckDb => count(&hir, Look::WordUnicode),
        Dialect::Spark => 0,
    };
    let mut writer = Writer {
        dialect,
        marked: boundaries > 0,
        written: String::new(),
        tells_sigmas_apart: false,
        passed: Passed::default(),
    };
    writer.node(&hir)?;
    Ok(Translated { pattern: writer.written, boundaries, tells_sigmas_apart: writer.tells_sigmas_apart })
}

/// One of `words` with nothing around it that would make it part of a longer word.
pub(super) fn whole_words(words: &[String]) -> Translated {
    let all: Vec<String> = words.iter().map(|word| word.chars().map(escaped).collect()).collect();
    let not_word = bracketed(&negated(&parsed_class(WHOLE_WORD)));
    Translated {
        pattern: format!(r"(?:\A|{not_word})(?:{})(?:{not_word}|\z)", all.join("|")),
        boundaries: 0,
        tells_sigmas_apart: words.iter().any(|word| has_sigma(word)),
    }
}

/// The characters of words, as a class.
pub(super) fn word() -> String {
    bracketed(&parsed_class(UNICODE_WORD))
}

/// White space, as a class.
pub(super) fn blank() -> String {
    bracketed(&parsed_class(r"\s"))
}

/// Whether a text in small letters has a sigma.
pub(super) fn has_sigma(text: &str) -> bool {
    text.contains(SIGMAS)
}

const SIGMAS: [char; 2] = ['σ', 'ς'];

fn count(hir: &Hir, look: Look) -> usize {
    match hir.kind() {
        HirKind::Look(found) => usize::from(*found == look),
        HirKind::Repetition(repetition) => count(&repetition.sub, look),
        HirKind::Capture(capture) => count(&capture.sub, look),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().map(|part| count(part, look)).sum()
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => 0,
    }
}

struct Writer {
    dialect: Dialect,
    /// Whether texts have marks at the ends of words. A boundary takes one of them, what else comes there skips the rest.
    marked: bool,
    written: String,
    tells_sigmas_apart: bool,
    passed: Passed,
}

/// What stands further to the left, maybe in the same place of the text.
#[derive(Clone, Copy, Default)]
struct Passed {
    boundary: bool,
    end: bool,
}

impl Writer {
    fn node(&mut self, hir: &Hir) -> Result<(), String> {
        match hir.kind() {
            HirKind::Empty => self.written.push_str("(?:)"),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|_| "it matches parts of characters")?;
                self.literal(text);
            }
            HirKind::Class(class) => self.class(class)?,
            HirKind::Look(look) => self.look(*look)?,
            HirKind::Repetition(repetition) => self.repetition(repetition)?,
            HirKind::Capture(capture) => self.group(&capture.sub)?,
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.node(part))?,
            HirKind::Alternation(ways) => self.alternation(ways)?,
        }
        Ok(())
    }

    fn group(&mut self, hir: &Hir) -> Result<(), String> {
        match hir.kind() {
            HirKind::Capture(capture) => return self.group(&capture.sub),
            HirKind::Alternation(ways) => return self.alternation(ways),
            HirKind::Class(class) if !self.marked => return self.class(class),
            _ => {}
        }
        self.written.push_str("(?:");
        self.node(hir)?;
        self.written.push(')');
        Ok(())
    }

    fn alternation(&mut self, ways: &[Hir]) -> Result<(), String> {
        let before = self.passed;
        let mut after = before;
        for (i, way) in ways.iter().enumerate() {
            self.written.push_str(if i == 0 { "(?:" } else { "|" });
            self.passed = before;
            self.node(way)?;
            after.boundary |= self.passed.boundary;
            after.end |= self.passed.end;
        }
        self.passed = after;
        self.written.push(')');
        Ok(())
    }

    fn repetition(&mut self, repetition: &Repetition) -> Result<(), String> {
        let Repetition { min, max, sub, .. } = repetition;
        if self.dialect == Dialect::DuckDb && max.unwrap_or(*min).max(*min) > MOST_REPEATS {
            return Err(format!("DuckDB repeats at most {MOST_REPEATS} times"));
        }
        let properties = sub.properties();
        let looks = properties.look_set();
        let lines = [Look::Start, Look::End, Look::StartLF, Look::EndLF];
        // Such a repetition could ask for more marks in one place than there are, or for an end behind a mark.
        if self.marked
            && looks.contains(Look::WordUnicode)
            && (properties.minimum_len() == Some(0) || lines.iter().any(|line| looks.contains(*line)))
        {
            return Err(self.missing(r"\b inside this repetition"));
        }
        self.group(sub)?;
        let times = match (min, max) {
            (0, None) => "*".to_string(),
            (1, None) => "+".to_string(),
            (0, Some(1)) => "?".to_string(),
            (min, None) => format!("{{{min},}}"),
            (min, Some(max)) if min == max => format!("{{{min}}}"),
            (min, Some(max)) => format!("{{{min},{max}}}"),
        };
        self.written.push_str(&times);
        Ok(())
    }

    fn literal(&mut self, text: &str) {
        self.tells_sigmas_apart |= has_sigma(text);
        let mut before = None;
        for letter in text.chars() {
            let word = regex_syntax::try_is_word_character(letter).unwrap_or(false);
            if before != Some(word) {
                self.skip_marks();
            }
            self.written.push_str(&escaped(letter));
            before = Some(word);
        }
    }

    fn class(&mut self, class: &Class) -> Result<(), String> {
        let mut class = match class {
            Class::Unicode(class) => class.clone(),
            Class::Bytes(class) => class.to_unicode_class().ok_or("it matches parts of characters")?,
        };
        let has = |letter: char| {
            class.ranges().iter().any(|range| range.start() <= letter && letter <= range.end())
        };
        self.tells_sigmas_apart |= has(SIGMAS[0]) != has(SIGMAS[1]);
        if self.marked {
            class.difference(&ClassUnicode::new([ClassUnicodeRange::new(MARK, MARK)]));
        }
        self.skip_marks();
        self.written.push_str(&bracketed(&class));
        Ok(())
    }

    fn skip_marks(&mut self) {
        if self.marked {
            self.written.push_str(&escaped(MARK));
            self.written.push('*');
        }
    }

    fn look(&mut self, look: Look) -> Result<(), String> {
        let written = match self.dialect {
            Dialect::DuckDb => self.re2(look)?,
            Dialect::Spark => self.java(look)?,
        };
        self.written.push_str(&written);
        Ok(())
    }

    fn re2(&mut self, look: Look) -> Result<String, String> {
        let line = match look {
            Look::Start => r"\A",
            Look::End => r"\z",
            Look::StartLF => "(?m:^)",
            Look::EndLF => "(?m:$)",
            Look::WordUnicode if self.passed.end => return Err(self.missing(r"\b after $")),
            Look::WordUnicode => {
                self.passed.boundary = true;
                return Ok(escaped(MARK));
            }
            Look::WordAscii if !self.marked => r"\b",
            Look::WordAsciiNegate if !self.marked => r"\B",
            Look::WordUnicodeNegate => return Err(self.missing(r"\B")),
            Look::StartCRLF | Look::EndCRLF => return Err(self.missing("(?R)")),
            _ => return Err(self.missing("this kind of word boundary")),
        };
        if LookSet::singleton(look).contains_anchor() && self.marked {
            if matches!(look, Look::Start | Look::StartLF) && self.passed.boundary {
                return Err(self.missing(r"^ after \b"));
            }
            if matches!(look, Look::End | Look::EndLF) {
                self.passed.end = true;
                self.skip_marks();
            }
        }
        Ok(line.to_string())
    }

    fn java(&self, look: Look) -> Result<String, String> {
        let word = bracketed(&parsed_class(if look_is_ascii(look) { ASCII_WORD } else { UNICODE_WORD }));
        let (behind, ahead) = (format!("(?<={word})"), format!("(?={word})"));
        let (not_behind, not_ahead) = (format!("(?<!{word})"), format!("(?!{word})"));
        Ok(match look {
            Look::Start => r"\A".to_string(),
            Look::End => r"\z".to_string(),
            // Java's own ^ and $ know other ends of lines.
            Look::StartLF => r"(?<![^\n])".to_string(),
            Look::EndLF => r"(?![^\n])".to_string(),
            Look::WordAscii | Look::WordUnicode => format!("(?:{behind}{not_ahead}|{not_behind}{ahead})"),
            Look::WordAsciiNegate | Look::WordUnicodeNegate => {
                format!("(?:{behind}{ahead}|{not_behind}{not_ahead})")
            }
            Look::WordStartAscii | Look::WordStartUnicode => format!("{not_behind}{ahead}"),
            Look::WordEndAscii | Look::WordEndUnicode => format!("{behind}{not_ahead}"),
            Look::WordStartHalfAscii | Look::WordStartHalfUnicode => not_behind,
            Look::WordEndHalfAscii | Look::WordEndHalfUnicode => not_ahead,
            Look::StartCRLF | Look::EndCRLF => return Err(self.missing("(?R)")),
        })
    }

    fn missing(&self, what: &str) -> String {
        format!("{} has no equal to {what}", self.dialect.title())
    }
}

fn look_is_ascii(look: Look) -> bool {
    LookSet::singleton(look).contains_word_ascii()
}

fn parsed_class(pattern: &str) -> ClassUnicode {
    let hir = regex_syntax::parse(pattern);
    match hir.as_ref().map(Hir::kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class.clone(),
        Ok(HirKind::Class(Class::Bytes(class))) => {
            class.to_unicode_class().unwrap_or_else(ClassUnicode::empty)
        }
        _ => ClassUnicode::empty(),
    }
}

fn negated(class: &ClassUnicode) -> ClassUnicode {
    let mut class = class.clone();
    class.negate();
    class
}

/// A class, or what is not in it, whichever is shorter.
fn bracketed(class: &ClassUnicode) -> String {
    let (members, others) = (members(class), members(&negated(class)));
    if members.is_empty() || (!others.is_empty() && others.len() < members.len()) {
        format!("[^{others}]")
    } else {
        format!("[{members}]")
    }
}

fn members(class: &ClassUnicode) -> String {
    let mut rest = class.clone();
    let mut written = String::new();
    if class.ranges().len() > FEW_RANGES {
        for name in CATEGORIES {
            let name = format!(r"\p{{{name}}}");
            let category = parsed_class(&name);
            let mut outside = category.clone();
            outside.difference(&rest);
            if outside.ranges().is_empty() {
                rest.difference(&category);
                written.push_str(&name);
            }
        }
    }
    for range in rest.ranges() {
        written.push_str(&member(range.start()));
        if range.start() < range.end() {
            written.push('-');
            written.push_str(&member(range.end()));
        }
    }
    written
}

/// A character in a class. Next to others, accents would be joined with them on screens and in editors.
fn member(letter: char) -> String {
    if letter.is_ascii() { escaped(letter) } else { code_point(letter) }
}

fn escaped(letter: char) -> String {
    match letter {
        letter if regex_syntax::is_meta_character(letter) => format!("\\{letter}"),
        letter if letter.is_alphanumeric() || letter.is_ascii_graphic() || letter == ' ' => {
            letter.to_string()
        }
        letter => code_point(letter),
    }
}

fn code_point(letter: char) -> String {
    format!("\\x{{{:X}}}", u32::from(letter))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    fn duckdb(pattern: &str) -> Result<Translated, String> {
        translate(pattern, false, Dialect::DuckDb)
    }

    /// What the translated expression says of a text; Rust's own syntax includes the parts of RE2's that are used.
    fn found(translated: &Translated, text: &str) -> bool {
        let marks = MARK.to_string().repeat(translated.boundaries);
        let marked =
            Regex::new(&format!("{}+", word())).unwrap().replace_all(text, format!("{marks}$0{marks}"));
        Regex::new(&translated.pattern).unwrap().is_match(&marked)
    }

    /// Expressions of the parts in which engines differ.
    fn pattern() -> impl Strategy<Value = String> {
        let parts = [
            "a",
            "b",
            " ",
            "é",
            "_",
            "-",
            r"\w",
            r"\W",
            r"\s",
            r"\d",
            ".",
            "[^a]",
            r"\b",
            "^",
            "$",
            "(?m:^)",
            "(?m:$)",
            r"\n",
            "(?i:k)",
            r"[\w--b]",
            "[a-z&&[^x]]",
        ];
        prop::sample::select(parts.to_vec()).prop_map(str::to_string).prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.concat()),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
                (inner, prop::sample::select(vec!["*", "+", "?", "{2}", "+?"]))
                    .prop_map(|(part, times)| format!("(?:{part}){times}")),
            ]
        })
    }

    proptest! {
        #[test]
        fn duckdb_finds_the_same(pattern in pattern(), text in "[abxk é_1\n\u{212a}\u{301}-]{1,6}") {
            if let Ok(translated) = duckdb(&pattern) {
                prop_assert_eq!(found(&translated, &text), Regex::new(&pattern).unwrap().is_match(&text));
            }
        }

        /// The other engine here has look-around like Java's.
        #[test]
        fn spark_finds_the_same(pattern in pattern(), text in "[abxk é_1\n\u{212a}\u{301}-]{1,6}") {
            let translated = translate(&pattern, false, Dialect::Spark).unwrap().pattern;
            // Unlike Java, it cannot repeat a look-around.
            let Ok(engine) = fancy_regex::Regex::new(&translated) else { return Ok(()) };
            prop_assert_eq!(engine.is_match(&text).unwrap(), Regex::new(&pattern).unwrap().is_match(&text));
        }
    }

    #[test]
    fn plain_expressions_stay_legible() {
        let written = |pattern| duckdb(pattern).unwrap().pattern;
        assert_eq!(written("you (have )?won"), "you (?:have )?won");
        assert_eq!(written(r"^\d+$"), r"\A[\p{Nd}]+\z");
        assert_eq!(written(r"\s"), r"[\p{Z}\x{9}-\x{D}\x{85}]");
        assert_eq!(written("(?x) f r # c"), "fr");
        assert_eq!(written("(?<n>a)|bc"), "(?:(?:a)|bc)");
        assert_eq!(written(r"[^\s\S]"), r"[^\x{0}-\x{10FFFF}]");
    }

    #[test]
    fn words_are_those_of_rust() {
        let word = Regex::new(&format!("^{}$", word())).unwrap();
        let own = Regex::new(r"^\w$").unwrap();
        for letter in ('\0'..=char::MAX).step_by(7) {
            let text = letter.to_string();
            assert_eq!(word.is_match(&text), own.is_match(&text), "{letter:?}");
        }
    }

    #[test]
    fn what_an_engine_lacks_is_refused() {
        for (pattern, lacks) in [
            ("a(?=b)", "look-around"),
            (r"(a)\1", "back-references"),
            (r"a\B", r"\B"),
            (r"\b{start}a", "this kind of word boundary"),
            ("(?mR)^a", "(?R)"),
            ("a{1001}", "at most 1000"),
            (r"(?:\b|a)*", "inside this repetition"),
            (r"\b^a", "^ after"),
        ] {
            let error = duckdb(pattern).unwrap_err();
            assert!(error.contains(lacks), "{pattern}: {error}");
        }
    }

    #[test]
    fn sigmas_are_told_apart_only_where_the_expression_does() {
        for (pattern, apart) in
            [("ς", true), ("[α-ς]", true), (r"\w", false), ("[σς]", false), ("win", false)]
        {
            assert_eq!(duckdb(pattern).unwrap().tells_sigmas_apart, apart, "{pattern}");
        }
    }

    #[test]
    fn whole_words_have_nothing_around_them() {
        let words = whole_words(&["a.b".to_string(), "é".to_string()]);
        for (text, there) in
            [("a.b", true), ("x a.b!", true), ("aéb", false), ("axb", false), ("Ⓐé", false), ("½é", false)]
        {
            assert_eq!(found(&words, text), there, "{text}");
        }
    }
}
