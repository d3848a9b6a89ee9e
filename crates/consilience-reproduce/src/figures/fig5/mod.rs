//! Figure 5: what a model makes of copies of a coin that are added to the sources.

mod results;

use consilience::labels::explain_source;
use consilience::model::{CellLimit, Planted, Spread, simulate};
use consilience::rng::{Streams, unit};
use consilience::sources::{Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::ReproduceError;
use crate::labelling::{LabelModel, Scores, digest, label};
use crate::points::{Point, Points};
use crate::section::{Made, Section};
use crate::set::Set;
use crate::world::seed_of;
use crate::{Given, Run};

use results::Results;

const MODELS: [LabelModel; 3] = [LabelModel::Independent, LabelModel::Repeats, LabelModel::Linked];
const COPIES: [usize; 6] = [0, 1, 2, 3, 4, 5];
/// With which probability each vote of a copy is redrawn.
const NOISES: [f64; 2] = [0.0, 0.1];

/// The stand-in if no table is given.
const STAND_IN: &str = "a simulated stand-in";
const STAND_IN_SOURCES: usize = 33;
const STAND_IN_ITEMS: usize = 5_000;

/// One model on one table with a number of copies: the mean over several coins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Copied {
    table: String,
    digest: String,
    items: usize,
    sources: usize,
    classes: usize,
    copies: usize,
    redrawn: f64,
    model: String,
    trials: usize,
    seed: u64,
    version: String,
    solver: String,
    /// The estimated accuracy of the copies: its mean, lowest and highest over the coins; `None` if there are no copies.
    accuracy: Option<f64>,
    lowest: Option<f64>,
    highest: Option<f64>,
    /// Pairs of copies and other sources that the model takes to depend on each other.
    links: f64,
    /// Of the labels, where gold is known, on the items that a source other than the coins votes on.
    label_f1: Option<f64>,
    label_accuracy: Option<f64>,
}

impl Point for Copied {
    fn key(&self) -> String {
        let Self { table, digest, copies, redrawn, model, trials, seed, version, solver, .. } = self;
        format!("{table}|{digest}|{copies}|{redrawn}|{model}|{trials}|{seed}|{version}|{solver}")
    }

    fn solver(&self) -> &str {
        &self.solver
    }
}

impl Copied {
    fn input(&self) -> String {
        format!("{}|{}", self.table, self.digest)
    }
}

pub(super) fn run(run: &Run<'_>) -> Result<Section, ReproduceError> {
    let trials = run.trials(5, 2).min(10);
    let mut points = run.points::<Copied>("fig5.csv")?;
    let input = if run.retold {
        run.made.input.clone().unwrap_or_default()
    } else {
        let table = table(run)?;
        compute(run, &mut points, &table, trials)?;
        format!("{}|{}", table.name, digest(&table.votes, table.gold.as_deref()))
    };
    let results = Results(kept(run, &points, &input, trials));
    if results.0.len() != MODELS.len() * COPIES.len() * NOISES.len() {
        return Err(ReproduceError::Missing { figure: run.figure, point: input });
    }
    run.write_data("fig5", &results.0)?;
    run.write_picture("fig5", &results.picture())?;
    let first = &results.0[0];
    let gold = match first.label_f1 {
        Some(_) => "Labels are scored on the items that a real source votes on.",
        None => "There is no gold, so labels are not scored.",
    };
    Ok(Section {
        figure: run.figure,
        made: Made { input: Some(input), ..run.made.clone() },
        title: "Figure 5. Copies of a coin among the sources".to_string(),
        ran: format!(
            "{} ({} items, {} sources, {} classes), to which we add 0 to 5 copies of a coin flip that votes on every item: \
             exact copies, and copies that redraw 10% of their votes. Values are means over {trials} coins; bars show the \
             lowest and the highest. The estimated accuracy of a source is the expected share of correct votes under the \
             model; the true value is {:.2}. The three models are: {} (every vote counts in full), {} (the default: votes \
             that repeat others count once, and the model finds out who repeats whom), {} (correlations selected by the \
             exact method, each with its own weight; exact copies share one weight). {gold}",
            super::capital(&results.named()),
            first.items,
            first.sources,
            first.classes,
            1.0 / first.classes as f64,
            MODELS[0].name(),
            MODELS[1].name(),
            MODELS[2].name(),
        ),
        paper: "On its Chemical-Disease task the independent model estimates one copy at 0.63 and five at 0.68, ever more \
                confident that noise is accurate; with learned structure the estimate falls from 0.635 to 0.53."
            .to_string(),
        came_out: results.came_out(),
        differs: results.differs(),
        claims: results.claims(),
        tables: results.tables(),
        pictures: vec![(
            "fig5".to_string(),
            "Estimated accuracy of the copies, and scores of the labels, against the number of copies".to_string(),
        )],
        data: vec!["fig5".to_string()],
        notes: run.take_notes(),
    })
}

