//! The command as users see it: exit code, standard output and standard error of whole runs.
//!
//! `help`: every help text. `analyze`, `apply`, `label`, `large`, `learn`, `plan`, `report`, `reproduce`, `sample`, `simulate`, `studio`: what each verb does when all is well. `answers`: --answers of fit, label and train, and what can be wrong with them; `certify`: certificates. `end_model`: `train` and `predict`. `bad_input`: one line and
//! exit code 1 for everything that can be wrong with a table. `bad_request`: the same for what was typed. `formats`: files of earlier versions. `readme`: the commands of the README. `process`: pipes,
//! full disks, signals, threads.

mod analyze;
mod answers;
mod apply;
mod bad_input;
mod bad_request;
mod certify;
mod end_model;
mod fit;
mod folder;
mod formats;
mod help;
mod label;
mod large;
mod learn;
mod plan;
mod process;
mod reading;
mod readme;
mod report;
mod reproduce;
mod sample;
mod simulate;
mod studio;
