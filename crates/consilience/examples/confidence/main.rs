//! What labels are worth on made-up panels of each kind, next to majority vote and the share of the votes.
//!
//! `cargo run --release -p consilience --example confidence -- [DRAWS]` prints log losses where judges share an item's
//! difficulty, the mean confidence of 400 good sources, accuracies where sources are worse than chance, F1 of rare classes, labels of
//! three to five judges, and for random panels of five kinds how often the log loss is above that of the share of the votes.
#![allow(clippy::print_stdout, reason = "a script's result")]

mod worlds;

use consilience::labels::{Labels, Ties, infer, majority_vote};
use consilience::model::{CellLimit, Dependence, FitOptions, Planted, fit, simulate};
use consilience::report::score::{ClassScore, accuracy, log_loss};
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;
use worlds::{Drawn, Thresholds};

/// By how much a log loss may be above that of the share of the votes.
const WITHIN: f64 = 0.01;

fn labels_of(votes: &Votes, dependence: Dependence<'_>) -> Labels {
    let fitted = fit(votes, dependence, &FitOptions::default()).expect("the table can be fitted");
    infer(&fitted, votes).expect("the model was fitted on these votes")
}

fn by_default(votes: &Votes) -> Labels {
    labels_of(votes, Dependence::default())
}

fn loss(labels: &Labels, truth: &[Vote]) -> f64 {
    log_loss((0..labels.items()).map(|i| labels.item(i)), truth).expect("every item has a class")
}

fn decided(labels: &Labels) -> Vec<Vote> {
    (0..labels.items()).map(|i| labels.decide(i, Ties::First).expect("ties go to the first")).collect()
}

/// The share of right labels among the items with votes.
fn right(drawn: &Drawn, labels: &Labels) -> f64 {
    let voted = |i: usize| drawn.votes.row_of_item(i).next().is_some();
    let gold: Vec<Vote> =
        drawn.truth.iter().enumerate().map(|(i, &y)| if voted(i) { y } else { ABSTAIN }).collect();
    accuracy(&decided(labels), &gold).expect("some item has votes")
}

fn f1(drawn: &Drawn, labels: &Labels) -> f64 {
    ClassScore::new(2, &decided(labels), &drawn.truth).expect("the class exists").f1
}

/// The mean of what `of` gives for the seeds of all draws.
fn mean<const N: usize>(draws: u64, of: impl Fn(u64) -> [f64; N]) -> [f64; N] {
    let mut sums = [0.0; N];
    for seed in 0..draws {
        sums.iter_mut().zip(of(seed)).for_each(|(sum, value)| *sum += value / draws as f64);
    }
    sums
}

fn shared_difficulty(draws: u64) {
    println!("Judges that threshold one impression of an item, log loss:");
    println!(
        "{:24} {:>8} {:>12} {:>14} {:>16}",
        "", "default", "independent", "share of votes", "impression known"
    );
    for (signal, noise) in [(0.6, 0.7), (0.6, 1.2), (1.0, 0.7)] {
        let panel = Thresholds { judges: 24, items: 5_000, signal, noise, width: 2.0 };
        let [ours, independent, share, known] = mean(draws, |seed| {
            let (Drawn { votes, truth }, known) = panel.draw(seed);
            let log = |(p, &y): (&f64, &Vote)| -(if y == 2 { *p } else { 1.0 - p }).ln();
            [
                loss(&by_default(&votes), &truth),
                loss(&labels_of(&votes, Dependence::Independent), &truth),
                loss(&majority_vote(&votes), &truth),
                known.iter().zip(&truth).map(log).sum::<f64>() / truth.len() as f64,
            ]
        });
        let name = format!("signal {signal}, noise {noise}");
        println!("{name:24} {ours:8.4} {independent:12.4} {share:14.4} {known:16.4}");
    }
}

fn many_sources() {
    let planted = Planted::new(400).expect("400 sources have names");
    let model = planted.model().expect("400 sources make a model");
    let drawn = simulate(&model, 5_000, 3, CellLimit::default(), |_| {}).expect("5,000 items can be drawn");
    let labels = by_default(&drawn.votes);
    let sum: f64 = (0..labels.items()).map(|i| labels.confidence(i)).sum();
    println!("400 sources, 5,000 items: mean confidence {:.4}", sum / labels.items() as f64);
}

