//! Labels: for each item, a probability for each class, and the class decided on.

mod change;
mod checked;
mod correct;
mod decide;
mod differ;
mod disagreement;
mod effective;
mod expected_f1;
mod explain;
mod infer;
mod items_without_votes;
mod majority;
mod row_posterior;
mod waterfall;

pub use change::{Change, infer_changed};
pub use checked::{CheckedSource, Verdict};
pub use correct::{AnswersNote, CorrectError, Corrected, FOLDS, HeldOut, correct, held_out, teach};
pub use decide::Ties;
pub use disagreement::Disagreement;
pub use effective::effective_votes;
pub use expected_f1::F1Decision;
pub(crate) use explain::explain_labelled_panel;
pub use explain::{
    AnswersExplanation, Contribution, ExplainError, ItemExplanation, Joined, JoinedKind, PanelExplanation,
    SourceExplanation, explain_item, explain_panel, explain_source,
};
pub use infer::{InferError, Matching, MissingSources, infer};
pub use items_without_votes::silent_shares;
pub use majority::majority_vote;
pub use waterfall::{Step, Waterfall, waterfall};

use std::sync::Arc;

use crate::answers::Answers;
use crate::parallel;
use crate::sources::Classes;
use crate::votes::Votes;

/// The probability of each class for each item.
///
/// Items with the same votes have the same probabilities, so these are kept once per pattern.
///
/// ```
/// use consilience::pipeline::{Votes, label};
///
/// let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
/// let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
/// let labels = label(&votes)?.labels;
/// assert_eq!(labels.class(0), Some("spam"));
/// assert!((labels.item(0).iter().sum::<f64>() - 1.0).abs() < 1e-9);
/// assert_eq!(labels.pattern_of(0), labels.pattern_of(4)); // equal votes, equal label
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    classes: Classes,
    /// Both are shared by clones: several models are often compared with the same labels.
    probabilities: Arc<Vec<f64>>,
    item_pattern: Arc<Vec<u32>>,
    /// The pattern without votes, if items have it; patterns are distinct, so there is one at most.
    without_votes: Option<u32>,
    missing_sources: Option<MissingSources>,
    /// Items of the same table before these, if this is a part of one.
    items_before: u64,
}

impl Labels {
    /// Takes `probabilities` row by row: one row per pattern of `votes`, one column per class.
    pub(crate) fn new(votes: &Votes, probabilities: Vec<f64>) -> Self {
        Self::of_classes(votes, votes.classes().clone(), probabilities)
    }

    /// The same over `classes`, which may be more than those of the votes.
    pub(crate) fn of_classes(votes: &Votes, classes: Classes, probabilities: Vec<f64>) -> Self {
        debug_assert_eq!(probabilities.len(), votes.patterns().len() * classes.len());
        // A row without votes comes before all others.
        let patterns = votes.patterns();
        let without_votes = (!patterns.is_empty() && patterns.row(0).next().is_none()).then_some(0);
        Self {
            classes,
            probabilities: Arc::new(probabilities),
            item_pattern: votes.shared_item_pattern(),
            without_votes,
            missing_sources: None,
            items_before: 0,
        }
    }

