//! Which columns are sources: those with few values, which other columns have too.

use hashbrown::HashMap;

use super::profile::{FEW, Profile, Values};
use super::{SurveyError, Told};
use crate::votes::notes::{NotSource, ReadingNote};

/// More classes than this that only one column knows are never a source's.
const MOST_ALONE: usize = 100;

/// A share of cells that is most of them.
const MOST: f64 = 0.5;

/// Two columns with free answers agree in at least this share of the rows.
const AGREE: f64 = 0.2;

/// With fewer rows, one value in every row says nothing.
const ROWS: usize = 5;

/// A class that only one column votes for is worth a word if it has at least this share of the column's votes.
const WORTH_A_WORD: f64 = 0.05;

/// In fewer rows, numbers may add up to the same by chance; with two columns, in fewer than twice as many.
const ROWS_OF_CLASSES: usize = 10;

/// In fewer rows, all votes of a source may differ by chance.
const ROWS_OF_ITEMS: usize = 8;

/// At most so many columns are looked at to find those that are certainly sources.
const LOOK_AT: usize = 64;

/// What was decided about columns that could be sources.
pub(super) struct Decided {
    /// Columns that are none, each with the reason.
    pub(super) not_sources: Vec<(usize, NotSource)>,
    /// Sources that are odd.
    pub(super) only_here: Vec<ReadingNote>,
}

/// Tells sources from other columns.
pub(super) fn decide(
    profiles: &[Profile],
    is_forced: &dyn Fn(&Profile) -> bool,
    values: &Values,
    told: &Told,
) -> Result<Decided, SurveyError> {
    let mut table = Table::new(profiles, values, told);
    let mut not_sources: Vec<(usize, NotSource)> = Vec::new();
    let free = |p: usize| !is_forced(&profiles[p]);
    let fractions: Vec<usize> = (0..profiles.len())
        .filter(|&p| free(p) && profiles[p].cells > 0 && 2 * profiles[p].fractions > profiles[p].cells)
        .collect();
    if fractions.len() == profiles.len() {
        // They are not beside the votes but in their place, and refused as votes.
        return Ok(Decided { not_sources, only_here: Vec::new() });
    }
    for p in fractions {
        table.remove(p);
        not_sources.push((profiles[p].column, NotSource::Fractions));
    }
    loop {
        let suspects: Vec<(usize, Suspicion)> =
            table.kept().filter(|&p| free(p)).filter_map(|p| Some((p, table.suspicion(p)?))).collect();
        // What has the most values that nobody shares goes first: others may share values with it only.
        let key = |p: usize| (table.alone(p), profiles[p].different(), usize::MAX - p);
        let worst = suspects.iter().map(|(p, _)| *p).max_by_key(|&p| key(p));
        let gone = suspects.into_iter().filter(|(p, suspicion)| Some(*p) == worst || suspicion.is_strong());
        let gone: Vec<(usize, Suspicion)> = gone.collect();
        if gone.is_empty() {
            break;
        }
        for (p, suspicion) in gone {
            let Suspicion::Not(why) = suspicion else {
                let others = table.kept().filter(|&other| other != p && profiles[other].different() > 1);
                let second = others.map(|other| profiles[other].name.clone()).collect();
                return Err(SurveyError::NothingShared { first: vec![profiles[p].name.clone()], second });
            };
            table.remove(p);
            not_sources.push((profiles[p].column, why));
        }
    }
    if let Some((columns, sum)) = table.one_per_class().filter(|_| (0..profiles.len()).all(free)) {
        return Err(SurveyError::OnePerClass { columns, sum });
    }
    let mut panels = table.panels(&free);
    if panels.iter().any(|panel| panel.iter().all(|&p| !table.has_many(p))) {
        // Texts and their copies beside votes.
        let of_texts = |panel: &mut Vec<usize>| panel.iter().all(|&p| free(p) && table.has_many(p));
        for p in panels.extract_if(.., of_texts).flatten().collect::<Vec<_>>() {
            table.remove(p);
            not_sources.push((profiles[p].column, profiles[p].identifiers()));
        }
    }
    if let [first, second, ..] = panels.as_slice() {
        let names = |panel: &[usize]| panel.iter().map(|&p| profiles[p].name.clone()).collect();
        return Err(SurveyError::NothingShared { first: names(first), second: names(second) });
    }
    let only_here = table.kept().filter_map(|p| table.only_here(p)).collect();
    Ok(Decided { not_sources, only_here })
}

enum Suspicion {
    Not(NotSource),
    Unclear,
}

impl Suspicion {
    /// Whether the column itself says so, whatever the others hold.
    fn is_strong(&self) -> bool {
        matches!(self, Self::Not(NotSource::Text | NotSource::Identifiers { .. }))
    }
}

struct Table<'a> {
    profiles: &'a [Profile],
    values: &'a Values,
    kept: Vec<bool>,
    /// In how many of the kept columns each value occurs; declared classes are shared by declaration.
    columns_with: HashMap<u32, usize>,
    declared: Vec<String>,
}

