//! The report on a table of votes, as data.

use serde::Serialize;

use super::agreement::Agreement;
use super::comparison::Comparison;
use super::confidence::{ConfidenceBin, bins};
use super::links::{Link, links};
use super::sources::{SourceSummary, describe};
use super::study::{Study, StudyError};
use crate::answers::Answers;
use crate::certificate::Certificate;
use crate::labels::{ExplainError, explain_labelled_panel};
use crate::report::Analysis;
use crate::sources::Vote;
use crate::votes::{PairCounts, Votes, VotesError};

/// Input of [`Report::new`].
pub struct ReportInput<'a> {
    /// The name of the table.
    pub table: &'a str,
    /// The table.
    pub votes: &'a Votes,
    /// Its structure, models and labels.
    pub study: &'a Study,
    /// One true class per item, abstain if it is not known; for scoring only.
    pub gold: Option<&'a [Vote]>,
    /// Classes that people gave to a random sample of the items.
    pub answers: Option<&'a Answers>,
    /// The name of an item.
    pub item_name: &'a dyn Fn(usize) -> String,
    /// Settings to list in the report, such as the command.
    pub settings: Vec<Setting>,
}

/// Why a report is impossible.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The votes cannot be described.
    #[error(transparent)]
    Votes(#[from] VotesError),
    /// The sources cannot be described.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// The labels cannot be computed or certified.
    #[error(transparent)]
    Study(#[from] StudyError),
}

/// A report on a table of votes.
///
/// ```
/// use consilience::findings::{Report, ReportInput, Setting, Study};
/// use consilience::pipeline::{FitOptions, Votes};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let study = Study::new(&votes, None, &FitOptions::default())?;
/// let report = Report::new(ReportInput {
///     table: "votes.csv",
///     votes: &votes,
///     study: &study,
///     gold: None,
///     answers: None,
///     item_name: &|i| format!("item {i}"),
///     settings: vec![Setting::new("Made by", "an example")],
/// })?;
/// assert_eq!((report.headline.items, report.headline.voting), (100, 3));
/// assert_eq!(report.sources[2].name, "judge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of the table.
    pub table: String,
    /// The most important numbers.
    pub headline: Headline,
    /// The classes.
    pub classes: Vec<ClassSummary>,
    /// The sources, in the table's order.
    pub sources: Vec<SourceSummary>,
    /// Pairs of sources that depend on each other.
    pub links: Vec<Link>,
    /// Sources that depend on each other, by number, the largest group first.
    pub groups: Vec<Vec<usize>>,
    /// How much each pair of sources agrees beyond chance; `None` if there are too many sources.
    pub agreement: Option<Agreement>,
    /// How confident the labels are; with gold, how often they are correct.
    pub confidence: Vec<ConfidenceBin>,
    /// Majority vote, independent sources and the model next to each other.
    pub comparison: Comparison,
    /// How good the labels are, if answers were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// The settings.
    pub settings: Vec<Setting>,
    /// Notes, one sentence each.
    pub notes: Vec<String>,
}

/// The most important numbers about a table of votes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Headline {
    /// Items.
    pub items: u64,
    /// Sources.
    pub sources: usize,
    /// Sources that vote at all.
    pub voting: usize,
    /// Classes.
    pub classes: usize,
    /// Votes.
    pub votes: u64,
    /// Distinct rows of votes.
    pub patterns: u64,
    /// The number of independent sources that would be equally informative.
    pub effective_votes: f64,
    /// Sources whose votes count in part because they repeat others.
    pub repeating: usize,
    /// Votes per item, on average.
    pub votes_per_item: f64,
    /// Share of items with a vote.
    pub coverage: f64,
    /// Share of items with votes for different classes.
    pub conflicts: f64,
    /// Items with votes that majority vote labels differently from the model.
    pub differs_from_majority: u64,
    /// The mean confidence of items with votes.
    pub confidence: f64,
    /// Items whose true class is known, if gold was given.
    pub items_with_gold: Option<u64>,
}

/// A class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassSummary {
    /// Its name.
    pub name: String,
    /// Votes for it.
    pub votes: u64,
    /// Their share.
    pub vote_share: f64,
    /// Its mean probability over all items.
    pub label_share: f64,
}

/// A setting of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Setting {
    /// A setting of this name and value.
    pub fn new(name: &str, value: impl Into<String>) -> Self {
        Self { name: name.to_string(), value: value.into() }
    }
}

/// The part of a report about the votes alone. It is the same for all structures, so it is computed once if several are compared.
#[derive(Clone, Debug)]
pub struct TableFacts {
    analysis: Analysis,
    /// Pairs of sources; `None` if there are too many.
    pairs: Option<Vec<PairCounts>>,
}

