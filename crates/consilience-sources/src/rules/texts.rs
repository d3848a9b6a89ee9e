//! All text rules for one column: one pass of an automaton finds keywords, and the texts on which an expression could match.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::literals::required;
use super::lowered;
use super::pattern::Pattern;
use super::spacer::spacer;

/// Sets of literals up to this many bytes are searched by a table with one step per byte.
const SMALL: usize = 1 << 15;

/// A rule over texts.
#[derive(Clone, Debug)]
pub enum TextRule {
    /// Some keywords.
    Keywords(Keyword),
    /// A regular expression.
    Pattern(Pattern),
}

/// A set of keywords; a text matches if it contains one.
#[derive(Clone, Debug)]
pub struct Keyword {
    /// The keywords.
    pub keywords: Vec<String>,
    /// Whether only whole words count.
    pub words: bool,
}

/// The result of a rule on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Found {
    /// It is not there.
    No = 0,
    /// It is there.
    Yes = 1,
    /// The search took too long and was given up.
    GivenUp = 2,
}

/// Why rules cannot be searched for together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the keywords are too many for one search: {detail}")]
pub struct TextRulesError {
    detail: String,
}

impl TextRulesError {
    pub(super) fn new(error: &aho_corasick::BuildError) -> Self {
        Self { detail: error.to_string() }
    }
}

/// What a literal is for.
#[derive(Clone, Copy, Debug)]
enum Use {
    Keyword,
    WholeWord,
    /// The rule's expression can only match where this is found.
    Hint,
}

#[derive(Debug)]
struct Search {
    automaton: AhoCorasick,
    /// For each literal, the range of its uses.
    from: Vec<u32>,
    uses: Vec<(u32, Use)>,
}

/// Rules that read the same texts.
#[derive(Debug)]
pub struct TextRules {
    lower: bool,
    patterns: Vec<Option<Pattern>>,
    /// Keywords, and hints where these have the same case.
    main: Option<Search>,
    /// Hints of expressions that ignore case.
    folded: Option<Search>,
    /// Expressions without a hint.
    always: Vec<u32>,
}

impl TextRules {
    /// Prepares `rules`; texts are looked at in small letters with `lower`, and so are keywords.
    pub fn new(rules: &[TextRule], lower: bool) -> Result<Self, TextRulesError> {
        let ignores = |rule: &TextRule| match rule {
            TextRule::Pattern(pattern) => pattern.ignores_case() || pattern.as_str().contains("(?i"),
            TextRule::Keywords(_) => false,
        };
        let fold = lower || rules.iter().any(ignores);
        let apart = fold && !lower;
        let mut main: Vec<(Vec<u8>, u32, Use)> = Vec::new();
        let mut folded = Vec::new();
        let mut always = Vec::new();
        let mut patterns = vec![None; rules.len()];
        for (number, rule) in rules.iter().enumerate() {
            let number = number as u32;
            match rule {
                TextRule::Keywords(Keyword { keywords, words }) => {
                    let purpose = if *words { Use::WholeWord } else { Use::Keyword };
                    main.extend(
                        keywords.iter().map(|keyword| {
                            (lowered(keyword, lower).into_owned().into_bytes(), number, purpose)
                        }),
                    );
                }
                TextRule::Pattern(pattern) => {
                    patterns[number as usize] = Some(pattern.clone());
                    let hints = if pattern.is_linear() {
                        required(pattern.as_str(), pattern.ignores_case(), fold)
                    } else {
                        None
                    };
                    match hints {
                        Some(literals) => {
                            let to = if apart { &mut folded } else { &mut main };
                            to.extend(literals.into_iter().map(|literal| (literal, number, Use::Hint)));
                        }
                        None => always.push(number),
                    }
                }
            }
        }
        let (main, folded) = (Search::new(main, false)?, Search::new(folded, true)?);
        Ok(Self { lower, patterns, main, folded, always })
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Writes the result of each rule on `text` to `found`, a [`Found`] as a byte per rule.
    pub fn look(&self, text: &str, found: &mut [u8]) {
        let text = &lowered(text, self.lower);
        found.fill(UNSEEN);
        for search in self.main.iter().chain(&self.folded) {
            for hit in search.automaton.find_overlapping_iter(text.as_bytes()) {
                let literal = hit.pattern().as_usize();
                let uses = search.from[literal] as usize..search.from[literal + 1] as usize;
                for &(rule, purpose) in &search.uses[uses] {
                    let rule = rule as usize;
                    if found[rule] != UNSEEN {
                        continue;
                    }
                    match purpose {
                        Use::Keyword => found[rule] = Found::Yes as u8,
                        Use::WholeWord if is_word(text, hit.start(), hit.end()) => {
                            found[rule] = Found::Yes as u8;
                        }
                        Use::WholeWord => {}
                        Use::Hint => found[rule] = self.try_pattern(rule, text),
                    }
                }
            }
        }
        for &rule in &self.always {
            found[rule as usize] = self.try_pattern(rule as usize, text);
        }
        found.iter_mut().filter(|found| **found == UNSEEN).for_each(|found| *found = Found::No as u8);
    }

    fn try_pattern(&self, rule: usize, text: &str) -> u8 {
        let found = self.patterns[rule].as_ref().map_or(Ok(false), |pattern| pattern.is_in(text));
        match found {
            Ok(found) => u8::from(found),
            Err(_) => Found::GivenUp as u8,
        }
    }
}

/// No rule has been looked at.
const UNSEEN: u8 = u8::MAX;

impl Search {
    fn new(
        mut literals: Vec<(Vec<u8>, u32, Use)>,
        ignore_case: bool,
    ) -> Result<Option<Self>, TextRulesError> {
        if literals.is_empty() {
            return Ok(None);
        }
        // Equal literals of several rules, or of one rule, are searched for once.
        literals.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(&b.1)));
        literals.dedup_by(|a, b| a.0 == b.0 && a.1 == b.1);
        let spacer = spacer(literals.iter().map(|(literal, ..)| literal.as_slice()));
        let mut distinct: Vec<&[u8]> = spacer.iter().map(Vec::as_slice).collect();
        let mut from = vec![0; distinct.len()];
        for (i, (literal, ..)) in literals.iter().enumerate() {
            if distinct.last() != Some(&literal.as_slice()) {
                distinct.push(literal);
                from.push(i as u32);
            }
        }
        from.push(literals.len() as u32);
        let bytes: usize = distinct.iter().map(|literal| literal.len()).sum();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(ignore_case)
            .kind((bytes <= SMALL).then_some(AhoCorasickKind::DFA))
            .build(&distinct)
            .map_err(|error| TextRulesError::new(&error))?;
        let uses = literals.iter().map(|&(_, rule, purpose)| (rule, purpose)).collect();
        Ok(Some(Self { automaton, from, uses }))
    }
}

