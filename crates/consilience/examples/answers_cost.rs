//! What `--answers` costs beside the fit, for 100 to 100,000 answers on a table of a million items.
//!
//! ```text
//! cargo run --release -p consilience --example answers_cost -- 1000000 20
//! ```
//! Prints the seconds of fitting and labelling without answers, and what `label --answers` adds: teaching the model, predicting each
//! answer from the others, and labelling and comparing in place of labelling. Seconds are those of the processor where the system
//! tells them (Linux), so that other programs do not count.

use std::time::Instant;

use consilience::answers::{Answers, sample};
use consilience::labels::{correct, infer, infer_changed, teach};
use consilience::model::{CorrectionPriors, Dependence, FitOptions, fit};
use consilience::rng::{Streams, unit};
use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::VotesBuilder;

/// Seconds that all threads of this process have run.
fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split(' ').next()?.parse::<f64>().ok()?;
    }
    Some(1e-9 * nanoseconds)
}

/// The result of some work and its seconds, the least of three runs.
fn timed<T>(work: impl Fn() -> T) -> (T, f64) {
    let once = || {
        let (start, before) = (Instant::now(), processor_seconds());
        let result = work();
        let seconds = before.zip(processor_seconds()).map_or(start.elapsed().as_secs_f64(), |(a, b)| b - a);
        (result, seconds)
    };
    let (mut result, mut least) = once();
    for _ in 0..2 {
        let (again, seconds) = once();
        (result, least) = (again, seconds.min(least));
    }
    (result, least)
}

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
    let (fitted, fitting) =
        timed(|| fit(&votes, Dependence::Repeats, &FitOptions::default()).expect("a fit"));
    let (plain, labelling) = timed(|| infer(&fitted, &votes).expect("labels"));
    println!("fit {fitting:.3} s, label {labelling:.3} s");
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
        let (_, correcting) = timed(|| correct(&fitted, &votes, &answers, priors).expect("a correction"));
        let ((corrected, held), teaching) =
            timed(|| teach(&fitted, &votes, &answers, priors).expect("a correction"));
        let ((labels, change), both) =
            timed(|| infer_changed(&corrected.fitted, &votes, &answers).expect("labels"));
        let more = (both - labelling).max(0.0);
        println!(
            "{count} answers: correct {correcting:.3} s, with {} held-out predictions {teaching:.3} s; label +{more:.3} s, {} labels \
             of {} change; fit --answers +{:.1}%, label --answers +{:.1}% of the fit's time",
            held.items.len(),
            change.labels,
            labels.items().min(plain.items()),
            100.0 * (correcting + more) / fitting,
            100.0 * (teaching + more) / fitting,
        );
    }
}
