//! `consilience label`: gives every item a probability for each class.

use anyhow::bail;
use consilience::labels::{Labels, Ties, majority_vote};
use consilience::sources::{ABSTAIN, Vote};
use consilience_io::{LabelRow, LabelWriter, Output, check_format};

use super::input;
use crate::args::{LabelArgs, TiesArg};
use crate::terminal::{Talk, counted, thousands};

pub(super) fn run(args: &LabelArgs, talk: Talk) -> anyhow::Result<()> {
    if !args.majority {
        bail!("this version labels by majority vote only; pass --majority");
    }
    let output = Output::from_arg(&args.output)?;
    check_format(&output)?;
    let table = input::read(&args.votes, &output, talk)?.table;
    talk.notes(&table.notes);
    let labels = majority_vote(&table.votes);
    let ties = match args.ties {
        TiesArg::Empty => Ties::Empty,
        TiesArg::First => Ties::First,
        TiesArg::Random => Ties::Random(args.seed),
    };

    let wait = talk.wait("writing labels");
    let mut writer = LabelWriter::new(output, labels.classes(), None)?;
    let mut summary = Summary::default();
    for i in 0..labels.items() {
        let label = labels.decide(i, ties);
        summary.add(&labels, i, label, table.gold.as_ref().map_or(ABSTAIN, |gold| gold[i]));
        writer.write(&LabelRow {
            item: &table.items.name(i),
            label: label.map(|class| labels.classes().name(class)),
            confidence: labels.confidence(i),
            probabilities: labels.item(i),
        })?;
        if i % PROGRESS_EVERY == 0 {
            wait.progress(Some(i as f64 / labels.items() as f64), "");
        }
    }
    writer.finish()?;
    drop(wait);
    talk.say(&summary.line());
    Ok(())
}

const PROGRESS_EVERY: usize = 1 << 14;

/// What became of the items.
#[derive(Debug, Default)]
struct Summary {
    items: u64,
    labelled: u64,
    tied: u64,
    without_votes: u64,
    judged: u64,
    right: u64,
}

impl Summary {
    fn add(&mut self, labels: &Labels, i: usize, label: Option<Vote>, gold: Vote) {
        self.items += 1;
        match label {
            Some(class) => {
                self.labelled += 1;
                self.judged += u64::from(gold != ABSTAIN);
                self.right += u64::from(gold == class);
            }
            None if labels.has_votes(i) => self.tied += 1,
            None => self.without_votes += 1,
        }
    }

    fn line(&self) -> String {
        let mut said = vec![format!(
            "labelled {} of {} by majority vote",
            thousands(self.labelled),
            counted(self.items, "item", "items")
        )];
        let tied = counted(self.tied, "tie", "ties");
        let without_votes = format!("{} without votes", counted(self.without_votes, "item", "items"));
        match (self.tied, self.without_votes) {
            (0, 0) => {}
            (_, 0) => said.push(format!("{tied} left empty (see --ties)")),
            (0, _) => said.push(format!("{without_votes} left empty (see --ties)")),
            _ => said.push(format!("{tied} and {without_votes} left empty (see --ties)")),
        }
        if self.judged > 0 {
            let share = 100.0 * self.right as f64 / self.judged as f64;
            said.push(format!("right on {share:.2}% of {} with gold", thousands(self.judged)));
        }
        said.join("; ")
    }
}
