//! All steps from votes to labels. This is the only module that uses all the others.
//!
//! Each step is a function that takes the results of earlier steps by reference and returns the next one:
//!
//! ```
//! use consilience::pipeline::{FitOptions, LearnOptions, fit, infer, learn};
//! use consilience::votes::Votes;
//!
//! let rows = [["spam", "spam", "ham"], ["ham", "ham", "ham"], ["spam", "", "spam"], ["ham", "spam", "ham"]];
//! let votes = Votes::from_text(&["links", "money", "judge"], rows.repeat(25))?;
//!
//! let structure = learn(&votes, &LearnOptions::default())?;
//! let model = fit(&votes, &structure, &FitOptions::default())?;
//! let labels = infer(&model, &votes)?;
//!
//! assert_eq!(labels.classes().name(labels.likeliest(labels.pattern_of(0))), "spam");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod error;
mod learn;

pub use compare::{Compared, Other, compare, where_models_differ};
pub use error::PipelineError;
pub use learn::{LearnOptions, Method, learn, learn_with_path};

pub use crate::certificate::certify;
pub use crate::labels::{Labels, correct, explain_item, explain_panel, explain_source, infer, majority_vote};
pub use crate::model::{Dependence, FitOptions, Fitted, fit};
pub use crate::structure::Structure;
pub use crate::votes::Votes;

/// Labels `votes` with the default settings, and returns the labels with the structure and model behind them.
///
/// ```
/// use consilience::pipeline::{Votes, label};
///
/// let votes = Votes::from_text(&["a", "b", "c"], [["1", "1", "2"], ["2", "2", "2"], ["1", "", "1"]])?;
/// let made = label(&votes)?;
/// assert_eq!(made.labels.items(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn label(votes: &Votes) -> Result<Labelled, PipelineError> {
    let structure = crate::model::default_structure(votes)?;
    let model = fit(votes, &structure, &FitOptions::default())?;
    let labels = infer(&model, votes)?;
    Ok(Labelled { structure, model, labels })
}

/// The result of [`label`].
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Which sources depend on each other.
    pub structure: Structure,
    /// How reliable each source is.
    pub model: Fitted,
    /// The probability of each class for each item.
    pub labels: Labels,
}
