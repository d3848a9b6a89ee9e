//! What a table of votes shows, as data.
//!
//! [`Study`] learns, fits and infers, with the models that labels are compared with. [`Report`] describes a study as data:
//! what `consilience report` writes, and what the studio and Python show.
//!
//! | file | holds |
//! |---|---|
//! | `study.rs` | votes to structure, model and labels, next to independent sources and majority vote |
//! | `report.rs` | the report and its headline |
//! | `sources.rs` | how reliable each source is, and notes on it |
//! | `links.rs` | which sources depend on each other: one link per pair, and groups |
//! | `agreement.rs` | how often each pair of sources agrees beyond chance |
//! | `confidence.rs` | how confident labels are, and how often they are correct |
//! | `comparison.rs` | majority vote, independent sources and the model next to each other |
//! | `choice.rs` | another choice of repeating sources |
//! | `pair.rs` | the votes of two sources on the same items |
//! | `flips.rs` | labels that differ between two models |
//! | `moved.rs` | the effect of changing the sources |
//! | `running.rs` | accuracy after each answer |

mod agreement;
mod choice;
mod comparison;
mod confidence;
mod flips;
mod links;
mod moved;
mod pair;
mod report;
mod running;
mod sources;
mod study;

pub use agreement::{Agreement, MOST_COMPARED};
pub use choice::{Choice, ChoiceError};
pub use comparison::{Comparison, Disputed, LabelMethod, MethodSummary, Scores};
pub use confidence::{ConfidenceBin, confidence_bins};
pub use flips::Flips;
pub use links::{Link, LinkKind, links};
pub use moved::{Flip, FlippedItem, Moved, MovedLabels, MovedLink, MovedSource, Shares, Snapshot};
pub use pair::PairTable;
pub use report::{ClassSummary, Headline, Report, ReportError, ReportInput, Setting, TableFacts};
pub use running::running_accuracy;
pub use sources::{Flag, SourceSummary};
pub use study::{Study, StudyError, Taught};
