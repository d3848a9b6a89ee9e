//! Where rows go as they are read: into the table, the item names and the gold classes.

use consilience::sources::{Sources, Vote};
use consilience::votes::{IdsAsSource, LongVotesBuilder, Votes, VotesBuilder};

use super::cell::VoteReader;
use super::error::Problem;
use super::gold::GoldVotes;
use super::options::ReadOptions;
use super::{VoteTable, notes};
use crate::items::ItemNames;

/// A wide table while it is read.
pub(super) struct WideRows {
    pub(super) builder: VotesBuilder,
    pub(super) reader: VoteReader,
    pub(super) items: Option<ItemNames>,
    pub(super) gold: Option<GoldVotes>,
}

impl WideRows {
    pub(super) fn new(sources: Sources, options: &ReadOptions) -> Self {
        Self {
            builder: VotesBuilder::new(sources),
            reader: VoteReader::new(options),
            items: options.item.is_some().then(ItemNames::named),
            gold: options.gold.is_some().then(|| GoldVotes::new(options)),
        }
    }

    /// Adds an item's votes, ascending by source.
    pub(super) fn push(&mut self, votes: &[(u32, Vote)]) -> Result<(), Problem> {
        Ok(self.builder.push(votes)?)
    }

    pub(super) fn finish(self) -> Result<VoteTable, Problem> {
        if self.builder.items() == 0 {
            return Err(Problem::HeaderOnly);
        }
        let votes = self.builder.finish(self.reader.vocabulary())?;
        if let Some(IdsAsSource { source, values, others }) = votes.ids_as_source() {
            return Err(Problem::IdsAsSource {
                name: votes.sources().name(source).to_string(),
                values,
                others,
            });
        }
        let items = self.items.unwrap_or_else(|| ItemNames::row_numbers(votes.items()));
        Ok(table(votes, items, self.gold, Vec::new()))
    }
}

/// A long table while it is read.
pub(super) struct LongRows {
    builder: LongVotesBuilder,
    pub(super) reader: VoteReader,
    pub(super) gold: Option<GoldVotes>,
    rows: u64,
}

impl LongRows {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self {
            builder: LongVotesBuilder::new(),
            reader: VoteReader::new(options),
            gold: options.gold.is_some().then(|| GoldVotes::new(options)),
            rows: 0,
        }
    }

    /// Adds one vote, and what the row says of the item's true class.
    pub(super) fn push(&mut self, item: &str, source: &str, vote: Vote, gold: Vote) -> Result<(), Problem> {
        self.rows += 1;
        let number = self.builder.push(item, source, vote);
        match &mut self.gold {
            Some(known) => known.set(number, gold, item),
            None => Ok(()),
        }
    }

    pub(super) fn finish(self) -> Result<VoteTable, Problem> {
        if self.rows == 0 {
            return Err(Problem::HeaderOnly);
        }
        let long = self.builder.finish(self.reader.vocabulary())?;
        let items = long.items.iter().collect();
        let mut notes = Vec::new();
        if long.repeated > 0 {
            let verb = if long.repeated == 1 { "vote stands" } else { "votes stand" };
            notes.push(format!("{} {verb} more than once; each counts once", long.repeated));
        }
        Ok(table(long.votes, items, self.gold, notes))
    }
}

fn table(votes: Votes, items: ItemNames, gold: Option<GoldVotes>, mut notes: Vec<String>) -> VoteTable {
    let gold = gold.map(|gold| {
        let (gold, note) = gold.finish(votes.items(), votes.classes());
        notes.extend(note);
        gold
    });
    notes.extend(notes::about(&votes));
    VoteTable { votes, items, gold, notes }
}
