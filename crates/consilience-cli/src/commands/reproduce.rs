//! `consilience reproduce`: the paper's experiments.

use std::sync::Mutex;

use consilience_reproduce::{Figure, Options, Section, Step, reproduce};

use crate::args::{FigureArg, ReproduceArgs};
use crate::terminal::{Talk, thousands};

pub(super) fn run(args: &ReproduceArgs, talk: Talk) -> anyhow::Result<()> {
    let asked = figures(&args.figures);
    // One after the other, so that each is told of as soon as it is done.
    for figure in Figure::ALL.into_iter().filter(|figure| asked.contains(figure)) {
        let options = Options {
            folder: args.output.clone(),
            figures: vec![figure],
            trials: args.trials,
            quick: args.quick,
            seed: args.seed,
        };
        for section in run_figure(&options, talk)? {
            talk.say(&summary(&section));
        }
    }
    talk.say(&format!("read {}", args.output.join("index.html").display()));
    Ok(())
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
        FigureArg::Theory => vec![Figure::Theory],
        FigureArg::All => Figure::ALL.to_vec(),
    };
    args.iter().flat_map(figure).collect()
}

/// How many claims hold, and each that does not.
fn summary(section: &Section) -> String {
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
