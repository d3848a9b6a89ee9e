//! The table under one choice of who repeats whom.
//!
//! A choice is part of the page's address, so that a view can be shared. Fitting takes a while, so the latest few views are kept.

use std::sync::{Arc, Mutex, PoisonError};

use consilience::findings::{Choice, Report, ReportInput, Setting, Study};
use consilience::labels::{Labels, Ties};
use consilience::model::FitOptions;
use consilience::sources::{ABSTAIN, Vote};
use consilience_io::VERSION;

use crate::error::RequestError;
use crate::table::Table;

/// So many views are kept.
const MOST_KEPT: usize = 4;

/// The table under one choice.
pub(crate) struct View {
    pub(crate) study: Study,
    pub(crate) report: Report,
    /// The report as JSON.
    pub(crate) json: Vec<u8>,
    /// The label of each pattern, 0 where it has none.
    pub(crate) label_of_pattern: Vec<Vote>,
    pub(crate) confidence_of_pattern: Vec<f64>,
}

/// All views.
pub(crate) struct Views {
    first: Arc<View>,
    kept: Mutex<Vec<(String, Arc<View>)>>,
    /// One fit at a time: each takes all cores.
    fitting: Mutex<()>,
}

impl Views {
    pub(crate) fn new(table: &Table) -> Result<Self, RequestError> {
        Self::over(table, Study::new(&table.votes, None, &FitOptions::default())?)
    }

    /// The views of a table that was studied.
    pub(crate) fn over(table: &Table, study: Study) -> Result<Self, RequestError> {
        Ok(Self {
            first: Arc::new(View::new(table, study)?),
            kept: Mutex::default(),
            fitting: Mutex::default(),
        })
    }

    /// The view of the structure as it was learned.
    pub(crate) fn first(&self) -> &Arc<View> {
        &self.first
    }

    /// The view under `choice`, fitted where it is not kept.
    pub(crate) fn of(&self, table: &Table, choice: &Choice) -> Result<Arc<View>, RequestError> {
        if *choice == Choice::default() {
            return Ok(Arc::clone(&self.first));
        }
        let key = serde_json::to_string(choice).map_err(|error| RequestError::Wrong(error.to_string()))?;
        if let Some(view) = self.kept(&key) {
            return Ok(view);
        }
        let _alone = self.fitting.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have asked for the same and waited less.
        if let Some(view) = self.kept(&key) {
            return Ok(view);
        }
        let structure = choice.apply(&self.first.study.structure)?;
        let study = self.first.study.refit(&table.votes, structure, &FitOptions::default())?;
        let view = Arc::new(View::new(table, study)?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(0, (key, Arc::clone(&view)));
        kept.truncate(MOST_KEPT);
        Ok(view)
    }

    fn kept(&self, key: &str) -> Option<Arc<View>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(other, _)| other == key)?;
        let found = kept.remove(place);
        let view = Arc::clone(&found.1);
        kept.insert(0, found);
        Some(view)
    }
}

impl View {
    fn new(table: &Table, study: Study) -> Result<Self, RequestError> {
        let report = Report::new(ReportInput {
            table: &table.name,
            votes: &table.votes,
            study: &study,
            gold: table.gold.as_deref(),
            answers: None,
            item_name: &|i| table.items.name(i).into_owned(),
            settings: vec![Setting::new("Consilience", VERSION)],
        })?;
        let json = serde_json::to_vec(&report).map_err(|error| RequestError::Wrong(error.to_string()))?;
        let patterns = study.labels.patterns();
        let mut first = vec![None; patterns];
        for (i, &pattern) in table.votes.item_pattern().iter().enumerate() {
            first[pattern as usize].get_or_insert(i);
        }
        let decided =
            |item: &Option<usize>| item.and_then(|i| study.labels.decide(i, Ties::Empty)).unwrap_or(ABSTAIN);
        let sure = |item: &Option<usize>| item.map_or(0.0, |i| study.labels.confidence(i));
        let label_of_pattern = first.iter().map(decided).collect();
        let confidence_of_pattern = first.iter().map(sure).collect();
        Ok(Self { study, report, json, label_of_pattern, confidence_of_pattern })
    }

    /// The labels of a model by its name.
    pub(crate) fn labels<'a>(&'a self, first: &'a View, name: &str) -> Result<&'a Labels, RequestError> {
        match name {
            "model" => Ok(&self.study.labels),
            "learned" => Ok(&first.study.labels),
            "independent" => Ok(&self.study.independent_labels),
            "majority" => Ok(&self.study.majority),
            other => Err(RequestError::Wrong(format!(
                "there is no model \"{other}\"; name model, learned, independent or majority"
            ))),
        }
    }
}
