//! The true classes from a file of their own.

use consilience::sources::{ABSTAIN, NamesError, Vote};
use consilience::votes::{Votes, VotesError};

use super::error::{Place, Problem, ReadError};
use super::gold::{OTHER_CLASS, other_class_note};
use super::options::ReadOptions;
use super::read_votes;
use crate::input::Input;

/// The true classes of the items of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldFile {
    /// One an item: abstain where it is unknown, [`OTHER_CLASS`] where no source votes for it.
    pub gold: Vec<Vote>,
    /// What the user should know, one sentence each.
    pub notes: Vec<String>,
}

/// Reads the true classes of the items of `votes`, which was read with `options`, from a column of another file with one
/// row an item, in the same order.
pub fn read_gold(
    input: &Input,
    column: &str,
    votes: &Votes,
    options: &ReadOptions,
) -> Result<GoldFile, ReadError> {
    let named = ReadOptions {
        classes: options.classes.clone(),
        abstain: options.abstain.clone(),
        only: Some(column.to_string()),
        long: Some(false),
        ..ReadOptions::default()
    };
    let read = |options| read_votes(input, options, &|_| {}).map(|table| table.votes);
    let gold = match read(&named) {
        // Gold of one class only names too few classes; with those of the votes it is still read by name.
        Err(error) if options.classes.is_none() && names_too_few_classes(&error.problem) => {
            read(&ReadOptions { classes: Some(votes.classes().clone()), ..named.clone() })?
        }
        other => other?,
    };
    let found = gold.items();
    if found != votes.items() {
        let lengths = VotesError::GoldLength { items: votes.items(), gold: found };
        return Err(Place::file(&input.name()).because(lengths));
    }
    Ok(in_classes_of(votes, &gold))
}

fn names_too_few_classes(problem: &Problem) -> bool {
    matches!(problem, Problem::Names(NamesError::TooFewClasses { .. }))
}

fn in_classes_of(votes: &Votes, gold: &Votes) -> GoldFile {
    let mut relabel = vec![ABSTAIN];
    relabel
        .extend(gold.classes().names().iter().map(|name| votes.classes().vote(name).unwrap_or(OTHER_CLASS)));
    let class = |i: usize| gold.row_of_item(i).next().map_or(ABSTAIN, |(_, vote)| relabel[vote as usize]);
    let gold_of_items: Vec<Vote> = (0..gold.items()).map(class).collect();
    let others = gold_of_items.iter().filter(|&&class| class == OTHER_CLASS).count();
    let unknown: Vec<&String> =
        gold.classes().names().iter().filter(|name| votes.classes().vote(name).is_none()).collect();
    GoldFile { gold: gold_of_items, notes: other_class_note(others, &unknown).into_iter().collect() }
}
