//! Panels in which sources copy each other: labels are held against those of an oracle that knows who copies whom.

use consilience::labels::{Labels, Ties, effective_votes, infer, majority_vote};
use consilience::model::{Dependence, FitOptions, default_structure, fit};
use consilience::report::score::log_loss;
use consilience::rng::{Streams, unit};
use consilience::sources::{Classes, Sources, Vote};
use consilience::structure::{ExactOptions, fit_exact};
use consilience::votes::{Votes, VotesBuilder};

/// 10 sources of which six are one coin flip copied, 10,000 items, propensity 0.3: the labels are as good as those of the
/// oracle that knows the accuracies and counts the copies once. Also where copies agree with the coin in 95% or 80% of their
/// votes only, and where the coin is itself no source. Over several draws; `examples/panels.rs` has more of them.
#[test]
fn copies_of_a_coin_count_once() {
    for (seed, noise, hidden) in
        [(5, 0.0, false), (6, 0.05, false), (7, 0.2, false), (8, 0.05, true), (9, 0.2, true), (10, 0.2, true)]
    {
        let Coins { votes, truth, oracle } = coins(10_000, seed, noise, hidden);
        let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
        let labels = infer(&fitted, &votes).unwrap();
        let right = |decided: &dyn Fn(usize) -> f64| (0..votes.items()).map(decided).sum::<f64>() / 10_000.0;
        let ours = right(&|i| match labels.decide(i, Ties::Empty) {
            Some(label) => f64::from(u8::from(label == truth[i])),
            None => 0.5,
        });
        let best = right(&|i| oracle[i]);
        let panel = format!("seed {seed}, noise {noise}, hidden {hidden}");
        assert!(ours > best - 0.01, "{panel}: {ours}, the oracle {best}");
        assert!(effective_votes(&fitted).unwrap() < 6.5, "{panel}: {:?}", fitted.shares);
    }
}

/// Five sources that turn a coin's vote round in one of five cases leave no reading of the class that all problems agree on: the
/// rounds end soon, and the sources whose accuracies still move are marked.
#[test]
fn noisy_copies_of_a_coin_end_soon() {
    let votes = coins(10_000, 7, 0.2, false).votes;
    let fitted = fit_exact(&votes, &ExactOptions::default()).unwrap();
    assert!(fitted.passes < 1_500, "{} passes in {} rounds", fitted.passes, fitted.rounds);
    let unsettled: Vec<usize> =
        fitted.sources.iter().filter(|fit| !fit.converged).map(|fit| fit.source).collect();
    assert!((5..10).all(|copy| unsettled.contains(&copy)), "{unsettled:?}");
}

struct Coins {
    votes: Votes,
    truth: Vec<Vote>,
    /// How right one is on each item who knows the accuracies and leaves the coins out; a half where that says nothing.
    oracle: Vec<f64>,
}

/// Four sources with accuracies of 0.55 to 0.85, a coin, and five that copy it, each vote flipped with probability `noise`;
/// where the coin is `hidden`, there is a sixth copy in its place.
fn coins(items: usize, seed: u64, noise: f64, hidden: bool) -> Coins {
    let mut rng = Streams::new(seed).stream(0);
    let accuracies = [0.6, 0.67, 0.74, 0.81];
    let mut builder = VotesBuilder::new(Sources::numbered(10).unwrap());
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
                score += if row[j] == y { odds.ln() } else { -odds.ln() };
            }
        }
        if flip(0.3) {
            let coin: Vote = if flip(0.5) { 1 } else { 2 };
            let copies = if hidden { 4 } else { 5 };
            row[4] = coin;
            row[copies..].iter_mut().for_each(|vote| *vote = if flip(noise) { 3 - coin } else { coin });
        }
        oracle.push(if score > 0.0 {
            1.0
        } else if score < 0.0 {
            0.0
        } else {
            0.5
        });
        truth.push(y);
        builder.push_dense(&row).unwrap();
    }
    Coins { votes: builder.finish_as(Classes::numbered(2).unwrap()).unwrap(), truth, oracle }
}

/// A coin that votes on every item, and its copies, change no label: what is surely useless takes no part.
#[test]
fn coins_change_no_label() {
    let plain = coins(4_000, 3, 0.0, false).votes;
    let build = |copies: usize| {
        let mut builder = VotesBuilder::new(Sources::numbered(4 + copies).unwrap());
        let mut rng = Streams::new(77).stream(0);
        for i in 0..plain.items() {
            let mut row: Vec<(u32, Vote)> =
                plain.row_of_item(i).filter(|&(j, _)| j < 4).map(|(j, vote)| (j as u32, vote)).collect();
            let coin: Vote = if unit(&mut rng) < 0.5 { 1 } else { 2 };
            row.extend((0..copies as u32).map(|copy| (4 + copy, coin)));
            builder.push(&row).unwrap();
        }
        builder.finish_as(Classes::numbered(2).unwrap()).unwrap()
    };
    let decided = |copies: usize| {
        let votes = build(copies);
        let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
        let labels = infer(&fitted, &votes).unwrap();
        (0..votes.items()).map(|i| labels.decide(i, Ties::Empty)).collect::<Vec<_>>()
    };
    let without = decided(0);
    for copies in [1, 5] {
        let with = decided(copies);
        // Where the others tie or nobody else votes, the coin may decide.
        let changed =
            without.iter().zip(&with).filter(|(before, after)| before.is_some() && before != after).count();
        assert_eq!(changed, 0, "{copies} copies");
    }
}

