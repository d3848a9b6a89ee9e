//! `consilience reproduce`: the paper's experiments.

use std::path::Path;
use std::sync::Mutex;

use anyhow::bail;
use consilience_io::Output;
use consilience_reproduce::{Figure, Given, Options, Section, Step, publish, reproduce};

use consilience_cli::args::{FigureArg, ReproduceArgs};
use consilience_cli::commands::input;
use consilience_cli::terminal::{Talk, thousands};

pub(super) fn run(args: &ReproduceArgs, talk: Talk) -> anyhow::Result<()> {
    let asked = figures(&args.figures);
    let votes = given(args, &asked, talk)?;
    if let Some(data) = args.data.as_ref().filter(|data| !data.is_dir()) {
        bail!("{}: the folder given by --data does not exist", data.display());
    }
    // One after the other, so that each is told of as soon as it is done.
    for figure in Figure::ALL.into_iter().filter(|figure| asked.contains(figure)) {
        let options = Options {
            folder: args.output.clone(),
            figures: vec![figure],
            trials: args.trials,
            quick: args.quick,
            seed: args.seed,
            votes: votes.clone(),
            data: args.data.clone(),
        };
        for section in run_figure(&options, talk)? {
            section.notes.iter().for_each(|note| talk.say(note));
            talk.say(&summary(&section));
        }
    }
    talk.say(&format!("read {}", args.output.join("index.html").display()));
    if let Some(docs) = &args.docs {
        let sections = publish(&args.output, docs)?;
        let names: Vec<&str> = sections.iter().map(|section| section.figure.name()).collect();
        talk.say(&format!("wrote {} ({})", docs.join("reproduction.md").display(), names.join(", ")));
    }
    Ok(())
}

/// The table of `--votes`.
fn given(args: &ReproduceArgs, asked: &[Figure], talk: Talk) -> anyhow::Result<Option<Given>> {
    let Some(votes) = &args.votes else {
        if args.table.gold.is_some() || args.table.gold_file.is_some() {
            bail!("--gold and --gold-file describe the table of --votes, which is missing");
        }
        return Ok(None);
    };
    if !asked.contains(&Figure::Fig5) {
        bail!("--votes is used by fig5 only, which is not selected");
    }
    // Results go into a folder of their own, never onto the votes.
    let read = input::read_table(votes, &args.table, &Output::stdout(), talk)?;
    talk.notes(&read.table.notes);
    let table = read.table;
    let name =
        Path::new(votes).file_name().map_or(read.name.clone(), |name| name.to_string_lossy().into_owned());
    Ok(Some(Given { name, votes: table.votes, gold: table.gold }))
}

fn run_figure(options: &Options, talk: Talk) -> anyhow::Result<Vec<Section>> {
    // Tables are finished on many threads; the bar is one.
    let wait = Mutex::new(talk.wait("running experiments"));
    let progress = |step: Step| {
        let Step { figure, what, done, total } = step;
        if let Ok(wait) = wait.lock() {
            let tables = format!("{} of {} tables", thousands(done as u64), thousands(total as u64));
            wait.progress(Some(done as f64 / total.max(1) as f64), &format!("({figure}, {what}: {tables})"));
        }
    };
    Ok(reproduce(options, &progress)?)
}

fn figures(args: &[FigureArg]) -> Vec<Figure> {
    if args.is_empty() || args.contains(&FigureArg::All) {
        return Figure::ALL.to_vec();
    }
    let figure = |arg: &FigureArg| match arg {
        FigureArg::Fig1 => vec![Figure::Fig1],
        FigureArg::Fig2 => vec![Figure::Fig2],
        FigureArg::Fig3 => vec![Figure::Fig3],
        FigureArg::Fig4 => vec![Figure::Fig4],
        FigureArg::Fig5 => vec![Figure::Fig5],
        FigureArg::Table1 => vec![Figure::Table1],
        FigureArg::Theory => vec![Figure::Theory],
        FigureArg::All => Figure::ALL.to_vec(),
    };
    args.iter().flat_map(figure).collect()
}

/// How many claims hold, and each that does not.
fn summary(section: &Section) -> String {
    if section.claims.is_empty() {
        return format!("{}: nothing was run", section.figure);
    }
    let holding = section.claims.iter().filter(|claim| claim.holds).count();
    let mut line = format!("{}: {holding} of {} claims hold", section.figure, section.claims.len());
    for claim in section.claims.iter().filter(|claim| !claim.holds) {
        line.push_str("; not: ");
        line.push_str(&claim.text);
        line.push_str(" (");
        line.push_str(&claim.seen);
        line.push(')');
    }
    line
}
