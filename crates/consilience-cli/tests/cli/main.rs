//! The command as users see it: exit code, standard output and standard error of whole runs.
//!
//! `help`: every help text. `analyze`, `label`, `learn`, `simulate`: what each verb does when all is well. `bad_input`: one line and
//! exit code 1 for everything that can be wrong with a table. `bad_request`: the same for what was typed. `process`: pipes,
//! full disks, signals, threads.

mod analyze;
mod bad_input;
mod bad_request;
mod fit;
mod folder;
mod help;
mod label;
mod learn;
mod process;
mod simulate;
