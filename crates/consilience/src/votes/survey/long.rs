//! Tables with one row per vote: which columns are item, source and vote.
//!
//! A vote depends on who votes and on what. A column with one value for each item describes the items, and one with one value
//! for each source describes the sources; neither holds votes.

mod choice;

use std::cell::RefCell;
use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use super::names::{
    are_contract, gold_rank, have_a_name_in_common, is_gold_of, is_id, is_other_id, item_rank, mentions_gold,
    source_rank, vote_rank,
};
use super::{Layout, Sample, SampleColumn, SurveyError, Told};
use crate::votes::notes::ReadingNote;

/// A table with more columns is not searched for the three by what they hold, nor, where names tell two of them, one with more
/// than the second number.
const MOST_COLUMNS: [usize; 2] = [16, 64];

/// Votes are for at most so many classes, if no name says that they are votes.
const FEW: usize = 20;

/// Standard errors above which votes on an item agree for sure.
const BEYOND_CHANCE: f64 = 4.0;

/// The layout, if there is one row per vote.
pub(super) fn find(
    sample: &Sample,
    told: &Told,
    notes: &mut Vec<ReadingNote>,
) -> Result<Option<Layout>, SurveyError> {
    let asked = told.long == Some(true) || told.long_source.is_some() || told.long_vote.is_some();
    if told.long == Some(false) && !asked {
        return Ok(None);
    }
    let table = Table::new(sample, told);
    let named = table.by_name();
    let found = if asked {
        let found = match named.complete() {
            Some(found) => {
                table.check_votes(found)?;
                Some(found)
            }
            None => table.by_content(&named)?,
        };
        Some(found.ok_or_else(|| table.missing(&named))?)
    } else if let Some(found) = named.complete() {
        let found = table.rather_than_gold(found, &named);
        if table.is_rather_wide(found) {
            let columns = [found.item, found.source, found.vote].map(|column| table.name(column)).to_vec();
            notes.push(ReadingNote::WideDespiteHeader { columns });
            return Ok(None);
        }
        let panel = table.panel_beside(found);
        if !panel.is_empty() {
            let long = [found.item, found.source, found.vote].map(|column| table.name(column)).to_vec();
            return Err(SurveyError::LongOrWide { long, panel });
        }
        table.check_votes(found)?;
        Some(found)
    } else {
        table.refuse_merged_cells(&named)?;
        let found = table.by_content(&named)?.or_else(|| table.despite_names(&named));
        if found.is_none() {
            table.refuse_several_questions(&named)?;
        }
        found
    };
    let Some(columns) = found else { return Ok(None) };
    let gold = table.gold(columns);
    if let Some(gold) = gold
        && told.gold.is_none()
    {
        notes.push(ReadingNote::GoldByName { column: table.name(gold) });
    }
    table.note(columns, gold, asked, notes);
    let Columns { item, source, vote } = columns;
    Ok(Some(Layout::Long { item, source, vote, gold }))
}

/// The three columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Columns {
    item: usize,
    source: usize,
    vote: usize,
}

/// Those of the three that names reveal.
#[derive(Clone, Copy, Debug)]
struct Named {
    item: Option<usize>,
    source: Option<usize>,
    vote: Option<usize>,
}

impl Named {
    fn complete(self) -> Option<Columns> {
        Some(Columns { item: self.item?, source: self.source?, vote: self.vote? })
    }
}

struct Table<'a> {
    sample: &'a Sample,
    told: &'a Told,
    /// Answers about pairs of columns: hundreds of choices of three columns ask for the same few.
    shared: RefCell<HashMap<(usize, usize), f64>>,
    fixed: RefCell<HashMap<(usize, usize), bool>>,
    paired: RefCell<HashMap<(usize, usize), bool>>,
}

/// The answer to `key`, found once.
fn once<K: Copy + Eq + Hash, T: Copy>(known: &RefCell<HashMap<K, T>>, key: K, find: impl FnOnce() -> T) -> T {
    if let Some(&found) = known.borrow().get(&key) {
        return found;
    }
    let found = find();
    known.borrow_mut().insert(key, found);
    found
}