fn odd_sources_and_classes(draws: u64) {
    println!("{:52} {:>8} {:>8}", "", "default", "majority");
    let line = |name: &str, of: &dyn Fn(&Drawn, &Labels) -> f64, draw: &dyn Fn(u64) -> Drawn| {
        let [ours, majority] = mean(draws, |seed| {
            let drawn = draw(seed);
            [of(&drawn, &by_default(&drawn.votes)), of(&drawn, &majority_vote(&drawn.votes))]
        });
        println!("{name:52} {ours:8.4} {majority:8.4}");
    };
    line("right: six sources, one right in 20%", &right, &|seed| {
        worlds::panel(&[0.8, 0.75, 0.7, 0.7, 0.65, 0.2], 0.5, seed)
    });
    line("right: ten rules, two of the wrong class", &right, &|seed| worlds::ten_rules(0.5, 2, seed));
    line("F1 of 10%: six sources of two classes", &f1, &|seed| {
        worlds::panel(&[0.9, 0.85, 0.8, 0.75, 0.7, 0.7], 0.1, seed)
    });
    line("F1 of 10%: ten rules", &f1, &|seed| worlds::ten_rules(0.1, 0, seed));
    line("F1 of 20%: ten rules", &f1, &|seed| worlds::ten_rules(0.2, 0, seed));
}

/// Three to five judges, independent or with one that follows another.
fn few_judges(draws: u64) {
    println!("Three to five judges, correct labels / log loss:");
    println!("{:44} {:>14} {:>14} {:>14}", "", "default", "independent", "share of votes");
    for (accuracies, follows) in [
        (&[0.9, 0.7, 0.6][..], 0.0),
        (&[0.9, 0.7, 0.7, 0.6], 0.0),
        (&[0.9, 0.9, 0.6, 0.6, 0.6], 0.0),
        (&[0.85, 0.8, 0.7, 0.65, 0.6], 0.0),
        (&[0.7, 0.7, 0.7], 0.8),
        (&[0.7, 0.7, 0.7, 0.7], 0.9),
        (&[0.6, 0.8, 0.8, 0.6], 0.9),
        (&[0.7, 0.7, 0.7, 0.7, 0.7], 0.9),
        (&[0.6, 0.7, 0.8, 0.7, 0.8], 0.5),
    ] {
        let [a, b, c, d, e, f] = mean(draws, |seed| {
            let drawn = worlds::known_judges(accuracies, follows, seed);
            let of = |labels: Labels| [right(&drawn, &labels), loss(&labels, &drawn.truth)];
            let [a, b] = of(by_default(&drawn.votes));
            let [c, d] = of(labels_of(&drawn.votes, Dependence::Independent));
            let [e, f] = of(majority_vote(&drawn.votes));
            [a, b, c, d, e, f]
        });
        let copies = if follows > 0.0 { format!(", last follows first on {follows}") } else { String::new() };
        let name = format!("{accuracies:?}{copies}");
        println!("{name:44} {a:6.3} / {b:5.3} {c:6.3} / {d:5.3} {e:6.3} / {f:5.3}");
    }
}

fn against_the_share_of_votes(draws: u64) {
    println!("Random panels, log loss:");
    println!(
        "{:20} {:>8} {:>12} {:>14} {:>12} {:>8}",
        "", "default", "independent", "share of votes", "above by .01", "most"
    );
    let kinds: [(&str, &dyn Fn(u64) -> Drawn); 5] = [
        ("rules", &worlds::any_rules),
        ("judges", &worlds::any_judges),
        ("crowds", &worlds::any_crowd),
        ("a few judges", &worlds::a_few_judges),
        ("shared difficulty", &|seed| Thresholds::any(seed).draw(seed).0),
    ];
    for (name, draw) in kinds {
        let (mut sums, mut above, mut most) = ([0.0; 3], Vec::new(), f64::NEG_INFINITY);
        for seed in 0..draws {
            let Drawn { votes, truth } = draw(seed);
            let losses = [
                loss(&by_default(&votes), &truth),
                loss(&labels_of(&votes, Dependence::Independent), &truth),
                loss(&majority_vote(&votes), &truth),
            ];
            sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss / draws as f64);
            most = most.max(losses[0] - losses[2]);
            if losses[0] > losses[2] + WITHIN {
                above.push(format!("{seed} (+{:.3})", losses[0] - losses[2]));
            }
        }
        let [ours, independent, share] = sums;
        println!(
            "{name:20} {ours:8.4} {independent:12.4} {share:14.4} {:12} {most:8.4}  {}",
            above.len(),
            above.join(" ")
        );
    }
}

fn main() {
    let draws: u64 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(10);
    println!("{draws} draws each");
    shared_difficulty(draws);
    many_sources();
    odd_sources_and_classes(draws);
    few_judges(draws);
    against_the_share_of_votes(draws);
}
