//! One set of keywords over a whole column of texts stored one after the other.

use aho_corasick::{AhoCorasick, Input, MatchKind};

use super::lowered;
use super::spacer::spacer;
use super::texts::{TextRulesError, is_word};

/// Finds the texts that have one of some keywords.
#[derive(Clone, Debug)]
pub struct KeywordFinder {
    automaton: AhoCorasick,
    lower: bool,
    words: bool,
}

impl KeywordFinder {
    /// Looks for `keywords`; in the lower-cased text with `lower`, as whole words with `words`.
    pub fn new<S: AsRef<str>>(keywords: &[S], lower: bool, words: bool) -> Result<Self, TextRulesError> {
        let keywords: Vec<_> = keywords.iter().map(|keyword| lowered(keyword.as_ref(), lower)).collect();
        let spacer = spacer(keywords.iter().map(|keyword| keyword.as_bytes()));
        // The fast searches are for leftmost matches only.
        let automaton = AhoCorasick::builder()
            .match_kind(if words { MatchKind::Standard } else { MatchKind::LeftmostFirst })
            .build(spacer.iter().map(Vec::as_slice).chain(keywords.iter().map(|keyword| keyword.as_bytes())))
            .map_err(|error| TextRulesError::new(&error))?;
        Ok(Self { automaton, lower, words })
    }

    /// Whether texts are looked at in small letters.
    pub fn lower(&self) -> bool {
        self.lower
    }

    /// Whether only whole words count.
    pub fn words(&self) -> bool {
        self.words
    }

    /// Whether `text` has a keyword.
    pub fn is_in(&self, text: &str) -> bool {
        self.is_in_lowered(&lowered(text, self.lower))
    }

    /// The same for a text that is in small letters already where those are looked for.
    pub fn is_in_lowered(&self, text: &str) -> bool {
        if !self.words {
            return self.automaton.is_match(text);
        }
        self.automaton.find_overlapping_iter(text).any(|found| is_word(text, found.start(), found.end()))
    }

    /// Calls `hit` with the number of each text of `places` that has a keyword; the texts are parts of `all`, ascending, in small
    /// letters where those are looked for. For keywords that need not be whole words.
    ///
    /// One search over all of them: starting again for every short text would take longer than searching it.
    pub fn search(&self, all: &str, places: &[(usize, usize)], mut hit: impl FnMut(usize)) {
        let Some(&(mut from, _)) = places.first() else { return };
        let end = places[places.len() - 1].1;
        let mut at = 0;
        while let Some(found) = self.automaton.find(Input::new(all).span(from..end)) {
            while places[at].1 <= found.start() {
                at += 1;
            }
            let (start, end) = places[at];
            // What was found may begin before the text or go on behind it; then the text is searched by itself.
            if start <= found.start() && found.end() <= end || self.automaton.is_match(&all[start..end]) {
                hit(at);
            }
            from = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Keyword, TextRule, TextRules};
    use super::*;

    proptest! {
        /// The same keywords among the rules of an engine, one by one, and over all texts at once.
        #[test]
        fn all_ways_find_the_same(
            texts in prop::collection::vec("[abAB ä_]{0,6}", 1..6),
            keywords in prop::collection::vec("[abAä]{1,3}", 1..4),
            lower: bool,
            words: bool,
        ) {
            let finder = KeywordFinder::new(&keywords, lower, words).unwrap();
            let rules = TextRules::new(&[TextRule::Keywords(Keyword { keywords, words })], lower).unwrap();
            let mut all = String::new();
            let mut places = Vec::new();
            for text in &texts {
                let start = all.len();
                all.push_str(&lowered(text, lower));
                places.push((start, all.len()));
            }
            let mut hits = vec![false; texts.len()];
            finder.search(&all, &places, |at| hits[at] = true);
            for (text, hit) in texts.iter().zip(hits) {
                let mut found = [0];
                rules.look(text, &mut found);
                prop_assert_eq!(finder.is_in(text), found[0] == 1);
                prop_assert!(words || hit == finder.is_in(text));
            }
        }
    }
}
