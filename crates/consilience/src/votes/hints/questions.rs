//! Sources that answer several questions: `R1 severity`, `R1 confidence`, `R2 severity`, `R2 confidence`.

use std::collections::{BTreeMap, BTreeSet};

use super::agreement::PairAgreement;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;
use crate::votes::survey::words;

/// More than that are rather versions of a prompt than questions.
const MOST_QUESTIONS: usize = 4;

/// Standard errors above which voters agree on a question for sure.
const SURE: f64 = 4.0;

/// Votes on two questions agree less than this share of what votes on one do. Prompts of several models agree nearly as well.
const SHARE: f64 = 0.35;

/// A note if the names combine each voter with each question, and the votes on different questions have little to do with each
/// other.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let names: Vec<Vec<String>> = votes.sources().names().iter().map(|name| words(name)).collect();
    let splits = [1, 2].into_iter().flat_map(|words| [(words, false), (words, true)]);
    let splits = splits.flat_map(|(words, from_front)| [false, true].map(|first| (words, from_front, first)));
    let mut grids = splits.filter_map(|split| Grid::new(&names, split)).peekable();
    grids.peek()?;
    let agreement = PairAgreement::new(votes)?;
    let grid = grids.find(|grid| {
        let is_other_voter = |j: usize, l: usize| grid.voter[j] != grid.voter[l];
        let (within, z) =
            agreement.beyond_chance(|j, l| is_other_voter(j, l) && grid.question[j] == grid.question[l]);
        let (across, _) =
            agreement.beyond_chance(|j, l| is_other_voter(j, l) && grid.question[j] != grid.question[l]);
        z > SURE && across < SHARE * within
    })?;
    let others = (0..names.len()).filter(|&source| grid.question[source] != grid.question[0]);
    let sources = others.map(|source| votes.sources().name(source).to_string()).collect();
    Some(ReadingNote::SeveralQuestions { questions: grid.questions, sources })
}

/// Every voter with every question.
struct Grid {
    questions: Vec<String>,
    /// For each source, the number of its question and of its voter.
    question: Vec<usize>,
    voter: Vec<usize>,
}

impl Grid {
    /// If all names are questions and voters where they are cut so many words from the front, or else from the back, questions
    /// `first` or else voters.
    fn new(names: &[Vec<String>], (count, from_front, first): (usize, bool, bool)) -> Option<Self> {
        let split = |name: &Vec<String>| {
            let cut = if from_front { count } else { name.len().checked_sub(count)? };
            let (a, b) = name.split_at_checked(cut)?;
            let (question, voter) = if first { (a, b) } else { (b, a) };
            let is_word = question.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1);
            (is_word && !voter.is_empty()).then(|| (question.join(" "), voter.join(" ")))
        };
        let parts: Vec<(String, String)> = names.iter().map(split).collect::<Option<_>>()?;
        let mut voters_of: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (question, voter) in &parts {
            voters_of.entry(question).or_default().insert(voter);
        }
        let voters = voters_of.values().next()?.clone();
        let is_whole = (2..=MOST_QUESTIONS).contains(&voters_of.len())
            && voters.len() >= 2
            && voters_of.values().all(|others| *others == voters)
            && voters.len() * voters_of.len() == names.len();
        let place = |all: &[&str], wanted: &str| all.iter().position(|name| *name == wanted).unwrap_or(0);
        let (all_questions, voters): (Vec<&str>, Vec<&str>) =
            (voters_of.keys().copied().collect(), voters.into_iter().collect());
        is_whole.then(|| Self {
            question: parts.iter().map(|(question, _)| place(&all_questions, question)).collect(),
            voter: parts.iter().map(|(_, voter)| place(&voters, voter)).collect(),
            questions: all_questions.iter().map(ToString::to_string).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three voters, two questions each; `second` tells what the second one is about.
    fn table(names: [&str; 6], second: impl Fn(usize) -> usize) -> Votes {
        let rows: Vec<[&str; 6]> = (0..240)
            .map(|i| {
                let noise = |salt: usize| ((i * 7_919 + salt * 104_729) / 8).is_multiple_of(5);
                let vote = |truth: usize, salt: usize| ["low", "high"][truth ^ usize::from(noise(salt))];
                [0, 1, 2, 3, 4, 5].map(|at| vote(if at % 2 == 0 { i % 2 } else { second(i) }, at))
            })
            .collect();
        Votes::from_text(&names, rows).unwrap()
    }

    #[test]
    fn questions_that_have_nothing_to_do_with_each_other_are_told() {
        let names =
            ["R1 severity", "R1 confidence", "R2 severity", "R2 confidence", "R3 severity", "R3 confidence"];
        let note = ReadingNote::SeveralQuestions {
            questions: vec!["confidence".to_string(), "severity".to_string()],
            sources: ["R1 confidence", "R2 confidence", "R3 confidence"].map(str::to_string).to_vec(),
        };
        assert_eq!(hint(&table(names, |i| i / 2 % 2)), Some(note));
        let names =
            ["a.grade", "a.image_quality", "b.grade", "b.image_quality", "c.grade", "c.image_quality"];
        assert!(hint(&table(names, |i| i / 2 % 2)).is_some());
        // Two prompts of three models ask the same.
        let names = ["gpt_plain", "gpt_cot", "opus_plain", "opus_cot", "qwen_plain", "qwen_cot"];
        assert_eq!(hint(&table(names, |i| i % 2)), None);
        assert_eq!(hint(&table(["a", "b", "c", "d", "e", "f"], |i| i / 2 % 2)), None);
    }
}
