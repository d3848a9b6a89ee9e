//! What became of the items, in one line.

use consilience::labels::Labels;
use consilience::sources::{ABSTAIN, Vote};

use crate::terminal::{counted, thousands};

/// What became of the items.
#[derive(Debug, Default)]
pub struct Summary {
    way: &'static str,
    items: u64,
    labelled: u64,
    tied: u64,
    unsure: u64,
    without_votes: u64,
    silent: u64,
    judged: u64,
    right: f64,
    /// Whether answered items are left out of the score: their labels are the answers.
    scores_without_answered: bool,
}

impl Summary {
    /// Of labels that were made this `way`.
    pub fn new(way: &'static str) -> Self {
        Self { way, ..Self::default() }
    }

    /// Says that the gold of answered items is not passed on.
    #[must_use]
    pub fn without_gold_of_answered(self) -> Self {
        Self { scores_without_answered: true, ..self }
    }

    /// Adds item `i`, or so many `times` a pattern.
    pub fn add(
        &mut self,
        labels: &Labels,
        i: usize,
        times: u64,
        label: Option<Vote>,
        unsure: bool,
        gold: Vote,
    ) {
        self.items += times;
        self.silent += times * u64::from(!labels.has_votes(i));
        match label {
            Some(class) => {
                self.labelled += times;
                self.judged += times * u64::from(gold != ABSTAIN);
                self.right += times as f64 * f64::from(gold == class);
            }
            None if !labels.has_votes(i) => self.without_votes += times,
            None if unsure => self.unsure += times,
            None => {
                self.tied += times;
                if gold != ABSTAIN {
                    self.judged += times;
                    self.right += times as f64 * labels.chance_of(i, gold);
                }
            }
        }
    }

    pub fn line(&self) -> String {
        let mut said = vec![format!(
            "labelled {} of {} {}",
            thousands(self.labelled),
            counted(self.items, "item", "items"),
            self.way
        )];
        let tied = counted(self.tied, "tie", "ties");
        let without_votes = format!("{} without votes", counted(self.without_votes, "item", "items"));
        match (self.tied, self.without_votes) {
            (0, 0) => {}
            (_, 0) => said.push(format!("{tied} left empty (see --ties)")),
            (0, _) => said.push(format!("{without_votes} left empty (see --ties)")),
            _ => said.push(format!("{tied} and {without_votes} left empty (see --ties)")),
        }
        if self.silent > self.without_votes {
            let labelled = self.silent - self.without_votes;
            said.push(format!("{} without votes labelled by --ties", counted(labelled, "item", "items")));
        }
        if self.unsure > 0 {
            said.push(format!(
                "{} left empty (below --abstain-below)",
                counted(self.unsure, "item", "items")
            ));
        }
        if self.judged > 0 {
            let share = 100.0 * self.right / self.judged as f64;
            let ties = if self.tied > 0 { ", ties by chance" } else { "" };
            let others = if self.scores_without_answered { " and no answer" } else { "" };
            said.push(format!("right on {share:.2}% of {} with gold{others}{ties}", thousands(self.judged)));
        }
        said.join("; ")
    }
}
