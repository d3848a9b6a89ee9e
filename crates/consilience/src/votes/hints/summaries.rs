//! Sources whose names say that they sum up the others, or that they are what the others are measured by.

use crate::votes::notes::ReadingNote;

/// Words of such names.
const WORDS: [&str; 29] = [
    "majority",
    "consensus",
    "aggregate",
    "aggregated",
    "adjudicated",
    "adjudication",
    "final",
    "mode",
    "median",
    "mean",
    "average",
    "total",
    "sum",
    "oracle",
    "human",
    "resolved",
    "expert",
    "verified",
    "curated",
    "overall",
    "combined",
    "ensemble",
    "agreed",
    "official",
    "manual",
    "validated",
    "approved",
    "winner",
    "preferred",
];

/// Whole names that say so; other sources are called by who votes.
const NAMES: [&str; 13] = [
    "category",
    "verdict",
    "decision",
    "outcome",
    "result",
    "annotation",
    "rating",
    "tag",
    "chosen",
    "preference",
    "prediction",
    "predicted",
    "pred",
];

/// A note on such sources, if there are other sources.
pub(super) fn hint(sources: &[String]) -> Option<ReadingNote> {
    let is_summary = |name: &&String| {
        let lower = name.to_lowercase();
        NAMES.contains(&lower.as_str())
            || lower.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
    };
    let summaries: Vec<String> = sources.iter().filter(is_summary).cloned().collect();
    let others = sources.len() - summaries.len();
    (!summaries.is_empty() && others >= 2 && summaries.len() < others)
        .then_some(ReadingNote::MaySumUp { sources: summaries })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_summaries_are_told_where_they_are_few() {
        let of = |names: &[&str]| hint(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        let note = |name: &str| Some(ReadingNote::MaySumUp { sources: vec![name.to_string()] });
        assert_eq!(of(&["a", "b", "c", "majority"]), note("majority"));
        assert_eq!(of(&["r1", "r2", "Final label"]), note("Final label"));
        assert_eq!(of(&["r1", "human_label", "r3"]), note("human_label"));
        assert_eq!(of(&["human_1", "human_2", "gpt"]), None);
        assert_eq!(of(&["finalist", "b", "c"]), None);
    }
}
