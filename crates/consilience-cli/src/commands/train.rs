//! `consilience train`: trains the end model on labels and texts, or writes both together for other trainers.

use std::collections::HashMap;
use std::ffi::OsStr;

use anyhow::{Context as _, bail};
use consilience::end_model::{EndModel, TextOptions, TrainOptions, Trainer, TrainingItem};
use consilience::labels::silent_shares;
use consilience::votes::ReadingNote;
use consilience_io::{
    AnswersOptions, EndModelFile, Input, ItemNames, LabelTable, Output, Progress, ReadOptions,
    TrainingFileWriter, TrainingLayout, check_format, read_answers, read_labels, read_table,
    read_votes_watched, write_document,
};

use super::join::Join;
use super::texts::{BATCH, check_files, join_column, text_columns};
use crate::args::{ClassifierArgs, ExportArg, TrainArgs};
use crate::terminal::{Talk, counted, thousands};

pub(super) fn run(args: &TrainArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    let mut files: Vec<(&'static str, &OsStr)> = vec![("labels", &args.labels), ("text", &args.text)];
    files.extend(args.votes.as_deref().map(|votes| ("votes", votes)));
    files.extend(args.answers.as_deref().map(|answers| ("answers", answers)));
    check_files(&output, &files)?;
    if let Some(twice) = (1..args.column.len()).find(|&i| args.column[..i].contains(&args.column[i])) {
        bail!("duplicate column \"{}\" in --column; name each column once", args.column[twice]);
    }
    if args.export.is_some() {
        check_format(&output)?;
    }
    let labels_file = Input::from_arg(&args.labels);
    let wait = talk.wait("reading labels");
    let mut labels = read_labels(&labels_file, None, &|progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    })?;
    drop(wait);
    let answered = match &args.answers {
        Some(file) => answer(file, args.answers_column.as_deref(), &mut labels, talk)?,
        None => vec![false; labels.items.len()],
    };
    let silence = match &args.votes {
        Some(votes) => silence(votes, args.votes_item.as_deref(), &labels, &labels_file.name(), talk)?,
        None => None,
    };
    let use_of = |i: usize| match &silence {
        _ if answered[i] => Use::Label,
        Some(silence) if silence.items[i] => Use::Silent,
        _ if args.all || says_something(&labels, i) => Use::Label,
        _ => Use::None,
    };
    let uses = (0..labels.items.len()).map(use_of).collect();
    let shares = silence.map(|silence| silence.shares);
    let labels = Labelled { table: labels, file: labels_file.name(), uses, shares };
    match args.export {
        Some(layout) => export(args, layout, &labels, output, talk),
        None => train(args, &labels, output, talk),
    }
}

/// Puts answers in the place of labels; says which items have one.
fn answer(
    file: &OsStr,
    column: Option<&str>,
    labels: &mut LabelTable,
    talk: Talk,
) -> anyhow::Result<Vec<bool>> {
    let mut options = AnswersOptions::default();
    options.column = column.map(str::to_string);
    let file = read_answers(&Input::from_arg(file), &options, &labels.items, &labels.classes)?;
    talk.notes(&file.notes);
    let k = labels.classes.len();
    let mut answered = vec![false; labels.items.len()];
    for (i, class) in file.answers.iter() {
        answered[i] = true;
        labels.decided[i] = true;
        for (c, p) in (1..).zip(&mut labels.probabilities[i * k..(i + 1) * k]) {
            *p = f64::from(u8::from(c == class));
        }
    }
    Ok(answered)
}

/// Labels, the name of their file, what of each item is learned from, and what silence says.
struct Labelled {
    table: LabelTable,
    file: String,
    uses: Vec<Use>,
    shares: Option<Vec<f64>>,
}

/// What training uses of an item, in addition to its text.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    None,
    Label,
    Silent,
}

/// The items that nobody votes on, and the shares of the classes among them.
struct Silence {
    items: Vec<bool>,
    shares: Vec<f64>,
}

/// Reads the votes that were labelled; `None` if every item has a vote.
fn silence(
    file: &OsStr,
    item_column: Option<&str>,
    labels: &LabelTable,
    labels_file: &str,
    talk: Talk,
) -> anyhow::Result<Option<Silence>> {
    let input = Input::from_arg(file);
    let mut options = ReadOptions::default().with_known(labels.classes.clone());
    options.item = item_column.map(str::to_string);
    let wait = talk.wait("reading votes");
    let table = read_votes_watched(&input, &options, &|progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    })?;
    drop(wait);
    let (votes, name) = (table.votes, input.name());
    if votes.items() != labels.items.len() {
        bail!(
            "{name} has {} items, but {labels_file} {}; use the votes that were labelled",
            votes.items(),
            labels.items.len()
        );
    }
    let label_of = label_of_items(&table.items, &labels.items, &name, labels_file)?;
    let shares = silent_shares(&votes, |i| labels.item(label_of[i]));
    let mut items = vec![false; votes.items()];
    (0..votes.items()).for_each(|i| items[label_of[i]] = votes.row_of_item(i).next().is_none());
    talk.notes(&table.notes);
    Ok(shares.map(|shares| Silence { items, shares }))
}

