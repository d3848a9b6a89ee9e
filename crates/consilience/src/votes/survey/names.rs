//! What the name of a column says about its use. Names are evidence only; what a column holds decides.

/// Names of items, lower case, without separators.
const ITEM: [&str; 28] = [
    "item",
    "hit",
    "q",
    "task",
    "question",
    "example",
    "document",
    "doc",
    "sentence",
    "instance",
    "unit",
    "sample",
    "record",
    "row",
    "image",
    "photo",
    "picture",
    "post",
    "tweet",
    "review",
    "query",
    "passage",
    "object",
    "case",
    "entry",
    "page",
    "pair",
    "utterance",
];
/// Names of what an item says, which name it where nothing shorter does.
const TEXT: [&str; 5] = ["text", "comment", "message", "prompt", "article"];
const SOURCE: [&str; 40] = [
    "source",
    "worker",
    "annotator",
    "judge",
    "rater",
    "coder",
    "labeler",
    "labeller",
    "reviewer",
    "evaluator",
    "grader",
    "assessor",
    "voter",
    "expert",
    "participant",
    "turker",
    "respondent",
    "user",
    "model",
    "agent",
    "llm",
    "lf",
    "labelingfunction",
    "resp",
    "anno",
    "crowdworker",
    "person",
    "contributor",
    "username",
    "reader",
    "radiologist",
    "pathologist",
    "listener",
    "viewer",
    "scorer",
    "observer",
    "examiner",
    "clinician",
    "physician",
    "who",
];
const VOTE: [&str; 20] = [
    "vote",
    "label",
    "answer",
    "rating",
    "response",
    "judgment",
    "judgement",
    "annotation",
    "verdict",
    "choice",
    "decision",
    "class",
    "category",
    "grade",
    "score",
    "code",
    "value",
    "opinion",
    "prediction",
    "tag",
];
/// Names of gold, the surest first.
const GOLD: [&str; 59] = [
    "gold",
    "groundtruth",
    "truth",
    "goldlabel",
    "goldlabels",
    "goldstandard",
    "goldanswer",
    "goldclass",
    "truelabel",
    "truelabels",
    "trueclass",
    "trueanswer",
    "truthlabel",
    "truevalue",
    "ytrue",
    "ytest",
    "labeltrue",
    "true",
    "solution",
    "answerkey",
    "reallabel",
    "realclass",
    "correctlabel",
    "correctanswer",
    "correctclass",
    "gt",
    "gtlabel",
    "target",
    "targets",
    "targetlabel",
    "targetclass",
    "label",
    "labels",
    "y",
    "answer",
    "answers",
    "reference",
    "ref",
    "referencelabel",
    "referenceanswer",
    "expected",
    "expectedlabel",
    "actual",
    "actuallabel",
    "actualclass",
    "correct",
    "class",
    "classlabel",
    "labelclass",
    "expectedanswer",
    "rightanswer",
    "solutionkey",
    "yreal",
    "yactual",
    "targetvar",
    "targetvariable",
    "targety",
    "dependentvariable",
    "responsevariable",
];
/// What makes the name of a vote one of gold: `expected_output`, `Label (official)`.
const GOLD_WORDS: [&str; 17] = [
    "gold",
    "golden",
    "true",
    "truth",
    "real",
    "correct",
    "actual",
    "expected",
    "reference",
    "ref",
    "official",
    "known",
    "oracle",
    "ideal",
    "desired",
    "intended",
    "target",
];
/// What is voted for, in such names.
const GOLD_NOUNS: [&str; 16] = [
    "label",
    "labels",
    "class",
    "answer",
    "answers",
    "value",
    "category",
    "output",
    "winner",
    "vote",
    "verdict",
    "rating",
    "response",
    "annotation",
    "preference",
    "y",
];
/// Parts of a longer name that make it one of gold.
const GOLD_PARTS: [&str; 4] = ["gold", "truth", "groundtruth", "gt"];

/// Endings that say identifier.
const ID: [&str; 5] = ["id", "uid", "uuid", "guid", "ids"];
/// Names of columns that often number or identify rows.
const KEY: [&str; 7] = ["index", "idx", "key", "pk", "rowid", "no", "nr"];

