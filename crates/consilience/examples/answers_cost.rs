//! What `--answers` costs, relative to the same command without it.
//!
//! ```text
//! cargo run --release -p consilience --example answers_cost                         three tables, 100 answers
//! cargo run --release -p consilience --example answers_cost -- 1000000 20 1000      items, sources, answers
//! ```
//! Prints what `fit` and `label` compute, without reading and writing files, and what `--answers` adds: teaching the model and
//! comparing the labels, and for `label` also predicting each answer from the others. Both are related to the time of fitting alone
//! and to that of the whole command. With and without answers run in turns, and the least of five rounds counts. Seconds are those of
//! the processor if the system tells them (Linux), so that other programs do not count.

use std::time::Instant;

use consilience::answers::{Answers, sample};
use consilience::labels::{correct, infer, infer_changed, teach};
use consilience::model::{CorrectionPriors, Dependence, FitOptions, fit};
use consilience::rng::{Streams, unit};
use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};

/// Seconds that all threads of this process have run.
fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split(' ').next()?.parse::<f64>().ok()?;
    }
    Some(1e-9 * nanoseconds)
}

/// The result of some work and its seconds.
fn timed<T>(work: impl Fn() -> T) -> (T, f64) {
    let (start, before) = (Instant::now(), processor_seconds());
    let result = work();
    let seconds = before.zip(processor_seconds()).map_or(start.elapsed().as_secs_f64(), |(a, b)| b - a);
    (result, seconds)
}

/// Votes on `items` items, and the class of each.
fn simulated(items: usize, sources: usize) -> (Votes, Vec<Vote>) {
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
    (builder.finish_as(Classes::numbered(2).expect("two classes")).expect("rows"), truth)
}

/// Rounds, of which the quickest counts.
const ROUNDS: usize = 5;

#[expect(clippy::print_stdout, reason = "an example's output")]
fn measure(items: usize, sources: usize, count: usize) {
    let (votes, truth) = simulated(items, sources);
    let mut of_item = vec![ABSTAIN; items];
    for i in sample(items, count, 1) {
        of_item[i] = truth[i];
    }
    let answers = Answers::new(of_item, items, votes.classes()).expect("classes");
    let priors = CorrectionPriors::default();
    // Fitting, labelling; correcting, predicting held-out answers as well, and labelling with answers.
    let mut least = [f64::INFINITY; 5];
    let mut changed = 0;
    for _ in 0..ROUNDS {
        let (fitted, fitting) =
            timed(|| fit(&votes, Dependence::Repeats, &FitOptions::default()).expect("a fit"));
        let (_, correcting) = timed(|| correct(&fitted, &votes, &answers, priors).expect("a correction"));
        let ((corrected, _), teaching) =
            timed(|| teach(&fitted, &votes, &answers, priors).expect("a correction"));
        let (_, labelling) = timed(|| infer(&fitted, &votes).expect("labels"));
        let ((_, change), changing) = timed(|| {
            let (labels, change) = infer_changed(&corrected.fitted, &votes, &answers).expect("labels");
            (labels.with_answers(&answers), change)
        });
        changed = change.labels;
        for (least, seconds) in least.iter_mut().zip([fitting, labelling, correcting, teaching, changing]) {
            *least = seconds.min(*least);
        }
    }
    let [fitting, labelling, correcting, teaching, changing] = least;
    let comparing = changing - labelling;
    println!(
        "{items} items x {sources} sources ({} distinct rows), {count} answers, {changed} labels change",
        votes.patterns().len()
    );
    println!(
        "  without: fit {fitting:.4} s, labels {labelling:.4} s; with: correct {correcting:.4} s, also predict held-out answers \
         {teaching:.4} s, labels {comparing:+.4} s"
    );
    for (command, more) in [("fit", correcting + comparing), ("label", teaching + comparing)] {
        println!(
            "  {command} --answers: {:+.1}% of the fit, {:+.1}% of the command (fit and labels)",
            100.0 * more / fitting,
            100.0 * more / (fitting + labelling)
        );
    }
}

fn main() {
    let given: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse().expect("a whole number")).collect();
    match given[..] {
        [] => {
            for (items, sources) in [(1_000_000, 20), (100_000, 50), (1_000_000, 100)] {
                measure(items, sources, 100);
            }
        }
        [items, sources] => measure(items, sources, 100),
        [items, sources, answers, ..] => measure(items, sources, answers),
        [items] => measure(items, 20, 100),
    }
}
