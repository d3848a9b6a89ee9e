//! Labels if items differ in difficulty; the formulas are in `model/impression`.
//!
//! | file | holds |
//! |---|---|
//! | `class_term.rs` | how much rarer classes are than their votes suggest |
//! | `refit.rs` | accuracies of dense panels, given the impression |
//! | `with_impression.rs` | level and spread of a fitted model |

pub(crate) mod class_term;
pub(crate) mod refit;
pub(crate) mod with_impression;
