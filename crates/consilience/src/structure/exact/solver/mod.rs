//! The optimum of every problem, what problems take from each other, and how certain links are.
//!
//! | file | holds |
//! |---|---|
//! | `newton.rs` | sixteen maximisations side by side |
//! | `penalised.rs` | the same with an l1 penalty: Eq. (6) of the paper |
//! | `state.rs` | the state of a batch of problems from round to round |
//! | `problem.rs` | their objective, optimum and standard errors |
//! | `retest.rs` | the test of a link between sources that seldom meet |
//! | `screen.rs` | the test of every such pair against independence |
//! | `rounds.rs` | the fixed point of what problems share |
//! | `borrowed.rs` | errors of links because accuracies are uncertain |
//! | `estimates.rs` | the results |
//! | `fitter.rs` | all problems in rounds |
//!
//! Hands on: weights with standard errors, which `select.rs` chooses from.

pub(crate) mod borrowed;
pub(crate) mod estimates;
pub(crate) mod fitter;
pub(crate) mod newton;
pub(crate) mod penalised;
pub(crate) mod problem;
pub(crate) mod retest;
pub(crate) mod rounds;
pub(crate) mod screen;
pub(crate) mod state;
