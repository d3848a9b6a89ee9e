//! `consilience learn`: finds out which sources depend on each other.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use consilience::model::FEWEST_COMPARED;
use consilience::pipeline::{LearnOptions, Method, PipelineError, learn, learn_with_path};
use consilience::structure::{
    DEFAULT_EPSILON, ExactOptions, OwnRates, Precision, Select, SgdOptions, Structure, default_epsilons,
    graphml, graphviz,
};
use consilience_io::{Output, PathFile, StructureFile, write_document};

use super::{Heavy, input, no_overwrite};
use crate::args::{LearnArgs, MethodArg, PrecisionArg, RatesArg, SgdFlags};
use crate::terminal::{Talk, counted};
use crate::view;

pub(super) fn run(args: &LearnArgs, heavy: &dyn Heavy, talk: Talk) -> anyhow::Result<()> {
    let format = format_of(args)?;
    let options = options_of(args)?;
    let output = Output::from_arg(args.output.as_deref().unwrap_or(OsStr::new("-")))?;
    let path_output = path_output(args, &output)?;
    if let Some(path) = &path_output {
        no_overwrite::keep(path, "votes", &args.votes.votes)?;
        if let Some(gold) = &args.votes.table.gold_file {
            no_overwrite::keep(path, "gold", gold)?;
        }
    }
    #[cfg(feature = "apply")]
    let applies = args.sources.is_some();
    #[cfg(not(feature = "apply"))]
    let applies = false;
    let budget = args.budget.patterns(&args.votes.table, &[(applies, "--sources")])?;
    let sampled = match applied(args, heavy, &output, talk)? {
        Some(applied) => input::Sampled::whole(applied),
        None => input::read_within(&args.votes, budget, &output, talk)?,
    };
    talk.notes(&sampled.named.table.notes);
    sampled.note(budget, "learned from", talk);
    let votes = sampled.named;
    let table = &votes.table.votes;
    let learned = talk.watched("learning dependencies", || {
        if path_output.is_none() {
            return Ok::<_, PipelineError>((learn(table, &options)?, None));
        }
        let (structure, path) = learn_with_path(table, &options, &default_epsilons())?;
        Ok((structure, Some(path)))
    });
    let (mut structure, path) = learned.0.with_context(|| votes.name.clone())?;
    structure.compositions = votes.compositions;
    if let (Some(output), Some(path)) = (path_output, path) {
        write_document(output, &PathFile::new(&path, table))?;
    }
    talk.notes(&view::unsettled(&structure));
    match format {
        Format::Text => {
            let text = view::structure(&structure, args.all, view::width(&output));
            output.write_whole(text.as_bytes())?;
        }
        Format::Json => write_document(output, &StructureFile::new(&structure, args.all))?,
        Format::Graphviz => output.write_whole(graphviz(&structure, args.all).as_bytes())?,
        Format::Graphml => output.write_whole(graphml(&structure, args.all).as_bytes())?,
    }
    talk.say(&summary(&structure));
    Ok(())
}

/// The votes of declared sources, where a file of them is named.
#[cfg(feature = "apply")]
fn applied(
    args: &LearnArgs,
    heavy: &dyn Heavy,
    output: &Output,
    talk: Talk,
) -> anyhow::Result<Option<input::NamedTable>> {
    let Some(sources) = &args.sources else { return Ok(None) };
    heavy.votes(sources, &args.votes, &args.how, output, talk).map(Some)
}

#[cfg(not(feature = "apply"))]
#[expect(clippy::unnecessary_wraps, reason = "the same as with the feature")]
fn applied(_: &LearnArgs, _: &dyn Heavy, _: &Output, _: Talk) -> anyhow::Result<Option<input::NamedTable>> {
    Ok(None)
}

/// Where the path goes, if it is asked for.
fn path_output(args: &LearnArgs, output: &Output) -> anyhow::Result<Option<Output>> {
    let Some(path) = &args.path else { return Ok(None) };
    if args.method == MethodArg::Sgd {
        bail!("--path needs --method exact; leave one of them out");
    }
    let other = Output::from_arg(path)?;
    let same = match (other.path(), output.path()) {
        (Some(a), Some(b)) => no_overwrite::same_place(a, b),
        (None, None) => true,
        _ => false,
    };
    if same {
        bail!("the structure and its path would both go to {}; use another file for --path", other.name());
    }
    Ok(Some(other))
}

/// How a structure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Graphviz,
    Graphml,
}