/// Whether the part between two bytes of `text` is not part of a longer word.
pub(super) fn is_word(text: &str, start: usize, end: usize) -> bool {
    let part_of_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !part_of_word(text[..start].chars().next_back()) && !part_of_word(text[end..].chars().next())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by one rule after the other, without the shared search.
    fn naive(rules: &[TextRule], lower: bool, text: &str) -> Vec<u8> {
        let text = if lower { text.to_lowercase() } else { text.to_string() };
        let one = |rule: &TextRule| match rule {
            TextRule::Keywords(Keyword { keywords, words }) => keywords.iter().any(|keyword| {
                let keyword = if lower { keyword.to_lowercase() } else { keyword.clone() };
                if *words {
                    let escaped = regex::escape(&keyword);
                    let bounded = format!(
                        r"(?:^|[^\p{{Alphabetic}}\p{{N}}_]){escaped}(?:$|[^\p{{Alphabetic}}\p{{N}}_])"
                    );
                    regex::Regex::new(&bounded).unwrap().is_match(&text)
                } else {
                    text.contains(&keyword)
                }
            }),
            TextRule::Pattern(pattern) => pattern.is_in(&text).unwrap(),
        };
        rules.iter().map(|rule| u8::from(one(rule))).collect()
    }

    fn rules() -> Vec<TextRule> {
        let keywords = |list: &[&str], words| {
            TextRule::Keywords(Keyword { keywords: list.iter().map(ToString::to_string).collect(), words })
        };
        let pattern = |text: &str, ignore_case| TextRule::Pattern(Pattern::new(text, ignore_case).unwrap());
        vec![
            keywords(&["ab", "ba", "Cab"], false),
            keywords(&["ab", "a b", "ä"], true),
            keywords(&["ab"], false),
            pattern("a+b[ac]", false),
            pattern("CAB|bc", true),
            pattern(r"(^| )b\w*a( |$)", false),
            pattern("(?i)k ?a|ss", false),
            pattern("^.?$", false),
            pattern("b(?!a)", false),
        ]
    }

    proptest! {
        #[test]
        fn the_shared_search_finds_the_same(text in "[abcABCkKs ä_\u{212a}\u{17f}]{0,12}", lower: bool) {
            let rules = rules();
            let mut found = vec![0; rules.len()];
            TextRules::new(&rules, lower).unwrap().look(&text, &mut found);
            prop_assert_eq!(found, naive(&rules, lower, &text));
        }
    }

    #[test]
    fn many_keywords_are_one_search() {
        let keywords: Vec<String> = (0..200_000).map(|i| format!("word{i}x")).collect();
        let rules = [TextRule::Keywords(Keyword { keywords, words: true })];
        let search = TextRules::new(&rules, false).unwrap();
        let mut found = [0];
        search.look("is word199999x here?", &mut found);
        assert_eq!(found, [1]);
        search.look("is word199999xy here?", &mut found);
        assert_eq!(found, [0]);
    }

    /// Nearly every beginning of a keyword is a keyword; prepared in the plain way, this would take a minute.
    #[test]
    fn consecutive_numbers_are_prepared_quickly() {
        let keywords: Vec<String> = (0..400_000).map(|i| format!("word{i}")).collect();
        let rules = [
            TextRule::Keywords(Keyword { keywords, words: true }),
            TextRule::Keywords(Keyword { keywords: vec!["word3000000".into()], words: false }),
        ];
        let search = TextRules::new(&rules, false).unwrap();
        let mut found = [0; 2];
        search.look("word399999", &mut found);
        assert_eq!(found, [1, 0]);
        search.look("word400000 and word3000000x", &mut found);
        assert_eq!(found, [0, 1]);
    }
}
