//! Tables in which sources meet on a handful of items: runs with any false link, false shares, and planted links found.

use consilience::dependency::DependencyType as _;
use consilience::model::{CellLimit, Links, Planted, Spread, simulate};
use consilience::sources::Classes;
use consilience::structure::{ExactOptions, Select, Structure, learn_exact};
use consilience::votes::Votes;

use super::{Panel, draw};

/// Sources, items, share of items that each source votes on.
const TABLES: [(usize, usize, f64); 10] = [
    (40, 2_000, 0.01),
    (40, 10_000, 0.01),
    (60, 1_500, 0.02),
    (200, 2_000, 0.02),
    (500, 5_000, 0.02),
    // Where normal estimates begin.
    (40, 2_000, 0.05),
    (200, 2_000, 0.05),
    (200, 2_000, 0.2),
    (60, 1_500, 0.1),
    (100, 1_000, 0.3),
];

/// Independent sources, as `simulate --correct 0.85 --abstain 1 - coverage` makes them.
fn independent((sources, items, coverage): (usize, usize, f64), classes: usize, seed: u64) -> Votes {
    planted((sources, items, Spread::constant(coverage)), classes, Links::None, seed).0
}

/// The votes, and the linked pairs.
fn planted(
    (sources, items, coverage): (usize, usize, Spread),
    classes: usize,
    links: Links,
    seed: u64,
) -> (Votes, Vec<(usize, usize)>) {
    let planted = Planted {
        classes: Classes::numbered(classes).unwrap(),
        correct: Some(Spread::constant(0.85)),
        abstain: Some(Spread { low: 1.0 - coverage.high, high: 1.0 - coverage.low }),
        links,
        strength: 1.0,
        seed,
        ..Planted::new(sources).unwrap()
    };
    let votes = simulate(&planted.model().unwrap(), items, seed, CellLimit::default(), |_| {}).unwrap().votes;
    (votes, planted.pairs())
}

/// Sources that vote for one class only, by turns, five classes' worth at most.
fn one_class((sources, items, coverage): (usize, usize, f64), seed: u64) -> Votes {
    let panel = Panel {
        name: "",
        sources,
        one_class: sources,
        of_second: sources / 2,
        classes: 2,
        first: 0.5,
        correct: Spread::constant(0.85),
        // Half of what such a source says is of the other class, and is not said.
        coverage: Spread::constant(2.0 * coverage),
    };
    draw(&panel, items, seed)
}

fn learn(votes: &Votes) -> Structure {
    learn_exact(votes, &ExactOptions::default(), Select::Auto).unwrap()
}

/// For each kind of table, in how many runs `auto` keeps anything, and the pairs that could be tested.
pub(super) fn false_links(trials: u64, only: Option<usize>) {
    println!("no links planted: runs with a false one (auto), pairs tested of all in the last run");
    for table in TABLES.into_iter().enumerate().filter(|(at, _)| only.is_none_or(|only| only == *at)) {
        let table = table.1;
        for kind in ["2 classes", "3 classes", "5 classes", "one class each"] {
            let (mut runs, mut links, mut tested, mut all, mut largest) = (0, 0, 0, 0, 0.0f64);
            let start = std::time::Instant::now();
            for seed in 1..=trials {
                let votes = match kind {
                    "2 classes" => independent(table, 2, seed),
                    "3 classes" => independent(table, 3, seed),
                    "5 classes" => independent(table, 5, seed),
                    _ => one_class(table, seed),
                };
                let structure = learn(&votes);
                let kept = structure.selected().count();
                runs += usize::from(kept > 0);
                links += kept;
                (tested, all) = (structure.tests - structure.untested, structure.tests);
                largest =
                    structure.dependencies.iter().filter_map(|d| d.z).fold(largest, |a, z| a.max(z.abs()));
            }
            println!(
                "{} x {} at {}%, {kind}: {runs} of {trials} runs, {links} links; tested {tested} of {all}; largest |z| {largest:.2}; {:.2} s a run, drawing included",
                table.0,
                table.1,
                100.0 * table.2,
                start.elapsed().as_secs_f64() / trials as f64
            );
        }
    }
}

/// With pairs of weight 1 planted: the false share at a false discovery rate of 0.05, and what `auto` finds by items in common.
pub(super) fn planted_links(trials: u64) {
    println!(
        "pairs of weight 1 planted: share of false ones (fdr=0.05), and found by auto, by items that both vote on"
    );
    let spread = |low: f64, high: f64| Spread { low, high };
    for (sources, items, coverage) in [
        (40, 10_000, spread(0.01, 0.01)),
        (200, 2_000, spread(0.02, 0.02)),
        (500, 5_000, spread(0.02, 0.02)),
        (40, 20_000, spread(0.01, 0.3)),
        (100, 20_000, spread(0.02, 0.2)),
        (200, 50_000, spread(0.02, 0.1)),
    ] {
        for classes in [2, 3, 5] {
            let (mut kept, mut wrong) = (0, 0);
            let (mut found, mut there) = ([0; 4], [0; 4]);
            for seed in 1..=trials {
                let (votes, pairs) =
                    planted((sources, items, coverage), classes, Links::Pairs(sources / 4), seed);
                let structure = learn(&votes);
                let by_fdr = structure.clone().selected_by(Select::Fdr(0.05));
                let ends = |d: &consilience::structure::LearnedDependency| {
                    (d.dependency.sources()[0], d.dependency.sources()[1])
                };
                kept += by_fdr.selected().count();
                wrong += by_fdr.selected().filter(|d| !pairs.contains(&ends(d))).count();
                let met = votes.pairs().unwrap();
                for pair in &pairs {
                    let both =
                        met.iter().find(|met| met.sources == [pair.0, pair.1]).map_or(0, |met| met.both);
                    let bin = [10, 30, 100].iter().filter(|&&least| both >= least).count();
                    there[bin] += 1;
                    found[bin] += usize::from(structure.selected().any(|d| ends(d) == *pair));
                }
            }
            let shares: Vec<String> = ["under 10", "10 to 29", "30 to 99", "100 or more"]
                .iter()
                .zip(found.iter().zip(&there))
                .map(|(name, (found, there))| format!("{name}: {found} of {there}"))
                .collect();
            println!(
                "{sources} x {items} at {} to {}%, {classes} classes: false share {:.3} of {kept}; {}",
                100.0 * coverage.low,
                100.0 * coverage.high,
                wrong as f64 / f64::from(kept.max(1) as u32),
                shares.join(", ")
            );
        }
    }
}
