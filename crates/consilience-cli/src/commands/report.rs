//! `consilience report`: shows what the votes say.

use std::path::Path;

use anyhow::{Context as _, bail};
use consilience::findings::{Report, ReportInput, Setting, Study};
use consilience::model::FitOptions;
use consilience_io::{Output, VERSION, write_document};
use consilience_report::{html, markdown};

use super::fit::GivenStructure;
use super::{Heavy, answers, fit, input};
use crate::args::{ReportArgs, ReportFormat};
use crate::terminal::{Talk, counted};

pub(super) fn run(args: &ReportArgs, heavy: &dyn Heavy, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    let format = format_of(args, &output)?;
    fit::keep_apart(&output, args.structure.as_deref(), "structure")?;
    fit::keep_apart(&output, args.answers.answers.as_deref(), "answers")?;
    let structure = args.structure.as_deref().map(GivenStructure::read).transpose()?;
    let votes_args = answers::without_answers(&args.votes, &args.answers)?;
    let named = match applied(args, heavy, &output, talk)? {
        Some(applied) => applied,
        None => input::read(&votes_args, &output, talk)?,
    };
    let table = &named.table;
    let structure = structure.map(|given| given.for_votes(&table.votes)).transpose()?;
    talk.notes(&table.notes);
    let given = answers::read(&args.answers, &args.votes.votes, &args.votes.table, table)?;
    if let Some(given) = &given {
        talk.notes(&given.notes);
        if given.not_random {
            bail!(
                "answered items were drawn where models disagree (sample --differ); they do not represent all items, so \
                 nothing can be certified; leave those rows out"
            );
        }
    }
    let studied = || {
        let mut study = Study::new(&table.votes, structure, &FitOptions::default())?;
        if !named.compositions.is_empty() {
            study.structure.compositions.clone_from(&named.compositions);
        }
        match &given {
            Some(given) => study.teach(&table.votes, &given.answers),
            None => Ok(study),
        }
    };
    let (study, told) = talk.watched("fitting", studied);
    let study = study.with_context(|| named.name.clone())?;
    talk.other_notes(&study.model.notes, &told);
    let title = Path::new(&named.name)
        .file_name()
        .map_or(named.name.clone(), |name| name.to_string_lossy().into_owned());
    let wait = talk.wait("describing");
    let report = Report::new(ReportInput {
        table: &title,
        votes: &table.votes,
        study: &study,
        gold: table.gold.as_deref(),
        answers: given.as_ref().map(|given| &given.answers),
        item_name: &|i| table.items.name(i).into_owned(),
        settings: settings(args, &named.name),
    })
    .with_context(|| named.name.clone())?;
    drop(wait);
    match format {
        ReportFormat::Html => output.write_whole(html(&report).as_bytes())?,
        ReportFormat::Md => output.write_whole(markdown(&report).as_bytes())?,
        ReportFormat::Json => write_document(output, &report)?,
    }
    let head = &report.headline;
    talk.say(&format!(
        "{}, equivalent to {:.1} independent votes; {}",
        counted(head.sources as u64, "source", "sources"),
        head.effective_votes,
        counted(head.repeating as u64, "source repeats others", "sources repeat others")
    ));
    Ok(())
}

/// The votes of declared sources, where a file of them is named.
#[cfg(feature = "apply")]
fn applied(
    args: &ReportArgs,
    heavy: &dyn Heavy,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<Option<input::NamedTable>> {
    let Some(sources) = &args.sources else { return Ok(None) };
    heavy.votes(sources, &args.votes, &args.how, output, talk).map(Some)
}

#[cfg(not(feature = "apply"))]
#[expect(clippy::unnecessary_wraps, reason = "the same as with the feature")]
fn applied(_: &ReportArgs, _: &dyn Heavy, _: &Output, _: Talk) -> anyhow::Result<Option<input::NamedTable>> {
    Ok(None)
}

/// What was asked for, or what the name of the output says.
fn format_of(args: &ReportArgs, output: &Output) -> anyhow::Result<ReportFormat> {
    let name = output.path().unwrap_or(Path::new(""));
    let ending = name.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let named = match ending.as_deref() {
        Some("html" | "htm") => Some(ReportFormat::Html),
        Some("md" | "markdown") => Some(ReportFormat::Md),
        Some("json") => Some(ReportFormat::Json),
        _ => None,
    };
    match (args.format, named, ending) {
        (Some(format), _, _) | (None, Some(format), _) => Ok(format),
        (None, None, None) => Ok(ReportFormat::Html),
        (None, None, Some(other)) => bail!(
            "{}: a report cannot be written as .{other}; use .html, .md or .json, or --format",
            output.name()
        ),
    }
}

fn settings(args: &ReportArgs, votes: &str) -> Vec<Setting> {
    let mut settings = vec![Setting::new("Consilience", VERSION), Setting::new("Votes", votes)];
    let mut file = |name: &str, file: Option<&std::ffi::OsString>| {
        settings.extend(file.map(|file| Setting::new(name, file.to_string_lossy())));
    };
    file("Structure from", args.structure.as_ref());
    file("Answers", args.answers.answers.as_ref());
    file("Gold", args.votes.table.gold_file.as_ref());
    settings
}
