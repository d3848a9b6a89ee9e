//! Figure 3: the time to learn a structure, against the number of sources.

use consilience::model::Links;
use consilience::structure::{LinkType, Select};
use serde::{Deserialize, Serialize};

use crate::Run;
use crate::error::ReproduceError;
use crate::method::{Method, seconds};
use crate::plot::{Axis, Marker, Panel, Picture, Series};
use crate::points::Point;
use crate::published;
use crate::recovery::Cell;
use crate::section::{Claim, Section};
use crate::statistics::median;
use crate::world::World;

const SOURCES: [usize; 5] = [25, 40, 60, 80, 100];
const QUICK_SOURCES: [usize; 3] = [25, 40, 60];
const ITEMS: usize = 10_000;
const DENSITY: f64 = 0.05;

/// What is timed, and what it is called.
const METHODS: [(Method, &str); 2] =
    [(Method::Sgd(0.03), "Algorithm 1"), (Method::Exact(Select::Fdr(0.1)), "exact, with standard errors")];

/// One method on tables of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Timing {
    sources: usize,
    items: usize,
    method: String,
    threads: usize,
    trials: usize,
    seed: u64,
    version: String,
    /// The median of all tables.
    seconds: f64,
    fastest: f64,
    slowest: f64,
}

impl Point for Timing {
    fn key(&self) -> String {
        let Self { sources, items, method, threads, trials, seed, version, .. } = self;
        format!("{sources}|{items}|{method}|{threads}|{trials}|{seed}|{version}")
    }
}

pub(super) fn run(run: &Run<'_>) -> Result<Section, ReproduceError> {
    let trials = run.trials(5, 1).min(5);
    let sources = run.choose(&SOURCES[..], &QUICK_SOURCES[..]);
    let rows = measure(run, sources, trials)?;
    run.write_data("fig3", &rows)?;
    run.write_picture("fig3", &picture(&rows))?;
    Ok(Section {
        figure: run.figure,
        title: "Figure 3. Time to learn a structure".to_string(),
        ran: format!(
            "Tables of n = {} sources and 10,000 items, 5% of the pairs correlated (weight 0.25; all accuracies 1), one \
             thread, seconds on the processor, the median of {trials} table(s). Only learning is timed. Exact is the optimum for every source with \
             the standard errors of all pairs, which the paper's method does not give.",
            super::listed(sources)
        ),
        paper: "Marginal pseudolikelihood takes 2.2 s (n = 25) to 19 s (n = 100), maximum likelihood with Gibbs sampling over \
                all pairs 180 s to 2,600 s: 100 times as long. The authors' Python compiled with numba, on their machine of \
                2017."
            .to_string(),
        came_out: came_out(&rows),
        differs: vec![
            "The machines differ, so that only ratios within one set of curves can be compared with confidence.".to_string(),
            "Maximum likelihood by Gibbs sampling is drawn as published; this version has no row of its own for it, and so \
             states no ratio of its own."
                .to_string(),
        ],
        claims: claims(&rows),
        pictures: vec![("fig3".to_string(), "Seconds against the number of sources, both logarithmic".to_string())],
        data: vec!["fig3".to_string()],
    })
}

/// Sizes in order, methods within.
fn measure(run: &Run<'_>, sources: &[usize], trials: usize) -> Result<Vec<Timing>, ReproduceError> {
    let failed = |problem| ReproduceError::experiment("threads", &problem);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(failed)?;
    let mut points = run.points::<Timing>("fig3.csv")?;
    let mut rows = Vec::new();
    for (at, &n) in sources.iter().enumerate() {
        let wanted: Vec<Timing> = METHODS.iter().map(|(method, _)| empty(run, n, *method, trials)).collect();
        let known: Option<Vec<Timing>> = wanted.iter().map(|row| points.find(row).cloned()).collect();
        if let Some(known) = known {
            rows.extend(known);
            continue;
        }
        let cell = Cell { world: World::new(n, Links::Density(DENSITY)), gamma: None, items: ITEMS };
        let mut times = vec![Vec::new(); METHODS.len()];
        for trial in 0..trials {
            let votes = cell.world.draw(ITEMS, cell.seed(run.seed, trial))?.votes;
            for ((method, _), times) in METHODS.iter().zip(&mut times) {
                times.push(one.install(|| seconds(*method, &votes, LinkType::Correlation))?);
            }
            run.step("timing", at * trials + trial + 1, sources.len() * trials);
        }
        let fill = |(row, times): (Timing, Vec<f64>)| Timing {
            seconds: median(&times),
            fastest: times.iter().copied().fold(f64::INFINITY, f64::min),
            slowest: times.iter().copied().fold(0.0, f64::max),
            ..row
        };
        let finished: Vec<Timing> = wanted.into_iter().zip(times).map(fill).collect();
        points.add(&finished)?;
        rows.extend(finished);
    }
    Ok(rows)
}

