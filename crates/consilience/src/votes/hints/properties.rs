//! Sources whose names say that they describe the items: a fold, a count, an age.

use super::named_apart::names_a_function;
use crate::votes::Votes;
use crate::votes::notes::ReadingNote;
use crate::votes::survey::words;

/// Last words of such names, and names of one word: what is counted or measured, how the items are divided, when and where they
/// come from.
const LAST: [&str; 130] = [
    "fold",
    "kfold",
    "split",
    "batch",
    "partition",
    "subset",
    "bucket",
    "bin",
    "block",
    "cluster",
    "group",
    "cohort",
    "segment",
    "stratum",
    "tier",
    "level",
    "stage",
    "phase",
    "wave",
    "round",
    "turn",
    "trial",
    "session",
    "attempt",
    "attempts",
    "retries",
    "seed",
    "temperature",
    "arm",
    "variant",
    "condition",
    "treatment",
    "year",
    "quarter",
    "month",
    "week",
    "day",
    "weekday",
    "weekend",
    "hour",
    "minutes",
    "seconds",
    "time",
    "duration",
    "latency",
    "age",
    "sex",
    "gender",
    "income",
    "size",
    "length",
    "height",
    "width",
    "depth",
    "distance",
    "count",
    "counts",
    "number",
    "num",
    "amount",
    "frequency",
    "rank",
    "order",
    "position",
    "page",
    "chapter",
    "section",
    "paragraph",
    "line",
    "version",
    "revision",
    "priority",
    "severity",
    "urgency",
    "importance",
    "difficulty",
    "complexity",
    "confidence",
    "conf",
    "agreement",
    "disagreement",
    "unanimous",
    "conflict",
    "price",
    "cost",
    "tokens",
    "words",
    "weight",
    "votes",
    "upvotes",
    "downvotes",
    "likes",
    "dislikes",
    "views",
    "clicks",
    "shares",
    "followers",
    "retweets",
    "replies",
    "comments",
    "visits",
    "region",
    "zone",
    "consent",
    "flag",
    "hops",
    "train",
    "band",
    "quartile",
    "percentile",
    "decade",
    "century",
    "season",
    "shift",
    "run",
    "lap",
    "tour",
    "urgent",
    "vip",
    "history",
    "fever",
    "media",
    "language",
    "lang",
    "experience",
    "readability",
    "platform",
    "device",
    "location",
    "country",
];

/// What was done to the items or holds of them, as a whole name or its last word.
const STATES: [&str; 49] = [
    "active",
    "ambiguous",
    "anonymous",
    "archived",
    "cached",
    "censored",
    "clicked",
    "closed",
    "contacted",
    "deleted",
    "detected",
    "duplicate",
    "duplicated",
    "edited",
    "employed",
    "enrolled",
    "exclude",
    "excluded",
    "flagged",
    "heldout",
    "holdout",
    "include",
    "included",
    "insured",
    "married",
    "member",
    "mobile",
    "native",
    "paid",
    "pilot",
    "premium",
    "public",
    "read",
    "registered",
    "removed",
    "reported",
    "retweet",
    "retweeted",
    "sampled",
    "seen",
    "selected",
    "shown",
    "smoker",
    "sponsored",
    "streamed",
    "subscribed",
    "truncated",
    "viewed",
    "visible",
];

/// First words of names that count something or ask what holds of the item.
const FIRST: [&str; 12] =
    ["n", "num", "nb", "count", "is", "has", "had", "was", "were", "contains", "did", "does"];

/// Last words that say nothing by themselves: `topic_no`, `severity_code`.
const EMPTY: [&str; 7] = ["no", "nr", "num", "number", "code", "id", "value"];

/// Whole names that say so only as such.
const NAMES: [&str; 3] = ["traintest", "testset", "devset"];

/// A note on such sources, if there are other sources. Rules are often called by what they look at, but vote for one
/// class only.
pub(super) fn hint(votes: &Votes) -> Option<ReadingNote> {
    let names = votes.sources().names();
    let is_rule = |source: usize| votes.domains()[source].classes().len() < 2;
    // Beside others of the kind, such as base, tuned and distilled, it says which source this is.
    let done = names.iter().filter(|name| says_what_was_done(name)).count();
    let sources: Vec<String> = (0..names.len())
        .filter(|&source| describes(&names[source]) || (done == 1 && says_what_was_done(&names[source])))
        .filter(|&source| !is_rule(source) && !names_a_function(&names[source]))
        .map(|source| names[source].clone())
        .collect();
    let others = names.len() - sources.len();
    (!sources.is_empty() && others >= 2 && sources.len() <= others)
        .then_some(ReadingNote::MayDescribe { sources })
}

/// Whether the name says what was done to the items, like clicked, merged or hiredLater. People are written with a capital.
fn says_what_was_done(name: &str) -> bool {
    const LETTERS: usize = 5;
    const PEOPLE: [&str; 13] = [
        "ahmed", "mohammed", "mohamed", "muhammed", "hamed", "khaled", "waleed", "saeed", "majed", "jared",
        "alfred", "wilfred", "winifred",
    ];
    let is_done = |word: &String| {
        word.chars().count() >= LETTERS && word.ends_with("ed") && !PEOPLE.contains(&word.as_str())
    };
    let words = words(name);
    name.starts_with(char::is_lowercase)
        && (words.first().is_some_and(is_done) || words.last().is_some_and(is_done))
}

pub(super) fn describes(name: &str) -> bool {
    let words = words(name);
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    let is_last = |word: &String| is(&LAST, word) || is(&STATES, word);
    let whole = words.concat();
    let last = match words.as_slice() {
        [.., before, last] if is(&EMPTY, last) => is_last(before) || is_last(last),
        [.., last] => is_last(last),
        [] => false,
    };
    last || is_last(&whole)
        || is(&NAMES, &whole)
        || (words.len() > 1 && words.first().is_some_and(|first| is(&FIRST, first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str], rows: &[&str]) -> Option<ReadingNote> {
        let rows = rows.iter().map(|row| row.split(' ').collect::<Vec<_>>());
        hint(&Votes::from_text(names, rows).unwrap())
    }

    #[test]
    fn properties_are_told_by_their_names_where_they_vote_for_several_classes() {
        let rows = ["1 2 1 1", "2 2 2 2", "1 1 1 2"];
        let note = |name: &str| Some(ReadingNote::MayDescribe { sources: vec![name.to_string()] });
        assert_eq!(of(&["r1", "r2", "r3", "fold"], &rows), note("fold"));
        assert_eq!(of(&["r1", "n_words", "r3", "r4"], &rows), note("n_words"));
        for name in
            ["wordCount", "is_retweet", "severity_level", "cluster_no", "week", "truncated", "cv_fold"]
        {
            assert_eq!(of(&["gpt", "claude", name, "llama"], &rows), note(name), "{name}");
        }
        assert_eq!(of(&["Ann", "Bob", "hiredLater", "Cyd"], &rows), note("hiredLater"));
        assert_eq!(of(&["base", "tuned", "distilled", "pruned"], &rows), None);
        assert_eq!(of(&["Ahmed", "ann", "mohammed", "Bo"], &rows), None);
        assert_eq!(of(&["has_link", "has_phone", "is_short", "r4"], &rows), None);
        assert_eq!(of(&["r1", "r2", "r3", "r4"], &rows), None);
        assert_eq!(of(&["r1", "r2", "r3", "word_count"], &["1 2 1 1", "2 2 2 ?", "1 1 1 1"]), None);
        assert_eq!(of(&["a_rank", "b_rank", "c_rank", "d_rank"], &rows), None);
    }
}
