//! The true classes, if some are known. They are for scoring only and never add a class to the votes.

use consilience::sources::{ABSTAIN, Classes, Vote, natural_order};
use consilience::votes::{AbstainMarks, ReadingNote, Vocabulary};

use super::cell::VoteReader;
use super::error::Problem;
use super::options::ReadOptions;

/// The gold class of an item if no source votes for its true class; every label counts as wrong.
pub const OTHER_CLASS: Vote = Vote::MAX;

/// Gold classes while a table is read, with numbers of their own.
#[derive(Clone, Debug)]
pub(super) struct GoldVotes {
    pub(super) reader: VoteReader,
    pub(super) votes: Vec<Vote>,
    /// Which provisional votes were taken out so far, and how many are for other classes.
    seen: Vec<bool>,
    others: usize,
}

impl GoldVotes {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self { reader: VoteReader::of_gold(options), votes: Vec::new(), seen: Vec::new(), others: 0 }
    }

    /// Records that item `item` has the class `gold`, which must not contradict an earlier record.
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

    /// Takes out the gold class of each of `items` items as a vote for one of `classes`.
    pub(super) fn take(&mut self, items: usize, classes: &Classes, abstain: &AbstainMarks) -> Vec<Vote> {
        let relabel = in_classes(self.reader.vocabulary().names(), classes, abstain);
        let mut votes = std::mem::take(&mut self.votes);
        votes.resize(items, ABSTAIN);
        self.seen.resize(relabel.len(), false);
        for vote in &mut votes {
            self.seen[*vote as usize] = true;
            let class = relabel[*vote as usize];
            self.others += usize::from(class == OTHER_CLASS);
            *vote = class;
        }
        votes
    }

    /// A note if some of the gold classes taken out are not among `classes`.
    pub(super) fn finish(
        &self,
        classes: &Classes,
        abstain: &AbstainMarks,
    ) -> Result<Option<ReadingNote>, Problem> {
        let names = &self.reader.vocabulary().names()[..self.seen.len().saturating_sub(1)];
        let relabel = in_classes(names, classes, abstain);
        let unknown = checked(names, &relabel, &self.seen, classes)?;
        Ok((self.others > 0).then_some(ReadingNote::OtherGold { items: self.others, classes: unknown }))
    }
}

/// What each provisional gold vote, abstain included, is among `classes`: by name in any case, booleans as 1 and 0.
pub(super) fn in_classes(names: &[String], classes: &Classes, abstain: &AbstainMarks) -> Vec<Vote> {
    let mut vocabulary = Vocabulary::known(classes, abstain.clone());
    let mut vote = |name: &String| match vocabulary.read(name) {
        Ok(vote) if usize::from(vote) <= classes.len() => vote,
        _ => OTHER_CLASS,
    };
    std::iter::once(ABSTAIN).chain(names.iter().map(&mut vote)).collect()
}

/// The gold classes that occur and that nobody votes for; where these are all of them, gold uses other names.
pub(super) fn checked(
    names: &[String],
    relabel: &[Vote],
    seen: &[bool],
    classes: &Classes,
) -> Result<Vec<String>, Problem> {
    let occurring = || (1..relabel.len()).filter(|&vote| seen[vote] && relabel[vote] != ABSTAIN);
    let mut unknown: Vec<String> = occurring()
        .filter(|&vote| relabel[vote] == OTHER_CLASS)
        .map(|vote| names[vote - 1].clone())
        .collect();
    unknown.sort_by(|a, b| natural_order(a, b));
    if !unknown.is_empty() && unknown.len() == occurring().count() {
        return Err(Problem::OtherGold { gold: unknown, classes: classes.names().to_vec() });
    }
    Ok(unknown)
}
