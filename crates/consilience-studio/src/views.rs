//! The table under one choice of repeating sources.
//!
//! A choice is part of the page's address, so that a view can be shared. Fitting takes a while, so the latest few views are kept.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::Bytes;
use consilience::findings::{Choice, Flips, Report, ReportError, ReportInput, Setting, Study, TableFacts};
use consilience::labels::Labels;
use consilience::model::FitOptions;
use consilience::sources::Vote;
use consilience::votes::Votes;
use consilience_io::VERSION;
use rayon::prelude::*;

use crate::error::RequestError;
use crate::items::{Fitting, Query};
use crate::latest::Latest;
use crate::table::Table;

/// So many views are kept.
const MOST_KEPT: usize = 4;
/// So many queries are kept per view, an eighth of a megabyte each for a million items.
const MOST_QUERIES: usize = 64;

/// The table under one choice.
pub(crate) struct View {
    pub(crate) study: Study,
    pub(crate) report: Report,
    /// The report as JSON.
    pub(crate) json: Bytes,
    /// The label of each pattern, 0 if it has none.
    pub(crate) label_of_pattern: Vec<Vote>,
    pub(crate) confidence_of_pattern: Vec<f64>,
    /// The labels by majority vote and by independent sources; made when first asked for.
    majority_of_pattern: OnceLock<Vec<Vote>>,
    independent_of_pattern: OnceLock<Vec<Vote>>,
    /// Labels that differ from other models', by the name of the model.
    flips: Latest<String, Flips>,
    /// Which items fit the latest queries.
    pub(crate) fitting: Latest<Query, Fitting>,
    /// All items, the least sure first and the surest first; made when first asked for.
    least_sure_first: OnceLock<Vec<u32>>,
    surest_first: OnceLock<Vec<u32>>,
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
}

impl Views {
    pub(crate) fn new(table: &Table) -> Result<Self, RequestError> {
        Self::over(table, Study::new(&table.votes, None, &FitOptions::default())?)
    }

    /// The views of a table that was studied.
    pub(crate) fn over(table: &Table, mut study: Study) -> Result<Self, RequestError> {
        study.structure.compositions.clone_from(&table.compositions);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build();
        let facts = TableFacts::new(&table.votes, table.gold.as_deref()).map_err(ReportError::from)?;
        Ok(Self {
            first: Arc::new(View::new(table, &facts, study)?),
            facts,
            kept: Latest::new(MOST_KEPT),
            fitting: Mutex::default(),
            pool: pool.map_err(|error| RequestError::Wrong(error.to_string()))?,
        })
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
        let label_of_pattern = study.labels.decided();
        let confidence_of_pattern = study.labels.confidences();
        Ok(Self {
            study,
            report,
            json,
            label_of_pattern,
            confidence_of_pattern,
            majority_of_pattern: OnceLock::new(),
            independent_of_pattern: OnceLock::new(),
            flips: Latest::new(MOST_KEPT),
            fitting: Latest::new(MOST_QUERIES),
            least_sure_first: OnceLock::new(),
            surest_first: OnceLock::new(),
        })
    }

    /// All items, the least sure first and equally sure ones in the table's order.
    pub(crate) fn least_sure_first(&self, votes: &Votes) -> &[u32] {
        self.least_sure_first.get_or_init(|| self.by_confidence(votes, 1.0))
    }

    /// All items, the surest first and equally sure ones in the table's order.
    pub(crate) fn surest_first(&self, votes: &Votes) -> &[u32] {
        self.surest_first.get_or_init(|| self.by_confidence(votes, -1.0))
    }

    fn by_confidence(&self, votes: &Votes, sign: f64) -> Vec<u32> {
        let sure = |pattern: &u32| sign * self.confidence_of_pattern[*pattern as usize];
        let mut order: Vec<(f64, u32)> = votes.item_pattern().iter().map(sure).zip(0..).collect();
        order.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, i)| i).collect()
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

    /// The label of each pattern by a model, 0 if it has none.
    pub(crate) fn labels_of_patterns<'a>(
        &'a self,
        first: &'a View,
        name: &str,
    ) -> Result<&'a [Vote], RequestError> {
        // Majority vote and independent sources are the same in all views.
        match name {
            "model" => Ok(&self.label_of_pattern),
            "learned" => Ok(&first.label_of_pattern),
            "independent" => {
                Ok(first.independent_of_pattern.get_or_init(|| first.study.independent_labels.decided()))
            }
            "majority" => Ok(first.majority_of_pattern.get_or_init(|| first.study.majority.decided())),
            other => Err(no_model(other)),
        }
    }
}

fn no_model(name: &str) -> RequestError {
    RequestError::Wrong(format!("there is no model \"{name}\"; name model, learned, independent or majority"))
}
