//! Tables with one row per item: which columns are sources, items and gold.

use hashbrown::HashSet;

use super::names::{
    About, calls_it_true, gold_rank, is_id, is_item_name, is_key, is_saved_index, item_rank, mentions_gold,
    names_items, names_people, words,
};
use super::profile::{Profile, Values, profiles};
use super::sources::{Decided, decide};
use super::{Layout, Sample, SampleColumn, SurveyError, Told, Use};
use crate::votes::marks::whole_number;
use crate::votes::notes::{NotSource, ReadingNote};

/// A table with one row per source has at least this many columns.
const LEAST_ITEMS: usize = 4;

/// The column that names the items, unless another is given.
const ITEM: &str = "item";

/// The use of each column.
pub(super) fn find(
    sample: &Sample,
    told: &Told,
    notes: &mut Vec<ReadingNote>,
) -> Result<Layout, SurveyError> {
    let mut wide = Wide::new(sample, told);
    wide.take_told();
    wide.check_names()?;
    wide.leave_out_row_numbers();
    wide.find_item(notes)?;
    wide.note_repeated_item(notes);
    wide.leave_out_by_type_and_name();
    wide.leave_out_what_is_about_votes();
    wide.find_gold(notes);
    wide.find_sources(notes)?;
    if !wide.left_out.is_empty() {
        wide.left_out.sort_by_key(|(at, _)| *at);
        let columns =
            wide.left_out.into_iter().map(|(at, why)| (sample.columns[at].name.clone(), why)).collect();
        notes.push(ReadingNote::LeftOut { columns });
    }
    Ok(Layout::Wide(wide.uses.into_iter().map(|used| used.unwrap_or(Use::Source)).collect()))
}

struct Wide<'a> {
    sample: &'a Sample,
    told: &'a Told,
    uses: Vec<Option<Use>>,
    left_out: Vec<(usize, NotSource)>,
}

impl<'a> Wide<'a> {
    fn new(sample: &'a Sample, told: &'a Told) -> Self {
        Self { sample, told, uses: vec![None; sample.columns.len()], left_out: Vec::new() }
    }

    /// Columns whose use is still open.
    fn open(&self) -> Vec<(usize, &'a SampleColumn)> {
        self.sample.columns.iter().enumerate().filter(|(at, _)| self.uses[*at].is_none()).collect()
    }

    fn leave_out(&mut self, at: usize, why: NotSource) {
        self.uses[at] = Some(Use::LeftOut);
        self.left_out.push((at, why));
    }

    fn take_told(&mut self) {
        for (at, column) in self.sample.columns.iter().enumerate() {
            let name = &column.name;
            self.uses[at] = if self.told.item.as_ref() == Some(name) {
                Some(Use::Item)
            } else if self.told.gold.as_ref() == Some(name) {
                Some(Use::Gold)
            } else if self.told.sources.contains(name) {
                Some(Use::Source)
            } else if self.told.ignore.contains(name) {
                Some(Use::LeftOut)
            } else {
                None
            };
        }
    }

    /// One column without a name is an index; several are a title or a note above the header.
    fn check_names(&self) -> Result<(), SurveyError> {
        let is_unnamed =
            |(_, column): &(usize, &SampleColumn)| column.name.trim().is_empty() && column.filled() > 0;
        let columns = self.open().into_iter().filter(is_unnamed).count();
        if columns > 1 { Err(SurveyError::Unnamed { columns }) } else { Ok(()) }
    }

    /// An index that a program has saved with the table, and any other column that counts the rows and does not name the items.
    fn leave_out_row_numbers(&mut self) {
        /// In fewer rows, votes may happen to count.
        const ROWS: usize = 5;
        for (at, column) in self.open() {
            let is_index = is_saved_index(&column.name);
            let may_count = is_index || (column.rows() >= ROWS && !is_item_name(&column.name));
            if may_count && counts_rows(column) {
                self.leave_out(at, NotSource::RowNumbers);
            }
        }
    }

