//! Sources that are not named like the others: beside `ann1`, `ann2` and `ann3`, `diagnosis` may be what they are measured by.

use hashbrown::HashMap;

use crate::votes::Votes;
use crate::votes::notes::ReadingNote;
use crate::votes::survey::{is_vote_word, words};

/// So many sources with a word in common are a panel.
const LEAST_ALIKE: usize = 3;

/// A name with fewer letters is a letter or a number like those of the others.
const LEAST_LETTERS: usize = 2;

/// Whether each source has a name that shares neither its first nor its last word with another: whoever votes side by side is
/// mostly named alike, and what describes the items is not.
pub(super) fn stand_alone(names: &[String]) -> Vec<bool> {
    // Columns that a program has numbered stand side by side.
    let is_number = |name: &String| name.trim().parse::<u64>().is_ok();
    let mut alone: Vec<bool> = names.iter().map(|name| !is_number(name)).collect();
    for ((is_first, word), sources) in with_word(names).into_iter().filter(|(_, sources)| sources.len() > 1) {
        // Where most are called `..._label`, that tells nobody apart.
        let is_usual = 2 * sources.len() > names.len() && is_vote_word(&word);
        for source in sources {
            let words = words(&names[source]);
            let own = if is_first { &words[1..] } else { &words[..words.len() - 1] };
            let is_name =
                own.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > LEAST_LETTERS);
            alone[source] &= is_usual && is_name;
        }
    }
    alone
}

/// Whether the name is that of a labeling function, which is called by what it looks at: `lf_all_caps`.
pub(super) fn names_a_function(name: &str) -> bool {
    const FUNCTIONS: [&str; 4] = ["lf", "rule", "heuristic", "regex"];
    matches!(words(name).as_slice(), [first, _, ..] if FUNCTIONS.contains(&first.as_str()))
}

/// For each source, the others whose names share their first or last word with it.
pub(super) fn named_alike(names: &[String]) -> Vec<Vec<usize>> {
    let mut alike = vec![Vec::new(); names.len()];
    for sources in with_word(names).into_values() {
        for &source in &sources {
            alike[source].extend(sources.iter().filter(|other| **other != source));
        }
    }
    for others in &mut alike {
        others.sort_unstable();
        others.dedup();
    }
    alike
}

/// The sources whose names begin (true) or end with each word.
fn with_word(names: &[String]) -> HashMap<(bool, String), Vec<usize>> {
    let mut with_word: HashMap<(bool, String), Vec<usize>> = HashMap::new();
    for (source, name) in names.iter().enumerate() {
        let words = words(name);
        // A name of one word belongs to itself only.
        if let [first, .., last] = words.as_slice() {
            for (is_first, word) in [(true, first), (false, last)] {
                if word.chars().any(char::is_alphabetic) && is_whole(name, word, is_first) {
                    with_word.entry((is_first, word.clone())).or_default().push(source);
                }
            }
        }
    }
    with_word
}

/// Whether the first or last word of a name is one, and not a letter of a code such as `A2X7QK`: then only a number follows (`A1`,
/// `A2`), or a sign stands between.
fn is_whole(name: &str, word: &str, is_first: bool) -> bool {
    let name = name.trim();
    let mut letters = name.chars();
    let (end, next) =
        if is_first { (letters.next(), letters.next()) } else { (letters.next_back(), letters.next_back()) };
    let is_end = end.is_some_and(char::is_alphanumeric);
    let is_glued = is_end && next.is_some_and(char::is_alphanumeric);
    let is_numbered = is_first && name.chars().skip(1).all(|c| c.is_ascii_digit());
    word.chars().count() > 1 || !is_glued || is_numbered
}

/// A note on sources apart from a panel; those in `told` have one already.
pub(super) fn hint(votes: &Votes, told: &[String]) -> Option<ReadingNote> {
    by_first_word(votes, told).or_else(|| by_capital(votes, told))
}

