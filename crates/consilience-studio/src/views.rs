//! The table under one choice of repeating sources.
//!
//! A choice is part of the page's address, so that a view can be shared. Fitting takes a while, so the latest few views are kept.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::Bytes;
use consilience::answers::Answers;
use consilience::certificate::Certificate;
use consilience::findings::{
    Choice, Flips, Report, ReportError, ReportInput, Setting, Study, StudyError, TableFacts,
};
use consilience::labels::Labels;
use consilience::model::FitOptions;
use consilience::sources::Vote;
use consilience::votes::Votes;
use consilience_io::VERSION;
use rayon::prelude::*;

use crate::error::RequestError;
use crate::items::{Fitting, Query};
use crate::latest::Latest;
use crate::routes::{Certified, Scene};
use crate::table::Table;

/// So many views are kept.
const MOST_KEPT: usize = 4;
/// So many queries are kept per view, an eighth of a megabyte each for a million items.
const MOST_QUERIES: usize = 256;

/// The table under one choice.
pub(crate) struct View {
    pub(crate) study: Study,
    pub(crate) report: Report,
    /// The report as JSON.
    pub(crate) json: Bytes,
    /// Label and confidence of each item; made when first asked for, as is all that follows.
    by_item: OnceLock<ByItem>,
    /// The labels of the items by majority vote and by independent sources.
    majority: OnceLock<Vec<Vote>>,
    independent: OnceLock<Vec<Vote>>,
    /// Labels that differ from other models', by the name of the model.
    flips: Latest<String, Flips>,
    /// What answers certify of the labels.
    pub(crate) certified: Mutex<Certified>,
    /// Which items fit the latest queries.
    pub(crate) fitting: Latest<Query, Fitting>,
    /// All items, the least sure first and the surest first.
    least_sure_first: OnceLock<Vec<u32>>,
    surest_first: OnceLock<Vec<u32>>,
}

/// Label and confidence of each item.
pub(crate) struct ByItem {
    /// Abstain where it has none.
    pub(crate) labels: Vec<Vote>,
    pub(crate) confidences: Vec<f64>,
}

/// All views.
pub(crate) struct Views {
    facts: TableFacts,
    first: Arc<View>,
    kept: Latest<String, View>,
    /// One fit at a time: each takes all cores.
    fitting: Mutex<()>,
    /// Threads of their own for fits, so that those who read do not wait for them.
    pool: rayon::ThreadPool,
    /// One thread for certificates. Each takes some bytes per item, which the allocator keeps for the thread that had them: on
    /// the threads of all readers, that would add up.
    certifying: rayon::ThreadPool,
}

fn threads(count: usize) -> Result<rayon::ThreadPool, RequestError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.map_err(|error| RequestError::Wrong(error.to_string()))
}

impl Views {
    pub(crate) fn new(table: &Table) -> Result<Self, RequestError> {
        Self::over(table, Study::new(&table.votes, None, &FitOptions::default())?)
    }

    /// The views of a table that was studied.
    pub(crate) fn over(table: &Table, mut study: Study) -> Result<Self, RequestError> {
        study.structure.compositions.clone_from(&table.compositions);
        let facts = TableFacts::new(&table.votes, table.gold.as_deref()).map_err(ReportError::from)?;
        Ok(Self {
            first: Arc::new(View::new(table, &facts, study)?),
            facts,
            kept: Latest::new(MOST_KEPT),
            fitting: Mutex::default(),
            pool: threads(rayon::current_num_threads())?,
            certifying: threads(1)?,
        })
    }

    /// What `answers` certify of the labels of `view`.
    pub(crate) fn certify(&self, view: &View, answers: &Answers) -> Result<Certificate, StudyError> {
        self.certifying.install(|| view.study.certify(answers))
    }

    /// The view of the structure as it was learned.
    pub(crate) fn first(&self) -> &Arc<View> {
        &self.first
    }

    /// The view under `choice`, if it needs no fit.
    pub(crate) fn ready(&self, choice: &Choice) -> Option<Arc<View>> {
        if *choice == Choice::default() { Some(Arc::clone(&self.first)) } else { self.kept.get(&key(choice)) }
    }

    /// The view under `choice`, fitted if it is not kept.
    pub(crate) fn of(&self, table: &Table, choice: &Choice) -> Result<Arc<View>, RequestError> {
        let _alone = self.fitting.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have asked for the same and waited less.
        if let Some(view) = self.ready(choice) {
            return Ok(view);
        }
        let structure = choice.apply(&self.first.study.structure)?;
        let view = self.pool.install(|| {
            let study = self.first.study.refit(&table.votes, structure, &FitOptions::default())?;
            View::new(table, &self.facts, study)
        })?;
        Ok(self.kept.keep(key(choice), view))
    }
}

fn key(choice: &Choice) -> String {
    format!("{choice:?}")
}

impl View {
    fn new(table: &Table, facts: &TableFacts, study: Study) -> Result<Self, RequestError> {
        let input = ReportInput {
            table: &table.name,
            votes: &table.votes,
            study: &study,
            gold: table.gold.as_deref(),
            answers: None,
            item_name: &|i| table.items.name(i).into_owned(),
            settings: vec![Setting::new("Consilience", VERSION)],
        };
        let report = Report::of(facts, input)?;
        let json =
            serde_json::to_vec(&report).map_err(|error| RequestError::Wrong(error.to_string()))?.into();
        Ok(Self {
            study,
            report,
            json,
            by_item: OnceLock::new(),
            majority: OnceLock::new(),
            independent: OnceLock::new(),
            flips: Latest::new(MOST_KEPT),
            certified: Mutex::default(),
            fitting: Latest::new(MOST_QUERIES),
            least_sure_first: OnceLock::new(),
            surest_first: OnceLock::new(),
        })
    }