impl<'a> Table<'a> {
    fn new(sample: &'a Sample, told: &'a Told) -> Self {
        Self {
            sample,
            told,
            shared: RefCell::default(),
            fixed: RefCell::default(),
            paired: RefCell::default(),
        }
    }

    fn column(&self, at: usize) -> &SampleColumn {
        &self.sample.columns[at]
    }

    fn name(&self, at: usize) -> String {
        self.column(at).name.clone()
    }

    fn rows(&self) -> usize {
        self.sample.columns.first().map_or(0, SampleColumn::rows)
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.sample.columns.iter().position(|column| column.name == name)
    }

    /// Whether the column was not given another role.
    fn is_free(&self, at: usize) -> bool {
        let name = &self.column(at).name;
        self.told.gold.as_ref() != Some(name)
            && !self.told.ignore.contains(name)
            && !self.told.sources.contains(name)
            && self.column(at).kind.is_none()
    }

    fn by_name(&self) -> Named {
        let told = |name: &Option<String>| name.as_ref().and_then(|name| self.position(name));
        let mut taken: Vec<usize> = [&self.told.item, &self.told.long_source, &self.told.long_vote]
            .into_iter()
            .filter_map(told)
            .collect();
        let mut best = |told: Option<usize>, rank: &dyn Fn(usize) -> Option<usize>| {
            if told.is_some() {
                return told;
            }
            let free = (0..self.sample.columns.len()).filter(|&at| self.is_free(at) && !taken.contains(&at));
            let (_, found) = free.filter_map(|at| Some((rank(at)?, at))).min()?;
            taken.push(found);
            Some(found)
        };
        let name = |at: usize| self.column(at).name.as_str();
        let source = best(told(&self.told.long_source), &|at| source_rank(name(at)));
        // A column that says the same of all votes on an item is rather gold than a vote; items occur more than once.
        let item = best(told(&self.told.item), &|at| {
            let column = self.column(at);
            if 2 * column.filled() < self.rows() {
                return None;
            }
            let is_of_source =
                column.different() == 1 || source.is_some_and(|source| self.is_fixed(at, source));
            let unlikely = usize::from(column.names_each_row() || is_of_source);
            Some(
                100 * unlikely + item_rank(name(at))?
                    - usize::from(is_id(name(at)) && item_rank(name(at))? > 0),
            )
        });
        // Of two columns of other identifiers, either may be the items.
        let is_other =
            |at: usize| is_other_id(name(at)) && self.is_free(at) && !self.column(at).names_each_row();
        let others = (0..self.sample.columns.len()).filter(|&at| is_other(at)).count();
        let unclear = source.is_none() && others > 1 && self.told.item.is_none();
        let item = item.filter(|&at| !(unclear && is_other(at)));
        let vote = best(told(&self.told.long_vote), &|at| {
            let fixed = item.is_some_and(|item| self.is_fixed(at, item));
            Some(100 * usize::from(fixed) + vote_rank(name(at))?)
        });
        Named { item, source, vote }
    }

    /// Whether the column has one value for each value of `by`, the items or the sources, and some of them more than one row.
    fn is_fixed(&self, at: usize, by: usize) -> bool {
        once(&self.fixed, (at, by), || {
            let (cells, by_cells) = (&self.column(at).cells, &self.column(by).cells);
            let mut value = HashMap::new();
            let mut filled = cells.iter().zip(by_cells).filter(|(cell, _)| **cell != 0);
            filled.all(|(&cell, &by)| *value.entry(by).or_insert(cell) == cell)
                && self.column(by).different() < self.rows()
        })
    }

