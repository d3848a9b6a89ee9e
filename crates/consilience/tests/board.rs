//! Majority vote against the scores that the board of real data publishes for it, and our models beside it.
//!
//! The board lies outside the repository (`CONSILIENCE_DATA`, else `../shared/data`); without it, the test says so and
//! passes.

use std::path::{Path, PathBuf};

use consilience::labels::{Labels, Ties, infer, majority_vote};
use consilience::model::{DawidSkeneOptions, Dependence, FitOptions, Fitted, fit, fit_dawid_skene};
use consilience::report::score::{ClassScore, accuracy, log_loss};
use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};

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

fn board() -> Option<PathBuf> {
    let folder = std::env::var_os("CONSILIENCE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    folder.is_dir().then_some(folder)
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
#[expect(clippy::print_stdout, reason = "says why nothing was tested")]
fn majority_vote_scores_as_published() {
    let Some(board) = board() else {
        println!("skipped: no data board; set CONSILIENCE_DATA to its folder");
        return;
    };
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

/// Score and log loss of a model on a set.
fn judged(set: &Set, fitted: &Fitted) -> (f64, f64) {
    let labels = infer(fitted, &set.votes).unwrap().0;
    let scores: Vec<f64> = (0..5).map(|seed| score(set, &labels, seed)).collect();
    let probabilities = (0..labels.items()).map(|i| labels.item(i));
    let loss = log_loss(probabilities, &gold_of_voted(set, &labels)).unwrap();
    (scores.iter().sum::<f64>() / scores.len() as f64, loss)
}

/// One setting for all sets, no gold in fitting: the averages that the models reached when they were written, with a
/// little room, and beside them majority vote's.
#[test]
#[expect(clippy::print_stdout, reason = "the table is the result")]
fn models_reach_what_they_reached_on_real_votes() {
    let Some(board) = board() else {
        println!("skipped: no data board; set CONSILIENCE_DATA to its folder");
        return;
    };
    let mut sums = [(0.0, 0.0); 3];
    println!("{:24} {:>14} {:>14} {:>14} {:>14}", "", "majority", "independent", "repeats", "Dawid-Skene");
    for (name, majority, majority_loss) in MAJORITY_VOTE {
        let set = read(&board.join(name));
        let options = FitOptions::default();
        let fits = [
            fit(&set.votes, Dependence::Independent, &options).unwrap(),
            fit(&set.votes, Dependence::Repeats, &options).unwrap(),
            fit_dawid_skene(&set.votes, &DawidSkeneOptions::default(), |_| {}).unwrap(),
        ];
        print!("{name:24} {majority:6.1} / {majority_loss:5.3}");
        for (fitted, sum) in fits.iter().zip(&mut sums) {
            let (score, loss) = judged(&set, fitted);
            print!(" {score:6.1} / {loss:5.3}");
            (sum.0, sum.1) = (sum.0 + score / 15.0, sum.1 + loss / 15.0);
        }
        println!();
    }
    for (name, sum) in ["independent", "repeats", "Dawid-Skene"].iter().zip(sums) {
        println!("{name:24} {:6.2} / {:5.3}", sum.0, sum.1);
    }
    assert!(sums[0].0 > 79.9 && sums[0].1 < 0.48, "independent: {:?}", sums[0]);
    assert!(sums[1].0 > 81.0 && sums[1].1 < 0.44, "repeats: {:?}", sums[1]);
}
