//! How likely votes are under given weights, and the weights that make them most likely.
//!
//! | file | holds |
//! |---|---|
//! | `rows.rs` | the rows that are fitted, all or an even part |
//! | `layout.rs` | where every weight and cell lies |
//! | `prior.rs` | the prior of each weight |
//! | `expected.rs` | expected counts of every vote with every class |
//! | `dense.rs` | the same for two classes, rows side by side |
//! | `exact.rs` | the marginal likelihood, partition function by elimination: Eq. (2) of the paper |
//! | `panel/` | the same in closed form if sources have vote rates and one accuracy each |
//! | `pseudo.rs` | the joint marginal pseudolikelihood: Eq. (4) and (5) for all sources at once |
//! | `gibbs.rs` | stochastic gradients with interleaved Gibbs sampling, as in the paper |
//! | `weights.rs` | the choice between them, and the maximum |

pub(crate) mod dense;
pub(crate) mod exact;
pub(crate) mod expected;
pub(crate) mod gibbs;
pub(crate) mod layout;
pub(crate) mod panel;
pub(crate) mod prior;
pub(crate) mod pseudo;
pub(crate) mod rows;
pub(crate) mod weights;
