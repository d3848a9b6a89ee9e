//! Where the rows of a wide table go as they are read: into the table, the item names and the gold classes.

use consilience::sources::{ABSTAIN, Sources, Vote};
use consilience::votes::survey::SurveyError;
use consilience::votes::{LonelySource, ReadingNote, VotesBuilder};

use super::VoteTable;
use super::cell::VoteReader;
use super::error::Problem;
use super::gold::GoldVotes;
use super::handover::{Ending, Limit, VotesPart};
use super::options::ReadOptions;
use super::row_sample::RowSample;
use super::rows::table;
use crate::items::ItemNames;

/// A wide table while it is read, or as much of it as may be held.
pub(super) struct WideRows<'a> {
    pub(super) builder: VotesBuilder,
    pub(super) reader: VoteReader,
    pub(super) items: Option<ItemNames>,
    pub(super) gold: Option<GoldVotes>,
    pub(super) options: &'a ReadOptions,
    pub(super) notes: Vec<ReadingNote>,
    limit: Limit,
    /// All rows so far, and those of the parts that were taken out.
    rows: u64,
    taken: u64,
    /// The rows that are kept, where these are not all.
    sample: Option<RowSample>,
    /// Whether the next row is kept.
    keeps: bool,
}

impl<'a> WideRows<'a> {
    pub(super) fn new(
        sources: Sources,
        options: &'a ReadOptions,
        notes: Vec<ReadingNote>,
        limit: Limit,
    ) -> Self {
        Self {
            builder: VotesBuilder::new(sources),
            reader: VoteReader::new(options),
            items: options.item.is_some().then(ItemNames::named),
            gold: options.gold.is_some().then(|| GoldVotes::new(options)),
            options,
            notes,
            limit,
            rows: 0,
            taken: 0,
            sample: None,
            keeps: true,
        }
    }

    /// All rows so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Names the next item.
    pub(super) fn push_name(&mut self, name: &str) {
        if let (Some(items), true) = (&mut self.items, self.keeps) {
            items.push(name);
        }
    }

    /// Says the true class of the next item.
    pub(super) fn push_gold(&mut self, vote: Vote) {
        if let (Some(gold), true) = (&mut self.gold, self.keeps) {
            gold.votes.push(vote);
        }
    }

    /// Adds an item's votes, ascending by source.
    pub(super) fn push(&mut self, votes: &[(u32, Vote)]) -> Result<(), Problem> {
        if self.keeps {
            self.builder.push(votes)?;
        } else {
            self.builder.leave_out(votes.iter().map(|&(_, vote)| vote));
        }
        let kept = [self.keeps];
        self.end_rows(1, self.sample.is_some().then_some(&kept));
        self.keeps = self.sample.as_ref().is_none_or(|sample| sample.may_keep(self.rows));
        Ok(())
    }

    /// Adds an item without a name on which nobody votes.
    pub(super) fn push_blank(&mut self) -> Result<(), Problem> {
        self.push_name("");
        self.push_gold(ABSTAIN);
        self.push(&[])
    }

    /// Whether each of the next `rows` rows is kept; `None` if all are.
    pub(super) fn choose(&self, rows: usize) -> Option<Vec<bool>> {
        let sample = self.sample.as_ref()?;
        Some((self.rows..).take(rows).map(|row| sample.may_keep(row)).collect())
    }

    /// Says that `rows` rows were added, those `kept` only where these are not all.
    pub(super) fn end_rows(&mut self, rows: usize, kept: Option<&[bool]>) {
        let first = self.rows;
        self.rows += rows as u64;
        let Limit::Sample { patterns, refuse: false } = self.limit else { return };
        if let (Some(sample), Some(kept)) = (&mut self.sample, kept) {
            (first..).zip(kept).filter(|(_, kept)| **kept).for_each(|(row, _)| sample.push(row));
            if sample.is_crowded() {
                self.trim();
            }
        } else if self.builder.patterns() > patterns {
            let sample = RowSample::of_first(self.rows, patterns);
            if (sample.rows().len() as u64) < self.rows {
                let mut kept = sample.rows().iter().copied().peekable();
                let mask: Vec<bool> =
                    (0..self.rows).map(|row| kept.next_if(|&kept| kept == row).is_some()).collect();
                self.retain(&mask);
            }
            self.sample = Some(sample);
        }
    }

    /// Drops the rows that are too many for the sample.
    fn trim(&mut self) {
        if let Some(kept) = self.sample.as_mut().and_then(RowSample::trim) {
            self.retain(&kept);
        }
    }

