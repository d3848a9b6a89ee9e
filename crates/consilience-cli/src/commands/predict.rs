//! `consilience predict`: gives every text a probability for each class.

use anyhow::{Context as _, bail};
use consilience::end_model::EndModel;
use consilience::sources::Classes;
use consilience_io::{
    EndModelFile, Input, LabelRow, LabelWriter, Output, Progress, check_format, read_document, read_table,
};

use super::texts::{BATCH, check_files, item_column, text_columns};
use crate::args::PredictArgs;
use crate::terminal::{Talk, counted};

pub(super) fn run(args: &PredictArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    check_format(&output)?;
    check_files(&output, &[("end model", &args.model), ("text", &args.text)])?;
    let model_file = Input::from_arg(&args.model);
    let (model, trained) = read_document::<EndModelFile>(&model_file, "saved end model")?
        .into_model()
        .with_context(|| model_file.name())?;
    let columns = if args.column.is_empty() { &trained } else { &args.column };
    if columns.len() != model.fields() {
        bail!(
            "the end model was trained on {} ({}), but --column names {}; name the same number, in the same order",
            counted(model.fields() as u64, "column", "columns"),
            trained.join(", "),
            columns.len()
        );
    }

    let input = Input::from_arg(&args.text);
    let wait = talk.wait("predicting");
    let progress = |progress: Progress| {
        wait.progress(progress.fraction, &counted(progress.rows, "row", "rows"));
    };
    let writer = LabelWriter::new(output, model.classes(), None)?;
    let mut predictions = read_table(
        &input,
        None,
        |header| {
            let item = item_column(header, args.item.as_deref())?;
            let mut wanted = text_columns(header, columns)?;
            wanted.extend(item);
            let named = item.is_some();
            anyhow::Ok((wanted, Predictions { model: &model, writer, named, waiting: Vec::new(), items: 0 }))
        },
        |predictions, row| {
            let texts = (0..columns.len()).map(|i| row.cell(i).to_string()).collect();
            let name = predictions.named.then(|| row.cell(columns.len()).to_string());
            predictions.push(texts, name)
        },
        &progress,
    )?;
    predictions.flush()?;
    let items = predictions.items;
    predictions.writer.finish()?;
    drop(wait);
    talk.say(&format!("predicted {}", counted(items, "item", "items")));
    Ok(())
}

/// Texts go in, predictions go out, a batch at a time.
struct Predictions<'a> {
    model: &'a EndModel,
    writer: LabelWriter,
    named: bool,
    waiting: Vec<(Vec<String>, Option<String>)>,
    items: u64,
}

impl Predictions<'_> {
    fn push(&mut self, texts: Vec<String>, name: Option<String>) -> anyhow::Result<()> {
        self.waiting.push((texts, name));
        if self.waiting.len() == BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        let texts: Vec<Vec<&str>> =
            self.waiting.iter().map(|(texts, _)| texts.iter().map(String::as_str).collect()).collect();
        let predicted = self.model.predict_all(&texts)?;
        for ((_, name), probabilities) in self.waiting.iter().zip(&predicted) {
            let number = self.items.to_string();
            let confidence = probabilities.iter().copied().fold(0.0, f64::max);
            self.writer.write(&LabelRow {
                item: name.as_ref().unwrap_or(&number),
                label: most_probable(self.model.classes(), probabilities, confidence),
                confidence,
                probabilities,
            })?;
            self.items += 1;
        }
        self.waiting.clear();
        Ok(())
    }
}

/// The most probable class; none where two are equally so, as in labels.
fn most_probable<'a>(classes: &'a Classes, probabilities: &[f64], highest: f64) -> Option<&'a str> {
    let mut best = probabilities.iter().zip(classes.names()).filter(|(p, _)| **p >= highest);
    let first = best.next().map(|(_, class)| class.as_str());
    if best.next().is_some() { None } else { first }
}
