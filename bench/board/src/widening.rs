//! How much wider intervals must be if the answers also taught the model: the constants of `certificate/taught.rs`, chosen by the
//! coverage of the intervals.

use std::fmt::Write as _;

use consilience::certificate::Widening;
use consilience::interval::Interval;
use consilience::model::{Dependence, FitOptions, fit};
use consilience_reproduce::set::Set;
use rayon::prelude::*;

use crate::certificates::{COUNTS, CrossFitted, Known};
use crate::kind::{KINDS, kind};

/// The quantities whose intervals widen alike.
const GROUPS: [&str; 4] = ["accuracy and F1", "precision", "recall", "mean F1"];

/// The coverage that is aimed for, the middle of 93 to 98%, and how much more a cell below it counts than one above: an interval that
/// is too short misleads.
const COVERAGE: f64 = 0.955;
const BELOW: f64 = 4.0;

/// Intercepts and slopes that are tried.
const INTERCEPTS: std::ops::RangeInclusive<u32> = 16..=32;
const SLOPES: std::ops::RangeInclusive<u32> = 0..=20;

/// `number / 20` and `number / 2`.
fn constants((intercept, slope): (u32, u32)) -> (f64, f64) {
    (f64::from(intercept) / 20.0, f64::from(slope) / 2.0)
}

/// One interval: the share of close answers, and by how much the variance has to grow for it to reach the truth.
#[derive(Clone)]
struct Needed {
    close: f64,
    factor: f64,
}

/// The intervals of one quantity of a table, over all draws of as many answers.
#[derive(Clone)]
struct Cell {
    kind: &'static str,
    group: usize,
    intervals: Vec<Needed>,
}

impl Cell {
    fn coverage(&self, (intercept, slope): (f64, f64)) -> f64 {
        let is_covered = |needed: &&Needed| needed.factor <= intercept + slope * needed.close;
        self.intervals.iter().filter(is_covered).count() as f64 / self.intervals.len() as f64
    }
}

/// What the constants would be, chosen on all tables and, if there are several kinds, without each kind. Planted tables always take
/// part in the choice, and are never scored.
pub(crate) fn tables(sets: &[Set], planted: &[Set], draws: u64) -> anyhow::Result<String> {
    let all_of = |sets: &[Set]| -> anyhow::Result<Vec<Cell>> {
        Ok(sets.iter().map(|set| cells_of(set, draws)).collect::<anyhow::Result<Vec<_>>>()?.concat())
    };
    let (cells, planted) = (all_of(sets)?, all_of(planted)?);
    let mut text = String::from(
        "The variance of intervals grows by a + b times the share of close answers. Chosen by coverage (closest to 95.5% in all \
         cells, those below count four times), and the coverage of all cells, or of those of the kind that was left out, in per cent.\n\n",
    );
    text.push_str("| quantities | left out | a | b | cells | lowest | highest | below 93 | above 98 |\n");
    text.push_str("|---|---|---|---|---|---|---|---|---|\n");
    let of_group = |cells: &[Cell], group: usize| -> Vec<Cell> {
        cells.iter().filter(|cell| cell.group == group && !cell.intervals.is_empty()).cloned().collect()
    };
    for (group, name) in GROUPS.iter().enumerate() {
        let (cells, planted) = (of_group(&cells, group), of_group(&planted, group));
        let mut line = |out: &str, chosen: (f64, f64), scored: &[Cell]| {
            let found: Vec<f64> = scored.iter().map(|cell| 100.0 * cell.coverage(chosen)).collect();
            let (low, high) =
                found.iter().fold((100.0, 0.0), |(low, high), &c| (f64::min(low, c), f64::max(high, c)));
            let (below, above) =
                (found.iter().filter(|&&c| c < 93.0).count(), found.iter().filter(|&&c| c > 98.0).count());
            let (a, b, count) = (chosen.0, chosen.1, found.len());
            let _ = writeln!(
                text,
                "| {name} | {out} | {a:.2} | {b:.1} | {count} | {low:.1} | {high:.1} | {below} | {above} |"
            );
        };
        line("as they are", as_they_are(group), &cells);
        line("nothing", choose(&[cells.clone(), planted.clone()].concat()), &cells);
        if !planted.is_empty() {
            line("all but planted tables", choose(&planted), &cells);
        }
        let kinds: Vec<&str> =
            KINDS.into_iter().filter(|kind| cells.iter().any(|cell| cell.kind == *kind)).collect();
        for kind in kinds.iter().filter(|_| kinds.len() > 1) {
            let (own, others): (Vec<Cell>, Vec<Cell>) =
                cells.iter().cloned().partition(|cell| cell.kind == *kind);
            line(kind, choose(&[others, planted.clone()].concat()), &own);
        }
    }
    Ok(text)
}

