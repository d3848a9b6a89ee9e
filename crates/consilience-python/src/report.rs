//! What is shown to people.

use consilience::findings::{Report, ReportError, ReportInput, Setting, Study};
use consilience::model::FitOptions;
use consilience::report::Analysis;
use consilience_report::{html, markdown};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::answers::answers_of;
use crate::document;
use crate::errors::{BugError, Raise as _};
use crate::run::run;
use crate::structure::Structure;
use crate::votes::Votes;

/// The true class of each item as a vote; `gold` has its number, -1 if it is not known.
fn gold_of(gold: &PyReadonlyArray1<'_, i64>, classes: usize) -> Vec<u16> {
    let known = |&class: &i64| if (0..classes as i64).contains(&class) { class as u16 + 1 } else { 0 };
    gold.as_array().iter().map(known).collect()
}

/// The analysis of a table as JSON; `gold` has the number of a class for each item, -1 if it is not known.
#[pyfunction]
#[pyo3(signature = (votes, gold, pairs))]
pub(crate) fn analyze(
    py: Python<'_>,
    votes: &Votes,
    gold: Option<PyReadonlyArray1<'_, i64>>,
    pairs: usize,
) -> PyResult<String> {
    let votes = votes.table();
    let gold = gold.map(|gold| gold_of(&gold, votes.classes().len()));
    let analysis = run(py, None, move || Analysis::new(&votes, gold.as_deref(), pairs))?;
    let analysis = analysis.map_err(|error| error.raise())?;
    serde_json::to_string(&analysis).map_err(|error| BugError::new_err(error.to_string()))
}

/// The report on a table: as JSON, as one page and as Markdown. `gold` and `answers` have the number of a class for each item, -1
/// if it is not known.
#[pyfunction]
#[pyo3(signature = (votes, title, items, structure, gold, answers, tell=None))]
#[expect(clippy::too_many_arguments, reason = "each is a part of the report")]
pub(crate) fn report(
    py: Python<'_>,
    votes: &Votes,
    title: String,
    items: Option<Vec<String>>,
    structure: Option<&Structure>,
    gold: Option<PyReadonlyArray1<'_, i64>>,
    answers: Option<PyReadonlyArray1<'_, i64>>,
    tell: Option<Py<PyAny>>,
) -> PyResult<(String, String, String)> {
    let votes = votes.table();
    let structure = structure.map(|structure| structure.for_votes(&votes)).transpose()?;
    let gold = gold.map(|gold| gold_of(&gold, votes.classes().len()));
    let answers = answers.map(|answers| answers_of(&answers, votes.items(), votes.classes())).transpose()?;
    let made = run(py, tell, move || -> Result<(Report, String, String), ReportError> {
        let mut study = Study::new(&votes, structure, &FitOptions::default())?;
        if let Some(answers) = &answers {
            study = study.teach(&votes, answers)?;
        }
        let name = |i: usize| items.as_ref().and_then(|items| items.get(i).cloned());
        let report = Report::new(ReportInput {
            table: &title,
            votes: &votes,
            study: &study,
            gold: gold.as_deref(),
            answers: answers.as_ref(),
            item_name: &|i| name(i).unwrap_or_else(|| i.to_string()),
            settings: vec![Setting::new("Consilience", env!("CARGO_PKG_VERSION"))],
        })?;
        let (page, text) = (html(&report), markdown(&report));
        Ok((report, page, text))
    })?;
    let (report, page, text) = made.map_err(|error| error.raise())?;
    Ok((document::plain(&report)?, page, text))
}
