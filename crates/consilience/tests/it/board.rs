//! Majority vote against the scores that the board of real data publishes for it, and our models beside it.
//!
//! The board lies outside the repository (`CONSILIENCE_DATA`, else `../shared/data`); without it, tests are skipped.

use std::path::Path;

use consilience::labels::{Labels, Ties, explain_source, infer, majority_vote};
use consilience::model::{DawidSkeneOptions, Dependence, FitOptions, fit, fit_dawid_skene};
use consilience::report::score::{ClassScore, accuracy, log_loss};
use consilience::rng::{Streams, unit};
use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};
use consilience_testing::real_tables;

/// Name, score in per cent, log loss, as the board's README has them.
const MAJORITY_VOTE: [(&str, f64, f64); 15] = [
    ("cdr", 68.6, 2.58),
    ("cdr33", 67.2, 1.83),
    ("commercial", 84.2, 0.36),
    ("crowd_bluebird", 75.9, 0.51),
    ("crowd_rte", 89.1, 0.35),
    ("crowd_web", 72.0, 0.87),
    ("imdb", 75.0, 2.93),
    ("llmbar_judges", 62.8, 0.69),
    ("llmbar_processed_judges", 78.1, 0.72),
    ("prompted_sms_aug", 76.3, 0.72),
    ("prompted_youtube", 84.4, 0.84),
    ("prompted_youtube_aug", 85.5, 0.82),
    ("sms", 79.0, 0.80),
    ("trec", 54.9, 5.28),
    ("youtube", 86.3, 0.74),
];

struct Set {
    votes: Votes,
    gold: Vec<Vote>,
    metric: String,
}

/// Class 0 of the files is class 1 here; an empty cell is unknown or abstains.
fn read_cell(text: &str) -> Vote {
    text.trim().parse().map_or(ABSTAIN, |class: Vote| class + 1)
}

fn read(folder: &Path) -> Set {
    let text = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let meta: serde_json::Value = serde_json::from_str(&text("meta.json")).unwrap();
    let votes = text("votes.csv");
    let mut lines = votes.lines();
    let names = lines.next().unwrap().split(',').map(str::to_string).collect();
    let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
    for line in lines {
        builder.push_dense(&line.split(',').map(read_cell).collect::<Vec<_>>()).unwrap();
    }
    let k = meta["classes"].as_u64().unwrap() as usize;
    Set {
        votes: builder.finish_as(Classes::numbered(k).unwrap()).unwrap(),
        gold: text("gold.csv").lines().skip(1).map(read_cell).collect(),
        metric: meta["metric"].as_str().unwrap().to_string(),
    }
}

/// Gold of the items that count: those with a vote.
fn gold_of_voted(set: &Set, labels: &Labels) -> Vec<Vote> {
    (0..labels.items()).map(|i| if labels.has_votes(i) { set.gold[i] } else { ABSTAIN }).collect()
}

