//! `consilience train`: trains the end model on labels and texts, or writes both together for other trainers.

use anyhow::{Context as _, bail};
use consilience::end_model::{EndModel, TextOptions, TrainOptions, Trainer, TrainingItem};
use consilience_io::{
    EndModelFile, Input, LabelTable, Output, Progress, TrainingFileWriter, TrainingLayout, check_format,
    read_labels, read_table, write_document,
};

use super::join::Join;
use super::texts::{BATCH, check_files, item_column, text_columns};
use crate::args::{ClassifierArgs, ExportArg, TrainArgs};
use crate::terminal::{Talk, counted, thousands};

pub(super) fn run(args: &TrainArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    check_files(&output, &[("labels", &args.labels), ("text", &args.text)])?;
    if let Some(twice) = (1..args.column.len()).find(|&i| args.column[..i].contains(&args.column[i])) {
        bail!("--column names \"{}\" twice; name each column once", args.column[twice]);
    }
    if args.export.is_some() {
        check_format(&output)?;
    }
    let labels_file = Input::from_arg(&args.labels);
    let wait = talk.wait("reading labels");
    let labels = read_labels(&labels_file, None, &|progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    })?;
    drop(wait);
    let used: Vec<bool> = (0..labels.items.len()).map(|i| args.all || says_something(&labels, i)).collect();

    let labels = Labelled { table: labels, file: labels_file.name(), used };
    match args.export {
        Some(layout) => export(args, layout, &labels, output, talk),
        None => train(args, &labels, output, talk),
    }
}

/// Labels, the name of their file, and which of them are learned from.
struct Labelled {
    table: LabelTable,
    file: String,
    used: Vec<bool>,
}

fn export(
    args: &TrainArgs,
    layout: ExportArg,
    labels: &Labelled,
    output: Output,
    talk: Talk,
) -> anyhow::Result<()> {
    let layout = match layout {
        ExportArg::Soft => TrainingLayout::Soft,
        ExportArg::Weighted => TrainingLayout::Weighted,
    };
    let classes = &labels.table.classes;
    let own = TrainingFileWriter::own_columns(layout, classes);
    if let Some(name) = args.column.iter().find(|name| own.contains(name)) {
        bail!("the training file has a column \"{name}\" of its own; rename that column of the text");
    }
    let writer = TrainingFileWriter::new(output, layout, &args.column, classes, None)?;
    let joined = join(args, labels, Export(writer), talk)?;
    let counts = joined.counts(&labels.file);
    joined.sink.0.finish()?;
    talk.say(&format!("wrote {counts}"));
    Ok(())
}

fn train(args: &TrainArgs, labels: &Labelled, output: Output, talk: Talk) -> anyhow::Result<()> {
    let classes = labels.table.classes.clone();
    let trainer = Trainer::new(classes, args.column.len(), options(&args.classifier))?;
    let mut joined = join(args, labels, Learn { trainer, waiting: Vec::new() }, talk)?;
    let counts = joined.counts(&labels.file);
    joined.sink.flush(&labels.table)?;
    let wait = talk.wait("training");
    let model = joined.sink.trainer.finish().with_context(|| labels.file.clone())?;
    drop(wait);
    write_document(output, &EndModelFile::new(&model, args.column.clone()))?;
    talk.say(&format!("trained on {counts}; {}", ending(&model)));
    Ok(())
}

/// Whether an item has a label, and any class is more probable than another: what a trainer can learn from.
fn says_something(labels: &LabelTable, i: usize) -> bool {
    const TOLERANCE: f64 = 1e-9;
    let highest = labels.item(i).iter().copied().fold(0.0, f64::max);
    labels.decided[i] && highest > 1.0 / labels.classes.len() as f64 + TOLERANCE
}

fn options(args: &ClassifierArgs) -> TrainOptions {
    let text = TextOptions {
        words: args.words.0,
        characters: args.characters.0,
        bits: args.bits,
        min_items: args.min_items,
        lower: !args.case,
        rarity: args.rarity,
    };
    TrainOptions { text, penalty: args.penalty, max_iterations: args.steps, ..TrainOptions::default() }
}

