//! How reliable each source is, and notes on it.

use serde::Serialize;

use super::links::{Link, LinkKind};
use crate::labels::SourceExplanation;
use crate::report::SourceAnalysis;

/// The description of a source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceSummary {
    /// Its name.
    pub name: String,
    /// The classes it votes for.
    pub polarity: Vec<String>,
    /// Items it votes on.
    pub votes: u64,
    /// Their share.
    pub coverage: f64,
    /// Share of items that it and another source vote on.
    pub overlaps: f64,
    /// Share of items on which another source votes for a different class.
    pub conflicts: f64,
    /// The estimated share of correct votes; `None` if it never votes.
    pub accuracy: Option<f64>,
    /// Its 95% interval; `None` if the accuracy is assumed, not measured.
    pub interval: Option<[f64; 2]>,
    /// The log odds that each of its votes adds.
    pub weight: f64,
    /// The share by which it is discounted because others repeat it.
    pub discount: f64,
    /// The share of correct votes by gold, if gold is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold_accuracy: Option<f64>,
    /// The group of sources that depend on each other, if it is in one.
    pub group: Option<usize>,
    /// Notes on it.
    pub flags: Vec<Flag>,
}

/// A note on a source.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Flag {
    /// It casts exactly the votes of another one.
    Copies {
        /// The other source.
        of: String,
    },
    /// Another source's votes determine its votes.
    Mirrors {
        /// The other source.
        of: String,
    },
    /// It repeats another one.
    Repeats {
        /// The other source.
        of: String,
        /// How far, as a share of the most possible, if that was measured.
        share: Option<f64>,
    },
    /// It never votes.
    Silent,
    /// It is no better than chance.
    AtChance,
    /// Its accuracy is assumed: too few sources vote on the same items.
    Assumed,
}

/// Log odds of being correct below which a source is nearly uninformative.
const NEXT_TO_NOTHING: f64 = 0.1;

pub(super) fn describe(
    analysis: &SourceAnalysis,
    worth: &SourceExplanation,
    source: usize,
    group: Option<usize>,
    links: &[Link],
    name: impl Fn(usize) -> String,
) -> SourceSummary {
    SourceSummary {
        name: analysis.name.clone(),
        polarity: analysis.polarity.clone(),
        votes: analysis.votes,
        coverage: analysis.coverage,
        overlaps: analysis.overlaps,
        conflicts: analysis.conflicts,
        accuracy: worth.accuracy,
        interval: worth.interval,
        weight: worth.weight,
        discount: worth.discount,
        gold_accuracy: analysis.gold.as_ref().and_then(|gold| gold.accuracy),
        group,
        flags: flags(worth, source, links, name),
    }
}

fn flags(
    worth: &SourceExplanation,
    source: usize,
    links: &[Link],
    name: impl Fn(usize) -> String,
) -> Vec<Flag> {
    if worth.votes == 0 {
        return vec![Flag::Silent];
    }
    let mut own: Vec<&Link> = links.iter().filter(|link| link.sources.contains(&source)).collect();
    own.sort_by(|a, b| b.strength().total_cmp(&a.strength()));
    let flag = |link: &&Link| {
        let of = name(if link.sources[0] == source { link.sources[1] } else { link.sources[0] });
        match link.kind {
            LinkKind::Copy => Some(Flag::Copies { of }),
            LinkKind::Mirror => Some(Flag::Mirrors { of }),
            LinkKind::Once | LinkKind::Repeats => Some(Flag::Repeats { of, share: link.share }),
            LinkKind::Linked => None,
        }
    };
    let mut flags: Vec<Flag> = own.iter().filter_map(flag).collect();
    if worth.alone < NEXT_TO_NOTHING {
        flags.push(Flag::AtChance);
    }
    if worth.interval.is_none() {
        flags.push(Flag::Assumed);
    }
    flags
}
