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
    minus_ones: usize,
}

impl GoldVotes {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self {
            reader: VoteReader::of_gold(options),
            votes: Vec::new(),
            seen: Vec::new(),
            others: 0,
            minus_ones: 0,
        }
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
        let minus_one = minus_one(self.reader.vocabulary().names());
        for vote in &mut votes {
            self.minus_ones += usize::from(Some(*vote) == minus_one);
            self.seen[*vote as usize] = true;
            let class = relabel[*vote as usize];
            self.others += usize::from(class == OTHER_CLASS);
            *vote = class;
        }
        votes
    }

    /// Notes if some of the gold classes taken out are not among `classes`, or may not mean what they seem to.
    pub(super) fn finish(
        &self,
        classes: &Classes,
        abstain: &AbstainMarks,
    ) -> Result<Vec<ReadingNote>, Problem> {
        let names = &self.reader.vocabulary().names()[..self.seen.len().saturating_sub(1)];
        let relabel = in_classes(names, classes, abstain);
        let unknown = checked(names, &relabel, &self.seen, classes)?;
        let other =
            (self.others > 0).then_some(ReadingNote::OtherGold { items: self.others, classes: unknown });
        let minus_one = only_minus_one(names, &relabel, &self.seen)
            .then_some(ReadingNote::GoldMinusOne { items: self.minus_ones });
        Ok(other.into_iter().chain(minus_one).collect())
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

/// The provisional vote of -1.
pub(super) fn minus_one(names: &[String]) -> Option<Vote> {
    names.iter().position(|name| name == "-1").map(|position| position as Vote + 1)
}

/// Whether gold is -1, which is unknown, or 1, and nothing else.
pub(super) fn only_minus_one(names: &[String], relabel: &[Vote], seen: &[bool]) -> bool {
    let occurs = |vote: usize| seen.get(vote).copied().unwrap_or_default();
    let mut others = (1..relabel.len()).filter(|&vote| occurs(vote) && relabel[vote] != ABSTAIN);
    let only_one = others.next().is_some_and(|vote| names[vote - 1] == "1") && others.next().is_none();
    let unknown =
        minus_one(names).is_some_and(|vote| occurs(vote.into()) && relabel[usize::from(vote)] == ABSTAIN);
    only_one && unknown
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
