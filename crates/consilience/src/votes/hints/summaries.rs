//! Sources whose names say that they sum up the others, or that they are what the others are measured by.

use hashbrown::{HashMap, HashSet};

use super::named_apart::names_a_function;
use super::properties::describes;
use crate::votes::notes::ReadingNote;
use crate::votes::survey::{is_vote_word, is_voter, words};

/// Words of such names.
const WORDS: [&str; 63] = [
    "majority",
    "maj",
    "majvote",
    "mv",
    "final",
    "mode",
    "modal",
    "median",
    "mean",
    "average",
    "avg",
    "total",
    "sum",
    "oracle",
    "human",
    "expert",
    "curated",
    "overall",
    "combined",
    "ensemble",
    "committee",
    "crowd",
    "team",
    "agreed",
    "official",
    "manual",
    "winner",
    "preferred",
    "senior",
    "lead",
    "qa",
    "referee",
    "master",
    "original",
    "orig",
    "benchmark",
    "standard",
    "gs",
    "ideal",
    "desired",
    "reference",
    "posterior",
    "key",
    "jury",
    "arbiter",
    "chief",
    "head",
    "std",
    "review",
    "autopsy",
    "necropsy",
    "discussion",
    "discussed",
    "adj",
    "any",
    "either",
    "both",
    "max",
    "min",
    "maximum",
    "minimum",
    "range",
    "all",
];

/// Beginnings of words that say so, whatever their endings: adjudicated, adjudication, adjudicator.
const BEGINNINGS: [&str; 59] = [
    "adjudicat",
    "aggregat",
    "arbitrat",
    "audit",
    "confirm",
    "consens",
    "correct",
    "decid",
    "moderated",
    "moderator",
    "observ",
    "reconcil",
    "resolv",
    "supervis",
    "tiebreak",
    "validat",
    "verif",
    // In other languages.
    "konsens",
    "mehrheit",
    "endgültig",
    "mayoría",
    "majorit",
    "maggioranza",
    "définiti",
    "definiti",
    "wahrheit",
    "verdad",
    "vérit",
    "référen",
    "referen",
    "resol",
    "endurteil",
    "musterlös",
    "lösung",
    "loesung",
    "soluci",
    "soluzion",
    "verité",
    "sollwert",
    "riferiment",
    "gabarito",
    "bonnerép",
    "bonnerep",
    "facit",
    "oikea",
    "prawda",
    "poprawn",
    "doğru",
    "ctruth",
    "эталон",
    "正解",
    "标准答案",
    "正确",
    "정답",
    "rätt",
    "corret",
    "juste",
    "richtig",
    "korrekt",
];

/// What is voted on, which names the result; other sources are called by who votes.
const SUBJECTS: [&str; 47] = [
    "outcome",
    "result",
    "chosen",
    "preference",
    "predicted",
    "pred",
    "yhat",
    "ypred",
    "labresult",
    "diagnosis",
    "pathology",
    "biopsy",
    "histology",
    "disease",
    "sentiment",
    "polarity",
    "emotion",
    "stance",
    "intent",
    "topic",
    "toxicity",
    "toxic",
    "relevance",
    "relevant",
    "spam",
    "fraud",
    "offensive",
    "hate",
    "hateful",
    "sarcasm",
    "veracity",
    "ruling",
    "quality",
    "status",
    "species",
    "relation",
    "entity",
    "type",
    "kind",
    "recommendation",
    "action",
    "assessment",
    "finding",
    "conclusion",
    "labelled",
    "labeled",
    "annotated",
];

/// Methods that sum up votes.
const METHODS: [&str; 7] = ["dawid", "skene", "dawidskene", "mace", "glad", "snorkel", "labelmodel"];

/// Votes are summed up in a few columns; where more are named so, the words tell sources apart (prompts with a reference, say).
const MOST: usize = 3;

