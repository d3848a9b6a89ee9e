//! Wide tables that come column by column: columns are read in strips, side by side, and put together to rows.
//!
//! A strip is a fixed number of neighbouring columns, so the result, errors included, does not depend on the number of
//! threads. While the rows of one batch go into the table, the columns of the next one are decoded.

use arrow::array::ArrayRef;
use consilience::sources::{ABSTAIN, Vote};
use rayon::prelude::*;

use super::array::{RowProblem, each_vote, names};
use crate::items::ItemNames;
use crate::read::cell::VoteReader;
use crate::read::columns::Role;
use crate::read::error::{Place, Problem, ReadError};
use crate::read::gold::GoldVotes;
use crate::read::options::ReadOptions;
use crate::read::wide_rows::WideRows;

/// Columns a strip; enough of them to pay for its overhead, few enough to keep many threads busy.
pub(super) const STRIP: usize = 4;

/// Rows of a batch of a table with `columns` columns: what fits a cache in a usual table, and memory in a very wide one.
pub(super) fn batch_rows(columns: usize) -> usize {
    ((1 << 23) / columns.max(1)).clamp(64, 1 << 14)
}

/// A column in use.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its position in the file.
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) role: Role,
}

/// The columns of a table that have a use, cut into strips.
pub(super) fn strips(names: &[String], roles: &[Role], options: &ReadOptions) -> Vec<Strip> {
    let used: Vec<Column> = names
        .iter()
        .zip(roles)
        .enumerate()
        .filter(|(_, (_, role))| **role != Role::Ignored)
        .map(|(index, (name, role))| Column { index, name: name.clone(), role: *role })
        .collect();
    used.chunks(STRIP).map(|columns| Strip::new(columns.to_vec(), options)).collect()
}

/// Neighbouring columns that are read together, with their own view of the classes.
pub(super) struct Strip {
    pub(super) columns: Vec<Column>,
    reader: VoteReader,
    gold: VoteReader,
}

/// What a strip holds in one batch of rows.
pub(super) struct StripBatch {
    rows: usize,
    /// For each source column, the row and vote of each cell that does not abstain.
    votes: Vec<(u32, Vec<(u32, Vote)>)>,
    items: Option<ItemNames>,
    gold: Option<Vec<Vote>>,
}

/// A problem in a batch: its row there, its column, and what it is.
pub(super) struct CellProblem {
    pub(super) row: usize,
    pub(super) column: Column,
    pub(super) problem: Problem,
}

impl Strip {
    fn new(columns: Vec<Column>, options: &ReadOptions) -> Self {
        Self { columns, reader: VoteReader::new(options), gold: VoteReader::of_gold(options) }
    }

    /// Reads the arrays of one batch, one for each column of the strip.
    pub(super) fn read(&mut self, arrays: &[ArrayRef]) -> Result<StripBatch, Box<CellProblem>> {
        let rows = arrays.first().map_or(0, |array| array.len());
        let mut batch = StripBatch { rows, votes: Vec::new(), items: None, gold: None };
        let mut first_problem: Option<CellProblem> = None;
        for (column, array) in self.columns.iter().zip(arrays) {
            let result = read_column(column.role, array, &mut self.reader, &mut self.gold, &mut batch);
            if let Err((row, problem)) = result
                && first_problem.as_ref().is_none_or(|first| row < first.row)
            {
                first_problem = Some(CellProblem { row, column: column.clone(), problem });
            }
        }
        first_problem.map_or(Ok(batch), |problem| Err(Box::new(problem)))
    }
}

fn read_column(
    role: Role,
    array: &ArrayRef,
    reader: &mut VoteReader,
    gold_reader: &mut VoteReader,
    batch: &mut StripBatch,
) -> Result<(), RowProblem> {
    match role {
        Role::Source(source) => {
            let mut votes = Vec::with_capacity(array.len() - array.logical_null_count());
            each_vote(array, reader, &mut |row, vote| votes.push((row, vote)))?;
            batch.votes.push((source, votes));
        }
        Role::Gold => {
            let mut gold = vec![ABSTAIN; array.len()];
            each_vote(array, gold_reader, &mut |row, vote| gold[row as usize] = vote)?;
            batch.gold = Some(gold);
        }
        Role::Item => {
            let names = names(array).map_err(|problem| (0, problem))?;
            batch.items = Some(names.iter().map(Option::unwrap_or_default).collect());
        }
        Role::Ignored => {}
    }
    Ok(())
}

/// The batches of all strips over the same rows.
pub(super) type Batches = Vec<StripBatch>;

/// Reads one batch of every strip with `next`, on all threads; `None` at the end of the table.
pub(super) fn read_all<S: Send>(
    strips: &mut [S],
    next: impl Fn(&mut S) -> Option<Result<StripBatch, StripProblem>> + Sync + Send,
) -> Option<Result<Batches, StripProblem>> {
    let results: Vec<_> = strips.par_iter_mut().map(next).collect();
    if results.iter().all(Option::is_none) {
        return None;
    }
    let mut batches: Batches = Vec::with_capacity(results.len());
    let mut first: Option<StripProblem> = None;
    for result in results {
        match result.unwrap_or_else(|| Err(uneven())) {
            Ok(batch) if batches.first().is_some_and(|other| other.rows != batch.rows) => {
                return Some(Err(uneven()));
            }
            Ok(batch) => batches.push(batch),
            Err(problem) => {
                first = Some(match first {
                    Some(first) if first.order() <= problem.order() => first,
                    _ => problem,
                });
            }
        }
    }
    Some(first.map_or(Ok(batches), Err))
}