/// For each item of the votes the place of its label: by name, whatever the order.
fn label_of_items(
    votes: &ItemNames,
    labels: &ItemNames,
    name: &str,
    labels_file: &str,
) -> anyhow::Result<Vec<usize>> {
    let Some(first) = (0..votes.len()).find(|&i| votes.name(i) != labels.name(i)) else {
        return Ok((0..votes.len()).collect());
    };
    let place: HashMap<String, usize> =
        labels.iter().enumerate().map(|(i, name)| (name.into_owned(), i)).collect();
    let found: Option<Vec<usize>> = votes.iter().map(|name| place.get(name.as_ref()).copied()).collect();
    let mut taken = vec![false; labels.len()];
    match found {
        Some(found) if found.iter().all(|&i| !std::mem::replace(&mut taken[i], true)) => Ok(found),
        _ => bail!(
            "item {} is \"{}\" in {name}, but \"{}\" in {labels_file}; use the votes that were labelled, and select the \
             column with their item names with --votes-item",
            first + 1,
            votes.name(first),
            labels.name(first)
        ),
    }
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
        bail!("the training file already has a column \"{name}\"; rename that column of the text");
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
    let mut joined = join(args, labels, Learn { trainer, waiting: Vec::new(), silent: Vec::new() }, talk)?;
    let counts = joined.counts(&labels.file);
    joined.sink.flush(&labels.table)?;
    let wait = talk.wait("training");
    let trainer = joined.sink.trainer;
    let trained = match &labels.shares {
        Some(shares) => trainer.finish_with_silent(shares),
        None => trainer.finish(),
    };
    let model = trained.with_context(|| labels.file.clone())?;
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
    let text = TextOptions::default()
        .with_words(args.words.0)
        .with_characters(args.characters.0)
        .with_bits(args.bits)
        .with_min_items(args.min_items)
        .with_lower(!args.case)
        .with_rarity(args.rarity);
    TrainOptions::default().with_text(text).with_penalty(args.penalty).with_max_iterations(args.steps)
}

fn ending(model: &EndModel) -> String {
    let training = model.training();
    let how = if training.converged { "converged" } else { "did not converge (see --steps)" };
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

    /// Takes an item that nobody votes on.
    fn take_silent(&mut self, labels: &LabelTable, i: usize, texts: Vec<String>) -> anyhow::Result<()> {
        self.take(labels, i, texts)
    }
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
    silent: Vec<Vec<String>>,
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
        self.flush_silent()
    }

    fn flush_silent(&mut self) -> anyhow::Result<()> {
        let texts: Vec<Vec<&str>> =
            self.silent.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
        self.trainer.extend_silent(&texts)?;
        self.silent.clear();
        Ok(())
    }
}

impl Sink for Learn {
    fn take(&mut self, labels: &LabelTable, i: usize, texts: Vec<String>) -> anyhow::Result<()> {
        self.waiting.push((i, texts));
        if self.waiting.len() == BATCH { self.flush(labels) } else { Ok(()) }
    }

    fn take_silent(&mut self, _: &LabelTable, _: usize, texts: Vec<String>) -> anyhow::Result<()> {
        self.silent.push(texts);
        if self.silent.len() == BATCH { self.flush_silent() } else { Ok(()) }
    }
}

/// What came together, and what did not.
struct Joined<S> {
    sink: S,
    taken: u64,
    silent: u64,
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
        note(self.silent, "that nobody votes on");
        note(self.without_label, "without a label left out (see --all)");
        note(self.texts_alone, &format!("left out (not in {labels_file})"));
        note(self.labels_alone, &format!("of {labels_file} have no text"));
        said.join(", ")
    }
}

/// Hands the items that have a text and something to learn from to `sink`.
fn join<S: Sink>(args: &TrainArgs, labels: &Labelled, sink: S, talk: Talk) -> anyhow::Result<Joined<S>> {
    let Labelled { table: labels, file: labels_file, uses, .. } = labels;
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
            let mut wanted = text_columns(header, &args.column)?;
            let named = !labels.items.count_rows();
            let item =
                if args.by_order { None } else { join_column(header, args.item.as_deref(), &wanted, named)? };
            if item.is_none() && !args.by_order {
                talk.notes(&[ReadingNote::ByOrder { what: "text" }]);
            }
            wanted.extend(item);
            let join =
                if item.is_some() { Join::by_name(labels, labels_file)? } else { Join::by_order(labels) };
            let joined =
                Joined { sink, taken: 0, silent: 0, without_label: 0, texts_alone: 0, labels_alone: 0 };
            anyhow::Ok((wanted, (join, joined)))
        },
        |(join, joined), row| {
            let name = if join.is_by_name() { row.cell(fields) } else { "" };
            match join.next(name).map_err(|problem| row.error(problem))? {
                Some(i) if uses[i] != Use::None => {
                    let texts = (0..fields).map(|i| row.cell(i).to_string()).collect();
                    if uses[i] == Use::Silent {
                        joined.silent += 1;
                        joined.sink.take_silent(labels, i, texts)
                    } else {
                        joined.taken += 1;
                        joined.sink.take(labels, i, texts)
                    }
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
        bail!("{labels_file}: no item has a label better than chance; add --all to train anyway");
    }
    Ok(joined)
}
