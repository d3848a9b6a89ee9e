//! Labels part by part, while the next part of the table is read: for tables with more distinct rows than are held at once.

use std::sync::mpsc;

use anyhow::{Context as _, anyhow};
use consilience::labels::{Disagreement, InferError, Labels, MissingSources, infer, majority_vote};
use consilience::model::Fitted;
use consilience::sources::ABSTAIN;
use consilience::votes::{ReadingNote, Votes};
use consilience_io::{
    Input, LabelRow, LabelWriter, Output, Parts, PartsRead, Progress, ReadOptions, VotesPart,
    read_votes_in_parts,
};

use super::super::{fit, input, no_overwrite};
use super::disagreement;
use super::summary::Summary;
use super::{Choice, note_correction};
use crate::args::LabelArgs;
use crate::terminal::{Talk, counted};

/// Rows of a part: few enough for the caches, enough for all threads.
const PART_ROWS: usize = 1 << 18;

/// Labels by a model, in one pass; a table within the budget is one part.
pub(super) fn by_known_model(
    args: &LabelArgs,
    budget: usize,
    models: fit::Models,
    output: Output,
    talk: Talk,
) -> anyhow::Result<()> {
    no_overwrite::keep(&output, "votes", &args.votes.votes)?;
    let model = &models.chosen.model;
    let options = input::options_for(&args.votes, model.classes(), Some(model.sources()));
    let parts = Parts { rows: PART_ROWS.min(budget), whole: budget };
    let notes = |part: &VotesPart| talk.notes(&part.table.notes);
    let mut labelling = Labelling::new(args, Some(models), output);
    let read = labelling.all(args, &options, parts, notes, talk)?;
    talk.notes(&read.notes);
    labelling.finish(talk)
}

/// Fits a model to a sample, then labels all rows in a second pass.
pub(super) fn by_sample(
    args: &LabelArgs,
    budget: usize,
    sampled: input::Sampled,
    request: Option<fit::Request>,
    output: Output,
    talk: Talk,
) -> anyhow::Result<()> {
    // How many items have another gold class is known after the second pass.
    let is_of_all = |note: &ReadingNote| matches!(note, ReadingNote::OtherGold { .. });
    let table = sampled.named.table;
    talk.notes(&table.notes.iter().filter(|note| !is_of_all(note)).collect::<Vec<_>>());
    let models = match request {
        Some(mut request) => {
            let done = "all are labelled, by a model estimated from";
            input::note_sample(&table.votes, sampled.rows, budget, done, talk);
            request.name_balance(&args.fit, table.votes.classes())?;
            let (models, told) = talk.watched("fitting", || request.models(&table.votes));
            let models = models.with_context(|| sampled.named.name.clone())?;
            talk.other_notes(&models.chosen.notes, &told);
            Some(models)
        }
        None => None,
    };
    let sources = models.as_ref().map(|models| models.chosen.model.sources());
    let options = input::options_for(&args.votes, table.votes.classes(), sources);
    drop(table);
    let parts = Parts { rows: PART_ROWS.min(budget), whole: 0 };
    let mut labelling = Labelling::new(args, models, output);
    let read = labelling.all(args, &options, parts, |_| (), talk)?;
    talk.notes(&read.notes.iter().filter(|note| is_of_all(note)).collect::<Vec<_>>());
    labelling.finish(talk)
}

/// Labels while they are made and written.
struct Labelling {
    /// What the table is called.
    name: String,
    /// By majority vote if there is none.
    chosen: Option<Fitted>,
    independent: Option<Fitted>,
    choice: Choice,
    /// The output until the first labels are written.
    output: Option<Output>,
    writer: Option<LabelWriter>,
    summary: Summary,
    disagreement: Disagreement<String>,
    missing: Option<MissingSources>,
}

impl Labelling {
    fn new(args: &LabelArgs, models: Option<fit::Models>, output: Output) -> Self {
        let way = if models.is_some() { "by the model" } else { "by majority vote" };
        let (chosen, independent) = match models {
            Some(fit::Models { chosen, independent }) => {
                let independent = independent.filter(|independent| independent.model != chosen.model);
                (Some(chosen), independent)
            }
            None => (None, None),
        };
        Self {
            name: Input::from_arg(&args.votes.votes).name(),
            chosen,
            independent,
            choice: Choice::new(args),
            output: Some(output),
            writer: None,
            summary: Summary::new(way),
            disagreement: Disagreement::default(),
            missing: None,
        }
    }

    /// Labels all rows of the table; `look` sees the first part before it is labelled.
    fn all(
        &mut self,
        args: &LabelArgs,
        options: &ReadOptions,
        parts: Parts,
        look: impl Fn(&VotesPart),
        talk: Talk,
    ) -> anyhow::Result<PartsRead> {
        let input = Input::from_arg(&args.votes.votes);
        let wait = talk.wait("labelling");
        let progress = |progress: Progress| {
            wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
        };
        let look = |part: &VotesPart| {
            if part.rows_before == 0 {
                look(part);
            }
        };
        if rayon::current_num_threads() == 1 {
            return read_votes_in_parts(&input, options, &parts, &progress, |part| {
                look(&part);
                self.part(&part)
            });
        }
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::sync_channel::<VotesPart>(1);
            let worker = scope.spawn(move || receive.into_iter().try_for_each(|part| self.part(&part)));
            let read = read_votes_in_parts(&input, options, &parts, &progress, |part| {
                look(&part);
                // Where nobody listens any more, the worker says why.
                send.send(part).map_err(|_| anyhow!("labelling has stopped"))
            });
            drop(send);
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            read
        })
    }

    fn part(&mut self, part: &VotesPart) -> anyhow::Result<()> {
        let table = &part.table;
        let labels = labels(self.chosen.as_ref(), &table.votes)
            .with_context(|| self.name.clone())?
            .behind(part.rows_before);
        self.missing = labels.missing_sources().cloned();
        if let Some(independent) = &self.independent {
            let other = infer(independent, &table.votes)?;
            self.disagreement.add(&labels, &other, |i| table.items.name(i).into_owned());
        }
        let writer = match (&mut self.writer, self.output.take()) {
            (writer, Some(output)) => writer.insert(LabelWriter::new(output, labels.classes(), None)?),
            (Some(writer), None) => writer,
            (None, None) => return Ok(()),
        };
        for i in 0..labels.items() {
            let (label, unsure) = self.choice.of(&labels, i);
            let gold = table.gold.as_ref().map_or(ABSTAIN, |gold| gold[i]);
            self.summary.add(&labels, i, 1, label, unsure, gold);
            writer.write(&LabelRow::of(&labels, i, &table.items.name(i), label))?;
        }
        Ok(())
    }

    /// Completes the file and says what became of the items.
    fn finish(self, talk: Talk) -> anyhow::Result<()> {
        if let Some(writer) = self.writer {
            writer.finish()?;
        }
        talk.notes(&self.missing.into_iter().collect::<Vec<_>>());
        if let Some(chosen) = &self.chosen {
            note_correction(chosen, talk);
        }
        talk.notes(&disagreement::line(&self.disagreement).into_iter().collect::<Vec<_>>());
        talk.say(&self.summary.line());
        Ok(())
    }
}

fn labels(chosen: Option<&Fitted>, votes: &Votes) -> Result<Labels, InferError> {
    chosen.map_or_else(|| Ok(majority_vote(votes)), |chosen| infer(chosen, votes))
}
