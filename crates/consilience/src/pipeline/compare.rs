//! Comparison with other models of the same votes. Structure does not always help, so they are always shown next to it.

use super::PipelineError;
use crate::labels::{Labels, infer, majority_vote};
use crate::model::{DawidSkeneOptions, Dependence, FitOptions, Fitted, fit, fit_dawid_skene};
use crate::sources::Vote;
use crate::votes::Votes;

/// The items that the default model and the one of independent sources label differently: where people's answers say which one to
/// use. They are not a random sample of the items. Tied items have no label.
///
/// ```
/// use consilience::pipeline::{Votes, where_models_differ};
///
/// // Two copies outvote a third source unless they count once.
/// let rows = [["1", "1", "0"], ["0", "0", "0"], ["1", "1", "1"], ["0", "0", "1"]].repeat(50);
/// let votes = Votes::from_text(&["a", "a_copy", "b"], rows)?;
/// let differ = where_models_differ(&votes)?;
/// assert!(differ.iter().all(|&i| i < votes.items()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn where_models_differ(votes: &Votes) -> Result<Vec<usize>, PipelineError> {
    let labels = |dependence: Dependence<'_>| -> Result<Labels, PipelineError> {
        Ok(infer(&fit(votes, dependence, &FitOptions::default())?, votes)?)
    };
    Ok(labels(Dependence::Repeats)?.differing(&labels(Dependence::Independent)?).collect())
}

/// Another model of the same votes.
///
/// ```
/// use consilience::pipeline::{Other, Votes, compare, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let all = [Other::Independent, Other::DawidSkene, Other::Majority];
/// let compared = compare(&votes, &label(&votes)?.labels, &all, None, None)?;
/// assert!(compared.iter().all(|other| other.differ <= 100 && other.right.is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Other {
    /// Independent sources.
    Independent,
    /// Dawid and Skene's model.
    DawidSkene,
    /// Majority vote.
    Majority,
}

/// How the labels of another model differ from the chosen ones.
///
/// ```
/// use consilience::pipeline::{Other, Votes, compare, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let compared = compare(&votes, &label(&votes)?.labels, &[Other::Majority], None, None)?;
/// for other in &compared {
///     println!("{:?} labels {} of {} items differently", other.other, other.differ, other.labels.items());
/// }
/// assert_eq!(compared[0].other, Other::Majority);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compared {
    /// The other model.
    pub other: Other,
    /// Its labels.
    pub labels: Labels,
    /// The number of items that both label, but differently.
    pub differ: usize,
    /// The share of items with votes and gold that it labels correctly, with ties counted by chance; `None` without gold.
    pub right: Option<f64>,
}

/// Compares the labels `chosen` with those of `others`. If `independent` is given, it is used instead of fitting that model again.
///
/// ```
/// use consilience::pipeline::{Other, Votes, compare, label};
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["1", "1", "2"], ["2", "2", "2"], ["1", "", "1"]])?;
/// let made = label(&votes)?;
/// let compared = compare(&votes, &made.labels, &[Other::Majority], None, Some(&[1, 2, 1]))?;
/// assert_eq!((compared[0].differ, compared[0].right), (0, Some(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare(
    votes: &Votes,
    chosen: &Labels,
    others: &[Other],
    independent: Option<&Fitted>,
    gold: Option<&[Vote]>,
) -> Result<Vec<Compared>, PipelineError> {
    let labels = |other: Other| -> Result<Labels, PipelineError> {
        Ok(match (other, independent) {
            (Other::Independent, Some(fitted)) => infer(fitted, votes)?,
            (Other::Independent, None) => {
                infer(&fit(votes, Dependence::Independent, &FitOptions::default())?, votes)?
            }
            (Other::DawidSkene, _) => {
                infer(&fit_dawid_skene(votes, &DawidSkeneOptions::default(), |_| {})?, votes)?
            }
            (Other::Majority, _) => majority_vote(votes),
        })
    };
    let compared = |&other: &Other| {
        let labels = labels(other)?;
        let differ = chosen.differing(&labels).count();
        let right = gold.and_then(|gold| labels.share_right(gold));
        Ok(Compared { other, labels, differ, right })
    };
    others.iter().map(compared).collect()
}
