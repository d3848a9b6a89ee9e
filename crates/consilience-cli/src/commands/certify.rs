//! `consilience certify`: says how good labels are.

use anyhow::{Context as _, bail};
use consilience::certificate::{Certified, certify};
use consilience::sources::{ABSTAIN, Vote};
use consilience_io::{
    AnswersOptions, CertifiedLabels, Input, Output, Progress, read_answers, read_certified, write_document,
};

use super::texts::check_files;
use crate::args::CertifyArgs;
use crate::terminal::{Talk, counted};
use crate::view;

/// Fewer answers give intervals that say next to nothing.
const FEW: usize = 20;

pub(super) fn run(args: &CertifyArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    if args.answers == "-" {
        bail!("the answers are read twice, which is impossible with standard input; name a file");
    }
    check_files(&output, &[("labels", &args.labels), ("answers", &args.answers)])?;
    let (input, answers_input) = (Input::from_arg(&args.labels), Input::from_arg(&args.answers));
    let mut options = AnswersOptions::default();
    if args.answers_column != consilience_io::ANSWER_COLUMN {
        options = options.with_column(&args.answers_column);
    }
    options.item.clone_from(&args.item);
    let wait = talk.wait("reading labels");
    let labels = read_certified(
        &input,
        &args.label,
        args.item.as_deref(),
        args.classes.as_ref().map(|classes| &classes.0),
        (&answers_input, &options),
        None,
        &|progress: Progress| wait.progress(progress.fraction, &counted(progress.rows, "row", "rows")),
    )?;
    drop(wait);
    let file = read_answers(&answers_input, &options, &labels.items, &labels.classes)?;
    if file.not_random {
        bail!(
            "{}: answered items were drawn where models disagree (sample --differ); they do not represent all items, so \
             nothing can be certified; leave those rows out",
            answers_input.name()
        );
    }
    let answers = file.answers.of_items();
    check_classes(&labels, answers, &answers_input.name())?;
    let k = labels.classes.len();
    let held_out = labels.held_out.as_ref().map(|all| {
        let rows = file.answers.iter().map(|(i, _)| &all[i * k..(i + 1) * k]);
        rows.flatten().copied().collect::<Vec<f64>>()
    });
    let held_out_labels = labels
        .held_out_labels
        .as_ref()
        .map(|all| file.answers.iter().map(|(i, _)| all[i]).collect::<Vec<Vote>>());
    // Answers that came after the labels were made have taught nothing.
    let mixed = held_out.as_ref().is_some_and(|list| list.iter().any(|p| p.is_nan()));
    let fresh = held_out.as_ref().is_some_and(|list| list.iter().all(|p| p.is_nan()));
    if mixed && !fresh {
        bail!(
            "{}: some of these answers were used to make {} and others were not; label again with --answers {}",
            answers_input.name(),
            input.name(),
            answers_input.name()
        );
    }
    let taught = labels.held_out.as_ref().is_some_and(|all| all.iter().any(|p| !p.is_nan()));
    if taught && fresh {
        talk.notes(&[format!(
            "{} was made with other answers; these are new to the model and can be used directly",
            input.name()
        )]);
    }
    let certified = Certified {
        classes: &labels.classes,
        labels: &labels.labels,
        probabilities: labels.probabilities.as_deref(),
        answers,
        held_out: held_out.as_deref().filter(|_| !fresh),
        held_out_labels: held_out_labels.as_deref().filter(|_| !fresh),
    };
    let certificate = certify(&certified, args.within).with_context(|| answers_input.name())?;
    talk.notes(&file.notes);
    if certificate.answers < FEW {
        talk.notes(&[format!(
            "{} so the intervals are wide; 50 to 200 are usual",
            counted(certificate.answers as u64, "answer is not much,", "answers are few,")
        )]);
    }
    let unlabelled = match certified.held_out_labels {
        Some(labels) => labels.iter().filter(|&&label| label == ABSTAIN).count(),
        None => file.answers.iter().filter(|&(i, _)| labels.labels[i] == ABSTAIN).count(),
    };
    if unlabelled > 0 {
        talk.notes(&[format!(
            "{} without a label; accuracy, precision, recall and F1 cover items with a label",
            counted(unlabelled as u64, "answered item is", "answered items are")
        )]);
    }
    talk.notes(&answered_only(&labels, answers));
    if args.json {
        return Ok(write_document(output, &certificate)?);
    }
    let text = view::certificate(&certificate, &input.name(), view::width(&output));
    Ok(output.write_whole(text.as_bytes())?)
}

/// Refuses answers in other words than the labels: with several classes and none in common, they are not wrong but misspelt.
fn check_classes(labels: &CertifiedLabels, answers: &[Vote], file: &str) -> anyhow::Result<()> {
    let of = |list: &[Vote]| -> Vec<Vote> {
        labels.classes.votes().filter(|class| list.contains(class)).collect()
    };
    let (of_labels, of_answers) = (of(&labels.labels), of(answers));
    if of_answers.len() < 2
        || of_labels.is_empty()
        || of_answers.iter().any(|class| of_labels.contains(class))
    {
        return Ok(());
    }
    let named = |list: &[Vote]| list.iter().map(|&c| labels.classes.name(c)).collect::<Vec<_>>().join(", ");
    bail!(
        "{file}: no answer is one of the classes of the labels: the answers are {}, the labels {}; use the same names in both",
        named(&of_answers),
        named(&of_labels)
    );
}

/// Notes on the classes that answers have and labels do not: often a matter of spelling.
fn answered_only(labels: &CertifiedLabels, answers: &[Vote]) -> Vec<String> {
    let count = |list: &[Vote], class: Vote| list.iter().filter(|&&other| other == class).count();
    let note = |class: Vote| {
        let given = count(answers, class);
        let name = labels.classes.name(class);
        (given > 0 && count(&labels.labels, class) == 0).then(|| {
            format!(
                "{} \"{name}\", but no label is; correct the answers if this is a matter of spelling",
                counted(given as u64, "answer is", "answers are")
            )
        })
    };
    labels.classes.votes().filter_map(note).collect()
}
