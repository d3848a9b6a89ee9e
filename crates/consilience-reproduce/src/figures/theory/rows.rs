//! Rows needed, against Theorem 1, Corollary 2 and the rule 750 d* ln n.

use consilience::dependency::{Accuracy, Factor, Factors};
use consilience::model::Links;
use consilience::structure::{Curvature, LinkType, Plan, PlanOptions, Select};
use serde::{Deserialize, Serialize};

use super::Part;
use crate::Run;
use crate::error::ReproduceError;
use crate::figures::curves::Curves;
use crate::figures::listed;
use crate::method::Method;
use crate::plot::{Axis, Marker, Panel, Picture, Series};
use crate::points::Point;
use crate::recovery::Cell;
use crate::section::Claim;
use crate::world::{STRENGTH, World, seed_of};

const SOURCES: [usize; 8] = [4, 6, 8, 12, 25, 50, 75, 100];
const QUICK_SOURCES: [usize; 4] = [4, 6, 12, 25];
const GAMMAS: [f64; 9] = [0.25, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0];
const QUICK_GAMMAS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
const METHODS: [Method; 2] = [Method::Sgd(0.03), Method::Exact(Select::Fwer(0.01))];

/// The probability of success that is asked for.
const LEVEL: f64 = 0.9;

/// Items that the curvature is estimated from, and the arithmetic spent on it.
const ITEMS: usize = 20_000;
const WORK: f64 = 5e8;

/// One number of sources.
#[derive(Clone, Debug, Serialize)]
struct Row {
    sources: usize,
    success: f64,
    /// c of condition (7) at the true weights, per item: the mean of three tables.
    curvature: f64,
    theorem_1: Option<f64>,
    corollary_2: Option<f64>,
    practice: f64,
    algorithm_1: Option<f64>,
    exact: Option<f64>,
}

pub(super) fn run(run: &Run<'_>) -> Result<Part, ReproduceError> {
    let trials = run.trials(50, 8);
    let sources = run.choose(&SOURCES[..], &QUICK_SOURCES[..]);
    let gammas = run.choose(&GAMMAS[..], &QUICK_GAMMAS[..]);
    let world = |&n: &usize| (format!("n = {n}"), World::new(n, Links::Pairs(2)));
    let worlds: Vec<(String, World)> = sources.iter().map(world).collect();
    let curves = Curves::measure(run, "rows needed", worlds.clone(), gammas, &METHODS, trials)?;
    let mut rows = Vec::new();
    for (at, (_, world)) in worlds.iter().enumerate() {
        rows.push(row(run, world, [0, 1].map(|method| curves.crossing(at, method, LEVEL)))?);
    }
    run.write_data("theory_rows", &rows)?;
    run.write_picture("theory_rows", &picture(&rows))?;
    Ok(Part {
        ran: format!(
            "Rows needed: two correlated pairs among n = {} sources, {trials} tables per point, interpolated to the number \
             of rows at which exactly the true structure is found in {:.0}% of them; compared with the rows required by \
             Theorem 1, Corollary 2 (with c of condition (7) estimated at the true weights on three tables) and the rule \
             750 d* ln n.",
            listed(sources),
            100.0 * LEVEL
        ),
        came_out: came_out(&rows),
        differs: differs(&rows),
        claims: claims(&rows, &curves),
        picture: (
            "theory_rows".to_string(),
            "Rows needed and sufficient rows against the number of sources".to_string(),
        ),
    })
}

fn row(run: &Run<'_>, world: &World, gammas: [Option<f64>; 2]) -> Result<Row, ReproduceError> {
    let n = world.sources;
    let (c, known) = curvature(run, world)?;
    let mut options =
        PlanOptions::new(n).with_strength(STRENGTH).with_failure(1.0 - LEVEL).with_degree(world.degree());
    options.curvature = known.then_some(c);
    let plan = Plan::new(&options).map_err(|problem| ReproduceError::experiment("plan", &problem))?;
    let [algorithm_1, exact] = gammas.map(|gamma| gamma.map(|gamma| gamma * plan.rows.practice));
    Ok(Row {
        sources: n,
        success: LEVEL,
        curvature: c,
        theorem_1: plan.rows.theorem,
        corollary_2: plan.rows.corollary,
        practice: plan.rows.practice,
        algorithm_1,
        exact,
    })
}

/// c of condition (7) of one kind of table.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Curved {
    sources: usize,
    seed: u64,
    version: String,
    solver: String,
    /// The mean of three tables.
    curvature: f64,
    /// Whether it is above 0 in all of them.
    above_zero: bool,
}

impl Point for Curved {
    fn key(&self) -> String {
        format!("{}|{}|{}|{}", self.sources, self.seed, self.version, self.solver)
    }

    fn solver(&self) -> &str {
        &self.solver
    }
}

