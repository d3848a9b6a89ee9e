//! The end model as a whole: planted truth, soft against duplicated labels, saved models, threads, refusals.

use consilience::end_model::{
    EndModel, EndModelData, EndModelError, Lengths, TextOptions, TrainOptions, Trainer, TrainingItem,
};
use consilience::num::softmax_in_place;
use consilience::rng::{Stream, Streams, unit};
use consilience::sources::Classes;
use consilience_testing::close;

struct Item {
    text: String,
    probabilities: Vec<f64>,
    weight: f64,
}

fn item(text: impl Into<String>, probabilities: &[f64]) -> Item {
    Item { text: text.into(), probabilities: probabilities.to_vec(), weight: 1.0 }
}

fn train(items: &[Item], options: TrainOptions) -> Result<EndModel, EndModelError> {
    let k = items.first().map_or(2, |item| item.probabilities.len());
    let mut trainer = Trainer::new(Classes::numbered(k).unwrap(), 1, options)?;
    for batch in items.chunks(100) {
        let texts: Vec<[&str; 1]> = batch.iter().map(|item| [item.text.as_str()]).collect();
        let rows: Vec<TrainingItem<'_>> = batch
            .iter()
            .zip(&texts)
            .map(|(item, texts)| TrainingItem {
                texts,
                probabilities: &item.probabilities,
                weight: item.weight,
            })
            .collect();
        trainer.extend(&rows)?;
    }
    trainer.finish()
}

/// One word is one feature, always of value 1: the model is then logistic regression on indicators.
fn plain_words() -> TrainOptions {
    let text = TextOptions::default()
        .with_words(Lengths::new(1, 1))
        .with_characters(Lengths::NONE)
        .with_min_items(1)
        .with_rarity(false);
    TrainOptions::default().with_text(text).with_tolerance(1e-9)
}

fn random_texts(rng: &mut Stream, items: usize, words: usize) -> Vec<Vec<usize>> {
    let word = |rng: &mut Stream| (unit(rng) * words as f64) as usize;
    (0..items).map(|_| (0..12).map(|_| word(rng)).collect()).collect()
}

fn spelled(words: &[usize]) -> String {
    words.iter().map(|word| format!("word{word} ")).collect::<Vec<_>>().concat()
}

/// Each word supports a class by a known weight; the model sees classes drawn from the probabilities that
/// follow, and comes back with those probabilities.
#[test]
fn planted_weights_are_found() {
    let mut rng = Streams::new(5).stream(0);
    for k in [2, 3] {
        let weights: Vec<Vec<f64>> =
            (0..20).map(|_| (0..k).map(|_| 8.0 * unit(&mut rng) - 4.0).collect()).collect();
        let truth = |words: &[usize]| -> Vec<f64> {
            let mut seen: Vec<usize> = words.to_vec();
            seen.sort_unstable();
            let count = |w: &usize| words.iter().filter(|v| *v == w).count() as f64;
            seen.dedup();
            let raw: Vec<f64> = seen.iter().map(|w| 1.0 + count(w).ln()).collect();
            let norm = raw.iter().map(|r| r * r).sum::<f64>().sqrt();
            let score =
                |c: usize| seen.iter().zip(&raw).map(|(&w, raw)| weights[w][c] * raw / norm).sum::<f64>();
            let mut p: Vec<f64> = (0..k).map(score).collect();
            softmax_in_place(&mut p);
            p
        };
        let texts = random_texts(&mut rng, 20_000, 20);
        let items: Vec<Item> = texts
            .iter()
            .map(|words| {
                let drawn = consilience::num::pick(&truth(words), unit(&mut rng));
                let hard: Vec<f64> = (0..k).map(|c| f64::from(u8::from(c == drawn))).collect();
                item(spelled(words), &hard)
            })
            .collect();
        let model = train(&items, plain_words().with_penalty(1e-5)).unwrap();
        assert!(model.training().converged);
        let fresh = random_texts(&mut rng, 2_000, 20);
        let off = fresh.iter().map(|words| {
            let found = model.predict(&[&spelled(words)]).unwrap();
            found.iter().zip(truth(words)).map(|(f, t)| (f - t).abs()).fold(0.0, f64::max)
        });
        let mean_off = off.sum::<f64>() / fresh.len() as f64;
        // 20,000 draws fix each of 20 weights to about 0.1, and probabilities to about 0.01.
        assert!(mean_off < 0.02, "k = {k}: probabilities are off by {mean_off} on average");
    }
}