/// What the name of the output says; names without an ending, such as `/dev/stdout`, get JSON.
fn format_of(args: &LearnArgs) -> anyhow::Result<Format> {
    let Some(output) = &args.output else {
        return Ok(if args.json { Format::Json } else { Format::Text });
    };
    let ending = Path::new(output).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let format = match ending.as_deref() {
        None | Some("json") => Format::Json,
        Some("dot" | "gv") => Format::Graphviz,
        Some("graphml") => Format::Graphml,
        Some(other) => bail!(
            "{}: a structure cannot be written as .{other}; use .json, .dot, .gv or .graphml",
            output.to_string_lossy()
        ),
    };
    if args.json && format != Format::Json {
        bail!("--json conflicts with a name that does not end in .json; leave one of them out");
    }
    Ok(format)
}

/// What was asked for, checked before the votes are read.
fn options_of(args: &LearnArgs) -> anyhow::Result<LearnOptions> {
    let types = args.types.clone();
    let method = match args.method {
        MethodArg::Exact => {
            refuse_settings(&args.sgd)?;
            Method::Exact(ExactOptions::default().with_types(types))
        }
        MethodArg::Sgd => Method::Sgd(settings(&args.sgd).with_types(types).with_epsilon(epsilon_of(args)?)),
    };
    let options = LearnOptions::default().with_method(method).with_select(args.select);
    options.check()?;
    Ok(options)
}

/// The exact method has no step, no passes and no penalty.
fn refuse_settings(flags: &SgdFlags) -> anyhow::Result<()> {
    if flags.epsilon.is_some() {
        bail!("--epsilon needs --method sgd; use --select threshold=E, or leave it out");
    }
    let given = [
        ("--epochs", flags.epochs.is_some()),
        ("--truncation", flags.truncation.is_some()),
        ("--step", flags.step.is_some()),
        ("--accuracy-start", flags.accuracy_start.is_some()),
        ("--rates", flags.rates.is_some()),
        ("--class-prior", flags.class_prior),
        ("--precision", flags.precision.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!("{flag} needs --method sgd; add it, or leave {flag} out"),
        None => Ok(()),
    }
}

fn epsilon_of(args: &LearnArgs) -> anyhow::Result<f64> {
    match (args.select, args.sgd.epsilon) {
        (Select::Auto, epsilon) => Ok(epsilon.unwrap_or(DEFAULT_EPSILON)),
        (Select::Threshold(epsilon), None) => Ok(epsilon),
        (Select::Threshold(_), Some(_)) => {
            bail!("--epsilon and --select threshold mean the same; use one of them")
        }
        (other, _) => bail!(
            "--method sgd has no standard errors for --select {other}; use --select threshold=E or --method exact"
        ),
    }
}

fn settings(flags: &SgdFlags) -> SgdOptions {
    let mut options = SgdOptions::default().with_class_prior(flags.class_prior);
    options.epochs = flags.epochs.unwrap_or(options.epochs);
    options.truncation = flags.truncation.unwrap_or(options.truncation);
    options.step = flags.step;
    options.accuracy_start = flags.accuracy_start.unwrap_or(options.accuracy_start);
    options.own_rates = match flags.rates {
        None | Some(RatesArg::None) => OwnRates::None,
        Some(RatesArg::Propensity) => OwnRates::Propensity,
        Some(RatesArg::VoteRate) => OwnRates::VoteRates,
    };
    options.precision = match flags.precision {
        None | Some(PrecisionArg::Auto) => Precision::Auto,
        Some(PrecisionArg::Single) => Precision::Single,
        Some(PrecisionArg::Double) => Precision::Double,
    };
    options
}

fn summary(structure: &Structure) -> String {
    let kept = structure.selected().count() as u64;
    let mut said = format!(
        "kept {} of {} ({}, {})",
        kept,
        counted(structure.tests as u64, "possible dependency", "possible dependencies"),
        structure.origin,
        view::rule(structure)
    );
    let Some(found) = &structure.repetitions else { return said };
    let repeated = found.pairs.len() as u64;
    if repeated > 0 {
        said.push_str("; ");
        said.push_str(&counted(repeated, "pair repeats each other", "pairs repeat each other"));
    } else if kept > 0 && found.once.is_empty() && structure.copies.is_empty() {
        if structure.sources.len() < FEWEST_COMPARED {
            let _ = write!(
                said,
                "; probably no source repeats another, but with fewer than {FEWEST_COMPARED} sources that is uncertain; if you know \
                 which ones do, list them in a structure file"
            );
        } else {
            said.push_str("; no pair repeats votes beyond chance, so every vote counts in full");
        }
    }
    said
}
