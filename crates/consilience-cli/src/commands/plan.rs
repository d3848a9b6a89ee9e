//! `consilience plan`: how many rows are needed, and what the available rows can reveal.

use anyhow::{Context as _, anyhow, bail};
use consilience::structure::{Curvature, CurvatureError, Plan, PlanOptions};
use consilience::votes::Votes;
use consilience_io::{Output, write_document};

use super::input;
use crate::args::PlanArgs;
use crate::terminal::Talk;
use crate::view::{self, PlanReport};

const NO_CONSTANT: &str = "Theorem 1 and Corollary 2 need the constant c of condition (7), which is unknown (estimate it with --votes, or set it with --curvature)";
const NO_PROMISE: &str = "condition (7) does not hold for these votes (c is not above 0), so Theorem 1 and Corollary 2 guarantee nothing, however many rows there are";

pub(super) fn run(args: &PlanArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    refuse_idle_flags(args)?;
    if !(args.confidence > 0.0 && args.confidence < 1.0) {
        bail!("--confidence must be above 0 and below 1, but is {}", args.confidence);
    }
    let mut options = PlanOptions::new(args.sources.unwrap_or_default())
        .with_strength(args.strength)
        // 1 - 0.95 as a person would write it.
        .with_failure(((1.0 - args.confidence) * 1e12).round().max(1.0) / 1e12)
        .with_degree(args.degree)
        .with_types(args.types.iter().map(ToString::to_string).collect());
    (options.curvature, options.rows) = (args.curvature, args.rows);
    let mut estimated = None;
    if let Some(file) = &args.votes {
        let named = input::read_table(file, &args.table, &output, talk)?;
        talk.notes(&named.table.notes);
        let votes = &named.table.votes;
        options.sources = args.sources.unwrap_or(votes.sources().len());
        options.rows = args.rows.or(Some(votes.items() as u64));
        // What is wrong with the request is told before the work.
        Plan::new(&options)?;
        let wait = talk.wait("estimating the constant c");
        let curvature = estimate(votes, args).with_context(|| named.name.clone())?;
        drop(wait);
        options.curvature = curvature.smallest().filter(|&c| c > 0.0);
        estimated = Some(curvature);
    }
    let report = report(&options, args.confidence, estimated.as_ref())?;
    if args.json {
        write_document(output, &report)?;
    } else {
        output.write_whole(view::plan(&report).as_bytes())?;
    }
    Ok(())
}

/// Flags about a table mean nothing without one.
fn refuse_idle_flags(args: &PlanArgs) -> anyhow::Result<()> {
    let table = &args.table;
    let given = [
        ("--item", table.item.is_some()),
        ("--gold", table.gold.is_some()),
        ("--gold-file", table.gold_file.is_some()),
        ("--source", !table.source.is_empty()),
        ("--ignore", !table.ignore.is_empty()),
        ("--classes", table.classes.is_some()),
        ("--abstain", !table.abstain.is_empty()),
        ("--columns", !table.columns.is_empty()),
        ("--no-header", table.no_header),
        ("--header", table.header),
        ("--long", table.long),
        ("--wide", table.wide),
        ("--format", table.format.is_some()),
    ];
    match given.iter().find(|(_, given)| *given && args.votes.is_none()) {
        Some((flag, _)) => bail!("{flag} describes a table; add --votes FILE, or leave it out"),
        None => Ok(()),
    }
}

fn report(
    options: &PlanOptions,
    confidence: f64,
    estimated: Option<&Curvature>,
) -> anyhow::Result<PlanReport> {
    let plan = Plan::new(options)?;
    let theory = match (plan.rows.theorem, estimated) {
        (Some(_), _) => None,
        (None, Some(_)) => Some(NO_PROMISE),
        (None, None) => Some(NO_CONSTANT),
    };
    Ok(PlanReport {
        sources: options.sources,
        strength: options.strength,
        confidence,
        degree: options.degree,
        types: options.types.clone(),
        curvature: estimated.and_then(Curvature::smallest).or(options.curvature),
        curvature_items: estimated.map(|curvature| curvature.items),
        possible_dependencies: plan.dependencies,
        rows_needed: plan.rows,
        rows: options.rows,
        weakest_found: plan.strength,
        theory,
    })
}

fn estimate(votes: &Votes, args: &PlanArgs) -> anyhow::Result<Curvature> {
    Curvature::of_votes(votes, &args.types).map_err(|error| match error {
        CurvatureError::Sources(_) => anyhow!("{error}; leave --votes out"),
        other => other.into(),
    })
}