/// Beside at least three people, who are written with a capital, a word without one names something else.
fn by_capital(votes: &Votes, told: &[String]) -> Option<ReadingNote> {
    let names = votes.sources().names();
    let is_person =
        |name: &&String| name.starts_with(char::is_uppercase) && name.chars().any(char::is_lowercase);
    let is_thing = |source: &usize| {
        names[*source].starts_with(char::is_lowercase)
            && names[*source].chars().filter(|c| c.is_alphabetic()).count() > LEAST_LETTERS
            && votes.domains()[*source].classes().len() > 1
    };
    let (people, things): (Vec<&String>, Vec<usize>) =
        (names.iter().filter(is_person).collect(), (0..names.len()).filter(is_thing).collect());
    let sources: Vec<String> =
        things.iter().map(|&source| names[source].clone()).filter(|name| !told.contains(name)).collect();
    let is_few = people.len() >= LEAST_ALIKE && 2 * things.len() < people.len() && !sources.is_empty();
    is_few.then(|| ReadingNote::NamedApart { sources, like: people[0].clone() })
}

fn by_first_word(votes: &Votes, told: &[String]) -> Option<ReadingNote> {
    let names = votes.sources().names();
    let (_, panel) = with_word(names)
        .into_iter()
        .max_by(|(a, of_a), (b, of_b)| of_a.len().cmp(&of_b.len()).then_with(|| b.cmp(a)))?;
    // Rules for one class are called by what they look for, and A1 and A2 are named like B.
    let is_word = |name: &str| name.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_LETTERS;
    let apart: Vec<String> = (0..names.len())
        .filter(|source| !panel.contains(source) && votes.domains()[*source].classes().len() > 1)
        .filter(|source| is_word(&names[*source]))
        .map(|source| names[source].clone())
        .collect();
    let is_few = !apart.is_empty() && names.len() - panel.len() < panel.len();
    let sources: Vec<String> = apart.into_iter().filter(|name| !told.contains(name)).collect();
    let all_vote_alike = panel.iter().all(|&source| votes.domains()[source].classes().len() > 1);
    (panel.len() >= LEAST_ALIKE && is_few && all_vote_alike && !sources.is_empty())
        .then(|| ReadingNote::NamedApart { sources, like: names[panel[0]].clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Option<ReadingNote> {
        let rows = (0..6).map(|i| (0..names.len()).map(|j| ["x", "y"][(i + j) % 2]).collect::<Vec<_>>());
        hint(&Votes::from_text(names, rows).unwrap(), &[])
    }

    #[test]
    fn numbers_and_names_with_a_word_in_common_do_not_stand_alone() {
        let alone = |names: &[&str]| stand_alone(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(alone(&["0", "1", "w1", "w2", "flag"]), [false, false, false, false, true]);
    }

    #[test]
    fn a_name_beside_a_panel_is_found() {
        let apart = |name: &str, like: &str| {
            Some(ReadingNote::NamedApart { sources: vec![name.to_string()], like: like.to_string() })
        };
        assert_eq!(of(&["ann1", "ann2", "ann3", "diagnosis"]), apart("diagnosis", "ann1"));
        assert_eq!(of(&["a_vote", "b_vote", "c_vote", "doctor"]), apart("doctor", "a_vote"));
        assert_eq!(of(&["gpt-4", "claude", "llama-3", "human"]), None);
        assert_eq!(of(&["lf_1", "lf_2", "x", "y"]), None);
        assert_eq!(of(&["a", "b", "c", "d"]), None);
        assert_eq!(of(&["A3F8PST", "A2KQ9XB", "A9ZZ1MM", "AIXMBWA"]), None);
        assert_eq!(of(&["A1", "A2", "A3", "B"]), None);
        assert_eq!(of(&["A1", "A2", "A3", "better"]), apart("better", "A1"));
        assert_eq!(of(&["w1", "w2", "w3", "manual"]), apart("manual", "w1"));
        assert_eq!(of(&["Priya", "urgency", "Tomas", "Yuki"]), apart("urgency", "Priya"));
        assert_eq!(of(&["Mark", "mary", "Jo"]), None);
        assert_eq!(of(&["GPT", "LLAMA", "QWEN", "claude"]), None);
    }
}