/// Names of sources that items never have.
const PEOPLE: [&str; 18] = [
    "worker",
    "annotator",
    "judge",
    "rater",
    "coder",
    "labeler",
    "labeller",
    "reviewer",
    "evaluator",
    "grader",
    "assessor",
    "voter",
    "turker",
    "respondent",
    "lf",
    "labelingfunction",
    "llm",
    "crowdworker",
];
/// What is said about a vote: a column of that name beside the votes is not another source.
const ABOUT_VOTES: [&str; 43] = [
    "confidence",
    "conf",
    "certainty",
    "prob",
    "proba",
    "probability",
    "logprob",
    "logit",
    "likelihood",
    "weight",
    "time",
    "timestamp",
    "date",
    "duration",
    "seconds",
    "secs",
    "sec",
    "ms",
    "latency",
    "cost",
    "tokens",
    "explanation",
    "reason",
    "reasoning",
    "rationale",
    "justification",
    "comment",
    "comments",
    "note",
    "notes",
    "raw",
    "certain",
    "sure",
    "correct",
    "match",
    "error",
    "errors",
    "skipped",
    "abstained",
    "difficulty",
    "strength",
    "score",
    "scores",
];
/// What follows such words and adds nothing: `time_s`, `cost_usd`.
const UNITS: [&str; 7] = ["s", "ms", "sec", "usd", "eur", "pct", "percent"];
/// What comes before such words and adds nothing: `n_tokens`, `is_correct`.
const LINKS: [&str; 6] = ["n", "num", "is", "was", "in", "of"];
/// The last of [`ABOUT_VOTES`], which are votes themselves where there is no other column for them.
const SCORES: [&str; 2] = ["score", "scores"];

/// Names that pandas gives to the index of a table when it saves it, and no name at all.
pub(super) fn is_saved_index(name: &str) -> bool {
    let name = name.trim();
    name.is_empty()
        || name.starts_with("Unnamed: 0")
        || name == "__index_level_0__"
        || name.eq_ignore_ascii_case("index")
}

/// The words of a name, lower case: `goldLabel_2` is gold, label and 2.
pub(in crate::votes) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.trim().chars() {
        let starts = c.is_alphanumeric()
            && (!before.is_alphanumeric()
                || (c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit()))
                || (c.is_ascii_digit() && before.is_alphabetic()));
        if starts {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words
}

