//! Labels of items that differ in difficulty: confidence that holds, and that never falls as agreement grows.

use consilience::dependency::{DependencyType as _, Factor};
use consilience::labels::{Labels, Ties, infer, majority_vote};
use consilience::model::{Dependence, FitOptions, Fitted, ImpressionLink, fit};
use consilience::report::score::{ClassScore, accuracy, log_loss};
use consilience::rng::{Stream, Streams, unit};
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;
use consilience_testing::tables::numbered_votes;

/// A table and the true classes.
struct Drawn {
    votes: Votes,
    truth: Vec<Vote>,
}

fn default_of(votes: &Votes) -> Fitted {
    fit(votes, Dependence::default(), &FitOptions::default()).unwrap()
}

fn labels_of(votes: &Votes) -> Labels {
    infer(&default_of(votes), votes).unwrap()
}

fn loss(drawn: &Drawn, labels: &Labels) -> f64 {
    log_loss((0..labels.items()).map(|i| labels.item(i)), &drawn.truth).unwrap()
}

fn decided(labels: &Labels) -> Vec<Vote> {
    (0..labels.items()).map(|i| labels.decide(i, Ties::First).unwrap()).collect()
}

/// Two normal numbers.
fn normals(random: &mut Stream) -> [f64; 2] {
    let (radius, angle) = ((-2.0 * (1.0 - unit(random)).ln()).sqrt(), std::f64::consts::TAU * unit(random));
    [radius * angle.cos(), radius * angle.sin()]
}

/// Judges that threshold much the same impression of an item, each at its own level.
fn shared_difficulty(signal: f64, noise: f64, seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(0);
    let levels: Vec<f64> = (0..24).map(|_| 4.0 * unit(&mut random) - 2.0).collect();
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..5_000 {
        let second = unit(&mut random) < 0.5;
        let seen = if second { signal } else { -signal } + normals(&mut random)[0];
        let vote = |level: &f64| 1 + Vote::from(seen + noise * normals(&mut random)[0] > *level);
        rows.push(levels.iter().map(vote).collect());
        truth.push(1 + Vote::from(second));
    }
    Drawn { votes: numbered_votes(24, 2, &rows), truth }
}

/// Sources of several classes with these accuracies, each voting on a share of the items.
fn panel(accuracies: &[f64], k: usize, items: usize, votes: f64, second: f64, seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(1);
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..items {
        let class: Vote = match k {
            2 => 1 + Vote::from(unit(&mut random) < second),
            _ => 1 + (unit(&mut random) * k as f64) as Vote,
        };
        let vote = |accuracy: &f64| {
            if unit(&mut random) >= votes {
                ABSTAIN
            } else if unit(&mut random) < *accuracy {
                class
            } else {
                1 + (class - 1 + 1 + (unit(&mut random) * (k as f64 - 1.0)) as Vote) % k as Vote
            }
        };
        rows.push(accuracies.iter().map(vote).collect());
        truth.push(class);
    }
    Drawn { votes: numbered_votes(accuracies.len(), k, &rows), truth }
}

/// Ten rules of one class each, of which the first `wrong` fire on the other class.
fn rules(second: f64, wrong: usize, seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(2);
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..2_000 {
        let class: Vote = 1 + Vote::from(unit(&mut random) < second);
        let vote = |j: usize| {
            let own = 1 + (j % 2) as Vote;
            let fires = if (own == class) == (j >= wrong) { 0.4 } else { 0.05 };
            if unit(&mut random) < fires { own } else { ABSTAIN }
        };
        rows.push((0..10).map(vote).collect());
        truth.push(class);
    }
    Drawn { votes: numbered_votes(10, 2, &rows), truth }
}

/// One more vote for a class never lowers its probability, whatever the panel.
#[test]
fn one_more_vote_for_a_class_never_lowers_its_probability() {
    let several = [0.9, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55];
    let dense: Vec<f64> = (0..14).map(|j| 0.55 + 0.03 * f64::from(j)).collect();
    let tables = [
        panel(&several, 2, 1_500, 0.5, 0.3, 1),
        panel(&dense, 2, 1_500, 0.9, 0.5, 2),
        panel(&several, 4, 1_500, 0.6, 0.5, 3),
        panel(&several, 3, 1_500, 1.0, 0.5, 4),
        rules(0.3, 0, 5),
        shared_difficulty(0.6, 0.7, 6),
    ];
    for (number, drawn) in tables.iter().enumerate() {
        for dependence in [Dependence::Repeats, Dependence::Independent] {
            let fitted = fit(&drawn.votes, dependence, &FitOptions::default()).unwrap();
            let (n, k) = (drawn.votes.sources().len(), drawn.votes.classes().len());
            let mut random = Streams::new(7).stream(number as u64);
            let mut pairs = Vec::new();
            let mut classes = Vec::new();
            for _ in 0..400 {
                let j = (unit(&mut random) * n as f64) as usize;
                let domain = drawn.votes.domains()[j].classes();
                let vote = domain[(unit(&mut random) * domain.len() as f64) as usize];
                let share = unit(&mut random);
                let cast = |l: usize| {
                    let domain = drawn.votes.domains()[l].classes();
                    if l == j || unit(&mut random) > share {
                        ABSTAIN
                    } else {
                        domain[(unit(&mut random) * domain.len() as f64) as usize]
                    }
                };
                let before: Vec<Vote> = (0..n).map(cast).collect();
                let mut after = before.clone();
                after[j] = vote;
                pairs.extend([before, after]);
                classes.push(usize::from(vote) - 1);
            }
            let labels = infer(&fitted, &numbered_votes(n, k, &pairs)).unwrap();
            for (pair, &class) in classes.iter().enumerate() {
                let change = labels.item(2 * pair + 1)[class] - labels.item(2 * pair)[class];
                assert!(change > -1e-6, "table {number}, {:?}: {change}", &pairs[2 * pair..2 * pair + 2]);
            }
        }
    }
}

