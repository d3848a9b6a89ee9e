//! Answers correct a fitted model: nothing from none, class shares from a few, supervised training from thousands.

use consilience::answers::{Answers, sample};
use consilience::labels::{Labels, Ties, Verdict, correct, held_out, infer};
use consilience::model::{CorrectionPriors, Dependence, FitOptions, Fitted, fit};
use consilience::report::score::{accuracy, log_loss};
use consilience::rng::{Streams, unit};
use consilience::sources::{ABSTAIN, Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};

/// Items of two classes, the second with this share; each source is right with its accuracy and votes on 60% of the items.
fn table(items: usize, share: f64, accuracies: &[f64], seed: u64) -> (Votes, Vec<Vote>) {
    let mut builder = VotesBuilder::new(Sources::numbered(accuracies.len()).unwrap());
    let mut rng = Streams::new(seed).stream(0);
    let mut truth = Vec::new();
    for _ in 0..items {
        let class = 1 + Vote::from(unit(&mut rng) < share);
        let mut row = Vec::new();
        for (j, &accuracy) in (0u32..).zip(accuracies) {
            let (votes, right) = (unit(&mut rng) < 0.6, unit(&mut rng) < accuracy);
            if votes {
                row.push((j, if right { class } else { 3 - class }));
            }
        }
        builder.push(&row).unwrap();
        truth.push(class);
    }
    (builder.finish_as(Classes::numbered(2).unwrap()).unwrap(), truth)
}

fn fitted(votes: &Votes) -> Fitted {
    fit(votes, Dependence::Repeats, &FitOptions::default()).unwrap()
}

fn answers(votes: &Votes, truth: &[Vote], count: usize, seed: u64) -> Answers {
    let mut of_item = vec![ABSTAIN; votes.items()];
    for i in sample(votes.items(), count, seed) {
        of_item[i] = truth[i];
    }
    Answers::new(of_item, votes.items(), votes.classes()).unwrap()
}

/// Accuracy and log loss of the items that are not answered.
fn scored(labels: &Labels, truth: &[Vote], answers: &Answers) -> (f64, f64) {
    let gold: Vec<Vote> =
        (0..truth.len()).map(|i| if answers.of_items()[i] == ABSTAIN { truth[i] } else { ABSTAIN }).collect();
    let decided: Vec<Vote> =
        (0..truth.len()).map(|i| labels.decide(i, Ties::First).unwrap_or(ABSTAIN)).collect();
    let rows = (0..truth.len()).map(|i| labels.item(i));
    (accuracy(&decided, &gold).unwrap(), log_loss(rows, &gold).unwrap())
}

fn corrected(fitted: &Fitted, votes: &Votes, answers: &Answers) -> Fitted {
    correct(fitted, votes, answers, CorrectionPriors::default()).unwrap().fitted
}

#[test]
fn no_answers_change_nothing() {
    let (votes, truth) = table(500, 0.4, &[0.8, 0.7, 0.6], 1);
    let fitted = fitted(&votes);
    let none = answers(&votes, &truth, 0, 1);
    assert_eq!(corrected(&fitted, &votes, &none), fitted);
    let labels = infer(&fitted, &votes).unwrap();
    assert_eq!(labels.clone().with_answers(&none), labels);
    assert!(held_out(&fitted, &votes, &none, CorrectionPriors::default()).unwrap().items.is_empty());
}

/// Votes cannot tell that 8% of the items are of the second class; fifty answers can.
#[test]
fn a_few_answers_teach_the_class_shares() {
    let (votes, truth) = table(4000, 0.08, &[0.75, 0.7, 0.7, 0.65], 2);
    let fitted = fitted(&votes);
    let (before, loss_before) =
        scored(&infer(&fitted, &votes).unwrap(), &truth, &answers(&votes, &truth, 0, 0));
    let (mut after, mut loss_after) = (0.0, 0.0);
    for seed in 0..10 {
        let given = answers(&votes, &truth, 50, seed);
        let taught = corrected(&fitted, &votes, &given);
        let labels = infer(&taught, &votes).unwrap();
        assert_eq!(infer(&fitted, &votes).unwrap().corrected(&taught, &votes).unwrap(), labels);
        let (accuracy, loss) = scored(&labels, &truth, &given);
        (after, loss_after) = (after + accuracy / 10.0, loss_after + loss / 10.0);
    }
    assert!(after > before + 0.05 && after > 0.92, "{before} {after}");
    assert!(loss_after < 0.8 * loss_before, "{loss_before} {loss_after}");
}