    /// Refuses a table with several columns whose names say as well as that of `vote` that they hold the votes.
    fn check_votes(&self, Columns { item, source, vote }: Columns) -> Result<(), SurveyError> {
        let Some(rank) = vote_rank(&self.column(vote).name) else { return Ok(()) };
        if self.told.long_vote.is_some() || self.is_fixed(vote, item) {
            return Ok(());
        }
        let is_rival = |&at: &usize| {
            let column = self.column(at);
            ![item, source].contains(&at)
                && self.is_free(at)
                && vote_rank(&column.name) == Some(rank)
                && column.different() > 1
                && !self.is_fixed(at, item)
        };
        let rivals: Vec<String> =
            (0..self.sample.columns.len()).filter(is_rival).map(|at| self.name(at)).collect();
        if rivals.len() > 1 { Err(SurveyError::UnclearVotes { columns: rivals }) } else { Ok(()) }
    }

    /// How far the rows of an item agree on the column beyond chance, in standard errors.
    fn agreement(&self, at: usize, item: usize) -> f64 {
        let (cells, items) = (&self.column(at).cells, &self.column(item).cells);
        let (mut of_value, mut of_item) = (HashMap::new(), HashMap::new());
        let mut of_both: HashMap<(u32, u32), u64> = HashMap::new();
        for (&cell, &item) in cells.iter().zip(items).filter(|(cell, _)| **cell != 0) {
            *of_value.entry(cell).or_insert(0u64) += 1;
            *of_item.entry(item).or_insert(0u64) += 1;
            *of_both.entry((item, cell)).or_insert(0) += 1;
        }
        let pairs = |count: &u64| (count * (count - 1) / 2) as f64;
        let (all, equal) =
            (of_item.values().map(pairs).sum::<f64>(), of_both.values().map(pairs).sum::<f64>());
        let cells = of_value.values().sum::<u64>() as f64;
        let by_chance: f64 = of_value.values().map(|&count| (count as f64 / cells).powi(2)).sum();
        let error = (all * by_chance * (1.0 - by_chance)).sqrt();
        if error > 0.0 { (equal - all * by_chance) / error } else { 0.0 }
    }

    /// The values of two columns that are the same, as a share of the first one's cells.
    fn shared(&self, a: usize, b: usize) -> f64 {
        once(&self.shared, (a, b), || {
            let lower = |at: usize| self.column(at).texts.iter().map(|text| text.to_lowercase());
            let other: HashSet<String> = lower(b).collect();
            let is_shared: Vec<bool> = lower(a).map(|text| other.contains(&text)).collect();
            let cells = &self.column(a).cells;
            let hits = cells.iter().filter(|&&cell| cell != 0 && is_shared[cell as usize - 1]).count();
            hits as f64 / self.column(a).filled().max(1) as f64
        })
    }

    /// Whether the names suggest one row per vote, but no item occurs twice and columns share their values as sources do.
    fn is_rather_wide(&self, Columns { item, source, vote }: Columns) -> bool {
        const MOST: f64 = 0.5;
        if !self.column(item).names_each_row() {
            return false;
        }
        let others = (0..self.sample.columns.len()).filter(|&at| {
            ![item, source, vote].contains(&at) && self.is_free(at) && self.shared(at, vote) > MOST
        });
        self.shared(source, vote) > MOST
            || others.count() >= 2
            || !self.panel_beside(Columns { item, source, vote }).is_empty()
    }

    /// Columns beside the three that look like sources side by side, by their values and by their names.
    fn panel_beside(&self, Columns { item, source, vote }: Columns) -> Vec<String> {
        let others: Vec<usize> = (0..self.sample.columns.len())
            .filter(|&at| ![item, source, vote].contains(&at) && self.is_free(at))
            .filter(|&at| (2..=FEW).contains(&self.column(at).different()) && !self.is_fixed(at, item))
            .collect();
        let are_alike = |a: usize, b: usize| {
            have_a_name_in_common(&self.column(a).name, &self.column(b).name)
                && self.shared(a, b) > 0.5
                && self.shared(b, a) > 0.5
        };
        let has_twin = |&&a: &&usize| others.iter().any(|&b| a != b && are_alike(a, b));
        others.iter().filter(has_twin).map(|&at| self.name(at)).collect()
    }