fn joined(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether the name ends in a word for identifiers.
pub(super) fn is_id(name: &str) -> bool {
    words(name).last().is_some_and(|last| ID.contains(&last.as_str())) || ID.contains(&joined(name).as_str())
}

/// Whether the name is one that keys of rows often have.
pub(super) fn is_key(name: &str) -> bool {
    is_id(name) || KEY.contains(&joined(name).as_str())
}

/// The name without a last word for identifiers: `worker_id` is `worker`.
fn stem(name: &str) -> String {
    let mut words = words(name);
    while words.len() > 1
        && words.last().is_some_and(|last| {
            ID.contains(&last.as_str()) || ["name", "nr", "no", "index"].contains(&last.as_str())
        })
    {
        words.pop();
    }
    let stem = words.concat();
    // `exampleid`, `workerids`
    let bare = stem.strip_suffix("ids").or_else(|| stem.strip_suffix("id")).unwrap_or(&stem);
    let is_known = |list: &[&str]| rank(list, bare).is_some();
    if is_known(&ITEM) || is_known(&TEXT) || is_known(&SOURCE) { bare.to_string() } else { stem }
}

fn rank(list: &[&str], stem: &str) -> Option<usize> {
    let singular = stem.strip_suffix('s').unwrap_or(stem);
    list.iter().position(|name| *name == stem || *name == singular)
}

/// Whether the name is that of items, and not of users, groups or anything else that has identifiers.
pub(super) fn names_items(name: &str) -> bool {
    rank(&ITEM, &stem(name)).is_some() || ID.contains(&joined(name).as_str())
}

/// How well the name fits items: smaller is better, `None` not at all.
pub(super) fn item_rank(name: &str) -> Option<usize> {
    let text = || rank(&TEXT, &stem(name)).map(|rank| ITEM.len() + 1 + rank);
    rank(&ITEM, &stem(name)).or_else(|| is_other_id(name).then_some(ITEM.len())).or_else(text)
}

/// Whether the name is that of identifiers, and does not say of what.
pub(super) fn is_other_id(name: &str) -> bool {
    is_id(name) && rank(&ITEM, &stem(name)).is_none() && people_rank(name).is_none()
}

/// How well the last word before `id` fits sources that are never items.
fn people_rank(name: &str) -> Option<usize> {
    let words = words(name);
    let [.., last, id] = words.as_slice() else { return None };
    ID.contains(&id.as_str()).then(|| rank(&PEOPLE, last)).flatten()
}

/// How well the name fits sources; a longer name such as `assignment.worker_id` goes by its last word before `id`.
pub(super) fn source_rank(name: &str) -> Option<usize> {
    rank(&SOURCE, &stem(name)).or_else(|| people_rank(name).map(|rank| SOURCE.len() + rank))
}

/// How well the name fits votes; a longer name such as `final_label` is judged by its last word, and one such as
/// `Answer.sentiment` by what stands before the sign.
///
/// `annotation_id` names the vote and is none.
pub(super) fn vote_rank(name: &str) -> Option<usize> {
    if is_id(name) {
        return None;
    }
    let words = words(name);
    let last = || rank(&VOTE, words.last()?).map(|rank| VOTE.len() + rank);
    let first = || {
        let (first, rest) = name.split_once(['.', ':', '/'])?;
        let is_about = words.last().is_some_and(|last| ABOUT_VOTES.contains(&last.as_str()));
        let asked = !rest.is_empty() && !is_about;
        rank(&VOTE, &joined(first)).filter(|_| asked).map(|rank| 2 * VOTE.len() + rank)
    };
    rank(&VOTE, &stem(name)).or_else(last).or_else(first)
}

/// Whether the word is one for who votes, and for nothing else.
pub(in crate::votes) fn is_voter(word: &str) -> bool {
    word != "source" && rank(&SOURCE, word).is_some()
}

/// Whether the word is one for votes.
pub(in crate::votes) fn is_vote_word(word: &str) -> bool {
    rank(&VOTE, word).is_some()
}

/// Whether the three names are those by which a table with one row per vote is always recognized.
pub(super) fn are_contract(item: &str, source: &str, vote: &str) -> bool {
    let is = |name: &str, list: &[&str]| list.iter().any(|wanted| name.trim().eq_ignore_ascii_case(wanted));
    is(item, &["item", "task"])
        && is(source, &["source", "worker", "annotator", "judge"])
        && is(vote, &["vote", "label"])
}

/// Whether the name is one that columns of items' names have.
pub fn is_item_name(name: &str) -> bool {
    is_saved_index(name) || is_key(name) || item_rank(name).is_some()
}

/// How well the name fits gold: smaller is better, `None` not at all.
pub fn gold_rank(name: &str) -> Option<usize> {
    let whole = joined(name);
    // What says gold in so many words comes before names that votes have, too.
    let plain = GOLD.iter().position(|gold| *gold == "target").unwrap_or_default();
    let rank = GOLD.iter().position(|gold| *gold == whole);
    let phrase = is_gold_phrase(name).then_some(plain);
    [rank.map(|rank| rank + usize::from(rank >= plain)), phrase].into_iter().flatten().min()
}

/// Whether a name consists of words for gold and for what is voted for, and has some of each.
fn is_gold_phrase(name: &str) -> bool {
    let words = words(name);
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    words.iter().all(|word| is(&GOLD_WORDS, word) || is(&GOLD_NOUNS, word))
        && words.iter().any(|word| is(&GOLD_WORDS, word))
        && words.iter().any(|word| is(&GOLD_NOUNS, word))
}

/// Whether the name is one that sources have and items do not.
pub(super) fn names_people(name: &str) -> bool {
    rank(&PEOPLE, &stem(name)).is_some()
}

/// A name that says what its column holds about the votes of another one: `judge_a_score` beside `judge_a`, `comment_r1` beside
/// `label_r1`. Names are given as their [`words`], so that a table of many columns splits each only once.
pub(super) struct About<'a> {
    is_score: bool,
    /// The name without what it says.
    of: &'a [String],
}