    fn retain(&mut self, kept: &[bool]) {
        self.builder.retain(|i| kept[i]);
        if let Some(items) = &mut self.items {
            items.retain(|i| kept[i]);
        }
        if let Some(gold) = &mut self.gold {
            let mut flags = kept.iter();
            gold.votes.retain(|_| flags.next().copied().unwrap_or_default());
        }
    }

    /// A part of the table, if there are rows enough for one.
    pub(super) fn full_part(&mut self) -> Result<Option<VotesPart>, Problem> {
        let (items, distinct) = (self.builder.items(), self.builder.patterns());
        match self.limit {
            Limit::Parts { rows, whole } if items >= rows && (self.taken > 0 || distinct > whole) => {
                self.take_part().map(Some)
            }
            Limit::Sample { patterns, refuse: true } if distinct > patterns => {
                Err(Problem::ReadTwice { patterns })
            }
            _ => Ok(None),
        }
    }

    fn take_part(&mut self) -> Result<VotesPart, Problem> {
        let next = VotesBuilder::new(self.builder.sources().clone());
        let held = std::mem::replace(&mut self.builder, next);
        let (votes, decided) = held.finish_noted(self.reader.vocabulary())?;
        let items = self.items.as_mut().map(|items| std::mem::replace(items, ItemNames::named()));
        let items = items.unwrap_or_else(|| ItemNames::row_numbers_from(self.taken, votes.items()));
        let abstain = &self.options.abstain;
        let gold = self.gold.as_mut().map(|gold| gold.take(votes.items(), votes.classes(), abstain));
        // Notes on the votes come with the first part, those on their spelling at the end.
        let mut notes = Vec::new();
        if self.taken == 0 {
            notes.append(&mut self.notes);
            notes.extend(votes.hints());
        }
        self.notes = decided;
        let rows_before = self.taken;
        self.taken += votes.items() as u64;
        Ok(VotesPart { table: VoteTable { votes, items, gold, notes }, rows_before, whole: false })
    }

    /// The rows that are left, if any, and what was decided on the way.
    pub(super) fn finish(mut self) -> Result<(Option<VotesPart>, Ending), Problem> {
        let rows = self.rows;
        if rows == 0 {
            return Err(Problem::HeaderOnly);
        }
        if self.taken == 0 {
            let table = self.finish_whole()?;
            let part = VotesPart { table, rows_before: 0, whole: true };
            return Ok((Some(part), Ending { rows, notes: Vec::new() }));
        }
        let rest = if self.builder.items() > 0 { Some(self.take_part()?) } else { None };
        let known = self.options.classes.as_ref().or(self.options.known.as_ref());
        if let (Some(gold), Some(classes)) = (&self.gold, known) {
            self.notes.extend(gold.finish(classes, &self.options.abstain)?);
        }
        Ok((rest, Ending { rows, notes: self.notes }))
    }

    fn finish_whole(mut self) -> Result<VoteTable, Problem> {
        self.trim();
        let Self { builder, reader, items, gold, options, mut notes, rows, sample, .. } = self;
        let (votes, decided) = builder.finish_noted(reader.vocabulary())?;
        notes.extend(decided);
        if let Some(LonelySource { source, alone }) = votes.lonely_source()
            && options.classes.is_none()
        {
            let name = votes.sources().name(source).to_string();
            return Err(Problem::ManyClassesAlone { name, alone });
        }
        let (strangers, others) = votes.strangers();
        let name = |source: &usize| votes.sources().name(*source).to_string();
        let was_told =
            |name: &String| options.sources.contains(name) || options.expected_sources.contains(name);
        let first: Vec<String> = strangers.iter().map(name).filter(|name| !was_told(name)).collect();
        if !first.is_empty() && options.classes.is_none() && options.known.is_none() && options.only.is_none()
        {
            let second = others.iter().map(name).collect();
            return Err(Problem::Survey(SurveyError::NothingShared { first, second }));
        }
        let items = items.unwrap_or_else(|| match sample {
            Some(sample) if (sample.rows().len() as u64) < rows => numbered(sample.rows()),
            _ => ItemNames::row_numbers(votes.items()),
        });
        table(votes, items, gold, options, notes)
    }
}

fn numbered(rows: &[u64]) -> ItemNames {
    let mut names = ItemNames::named();
    for row in rows {
        names.push_number(row);
    }
    names
}