/// With thousands of answers the labels are those of the true model, whatever the votes alone suggested: here one source is
/// the opposite of what it says, and the classes are far from even.
#[test]
fn thousands_of_answers_are_supervised_training() {
    let accuracies = [0.8, 0.7, 0.15, 0.6];
    let (votes, truth) = table(20_000, 0.25, &accuracies, 3);
    let fitted = fitted(&votes);
    let given = answers(&votes, &truth, 10_000, 1);
    let labels = infer(&corrected(&fitted, &votes, &given), &votes).unwrap();
    let (found, loss) = scored(&labels, &truth, &given);
    // The posterior of the true model, by hand.
    let oracle: Vec<[f64; 2]> = (0..votes.items())
        .map(|i| {
            let mut odds = (0.25f64 / 0.75).ln();
            for (j, vote) in votes.row_of_item(i) {
                let weight = (accuracies[j] / (1.0 - accuracies[j])).ln();
                odds += if vote == 2 { weight } else { -weight };
            }
            let p = 1.0 / (1.0 + (-odds).exp());
            [1.0 - p, p]
        })
        .collect();
    let rest: Vec<Vote> =
        (0..truth.len()).map(|i| if given.of_items()[i] == ABSTAIN { truth[i] } else { ABSTAIN }).collect();
    let decided: Vec<Vote> = oracle.iter().map(|p| 1 + Vote::from(p[1] > 0.5)).collect();
    let best = log_loss(oracle.iter().map(<[f64; 2]>::as_slice), &rest).unwrap();
    assert!(loss < best + 0.003, "{loss} {best}");
    assert!(found > accuracy(&decided, &rest).unwrap() - 0.003, "{found}");
}

#[test]
fn answered_items_are_labelled_by_their_answers() {
    let (votes, truth) = table(300, 0.4, &[0.8, 0.7, 0.6], 4);
    let fitted = fitted(&votes);
    // Wrong on purpose, and one of them on an item without votes.
    let silent = (0..300).find(|&i| votes.row_of_item(i).next().is_none()).unwrap();
    let mut of_item = vec![ABSTAIN; 300];
    for i in [5, 17, silent] {
        of_item[i] = 3 - truth[i];
    }
    let given = Answers::new(of_item, 300, votes.classes()).unwrap();
    let plain = infer(&fitted, &votes).unwrap();
    let labels = plain.clone().with_answers(&given);
    for i in 0..300 {
        let expected =
            if given.of_items()[i] == ABSTAIN { plain.decide(i, Ties::Empty) } else { Some(3 - truth[i]) };
        assert_eq!(labels.decide(i, Ties::Empty), expected, "{i}");
    }
    assert!((labels.confidence(silent) - 1.0).abs() < 1e-15 && labels.has_votes(silent));
}

/// Items without votes can have other class shares than the rest: answers to them leave the labels of items with votes alone, and
/// are all that these shares follow.
#[test]
fn answers_to_items_without_votes_change_no_other_label() {
    let (votes, truth) = table(800, 0.4, &[0.8, 0.7, 0.6], 5);
    let fitted = fitted(&votes);
    let has_votes = |i: usize| votes.row_of_item(i).next().is_some();
    let given = |also_without: bool| -> Answers {
        let answer = |i: usize| match (has_votes(i), i < 200) {
            (true, true) => truth[i],
            // All of one class, which would pull every label towards it.
            (false, _) if also_without => 2,
            _ => ABSTAIN,
        };
        Answers::new((0..votes.items()).map(answer).collect(), votes.items(), votes.classes()).unwrap()
    };
    let (voted, all) = (given(false), given(true));
    assert!(all.len() > voted.len() + 30);
    let labels = |answers: &Answers| infer(&corrected(&fitted, &votes, answers), &votes).unwrap();
    let (by_voted, by_all) = (labels(&voted), labels(&all));
    for i in (0..votes.items()).filter(|&i| has_votes(i)) {
        assert_eq!(by_voted.item(i), by_all.item(i), "item {i}");
    }
    let silent: Vec<usize> = (0..votes.items()).filter(|&i| !has_votes(i)).collect();
    let counted = silent.len() as f64;
    for &i in &silent {
        assert!(by_voted.item(i)[1] < 0.8, "{:?}", by_voted.item(i));
        let least = counted / (counted + 2.0);
        assert!((least..1.0).contains(&by_all.item(i)[1]), "{:?}", by_all.item(i));
        assert_eq!(by_all.decide(i, Ties::Empty), None);
    }
    // Without any answer to an item with votes, nothing else is learned, and every answer is still predicted.
    let only = (0..votes.items()).map(|i| if has_votes(i) { ABSTAIN } else { truth[i] }).collect();
    let only = Answers::new(only, votes.items(), votes.classes()).unwrap();
    let labels = infer(&corrected(&fitted, &votes, &only), &votes).unwrap();
    let uncorrected = infer(&fitted, &votes).unwrap();
    for i in (0..votes.items()).filter(|&i| has_votes(i)) {
        assert!((labels.item(i)[1] - uncorrected.item(i)[1]).abs() < 1e-6, "item {i}");
    }
    let second = silent.iter().filter(|&&i| truth[i] == 2).count() as f64;
    let expected = (second + 2.0 * uncorrected.item(silent[0])[1]) / (counted + 2.0);
    assert!((labels.item(silent[0])[1] - expected).abs() < 1e-6);
    // An answer that is held out does not count, so the predictions lean the other way.
    let predicted = held_out(&fitted, &votes, &only, CorrectionPriors::default()).unwrap();
    assert_eq!(predicted.rows().count(), only.len());
    let mean = |class: Vote| {
        let of_class: Vec<f64> =
            predicted.rows().filter(|&(i, _)| truth[i] == class).map(|(_, p)| p[1]).collect();
        of_class.iter().sum::<f64>() / of_class.len() as f64
    };
    assert!(mean(2) < mean(1), "{} and {}", mean(2), mean(1));
}

