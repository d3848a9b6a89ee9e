//! The evidence for the end model's default settings: test scores over a grid, the same grid for all sets.

use std::fmt::Write as _;

use consilience::end_model::{Lengths, TextOptions, TrainOptions};
use consilience_reproduce::set::Set;

use crate::end_model::{Change, Material, Silent};
use crate::models::LabelModel;
use crate::score::Scores;

const PENALTIES: [f64; 5] = [1e-5, 3e-5, 1e-4, 3e-4, 1e-3];

/// Shares of the training labels that are made certain and wrong.
const NOISE: [f64; 2] = [0.0, 0.3];

/// Test score and log loss of end models over a grid of penalties, with wrong labels and with other features, as Markdown.
pub(crate) fn tables(sets: &[Set]) -> anyhow::Result<String> {
    let materials = materials(sets)?;
    let penalties = PENALTIES.map(|penalty| {
        let options = TrainOptions::default().with_penalty(penalty);
        (format!("{penalty:e}"), options)
    });
    let mut text = String::new();
    for noise in NOISE {
        let _ = writeln!(text, "penalty, {:.0}% of the labels certain and wrong\n", 100.0 * noise);
        let change = Change::Wrong(noise);
        let columns = penalties.clone().map(|(name, options)| (name, options, change, Silent::LeftOut));
        grid(&mut text, &materials, &columns)?;
    }
    text.push_str("features\n\n");
    let columns: Vec<_> = features()
        .into_iter()
        .map(|(name, options)| (name, options, Change::None, Silent::LeftOut))
        .collect();
    grid(&mut text, &materials, &columns)?;
    text.push_str("labels\n\n");
    grid(&mut text, &materials, &changes())?;
    Ok(text)
}

/// Test score and log loss of end models trained on what is made of the same labels, as Markdown.
pub(crate) fn of_labels(sets: &[Set]) -> anyhow::Result<String> {
    let mut text = String::new();
    grid(&mut text, &materials(sets)?, &changes())?;
    Ok(text)
}

/// A name, how it is trained, on which probabilities, and whether on items that nobody votes on.
type Column = (String, TrainOptions, Change, Silent);

fn changes() -> Vec<Column> {
    let plain = TrainOptions::default();
    let rarity = plain.with_text(plain.text.with_rarity(true));
    let columns = [
        ("as they are", plain, Change::None),
        ("p^2", plain, Change::Power(2.0)),
        ("p^4", plain, Change::Power(4.0)),
        ("certain", plain, Change::Certain),
        ("certain, weighted", plain, Change::CertainWeighted),
        ("as they are, rarity counts", rarity, Change::None),
        ("p^2, rarity counts", rarity, Change::Power(2.0)),
    ];
    let silent = [
        ("as they are, silent items too", plain, Change::None),
        ("p^2, silent items too", plain, Change::Power(2.0)),
        ("as they are, rarity counts, silent items too", rarity, Change::None),
    ];
    let of = |silent: Silent| {
        move |(name, options, change): (&str, TrainOptions, Change)| {
            (name.to_string(), options, change, silent)
        }
    };
    columns.into_iter().map(of(Silent::LeftOut)).chain(silent.into_iter().map(of(Silent::Learned))).collect()
}

/// The models whose labels are trained on.
const LABELS: [LabelModel; 3] = [LabelModel::Majority, LabelModel::Independent, LabelModel::Default];

fn features() -> Vec<(String, TrainOptions)> {
    let plain = TextOptions::default();
    let variants = [
        ("default", plain),
        ("words 1", plain.with_words(Lengths::new(1, 1)).with_characters(Lengths::NONE)),
        ("words 1..2", plain.with_characters(Lengths::NONE)),
        ("characters 3..5", plain.with_words(Lengths::NONE)),
        (
            "words 1..3, characters 2..5",
            plain.with_words(Lengths::new(1, 3)).with_characters(Lengths::new(2, 5)),
        ),
        ("from one item on", plain.with_min_items(1)),
        ("rarity counts", plain.with_rarity(true)),
        ("case kept", plain.with_lower(false)),
    ];
    variants.map(|(name, text)| (name.to_string(), TrainOptions::default().with_text(text))).to_vec()
}

fn materials(sets: &[Set]) -> anyhow::Result<Vec<(String, Material<'_>)>> {
    let mut materials = Vec::new();
    for set in sets {
        for model in LABELS {
            if let Some(texts) = &set.texts {
                let name = format!("{}, {}", set.name, model.name());
                materials.push((name, Material::new(model, set, texts)?));
            }
        }
    }
    Ok(materials)
}

/// One row per set, one column a choice of options.
fn grid(text: &mut String, materials: &[(String, Material<'_>)], columns: &[Column]) -> anyhow::Result<()> {
    let names: Vec<&str> = columns.iter().map(|(name, ..)| name.as_str()).collect();
    let _ = writeln!(text, "| score / log loss | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
    let mut sums = vec![(0.0, 0.0); columns.len()];
    for (name, material) in materials {
        let _ = write!(text, "| {name} |");
        for ((_, options, change, silent), sum) in columns.iter().zip(&mut sums) {
            let Scores { score, log_loss, .. } =
                material.test(&material.train(*options, *change, *silent)?)?;
            sum.0 += score;
            sum.1 += log_loss;
            let _ = write!(text, " {score:.1} / {log_loss:.2} |");
        }
        text.push('\n');
    }
    let count = materials.len().max(1) as f64;
    let averages: Vec<String> =
        sums.iter().map(|(score, loss)| format!("{:.1} / {:.2}", score / count, loss / count)).collect();
    let _ = writeln!(text, "| **average** | {} |\n", averages.join(" | "));
    Ok(())
}