    fn find_item(&mut self, notes: &mut Vec<ReadingNote>) -> Result<(), SurveyError> {
        if self.told.item.is_some() {
            return Ok(());
        }
        if let Some((at, column)) =
            self.open().into_iter().find(|(_, column)| column.name.eq_ignore_ascii_case(ITEM))
        {
            if column.name != ITEM {
                notes.push(ReadingNote::ItemsByName { column: column.name.clone() });
            }
            self.uses[at] = Some(Use::Item);
            return Ok(());
        }
        let rank = |column: &SampleColumn| match item_rank(&column.name) {
            _ if is_id(&column.name) => Some(0),
            _ if is_saved_index(&column.name) => Some(2),
            // Whatever it is called, a column of declared classes is a source.
            _ if self.says_classes(column) => None,
            Some(rank) => Some(rank + 3),
            None => is_key(&column.name).then_some(1),
        };
        let candidates =
            self.open().into_iter().filter(|(_, column)| column.kind.is_none() && column.names_each_row());
        let (people, things): (Vec<_>, Vec<_>) =
            candidates.partition(|(_, column)| names_people(&column.name) && !self.says_classes(column));
        let best = things.into_iter().filter_map(|(at, column)| Some((rank(column)?, at))).min();
        if let Some((_, at)) = best {
            notes.push(ReadingNote::ItemsByName { column: self.sample.columns[at].name.clone() });
            self.uses[at] = Some(Use::Item);
        } else if let Some((_, column)) = people.first()
            && self.open().len() >= LEAST_ITEMS
        {
            return Err(SurveyError::Transposed { column: column.name.clone() });
        }
        Ok(())
    }

    fn note_repeated_item(&self, notes: &mut Vec<ReadingNote>) {
        let item = self.uses.iter().position(|used| *used == Some(Use::Item));
        if let Some(column) = item.map(|at| &self.sample.columns[at])
            && let Some(example) = column.repeated()
        {
            let (column, example) = (column.name.clone(), example.to_string());
            notes.push(ReadingNote::RepeatedItem { column, example });
        }
    }

    /// Scores, confidences, times and the like, each beside the votes that it is about.
    fn leave_out_what_is_about_votes(&mut self) {
        let profiles = self.profiles(&mut Values::default());
        let holds_votes = |profile: &&Profile| {
            profile.cells > 0
                && !profile.has_many()
                && 2 * profile.wordy < profile.cells
                && 2 * profile.fractions < profile.cells
        };
        let forced = self.told.sources.iter();
        let votes: Vec<&String> =
            forced.chain(profiles.iter().filter(holds_votes).map(|profile| &profile.name)).collect();
        let words_of_votes: Vec<Vec<String>> = votes.iter().map(|name| words(name)).collect();
        let about: Vec<(usize, String)> = profiles
            .iter()
            .filter(|profile| gold_rank(&profile.name).is_none())
            .filter_map(|profile| {
                let own = words(&profile.name);
                let about = About::new(&own)?;
                let of = words_of_votes.iter().position(|votes| about.is_about(votes))?;
                Some((profile.column, votes[of].clone()))
            })
            .collect();
        for (at, column) in about {
            self.leave_out(at, NotSource::About { column });
        }
    }

    /// Whether classes are declared and all cells are of them.
    fn says_classes(&self, column: &SampleColumn) -> bool {
        let Some(classes) = &self.told.classes else { return false };
        let is_class = |text: &String| classes.iter().any(|class| class.eq_ignore_ascii_case(text));
        let mut filled = column.texts.iter().filter(|text| !text.is_empty()).peekable();
        filled.peek().is_some() && filled.all(is_class)
    }

    fn leave_out_by_type_and_name(&mut self) {
        for (at, column) in self.open() {
            if is_saved_index(&column.name) && column.filled() == 0 {
                self.leave_out(at, NotSource::Empty);
            } else if let Some(kind) = &column.kind {
                self.leave_out(at, NotSource::Type(kind.clone()));
            } else if is_id(&column.name)
                || (is_saved_index(&column.name) && !column.name.eq_ignore_ascii_case("index"))
            {
                let names_items = names_items(&column.name) && !self.uses.contains(&Some(Use::Item));
                let why = match column.repeated() {
                    Some(example) if names_items => NotSource::RepeatedIds { example: example.to_string() },
                    _ => NotSource::NamedId,
                };
                self.leave_out(at, why);
            }
        }
    }

    fn profiles(&self, values: &mut Values) -> Vec<Profile> {
        profiles(&self.open(), self.told, values)
    }

