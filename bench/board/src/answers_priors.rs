//! The evidence for the widths of the answers' priors: chosen without one kind of table, and scored on that kind.

use std::fmt::Write as _;

use consilience::model::CorrectionPriors;
use consilience_reproduce::set::Set;

use crate::answers::{Pair, Ready};
use crate::kind::{KINDS, kind};

/// Numbers of answers.
const COUNTS: [usize; 3] = [25, 50, 100];

/// Widths of the priors, each chosen on all kinds of tables but one and scored on that one.
pub(crate) fn tables(sets: &[Set], draws: u64) -> anyhow::Result<String> {
    let grid = grid();
    // By set, by priors, by count.
    let mut all: Vec<Vec<Vec<Pair>>> = Vec::new();
    for set in sets {
        let ready = Ready::new(set)?;
        let mut of_set = Vec::new();
        for &priors in &grid {
            let mut row = Vec::new();
            for count in COUNTS {
                row.extend(ready.mean(&ready.plain, count, draws, priors)?);
            }
            of_set.push(row);
        }
        all.push(of_set);
    }
    let mean = |chosen: &dyn Fn(&str) -> bool, g: usize, count: Option<usize>| {
        let cells: Vec<Pair> = sets
            .iter()
            .zip(&all)
            .filter(|(set, _)| chosen(&set.name))
            .flat_map(|(_, of_set)| of_set[g].iter().enumerate())
            .filter(|(place, _)| count.is_none_or(|count| count == *place))
            .map(|(_, pair)| *pair)
            .collect();
        let number = cells.len().max(1) as f64;
        (cells.iter().map(|c| c.0).sum::<f64>() / number, cells.iter().map(|c| c.1).sum::<f64>() / number)
    };
    let show = |priors: &CorrectionPriors| {
        let CorrectionPriors { slope, bias, trend, source, vote, wider_where_contradicted, .. } = priors;
        let wider = if *wider_where_contradicted { "" } else { ", never wider" };
        format!("slope {slope}, bias {bias}, trend {trend}, source {source}, vote {vote}{wider}")
    };
    let mut text = format!(
        "Means over 25, 50 and 100 answers, {draws} draws.\n\n| priors | all sets | 50 answers |\n|---|---|---|\n"
    );
    for (g, priors) in grid.iter().enumerate() {
        let (score, loss) = mean(&|_| true, g, None);
        let (score_50, loss_50) = mean(&|_| true, g, Some(1));
        let _ =
            writeln!(text, "| {} | {score:.2} / {loss:.4} | {score_50:.2} / {loss_50:.4} |", show(priors));
    }
    text.push_str(
        "\n| left out | chosen without it | scored on it | the defaults on it |\n|---|---|---|---|\n",
    );
    let default = CorrectionPriors::default();
    let of_default = grid.iter().position(|priors| *priors == default).unwrap_or(0);
    for left_out in KINDS {
        let others = |name: &str| kind(name) != left_out;
        let chosen = (0..grid.len())
            .min_by(|&a, &b| mean(&others, a, None).1.total_cmp(&mean(&others, b, None).1))
            .unwrap_or(of_default);
        let own = |name: &str| kind(name) == left_out;
        let (there, here) = (mean(&own, chosen, None), mean(&own, of_default, None));
        let _ = writeln!(
            text,
            "| {left_out} | {} | {:.2} / {:.4} | {:.2} / {:.4} |",
            show(&grid[chosen]),
            there.0,
            there.1,
            here.0,
            here.1
        );
    }
    Ok(text)
}

/// The defaults and their neighbours.
fn grid() -> Vec<CorrectionPriors> {
    let default = CorrectionPriors::default();
    let mut grid = Vec::new();
    for slope in [0.2, 0.35, 0.6] {
        for bias in [0.3, 0.5, 0.8] {
            for source in [0.4, 0.7, 1.1] {
                grid.push(default.with_slope(slope).with_bias(bias).with_source(source));
            }
        }
    }
    for trend in [0.0, 1.0] {
        grid.push(default.with_trend(trend));
    }
    for vote in [0.0, 0.3] {
        grid.push(default.with_vote(vote).with_other(vote));
    }
    for bias in [0.5, 0.7, 1.0] {
        grid.push(default.with_bias(bias).with_wider_where_contradicted(false));
    }
    grid
}