/// Some columns end before others.
fn uneven() -> StripProblem {
    let detail = "its columns have different numbers of rows".to_string();
    StripProblem::Broken(Problem::Damaged { what: "table", detail })
}

/// Why a batch of a strip could not be read.
pub(super) enum StripProblem {
    Cell(Box<CellProblem>),
    /// The bytes could not be decoded.
    Broken(Problem),
}

impl StripProblem {
    /// Which of the problems of one batch is reported: the one that comes first in the file.
    fn order(&self) -> (usize, usize) {
        match self {
            Self::Cell(cell) => (cell.row, cell.column.index),
            Self::Broken(_) => (usize::MAX, 0),
        }
    }

    pub(super) fn at(self, place: &Place, rows_before: u64) -> ReadError {
        match self {
            Self::Cell(cell) => {
                let CellProblem { row, column, problem } = *cell;
                place.row(rows_before + row as u64 + 1).column(&column.name).because(problem)
            }
            Self::Broken(problem) => place.clone().because(problem),
        }
    }
}

/// Puts batches of columns together to rows of the table.
pub(super) struct Assembly<'a> {
    pub(super) table: WideRows<'a>,
    /// For each strip, this table's number for each of the strip's votes.
    relabel: Vec<Vec<Vote>>,
    relabel_gold: Vec<Vote>,
    row_ends: Vec<u32>,
    row_votes: Vec<(u32, Vote)>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(table: WideRows<'a>) -> Self {
        Self {
            table,
            relabel: Vec::new(),
            relabel_gold: vec![ABSTAIN],
            row_ends: Vec::new(),
            row_votes: Vec::new(),
        }
    }

    /// Takes over the classes that the strips have seen.
    pub(super) fn learn_classes<'s>(
        &mut self,
        strips: impl Iterator<Item = &'s Strip>,
    ) -> Result<(), Problem> {
        for (s, strip) in strips.enumerate() {
            if self.relabel.len() <= s {
                self.relabel.push(vec![ABSTAIN]);
            }
            if self.relabel[s].len() <= strip.reader.vocabulary().names().len() {
                self.relabel[s] = self.table.reader.absorb(&strip.reader)?;
            }
            if let Some(gold) = &mut self.table.gold
                && strip.columns.iter().any(|column| column.role == Role::Gold)
                && self.relabel_gold.len() <= strip.gold.vocabulary().names().len()
            {
                self.relabel_gold = gold.reader.absorb(&strip.gold)?;
            }
        }
        Ok(())
    }

    /// Adds the rows of one batch.
    pub(super) fn push(&mut self, batches: &Batches) -> Result<(), Problem> {
        let rows = batches.first().map_or(0, |batch| batch.rows);
        let kept = self.table.choose(rows);
        let keeps = |row: usize| kept.as_ref().is_none_or(|kept| kept[row]);
        match &kept {
            None => self.gather(batches, rows, |_| true),
            Some(kept) => self.gather(batches, rows, |row| kept[row]),
        }
        let mut start = 0;
        for row in (0..rows).filter(|&row| keeps(row)) {
            let end = self.row_ends[row] as usize;
            self.table.builder.push(&self.row_votes[start..end])?;
            start = end;
        }
        for batch in batches {
            if let (Some(items), Some(names)) = (&mut self.table.items, &batch.items) {
                match &kept {
                    None => items.append(names),
                    Some(kept) => {
                        kept.iter()
                            .zip(names.iter())
                            .filter(|(kept, _)| **kept)
                            .for_each(|(_, name)| items.push(&name));
                    }
                }
            }
            if let (Some(GoldVotes { votes, .. }), Some(gold)) = (&mut self.table.gold, &batch.gold) {
                let gold = gold.iter().enumerate().filter(|(row, _)| keeps(*row));
                votes.extend(gold.map(|(_, &vote)| self.relabel_gold[vote as usize]));
            }
        }
        self.table.end_rows(rows, kept.as_deref());
        Ok(())
    }

    /// Sorts the votes by row, keeping the order of the columns: counts first, then each vote goes to its place. Votes of rows
    /// that are not kept are only counted.
    fn gather(&mut self, batches: &Batches, rows: usize, keeps: impl Fn(usize) -> bool) {
        let columns = || batches.iter().flat_map(|batch| &batch.votes);
        self.row_ends.clear();
        self.row_ends.resize(rows, 0);
        for (_, votes) in columns() {
            for &(row, _) in votes {
                self.row_ends[row as usize] += u32::from(keeps(row as usize));
            }
        }
        let mut total = 0;
        for end in &mut self.row_ends {
            // For now the start of the row; it moves to the end as the row fills up.
            total += std::mem::replace(end, total);
        }
        self.row_votes.resize(total as usize, (0, ABSTAIN));
        let mut left_out = Vec::new();
        for (batch, relabel) in batches.iter().zip(&self.relabel) {
            left_out.clear();
            left_out.resize(relabel.len(), 0u64);
            for (source, votes) in &batch.votes {
                for &(row, vote) in votes {
                    if keeps(row as usize) {
                        let place = &mut self.row_ends[row as usize];
                        self.row_votes[*place as usize] = (*source, relabel[vote as usize]);
                        *place += 1;
                    } else {
                        left_out[vote as usize] += 1;
                    }
                }
            }
            for (&vote, &times) in relabel.iter().zip(&left_out).filter(|(_, times)| **times > 0) {
                self.table.builder.leave_out_times(vote, times);
            }
        }
    }
}