    fn find_gold(&mut self, notes: &mut Vec<ReadingNote>) {
        let profiles = self.profiles(&mut Values::default());
        // Beside x and z, y is a letter like others, and beside false, true is a class.
        let has =
            |wanted: &str| self.sample.columns.iter().any(|column| column.name.eq_ignore_ascii_case(wanted));
        let (letters, booleans) = (has("x") && has("z"), has("false"));
        let mut ranked: Vec<(usize, usize)> = profiles
            .iter()
            .filter(|profile| !(letters && profile.name.eq_ignore_ascii_case("y")))
            .filter(|profile| !(booleans && profile.name.eq_ignore_ascii_case("true")))
            .filter_map(|profile| Some((gold_rank(&profile.name)?, profile.column)))
            .collect();
        ranked.sort_unstable();
        if ranked.is_empty() {
            // Several columns that mention gold are rather sources of a common name.
            let only = |says: fn(&str) -> bool| {
                let mut mentioned = profiles.iter().filter(|profile| says(&profile.name));
                mentioned.next().filter(|_| mentioned.next().is_none())
            };
            let only = only(mentions_gold).or_else(|| only(calls_it_true));
            ranked.extend(only.map(|only| (0, only.column)));
        }
        let mut gold = self.told.gold.is_some();
        for (_, at) in ranked {
            let own = profiles.iter().find(|profile| profile.column == at);
            let others: HashSet<u32> = profiles
                .iter()
                .filter(|profile| profile.column != at)
                .flat_map(|profile| profile.counts.keys().copied())
                .collect();
            // Where the first rows have none, later ones may.
            let comes_late = own.is_some_and(|own| own.cells == 0) && !self.sample.whole;
            let shares = comes_late
                || own.is_some_and(|own| {
                    own.different() <= 200
                        && (others.is_empty() || own.counts.keys().any(|value| others.contains(value)))
                });
            if shares && !gold {
                gold = true;
                self.uses[at] = Some(Use::Gold);
                notes.push(ReadingNote::GoldByName { column: self.sample.columns[at].name.clone() });
            } else {
                self.leave_out(at, NotSource::LikeGold);
            }
        }
    }

    /// The sources of a table with one row per vote, where the votes could not be read.
    fn leave_out_names_of_sources(&mut self, forced: &[(usize, &SampleColumn)]) {
        let [(at, column)] = self.open()[..] else { return };
        let is_long = self
            .left_out
            .iter()
            .any(|(_, why)| matches!(why, NotSource::RepeatedIds { .. } | NotSource::Type(_)));
        if forced.is_empty() && names_people(&column.name) && is_long && column.different() > 1 {
            self.leave_out(at, NotSource::NamesSources);
        }
    }

    /// The items of a table with one row per vote that does not say who votes: the votes were taken for gold.
    fn leave_out_repeated_items(&mut self, forced: &[(usize, &SampleColumn)]) {
        let [(at, column)] = self.open()[..] else { return };
        let has_gold = self.uses.contains(&Some(Use::Gold)) && self.told.gold.is_none()
            || self.left_out.iter().any(|(_, why)| *why == NotSource::LikeGold);
        let has_items = self.uses.contains(&Some(Use::Item));
        if let Some(example) = column.repeated()
            && forced.is_empty()
            && has_gold
            && !has_items
            && item_rank(&column.name).is_some()
        {
            let example = example.to_string();
            self.leave_out(at, NotSource::RepeatedIds { example });
        }
    }

    fn find_sources(&mut self, notes: &mut Vec<ReadingNote>) -> Result<(), SurveyError> {
        let mut values = Values::default();
        let forced: Vec<(usize, &SampleColumn)> = self
            .sample
            .columns
            .iter()
            .enumerate()
            .filter(|(at, _)| self.uses[*at] == Some(Use::Source))
            .collect();
        let open = self.open();
        let mut all = forced.clone();
        all.extend(&open);
        all.sort_by_key(|(at, _)| *at);
        let profiles = profiles(&all, self.told, &mut values);
        let is_forced = |profile: &Profile| forced.iter().any(|(at, _)| *at == profile.column);
        let Decided { not_sources, only_here } = decide(&profiles, &is_forced, &values, self.told)?;
        for (at, why) in not_sources {
            self.leave_out(at, why);
        }
        notes.extend(only_here);
        self.leave_out_names_of_sources(&forced);
        self.leave_out_repeated_items(&forced);
        if forced.is_empty() && self.open().is_empty() {
            let gold = self.uses.iter().position(|used| *used == Some(Use::Gold));
            let name = |at: usize| self.sample.columns[at].name.clone();
            if let (Some(gold), None) = (gold, &self.told.gold) {
                return Err(SurveyError::OnlyGold { column: name(gold) });
            }
            if !self.left_out.is_empty() {
                let columns = self.left_out.iter().map(|(at, why)| (name(*at), why.clone())).collect();
                return Err(SurveyError::NoSources { columns });
            }
        }
        Ok(())
    }
}

/// Whether the cells are 0, 1, 2, ... or 1, 2, 3, ...
fn counts_rows(column: &SampleColumn) -> bool {
    let number = |cell: u32| whole_number(column.texts.get((cell as usize).checked_sub(1)?)?);
    let Some(first) = column.cells.first().and_then(|&cell| number(cell)) else { return false };
    (first..).zip(&column.cells).all(|(expected, &cell)| number(cell) == Some(expected))
}