/// A note on such sources, if there are other sources. Rules are often called by what they look for, but vote for one class only:
/// `is_rule` tells them by their place.
pub(super) fn hint(sources: &[String], is_rule: impl Fn(usize) -> bool) -> Option<ReadingNote> {
    let all: Vec<Vec<String>> = sources.iter().map(|name| words(name)).collect();
    let shared = shared(&all);
    let is_summary = |name: &str, words: &[String]| {
        // Beside `gpt_label` and `opus_label`, `majority_label` is called majority.
        let own: Vec<String> = words.iter().filter(|word| !shared.contains(*word)).cloned().collect();
        let words = if own.is_empty() { words } else { own.as_slice() };
        let says = |word: &str| {
            [&WORDS[..], &METHODS].iter().any(|list| list.contains(&word))
                || BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
        };
        // `sentiment`, `predictedClass` and `y_hat` name nobody; `gpt_sentiment` says who votes.
        let is_in = |word: &str| SUBJECTS.contains(&word);
        let is_subject = !words.is_empty()
            && (is_in(&words.concat()) || words.iter().all(|word| is_in(word) || is_vote_word(word)));
        // `model_label` and `worker_answer` say who votes.
        let is_vote = !words.iter().any(|word| is_voter(word)) && words.iter().any(|word| is_vote_word(word));
        !describes(name)
            && !names_a_function(name)
            // `openai_moderation` is a tool, `moderation` what somebody decided.
            && (says(&words.concat())
                || words.concat() == "moderation"
                || words.iter().any(|word| says(word))
                || is_subject
                || is_phrase(words)
                || is_vote)
    };
    let is_doubtful = |(place, name): &(usize, &String)| !is_rule(*place) && is_summary(name, &all[*place]);
    let summaries: Vec<String> =
        sources.iter().enumerate().filter(is_doubtful).map(|(_, name)| name.clone()).collect();
    let others = sources.len() - summaries.len();
    let are_few = summaries.len() < others || (others >= MOST && summaries.len() == others);
    (!summaries.is_empty() && summaries.len() <= MOST && others >= 2 && are_few)
        .then_some(ReadingNote::MaySumUp { sources: summaries })
}

/// The words that more than half of the names have, which tell nobody apart.
fn shared(names: &[Vec<String>]) -> HashSet<String> {
    let mut count: HashMap<&String, usize> = HashMap::new();
    for words in names {
        let different: HashSet<&String> = words.iter().collect();
        different.into_iter().for_each(|word| *count.entry(word).or_insert(0) += 1);
    }
    let is_shared = |&(_, count): &(&String, usize)| 2 * count > names.len() && count > 1;
    count.into_iter().filter(is_shared).map(|(word, _)| word.clone()).collect()
}

/// Whether two words that stand side by side say so.
fn is_phrase(words: &[String]) -> bool {
    const PHRASES: [[&str; 2]; 8] = [
        ["tie", "break"],
        ["tie", "breaker"],
        ["model", "answer"],
        ["real", "label"],
        ["label", "real"],
        ["etiqueta", "real"],
        ["clase", "real"],
        ["classe", "real"],
    ];
    words.windows(2).any(|pair| PHRASES.iter().any(|phrase| phrase[0] == pair[0] && phrase[1] == pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_summaries_are_told_where_they_are_few() {
        let of = |names: &[&str]| hint(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), |_| false);
        let note = |name: &str| Some(ReadingNote::MaySumUp { sources: vec![name.to_string()] });
        assert_eq!(of(&["a", "b", "c", "majority"]), note("majority"));
        assert_eq!(of(&["r1", "r2", "Final label"]), note("Final label"));
        assert_eq!(of(&["r1", "human_label", "r3"]), note("human_label"));
        assert_eq!(of(&["human_1", "human_2", "gpt"]), None);
        assert_eq!(of(&["finalist", "b", "c"]), None);
        for name in [
            "finalLabel",
            "MajorityVote",
            "adjudicator",
            "tie_breaker",
            "crowd_label",
            "predictedClass",
            "diagnosis",
            "dawid_skene",
            "y_hat",
            "y_pred",
            "lab_result",
            "moderation",
            "Lösung",
            "etiqueta_real",
        ] {
            assert_eq!(of(&["vader", "flair", name, "textblob"]), note(name));
        }
        assert_eq!(of(&["ann", "model_label", "bob"]), None);
        assert_eq!(of(&["perspective", "detoxify", "openai_moderation"]), None);
        let prompts = ["a_reference", "b_reference", "c_reference", "d_reference", "a", "b", "c", "d", "e"];
        assert_eq!(of(&prompts), None);
        assert_eq!(of(&["gpt_sentiment", "opus", "qwen"]), None);
        let names = ["ann", "bob", "spam"].map(str::to_string);
        assert_eq!((hint(&names, |place| place == 2), hint(&names, |_| false)), (None, note("spam")));
        assert_eq!(of(&["a_label", "b_label", "c_label", "d"]), None);
        assert_eq!(of(&["gpt_label", "opus_label", "qwen_label", "majority_label"]), note("majority_label"));
        assert_eq!(of(&["label_1", "label_2", "label_final"]), note("label_final"));
        assert_eq!(of(&["A Vote", "B Vote", "Consensus"]), note("Consensus"));
        assert_eq!(of(&["gpt_final", "opus_final", "qwen_final"]), None);
    }
}
