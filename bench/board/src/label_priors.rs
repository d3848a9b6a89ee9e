//! The evidence for the label model's constants: chosen without one kind of table, and scored on that kind.

use std::fmt::Write as _;

use consilience::labels::infer;
use consilience::model::{Dependence, FitOptions, Priors, fit};

use crate::kind::{KINDS, kind};
use crate::score::Scores;
use crate::set::Set;

/// Score and log loss.
type Pair = (f64, f64);

/// Constants over a grid, each choice made on all kinds of tables but one and scored on that one, beside independent sources.
#[expect(clippy::print_stderr, reason = "progress")]
pub(crate) fn tables(sets: &[Set]) -> anyhow::Result<String> {
    let grid = grid();
    let independent = sets
        .iter()
        .map(|set| scores(set, Dependence::Independent, Priors::default()))
        .collect::<anyhow::Result<Vec<Pair>>>()?;
    // By setting, by set.
    let mut all: Vec<Vec<Pair>> = Vec::new();
    for (at, (name, priors)) in grid.iter().enumerate() {
        eprintln!("{} of {}: {name}", at + 1, grid.len());
        let of_sets = sets.iter().map(|set| scores(set, Dependence::Repeats, *priors));
        all.push(of_sets.collect::<anyhow::Result<_>>()?);
    }
    let mean = |pairs: &[Pair], chosen: &dyn Fn(&str) -> bool| -> Pair {
        let of: Vec<Pair> = sets
            .iter()
            .zip(pairs)
            .filter(|(set, _)| chosen(kind(&set.name)))
            .map(|(_, pair)| *pair)
            .collect();
        let number = of.len().max(1) as f64;
        (
            of.iter().map(|pair| pair.0).sum::<f64>() / number,
            of.iter().map(|pair| pair.1).sum::<f64>() / number,
        )
    };
    let shown = |(score, loss): Pair| format!("{score:.2} / {loss:.4}");
    let mut text =
        "| score / log loss | all | rules | language models | crowds |\n|---|---|---|---|---|\n".to_string();
    let independent_row = ("independent".to_string(), &independent);
    for (name, pairs) in
        std::iter::once(independent_row).chain(grid.iter().map(|(name, _)| name.clone()).zip(&all))
    {
        let of_kinds = KINDS.map(|one| shown(mean(pairs, &|kind| kind == one)));
        let _ = writeln!(text, "| {name} | {} | {} |", shown(mean(pairs, &|_| true)), of_kinds.join(" | "));
    }
    text.push_str(
        "\nThe lowest log loss on the other kinds decides.\n\n\
        | left out | chosen without it | scored on it | the defaults on it | independent on it | gain in score |\n|---|---|---|---|---|---|\n",
    );
    let mut gains = 0.0;
    for left_out in KINDS {
        let others = |kind: &str| kind != left_out;
        let own = |kind: &str| kind == left_out;
        let loss = |at: usize| mean(&all[at], &others).1;
        let chosen = (0..grid.len()).min_by(|&a, &b| loss(a).total_cmp(&loss(b))).unwrap_or(0);
        let [there, here, without] = [&all[chosen], &all[0], &independent].map(|pairs| mean(pairs, &own));
        gains += (there.0 - without.0) / KINDS.len() as f64;
        let _ = writeln!(
            text,
            "| {left_out} | {} | {} | {} | {} | {:+.2} |",
            grid[chosen].0,
            shown(there),
            shown(here),
            shown(without),
            there.0 - without.0
        );
    }
    let _ = writeln!(text, "| **average** | | | | | {gains:+.2} |");
    Ok(text)
}

fn scores(set: &Set, dependence: Dependence<'_>, priors: Priors) -> anyhow::Result<Pair> {
    let fitted = fit(&set.votes, dependence, &FitOptions::default().with_priors(priors))?;
    let (scores, _) = Scores::of_labels(&infer(&fitted, &set.votes)?, &set.gold, set.metric)?;
    Ok((scores.score, scores.log_loss))
}

/// The defaults first, then with one or two of them changed.
fn grid() -> Vec<(String, Priors)> {
    let default = Priors::default();
    let mut grid = vec![("defaults".to_string(), default)];
    let mut add = |name: String, priors: Priors| grid.push((name, priors));
    for repetition in [0.15, 0.35, 0.45] {
        add(format!("repetition {repetition}"), Priors { repetition, ..default });
    }
    for clarity in [0.4, 0.6] {
        add(format!("clarity {clarity}"), Priors { clarity, ..default });
    }
    for clarity_spread in [0.3, 0.6] {
        add(format!("clarity spread {clarity_spread}"), Priors { clarity_spread, ..default });
    }
    for level in [1.0, 1.5] {
        add(format!("level {level}"), Priors { level, ..default });
    }
    for accuracy in [0.55, 0.7, 0.8] {
        add(format!("accuracy {accuracy}"), Priors { accuracy, ..default });
    }
    for one_class_accuracy in [0.6, 0.8, 0.9] {
        add(format!("one-class accuracy {one_class_accuracy}"), Priors { one_class_accuracy, ..default });
    }
    for one_class_precision in [0.0, 0.1, 1.0] {
        add(format!("one-class precision {one_class_precision}"), Priors { one_class_precision, ..default });
    }
    for votes in [100.0, 1600.0] {
        add(format!("vote precision 1/{votes}"), Priors { vote_precision: 1.0 / votes, ..default });
    }
    for (repetition, clarity) in [(0.15, 0.4), (0.15, 0.6), (0.35, 0.4), (0.35, 0.6)] {
        add(format!("repetition {repetition}, clarity {clarity}"), Priors { repetition, clarity, ..default });
    }
    grid
}
