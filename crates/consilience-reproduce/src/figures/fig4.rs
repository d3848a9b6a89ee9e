//! Figure 4: whether all true links are found, and how many others, against the number of sources.

use consilience::model::Links;
use consilience::structure::Select;

use super::RECOVERY;
use crate::Run;
use crate::error::ReproduceError;
use crate::method::Method;
use crate::plot::{Axis, Marker, Panel, Picture, Series};
use crate::published;
use crate::recovery::{Cell, Recovery, measure};
use crate::section::{Claim, Section};
use crate::statistics::{interval, plausible};
use crate::world::{World, seed_of};

const SOURCES: [usize; 16] = [25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100];
const QUICK_SOURCES: [usize; 2] = [25, 50];
const ITEMS: usize = 10_000;
const DENSITY: f64 = 0.05;

/// What is tried when a method is tuned.
const EPSILONS: [f64; 7] = [0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.05];
const RATES: [f64; 8] = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6];

/// The strictest value that keeps all true links in this share of the tables is taken: the paper's own recall at n = 100 is
/// 0.91.
const RECALL: f64 = 0.9;

pub(super) fn run(run: &Run<'_>) -> Result<Section, ReproduceError> {
    let trials = run.trials(100, 8);
    let sources = run.choose(&SOURCES[..], &QUICK_SOURCES[..]);
    let tuned = Tuned::at(run, sources[sources.len() - 1], trials.min(20))?;
    let methods = [
        Method::Sgd(tuned.epsilon),
        Method::Exact(Select::Fdr(tuned.rate)),
        Method::Exact(Select::Fdr(0.1)),
        Method::Exact(Select::Fdr(0.05)),
        Method::Exact(Select::Fdr(0.2)),
    ];
    let cells: Vec<Cell> = sources.iter().map(|&n| cell(n)).collect();
    let rows = measure(run, "recall", &mut run.points(RECOVERY)?, &cells, &methods, trials)?;
    let results = Results { rows, methods: methods.to_vec() };
    run.write_data("fig4", &results.rows)?;
    run.write_picture("fig4", &results.picture())?;
    Ok(Section {
        figure: run.figure,
        title: "Figure 4. All true links, and few others".to_string(),
        ran: format!(
            "Tables of n = {} sources and 10,000 items, every pair correlated with probability 0.05 (weight 0.25; all \
             accuracies 1); {trials} random structures a point. Epsilon of Algorithm 1 ({}) and the false \
             discovery rate of the exact method ({}) were each tuned once for recall, on other tables at the largest n: the \
             strictest of the values tried that kept all true links in {:.0}% of the tables, else the loosest. A rate asked for \
             beforehand needs no tuning.",
            super::listed(sources),
            tuned.epsilon,
            tuned.rate,
            100.0 * RECALL
        ),
        paper: "With epsilon tuned for each method, pseudolikelihood keeps all true links in 91% of the runs at n = 100 with \
                205 extraneous ones, maximum likelihood in 60% with 405; over all n it returns a quarter as many."
            .to_string(),
        came_out: results.came_out(),
        differs: vec![
            "Maximum likelihood is drawn as published; this version has no row of its own for it.".to_string(),
            "How the paper tuned its epsilon is not said beyond the purpose, high recall with few extraneous links.".to_string(),
        ],
        claims: results.claims(),
        pictures: vec![("fig4".to_string(), "Perfect recall and extraneous links against n".to_string())],
        data: vec!["fig4".to_string()],
    })
}

fn cell(sources: usize) -> Cell {
    Cell { world: World::new(sources, Links::Density(DENSITY)), gamma: None, items: ITEMS }
}

/// The settings that are tuned once.
struct Tuned {
    epsilon: f64,
    rate: f64,
}

impl Tuned {
    fn at(run: &Run<'_>, sources: usize, trials: usize) -> Result<Self, ReproduceError> {
        // Tables that no result is reported for.
        let apart = run.with_seed(seed_of(run.seed, &[u64::MAX]));
        let sgd = EPSILONS.map(Method::Sgd);
        // From the loosest on, as epsilons are.
        let mut rates = RATES;
        rates.reverse();
        let exact = rates.map(|rate| Method::Exact(Select::Fdr(rate)));
        let methods: Vec<Method> = sgd.into_iter().chain(exact).collect();
        let mut points = run.points(RECOVERY)?;
        let rows = measure(&apart, "tuning", &mut points, &[cell(sources)], &methods, trials)?;
        let (sgd, exact) = rows.split_at(EPSILONS.len());
        Ok(Self { epsilon: best(&EPSILONS, sgd), rate: best(&rates, exact) })
    }
}

/// The last of `values`, which go from loose to strict, with enough recall; the first where none has.
fn best(values: &[f64], rows: &[Recovery]) -> f64 {
    let enough = |row: &Recovery| row.recall() >= RECALL - 1e-9;
    let found = values.iter().zip(rows).rev().find(|(_, row)| enough(row));
    found.map_or(values[0], |(&value, _)| value)
}