/// The label of an item that is held out does not depend on its own answer.
#[test]
fn held_out_answers_are_not_seen() {
    let (votes, truth) = table(400, 0.4, &[0.8, 0.7, 0.6, 0.7], 5);
    let fitted = fitted(&votes);
    let given = answers(&votes, &truth, 60, 2);
    let priors = CorrectionPriors::default();
    let before = held_out(&fitted, &votes, &given, priors).unwrap();
    assert_eq!(before.items.len(), 60);
    for place in [0, 7, 59] {
        let item = before.items[place];
        let mut of_item = given.of_items().to_vec();
        of_item[item] = 3 - of_item[item];
        let changed = Answers::new(of_item, 400, votes.classes()).unwrap();
        let after = held_out(&fitted, &votes, &changed, priors).unwrap();
        let row = |held: &consilience::labels::HeldOut| held.probabilities[2 * place..2 * place + 2].to_vec();
        assert_eq!(row(&before), row(&after));
        assert_ne!(before.probabilities, after.probabilities);
    }
}

#[test]
fn sources_at_or_below_chance_are_found() {
    let (votes, truth) = table(2000, 0.5, &[0.85, 0.8, 0.8, 0.2], 6);
    let given = answers(&votes, &truth, 200, 1);
    let found = correct(&fitted(&votes), &votes, &given, CorrectionPriors::default()).unwrap();
    let checked: Vec<(usize, Verdict)> = found.checked.iter().map(|c| (c.source, c.verdict)).collect();
    assert_eq!(checked, [(3, Verdict::Worse)]);
    // Answers of one class say nothing of chance.
    let first: Vec<Vote> =
        given.of_items().iter().map(|&answer| if answer == 1 { 1 } else { ABSTAIN }).collect();
    let given = Answers::new(first, votes.items(), votes.classes()).unwrap();
    let found = correct(&fitted(&votes), &votes, &given, CorrectionPriors::default()).unwrap();
    assert!(found.checked.is_empty() && found.notes.len() == 1, "{:?} {:?}", found.checked, found.notes);
}

/// Twenty-five answers contradict the model's class shares, and the priors give way: with the narrow ones far less is learned.
#[test]
fn contradicted_models_learn_more() {
    let (votes, truth) = table(4000, 0.06, &[0.75, 0.7, 0.7, 0.65], 2);
    let fitted = fitted(&votes);
    let loss = |priors: CorrectionPriors| {
        let of_draw = |seed: u64| {
            let given = answers(&votes, &truth, 25, seed);
            let taught = correct(&fitted, &votes, &given, priors).unwrap().fitted;
            scored(&infer(&taught, &votes).unwrap(), &truth, &given).1
        };
        (0..10).map(of_draw).sum::<f64>() / 10.0
    };
    let wide = loss(CorrectionPriors::default());
    let narrow = loss(CorrectionPriors::default().with_wider_where_contradicted(false));
    assert!(wide < 0.9 * narrow, "{wide} {narrow}");
}

/// A table whose columns and classes are numbered otherwise than in the model gets the same correction.
#[test]
fn corrections_go_by_name() {
    let (votes, truth) = table(400, 0.3, &[0.8, 0.7, 0.6], 7);
    let fitted = fitted(&votes);
    let mut builder = VotesBuilder::new(Sources::new(vec!["s2".into(), "s0".into(), "s1".into()]).unwrap());
    for i in 0..votes.items() {
        let mut row: Vec<(u32, Vote)> =
            votes.row_of_item(i).map(|(j, vote)| ((j as u32 + 1) % 3, 3 - vote)).collect();
        row.sort_unstable();
        builder.push(&row).unwrap();
    }
    let turned = builder.finish_as(Classes::new(vec!["1".into(), "0".into()]).unwrap()).unwrap();
    let given = answers(&votes, &truth, 50, 3);
    let turned_answers: Vec<Vote> =
        given.of_items().iter().map(|&answer| if answer == ABSTAIN { ABSTAIN } else { 3 - answer }).collect();
    let turned_answers = Answers::new(turned_answers, 400, turned.classes()).unwrap();
    let ours = infer(&corrected(&fitted, &votes, &given), &votes).unwrap();
    let theirs = infer(&corrected(&fitted, &turned, &turned_answers), &turned).unwrap();
    for i in 0..400 {
        assert!((ours.item(i)[1] - theirs.item(i)[1]).abs() < 1e-9, "{i}");
    }
}

/// The same bits for one and three threads, with as many answers as items.
#[test]
fn threads_change_no_bit() {
    let (votes, truth) = table(6000, 0.3, &[0.8, 0.7, 0.6, 0.6, 0.7, 0.65, 0.75, 0.7, 0.6, 0.6], 8);
    let fitted = fitted(&votes);
    let given = answers(&votes, &truth, 6000, 1);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| infer(&corrected(&fitted, &votes, &given), &votes).unwrap())
    };
    assert_eq!(run(1), run(3));
}