/// Accuracy, or F1 of the second class, in per cent, with ties broken by `seed`.
fn score(set: &Set, labels: &Labels, seed: u64) -> f64 {
    let gold = gold_of_voted(set, labels);
    let decided: Vec<Vote> =
        (0..labels.items()).map(|i| labels.decide(i, Ties::Random(seed)).unwrap()).collect();
    let score = match set.metric.as_str() {
        "f1" => ClassScore::new(2, &decided, &gold).map(|score| score.f1),
        _ => accuracy(&decided, &gold),
    };
    100.0 * score.unwrap()
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is the result")]
fn majority_vote_scores_as_published() {
    let Some(board) = real_tables("majority_vote_scores_as_published") else { return };
    for (name, published_score, published_loss) in MAJORITY_VOTE {
        let set = read(&board.join(name));
        let labels = majority_vote(&set.votes);
        let scores: Vec<f64> = (0..20).map(|seed| score(&set, &labels, seed)).collect();
        let score = scores.iter().sum::<f64>() / scores.len() as f64;
        let spread = scores.iter().map(|s| (s - score).abs()).fold(0.0, f64::max);
        let probabilities = (0..labels.items()).map(|i| labels.item(i));
        let loss = log_loss(probabilities, &gold_of_voted(&set, &labels)).unwrap();
        println!("{name:24} {score:5.1} ±{spread:.1} {published_score:5.1}   {loss:.3} {published_loss:.2}");
        assert!(
            (loss - published_loss).abs() < 0.02,
            "{name}: log loss {loss:.3}, published {published_loss}"
        );
        // The published score is one draw of the ties.
        assert!(
            (score - published_score).abs() < 1.0 + spread,
            "{name}: score {score:.1}, published {published_score}"
        );
    }
}

/// Score and log loss of labels of a set; ties are broken at random, mean of 20 draws.
fn scored(set: &Set, labels: &Labels) -> (f64, f64) {
    let scores: Vec<f64> = (0..20).map(|seed| score(set, labels, seed)).collect();
    let probabilities = (0..labels.items()).map(|i| labels.item(i));
    let loss = log_loss(probabilities, &gold_of_voted(set, labels)).unwrap();
    (scores.iter().sum::<f64>() / scores.len() as f64, loss)
}

/// One setting for all sets, no gold in fitting: what the models must reach. Score / log loss of majority vote, the independent
/// model, the default one and Dawid and Skene's are printed.
#[test]
#[expect(clippy::print_stdout, reason = "the table is the result")]
fn models_reach_what_they_must_on_real_votes() {
    let Some(board) = real_tables("models_reach_what_they_must_on_real_votes") else { return };
    let mut sums = [(0.0, 0.0); 3];
    let mut as_sure = 0;
    println!("{:24} {:>14} {:>14} {:>14} {:>14}", "", "majority", "independent", "default", "Dawid-Skene");
    for (name, ..) in MAJORITY_VOTE {
        let set = read(&board.join(name));
        let options = FitOptions::default();
        let majority = scored(&set, &majority_vote(&set.votes));
        let fits = [
            fit(&set.votes, Dependence::Independent, &options).unwrap(),
            fit(&set.votes, Dependence::Repeats, &options).unwrap(),
            fit_dawid_skene(&set.votes, &DawidSkeneOptions::default(), |_| {}).unwrap(),
        ];
        let results = fits.map(|fitted| scored(&set, &infer(&fitted, &set.votes).unwrap()));
        print!("{name:24} {:6.1} / {:5.3}", majority.0, majority.1);
        for ((score, loss), sum) in results.iter().zip(&mut sums) {
            print!(" {score:6.1} / {loss:5.3}");
            (sum.0, sum.1) = (sum.0 + score / 15.0, sum.1 + loss / 15.0);
        }
        println!();
        let [independent, default, _] = results;
        assert!(default.0 > majority.0 - 2.0, "{name}: {:.1}, majority vote {:.1}", default.0, majority.0);
        assert!(
            default.0 > independent.0 - 1.5,
            "{name}: {:.1}, independent {:.1}",
            default.0,
            independent.0
        );
        as_sure += usize::from(default.1 < independent.1 + 0.01);
    }
    for (name, sum) in ["independent", "default", "Dawid-Skene"].iter().zip(sums) {
        println!("{name:24} {:6.2} / {:5.3}", sum.0, sum.1);
    }
    let [independent, default, _] = sums;
    // What is asked for is 80.0 and 0.50; the rest is what was reached, with a little room.
    assert!(default.0 > 81.0 && default.1 < 0.44, "default: {default:?}");
    assert!(independent.0 > 79.9 && independent.1 < 0.48, "independent: {independent:?}");
    assert!(default.0 > independent.0 + 1.0 && default.1 < independent.1, "{default:?}, {independent:?}");
    assert!(as_sure >= 13, "log loss as good as the independent model's on {as_sure} of 15 sets");
}

/// Chemical-Disease, fitted on the training items and scored on the test items: counting repeated votes once is worth a point
/// of F1 or more.
#[test]
#[expect(clippy::print_stdout, reason = "the figures are the result")]
fn structure_pays_on_new_items_of_chemical_disease() {
    let Some(board) = real_tables("structure_pays_on_new_items_of_chemical_disease") else { return };
    let set = read(&board.join("cdr"));
    let split = std::fs::read_to_string(board.join("cdr/split.csv")).unwrap();
    let part: Vec<&str> = split.lines().skip(1).map(str::trim).collect();
    let votes_of = |wanted: &str| {
        let mut builder = VotesBuilder::new(set.votes.sources().clone());
        for i in (0..set.votes.items()).filter(|&i| part[i] == wanted) {
            let row: Vec<(u32, Vote)> = set.votes.row_of_item(i).map(|(j, vote)| (j as u32, vote)).collect();
            builder.push(&row).unwrap();
        }
        builder.finish_as(set.votes.classes().clone()).unwrap()
    };
    let gold = (0..part.len()).filter(|&i| part[i] == "test").map(|i| set.gold[i]).collect();
    let (train, test) =
        (votes_of("train"), Set { votes: votes_of("test"), gold, metric: set.metric.clone() });
    let of = |dependence: Dependence<'_>| {
        let fitted = fit(&train, dependence, &FitOptions::default()).unwrap();
        scored(&test, &infer(&fitted, &test.votes).unwrap())
    };
    let (independent, default) = (of(Dependence::Independent), of(Dependence::Repeats));
    println!("F1 / log loss on the test items: independent {independent:.2?}, default {default:.2?}");
    assert!(default.0 > independent.0 + 1.0, "{default:?}, independent {independent:?}");
}