impl<'a> About<'a> {
    /// `None` if the name says nothing of the kind.
    pub(super) fn new(name: &'a [String]) -> Option<Self> {
        let mut name = name;
        while let [rest @ .., before, last] = name
            && UNITS.contains(&last.as_str())
            && !rest.is_empty()
            && ABOUT_VOTES.contains(&before.as_str())
        {
            name = &name[..name.len() - 1];
        }
        let (about, mut of) = without(name, &|word| ABOUT_VOTES.contains(&word))?;
        while let [rest @ .., last] = of
            && LINKS.contains(&last.as_str())
            && !rest.is_empty()
        {
            of = rest;
        }
        (!of.is_empty()).then(|| Self { is_score: SCORES.contains(&about), of })
    }

    /// Whether it is about the votes of the column with this name.
    pub(super) fn is_about(&self, votes: &[String]) -> bool {
        let is_vote = |word: &str| rank(&VOTE, word).is_some() && !(self.is_score && SCORES.contains(&word));
        (self.of == votes || without(votes, &is_vote).is_some_and(|(_, votes)| self.of == votes))
            && without(votes, &|word| ABOUT_VOTES.contains(&word) && !SCORES.contains(&word)).is_none()
    }
}

/// The first or the last word, where `is` says that it is the one, and the others.
fn without<'a>(words: &'a [String], is: &dyn Fn(&str) -> bool) -> Option<(&'a str, &'a [String])> {
    match words {
        [rest @ .., last] if is(last) => Some((last, rest)),
        [first, rest @ ..] if is(first) => Some((first, rest)),
        _ => None,
    }
}

/// The words that the names of sources side by side share: `judge_a` and `judge_b`, `lf1` and `lf2`.
pub(super) fn have_a_name_in_common(a: &str, b: &str) -> bool {
    /// Words that begin the names of properties.
    const OTHERS: [&str; 6] = ["is", "has", "was", "n", "num", "answer"];
    let (a, b) = (words(a), words(b));
    let (Some(first), Some(last)) = (a.first(), a.last()) else { return false };
    let shares = |word: &String, other: Option<&String>| {
        Some(word) == other && word.chars().any(char::is_alphabetic) && !OTHERS.contains(&word.as_str())
    };
    a.len() > 1 && b.len() > 1 && (shares(first, b.first()) || shares(last, b.last()))
}

/// Whether a source of this name is gold for sure: `label` and `answer` may be names of sources, `gold` and `truth` are not.
pub(in crate::votes) fn names_gold(name: &str) -> bool {
    let sure = GOLD.iter().position(|gold| *gold == "true").unwrap_or_default();
    gold_rank(name).is_some_and(|rank| rank < sure) || mentions_gold(name)
}

/// Whether a part of the name says gold.
pub(super) fn mentions_gold(name: &str) -> bool {
    words(name).iter().any(|word| GOLD_PARTS.contains(&word.as_str()))
}

/// Whether the name is that of the votes, with words for gold before the last word: `GOLDEN:result` beside `OUTPUT:result`.
pub(super) fn is_gold_of(name: &str, votes: &str) -> bool {
    let (name, votes) = (words(name), words(votes));
    matches!((name.as_slice(), votes.last()), ([gold @ .., last], Some(of))
        if last == of && !gold.is_empty() && gold.iter().all(|word| GOLD_WORDS.contains(&word.as_str())))
}

