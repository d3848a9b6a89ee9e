//! Figure 3: the time to learn a structure, against the number of sources.

use consilience::model::Links;
use consilience::structure::{LinkType, Select};
use serde::{Deserialize, Serialize};

use crate::Run;
use crate::error::ReproduceError;
use crate::machine::{Machine, load};
use crate::method::{Method, general_seconds, seconds};
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

/// Something that is timed.
#[derive(Clone, Copy)]
enum Timed {
    Learned(Method),
    General,
}

impl Timed {
    /// All of them, in the order of the curves.
    const ALL: [Self; 4] = [
        Self::Learned(Method::Sgd(0.03)),
        Self::Learned(Method::Exact(Select::Fdr(0.1))),
        Self::Learned(Method::Likelihood(0.03)),
        Self::General,
    ];

    /// As in the table.
    fn key(self) -> String {
        match self {
            Self::Learned(method) => method.to_string(),
            Self::General => "general gibbs".to_string(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Learned(Method::Sgd(_)) => "Algorithm 1",
            Self::Learned(Method::Exact(_)) => "exact method (with standard errors)",
            Self::Learned(Method::Likelihood(_)) => "maximum likelihood (written for speed)",
            Self::General => "maximum likelihood (general sampler)",
        }
    }

    /// The most tables that are timed: the slow ones are timed on fewer.
    fn most(self) -> usize {
        match self {
            Self::Learned(Method::Likelihood(_)) => 3,
            Self::Learned(_) => 5,
            Self::General => 1,
        }
    }
}

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
    solver: String,
    /// The median of all tables.
    seconds: f64,
    fastest: f64,
    slowest: f64,
    /// The machine, and how many programs wanted its processors when this was timed.
    processor: String,
    processors: usize,
    load: Option<f64>,
}

impl Point for Timing {
    fn key(&self) -> String {
        let Self { sources, items, method, threads, trials, seed, version, solver, .. } = self;
        format!("{sources}|{items}|{method}|{threads}|{trials}|{seed}|{version}|{solver}")
    }

    fn solver(&self) -> &str {
        &self.solver
    }
}

pub(super) fn run(run: &Run<'_>) -> Result<Section, ReproduceError> {
    let trials = run.trials(5, 1);
    let sources = run.choose(&SOURCES[..], &QUICK_SOURCES[..]);
    // The general sampler takes minutes.
    let timed = run.choose(&Timed::ALL[..], &Timed::ALL[..3]);
    let rows = Timings(measure(run, sources, timed, trials)?);
    run.write_data("fig3", &rows.0)?;
    run.write_picture("fig3", &rows.picture())?;
    let counts: Vec<String> =
        timed.iter().map(|timed| format!("{} for {}", trials.min(timed.most()), timed.name())).collect();
    Ok(Section {
        figure: run.figure,
        made: run.made.clone(),
        title: "Figure 3. Time to learn a structure".to_string(),
        ran: format!(
            "Tables of n = {} sources and 10,000 items, 5% of the pairs correlated (weight 0.25; all accuracies 1), one \
             thread, CPU seconds, medians over tables ({}). Only learning is timed. The exact method finds the optimum for \
             every source and the standard errors of all pairs, which the paper's method does not provide. Maximum \
             likelihood estimates the accuracies and the correlations of all pairs with the step size, epochs, truncation \
             and penalty of Algorithm 1, and samples what it cannot compute: one sweep of Gibbs sampling and one small \
             step per item.{} {}",
            super::listed(sources),
            counts.join("; "),
            if run.made.quick { "" } else { GENERAL },
            rows.machine()
        ),
        paper: "Marginal pseudolikelihood takes 2.2 s (n = 25) to 19 s (n = 100), maximum likelihood with Gibbs sampling over \
                all pairs 180 s to 2,600 s: 100 times as long. This is the authors' Python code, compiled with numba, on \
                their machine of 2017."
            .to_string(),
        came_out: rows.came_out(),
        differs: rows.differs(),
        claims: rows.claims(),
        tables: Vec::new(),
        pictures: vec![("fig3".to_string(), "Seconds against the number of sources, both logarithmic".to_string())],
        data: vec!["fig3".to_string()],
        notes: run.take_notes(),
    })
}