/// The sources of a set and `copies` of a coin that votes on every item.
fn with_coins(votes: &Votes, copies: usize, seed: u64) -> Votes {
    let mut names = votes.sources().names().to_vec();
    names.extend((0..copies).map(|copy| format!("coin {copy}")));
    let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
    let mut rng = Streams::new(seed).stream(0);
    for i in 0..votes.items() {
        let mut row: Vec<(u32, Vote)> = votes.row_of_item(i).map(|(j, vote)| (j as u32, vote)).collect();
        let coin: Vote = if unit(&mut rng) < 0.5 { 1 } else { 2 };
        row.extend((0..copies).map(|copy| ((votes.sources().len() + copy) as u32, coin)));
        builder.push(&row).unwrap();
    }
    builder.finish_as(votes.classes().clone()).unwrap()
}

/// Figure 5 of the paper: copies of a coin among the sources are seen through, and the labels of the items that other sources
/// vote on stay as good as they were.
#[test]
#[expect(clippy::print_stdout, reason = "the table is the result")]
fn copies_of_a_coin_do_not_spoil_real_votes() {
    let Some(board) = real_tables("copies_of_a_coin_do_not_spoil_real_votes") else { return };
    let set = read(&board.join("cdr"));
    let voted = |i: usize| set.votes.row_of_item(i).next().is_some();
    let gold: Vec<Vote> =
        set.gold.iter().enumerate().map(|(i, &g)| if voted(i) { g } else { ABSTAIN }).collect();
    for seed in 0..5 {
        print!("seed {seed}:");
        let mut without = 0.0;
        for copies in 0..=5 {
            let votes = with_coins(&set.votes, copies, seed);
            let fitted = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
            let labels = infer(&fitted, &votes).unwrap();
            let f1 = |seed: u64| {
                let decided: Vec<Vote> =
                    (0..labels.items()).map(|i| labels.decide(i, Ties::Random(seed)).unwrap()).collect();
                100.0 * ClassScore::new(2, &decided, &gold).unwrap().f1
            };
            let score = (0..20).map(f1).sum::<f64>() / 20.0;
            let accuracy = |copy: usize| {
                explain_source(&fitted, &votes, &format!("coin {copy}")).unwrap().accuracy.unwrap()
            };
            let estimated = (0..copies).map(accuracy).fold(0.0, f64::max);
            print!("  {score:.2} ({estimated:.3})");
            if copies == 0 {
                without = score;
            }
            assert!(score > without - 0.05, "{copies} copies: F1 {score:.2}, {without:.2} without");
            assert!(estimated <= 0.53, "{copies} copies: accuracy {estimated}");
        }
        println!();
    }
}
