//! Files as people write them, as this crate writes them, and as they should not be.
#![allow(missing_docs)]

mod bad_input;
mod corpus;
mod damaged;
mod documents;
mod folder;
mod formats;
mod large;
mod messages;
mod output;
mod read;
mod tables;