/// The points of one input, in the order of the table.
fn kept(run: &Run<'_>, points: &Points<Copied>, input: &str, trials: usize) -> Vec<Copied> {
    let mut rows = Vec::new();
    for redrawn in NOISES {
        for model in MODELS {
            for copies in COPIES {
                let wanted = |row: &&Copied| {
                    row.input() == input
                        && row.copies == copies
                        && (row.redrawn - redrawn).abs() < 1e-9
                        && row.model == model.name()
                        && (row.trials, row.seed) == (trials, run.seed())
                        && row.version == run.made.version
                };
                rows.extend(points.of_solver(&run.made.solver).find(wanted).cloned());
            }
        }
    }
    rows
}

/// The table that copies are added to: the one given, else the paper's task from the folder of real tables, else a simulated one.
fn table(run: &Run<'_>) -> Result<Given, ReproduceError> {
    if let Some(given) = run.given() {
        return Ok(given.clone());
    }
    if let Some(data) = run.data() {
        for name in ["cdr33", "cdr"] {
            if data.join(name).join("votes.csv").is_file() {
                let Set { name, votes, gold, .. } = Set::read(&data.join(name))?;
                return Ok(Given { name, votes, gold: Some(gold) });
            }
        }
        run.note(
            "fig5: the folder of --data contains neither cdr33 nor cdr; using a simulated stand-in"
                .to_string(),
        );
    }
    let failed = |problem: &dyn std::fmt::Display| ReproduceError::experiment(STAND_IN, &problem.to_string());
    let planted = Planted {
        correct: Some(Spread { low: 0.55, high: 0.8 }),
        abstain: Some(Spread { low: 0.8, high: 0.95 }),
        seed: run.seed(),
        ..Planted::new(STAND_IN_SOURCES).map_err(|problem| failed(&problem))?
    };
    let model = planted.model().map_err(|problem| failed(&problem))?;
    let drawn = simulate(&model, STAND_IN_ITEMS, run.seed(), CellLimit::default(), |_| {});
    let drawn = drawn.map_err(|problem| failed(&problem))?;
    Ok(Given { name: STAND_IN.to_string(), votes: drawn.votes, gold: Some(drawn.labels) })
}

/// What one coin shows.
struct Seen {
    accuracy: Option<f64>,
    links: f64,
    scores: Option<Scores>,
}

fn compute(
    run: &Run<'_>,
    points: &mut Points<Copied>,
    table: &Given,
    trials: usize,
) -> Result<(), ReproduceError> {
    let digest = digest(&table.votes, table.gold.as_deref());
    let total = NOISES.len() * COPIES.len();
    let mut done = 0;
    for redrawn in NOISES {
        for copies in COPIES {
            let row = |model: LabelModel| Copied {
                table: table.name.clone(),
                digest: digest.clone(),
                items: table.votes.items(),
                sources: table.votes.sources().len(),
                classes: table.votes.classes().len(),
                copies,
                redrawn,
                model: model.name().to_string(),
                trials,
                seed: run.seed(),
                version: run.made.version.clone(),
                solver: run.made.solver.clone(),
                accuracy: None,
                lowest: None,
                highest: None,
                links: 0.0,
                label_f1: None,
                label_accuracy: None,
            };
            let missing: Vec<LabelModel> =
                MODELS.into_iter().filter(|&model| points.find(&row(model)).is_none()).collect();
            // Without copies all coins are alike.
            let coins = if copies == 0 { 1 } else { trials };
            let work: Vec<(LabelModel, usize)> =
                missing.iter().flat_map(|&model| (0..coins).map(move |coin| (model, coin))).collect();
            let seen: Vec<Seen> = work
                .into_par_iter()
                .map(|(model, coin)| {
                    let with =
                        with_copies(&table.votes, copies, redrawn, seed_of(run.seed(), &[5, coin as u64]))?;
                    see(model, table, &with, copies)
                })
                .collect::<Result<_, ReproduceError>>()?;
            let finished: Vec<Copied> = missing
                .iter()
                .zip(seen.chunks(coins))
                .map(|(&model, seen)| filled(row(model), seen))
                .collect();
            if !finished.is_empty() {
                points.add(&finished)?;
            }
            done += 1;
            run.step("copies of a coin", done, total);
        }
    }
    Ok(())
}