/// 100 sources of which five more copy one, in all of their votes or in 80%: the labels are as good as the oracle's.
#[test]
fn copies_among_a_hundred_count_once() {
    let mut rng = Streams::new(8).stream(0);
    let accuracies: Vec<f64> = (0..100).map(|_| 0.55 + 0.3 * unit(&mut rng)).collect();
    for noise in [0.0, 0.2] {
        let mut builder = VotesBuilder::new(Sources::numbered(105).unwrap());
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
        let labels = infer(&fitted, &votes).unwrap();
        let right = (0..10_000).filter(|&i| labels.decide(i, Ties::First) == Some(truth[i])).count();
        // 0.002 of the items, as the oracle's own draw has it.
        assert!(right + 20 >= oracle, "copies with noise {noise}: {right}, the oracle {oracle}");
    }
}

/// Who repeats whom, and the labels that follow, are the same to the last bit for any number of threads.
#[test]
fn repeats_do_not_follow_the_threads() {
    let votes = coins(3_000, 5, 0.2, false).votes;
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap())
    };
    let (one, three) = (run(1), run(3));
    assert!(one.shares.iter().any(|&share| share < 0.5));
    assert_eq!(one, three);
}

/// A source and its mirror image, which always says the opposite, count as one source: labels are as sure as without the image.
#[test]
fn mirror_images_count_once() {
    let accuracies = [0.9, 0.7, 0.65, 0.6, 0.7];
    let build = |mirrored: bool| {
        let mut rng = Streams::new(3).stream(0);
        let mut builder = VotesBuilder::new(Sources::numbered(5 + usize::from(mirrored)).unwrap());
        for _ in 0..4_000 {
            let y: Vote = if unit(&mut rng) < 0.5 { 1 } else { 2 };
            let mut row: Vec<Vote> =
                accuracies.iter().map(|&a| if unit(&mut rng) < a { y } else { 3 - y }).collect();
            if mirrored {
                row.push(3 - row[0]);
            }
            builder.push_dense(&row).unwrap();
        }
        builder.finish_as(Classes::numbered(2).unwrap()).unwrap()
    };
    let labels = |mirrored: bool| {
        let votes = build(mirrored);
        let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
        assert!(fitted.shares.iter().sum::<f64>() < 5.01, "{:?}", fitted.shares);
        infer(&fitted, &votes).unwrap()
    };
    let (without, with) = (labels(false), labels(true));
    let apart = (0..4_000).map(|i| (without.item(i)[0] - with.item(i)[0]).abs()).fold(0.0, f64::max);
    assert!(apart < 0.05, "{apart}");
}

/// Judges with these accuracies that vote on all of `items`; the first `family` of them cast, on a share `followed` of the items, one
/// common vote that is right with probability `right`. Also the true classes.
fn judges(
    accuracies: &[f64],
    k: Vote,
    items: usize,
    (family, followed, right): (usize, f64, f64),
    seed: u64,
) -> (Votes, Vec<Vote>) {
    let mut rng = Streams::new(seed).stream(0);
    let mut builder = VotesBuilder::new(Sources::numbered(accuracies.len()).unwrap());
    let mut truth = Vec::new();
    for _ in 0..items {
        let class = |rng: &mut _, classes: Vote| (unit(rng) * f64::from(classes)) as Vote;
        let y = 1 + class(&mut rng, k);
        let mut says = |right: f64| {
            if unit(&mut rng) < right { y } else { 1 + (y + class(&mut rng, k - 1)) % k }
        };
        let common = says(right);
        let own: Vec<Vote> = accuracies.iter().map(|&accuracy| says(accuracy)).collect();
        let follows = |j: usize, rng: &mut _| j < family && unit(rng) < followed;
        let row: Vec<Vote> =
            own.iter().enumerate().map(|(j, &own)| if follows(j, &mut rng) { common } else { own }).collect();
        builder.push_dense(&row).unwrap();
        truth.push(y);
    }
    (builder.finish_as(Classes::numbered(usize::from(k)).unwrap()).unwrap(), truth)
}