impl<'a> Table<'a> {
    fn new(profiles: &'a [Profile], values: &'a Values, told: &Told) -> Self {
        let mut columns_with = HashMap::new();
        for value in profiles.iter().flat_map(|profile| profile.counts.keys()) {
            *columns_with.entry(*value).or_insert(0) += 1;
        }
        let mut declared: Vec<String> =
            told.classes.iter().flatten().map(|class| class.to_lowercase()).collect();
        // Declared names say nothing where no column uses them: the votes may be numbers of them.
        let used = |profile: &Profile| {
            profile.counts.keys().any(|&value| declared.iter().any(|name| name == values.name(value)))
        };
        if !profiles.iter().any(used) {
            declared.clear();
        }
        Self { profiles, values, kept: vec![true; profiles.len()], columns_with, declared }
    }

    fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.profiles.len()).filter(|&p| self.kept[p])
    }

    fn remove(&mut self, p: usize) {
        self.kept[p] = false;
        for value in self.profiles[p].counts.keys() {
            if let Some(columns) = self.columns_with.get_mut(value) {
                *columns -= 1;
            }
        }
    }

    fn is_declared(&self, value: u32) -> bool {
        !self.declared.is_empty() && self.declared.iter().any(|name| name == self.values.name(value))
    }

    fn is_shared(&self, value: u32) -> bool {
        self.columns_with.get(&value).is_some_and(|&columns| columns > 1) || self.is_declared(value)
    }

    /// How many values of a column no other column has.
    fn alone(&self, p: usize) -> usize {
        self.profiles[p].counts.keys().filter(|&&value| !self.is_shared(value)).count()
    }

    /// The share of a column's cells whose values other columns have too.
    fn shared(&self, p: usize) -> f64 {
        let cells = self.profiles[p]
            .counts
            .iter()
            .filter(|&(&value, _)| self.is_shared(value))
            .map(|(_, count)| count);
        cells.sum::<usize>() as f64 / self.profiles[p].cells.max(1) as f64
    }

    /// Whether two other columns have several values, most of which they share without this column.
    fn has_core_without(&self, p: usize) -> bool {
        let own = &self.profiles[p].counts;
        let shared_besides = |value: u32| {
            let columns = self.columns_with.get(&value).copied().unwrap_or_default();
            columns - usize::from(own.contains_key(&value)) > 1 || self.is_declared(value)
        };
        let is_core = |other: usize| {
            let profile = &self.profiles[other];
            let cells =
                profile.counts.iter().filter(|&(&value, _)| shared_besides(value)).map(|(_, count)| count);
            profile.different() > 1
                && !self.has_many(other)
                && cells.sum::<usize>() as f64 > MOST * profile.cells as f64
        };
        let needed = if self.declared.is_empty() { 2 } else { 1 };
        self.kept().filter(|&other| other != p).take(LOOK_AT).filter(|&other| is_core(other)).count()
            >= needed
    }

    /// How many values the other columns have.
    fn values_of_others(&self, p: usize) -> usize {
        let own = &self.profiles[p].counts;
        self.columns_with
            .iter()
            .filter(|&(value, &columns)| columns - usize::from(own.contains_key(value)) > 0)
            .count()
    }

    fn has_many(&self, p: usize) -> bool {
        self.profiles[p].has_many()
    }

    /// The share of a column's votes that another column casts in the same row.
    fn agrees(&self, p: usize) -> f64 {
        let rows = &self.profiles[p].rows;
        let others: Vec<&Profile> = self.kept().filter(|&o| o != p).map(|o| &self.profiles[o]).collect();
        let agreed = rows
            .iter()
            .enumerate()
            .filter(|&(row, &value)| value != 0 && others.iter().any(|other| other.rows[row] == value))
            .count();
        agreed as f64 / self.profiles[p].cells.max(1) as f64
    }

    /// Why a column may be no source.
    fn suspicion(&self, p: usize) -> Option<Suspicion> {
        let profile = &self.profiles[p];
        let (different, alone) = (profile.different(), self.alone(p));
        let identifiers = || Suspicion::Not(profile.identifiers());
        if profile.cells == 0 {
            return None;
        }
        if self.has_many(p) {
            return (self.shared(p) < MOST || self.agrees(p) < AGREE).then(identifiers);
        }
        if self.names_rows(p) {
            return Some(identifiers());
        }
        if alone == 0 {
            return None;
        }
        if alone > MOST_ALONE {
            return Some(identifiers());
        }
        let shared = self.shared(p);
        let others = self.values_of_others(p);
        if shared < MOST && 2 * profile.wordy >= profile.cells {
            return Some(Suspicion::Not(NotSource::Text));
        }
        let each_its_own = different == profile.cells && different >= 3;
        if each_its_own && shared < MOST && others > 0 && (different > others || self.has_core_without(p)) {
            return Some(identifiers());
        }
        if shared < MOST && alone >= 2 {
            if self.has_core_without(p) {
                return Some(Suspicion::Not(NotSource::Unshared { values: alone }));
            }
            let lonely = shared <= 0.0 || alone > FEW;
            let rivals = self.kept().filter(|&o| o != p && self.profiles[o].different() > 1).count();
            return (lonely && rivals > 0).then_some(Suspicion::Unclear);
        }
        if different == 1 && profile.cells == profile.rows.len() && profile.rows.len() >= ROWS {
            let rivals = self.kept().filter(|&o| o != p && self.profiles[o].cells > 0).count();
            // One rule beside one source may be for a class of its own, but not for a date.
            let needed = if self.is_like_a_date(p) { 1 } else { 2 };
            return (rivals >= needed && others >= 2).then_some(Suspicion::Not(NotSource::Constant));
        }
        (alone > others.max(2) && self.has_core_without(p))
            .then_some(Suspicion::Not(NotSource::Unshared { values: alone }))
    }

    /// Whether every row has a value of its own, where other columns repeat theirs and have about as many: numbers of the items
    /// beside votes of numbers.
    fn names_rows(&self, p: usize) -> bool {
        let profile = &self.profiles[p];
        let (rows, others) = (profile.rows.len(), self.values_of_others(p));
        let repeats = |other: usize| self.profiles[other].different() < self.profiles[other].cells;
        rows >= ROWS_OF_ITEMS
            && profile.different() == rows
            && others > 0
            && 5 * rows >= 4 * others
            && self.kept().filter(|&other| other != p).all(repeats)
            && self.has_core_without(p)
    }

    /// Whether the first value has several numbers with signs between them, as dates, times and prices have.
    fn is_like_a_date(&self, p: usize) -> bool {
        let first = self.profiles[p].counts.keys().next().map(|&value| self.values.name(value));
        first.is_some_and(|name| {
            name.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count() > 1
        })
    }

    /// What the numbers of every row add up to, where that is the same for all and hardly by chance: one column per class, with
    /// 1 for the class or with how many voted for it.
    fn one_per_class(&self) -> Option<(Vec<String>, u64)> {
        let kept: Vec<&Profile> = self.kept().map(|p| &self.profiles[p]).collect();
        let rows = kept.first()?.rows.len();
        let enough = if kept.len() > 2 { ROWS_OF_CLASSES } else { 2 * ROWS_OF_CLASSES };
        if kept.len() < 2 || kept.len() > LOOK_AT || rows < enough || !self.declared.is_empty() {
            return None;
        }
        let number = |value: u32| if value == 0 { None } else { self.values.name(value).parse::<u64>().ok() };
        let sum = |row: usize| {
            kept.iter().try_fold(0u64, |sum, profile| sum.checked_add(number(profile.rows[row])?))
        };
        let first = sum(0).filter(|&first| first > 0)?;
        let differ = (1..rows).any(|row| kept.iter().any(|profile| profile.rows[row] != profile.rows[0]));
        let all = differ && (1..rows).all(|row| sum(row) == Some(first));
        all.then(|| (kept.iter().map(|profile| profile.name.clone()).collect(), first))
    }

    /// A source that alone votes for some classes, where other sources agree on theirs.
    fn only_here(&self, p: usize) -> Option<ReadingNote> {
        let profile = &self.profiles[p];
        let mut classes: Vec<String> = profile
            .counts
            .iter()
            .filter(|&(&value, &count)| {
                !self.is_shared(value) && count as f64 >= WORTH_A_WORD * profile.cells as f64
            })
            .map(|(&value, _)| self.values.name(value).to_string())
            .collect();
        if classes.is_empty() || !self.has_core_without(p) {
            return None;
        }
        classes.sort_by(|a, b| crate::sources::natural_order(a, b));
        Some(ReadingNote::OnlyHere { column: profile.name.clone(), classes })
    }

    /// Groups of columns of which no column of one shares a value with one of another, the largest first.
    fn panels(&self, free: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
        if !self.declared.is_empty() {
            return Vec::new();
        }
        let several: Vec<usize> = self.kept().filter(|&p| self.profiles[p].different() > 1).collect();
        let mut group: Vec<usize> = (0..several.len()).collect();
        let mut first_with: HashMap<u32, usize> = HashMap::new();
        for (at, &p) in several.iter().enumerate() {
            for &value in self.profiles[p].counts.keys() {
                let other = *first_with.entry(value).or_insert(at);
                let (a, b) = (root(&mut group, at), root(&mut group, other));
                group[a.max(b)] = a.min(b);
            }
        }
        let mut panels: Vec<Vec<usize>> = vec![Vec::new(); several.len()];
        for (at, &p) in several.iter().enumerate() {
            panels[root(&mut group, at)].push(p);
        }
        // A column of its own kind was judged before; here are panels beside each other.
        panels.retain(|panel| panel.len() > 1 && panel.iter().any(|&p| free(p)));
        panels.sort_by_key(|panel| (usize::MAX - panel.len(), panel[0]));
        panels
    }
}

/// The first member of the group that `at` belongs to.
fn root(group: &mut [usize], mut at: usize) -> usize {
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}