    /// Says that these are the labels of a part of a table, behind `items` others: random decisions are then those of the whole
    /// table.
    ///
    /// ```
    /// use consilience::labels::Ties;
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let rows = [["no", "yes"]; 9];
    /// let whole = majority_vote(&Votes::from_text(&["a", "b"], rows)?);
    /// let part = majority_vote(&Votes::from_text(&["a", "b"], &rows[4..])?).behind(4);
    /// let ties = Ties::Random(7);
    /// assert!((0..5).all(|i| part.decide(i, ties) == whole.decide(4 + i, ties)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn behind(mut self, items: u64) -> Self {
        self.items_before = items;
        self
    }

    /// Sources of the model that are missing from the votes, if any.
    pub fn missing_sources(&self) -> Option<&MissingSources> {
        self.missing_sources.as_ref()
    }

    /// The classes.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "no", "no"], ["yes", "yes", ""]])?;
    /// let labels = majority_vote(&votes);
    /// assert_eq!(labels.classes().names(), ["no", "yes"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The number of items.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "no", "no"], ["yes", "yes", ""]])?;
    /// let labels = majority_vote(&votes);
    /// assert_eq!(labels.items(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn items(&self) -> usize {
        self.item_pattern.len()
    }

    /// The probability of each class for item `i`; entry `c - 1` is that of class `c`.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "no", "no"], ["yes", "yes", ""]])?;
    /// let labels = majority_vote(&votes);
    /// assert_eq!(labels.item(0), [2.0 / 3.0, 1.0 / 3.0]); // no, yes
    /// assert_eq!(labels.item(1), [0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn item(&self, i: usize) -> &[f64] {
        self.pattern(self.item_pattern[i] as usize)
    }

    /// The pattern of the votes that item `i` has.
    pub fn pattern_of(&self, i: usize) -> usize {
        self.item_pattern[i] as usize
    }

    /// The number of patterns.
    pub fn patterns(&self) -> usize {
        self.probabilities.len() / self.classes.len()
    }

    /// How many items each pattern has.
    pub(crate) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.patterns()];
        self.item_pattern.iter().for_each(|&p| counts[p as usize] += 1);
        counts
    }

    /// The probability of each class for the items of pattern `p` of the votes.
    pub fn pattern(&self, p: usize) -> &[f64] {
        let k = self.classes.len();
        &self.probabilities[p * k..(p + 1) * k]
    }

    /// Replaces the labels of answered items by their answers, with probability 1.
    ///
    /// ```
    /// use consilience::answers::Answers;
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["yes", "yes"]])?;
    /// let answers = Answers::new(vec![1, 0], 2, votes.classes())?; // the first item is a "no"
    /// let labels = majority_vote(&votes).with_answers(&answers);
    /// assert_eq!((labels.class(0), labels.confidence(0)), (Some("no"), 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_answers(mut self, answers: &Answers) -> Self {
        let k = self.classes.len();
        let first = (self.probabilities.len() / k) as u32;
        if answers.is_empty() {
            return self;
        }
        // One more row of probabilities for each class: certainty.
        let probabilities = Arc::make_mut(&mut self.probabilities);
        for c in 0..k {
            probabilities.extend((0..k).map(|y| f64::from(u8::from(y == c))));
        }
        let item_pattern = Arc::make_mut(&mut self.item_pattern);
        for (i, answer) in answers.iter() {
            item_pattern[i] = first + u32::from(answer) - 1;
        }
        self
    }

    /// The labels that answered items would have without their answers: the opposite of [`Self::with_answers`] for these items of
    /// `votes`. Any rule that decides on labels then decides on them as on all others.
    ///
    /// ```
    /// use consilience::answers::Answers;
    /// use consilience::labels::{Ties, teach, infer};
    /// use consilience::model::CorrectionPriors;
    /// use consilience::pipeline::{Votes, label};
    ///
    /// let rows = [["yes", "yes", "yes"], ["no", "no", "no"], ["", "", ""]].repeat(20);
    /// let votes = Votes::from_text(&["a", "b", "c"], rows)?;
    /// let mut answered = vec![0; 60];
    /// (answered[0], answered[1], answered[2]) = (2, 1, 2); // yes, no, and yes where nobody votes
    /// let answers = Answers::new(answered, 60, votes.classes())?;
    /// let (corrected, held_out) = teach(&label(&votes)?.model, &votes, &answers, CorrectionPriors::default())?;
    /// let labels = infer(&corrected.fitted, &votes)?.with_answers(&answers);
    /// assert_eq!(labels.decide(2, Ties::Empty), Some(2));
    /// let without = labels.with_held_out(&held_out, &votes);
    /// assert_eq!([0, 1, 2].map(|i| without.decide(i, Ties::Empty)), [Some(2), Some(1), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_held_out(&self, held_out: &HeldOut, votes: &Votes) -> Self {
        let mut all = self.clone();
        let first = self.patterns() as u32;
        let item_pattern = Arc::make_mut(&mut all.item_pattern);
        for (place, &item) in (0..).zip(&held_out.items) {
            let voted = votes.item_pattern()[item];
            // An item without votes stays one: its probabilities are those of all such items.
            item_pattern[item] = if all.without_votes == Some(voted) { voted } else { first + place };
        }
        Arc::make_mut(&mut all.probabilities).extend_from_slice(&held_out.probabilities);
        all
    }

    /// Whether the items of pattern `p` have votes or answers.
    pub(crate) fn is_voted(&self, p: usize) -> bool {
        self.without_votes != Some(p as u32)
    }

    /// Whether item `i` has a vote or an answer.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["", ""]])?;
    /// let labels = majority_vote(&votes);
    /// assert!(labels.has_votes(0) && !labels.has_votes(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_votes(&self, i: usize) -> bool {
        self.is_voted(self.pattern_of(i))
    }

    /// The name of the likeliest class of item `i`; `None` if classes tie or nobody votes.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "yes", "no"], ["yes", "no", ""]])?;
    /// let labels = majority_vote(&votes);
    /// assert_eq!((labels.class(0), labels.class(1)), (Some("yes"), None));
    /// # Ok::<(), consilience::votes::VotesError>(())
    /// ```
    pub fn class(&self, i: usize) -> Option<&str> {
        self.decide(i, Ties::Empty).map(|class| self.classes.name(class))
    }

    /// The highest probability of item `i`.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b", "c"], [["yes", "yes", "no"], ["yes", "yes", "yes"]])?;
    /// let labels = majority_vote(&votes);
    /// // To label only where the model is sure, leave out items below a threshold.
    /// let sure: Vec<usize> = (0..labels.items()).filter(|&i| labels.confidence(i) >= 0.9).collect();
    /// assert_eq!(sure, [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn confidence(&self, i: usize) -> f64 {
        highest(self.item(i))
    }

    /// The highest probability of each pattern of the votes.
    ///
    /// ```
    /// use consilience::pipeline::{Votes, majority_vote};
    ///
    /// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["yes", "yes"], ["yes", "yes"]])?;
    /// let labels = majority_vote(&votes);
    /// assert_eq!(labels.confidences()[labels.pattern_of(2)], 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn confidences(&self) -> Vec<f64> {
        parallel::map_each(self.patterns(), parallel::ROWS, |p| highest(self.pattern(p)))
    }
}

fn highest(probabilities: &[f64]) -> f64 {
    probabilities.iter().copied().fold(0.0, f64::max)
}