fn loss(labels: &Labels, truth: &[Vote]) -> f64 {
    log_loss((0..labels.items()).map(|i| labels.item(i)), truth).unwrap()
}

/// Four of ten judges, and ten of 23, are prompts of one model: what it says is not taken for the truth, although they agree with each
/// other more than any others do.
#[test]
fn a_family_of_judges_is_not_the_truth() {
    let accuracy = |j: usize| 0.6 + 0.3 * (j * 7 % 10) as f64 / 10.0;
    for (n, k, family) in [(10, 2, (4, 0.8, 0.6)), (17, 3, (7, 0.85, 0.55)), (23, 3, (10, 0.9, 0.6))] {
        for seed in 0..3 {
            let accuracies: Vec<f64> = (0..n).map(accuracy).collect();
            let (votes, truth) = judges(&accuracies, k, 1_500, family, seed);
            let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
            let (ours, share) =
                (loss(&infer(&fitted, &votes).unwrap(), &truth), loss(&majority_vote(&votes), &truth));
            assert!(ours < share - 0.1, "{n} judges, seed {seed}: {ours} and the share of the votes {share}");
            let (inside, outside) = fitted.shares.split_at(family.0);
            assert!(inside.iter().all(|&share| share < 0.6), "{:?}", fitted.shares);
            assert!(outside.iter().all(|&share| share > 0.6), "{:?}", fitted.shares);
        }
    }
}

/// With three to five judges nobody can tell which of them repeat others: labels are as honest as the share of the votes.
#[test]
fn labels_of_a_few_judges_are_honest() {
    let mut sums = [0.0; 2];
    for (accuracies, followed) in
        [(&[0.8, 0.75, 0.7, 0.65][..], 0.9), (&[0.7, 0.65, 0.6], 0.8), (&[0.75, 0.7, 0.65, 0.85, 0.6], 0.85)]
    {
        for seed in 0..3 {
            let (votes, truth) = judges(accuracies, 2, 2_000, (2, followed, 0.7), seed);
            let of = |dependence: Dependence<'_>| {
                let fitted = fit(&votes, dependence, &FitOptions::default()).unwrap();
                loss(&infer(&fitted, &votes).unwrap(), &truth)
            };
            let (ours, independent) = (of(Dependence::Repeats), of(Dependence::Independent));
            let share = loss(&majority_vote(&votes), &truth);
            assert!(
                ours < share + 0.01,
                "{accuracies:?}, seed {seed}: {ours} and the share of the votes {share}"
            );
            sums = [sums[0] + ours, sums[1] + independent];
        }
    }
    assert!(sums[0] < 0.9 * sums[1], "{sums:?}");
}

/// Of four judges that agree two by two, either pair may be the one that is right: none counts as an echo.
#[test]
fn a_pair_among_four_judges_is_no_echo() {
    let mut rng = Streams::new(1).stream(0);
    let mut builder = VotesBuilder::new(Sources::numbered(4).unwrap());
    for _ in 0..1_000 {
        let [mut a, mut b] = [unit(&mut rng) < 0.5, unit(&mut rng) < 0.5];
        let mut says = |said: &mut bool, right: f64| 1 + Vote::from(*said == (unit(&mut rng) < right));
        builder
            .push_dense(&[says(&mut a, 0.95), says(&mut a, 0.95), says(&mut b, 0.7), says(&mut b, 0.7)])
            .unwrap();
    }
    let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
    let structure = default_structure(&votes).unwrap();
    assert_eq!(structure.repetitions.unwrap().once, Vec::<Vec<usize>>::new());
}

/// Three of ten judges follow a weak one on half of the items: their group is not taken for the truth.
#[test]
fn a_judge_with_followers_is_not_the_truth() {
    let mut rng = Streams::new(3).stream(0);
    let mut builder = VotesBuilder::new(Sources::numbered(10).unwrap());
    let mut truth = Vec::new();
    for _ in 0..2_000 {
        let mut flip = |p: f64| unit(&mut rng) < p;
        let y: Vote = if flip(0.5) { 1 } else { 2 };
        let leader = if flip(0.62) { y } else { 3 - y };
        let mut row = vec![leader];
        for judge in 1..10 {
            let own = if flip(0.66 + 0.02 * f64::from(judge % 8)) { y } else { 3 - y };
            row.push(if judge <= 3 && flip(0.5) { leader } else { own });
        }
        builder.push_dense(&row).unwrap();
        truth.push(y);
    }
    let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
    let right = |labels: &Labels| {
        let is_right = |i: &usize| labels.decide(*i, Ties::First) == Some(truth[*i]);
        (0..truth.len()).filter(is_right).count() as f64 / truth.len() as f64
    };
    let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
    let (ours, majority) = (right(&infer(&fitted, &votes).unwrap()), right(&majority_vote(&votes)));
    assert!(ours > majority + 0.03, "{ours} and by majority {majority}");
}
