//! How often, and how well, a true structure comes back: the measurement behind most figures.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Run;
use crate::error::ReproduceError;
use crate::method::{Method, Outcome, compare};
use crate::points::{Point, Points};
use crate::statistics::interval;
use crate::world::{STRENGTH, World, seed_of};

/// One method on one kind of table, over many tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recovery {
    /// Number of sources.
    pub(crate) sources: usize,
    /// Number of classes.
    pub(crate) classes: usize,
    /// Which sources are linked.
    pub(crate) links: String,
    /// The type of the links.
    pub(crate) r#type: String,
    /// The weight of the links.
    pub(crate) strength: f64,
    /// The control parameter of Eq. (9), if it gave the number of items.
    pub(crate) gamma: Option<f64>,
    /// Items in a table.
    pub(crate) items: usize,
    /// How the structure was learned.
    pub(crate) method: String,
    /// Number of tables.
    pub(crate) trials: usize,
    /// The seed that was asked for.
    pub(crate) seed: u64,
    /// The version of this program.
    pub(crate) version: String,
    /// The fingerprint of the code.
    pub(crate) solver: String,
    /// Tables of which exactly the true structure came back.
    pub(crate) exact: usize,
    /// Tables of which all true links came back.
    pub(crate) all_found: usize,
    /// True links missed, over all tables.
    pub(crate) missed: usize,
    /// Links too many, over all tables.
    pub(crate) extra: usize,
    /// Mean share of false links among those found.
    pub(crate) false_share: f64,
}

impl Point for Recovery {
    fn key(&self) -> String {
        format!(
            "{}|{}|{}|{}|{}|{:?}|{}|{}|{}|{}|{}|{}",
            self.sources,
            self.classes,
            self.links,
            self.r#type,
            self.strength,
            self.gamma,
            self.items,
            self.method,
            self.trials,
            self.seed,
            self.version,
            self.solver
        )
    }

    fn solver(&self) -> &str {
        &self.solver
    }
}

impl Recovery {
    /// The share of tables of which exactly the true structure came back.
    pub(crate) fn share(&self) -> f64 {
        self.exact as f64 / self.trials as f64
    }

    /// Its 95% interval.
    pub(crate) fn share_interval(&self) -> (f64, f64) {
        interval(self.exact, self.trials)
    }

    /// The share of tables of which all true links came back.
    pub(crate) fn recall(&self) -> f64 {
        self.all_found as f64 / self.trials as f64
    }

    /// Links too many in a table, on average.
    pub(crate) fn extraneous(&self) -> f64 {
        self.extra as f64 / self.trials as f64
    }
}

/// One kind of table.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) world: World,
    pub(crate) gamma: Option<f64>,
    pub(crate) items: usize,
}

impl Cell {
    /// With the number of items of Eq. (9).
    pub(crate) fn of_gamma(world: World, gamma: f64) -> Self {
        let items = world.items(gamma);
        Self { world, gamma: Some(gamma), items }
    }

    fn row(&self, run: &Run<'_>, seed: u64, method: Method, trials: usize) -> Recovery {
        Recovery {
            sources: self.world.sources,
            classes: self.world.classes,
            links: self.world.links_named(),
            r#type: self.world.link_type.name().to_string(),
            strength: STRENGTH,
            gamma: self.gamma,
            items: self.items,
            method: method.to_string(),
            trials,
            seed,
            version: run.made.version.clone(),
            solver: run.made.solver.clone(),
            exact: 0,
            all_found: 0,
            missed: 0,
            extra: 0,
            false_share: 0.0,
        }
    }

    /// The seed of one table: that of no other cell or trial.
    pub(crate) fn seed(&self, base: u64, trial: usize) -> u64 {
        let world = &self.world;
        let words = format!("{} of type {}", world.links_named(), world.link_type);
        let words = seed_of(base, &words.bytes().map(u64::from).collect::<Vec<_>>());
        seed_of(words, &[world.sources, world.classes, self.items, trial].map(|part| part as u64))
    }
}

/// Measures `methods` in every cell over `trials` tables, all methods on the same tables; cells in order, methods within.
///
/// Finished points are taken from `points`, and only the methods without one are run. Tables are drawn and learned from in parallel; the result is the same for any
/// number of threads.
pub(crate) fn measure(
    run: &Run<'_>,
    seed: u64,
    what: &'static str,
    points: &mut Points<Recovery>,
    cells: &[Cell],
    methods: &[Method],
    trials: usize,
) -> Result<Vec<Recovery>, ReproduceError> {
    let total = cells.len() * trials;
    let done = AtomicUsize::new(0);
    let mut rows = Vec::with_capacity(cells.len() * methods.len());
    for cell in cells {
        let wanted: Vec<Recovery> =
            methods.iter().map(|&method| cell.row(run, seed, method, trials)).collect();
        let missing: Vec<usize> =
            (0..methods.len()).filter(|&at| points.find(&wanted[at]).is_none()).collect();
        if missing.is_empty() {
            done.fetch_add(trials, Ordering::Relaxed);
            rows.extend(wanted.iter().filter_map(|row| points.find(row).cloned()));
            continue;
        }
        run.may_compute(&wanted[missing[0]].key())?;
        let to_run: Vec<Method> = missing.iter().map(|&at| methods[at]).collect();
        let of_trial = |trial: usize| {
            let drawn = cell.world.draw(cell.items, cell.seed(seed, trial))?;
            let outcomes = compare(&to_run, &drawn, cell.world.link_type)?;
            run.step(what, done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok(outcomes)
        };
        let outcomes: Vec<Vec<Outcome>> =
            (0..trials).into_par_iter().map(of_trial).collect::<Result<_, ReproduceError>>()?;
        let finished: Vec<Recovery> = missing
            .iter()
            .enumerate()
            .map(|(at, &method)| filled(wanted[method].clone(), &outcomes, at))
            .collect();
        points.add(&finished)?;
        rows.extend(wanted.iter().filter_map(|row| points.find(row).cloned()));
    }
    Ok(rows)
}

/// `row` with what came out for method number `at`.
fn filled(mut row: Recovery, outcomes: &[Vec<Outcome>], at: usize) -> Recovery {
    let mut shares = 0.0;
    for outcome in outcomes.iter().map(|of_trial| of_trial[at]) {
        row.exact += usize::from(outcome.is_exact());
        row.all_found += usize::from(outcome.missed == 0);
        row.missed += outcome.missed;
        row.extra += outcome.extra;
        shares += outcome.extra as f64 / outcome.found.max(1) as f64;
    }
    row.false_share = shares / row.trials as f64;
    row
}