    /// All items, the least sure first and equally sure ones in the table's order.
    pub(crate) fn least_sure_first(&self, votes: &Votes) -> &[u32] {
        self.least_sure_first.get_or_init(|| by_confidence(&self.by_item(votes).confidences, false))
    }

    /// All items, the surest first and equally sure ones in the table's order.
    pub(crate) fn surest_first(&self, votes: &Votes) -> &[u32] {
        self.surest_first.get_or_init(|| by_confidence(&self.by_item(votes).confidences, true))
    }

    /// Label and confidence of each item of `votes`, which are those of the view.
    pub(crate) fn by_item(&self, votes: &Votes) -> &ByItem {
        self.by_item.get_or_init(|| {
            let labels = &self.study.labels;
            ByItem {
                labels: of_items(votes, &labels.decided()),
                confidences: of_items(votes, &labels.confidences()),
            }
        })
    }

    /// The labels of a model by its name.
    fn labels<'a>(&'a self, first: &'a View, name: &str) -> Result<&'a Labels, RequestError> {
        match name {
            "model" => Ok(&self.study.labels),
            "learned" => Ok(&first.study.labels),
            "independent" => Ok(&self.study.independent_labels),
            "majority" => Ok(&self.study.majority),
            other => Err(no_model(other)),
        }
    }

    /// The labels of a model next to this view's.
    pub(crate) fn flips(&self, first: &View, name: &str) -> Result<Flips, RequestError> {
        if let Some(flips) = self.flips.get(name) {
            return Ok(Flips::clone(&flips));
        }
        let flips = Flips::new(self.labels(first, name)?, &self.study.labels);
        let flips = self.flips.keep(name.to_string(), flips);
        Ok(Flips::clone(&flips))
    }

    /// The label of each item by a model, abstain where it has none.
    pub(crate) fn labels_of_items<'a>(
        &'a self,
        scene: &'a Scene,
        name: &str,
    ) -> Result<&'a [Vote], RequestError> {
        let (first, votes) = (scene.views.first(), &scene.table.votes);
        // Majority vote and independent sources are the same in all views.
        match name {
            "model" => Ok(&self.by_item(votes).labels),
            "learned" => Ok(&first.by_item(votes).labels),
            "independent" => {
                let decided = || of_items(votes, &first.study.independent_labels.decided());
                Ok(first.independent.get_or_init(decided))
            }
            "majority" => Ok(first.majority.get_or_init(|| of_items(votes, &first.study.majority.decided()))),
            other => Err(no_model(other)),
        }
    }
}

/// For each item what `of_pattern` has for its pattern.
fn of_items<T: Copy + Send + Sync>(votes: &Votes, of_pattern: &[T]) -> Vec<T> {
    votes.item_pattern().par_iter().map(|&p| of_pattern[p as usize]).collect()
}

/// Ranges of confidence that are sorted each for itself, a power of two.
const RANGES: usize = 1 << 12;

/// All items by confidence, the surest last or first, equally sure ones in their order.
///
/// Items are first dealt out to ranges of confidence, so that all threads sort, and each what its cache holds.
fn by_confidence(confidences: &[f64], surest_first: bool) -> Vec<u32> {
    let range = |confidence: f64| {
        let range = ((confidence * RANGES as f64) as usize).min(RANGES - 1);
        if surest_first { RANGES - 1 - range } else { range }
    };
    let mut lengths = vec![0; RANGES];
    for &confidence in confidences {
        lengths[range(confidence)] += 1;
    }
    let mut next: Vec<usize> = lengths
        .iter()
        .scan(0, |end, length| {
            *end += length;
            Some(*end - length)
        })
        .collect();
    let mut order = vec![0; confidences.len()];
    for (i, &confidence) in (0..).zip(confidences) {
        let place = &mut next[range(confidence)];
        order[*place] = i;
        *place += 1;
    }
    let mut rest = order.as_mut_slice();
    let mut ranges = Vec::with_capacity(RANGES);
    for length in lengths {
        let (range, behind) = rest.split_at_mut(length);
        ranges.push(range);
        rest = behind;
    }
    let sign = if surest_first { -1.0 } else { 1.0 };
    ranges.into_par_iter().for_each(|range| {
        let mut sorted: Vec<(f64, u32)> =
            range.iter().map(|&i| (sign * confidences[i as usize], i)).collect();
        sorted.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        range.iter_mut().zip(sorted).for_each(|(place, (_, i))| *place = i);
    });
    order
}

fn no_model(name: &str) -> RequestError {
    RequestError::Wrong(format!("there is no model \"{name}\"; name model, learned, independent or majority"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_ordered_by_confidence_and_then_by_number() {
        let drawn = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) % 5000;
        for crowded in [1.0, 1e-5] {
            // Equal ones, all there is between 0 and 1, and, when crowded, almost all in one range.
            let confidences: Vec<f64> =
                (0..20_000).map(|i| 1.0 - crowded * drawn(i) as f64 / 4999.0).collect();
            for surest_first in [false, true] {
                let mut expected: Vec<u32> = (0..20_000).collect();
                let sure = |i: &u32| confidences[*i as usize];
                expected.sort_by(|a, b| sure(a).total_cmp(&sure(b)));
                if surest_first {
                    expected.sort_by(|a, b| sure(b).total_cmp(&sure(a)).then(a.cmp(b)));
                }
                assert_eq!(by_confidence(&confidences, surest_first), expected);
            }
        }
    }
}
