//! `consilience simulate`: draws votes from a known model.

use anyhow::bail;
use consilience::dependency::DependencyType as _;
use consilience::model::{CellLimit, Drawing, Links, Model, Planted, Simulated, Spread, simulate};
use consilience_io::{
    DependencyFile, Output, TruthFile, WriteVotes, available_memory, check_format, write_document,
    write_votes,
};

use super::no_overwrite::same_place;
use crate::args::SimulateArgs;
use crate::terminal::{Talk, counted};

/// A source that abstains on no item abstains on so few that none is ever drawn: the weight of never is infinite.
const HARDLY_EVER: f64 = 1e-12;

pub(super) fn run(args: &SimulateArgs, talk: Talk) -> anyhow::Result<()> {
    let votes = &args.output.output;
    if args
        .output
        .truth
        .as_ref()
        .is_some_and(|truth| truth == votes || same_place(truth.as_ref(), votes.as_ref()))
    {
        bail!("the votes and the truth cannot go to the same file; use another file for -o or --truth");
    }
    refuse_too_large(args)?;
    let planted = planted(args)?;
    let model = planted.model()?;
    let output = Output::from_arg(&args.output.output)?;
    check_format(&output)?;
    let truth = args.output.truth.as_ref().map(Output::from_arg).transpose()?;

    let wait = talk.wait("drawing items");
    let progress = |drawn: usize| {
        wait.progress(Some(drawn as f64 / args.items as f64), &counted(drawn as u64, "item", "items"));
    };
    let simulated = simulate(&model, args.items, args.seed, CellLimit::default(), progress)?;
    drop(wait);

    let wait = talk.wait("writing votes");
    let gold = args.output.gold.as_deref().map(|column| (column, simulated.labels.as_slice()));
    write_votes(output, &simulated.votes, &WriteVotes { gold, ..WriteVotes::default() })?;
    if let Some(truth) = truth {
        write_document(truth, &truth_of(&model, &simulated))?;
    }
    drop(wait);
    talk.say(&summary(&planted, &simulated));
    Ok(())
}

/// Bytes that a dependency takes, and a cell of a table over votes and classes.
const DEPENDENCY_BYTES: f64 = 200.0;
const CELL_BYTES: f64 = 8.0;

/// Refuses a model that does not fit into memory.
fn refuse_too_large(args: &SimulateArgs) -> anyhow::Result<()> {
    let (sources, classes) = (args.sources as f64, args.classes.classes.0.len() as f64);
    let joined = &args.dependencies;
    let within = |size: f64| size * (size - 1.0) / 2.0;
    let links = match (joined.density, joined.clique) {
        (Some(density), _) => density * within(sources),
        (_, Some(size)) => joined.cliques as f64 * within(size as f64),
        _ => 0.0,
    };
    let bytes = DEPENDENCY_BYTES * links + CELL_BYTES * sources * classes * (classes + 1.0);
    if available_memory().is_some_and(|available| bytes > available as f64 / 2.0) {
        bail!(
            "the model would take about {:.0} GB of memory; simulate fewer sources, classes or dependencies",
            bytes / (1u64 << 30) as f64
        );
    }
    Ok(())
}

fn planted(args: &SimulateArgs) -> anyhow::Result<Planted> {
    let joined = &args.dependencies;
    let links = match (joined.pairs, joined.density, joined.clique) {
        (Some(pairs), _, _) => Links::Pairs(pairs),
        (_, Some(density), _) => Links::Density(density),
        (_, _, Some(size)) => Links::Cliques { size, count: joined.cliques },
        (None, None, None) => Links::None,
    };
    let ever = |share: f64| if share.abs() < HARDLY_EVER { HARDLY_EVER } else { share };
    Ok(Planted {
        classes: args.classes.classes.0.clone(),
        balance: args.classes.balance.clone(),
        accuracy: args.voting.accuracy.0,
        correct: args.voting.correct.map(|correct| correct.0),
        abstain: args
            .voting
            .abstain
            .map(|abstain| Spread { low: ever(abstain.0.low), high: ever(abstain.0.high) }),
        links,
        link_type: joined.kind.clone(),
        strength: joined.correlation,
        seed: args.seed,
        ..Planted::new(args.sources)?
    })
}

fn truth_of(model: &Model, simulated: &Simulated) -> TruthFile {
    let classes = model.classes();
    let dependencies = model.factors().list().iter().map(|factor| {
        let dependency = &factor.dependency;
        let sources = dependency.sources().iter().map(|&j| model.sources().name(j).to_string()).collect();
        let class = dependency.class().map(|class| classes.name(class).to_string());
        DependencyFile::new(dependency.name(), sources, class, factor.weight)
    });
    TruthFile {
        sources: model.sources().names().to_vec(),
        classes: classes.names().to_vec(),
        dependencies: dependencies.collect(),
        labels: simulated.labels.iter().map(|&class| classes.name(class).to_string()).collect(),
    }
}

fn summary(planted: &Planted, simulated: &Simulated) -> String {
    let votes = &simulated.votes;
    let links = planted.pairs().len() as u64;
    let drawn = match simulated.drawing {
        Drawing::Exact => "drawn exactly".to_string(),
        Drawing::Gibbs { burn_in } => format!("drawn by Gibbs sampling, {burn_in} sweeps per item"),
    };
    format!(
        "simulated {} of {}, {}, {}; {drawn}",
        counted(votes.items() as u64, "item", "items"),
        counted(votes.sources().len() as u64, "source", "sources"),
        counted(votes.classes().len() as u64, "class", "classes"),
        match links {
            0 => "no dependencies".to_string(),
            _ => format!("{} of type {}", counted(links, "dependency", "dependencies"), planted.link_type),
        }
    )
}
