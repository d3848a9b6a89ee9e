//! Which sources repeat each other: agreement beyond what class and difficulty explain.
//!
//! | file | holds |
//! |---|---|
//! | `common_votes.rs` | on how many items two sources vote, and agree |
//! | `votes_by_state.rs` | how sources vote given the state of the item |
//! | `expected_agreement.rs` | how often two sources are expected to agree |
//! | `typical_agreement.rs` | what agreement is usual between pairs |
//! | `listing.rs` | what is known about a pair before it is compared |
//! | `pairs.rs` | near copies, echoes and the discount of every source |

pub(crate) mod common_votes;
pub(crate) mod expected_agreement;
pub(crate) mod listing;
pub(crate) mod pairs;
pub(crate) mod typical_agreement;
pub(crate) mod votes_by_state;
