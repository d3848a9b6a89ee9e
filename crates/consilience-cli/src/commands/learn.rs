//! `consilience learn`: finds out which sources depend on each other.

use std::ffi::OsStr;

use anyhow::{Context as _, bail};
use consilience::structure::{
    DEFAULT_EPSILON, ExactOptions, Select, SgdOptions, Structure, learn_exact, learn_sgd,
};
use consilience::votes::Votes;
use consilience_io::{Output, StructureFile, write_document};

use super::input;
use crate::args::{LearnArgs, MethodArg};
use crate::terminal::{Talk, counted};
use crate::view;

pub(super) fn run(args: &LearnArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(args.output.as_deref().unwrap_or(OsStr::new("-")))?;
    let votes = input::read(&args.votes, &output, talk)?;
    let wait = talk.wait("learning dependencies");
    let structure = learn(args, &votes.table.votes).with_context(|| votes.name.clone())?;
    drop(wait);
    talk.notes(&votes.table.notes);
    if args.json || args.output.is_some() {
        write_document(output, &StructureFile::new(&structure, args.all))?;
    } else {
        let text = view::structure(&structure, args.all, view::width(&output));
        output.write_whole(text.as_bytes())?;
    }
    talk.say(&summary(&structure));
    Ok(())
}

fn learn(args: &LearnArgs, votes: &Votes) -> anyhow::Result<Structure> {
    match args.method {
        MethodArg::Exact => {
            if args.epsilon.is_some() {
                bail!("--epsilon belongs to --method sgd; use --select threshold=E, or leave it out");
            }
            let options = ExactOptions { types: args.types.clone(), ..ExactOptions::default() };
            Ok(learn_exact(votes, &options, args.select)?)
        }
        MethodArg::Sgd => {
            let epsilon = match (args.select, args.epsilon) {
                (Select::Auto, epsilon) => epsilon.unwrap_or(DEFAULT_EPSILON),
                (Select::Threshold(epsilon), None) => epsilon,
                (Select::Threshold(_), Some(_)) => {
                    bail!("--epsilon and --select threshold say the same; give one of them")
                }
                (other, _) => bail!(
                    "--method sgd has no standard errors for --select {other}; use --select threshold=E or --method exact"
                ),
            };
            let options = SgdOptions { types: args.types.clone(), epsilon, ..SgdOptions::default() };
            Ok(learn_sgd(votes, &options)?.structure(votes))
        }
    }
}

fn summary(structure: &Structure) -> String {
    let kept = structure.selected().count() as u64;
    let mut said = vec![format!(
        "kept {} of {} ({}, {})",
        kept,
        counted(structure.dependencies.len() as u64, "possible dependency", "possible dependencies"),
        structure.method,
        structure.select
    )];
    let copies = structure.copies.iter().map(|group| group.len() as u64 - 1).sum::<u64>();
    if copies > 0 {
        said.push(format!(
            "{} left out",
            counted(copies, "exact copy of a source", "exact copies of sources")
        ));
    }
    said.join("; ")
}