const GENERAL: &str = " The general sampler is the one that `fit` uses for dependencies of any type and any number of \
                       classes, with its default settings (512 chains, 2,000 steps).";

/// Sizes in order, methods within.
fn measure(
    run: &Run<'_>,
    sources: &[usize],
    timed: &[Timed],
    trials: usize,
) -> Result<Vec<Timing>, ReproduceError> {
    let failed = |problem| ReproduceError::experiment("threads", &problem);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(failed)?;
    let machine = Machine::here();
    let mut points = run.points::<Timing>("fig3.csv")?;
    let mut rows = Vec::new();
    let total = sources.len() * timed.len();
    for &n in sources {
        let cell = Cell { world: World::new(n, Links::Density(DENSITY)), gamma: None, items: ITEMS };
        for &timed in timed {
            let trials = trials.min(timed.most());
            let row = empty(run, &machine, n, timed, trials);
            if let Some(known) = points.find(&row) {
                rows.push(known.clone());
                continue;
            }
            run.may_compute(&row.key())?;
            let load = load();
            let mut times = Vec::new();
            for trial in 0..trials {
                let votes = cell.world.draw(ITEMS, cell.seed(run.seed(), trial))?.votes;
                times.push(one.install(|| match timed {
                    Timed::Learned(method) => seconds(method, &votes, LinkType::Correlation),
                    Timed::General => general_seconds(&votes),
                })?);
            }
            let row = Timing {
                seconds: median(&times),
                fastest: times.iter().copied().fold(f64::INFINITY, f64::min),
                slowest: times.iter().copied().fold(0.0, f64::max),
                load,
                ..row
            };
            points.add(std::slice::from_ref(&row))?;
            rows.push(row);
            run.step("timing", rows.len(), total);
        }
    }
    Ok(rows)
}

fn empty(run: &Run<'_>, machine: &Machine, sources: usize, timed: Timed, trials: usize) -> Timing {
    Timing {
        sources,
        items: ITEMS,
        method: timed.key(),
        threads: 1,
        trials,
        seed: run.seed(),
        version: run.made.version.clone(),
        solver: run.made.solver.clone(),
        seconds: 0.0,
        fastest: 0.0,
        slowest: 0.0,
        processor: machine.processor.clone(),
        processors: machine.processors,
        load: None,
    }
}

struct Timings(Vec<Timing>);

impl Timings {
    fn of(&self, timed: Timed) -> impl Iterator<Item = &Timing> {
        self.0.iter().filter(move |row| row.method == timed.key())
    }

    /// For each size how many times as long `slow` takes as `fast`.
    fn ratios(&self, slow: Timed, fast: Timed) -> Vec<f64> {
        let fast = |n: usize| self.of(fast).find(|row| row.sources == n);
        self.of(slow).filter_map(|row| Some(row.seconds / fast(row.sources)?.seconds)).collect()
    }

    /// Where it was timed, and what else ran there.
    fn machine(&self) -> String {
        let Some(first) = self.0.first() else { return String::new() };
        let mut machines: Vec<String> = Vec::new();
        for row in &self.0 {
            let machine = format!("{} ({} processors)", row.processor, row.processors);
            if !machines.contains(&machine) {
                machines.push(machine);
            }
        }
        let loads: Vec<f64> = self.0.iter().filter_map(|row| row.load).collect();
        let load = if loads.is_empty() {
            "what else was running is not known".to_string()
        } else {
            let low = loads.iter().copied().fold(f64::INFINITY, f64::min);
            let high = loads.iter().copied().fold(0.0, f64::max);
            let busy = if high > 0.7 * first.processors as f64 {
                ": other programs shared the caches and the memory, so times are longer than on an idle machine"
            } else {
                ""
            };
            format!("the load average was {low:.1} to {high:.1} when the timings began{busy}")
        };
        format!("Timed on {}; {load}.", machines.join(" and "))
    }

