//! The command as users see it: exit code, standard output and standard error of whole runs.
//!
//! `help`: every help text. `analyze`, `label`, `learn`, `plan`, `reproduce`, `simulate`: what each verb does when all is well. `end_model`: `train` and `predict`. `bad_input`: one line and
//! exit code 1 for everything that can be wrong with a table. `bad_request`: the same for what was typed. `process`: pipes,
//! full disks, signals, threads.

mod analyze;
mod bad_input;
mod bad_request;
mod end_model;
mod fit;
mod folder;
mod help;
mod label;
mod learn;
mod plan;
mod process;
mod reading;
mod reproduce;
mod simulate;