impl TableFacts {
    /// Counts what is in `votes`, against `gold` if it is given.
    pub fn new(votes: &Votes, gold: Option<&[Vote]>) -> Result<Self, VotesError> {
        let pairs = votes.pairs().ok();
        Ok(Self { analysis: Analysis::with_pairs(votes, gold, pairs.as_deref(), 0)?, pairs })
    }
}

impl Report {
    /// Describes a study.
    pub fn new(input: ReportInput<'_>) -> Result<Self, ReportError> {
        let facts = TableFacts::new(input.votes, input.gold)?;
        Self::of(&facts, input)
    }

    /// Describes a study of a table whose `facts` are known; they must be those of the same votes and gold.
    pub fn of(facts: &TableFacts, input: ReportInput<'_>) -> Result<Self, ReportError> {
        let ReportInput { table, votes, study, gold, answers, item_name, settings: given } = input;
        let TableFacts { analysis, pairs } = facts;
        let inferred = study.taught.as_ref().map_or(&study.labels, |taught| &taught.before);
        let panel = explain_labelled_panel(&study.model, votes, inferred)?;
        let counts = study.labels.counts();
        let (classes, confidence) =
            rayon::join(|| classes(analysis, study, &counts), || bins(&study.labels, &counts, gold));
        let links = links(&study.structure);
        let groups = study.structure.groups();
        let mut group_of = vec![None; votes.sources().len()];
        for (group, members) in groups.iter().enumerate() {
            for &j in members {
                group_of[j] = Some(group);
            }
        }
        let name = |j: usize| votes.sources().name(j).to_string();
        let described = analysis.sources.iter().zip(&panel.sources).enumerate();
        let sources: Vec<SourceSummary> = described
            .map(|(j, (counts, worth))| describe(counts, worth, j, group_of[j], &links, name))
            .collect();
        let comparison = Comparison::new(votes, study, gold, item_name);
        let certificate = answers.filter(|answers| !answers.is_empty());
        let certificate = certificate.map(|answers| study.certify(answers)).transpose()?;
        let mut settings = own_settings(study);
        settings.splice(0..0, given);
        let mut notes: Vec<String> = study.model.notes.iter().map(ToString::to_string).collect();
        notes.extend(study.taught.iter().flat_map(|taught| taught.notes.iter().cloned()));
        let headline = Headline {
            items: analysis.items,
            sources: sources.len(),
            voting: panel.voting,
            classes: votes.classes().len(),
            votes: analysis.votes,
            patterns: analysis.patterns,
            effective_votes: panel.effective_votes,
            repeating: study.model.shares.iter().filter(|&&share| share < 1.0).count(),
            votes_per_item: panel.votes_per_item,
            coverage: analysis.coverage,
            conflicts: analysis.conflicts,
            differs_from_majority: comparison.methods[0].differs,
            confidence: comparison.methods[2].confidence,
            items_with_gold: analysis.items_with_gold,
        };
        Ok(Self {
            table: table.to_string(),
            headline,
            classes,
            sources,
            links,
            agreement: pairs.as_ref().map(|pairs| Agreement::of_pairs(votes.sources().len(), pairs, &groups)),
            groups,
            confidence,
            comparison,
            certificate,
            settings,
            notes,
        })
    }
}

/// Describes the classes; `counts` says how many items each pattern of the labels has.
fn classes(analysis: &Analysis, study: &Study, counts: &[u64]) -> Vec<ClassSummary> {
    let labels = &study.labels;
    let mut sums = vec![0.0; labels.classes().len()];
    for (p, &count) in counts.iter().enumerate() {
        sums.iter_mut().zip(labels.pattern(p)).for_each(|(sum, share)| *sum += count as f64 * share);
    }
    let describe = |(class, sum): (&crate::report::ClassAnalysis, f64)| ClassSummary {
        name: class.name.clone(),
        votes: class.votes,
        vote_share: class.share,
        label_share: sum / labels.items() as f64,
    };
    analysis.classes.iter().zip(sums).map(describe).collect()
}

fn own_settings(study: &Study) -> Vec<Setting> {
    let Study { structure, model, .. } = study;
    let ending = &model.ending;
    let select = structure.select.map_or("no rule: all are kept".to_string(), |select| select.to_string());
    let fitted = if ending.converged { "converged" } else { "not converged" };
    let mut settings = vec![
        Setting::new("Structure", format!("{}, selected by {select}", structure.origin)),
        Setting::new("Dependencies tested", structure.tests.to_string()),
        Setting::new("Model", format!("{}, {fitted} after {} steps", ending.estimator, ending.iterations)),
    ];
    if let Some(impression) = &model.impression {
        settings.push(Setting::new("Clarity of items", format!("{:.3}", impression.clarity())));
    }
    if let Some(correction) = &model.correction {
        settings.push(Setting::new("Answers used", correction.answers.to_string()));
    }
    settings
}