    fn picture(&self) -> Picture {
        let mut series: Vec<Series> = Vec::new();
        for (number, timed) in Timed::ALL.into_iter().enumerate() {
            let points: Vec<(f64, f64)> =
                self.of(timed).map(|row| (row.sources as f64, row.seconds)).collect();
            let bars = self.of(timed).map(|row| (row.sources as f64, row.fastest, row.slowest)).collect();
            if !points.is_empty() {
                series.push(Series::ours(number, timed.name(), points).with_bars(bars));
            }
        }
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

    fn came_out(&self) -> Vec<String> {
        let mut said = Vec::new();
        for timed in Timed::ALL {
            let published = published::curve(
                "fig3",
                match timed {
                    Timed::Learned(Method::Sgd(_) | Method::Exact(_)) => "pseudolikelihood seconds",
                    _ => "maximum likelihood seconds",
                },
            );
            let part = |row: &Timing| {
                let paper = published.iter().find(|(n, _)| (n - row.sources as f64).abs() < 0.5);
                let times = paper.map_or(String::new(), |(_, paper)| {
                    format!(" (the paper: {:.0} times as long)", paper / row.seconds)
                });
                format!("{:.3} s at n = {}{times}", row.seconds, row.sources)
            };
            let parts: Vec<String> = self.of(timed).map(part).collect();
            if !parts.is_empty() {
                said.push(format!("{}: {}.", super::capital(timed.name()), parts.join(", ")));
            }
        }
        let [algorithm_1, exact, likelihood, general] = Timed::ALL;
        for slow in [likelihood, general] {
            let parts: Vec<String> = [algorithm_1, exact]
                .into_iter()
                .filter(|&fast| !self.ratios(slow, fast).is_empty())
                .map(|fast| format!("{} times as long as {}", times(&self.ratios(slow, fast)), fast.name()))
                .collect();
            if !parts.is_empty() {
                said.push(format!("{} takes {}.", super::capital(slow.name()), parts.join(", and ")));
            }
        }
        said
    }

    fn differs(&self) -> Vec<String> {
        let mut said = vec![
            "The machines differ, so only ratios within one set of curves can be compared with confidence."
                .to_string(),
        ];
        let [algorithm_1, _, likelihood, general] = Timed::ALL;
        let ratios = self.ratios(likelihood, algorithm_1);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        if most < 50.0 {
            let of_general = self.ratios(general, algorithm_1);
            let general = if of_general.is_empty() {
                String::new()
            } else {
                format!(" A general sampler takes {} times as long as Algorithm 1.", times(&of_general))
            };
            said.push(format!(
                "We do not see the paper's ratio of 100: implemented for this one model, with its weights in one matrix, \
                 maximum likelihood takes {} times as long as Algorithm 1. Both do O(n²) work per item and epoch, so the \
                 operation counts do not explain a factor of 100. The paper's sampler was a general one, which keeps a \
                 variable for every vote and a factor for every pair and item. The remaining ratio is the price of drawing \
                 votes one after the other.{general}",
                times(&ratios)
            ));
        } else {
            said.push(format!("Our ratio is of the same order as the paper's 100: {}.", times(&ratios)));
        }
        said
    }

    fn claims(&self) -> Vec<Claim> {
        let published = published::curve("fig3", "maximum likelihood seconds");
        let [algorithm_1, exact, likelihood, _] = Timed::ALL;
        let mut claims = Vec::new();
        for timed in [algorithm_1, exact] {
            let name = timed.name();
            let ratios = self.of(timed).filter_map(|row| {
                let (_, paper) = published.iter().find(|(n, _)| (n - row.sources as f64).abs() < 0.5)?;
                Some(paper / row.seconds)
            });
            let least = ratios.fold(f64::INFINITY, f64::min);
            claims.push(Claim::new(
                format!("{} is 100 times as fast as the paper's maximum likelihood", super::capital(name)),
                format!("at least {least:.0} times (on different machines)"),
                least >= 100.0,
            ));
        }
        let ratios = self.ratios(likelihood, algorithm_1);
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        claims.push(Claim::new(
            "Algorithm 1 is faster than maximum likelihood written for speed, at every n",
            format!("at least {least:.1} times"),
            least > 1.0,
        ));
        claims
    }
}

/// The lowest and highest of some ratios.
fn times(ratios: &[f64]) -> String {
    let low = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ratios.iter().copied().fold(0.0, f64::max);
    if high - low < 0.05 { format!("{low:.1}") } else { format!("{low:.1} to {high:.1}") }
}
