//! Sources applied to data, compared with a naive evaluation.
//!
//! `votes`: what each kind votes. `formats`: files of all formats, patterns, folders.
//! `split`: data in several files that differ.
//! `elsewhere`: sources that are sent to other machines. `commands`: programs that answer, hang, die or talk nonsense. `bad_file`:
//! everything that can be wrong with a file. `safety`:
//! what a stranger's file may not do. `round_trip`: files that are written and read again. `rerun`: sources that changed. `voter`: the
//! same votes without the engine. `queries`: the same sources as SQL for other engines.

mod bad_file;
mod commands;
mod elsewhere;
mod folder;
mod formats;
mod queries;
mod rerun;
mod round_trip;
mod safety;
mod split;
mod voter;
mod votes;
