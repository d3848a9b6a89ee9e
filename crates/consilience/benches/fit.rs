//! Time and memory of fitting and labelling: the independent model, one with dependencies, and Dawid and Skene's.
//!
//! `cargo bench -p consilience --bench fit -- ITEMS SOURCES THREADS REPEATS PAIRS [dawid-skene]`
//!
//! `cargo bench -p consilience --bench fit -- table=NAME` takes one of the tables of `bench/NOTES.md` instead: `three`, `ten`,
//! `twenty` (30 sources, 20,000 items, that many classes), `full` (28 sources, 12,000 items, 10 classes, most of them vote),
//! `hundred` and `three-hundred` (6 sources, 10,000 items, that many classes), `large` (100 sources, 1,000,000 items).
//! `only=NAME` runs one way of fitting.
#![allow(clippy::print_stdout, reason = "a script's result")]

use std::time::Instant;

use consilience::dependency::Agreement;
use consilience::labels::{Labels, infer};
use consilience::model::{
    CellLimit, DawidSkeneOptions, Dependence, FitOptions, Fitted, Inference, Links, Planted, Spread, fit,
    fit_dawid_skene, simulate,
};
use consilience::sources::Classes;
use consilience::structure::{LearnedDependency, Structure};
use consilience::votes::Votes;

/// The planted pairs as a learned structure.
fn structure(votes: &Votes, pairs: usize) -> Structure {
    let link = |p: usize| LearnedDependency {
        dependency: Agreement::new(2 * p, 2 * p + 1).unwrap().into(),
        weight: 0.5,
        stderr: None,
        z: None,
        p: None,
        q: None,
        selected: true,
    };
    let links = (0..pairs).map(link).collect();
    Structure::new(votes.sources().clone(), votes.classes().clone(), links, votes.items()).unwrap()
}

/// Peak memory of this process in MB, where the system says it.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kb| kb / 1024.0)
}

/// Seconds of processor time so far, over all threads, where the system says it (in hundredths).
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Memory in use now, in MB; the peak counts again from here where the system allows it.
fn start_of_peak() -> Option<f64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    peak()
}

/// The items and the model of a named table, as `consilience simulate` draws it.
fn table(name: &str) -> (usize, Planted) {
    let plain = |sources: usize, classes: usize, pairs: usize| Planted {
        classes: Classes::numbered(classes).unwrap(),
        links: if pairs > 0 { Links::Pairs(pairs) } else { Links::None },
        seed: 1,
        ..Planted::new(sources).unwrap()
    };
    match name {
        "two" => (20_000, plain(30, 2, 2)),
        "three" => (20_000, plain(30, 3, 2)),
        "ten" => (20_000, plain(30, 10, 2)),
        "twenty" => (20_000, plain(30, 20, 2)),
        "full" => (12_000, Planted { abstain: Some(Spread { low: 0.2, high: 0.7 }), ..plain(28, 10, 0) }),
        "hundred" => (10_000, plain(6, 100, 0)),
        "three-hundred" => (10_000, plain(6, 300, 0)),
        "large" => (1_000_000, Planted { abstain: Some(Spread::constant(0.7)), ..plain(100, 2, 0) }),
        _ => panic!("there is no table {name}"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let numbers: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let number = |at: usize, default: usize| numbers.get(at).copied().unwrap_or(default);
    let (items, sources, threads) = (number(0, 1_000_000), number(1, 100), number(2, 2));
    let (repeats, pairs) = (number(3, 3), number(4, 50));
    let inference = if arguments.iter().any(|argument| argument == "pseudo") {
        Inference::Pseudo
    } else {
        Inference::Auto
    };
    let named = |key: &str| arguments.iter().find_map(|argument| argument.strip_prefix(key));
    let table = named("table=").map(table);
    let (items, planted) = table.unwrap_or_else(|| {
        let planted = Planted {
            correct: Some(Spread { low: 0.55, high: 0.85 }),
            abstain: Some(Spread::constant(0.7)),
            links: Links::Pairs(pairs),
            link_type: "agreement".to_string(),
            strength: 0.5,
            seed: 1,
            ..Planted::new(sources).unwrap()
        };
        (items, planted)
    });
    let (sources, pairs) = (planted.sources, pairs.min(planted.sources / 2));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let simulated =
        pool.install(|| simulate(&planted.model().unwrap(), items, 1, CellLimit::default(), |_| {}).unwrap());
    let (votes, truth) = (simulated.votes, simulated.labels);
    println!(
        "{items} items, {} distinct rows, {sources} sources, {:.0} MB of votes, {threads} threads",
        votes.patterns().len(),
        votes.bytes() as f64 / 1e6
    );
    let structure = structure(&votes, pairs);
    let options = FitOptions::default().with_inference(inference);
    let independent = || fit(&votes, Dependence::Independent, &options).unwrap();
    let shared = || fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
    let structured = || fit(&votes, Dependence::Linked(&structure), &options).unwrap();
    let dawid_skene = || fit_dawid_skene(&votes, &DawidSkeneOptions::default(), |_| {}).unwrap();
    let mut ways: Vec<(&str, &(dyn Fn() -> Fitted + Sync))> =
        vec![("independent", &independent), ("repeats", &shared), ("structured", &structured)];
    if arguments.iter().any(|argument| argument == "dawid-skene") {
        ways.push(("Dawid-Skene", &dawid_skene));
    }
    if let Some(only) = named("only=") {
        ways.retain(|(name, _)| *name == only);
    }
    for (name, way) in ways {
        let mut best = f64::INFINITY;
        let before = start_of_peak();
        for _ in 0..repeats {
            let (start, processor) = (Instant::now(), processor_time());
            let fitted = pool.install(way);
            let fitting = start.elapsed().as_secs_f64();
            let labels: Labels = pool.install(|| infer(&fitted, &votes).unwrap());
            let seconds = start.elapsed().as_secs_f64();
            let processor = processor_time() - processor;
            best = best.min(seconds);
            let right = (0..items).filter(|&i| labels.item(i)[usize::from(truth[i]) - 1] > 0.5).count();
            println!(
                "  {name}: {seconds:.2} s ({processor:.2} s of processor time), of which fitting {fitting:.2} s ({} steps, {}, converged: {}), right on {:.2}%",
                fitted.ending.iterations,
                fitted.ending.estimator,
                fitted.ending.converged,
                100.0 * right as f64 / items as f64
            );
        }
        let memory = before
            .zip(peak())
            .map_or("unknown".to_string(), |(before, peak)| format!("{:.0} MB", peak - before));
        println!("{name}: {best:.2} s, the best of {repeats}; memory beyond the votes: {memory}");
    }
}
