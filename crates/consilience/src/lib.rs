//! Probabilistic labels from the votes of noisy sources, without ground truth, and with the dependencies between the
//! sources learned from the votes alone.
//!
//! Data flows in one direction:
//! ```text
//! sources + items --apply--> votes --learn--> structure --fit--> model --infer--> labels --> report
//!                                                       answers --^      answers --certify--> certificate
//! ```
//! [`pipeline`] covers every step. A small table shows how it works:
//!
//! ```
//! use consilience::pipeline::{FitOptions, LearnOptions, Votes, fit, infer, learn};
//!
//! let votes = Votes::from_text(
//!     &["gpt", "gpt_strict", "claude", "human"],
//!     [["good", "good", "bad", ""], ["bad", "bad", "bad", "bad"], ["good", "good", "good", ""]].repeat(50),
//! )?;
//! let structure = learn(&votes, &LearnOptions::default())?; // which sources depend on each other
//! let model = fit(&votes, &structure, &FitOptions::default())?; // how reliable each source is
//! let labels = infer(&model, &votes)?; // a probability for each class of each item
//! for i in 0..3 {
//!     println!("{:?}, {:.2} sure", labels.class(i), labels.confidence(i));
//! }
//! assert_eq!(labels.class(1), Some("bad"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate `consilience-io` reads votes from files and writes labels to files. `structure.repetitions` lists the sources
//! that repeat each other, [`labels::explain_panel`] describes how much each source contributes, and
//! [`labels::explain_item`] explains why an item has its label.
//!
//! Modules are listed in the order of the data flow; each uses only those above it.

#[macro_use]
mod option_setters;

pub(crate) mod components;
pub mod interval;
pub mod num;
pub(crate) mod optim;
pub(crate) mod parallel;
pub mod rng;
pub mod watch;

pub mod sources;

pub mod votes;

pub mod answers;

pub mod dependency;

pub mod structure;

pub mod model;

pub mod labels;

pub mod end_model;

pub mod report;

pub mod certificate;

pub mod findings;

pub mod pipeline;
