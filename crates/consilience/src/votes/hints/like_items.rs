//! Sources that are named like items: `Image 1`, `Image 2`. The table of a survey has one row per person.

use super::agreement::PairAgreement;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;
use crate::votes::survey::words;

/// What people are asked about. Reviews, samples and prompts are numbered too, but may well be sources.
const THINGS: [&str; 40] = [
    "item",
    "image",
    "photo",
    "picture",
    "message",
    "question",
    "q",
    "tweet",
    "document",
    "doc",
    "sentence",
    "text",
    "post",
    "comment",
    "passage",
    "utterance",
    "case",
    "article",
    "example",
    "statement",
    "video",
    "clip",
    "email",
    "task",
    "mail",
    "pair",
    "img",
    "song",
    "track",
    "sound",
    "scene",
    "trial",
    "stimulus",
    "stim",
    "slide",
    "scan",
    "face",
    "product",
    "movie",
    "book",
];

/// Standard errors beyond chance from which sources agree as voters do.
const AGREE: f64 = 4.0;

/// A note if at least three sources, and most of all, are named like that, and do not agree with each other.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    const LEAST: usize = 3;
    let is_like_item = |name: &&String| {
        let words = words(name);
        words.iter().any(|word| THINGS.contains(&word.as_str()))
            && words.iter().any(|word| word.chars().all(|c| c.is_ascii_digit()))
    };
    let names = votes.sources().names();
    let found: Vec<String> = names.iter().filter(is_like_item).cloned().collect();
    if found.len() < LEAST || 3 * found.len() < 2 * names.len() {
        return None;
    }
    let (_, z) = PairAgreement::new(votes)?.beyond_chance(|_, _| true);
    (z < AGREE).then_some(ReadingNote::LikeItems { sources: found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_one_row_per_person_is_told() {
        let names = ["Image 1", "Image 2", "Image 3", "Image 4"];
        // Everybody says much the same of an image; nobody says the same of all.
        let asked: Vec<[&str; 4]> = (0..60)
            .map(|i: usize| {
                let vote = |image: usize| {
                    let noise = ((i * 7_919 + image * 104_729) / 8).is_multiple_of(6);
                    if noise ^ image.is_multiple_of(2) { "cat" } else { "dog" }
                };
                [vote(0), vote(1), vote(2), vote(3)]
            })
            .collect();
        let note = ReadingNote::LikeItems { sources: names.map(str::to_string).to_vec() };
        assert_eq!(hint(&Votes::from_text(&names, asked.clone()).unwrap()), Some(note));
        assert_eq!(hint(&Votes::from_text(&["a", "b", "c", "d"], asked).unwrap()), None);
        let voters = (0..60).map(|i| [["cat", "dog"][i % 2]; 4]);
        assert_eq!(hint(&Votes::from_text(&names, voters).unwrap()), None);
    }
}
