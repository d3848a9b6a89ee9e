//! Where rows go as they are read: into the table, the item names and the gold classes.

use consilience::sources::{ABSTAIN, Sources, Vote};
use consilience::votes::{LonelySource, LongVotesBuilder, MOST_ALONE, ReadingNote, Votes, VotesBuilder};

use super::VoteTable;
use super::cell::VoteReader;
use super::error::Problem;
use super::gold::GoldVotes;
use super::options::ReadOptions;
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

    /// Adds an item without a name on which nobody votes.
    pub(super) fn push_blank(&mut self) -> Result<(), Problem> {
        if let Some(items) = &mut self.items {
            items.push("");
        }
        if let Some(gold) = &mut self.gold {
            gold.votes.push(ABSTAIN);
        }
        self.push(&[])
    }

    pub(super) fn finish(
        self,
        options: &ReadOptions,
        mut notes: Vec<ReadingNote>,
    ) -> Result<VoteTable, Problem> {
        if self.builder.items() == 0 {
            return Err(Problem::HeaderOnly);
        }
        let (votes, decided) = self.builder.finish_noted(self.reader.vocabulary())?;
        notes.extend(decided);
        if let Some(LonelySource { source, alone }) = votes.lonely_source()
            && options.classes.is_none()
        {
            let name = votes.sources().name(source).to_string();
            return Err(Problem::ManyClassesAlone { name, alone });
        }
        let items = self.items.unwrap_or_else(|| ItemNames::row_numbers(votes.items()));
        table(votes, items, self.gold, options, notes)
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
        table(long.votes, items, self.gold, options, notes)
    }
}

fn table(
    votes: Votes,
    items: ItemNames,
    gold: Option<GoldVotes>,
    options: &ReadOptions,
    mut notes: Vec<ReadingNote>,
) -> Result<VoteTable, Problem> {
    let gold = match gold {
        Some(gold) => {
            let (gold, note) = gold.finish(votes.items(), votes.classes(), &options.abstain)?;
            notes.extend(note);
            Some(gold)
        }
        None => None,
    };
    notes.extend(votes.hints());
    Ok(VoteTable { votes, items, gold, notes })
}