    /// The three by what they hold, given those that names reveal; `None` if nothing fits.
    fn by_content(&self, named: &Named) -> Result<Option<Columns>, SurveyError> {
        let free: Vec<usize> = (0..self.sample.columns.len()).filter(|&at| self.is_free(at)).collect();
        // An identifier of every row is that of the vote.
        let is_of_vote = |at: usize| is_other_id(&self.column(at).name) && self.column(at).names_each_row();
        let named =
            &Named { item: named.item.filter(|&at| self.told.item.is_some() || !is_of_vote(at)), ..*named };
        let told = [named.item, named.source, named.vote].into_iter().flatten().count();
        let most = MOST_COLUMNS[usize::from(told >= 2)];
        if free.len() < 3 || free.len() > most || self.rows() < 4 {
            return Ok(None);
        }
        // Where no name helps, three columns are all there is, or every source votes on an item once and hardly by chance.
        let must_pair = told == 0 && free.len() > 3;
        let choices = |named: Option<usize>| named.map_or_else(|| free.clone(), |at| vec![at]);
        let mut found: Vec<Columns> = Vec::new();
        for &item in &choices(named.item) {
            for &source in &choices(named.source) {
                for &vote in &choices(named.vote) {
                    let columns = Columns { item, source, vote };
                    if item != source
                        && item != vote
                        && source != vote
                        && self.fits(columns, named)
                        && (!must_pair || self.are_pairs(item, source))
                    {
                        found.push(columns);
                    }
                }
            }
        }
        self.keep_one_of_the_same(&mut found);
        self.choose_votes(&mut found)?;
        // There are more items than sources, and fewer classes than either; votes on an item agree.
        let order = |columns: &Columns| {
            let agree = self.agreement(columns.vote, columns.item) > BEYOND_CHANCE;
            let items = self.column(columns.item).different();
            (self.column(columns.vote).different(), !agree, usize::MAX - items)
        };
        let Some(best) = found.iter().min_by_key(|columns| order(columns)) else { return Ok(None) };
        let ties = found.iter().filter(|columns| order(columns) == order(best)).count();
        if ties > 1 {
            let columns = free.iter().map(|&at| self.name(at)).collect();
            return Err(SurveyError::UnclearLong { columns });
        }
        Ok(Some(*best))
    }

    fn fits(&self, Columns { item, source, vote }: Columns, named: &Named) -> bool {
        let rows = self.rows();
        let (items, sources, votes) = (self.column(item), self.column(source), self.column(vote));
        let full = || items.filled() == rows && sources.filled() == rows;
        let repeated = 4 * items.different() <= 3 * rows && 2 * sources.different() <= rows;
        let several = items.different() >= 2 && sources.different() >= 2 && votes.different() >= 2;
        let few = votes.different() <= if named.vote.is_some() { rows / 2 } else { FEW.min(rows / 2) };
        // What is cheap to find out comes first.
        if !(repeated && several && few && full()) {
            return false;
        }
        let distinct = |a: usize, b: usize, either_named: bool| either_named || self.shared(a, b) <= 0.0;
        let paired = self.are_pairs(item, source);
        // Numbers of items, sources and classes are often the same.
        let apart = distinct(item, source, paired || (named.item.is_some() && named.source.is_some()))
            && distinct(source, vote, paired || (named.source.is_some() && named.vote.is_some()))
            && distinct(item, vote, paired || (named.item.is_some() && named.vote.is_some()));
        let lone = (0..self.sample.columns.len())
            .filter(|&at| ![item, source, vote].contains(&at) && self.is_free(at))
            .filter(|&at| !(self.is_fixed(at, item) || paired && self.is_fixed(at, source)))
            .filter(|&at| self.shared(at, vote) > 0.5)
            .count();
        // A difficulty beside a rating has the same values, but names tell who votes and what.
        let is_told = paired && lone == 1 && named.source.is_some() && named.vote.is_some();
        let lone = is_told || (lone == 0 && !self.has_panel(item, paired.then_some(source)));
        apart
            && lone
            && !self.is_fixed(vote, item)
            && (named.vote.is_some() || !self.is_fixed(vote, source))
            && !self.is_fixed(item, source)
            && self.pairs_are_unique(item, source, vote)
    }