/// Votes that all agree: the more of them, the surer.
#[test]
fn confidence_grows_with_agreement() {
    let accuracies: Vec<f64> = (0..300).map(|j| 0.6 + 0.3 * f64::from(j) / 300.0).collect();
    let drawn = panel(&accuracies, 2, 1_000, 0.5, 0.5, 3);
    let fitted = default_of(&drawn.votes);
    let labels = infer(&fitted, &drawn.votes).unwrap();
    let confidence = (0..1_000).map(|i| labels.confidence(i)).sum::<f64>() / 1_000.0;
    assert!(confidence > 0.97, "{confidence}");
    let unanimous: Vec<Vec<Vote>> =
        (0..=300).map(|votes| (0..300).map(|j| Vote::from(j < votes)).collect()).collect();
    let labels = infer(&fitted, &numbered_votes(300, 2, &unanimous)).unwrap();
    assert!((1..=300).all(|votes| labels.item(votes)[0] > labels.item(votes - 1)[0] - 1e-9));
    assert!(labels.item(300)[0] > 0.99);
}

/// Where items differ in difficulty, labels are more honest than the share of the votes.
#[test]
fn shared_difficulty_is_seen() {
    for (signal, noise, most) in [(0.6, 0.7, 0.58), (0.6, 1.2, 0.565), (1.0, 0.7, 0.39)] {
        let (mut ours, mut share) = (0.0, 0.0);
        for seed in 0..4 {
            let drawn = shared_difficulty(signal, noise, seed);
            let fitted = default_of(&drawn.votes);
            assert_eq!(fitted.impression.as_ref().unwrap().link, ImpressionLink::Ogive);
            ours += loss(&drawn, &infer(&fitted, &drawn.votes).unwrap()) / 4.0;
            share += loss(&drawn, &majority_vote(&drawn.votes)) / 4.0;
        }
        assert!(ours < most && ours < share + 0.01, "{signal} {noise}: {ours}, share of votes {share}");
    }
}

/// Sources that the others show to be wrong count against their votes.
#[test]
fn sources_worse_than_chance_count_against_their_votes() {
    let mean = |of: &dyn Fn(u64) -> f64| (0..10).map(of).sum::<f64>() / 10.0;
    let right = |drawn: &Drawn| {
        let voted = |i: usize| drawn.votes.row_of_item(i).next().is_some();
        let gold: Vec<Vote> =
            drawn.truth.iter().enumerate().map(|(i, &y)| if voted(i) { y } else { ABSTAIN }).collect();
        accuracy(&decided(&labels_of(&drawn.votes)), &gold).unwrap()
    };
    let several = mean(&|seed| right(&panel(&[0.8, 0.75, 0.7, 0.7, 0.65, 0.2], 2, 2_000, 0.5, 0.5, seed)));
    let one_class = mean(&|seed| right(&rules(0.5, 2, seed)));
    assert!(several > 0.807, "{several}");
    assert!(one_class > 0.9, "{one_class}");
    let drawn = panel(&[0.8, 0.75, 0.7, 0.7, 0.65, 0.2], 2, 2_000, 0.5, 0.5, 0);
    let fitted = default_of(&drawn.votes);
    let weight = |j: usize| {
        let of_source =
            |factor: &&Factor| factor.dependency.name() == "accuracy" && factor.dependency.sources() == [j];
        fitted.model.factors().list().iter().find(of_source).unwrap().weight
    };
    assert!((0..5).all(|j| weight(j) > 0.1) && weight(5) < -0.1, "{} {}", weight(0), weight(5));
}

/// A class of one item in ten is found as well as by majority vote.
#[test]
fn rare_classes_are_found() {
    let f1 = |drawn: &Drawn, labels: &Labels| ClassScore::new(2, &decided(labels), &drawn.truth).unwrap().f1;
    let mut sums = [0.0; 4];
    for seed in 0..10 {
        let several = panel(&[0.9, 0.85, 0.8, 0.75, 0.7, 0.7], 2, 2_000, 0.5, 0.1, seed);
        let one_class = rules(0.1, 0, seed);
        sums[0] += f1(&several, &labels_of(&several.votes)) / 10.0;
        sums[1] += f1(&several, &majority_vote(&several.votes)) / 10.0;
        sums[2] += f1(&one_class, &labels_of(&one_class.votes)) / 10.0;
        sums[3] += f1(&one_class, &majority_vote(&one_class.votes)) / 10.0;
    }
    assert!(sums[0] > sums[1] && sums[2] > sums[3] - 0.01, "{sums:?}");
}