fn ending(model: &EndModel) -> String {
    let training = model.training();
    let how = if training.converged { "converged" } else { "stopped short of the optimum (see --steps)" };
    format!(
        "{} n-grams; {how} after {}, gradient norm {:.1e}",
        thousands(model.features() as u64),
        counted(training.iterations as u64, "step", "steps"),
        training.gradient_norm
    )
}

/// Where joined items go.
trait Sink {
    fn take(&mut self, labels: &LabelTable, i: usize, texts: Vec<String>) -> anyhow::Result<()>;
}

struct Export(TrainingFileWriter);

impl Sink for Export {
    fn take(&mut self, labels: &LabelTable, i: usize, texts: Vec<String>) -> anyhow::Result<()> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(self.0.write(&labels.items.name(i), &texts, labels.item(i))?)
    }
}

struct Learn {
    trainer: Trainer,
    waiting: Vec<(usize, Vec<String>)>,
}

impl Learn {
    fn flush(&mut self, labels: &LabelTable) -> anyhow::Result<()> {
        let texts: Vec<Vec<&str>> =
            self.waiting.iter().map(|(_, texts)| texts.iter().map(String::as_str).collect()).collect();
        let items: Vec<TrainingItem<'_>> = self
            .waiting
            .iter()
            .zip(&texts)
            .map(|((i, _), texts)| TrainingItem { texts, probabilities: labels.item(*i), weight: 1.0 })
            .collect();
        self.trainer.extend(&items)?;
        self.waiting.clear();
        Ok(())
    }
}

impl Sink for Learn {
    fn take(&mut self, labels: &LabelTable, i: usize, texts: Vec<String>) -> anyhow::Result<()> {
        self.waiting.push((i, texts));
        if self.waiting.len() == BATCH { self.flush(labels) } else { Ok(()) }
    }
}

/// What came together, and what did not.
struct Joined<S> {
    sink: S,
    taken: u64,
    without_label: u64,
    texts_alone: u64,
    labels_alone: u64,
}

impl<S> Joined<S> {
    fn counts(&self, labels_file: &str) -> String {
        let mut said = vec![counted(self.taken, "item", "items")];
        let mut note = |number: u64, what: &str| {
            if number > 0 {
                said.push(format!("{} {what}", thousands(number)));
            }
        };
        note(self.without_label, "without a label left out (see --all)");
        note(self.texts_alone, &format!("left out that {labels_file} does not have"));
        note(self.labels_alone, &format!("of {labels_file} have no text"));
        said.join(", ")
    }
}

/// Hands the items that have a text and something to learn from to `sink`.
fn join<S: Sink>(args: &TrainArgs, labels: &Labelled, sink: S, talk: Talk) -> anyhow::Result<Joined<S>> {
    let Labelled { table: labels, file: labels_file, used } = labels;
    let input = Input::from_arg(&args.text);
    let wait = talk.wait("reading text");
    let progress = |progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    };
    let fields = args.column.len();
    let (mut join, mut joined) = read_table(
        &input,
        None,
        |header| {
            let item = if args.by_order { None } else { item_column(header, args.item.as_deref())? };
            let mut wanted = text_columns(header, &args.column)?;
            wanted.extend(item);
            let join =
                if item.is_some() { Join::by_name(labels, labels_file)? } else { Join::by_order(labels) };
            let joined = Joined { sink, taken: 0, without_label: 0, texts_alone: 0, labels_alone: 0 };
            anyhow::Ok((wanted, (join, joined)))
        },
        |(join, joined), row| {
            let name = if join.is_by_name() { row.cell(fields) } else { "" };
            match join.next(name).map_err(|problem| row.error(problem))? {
                Some(i) if used[i] => {
                    joined.taken += 1;
                    joined.sink.take(labels, i, (0..fields).map(|i| row.cell(i).to_string()).collect())
                }
                Some(_) => {
                    joined.without_label += 1;
                    Ok(())
                }
                None => {
                    joined.texts_alone += 1;
                    Ok(())
                }
            }
        },
        &progress,
    )?;
    drop(wait);
    joined.labels_alone = join.finish(&input.name(), labels_file)?;
    if joined.taken == 0 {
        bail!(
            "{labels_file}: no item has a label that says more than chance; add --all to train on them anyway"
        );
    }
    Ok(joined)
}
