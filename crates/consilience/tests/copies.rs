//! Panels in which sources copy each other: labels are held against those of an oracle that knows who copies whom.

use consilience::labels::{Ties, effective_votes, infer};
use consilience::model::{Dependence, FitOptions, fit};
use consilience::rng::{Streams, unit};
use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};

/// 10 sources of which six are one coin flip copied, 10,000 items, propensity 0.3: the labels are as good as those of the
/// oracle that knows the accuracies and counts the copies once. Also where copies agree in 80% of their votes only.
#[test]
fn copies_of_a_coin_count_once() {
    for noise in [0.0, 0.2] {
        let (votes, truth, oracle) = coins(10_000, noise);
        let right = |dependence: Dependence<'_>| {
            let fitted = fit(&votes, dependence, &FitOptions::default()).unwrap();
            let labels = infer(&fitted, &votes).unwrap().0;
            let judged: Vec<usize> = (0..votes.items()).filter(|&i| labels.has_votes(i)).collect();
            let right =
                judged.iter().filter(|&&i| labels.decide(i, Ties::Random(1)) == Some(truth[i])).count();
            let best = judged.iter().filter(|&&i| oracle[i] == truth[i]).count();
            (right as f64 / judged.len() as f64, best as f64 / judged.len() as f64)
        };
        let (ours, best) = right(Dependence::Repeats);
        assert!(ours > best - 0.01, "copies with noise {noise}: {ours}, the oracle {best}");
        let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
        assert!(effective_votes(&fitted).unwrap() < 6.5, "{:?}", fitted.shares);
    }
}

/// Four sources with accuracies of 0.55 to 0.85, a coin, and five that copy it, each vote flipped with probability `noise`; and what
/// one would say who knows the accuracies and leaves the coins out.
fn coins(items: usize, noise: f64) -> (Votes, Vec<Vote>, Vec<Vote>) {
    let mut rng = Streams::new(5).stream(0);
    let accuracies = [0.6, 0.67, 0.74, 0.81];
    let mut builder = VotesBuilder::new(Sources::new((0..10).map(|j| format!("s{j}")).collect()).unwrap());
    let (mut truth, mut oracle) = (Vec::new(), Vec::new());
    for _ in 0..items {
        let mut flip = |p: f64| unit(&mut rng) < p;
        let y: Vote = if flip(0.5) { 1 } else { 2 };
        let mut row = vec![0; 10];
        let mut score = 0.0;
        for (j, &accuracy) in accuracies.iter().enumerate() {
            if flip(0.3) {
                row[j] = if flip(accuracy) { y } else { 3 - y };
                let odds: f64 = accuracy / (1.0 - accuracy);
                score += if row[j] == 1 { odds.ln() } else { -odds.ln() };
            }
        }
        if flip(0.3) {
            let coin: Vote = if flip(0.5) { 1 } else { 2 };
            row[4] = coin;
            row[5..].iter_mut().for_each(|vote| *vote = if flip(noise) { 3 - coin } else { coin });
        }
        let guess: Vote = if flip(0.5) { 1 } else { 2 };
        oracle.push(if score > 0.0 {
            1
        } else if score < 0.0 {
            2
        } else {
            guess
        });
        truth.push(y);
        builder.push_dense(&row).unwrap();
    }
    (builder.finish_as(Classes::numbered(2).unwrap()).unwrap(), truth, oracle)
}

/// 100 sources of which five more copy one, in all of their votes or in 80%: the labels are as good as the oracle's.
#[test]
fn copies_among_a_hundred_count_once() {
    let mut rng = Streams::new(8).stream(0);
    let accuracies: Vec<f64> = (0..100).map(|_| 0.55 + 0.3 * unit(&mut rng)).collect();
    for noise in [0.0, 0.2] {
        let mut builder =
            VotesBuilder::new(Sources::new((0..105).map(|j| format!("s{j}")).collect()).unwrap());
        let (mut truth, mut oracle) = (Vec::new(), 0);
        for _ in 0..10_000 {
            let mut flip = |p: f64| unit(&mut rng) < p;
            let y: Vote = if flip(0.5) { 1 } else { 2 };
            let mut row = vec![0; 105];
            let mut score = 0.0;
            for (j, &accuracy) in accuracies.iter().enumerate() {
                if flip(0.3) {
                    row[j] = if flip(accuracy) { y } else { 3 - y };
                    let odds = (accuracy / (1.0 - accuracy)).ln();
                    score += if row[j] == 1 { odds } else { -odds };
                }
            }
            for copy in 100..105 {
                row[copy] = if row[0] == 0 || !flip(noise) { row[0] } else { 3 - row[0] };
            }
            oracle += usize::from((score > 0.0) == (y == 1));
            truth.push(y);
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
        let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
        let labels = infer(&fitted, &votes).unwrap().0;
        let right = (0..10_000).filter(|&i| labels.decide(i, Ties::First) == Some(truth[i])).count();
        // 0.002 of the items, as the oracle's own draw has it.
        assert!(right + 20 >= oracle, "copies with noise {noise}: {right}, the oracle {oracle}");
    }
}

/// Who repeats whom, and the labels that follow, are the same to the last bit for any number of threads.
#[test]
fn repeats_do_not_follow_the_threads() {
    let (votes, _, _) = coins(3_000, 0.2);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap())
    };
    let (one, three) = (run(1), run(3));
    assert!(one.shares.iter().any(|&share| share < 0.5));
    assert_eq!(one, three);
}
