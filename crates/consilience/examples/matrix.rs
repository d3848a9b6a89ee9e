//! What building and fitting a table costs without Python: reads a matrix of signed bytes, one row per item, -1 abstains.
//!
//! `cargo run --release -p consilience --example matrix -- FILE SOURCES`; `bench/python_cost.py` runs it beside Python. Prints
//! processor seconds of building the table, of fitting the default model, and of its labels.
#![allow(clippy::print_stdout, reason = "a script's result")]

use consilience::labels::infer;
use consilience::model::{Dependence, FitOptions, fit};
use consilience::sources::{Classes, Sources};
use consilience::votes::VotesBuilder;

/// Seconds of processor time so far, over all threads (in hundredths).
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(sources)) = (arguments.next(), arguments.next()) else {
        return Err("usage: matrix FILE SOURCES".into());
    };
    let n: usize = sources.parse()?;
    let bytes = std::fs::read(path)?;
    let started = processor_time();
    let mut builder = VotesBuilder::new(Sources::numbered(n)?);
    let mut votes = Vec::new();
    for cells in bytes.chunks(32 * n) {
        // -1, 0, 1, ... are abstain and the classes from 1 on.
        votes.clear();
        votes.extend(cells.iter().map(|cell| cell.wrapping_add(1)));
        builder.push_matrix(&votes)?;
    }
    let classes = bytes.iter().map(|&cell| cell.wrapping_add(1)).max().unwrap_or(0);
    let votes = builder.finish_as(Classes::numbered(usize::from(classes).max(2))?)?;
    let built = processor_time();
    let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default())?;
    let done = processor_time();
    let labels = infer(&fitted, &votes)?;
    let labelled = processor_time();
    println!(
        "{:.2} {:.2} {:.2} {} {} {}",
        built - started,
        done - built,
        labelled - done,
        labels.items(),
        votes.patterns().len(),
        fitted.ending.iterations
    );
    Ok(())
}