/// Whether the name calls something true, whatever it is: `true_sentiment`, `Actual diagnosis`.
pub(super) fn calls_it_true(name: &str) -> bool {
    const TRUE: [&str; 5] = ["true", "actual", "correct", "expected", "intended"];
    match words(name).as_slice() {
        [first, what] => {
            TRUE.contains(&first.as_str())
                && !ABOUT_VOTES.contains(&what.as_str())
                && what.chars().all(char::is_alphabetic)
                && what.len() > 1
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_spelling() {
        for name in [
            "gold",
            "Ground_Truth",
            "ground truth",
            "groundTruth",
            "GOLD-LABEL",
            "y",
            "Target",
            "y_true",
            "Answer",
        ] {
            assert!(gold_rank(name).is_some(), "{name}");
        }
        for name in ["expected_output", "Label (official)", "ref-label", "known answer", "oracleLabel"] {
            assert!(gold_rank(name).is_some() && gold_rank(name) < gold_rank("label"), "{name}");
        }
        for name in ["label_a", "yes", "s0", "truthful", "keyword_my", "real", "vote_value", "label_class_2"]
        {
            assert!(gold_rank(name).is_none(), "{name}");
        }
        assert!(
            mentions_gold("gold_standard_2") && mentions_gold("human-truth") && !mentions_gold("goldberg")
        );
        for name in ["id", "item_id", "exampleId", "UUID", "doc-id"] {
            assert!(is_id(name), "{name}");
        }
        assert!(calls_it_true("true_sentiment") && calls_it_true("Actual diagnosis"));
        assert!(!calls_it_true("true_2") && !calls_it_true("expected_cost") && !calls_it_true("truest_a"));
        assert!(is_gold_of("GOLDEN:result", "OUTPUT:result") && is_gold_of("actual_dx", "dx"));
        assert!(!is_gold_of("dx", "dx") && !is_gold_of("previous_dx", "dx"));
        assert!(!is_id("valid") && !is_id("paid") && !is_id("grid"));
    }

    #[test]
    fn what_is_said_about_votes_is_told_by_name() {
        let is_about = |name: &str, votes: &str| {
            About::new(&words(name)).is_some_and(|about| about.is_about(&words(votes)))
        };
        for (name, votes) in [
            ("judge_a_score", "judge_a"),
            ("conf_gpt", "gpt"),
            ("comment_r1", "label_r1"),
            ("r1Confidence", "r1_rating"),
            ("judge_a_confidence", "judge_a_score"),
            ("gpt-4 reason", "gpt-4"),
            ("gpt_time_s", "gpt"),
            ("gpt is correct", "gpt"),
        ] {
            assert!(is_about(name, votes), "{name}, {votes}");
        }
        for (name, votes) in [
            ("judge_a_score", "judge_b"),
            ("score", "judge_a"),
            ("judge_a_score", "judge_a_confidence"),
            ("judge_a_score", "judge_a_score"),
            ("judge_a", "judge_a_score"),
            ("judge_a_time", "judge_a_cost"),
        ] {
            assert!(!is_about(name, votes), "{name}, {votes}");
        }
        assert!(have_a_name_in_common("judge_a", "judge_b") && have_a_name_in_common("lf1", "lf2"));
        assert!(!have_a_name_in_common("is_fast", "is_paid") && !have_a_name_in_common("paid", "fast"));
        assert!(names_people("annotator") && names_people("worker_id") && !names_people("user"));
    }

    #[test]
    fn long_names_have_many_forms() {
        for name in ["item", "question", "example_id", "ExampleID", "taskid", "Questions", "id", "doc"] {
            assert!(item_rank(name).is_some(), "{name}");
        }
        for name in ["annotator", "rater", "WorkerId", "worker_id", "annotator name", "raters"] {
            assert!(source_rank(name).is_some(), "{name}");
        }
        for name in ["answer", "rating", "Label", "votes", "judgement"] {
            assert!(vote_rank(name).is_some(), "{name}");
        }
        assert!(source_rank("ASSIGNMENT:worker_id").is_some() && item_rank("ASSIGNMENT:worker_id").is_none());
        assert!(item_rank("user_id").is_some() && item_rank("u_id").is_some());
        assert!(vote_rank("annotation_id").is_none() && vote_rank("labelId").is_none());
        assert!(vote_rank("grid").is_none() && source_rank("valid").is_none());
    }
}