/// c of condition (7) at the true weights: the mean of three tables, and whether it is above 0 in all of them.
fn curvature(run: &Run<'_>, world: &World) -> Result<(f64, bool), ReproduceError> {
    let n = world.sources;
    let mut points = run.points::<Curved>("curvature.csv")?;
    let mut point = Curved {
        sources: n,
        seed: run.seed(),
        version: run.made.version.clone(),
        solver: run.made.solver.clone(),
        curvature: 0.0,
        above_zero: false,
    };
    if let Some(known) = points.find(&point) {
        return Ok((known.curvature, known.above_zero));
    }
    run.may_compute(&point.key())?;
    let cell = Cell { world: world.clone(), gamma: None, items: ITEMS };
    let read = (WORK / (n as f64 * (2.0 * n as f64).powi(2))) as usize;
    let mut estimates = [0.0; 3];
    for (table, estimate) in estimates.iter_mut().enumerate() {
        // Tables of their own.
        let drawn = world.draw(ITEMS, cell.seed(seed_of(run.seed(), &[u64::MAX - 1]), table))?;
        let factors = |j: usize| {
            let mut list: Vec<Factor> = (0..n).map(|l| Factor::new(Accuracy::new(l), 1.0)).collect();
            for l in (0..n).filter(|&l| l != j) {
                let weight = if drawn.truth.contains(&(j.min(l), j.max(l))) { STRENGTH } else { 0.0 };
                list.extend(LinkType::Correlation.between(j, l).ok().map(|link| Factor::new(link, weight)));
            }
            Factors::new(list, n)
        };
        let c = Curvature::estimate(&drawn.votes, read.clamp(50, ITEMS), factors).smallest();
        // What is 0 but for rounding is 0.
        *estimate = c.filter(|c| c.abs() > 1e-9).unwrap_or(0.0);
    }
    point.curvature = estimates.iter().sum::<f64>() / estimates.len() as f64;
    point.above_zero = estimates.iter().all(|&c| c > 0.0);
    points.add(std::slice::from_ref(&point))?;
    Ok((point.curvature, point.above_zero))
}

fn picture(rows: &[Row]) -> Picture {
    let points = |of: fn(&Row) -> Option<f64>| -> Vec<(f64, f64)> {
        rows.iter().filter_map(|row| Some((row.sources as f64, of(row)?))).collect()
    };
    let series = vec![
        Series::ours(0, "Algorithm 1, epsilon = 0.03", points(|row| row.algorithm_1)),
        Series::ours(1, "exact, fwer = 0.01", points(|row| row.exact)),
        Series::paper("750 d* ln n", Marker::None, points(|row| Some(row.practice))),
        Series::paper("Theorem 1, if c > 0", Marker::Diamond, points(|row| row.theorem_1)),
        Series::paper("Corollary 2, if c > 0", Marker::Triangle, points(|row| row.corollary_2)),
    ];
    let panel = Panel {
        title: "rows for success in 90% of the tables".to_string(),
        x: Axis::log("sources", (3.7, 110.0), &[4.0, 6.0, 8.0, 12.0, 25.0, 50.0, 100.0]),
        y: Axis::log("rows", (500.0, 1e16), &[1e3, 1e6, 1e9, 1e12, 1e15]),
        bands: Vec::new(),
        series,
        dodge: 0.0,
    };
    Picture { title: "Rows needed and sufficient rows".to_string(), panels: vec![panel] }
}

fn came_out(rows: &[Row]) -> Vec<String> {
    let shown = |rows: Option<f64>| rows.map_or("not reached".to_string(), |rows| format!("{rows:.0}"));
    let sentence = |row: &Row| {
        format!(
            "n = {}: {} rows by Algorithm 1, {} by the exact method; the practical rule gives {:.0}.",
            row.sources,
            shown(row.algorithm_1),
            shown(row.exact),
            row.practice
        )
    };
    rows.iter().map(sentence).collect()
}

fn differs(rows: &[Row]) -> Vec<String> {
    let silent: Vec<usize> =
        rows.iter().filter(|row| row.theorem_1.is_none()).map(|row| row.sources).collect();
    let speaking: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("{:.1e} rows at n = {}", row.theorem_1?, row.sources)))
        .collect();
    let mut said = Vec::new();
    if !speaking.is_empty() {
        said.push(format!(
            "Theorem 1 requires {}, which is sufficient, but far from necessary.",
            listed(&speaking)
        ));
    }
    if !silent.is_empty() {
        said.push(format!(
            "At n = {}, the constant c, estimated at the true weights, cannot be distinguished from 0, so the theory gives \
             no number, although the structure is found. (In expectation c is not negative there; the estimate is, by \
             chance.) The likely reason is that many accurate sources leave no doubt about the class, so the accuracies of \
             the others no longer affect what can be learned from a source's votes.",
            listed(&silent)
        ));
    }
    said
}

fn claims(rows: &[Row], curves: &Curves) -> Vec<Claim> {
    let both = |row: &Row| [row.algorithm_1, row.exact];
    let fewer = rows.iter().all(|row| {
        let promised = row.theorem_1.into_iter().chain(row.corollary_2).fold(f64::INFINITY, f64::min);
        both(row).into_iter().flatten().all(|needed| needed <= promised)
    });
    let known = rows.iter().filter(|row| row.theorem_1.is_some()).count();
    let mut claims = vec![Claim::new(
        "fewer rows are needed than Theorem 1 and Corollary 2 require",
        format!("at all {known} sizes with c > 0"),
        fewer && known > 0,
    )];
    let large: Vec<usize> = (0..rows.len()).filter(|&at| rows[at].sources >= 25).collect();
    for (method, name) in ["Algorithm 1 (epsilon 0.03)", "exact (fwer 0.01)"].iter().enumerate() {
        let (lowest, holds) = curves.lowest_of(&large, method, 1.0, LEVEL);
        let text = format!(
            "from 25 sources on, 750 d* ln n rows are enough for {name} in {:.0}% of the tables",
            100.0 * LEVEL
        );
        claims.push(Claim::new(text, format!("lowest {lowest:.2}"), holds));
    }
    claims
}
