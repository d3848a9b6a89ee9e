//! `consilience plan`: how many rows are needed, and what the rows at hand can find.

use anyhow::{Context as _, bail};
use consilience::structure::{Curvature, Plan, PlanOptions, SgdOptions, learn_sgd};
use consilience::votes::Votes;
use consilience_io::{Output, write_document};

use super::input;
use crate::args::PlanArgs;
use crate::terminal::Talk;
use crate::view::{self, PlanReport};

/// Items × sources × dependencies² that are spent on the constant c: a few seconds.
const WORK: f64 = 4e9;

/// More sources than this have matrices too large for that.
const MOST_SOURCES: usize = 200;

/// No more items than this are read for the constant c; it changes little beyond.
const MOST_ITEMS: f64 = 5_000.0;

const NO_CONSTANT: &str = "Theorem 1 and Corollary 2 need the constant c of condition (7), which is unknown (estimate it with --votes, or set it with --curvature)";
const NO_PROMISE: &str = "condition (7) does not hold for these votes (c is not above 0), so Theorem 1 and Corollary 2 guarantee nothing, however many rows there are";

pub(super) fn run(args: &PlanArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    refuse_idle_flags(args)?;
    if !(args.confidence > 0.0 && args.confidence < 1.0) {
        bail!("--confidence must be above 0 and below 1, but is {}", args.confidence);
    }
    let mut options = PlanOptions {
        strength: args.strength,
        // 1 - 0.95 as a person would write it.
        failure: ((1.0 - args.confidence) * 1e12).round().max(1.0) / 1e12,
        degree: args.degree,
        types: args.types.iter().map(ToString::to_string).collect(),
        curvature: args.curvature,
        rows: args.rows,
        ..PlanOptions::new(args.sources.unwrap_or_default())
    };
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

/// The constant c of `votes` at the weights that Algorithm 1 finds.
fn estimate(votes: &Votes, args: &PlanArgs) -> anyhow::Result<Curvature> {
    let n = votes.sources().len();
    if !(2..=MOST_SOURCES).contains(&n) {
        bail!(
            "the constant c can be estimated for 2 to {MOST_SOURCES} sources, but there are {n}; leave --votes out"
        );
    }
    let options = SgdOptions { types: args.types.clone(), ..SgdOptions::default() };
    let fit = learn_sgd(votes, &options)?;
    let families = 1 + args.types.iter().map(|kind| 1 + usize::from(kind.directed())).sum::<usize>();
    let dependencies = (families * n) as f64;
    let items = (WORK / (n as f64 * dependencies.powi(2))).clamp(20.0, MOST_ITEMS);
    Ok(Curvature::estimate(votes, items as usize, |j| fit.factors_of(j)))
}
