//! Sources that are named after other sources, each with the same words added: `gpt_flag` beside `gpt`, `claude_flag` beside
//! `claude`. They may say something about the votes of these.

use hashbrown::HashMap;

use crate::votes::notes::ReadingNote;
use crate::votes::survey::words;

/// With more sources, names repeat whatever they mean.
const MOST_SOURCES: usize = 200;

/// A note on such sources, if at least two are named so.
pub(super) fn hint(names: &[String]) -> Option<ReadingNote> {
    if names.len() > MOST_SOURCES {
        return None;
    }
    let words: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    let source_of: HashMap<&[String], usize> =
        words.iter().enumerate().map(|(source, words)| (words.as_slice(), source)).collect();
    // What is added, before (true) or behind the name of another source, and to which.
    let mut added: HashMap<(bool, &[String]), Vec<_>> = HashMap::new();
    for (source, words) in words.iter().enumerate() {
        for cut in 1..words.len() {
            for (is_before, more, base) in
                [(true, &words[..cut], &words[cut..]), (false, &words[cut..], &words[..cut])]
            {
                // `judge_2` and `judge_b` are other judges, but `p_judge` is a probability.
                let letters = if is_before { 1 } else { 2 };
                let says =
                    more.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= letters);
                if let Some(&base) = source_of.get(base).filter(|_| says) {
                    added.entry((is_before, more)).or_default().push((source, base));
                }
            }
        }
    }
    let mut found: Vec<(usize, usize)> = added.into_values().filter(|of| of.len() > 1).flatten().collect();
    found.sort_unstable();
    found.dedup_by_key(|(source, _)| *source);
    let &(_, of) = found.first()?;
    let sources = found.iter().map(|(source, _)| names[*source].clone()).collect();
    Some(ReadingNote::Beside { sources, of: names[of].clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_beside_several_sources_are_found() {
        let of = |names: &[&str]| hint(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        let note = |sources: &[&str], of: &str| {
            let sources = sources.iter().map(ToString::to_string).collect();
            Some(ReadingNote::Beside { sources, of: of.to_string() })
        };
        assert_eq!(of(&["gpt", "gpt_flag", "opus", "opusFlag"]), note(&["gpt_flag", "opusFlag"], "gpt"));
        assert_eq!(of(&["ann", "bob", "sure_bob", "sure_ann"]), note(&["sure_bob", "sure_ann"], "bob"));
        for names in [
            &["gpt", "gpt_2", "opus", "opus_2"][..],
            &["gpt", "gpt_mini", "opus", "opus_fast"],
            &["judge", "judge_a", "judge_b"],
        ] {
            assert_eq!(of(names), None, "{names:?}");
        }
    }
}