    /// Whether rows of one item have different sources, far more often than by chance: each source votes on an item once.
    fn are_pairs(&self, item: usize, source: usize) -> bool {
        once(&self.paired, (item, source), || {
            /// So many repeats would be expected by chance.
            const EXPECTED: f64 = 8.0;
            const RARE: f64 = 20.0;
            let (items, sources) = (&self.column(item).cells, &self.column(source).cells);
            let (mut of_item, mut of_source) = (HashMap::new(), HashMap::new());
            let mut of_both: HashMap<(u32, u32), u64> = HashMap::new();
            for (&item, &source) in
                items.iter().zip(sources).filter(|(item, source)| **item != 0 && **source != 0)
            {
                *of_item.entry(item).or_insert(0u64) += 1;
                *of_source.entry(source).or_insert(0u64) += 1;
                *of_both.entry((item, source)).or_insert(0) += 1;
            }
            let pairs = |count: &u64| (count * (count - 1) / 2) as f64;
            let (all, repeated) =
                (of_item.values().map(pairs).sum::<f64>(), of_both.values().map(pairs).sum::<f64>());
            let rows = of_source.values().sum::<u64>().max(1) as f64;
            let same: f64 = of_source.values().map(|&count| (count as f64 / rows).powi(2)).sum();
            all * same >= EXPECTED && RARE * repeated <= all * same
        })
    }

    /// Where the column that is named like the votes says the same of all votes on an item, it is gold, if another one may hold the
    /// votes.
    fn rather_than_gold(&self, found: Columns, named: &Named) -> Columns {
        if self.told.long_vote.is_some() || !self.is_fixed(found.vote, found.item) {
            return found;
        }
        let other = self.by_content(&Named { vote: None, ..*named });
        other.ok().flatten().unwrap_or(found)
    }

    /// Refuses a table whose items are written once each, above the rows of their votes, as merged cells of spreadsheets are.
    fn refuse_merged_cells(&self, named: &Named) -> Result<(), SurveyError> {
        let Some(source) = named.source.filter(|&at| self.column(at).filled() == self.rows()) else {
            return Ok(());
        };
        let sources = &self.column(source).cells;
        let is_merged = |&at: &usize| {
            let column = self.column(at);
            let written_once = column.filled() == column.different() && column.cells.first() != Some(&0);
            let mut voted = HashSet::new();
            at != source
                && self.is_free(at)
                && written_once
                && (2..self.rows()).contains(&column.filled())
                && column.cells.iter().zip(sources).all(|(&cell, &source)| {
                    if cell != 0 {
                        voted.clear();
                    }
                    voted.insert(source)
                })
        };
        match (0..self.sample.columns.len()).find(is_merged) {
            Some(at) => {
                let (filled, rows) = (self.column(at).filled(), self.rows());
                Err(SurveyError::MergedCells { column: self.name(at), empty: rows - filled, rows })
            }
            None => Ok(()),
        }
    }

    /// Refuses a table whose names say item and source, each pair once, and which has several columns of votes.
    fn refuse_several_questions(&self, named: &Named) -> Result<(), SurveyError> {
        let (Some(item), Some(source), None) = (named.item, named.source, named.vote) else { return Ok(()) };
        if !self.are_pairs(item, source) {
            return Ok(());
        }
        let is_vote = |&at: &usize| {
            ![item, source].contains(&at)
                && self.is_free(at)
                && (2..=FEW).contains(&self.column(at).different())
                && !self.is_fixed(at, item)
                && !self.is_fixed(at, source)
        };
        let votes: Vec<String> =
            (0..self.sample.columns.len()).filter(is_vote).map(|at| self.name(at)).collect();
        if votes.len() > 1 { Err(SurveyError::UnclearVotes { columns: votes }) } else { Ok(()) }
    }

