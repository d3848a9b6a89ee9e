//! The plan of all sources, run by DataFusion's own engine, votes as it does here.

mod engine;
#[path = "../../../consilience-sources/tests/it/folder.rs"]
#[allow(dead_code, reason = "shared with tests that use all of it")]
mod folder;