/// A soft label is a share of each class: three copies of an item, two of them of class 0, say the same as one item with
/// probability 2/3 that weighs three times as much.
#[test]
fn soft_labels_are_duplicated_hard_ones() {
    let mut rng = Streams::new(6).stream(0);
    let (mut soft, mut hard) = (Vec::new(), Vec::new());
    for words in random_texts(&mut rng, 200, 15) {
        let votes = (unit(&mut rng) * 4.0) as usize;
        let text = spelled(&words);
        let p = votes as f64 / 3.0;
        soft.push(Item { text: text.clone(), probabilities: vec![p, 1.0 - p], weight: 3.0 });
        for copy in 0..3 {
            hard.push(item(&text, if copy < votes { &[1.0, 0.0] } else { &[0.0, 1.0] }));
        }
    }
    let (soft, hard) = (train(&soft, plain_words()).unwrap(), train(&hard, plain_words()).unwrap());
    assert!(close(soft.training().loss, hard.training().loss, 1e-12));
    let (soft, hard) = (EndModelData::from(&soft), EndModelData::from(&hard));
    assert_eq!(soft.buckets, hard.buckets);
    for (a, b) in soft.weights.iter().zip(&hard.weights) {
        assert!((a - b).abs() < 1e-4, "{a} and {b}");
    }
}

fn spam(rng: &mut Stream, items: usize) -> Vec<Item> {
    let line = |words: Vec<usize>| {
        let p = if words.contains(&0) { 0.9 } else { 0.2 };
        item(spelled(&words), &[1.0 - p, p])
    };
    random_texts(rng, items, 30).into_iter().map(line).collect()
}

#[test]
fn threads_change_nothing() {
    let items = spam(&mut Streams::new(7).stream(0), 1_000);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let model = pool.install(|| train(&items, TrainOptions::default())).unwrap();
        serde_json::to_string(&EndModelData::from(&model)).unwrap()
    };
    let one = run(1);
    assert_eq!(one, run(3));
    assert_eq!(one, run(2));
}

#[test]
fn a_model_that_was_written_and_read_predicts_the_same_bits() {
    let items = spam(&mut Streams::new(8).stream(0), 500);
    let model = train(&items, TrainOptions::default()).unwrap();
    let text = serde_json::to_string(&EndModelData::from(&model)).unwrap();
    let again = EndModel::try_from(serde_json::from_str::<EndModelData>(&text).unwrap()).unwrap();
    assert_eq!(again, model);
    for item in &items {
        let bits = |model: &EndModel| -> Vec<u64> {
            model.predict(&[&item.text]).unwrap().iter().map(|p| p.to_bits()).collect()
        };
        assert_eq!(bits(&model), bits(&again));
    }
}

#[test]
fn damaged_models_are_refused() {
    let model = train(&spam(&mut Streams::new(8).stream(0), 200), TrainOptions::default()).unwrap();
    let data = EndModelData::from(&model);
    let refused = |change: fn(&mut EndModelData)| {
        let mut data = data.clone();
        change(&mut data);
        EndModel::try_from(data).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|d| d.weights.truncate(5)),
        "the end model is damaged: the lengths of its lists do not match"
    );
    assert_eq!(refused(|d| d.buckets.swap(0, 1)), "the end model is damaged: its n-grams are out of order");
    assert_eq!(refused(|d| d.text.bits = 9), "the end model is damaged: its n-grams are out of order");
    assert_eq!(refused(|d| d.text.bits = 99), "bits must be from 8 to 26, but is 99");
    assert_eq!(
        refused(|d| d.weights[0] = f32::NAN),
        "the end model is damaged: it contains values that are not numbers"
    );
    assert_eq!(
        refused(|d| d.classes[1] = d.classes[0].clone()),
        "the end model is damaged: its class names are not distinct"
    );
}

#[test]
fn odd_items_are_learned_from_without_harm() {
    // Empty texts, equal texts with opposite labels, one class only, a class that nobody means.
    let same: Vec<Item> = (0..10).map(|_| item("", &[0.25, 0.75])).collect();
    let p = train(&same, TrainOptions::default()).unwrap().predict(&["anything"]).unwrap();
    assert!((p[1] - 0.75).abs() < 1e-4, "{p:?}");
    let split: Vec<Item> =
        (0..10).map(|i| item("same", if i % 2 == 0 { &[1.0, 0.0] } else { &[0.0, 1.0] })).collect();
    let p = train(&split, TrainOptions::default()).unwrap().predict(&["same"]).unwrap();
    assert!((p[0] - 0.5).abs() < 1e-5, "{p:?}");
    let one: Vec<Item> = (0..10).map(|i| item(format!("text {i}"), &[1.0, 0.0, 0.0])).collect();
    let model = train(&one, TrainOptions::default()).unwrap();
    let p = model.predict(&["text 3"]).unwrap();
    assert!(model.training().converged && p[0] > 0.99 && p.iter().all(|p| p.is_finite()), "{p:?}");
}