struct Results {
    /// Sizes in order, methods within.
    rows: Vec<Recovery>,
    methods: Vec<Method>,
}

impl Results {
    fn of(&self, method: usize) -> impl Iterator<Item = &Recovery> {
        self.rows.iter().skip(method).step_by(self.methods.len())
    }

    /// The methods that are drawn.
    fn names() -> [(usize, &'static str); 3] {
        [(0, "Algorithm 1, epsilon tuned"), (1, "exact, fdr tuned"), (2, "exact, fdr = 0.1, not tuned")]
    }

    fn picture(&self) -> Picture {
        let paper = |what: &str| {
            [("pseudolikelihood", Marker::Circle), ("maximum likelihood", Marker::Diamond)].map(
                |(name, marker)| {
                    let points = published::curve("fig4", &format!("{name} {what}"));
                    Series::paper(format!("paper, {name}"), marker, points)
                },
            )
        };
        let ours = |value: fn(&Recovery) -> f64, bars: bool| {
            Self::names().map(|(method, name)| {
                let points = self.of(method).map(|row| (row.sources as f64, value(row))).collect();
                let bar = |row: &Recovery| {
                    let (low, high) = interval(row.all_found, row.trials);
                    (row.sources as f64, low, high)
                };
                let bars = if bars { self.of(method).map(bar).collect() } else { Vec::new() };
                Series::ours(method, name, points).with_bars(bars)
            })
        };
        let x = Axis::linear("sources", (20.0, 103.0), &[25.0, 50.0, 75.0, 100.0]);
        let recall = Panel {
            title: "all true links found".to_string(),
            x: x.clone(),
            y: Axis::share("share of tables"),
            bands: Vec::new(),
            series: paper("perfect recall").into_iter().chain(ours(Recovery::recall, true)).collect(),
            dodge: 7.0,
        };
        // Everything is shown, whatever comes out.
        let most = self.rows.iter().map(Recovery::extraneous).fold(410.0, f64::max);
        let step = if most < 600.0 { 100.0 } else { 200.0 };
        let ticks: Vec<f64> = (0..=(most / step) as usize).map(|tick| step * tick as f64).collect();
        let extra = Panel {
            title: "extraneous links".to_string(),
            x,
            y: Axis::linear("links in a table", (-0.02 * most, 1.02 * most), &ticks),
            bands: Vec::new(),
            series: paper("extraneous").into_iter().chain(ours(Recovery::extraneous, false)).collect(),
            dodge: 7.0,
        };
        let title = "Figure 4: 10,000 items, 5% of the pairs correlated";
        Picture { title: title.to_string(), panels: vec![recall, extra] }
    }

    fn came_out(&self) -> Vec<String> {
        let sentence = |method: usize| {
            let Some(last) = self.of(method).last() else { return String::new() };
            format!(
                "{} at n = {}: all true links in {:.0}% of the tables, {:.1} extraneous links on average, {:.1}% of those \
                 found are false.",
                self.methods[method],
                last.sources,
                100.0 * last.recall(),
                last.extraneous(),
                100.0 * last.false_share
            )
        };
        (0..self.methods.len()).map(sentence).collect()
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = Vec::new();
        let published = |series: &str| published::curve("fig4", series);
        let paper = published("pseudolikelihood extraneous");
        for (method, name) in Self::names().into_iter().take(2) {
            let (mut lowest, mut holds, mut fewer) = (1.0f64, true, true);
            for row in self.of(method) {
                lowest = lowest.min(row.recall());
                holds &= plausible(row.all_found, row.trials, RECALL);
                let at = paper.iter().find(|(n, _)| (n - row.sources as f64).abs() < 0.5);
                // Counts of a few are noisy; from the paper's 20 on they are not.
                fewer &= at.is_none_or(|(_, extra)| *extra < 20.0 || row.extraneous() <= *extra);
            }
            let seen = format!("lowest {lowest:.2}");
            claims.push(Claim::new(
                format!("{name}: all true links in 90% of the tables at every n"),
                seen,
                holds,
            ));
            let last = self.of(method).last().map_or(0.0, Recovery::extraneous);
            let text = format!("{name}: no more extraneous links than the paper's pseudolikelihood");
            claims.push(Claim::new(text, format!("{last:.1} at the largest n"), fewer));
        }
        for (method, rate) in [(3, 0.05), (2, 0.1), (4, 0.2)] {
            let mean = self.of(method).map(|row| row.false_share).sum::<f64>()
                / self.of(method).count().max(1) as f64;
            // The mean of all sizes; shares of single tables spread about as widely as they are large.
            let tables: usize = self.of(method).map(|row| row.trials).sum();
            let room = 0.01 + 3.0 * rate / (tables.max(1) as f64).sqrt();
            claims.push(Claim::new(
                format!("exact: at fdr = {rate}, a share of at most {rate} of the links found is false"),
                format!("{mean:.3} on average"),
                mean <= rate + room,
            ));
        }
        claims
    }
}
