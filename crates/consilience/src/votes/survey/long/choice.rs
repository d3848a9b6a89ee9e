//! Which of several choices of the three columns is meant.

use super::{BEYOND_CHANCE, Columns, Named, Table};
use crate::votes::survey::SurveyError;
use crate::votes::survey::names::{item_rank, source_rank};

impl Table<'_> {
    /// The three by what they hold where a name misleads (`Which message are you rating?`), if every source votes on an item once and
    /// hardly by chance.
    pub(super) fn despite_names(&self, named: &Named) -> Option<Columns> {
        if self.told.item.is_some() {
            return None;
        }
        let without = [
            Named { vote: None, ..*named },
            Named { item: None, ..*named },
            Named { item: None, source: None, vote: None },
        ];
        let fits = |named: &Named| {
            let found = self.by_content(named).ok().flatten()?;
            self.are_pairs(found.item, found.source).then_some(found)
        };
        without.iter().find_map(fits)
    }

    /// Keeps one of several columns that name the same items, or the same sources, in other words.
    pub(super) fn keep_one_of_the_same(&self, found: &mut Vec<Columns>) {
        let are_same = |a: usize, b: usize| a == b || (self.is_fixed(a, b) && self.is_fixed(b, a));
        let rank = |of: &Columns| {
            let name = |at: usize| self.column(at).name.as_str();
            let of_item = item_rank(name(of.item)).unwrap_or(usize::MAX);
            (of_item, source_rank(name(of.source)).unwrap_or(usize::MAX), of.item, of.source)
        };
        let mut kept: Vec<Columns> = Vec::new();
        for columns in std::mem::take(found) {
            let same = kept.iter_mut().find(|other| {
                other.vote == columns.vote
                    && are_same(other.item, columns.item)
                    && are_same(other.source, columns.source)
            });
            match same {
                Some(other) if rank(&columns) < rank(other) => *other = columns,
                Some(_) => {}
                None => kept.push(columns),
            }
        }
        *found = kept;
    }

    /// Where several columns could hold the votes, keeps the one on which the rows of an item agree.
    pub(super) fn choose_votes(&self, found: &mut Vec<Columns>) -> Result<(), SurveyError> {
        const LIKE_CHANCE: f64 = 2.0;
        let mut votes: Vec<usize> = found.iter().map(|columns| columns.vote).collect();
        votes.sort_unstable();
        votes.dedup();
        let items: Vec<usize> = found.iter().map(|columns| columns.item).collect();
        // Which column is the votes is asked only where it is clear which one is the items.
        if votes.len() < 2 || items.iter().any(|&item| item != items[0]) {
            return Ok(());
        }
        let agreement: Vec<f64> = votes.iter().map(|&vote| self.agreement(vote, items[0])).collect();
        let agreed = agreement.iter().filter(|&&z| z > BEYOND_CHANCE).count();
        let others = agreement.iter().filter(|&&z| z < LIKE_CHANCE).count();
        if agreed == 1 && agreed + others == votes.len() {
            found.retain(|columns| self.agreement(columns.vote, columns.item) > BEYOND_CHANCE);
            return Ok(());
        }
        Err(SurveyError::UnclearVotes { columns: votes.into_iter().map(|vote| self.name(vote)).collect() })
    }
}