/// The constants of `certificate/taught.rs`.
fn as_they_are(group: usize) -> (f64, f64) {
    let of = |widening: Widening| {
        [widening.of_labels(), widening.of_precision(), widening.of_recall(), widening.of_mean()][group]
    };
    let [none, all] = [0.0, 1.0].map(|close| of(Widening { close }));
    (none, all - none)
}

/// The constants whose coverage is closest to what is aimed for.
fn choose(cells: &[Cell]) -> (f64, f64) {
    let loss = |constants: (f64, f64)| -> f64 {
        let of_cell = |cell: &Cell| {
            let off = cell.coverage(constants) - COVERAGE;
            off * off * if off < 0.0 { BELOW } else { 1.0 }
        };
        cells.iter().map(of_cell).sum()
    };
    let all = INTERCEPTS.flat_map(|intercept| SLOPES.map(move |slope| constants((intercept, slope))));
    let tried: Vec<((f64, f64), f64)> = all.map(|constants| (constants, loss(constants))).collect();
    let best = tried.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or((1.0, 0.0), |(constants, _)| *constants)
}

fn cells_of(set: &Set, draws: u64) -> anyhow::Result<Vec<Cell>> {
    let fitted = fit(&set.votes, Dependence::Repeats, &FitOptions::default())?;
    let known = Known::new(set, &fitted)?;
    let mut cells = Vec::new();
    for count in COUNTS.into_iter().filter(|count| 2 * count <= known.items.len()) {
        let one = |draw: u64| CrossFitted::new(set, &fitted, &known, count, draw).map(|found| needed(&found));
        let all = (0..draws).into_par_iter().map(one).collect::<anyhow::Result<Vec<_>>>()?;
        for (quantity, group) in [0, 0, 1, 2, 3].into_iter().enumerate() {
            let mut cell = Cell { kind: kind(&set.name), group, intervals: Vec::new() };
            for (close, factors) in &all {
                cell.intervals
                    .extend(factors[quantity].iter().map(|&factor| Needed { close: *close, factor }));
            }
            cells.push(cell);
        }
    }
    Ok(cells)
}

/// The share of close answers, and for accuracy, F1, precision, recall and mean F1 the factors that reach the truth.
fn needed(found: &CrossFitted) -> (f64, [Vec<f64>; 5]) {
    let widening = found.widening;
    let factor = |interval: Option<&Interval>, truth: f64, by: f64| {
        interval.map(|interval| {
            let end = if truth < interval.estimate { interval.low } else { interval.high };
            let (side, off) = ((end - interval.estimate).abs(), (truth - interval.estimate).abs());
            // Estimates and truths are ratios of counts: equal ones may differ in the last bit.
            if off < 1e-12 { 0.0 } else { by * (off / side.max(1e-12)).powi(2) }
        })
    };
    let mut factors = [(); 5].map(|()| Vec::new());
    factors[0].extend(factor(
        found.certificate.accuracy.as_ref(),
        found.truth.accuracy,
        widening.of_labels(),
    ));
    for (truth, (_, class)) in found.truth.classes.iter().zip(&found.certificate.classes) {
        let Some(truth) = truth else { continue };
        factors[1].extend(factor(class.f1.as_ref(), truth.f1, widening.of_labels()));
        factors[2].extend(factor(class.precision.as_ref(), truth.precision, widening.of_precision()));
        factors[3].extend(factor(class.recall.as_ref(), truth.recall, widening.of_recall()));
    }
    factors[4].extend(factor(found.certificate.macro_f1.as_ref(), found.truth.mean_f1, widening.of_mean()));
    (widening.close, factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Planted: errors whose variance is 1.2 + 2 x close times what the interval assumes, so that 95.5% need a bit more than that.
    #[test]
    fn planted_constants_are_found() {
        let cells: Vec<Cell> = (0..20)
            .map(|at| {
                let close = f64::from(at) / 60.0;
                // Squares of normal quantiles, in units of that of 95.5%.
                let intervals = (0..1000).map(|i| {
                    let share = (f64::from(i) + 0.5) / 1000.0;
                    Needed {
                        close,
                        factor: if share < 0.955 { share } else { 1.0 + share } * (1.2 + 2.0 * close),
                    }
                });
                Cell { kind: "rules", group: 0, intervals: intervals.collect() }
            })
            .collect();
        let (a, b) = choose(&cells);
        assert!((a - 1.2).abs() < 0.11 && (b - 2.0).abs() < 0.6, "{a} {b}");
    }
}
