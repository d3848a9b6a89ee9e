//! Where the rows of a long table go as they are read: into the table, the item names and the gold classes.

use consilience::sources::Vote;
use consilience::votes::{LongVotesBuilder, MOST_ALONE, ReadingNote, Votes};

use super::VoteTable;
use super::cell::VoteReader;
use super::error::Problem;
use super::gold::GoldVotes;
use super::options::ReadOptions;
use crate::items::ItemNames;

/// A long table while it is read.
pub(super) struct LongRows {
    builder: LongVotesBuilder,
    pub(super) reader: VoteReader,
    pub(super) gold: Option<GoldVotes>,
    rows: u64,
}

impl LongRows {
    pub(super) fn new(options: &ReadOptions) -> Self {
        let builder = LongVotesBuilder::new();
        let keep = [options.sources.as_slice(), &options.expected_sources].concat();
        Self {
            // Gold that a column says is not searched for among the sources.
            builder: if options.gold.is_some() { builder } else { builder.find_gold(&keep) },
            reader: VoteReader::new(options),
            gold: options.gold.is_some().then(|| GoldVotes::new(options)),
            rows: 0,
        }
    }

    /// Adds one vote, and what the row says about the item's true class.
    pub(super) fn push(&mut self, item: &str, source: &str, vote: Vote, gold: Vote) -> Result<(), Problem> {
        self.rows += 1;
        let number = self.builder.push(item, source, vote);
        match &mut self.gold {
            Some(known) => known.set(number, gold, item),
            None => Ok(()),
        }
    }

    pub(super) fn finish(
        self,
        options: &ReadOptions,
        mut notes: Vec<ReadingNote>,
    ) -> Result<VoteTable, Problem> {
        if self.rows == 0 {
            return Err(Problem::HeaderOnly);
        }
        let long = self.builder.finish(self.reader.vocabulary())?;
        let (alone, classes) = (long.votes.classes_of_one(), long.votes.classes().len());
        if options.classes.is_none() && alone > MOST_ALONE && 2 * alone > classes {
            return Err(Problem::VotesOfNobodyElse { alone, classes });
        }
        let items = long.items.iter().collect();
        notes.extend(long.notes);
        if long.repeated > 0 {
            notes.push(ReadingNote::RepeatedVotes { votes: long.repeated });
        }
        let mut table = table(long.votes, items, self.gold, options, notes)?;
        table.gold = table.gold.or(long.gold);
        Ok(table)
    }
}

/// Puts a table together.
pub(super) fn table(
    votes: Votes,
    items: ItemNames,
    gold: Option<GoldVotes>,
    options: &ReadOptions,
    mut notes: Vec<ReadingNote>,
) -> Result<VoteTable, Problem> {
    let gold = match gold {
        Some(mut gold) => {
            let classes = gold.take(votes.items(), votes.classes(), &options.abstain);
            notes.extend(gold.finish(votes.classes(), &options.abstain)?);
            Some(classes)
        }
        None => None,
    };
    let hints = match &gold {
        Some(gold) => votes.hints_with_gold(gold),
        None => votes.hints(),
    };
    notes.extend(hints.into_iter().filter(|note| !note.doubts_only(&options.sources)));
    notes.extend(remarks(&votes, &items));
    Ok(VoteTable { votes, items, gold, notes })
}

/// A note on rows without votes at the end of a table, if their names are texts and those of all others are not: a legend.
fn remarks(votes: &Votes, items: &ItemNames) -> Option<ReadingNote> {
    const LEAST_ITEMS: usize = 8;
    const MOST_REMARKS: usize = 10;
    if items.are_row_numbers() {
        return None;
    }
    let all = votes.items();
    let is_voted = |item: usize| votes.row_of_item(item).next().is_some();
    let voted = all - (0..all).rev().take(MOST_REMARKS + 1).take_while(|&item| !is_voted(item)).count();
    let rows = all - voted;
    let is_text = |item: usize| items.name(item).contains(char::is_whitespace);
    let others = || (0..voted).all(|item| is_voted(item) && !is_text(item));
    if voted < LEAST_ITEMS || !(1..=MOST_REMARKS).contains(&rows) || !others() {
        return None;
    }
    let example = (voted..all).find(|&item| is_text(item)).map(|item| items.name(item).into_owned())?;
    Some(ReadingNote::Remarks { rows, example })
}