#[test]
fn bad_options_and_items_are_refused() {
    let with = |options: TrainOptions| train(&[item("a", &[0.5, 0.5])], options).unwrap_err().to_string();
    let text = |text: TextOptions| TrainOptions::default().with_text(text);
    let plain = TrainOptions::default();
    assert_eq!(with(plain.with_penalty(0.0)), "penalty must be a number above 0, but is 0");
    assert_eq!(with(plain.with_tolerance(f64::NAN)), "tolerance must be a number above 0, but is NaN");
    assert_eq!(with(plain.with_max_iterations(0)), "the number of steps must be 1 or more, but is 0");
    assert_eq!(with(text(plain.text.with_bits(7))), "bits must be from 8 to 26, but is 7");
    assert_eq!(
        with(text(plain.text.with_words(Lengths::new(3, 2)))),
        "the length of word n-grams must be a range of lengths from 1 to 10, the shorter one first, but is 3..2"
    );
    assert_eq!(
        with(text(plain.text.with_words(Lengths::NONE).with_characters(Lengths::NONE))),
        "the end model needs word n-grams, character n-grams or both"
    );
    let refused = |items: &[Item]| train(items, plain).unwrap_err().to_string();
    assert_eq!(refused(&[]), "no item has a weight above 0, so there is nothing to train on");
    assert_eq!(
        refused(&[Item { weight: 0.0, ..item("a", &[0.5, 0.5]) }]),
        "no item has a weight above 0, so there is nothing to train on"
    );
    assert_eq!(
        refused(&[Item { weight: -1.0, ..item("a", &[0.5, 0.5]) }]),
        "the weight of an item must be a number from 0 to 1e9, but is -1"
    );
    for p in [[0.5, 0.4], [f64::NAN, 0.5], [1.5, -0.5]] {
        assert!(
            refused(&[item("a", &p)]).starts_with("the probabilities of an item must be numbers from 0 to 1")
        );
    }
}

/// Labelled items are of both classes, items without votes nearly all of class 1 by their share: the word that only these have
/// comes to speak for class 1, and among them those with a word of class 2 stay the likelier ones.
#[test]
fn silent_items_teach_what_no_label_says() {
    let mut rng = Streams::new(11).stream(0);
    let labelled: Vec<Item> = (0..200)
        .map(|i| {
            let noise = random_texts(&mut rng, 1, 5).pop().unwrap();
            let words = if i % 2 == 0 { "plus " } else { "minus " };
            item(words.to_string() + &spelled(&noise), if i % 2 == 0 { &[0.2, 0.8] } else { &[0.7, 0.3] })
        })
        .collect();
    let silent: Vec<String> =
        (0..100).map(|i| format!("quiet {}", if i % 10 == 0 { "plus" } else { "other" })).collect();
    let mut trainer = Trainer::new(Classes::numbered(2).unwrap(), 1, plain_words()).unwrap();
    let texts: Vec<[&str; 1]> = labelled.iter().map(|item| [item.text.as_str()]).collect();
    let rows: Vec<TrainingItem<'_>> = labelled
        .iter()
        .zip(&texts)
        .map(|(item, texts)| TrainingItem { texts, probabilities: &item.probabilities, weight: 1.0 })
        .collect();
    trainer.extend(&rows).unwrap();
    let without = trainer.clone().finish().unwrap();
    assert_eq!(without, trainer.clone().finish_with_silent(&[0.9, 0.1]).unwrap());
    trainer.extend_silent(&silent.iter().map(|text| [text.as_str()]).collect::<Vec<_>>()).unwrap();
    assert_eq!(trainer.silent_items(), 100);
    // Left alone, they change nothing.
    assert_eq!(without, trainer.clone().finish().unwrap());
    let with = trainer.clone().finish_with_silent(&[0.9, 0.1]).unwrap();
    assert_eq!(with.training().items, 300);
    assert!(with.training().converged);
    let p = |model: &EndModel, text: &str| model.predict(&[text]).unwrap()[1];
    assert!(p(&without, "quiet") > 0.4 && p(&with, "quiet") < 0.2, "{}", p(&with, "quiet"));
    assert!(p(&with, "quiet plus") > 2.0 * p(&with, "quiet other"));
    // Whether they come before the others or behind them is the same.
    let mut turned = Trainer::new(Classes::numbered(2).unwrap(), 1, plain_words()).unwrap();
    turned.extend_silent(&silent.iter().map(|text| [text.as_str()]).collect::<Vec<_>>()).unwrap();
    turned.extend(&rows).unwrap();
    assert_eq!(turned.finish_with_silent(&[0.9, 0.1]).unwrap(), with);
    // Weights of the others are measured against their mean.
    let mut heavy = Trainer::new(Classes::numbered(2).unwrap(), 1, plain_words()).unwrap();
    let heavier: Vec<TrainingItem<'_>> =
        rows.iter().map(|row| TrainingItem { weight: 2.0, ..*row }).collect();
    heavy.extend(&heavier).unwrap();
    heavy.extend_silent(&silent.iter().map(|text| [text.as_str()]).collect::<Vec<_>>()).unwrap();
    let heavy = heavy.finish_with_silent(&[0.9, 0.1]).unwrap();
    assert!(close(p(&heavy, "quiet plus"), p(&with, "quiet plus"), 1e-6));

    let refused = trainer.clone().finish_with_silent(&[0.9, 0.9]);
    assert!(matches!(refused, Err(EndModelError::Probabilities(_))));
    let refused = trainer.extend_silent(&[["two", "texts"]]);
    assert_eq!(refused, Err(EndModelError::Fields { expected: 1, found: 2 }));
}