fn filled(mut row: Copied, seen: &[Seen]) -> Copied {
    let mean = |values: &[f64]| {
        if values.is_empty() { None } else { Some(values.iter().sum::<f64>() / values.len() as f64) }
    };
    let accuracies: Vec<f64> = seen.iter().filter_map(|seen| seen.accuracy).collect();
    row.accuracy = mean(&accuracies);
    row.lowest = accuracies.iter().copied().reduce(f64::min);
    row.highest = accuracies.iter().copied().reduce(f64::max);
    row.links = mean(&seen.iter().map(|seen| seen.links).collect::<Vec<_>>()).unwrap_or(0.0);
    let scores: Vec<Scores> = seen.iter().filter_map(|seen| seen.scores).collect();
    row.label_f1 = mean(&scores.iter().map(|scores| scores.f1).collect::<Vec<_>>());
    row.label_accuracy = mean(&scores.iter().map(|scores| scores.accuracy).collect::<Vec<_>>());
    row
}

/// `votes` with copies of a coin; each vote of a copy is redrawn with probability `redrawn`.
fn with_copies(votes: &Votes, copies: usize, redrawn: f64, seed: u64) -> Result<Votes, ReproduceError> {
    let failed = |problem: &dyn std::fmt::Display| {
        ReproduceError::experiment("copies of a coin", &problem.to_string())
    };
    let (n, k) = (votes.sources().len(), votes.classes().len());
    let mut names = votes.sources().names().to_vec();
    names.extend((1..=copies).map(|copy| coin_name(votes, copy)));
    let sources = Sources::new(names).map_err(|problem| failed(&problem))?;
    let mut builder = VotesBuilder::new(sources);
    let mut rng = Streams::new(seed).stream(0);
    let mut noise = Streams::new(seed).stream(1);
    let any = |at: f64| (at * k as f64) as Vote + 1;
    for i in 0..votes.items() {
        let mut row: Vec<(u32, Vote)> = votes.row_of_item(i).map(|(j, vote)| (j as u32, vote)).collect();
        let coin = any(unit(&mut rng));
        for copy in 0..copies {
            let vote = if unit(&mut noise) < redrawn { any(unit(&mut noise)) } else { coin };
            row.push(((n + copy) as u32, vote));
        }
        builder.push(&row).map_err(|problem| failed(&problem))?;
    }
    builder.finish_as(votes.classes().clone()).map_err(|problem| failed(&problem))
}

/// A name that no source of the table has.
fn coin_name(votes: &Votes, copy: usize) -> String {
    let mut name = format!("coin {copy}");
    while votes.sources().position(&name).is_some() {
        name.push('\'');
    }
    name
}

/// Fits a model to votes whose last `copies` sources are coins.
fn see(model: LabelModel, table: &Given, votes: &Votes, copies: usize) -> Result<Seen, ReproduceError> {
    let model = model.fit(votes)?;
    let mut accuracy = 0.0;
    let mut links = 0.0;
    if let Some(model) = &model {
        links = model.links as f64;
        for copy in 1..=copies {
            let name = coin_name(&table.votes, copy);
            let worth = explain_source(&model.fitted, votes, &name)
                .map_err(|problem| ReproduceError::experiment("accuracy of a coin", &problem))?;
            accuracy += worth.accuracy.unwrap_or_default() / copies as f64;
        }
    }
    let scores = match &table.gold {
        Some(gold) => {
            let labels = label(model.as_ref(), votes)?;
            Scores::of_labels(&labels, gold, |i| table.votes.row_of_item(i).next().is_some())
        }
        None => None,
    };
    Ok(Seen { accuracy: (copies > 0).then_some(accuracy), links, scores })
}
