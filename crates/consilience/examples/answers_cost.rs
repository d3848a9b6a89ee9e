//! What `--answers` costs beside the fit, for 100 to 100,000 answers on a table of a million items.
//!
//! ```text
//! cargo run --release -p consilience --example answers_cost -- 1000000 20
//! ```
//! Prints the seconds of fitting and labelling without answers, and what correcting and labelling with them adds.

use std::time::Instant;

use consilience::answers::{Answers, sample};
use consilience::labels::{correct, held_out, infer};
use consilience::model::{CorrectionPriors, Dependence, FitOptions, fit};
use consilience::rng::{Streams, unit};
use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::VotesBuilder;

#[expect(clippy::print_stdout, reason = "an example's output")]
fn main() {
    let number = |place: usize, default: usize| {
        std::env::args().nth(place).map_or(default, |text| text.parse().expect("a whole number"))
    };
    let (items, sources) = (number(1, 1_000_000), number(2, 20));
    let mut builder = VotesBuilder::new(Sources::numbered(sources).expect("names differ"));
    let mut rng = Streams::new(1).stream(0);
    let mut truth = Vec::with_capacity(items);
    for _ in 0..items {
        let class = 1 + Vote::from(unit(&mut rng) < 0.3);
        let mut row = Vec::new();
        for j in 0..sources as u32 {
            if unit(&mut rng) < 0.4 {
                let right = unit(&mut rng) < 0.6 + 0.02 * f64::from(j % 15);
                row.push((j, if right { class } else { 3 - class }));
            }
        }
        builder.push(&row).expect("ascending sources");
        truth.push(class);
    }
    let votes = builder.finish_as(Classes::numbered(2).expect("two classes")).expect("rows");
    println!("{items} items, {sources} sources, {} distinct rows", votes.patterns().len());
    let start = Instant::now();
    let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).expect("a fit");
    let fit_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let plain = infer(&fitted, &votes).expect("labels");
    let infer_seconds = start.elapsed().as_secs_f64();
    println!("fit {fit_seconds:.3} s, label {infer_seconds:.3} s");
    for count in [100, 1_000, 10_000, 100_000] {
        if count >= items {
            continue;
        }
        let mut of_item = vec![ABSTAIN; items];
        for i in sample(items, count, 1) {
            of_item[i] = truth[i];
        }
        let answers = Answers::new(of_item, items, votes.classes()).expect("classes");
        let priors = CorrectionPriors::default();
        let start = Instant::now();
        let taught = correct(&fitted, &votes, &answers, priors).expect("a correction").fitted;
        let correct_seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let labels = infer(&taught, &votes).expect("labels");
        let more = start.elapsed().as_secs_f64() - infer_seconds;
        let start = Instant::now();
        let held = held_out(&fitted, &votes, &answers, priors).expect("predictions");
        let held_seconds = start.elapsed().as_secs_f64();
        println!(
            "{count} answers: correct {correct_seconds:.3} s, label {more:+.3} s, together {:.1}% of the fit; \
             held-out predictions {held_seconds:.3} s, {} of them; {} items",
            100.0 * (correct_seconds + more.max(0.0)) / fit_seconds,
            held.items.len(),
            labels.items().min(plain.items())
        );
    }
}
