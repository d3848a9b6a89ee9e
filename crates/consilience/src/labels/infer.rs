//! From a fitted model and votes to labels.

use std::fmt;
use std::sync::Arc;

use super::Labels;
use crate::model::{Corrector, Fitted, Labeller};
use crate::optim::{EIGHT, dispatch};
use crate::parallel;
use crate::sources::Vote;
use crate::votes::Votes;

/// Why a model cannot label votes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InferError {
    /// Sources that the model does not know.
    #[error(
        "the model does not know {}; leave out unknown sources, or fit a model to these votes",
        listed("source", .0)
    )]
    UnknownSources(Vec<String>),
    /// Classes that the model does not know.
    #[error("the model does not know {}; fit a model to votes for them", listed("class", .0))]
    UnknownClasses(Vec<String>),
}

/// Names at most this many.
const MOST_NAMES: usize = 8;

/// `the source "a"`, `the sources "a", "b" and 3 more`.
fn listed(what: &str, names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("\"{name}\"")).collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let plural = match (names.len(), what) {
        (1, _) => "",
        (_, "class") => "es",
        _ => "s",
    };
    format!("the {what}{plural} {}{more}", shown.join(", "))
}

/// Maps the sources and classes of a table to those of a model.
///
/// ```
/// use consilience::labels::Matching;
/// use consilience::pipeline::{Votes, label};
///
/// let model = label(&Votes::from_text(&["a", "b", "c"], [["1", "1", "2"], ["2", "2", "2"]].repeat(9))?)?.model;
/// let new = Votes::from_text(&["c", "a"], [["1", "2"]])?; // another order, and "b" is missing
/// let matching = Matching::new(&model, &new)?;
/// assert_eq!(matching.sources, [2, 0]);
/// assert_eq!(matching.missing, ["b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// For each source of the table, its number in the model.
    pub sources: Vec<usize>,
    /// For each vote of the table, abstain included, the vote in the model.
    pub classes: Vec<Vote>,
    /// Sources of the model that the table lacks.
    pub missing: Vec<String>,
}

impl Matching {
    /// Matches sources and classes by name.
    pub fn new(fitted: &Fitted, votes: &Votes) -> Result<Self, InferError> {
        let (ours, theirs) = (fitted.model.sources(), votes.sources());
        let unknown: Vec<String> =
            theirs.names().iter().filter(|name| ours.position(name).is_none()).cloned().collect();
        if !unknown.is_empty() {
            return Err(InferError::UnknownSources(unknown));
        }
        let classes = fitted.model.classes();
        let unknown: Vec<String> =
            votes.classes().names().iter().filter(|name| classes.vote(name).is_none()).cloned().collect();
        if !unknown.is_empty() {
            return Err(InferError::UnknownClasses(unknown));
        }
        let missing = ours.names().iter().filter(|name| theirs.position(name).is_none()).cloned().collect();
        Ok(Self {
            sources: theirs.names().iter().filter_map(|name| ours.position(name)).collect(),
            classes: [0]
                .into_iter()
                .chain(votes.classes().names().iter().filter_map(|name| classes.vote(name)))
                .collect(),
            missing,
        })
    }

    /// The votes of row `p` of the table's patterns as the model numbers them, ascending by source.
    pub(crate) fn row(&self, votes: &Votes, p: usize) -> Vec<(usize, Vote)> {
        let mut row: Vec<(usize, Vote)> = self.votes(votes, p).collect();
        row.sort_unstable();
        row
    }

    /// The same into `cast`; if table and model are `alike`, nothing has to be sorted.
    #[inline(always)]
    fn read_row(&self, votes: &Votes, p: usize, alike: bool, cast: &mut Vec<(usize, Vote)>) {
        cast.clear();
        self.votes(votes, p).for_each(|vote| cast.push(vote));
        if !alike {
            cast.sort_unstable();
        }
    }

    /// The same in the order of the table.
    pub(super) fn votes<'a>(
        &'a self,
        votes: &'a Votes,
        p: usize,
    ) -> impl Iterator<Item = (usize, Vote)> + 'a {
        votes.patterns().row(p).map(|(j, vote)| (self.sources[j], self.classes[usize::from(vote)]))
    }

    /// The sources of the model that the table lacks, if there are any.
    pub fn missing(&self) -> Option<MissingSources> {
        (!self.missing.is_empty()).then(|| MissingSources(self.missing.clone()))
    }
}

/// Sources of a model that a table lacks; they count as abstaining.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingSources(pub Vec<String>);

impl fmt::Display for MissingSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (are, s) = if self.0.len() == 1 { ("is", "s") } else { ("are", "") };
        write!(
            f,
            "{} of the model {are} not in these votes and count{s} as abstaining",
            listed("source", &self.0)
        )
    }
}

/// Patterns that one piece of work takes.
const PIECE: usize = 4096;