fn empty(run: &Run<'_>, sources: usize, method: Method, trials: usize) -> Timing {
    Timing {
        sources,
        items: ITEMS,
        method: method.to_string(),
        threads: 1,
        trials,
        seed: run.seed,
        version: consilience_io::VERSION.to_string(),
        seconds: 0.0,
        fastest: 0.0,
        slowest: 0.0,
    }
}

fn picture(rows: &[Timing]) -> Picture {
    let of = |method: Method| rows.iter().filter(move |row| row.method == method.to_string());
    let mut series: Vec<Series> = METHODS
        .iter()
        .enumerate()
        .map(|(number, (method, name))| {
            let points = of(*method).map(|row| (row.sources as f64, row.seconds)).collect();
            let bars = of(*method).map(|row| (row.sources as f64, row.fastest, row.slowest)).collect();
            Series::ours(number, *name, points).with_bars(bars)
        })
        .collect();
    for (name, curve, marker) in [
        ("paper, Algorithm 1 (2017)", "pseudolikelihood seconds", Marker::Circle),
        ("paper, maximum likelihood (2017)", "maximum likelihood seconds", Marker::Diamond),
    ] {
        series.push(Series::paper(name, marker, published::curve("fig3", curve)));
    }
    let panel = Panel {
        title: "one thread".to_string(),
        x: Axis::log("sources", (22.0, 110.0), &[25.0, 40.0, 60.0, 80.0, 100.0]),
        y: Axis::decades("seconds on the processor", (0.005, 10_000.0)),
        bands: Vec::new(),
        series,
        dodge: 0.0,
    };
    Picture { title: "Figure 3: 10,000 items, 5% of the pairs".to_string(), panels: vec![panel] }
}

fn came_out(rows: &[Timing]) -> Vec<String> {
    let published = published::curve("fig3", "pseudolikelihood seconds");
    let sentence = |(method, name): &(Method, &str)| {
        let parts: Vec<String> = rows
            .iter()
            .filter(|row| row.method == method.to_string())
            .map(|row| {
                let paper = published.iter().find(|(n, _)| (n - row.sources as f64).abs() < 0.5);
                let faster = paper.map_or(String::new(), |(_, paper)| {
                    format!(" (the paper's time is {:.0} times that)", paper / row.seconds)
                });
                format!("{:.3} s at n = {}{faster}", row.seconds, row.sources)
            })
            .collect();
        format!("{name}: {}.", parts.join(", "))
    };
    METHODS.iter().map(sentence).collect()
}

fn claims(rows: &[Timing]) -> Vec<Claim> {
    let published = published::curve("fig3", "maximum likelihood seconds");
    let mut claims = Vec::new();
    for (method, name) in METHODS {
        let ratios = rows.iter().filter(|row| row.method == method.to_string()).filter_map(|row| {
            let (_, paper) = published.iter().find(|(n, _)| (n - row.sources as f64).abs() < 0.5)?;
            Some(paper / row.seconds)
        });
        let least = ratios.fold(f64::INFINITY, f64::min);
        claims.push(Claim::new(
            format!("{name} is 100 times as fast as the paper's maximum likelihood"),
            format!("at least {least:.0} times (on different machines)"),
            least >= 100.0,
        ));
    }
    claims
}
