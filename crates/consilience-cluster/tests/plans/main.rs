//! Plans and pieces of work that leave this machine vote as they do here.
//!
//! `engine`: the plan run by DataFusion's own engine. `elsewhere`: sources that are sent to other machines.

mod elsewhere;
mod engine;
#[path = "../../../consilience-sources/tests/it/folder.rs"]
#[allow(dead_code, reason = "shared with tests that use all of it")]
mod folder;