    /// Whether two columns that differ among the rows of an item have most values in common, as sources side by side have.
    fn has_panel(&self, item: usize, source: Option<usize>) -> bool {
        let alike: Vec<usize> = (0..self.sample.columns.len())
            .filter(|&at| {
                at != item
                    && Some(at) != source
                    && self.is_free(at)
                    && self.column(at).different() > 1
                    && !self.is_fixed(at, item)
                    && !source.is_some_and(|source| self.is_fixed(at, source))
            })
            .collect();
        alike
            .iter()
            .enumerate()
            .any(|(i, &a)| alike[i + 1..].iter().any(|&b| self.shared(a, b) > 0.5 && self.shared(b, a) > 0.5))
    }

    /// Whether a source votes on an item once, or always for the same.
    fn pairs_are_unique(&self, item: usize, source: usize, vote: usize) -> bool {
        let (items, sources, votes) =
            (&self.column(item).cells, &self.column(source).cells, &self.column(vote).cells);
        let mut cast: HashMap<(u32, u32), u32> = HashMap::with_capacity(items.len());
        let conflicts = items
            .iter()
            .zip(sources)
            .zip(votes)
            .filter(|&((&item, &source), &vote)| *cast.entry((item, source)).or_insert(vote) != vote)
            .count();
        // Two-column tables turned into pairs are mostly repeats; few of those are slips of a tool.
        conflicts == 0 && 10 * cast.len() >= 9 * items.len()
    }

    /// The gold column: as given, or by name and the same for all votes on an item.
    fn gold(&self, Columns { item, source, vote }: Columns) -> Option<usize> {
        if let Some(gold) = &self.told.gold {
            return self.position(gold);
        }
        let candidates = (0..self.sample.columns.len())
            .filter(|&at| ![item, source, vote].contains(&at) && self.is_free(at))
            .filter(|&at| self.is_fixed(at, item) && self.shared(at, vote) > 0.0);
        let name = |at: usize| self.column(at).name.as_str();
        let ranked = candidates.filter_map(|at| {
            let is_gold = || mentions_gold(name(at)) || is_gold_of(name(at), name(vote));
            let rank = gold_rank(name(at)).or_else(|| is_gold().then_some(usize::MAX))?;
            Some((rank, at))
        });
        ranked.min().map(|(_, at)| at)
    }

    fn note(
        &self,
        Columns { item, source, vote }: Columns,
        gold: Option<usize>,
        asked: bool,
        notes: &mut Vec<ReadingNote>,
    ) {
        let used = |at: usize| [item, source, vote].contains(&at) || gold == Some(at);
        let unused: Vec<String> = self
            .sample
            .columns
            .iter()
            .enumerate()
            .filter(|(at, column)| !used(*at) && !self.told.ignore.contains(&column.name))
            .filter(|(_, column)| !column.name.trim().is_empty() || column.filled() > 0)
            .map(|(_, column)| column.name.clone())
            .collect();
        let (item, source, vote) = (self.name(item), self.name(source), self.name(vote));
        let plain = asked || are_contract(&item, &source, &vote);
        if !plain || !unused.is_empty() {
            notes.push(ReadingNote::Long { item, source, vote, unused });
        }
    }

    fn missing(&self, named: &Named) -> SurveyError {
        let columns = self.sample.columns.iter().map(|column| column.name.clone()).collect();
        let wanted = [(named.item, "item"), (named.source, "source"), (named.vote, "vote")];
        let missing: Vec<String> =
            wanted.iter().filter(|(found, _)| found.is_none()).map(|(_, name)| (*name).to_string()).collect();
        if missing.is_empty() {
            SurveyError::UnclearLong { columns }
        } else {
            SurveyError::NotLong { missing, columns }
        }
    }
}