/// What answers change: see [`crate::model::Correction`].
fn correct_rows(fitted: &Fitted, votes: &Votes, matching: &Matching, probabilities: &mut [f64]) {
    let Some(correction) = &fitted.correction else { return };
    let k = fitted.model.classes().len();
    let corrector = Corrector::new(correction, fitted.model.sources().len());
    parallel::for_each(probabilities.chunks_mut(PIECE * k).enumerate(), |(piece, chunk)| {
        crate::watch::look();
        for (row, p) in chunk.chunks_exact_mut(k).zip(piece * PIECE..) {
            corrector.apply(matching.votes(votes, p), row);
        }
    });
}

/// What is noted of each pattern while it is labelled.
pub(super) trait Notes: Send {
    /// The probabilities of pattern `p` before its correction; returns its likeliest class.
    fn before(&mut self, p: usize, probabilities: &[f64]) -> Vote;
    /// The same after it, and what [`Self::before`] returned.
    fn after(&mut self, p: usize, probabilities: &[f64], before: Vote);
}

/// Nothing.
impl Notes for () {
    #[inline(always)]
    fn before(&mut self, _: usize, _: &[f64]) -> Vote {
        0
    }
    #[inline(always)]
    fn after(&mut self, _: usize, _: &[f64], _: Vote) {}
}

/// The labels of all patterns, and the notes of each piece of them, in order; `start` begins the notes of a piece.
pub(super) fn label_rows<N: Notes>(
    fitted: &Fitted,
    votes: &Votes,
    start: impl Fn() -> N + Sync,
) -> Result<(Labels, Vec<N>), InferError> {
    let matching = Matching::new(fitted, votes)?;
    let k = fitted.model.classes().len();
    let labeller = Labeller::new(fitted);
    let corrector =
        fitted.correction.as_ref().map(|correction| Corrector::new(correction, fitted.model.sources().len()));
    let two_classes = corrector.as_ref().and_then(|corrector| corrector.two_classes());
    let alike = matching.sources.iter().copied().eq(0..matching.sources.len())
        && matching.classes.iter().copied().eq(0..=votes.classes().len() as Vote);
    let mut probabilities = vec![0.0; votes.patterns().len() * k];
    let pieces = probabilities.chunks_mut(PIECE * k).enumerate();
    let notes = parallel::map(pieces, |(piece, chunk)| {
        crate::watch::look();
        let (mut notes, first) = (start(), piece * PIECE);
        dispatch(
            #[inline(always)]
            || {
                let mut cast = Vec::new();
                if let Some(two) = two_classes {
                    for (eight, first) in chunk.chunks_mut(2 * EIGHT).zip((first..).step_by(EIGHT)) {
                        let (mut added, mut likeliest) = ([0.0; EIGHT], [0; EIGHT]);
                        for (i, row) in eight.chunks_exact_mut(2).enumerate() {
                            matching.read_row(votes, first + i, alike, &mut cast);
                            labeller.posterior(&cast, row);
                            likeliest[i] = notes.before(first + i, row);
                            added[i] = two.odds_of(&cast);
                        }
                        two.correct_eight(&added, eight);
                        for (i, row) in eight.chunks_exact(2).enumerate() {
                            notes.after(first + i, row, likeliest[i]);
                        }
                    }
                    return;
                }
                for (row, p) in chunk.chunks_exact_mut(k).zip(first..) {
                    matching.read_row(votes, p, alike, &mut cast);
                    labeller.posterior(&cast, row);
                    let likeliest = notes.before(p, row);
                    if let Some(corrector) = &corrector {
                        corrector.apply(cast.iter().copied(), row);
                    }
                    notes.after(p, row, likeliest);
                }
            },
        );
        notes
    });
    let mut labels = Labels::of_classes(votes, fitted.model.classes().clone(), probabilities);
    labels.missing_sources = matching.missing();
    Ok((labels, notes))
}

/// Computes the probability of each class for each item.
///
/// Sources of the model that are missing from the votes count as abstaining; [`Labels::missing_sources`] lists them.
///
/// ```
/// use consilience::labels::infer;
/// use consilience::model::{Dependence, FitOptions, fit};
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let votes = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?.votes;
///
/// let fitted = fit(&votes, Dependence::Independent, &FitOptions::default())?;
/// let labels = infer(&fitted, &votes)?;
/// assert!((labels.item(0).iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`crate::model::Impression`] has the formula; without one, the posterior of the model.
/// Items without votes get the probabilities that follow from the class priors and class terms.
pub fn infer(fitted: &Fitted, votes: &Votes) -> Result<Labels, InferError> {
    label_rows(fitted, votes, || ()).map(|(labels, _)| labels)
}

impl Labels {
    /// Applies the correction of `fitted` to its uncorrected labels; the result is that of [`infer`], for less work.
    pub fn corrected(mut self, fitted: &Fitted, votes: &Votes) -> Result<Self, InferError> {
        let matching = Matching::new(fitted, votes)?;
        correct_rows(fitted, votes, &matching, Arc::make_mut(&mut self.probabilities).as_mut_slice());
        Ok(self)
    }
}
