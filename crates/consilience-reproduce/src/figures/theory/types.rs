//! Curves of recovery for every type of link, and for more classes.

use consilience::model::Links;
use consilience::structure::{LinkType, Select};

use super::Part;
use crate::Run;
use crate::error::ReproduceError;
use crate::figures::curves::Curves;
use crate::method::Method;
use crate::plot::Axis;
use crate::section::Claim;
use crate::world::World;

const SOURCES: usize = 25;
const METHODS: [Method; 2] = [Method::Sgd(0.025), Method::Exact(Select::Fwer(0.05))];
const PANELS: [(usize, &str); 2] = [(0, "Algorithm 1, epsilon = 0.025"), (1, "exact, fwer = 0.05")];
const GAMMAS: [f64; 10] = [0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6];
const QUICK_GAMMAS: [f64; 3] = [0.5, 1.0, 4.0];
const CLASSES: [usize; 3] = [2, 3, 5];

/// What fwer = 0.05 lets be expected if all links are found.
const EXPECTED: f64 = 0.94;

fn axis(gammas: &[f64]) -> Axis {
    let (low, high) = (gammas[0], gammas[gammas.len() - 1]);
    let ticks: Vec<f64> =
        [0.25, 0.5, 1.0, 2.0, 4.0].into_iter().filter(|tick| (low..=high).contains(tick)).collect();
    Axis::log("gamma = items / (1,500 ln 25)", (0.88 * low, 1.11 * high), &ticks)
}

pub(super) fn of_links(run: &Run<'_>) -> Result<Part, ReproduceError> {
    let trials = run.trials(50, 6);
    let gammas = run.choose(&GAMMAS[..], &QUICK_GAMMAS[..]);
    let world = |link_type: LinkType| {
        (link_type.name().to_string(), World { link_type, ..World::new(SOURCES, Links::Pairs(2)) })
    };
    let worlds = LinkType::ALL.map(world).to_vec();
    let curves = Curves::measure(run, "types of links", worlds, gammas, &METHODS, trials)?;
    let title = "Types of links: two pairs among 25 sources, weight 0.25";
    run.write_data("theory_types", &curves.rows)?;
    run.write_picture("theory_types", &curves.picture(title, &PANELS, &axis(gammas), None))?;
    Ok(Part {
        ran: format!(
            "Types: two pairs of {SOURCES} sources are linked by one type of dependency at a time (weight 0.25; two \
             classes; all accuracies 1), and only that type is searched for; {trials} tables per point. Links are scored \
             as pairs of sources: the direction of reinforcing and fixing does not count."
        ),
        came_out: vec![halves(&curves, "The exact method"), shift(&curves)],
        differs: vec![
            "At the same weight, the types differ in how often they apply: a correlation counts every agreement, including \
             joint abstentions, but a conjunction counts only if both sources are correct, which good sources mostly are \
             anyway. So the types need different numbers of rows at the same weight. One epsilon does not fit all types: \
             if Algorithm 1 does not approach 1 with more rows, its epsilon is too small or too large for that type. An \
             error rate needs no such choice."
                .to_string(),
        ],
        claims: vec![found(&curves, "type")],
        picture: ("theory_types".to_string(), "Share of exact recoveries against gamma, by type of link".to_string()),
    })
}

pub(super) fn of_classes(run: &Run<'_>) -> Result<Part, ReproduceError> {
    let trials = run.trials(50, 6);
    let gammas = run.choose(&GAMMAS[..8], &QUICK_GAMMAS[..2]);
    let world = |classes: usize| {
        (format!("{classes} classes"), World { classes, ..World::new(SOURCES, Links::Pairs(2)) })
    };
    let worlds = CLASSES.map(world).to_vec();
    let curves = Curves::measure(run, "classes", worlds, gammas, &METHODS, trials)?;
    let title = "Classes: two correlated pairs among 25 sources";
    run.write_data("theory_classes", &curves.rows)?;
    run.write_picture("theory_classes", &curves.picture(title, &PANELS, &axis(gammas), None))?;
    Ok(Part {
        ran: format!(
            "Classes: the same with correlations and 2, 3 and 5 classes of equal size, {trials} tables per point."
        ),
        came_out: vec![halves(&curves, "The exact method")],
        differs: Vec::new(),
        claims: vec![found(&curves, "number of classes")],
        picture: (
            "theory_classes".to_string(),
            "Share of exact recoveries against gamma, by number of classes".to_string(),
        ),
    })
}

/// Where each curve of the exact method is at one half.
fn halves(curves: &Curves, name: &str) -> String {
    let half = |world: usize| format!("{} ({})", curves.half(world, 1), curves.names[world]);
    let all: Vec<String> = (0..curves.names.len()).map(half).collect();
    format!("{name} succeeds in half of the tables at gamma = {}.", all.join(", "))
}

/// How many times the rows of a correlation each type needs.
fn shift(curves: &Curves) -> String {
    let Some(base) = curves.crossing(0, 1, 0.5).filter(|&gamma| gamma > curves.gammas[0]) else {
        return "These gammas do not show how many times as many rows as correlations the other types need."
            .to_string();
    };
    let times = |world: usize| {
        Some(format!("{:.1} for {}", curves.crossing(world, 1, 0.5)? / base, curves.names[world]))
    };
    let all: Vec<String> = (1..curves.names.len()).filter_map(times).collect();
    format!("As multiples of the rows that correlations need: {}.", all.join(", "))
}

/// Every curve of the exact method ends as high as its error rate allows.
fn found(curves: &Curves, what: &str) -> Claim {
    let last = curves.gammas[curves.gammas.len() - 1];
    let (lowest, holds) = curves.lowest(1, last, EXPECTED);
    Claim::new(
        format!("exact (fwer 0.05) succeeds in {:.0}% at gamma = {last} for every {what}", 100.0 * EXPECTED),
        format!("lowest {lowest:.2}"),
        holds,
    )
}
