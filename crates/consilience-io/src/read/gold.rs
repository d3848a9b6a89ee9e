//! The true classes, where some are known. They are for scoring only and never add a class to the votes.

use consilience::sources::{ABSTAIN, Classes, Vote};

use super::cell::VoteReader;
use super::error::Problem;
use super::options::ReadOptions;
use crate::one_line::some_of;

/// The gold class of an item whose true class is none that a source votes for; it counts as wrong everywhere.
pub const OTHER_CLASS: Vote = Vote::MAX;

/// Gold classes while a table is read, with numbers of their own.
#[derive(Clone, Debug)]
pub(super) struct GoldVotes {
    pub(super) reader: VoteReader,
    pub(super) votes: Vec<Vote>,
}

impl GoldVotes {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self { reader: VoteReader::new(options), votes: Vec::new() }
    }

    /// Says that item `item` has the class `gold`, which must not contradict what was said of it before.
    pub(super) fn set(&mut self, item: usize, gold: Vote, name: &str) -> Result<(), Problem> {
        if self.votes.len() <= item {
            self.votes.resize(item + 1, ABSTAIN);
        }
        let known = &mut self.votes[item];
        if *known != ABSTAIN && gold != ABSTAIN && *known != gold {
            let names = self.reader.vocabulary().names();
            let of = |vote: Vote| names[vote as usize - 1].clone();
            return Err(Problem::TwoGolds { item: name.to_string(), first: of(*known), second: of(gold) });
        }
        if gold != ABSTAIN {
            *known = gold;
        }
        Ok(())
    }

    /// The gold class of each of `items` items as a vote for one of `classes`, and a note where that fails.
    pub(super) fn finish(mut self, items: usize, classes: &Classes) -> (Vec<Vote>, Option<String>) {
        let names = self.reader.vocabulary().names();
        let mut relabel = vec![ABSTAIN];
        relabel.extend(names.iter().map(|name| classes.vote(name).unwrap_or(OTHER_CLASS)));
        self.votes.resize(items, ABSTAIN);
        let mut others = vec![false; relabel.len()];
        let mut count = 0usize;
        for vote in &mut self.votes {
            let class = relabel[*vote as usize];
            if class == OTHER_CLASS {
                others[*vote as usize] = true;
                count += 1;
            }
            *vote = class;
        }
        let mut unknown: Vec<&String> =
            names.iter().zip(&others[1..]).filter(|(_, other)| **other).map(|(name, _)| name).collect();
        unknown.sort_by(|a, b| consilience::sources::natural_order(a, b));
        (self.votes, other_class_note(count, &unknown))
    }
}

/// What the user is told when `count` items have gold classes, called `names`, that no source votes for.
pub(super) fn other_class_note(count: usize, names: &[&String]) -> Option<String> {
    (count > 0).then(|| {
        format!(
            "{count} {} a gold class that no source votes for ({}); every label counts as wrong there",
            if count == 1 { "item has" } else { "items have" },
            some_of(names)
        )
    })
}
