//! The board as Markdown.

use std::fmt::Write as _;

use crate::board::{Board, SetRuns};
use crate::models::LabelModel;
use crate::peers::{Measured, measured};
use crate::score::{Run, Scores};

const HEAD: &str = "\
# The board

Scores of label models on real vote tables with gold. Gold is used for scoring only, and all tables use the same settings. The
score is the F1 of the second class or the accuracy, in percent; log loss is clipped at 1e-6, and the calibration error uses ten
bins of confidence. Items without a vote do not count, and ties are broken at random (mean of 20 draws). Each model runs on each
table in its own process: seconds cover fitting and labelling, and MB is the peak resident memory during that time, including the
votes and the program. `make board` writes this page; seconds depend on the machine and its load.

- majority vote: the share of the votes
- Dawid-Skene: one confusion matrix per source (`fit --dawid-skene`)
- independent: one accuracy per source (`fit --independent`)
- default: votes that repeat others count once (`fit`)
- learned weights: a weight for every dependency that `learn` selects (`fit --structure --link-weights`)

";

/// The whole board.
pub(crate) fn page(board: &Board) -> anyhow::Result<String> {
    let mut text = String::from(HEAD);
    let peers = measured_of(board)?;
    averages(&mut text, board, &peers);
    by_set(&mut text, board, &peers);
    text.push_str("![Score and log loss of every model on every set](board.svg)\n\n");
    text.push_str("![Confidence against the share of correct labels](reliability.svg)\n\n");
    for model in board.models() {
        details(&mut text, board, &model);
    }
    if board.sets.iter().any(|set| !set.end_runs.is_empty()) {
        end_models(&mut text, board);
    }
    Ok(text)
}

fn averages(text: &mut String, board: &Board, peers: &[(&str, Vec<Measured>)]) {
    text.push_str("## Averages\n\n");
    text.push_str(
        "| model | sets | score | log loss | calibration error | Brier | below majority vote, at worst |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|\n");
    for model in board.models() {
        let (score, count) = board.mean(&model, |s| s.score);
        let worst = board
            .runs_of(&model)
            .filter_map(|(set, run)| {
                Some(set.run(LabelModel::Majority.name())?.scores.score - run.scores.score)
            })
            .fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "| {model} | {count} | {score:.1} | {:.2} | {:.3} | {:.3} | {worst:.1} |",
            board.mean(&model, |s| s.log_loss).0,
            board.mean(&model, |s| s.calibration_error).0,
            board.mean(&model, |s| s.brier).0
        );
    }
    for (model, rows) in peers {
        let count = rows.len() as f64;
        let _ = writeln!(
            text,
            "| {model} | {} | {:.1} | {:.2} | | | |",
            rows.len(),
            rows.iter().map(|row| row.score).sum::<f64>() / count,
            rows.iter().map(|row| row.log_loss).sum::<f64>() / count
        );
    }
    text.push('\n');
}

/// The scores of other packages' models on the sets of the board, by model.
fn measured_of(board: &Board) -> anyhow::Result<Vec<(&'static str, Vec<Measured>)>> {
    let mut models: Vec<(&'static str, Vec<Measured>)> = Vec::new();
    for row in measured()?.into_iter().filter(|row| board.sets.iter().any(|set| set.name == row.set)) {
        match models.iter_mut().find(|(model, _)| *model == row.model) {
            Some((_, rows)) => rows.push(row),
            None => models.push((row.model, vec![row])),
        }
    }
    Ok(models)
}

fn by_set(text: &mut String, board: &Board, peers: &[(&str, Vec<Measured>)]) {
    let models = board.models();
    text.push_str("## Score / log loss by set\n\nThe last columns are the models of other packages, as `make peers` measured them.\n\n| set | metric |");
    for name in models.iter().map(String::as_str).chain(peers.iter().map(|(model, _)| *model)) {
        let _ = write!(text, " {name} |");
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(models.len() + peers.len()));
    for set in &board.sets {
        let _ = write!(text, "| {} | {} |", set.name, set.metric.name());
        for model in &models {
            let cell = set.run(model).map(|run| (run.scores.score, run.scores.log_loss));
            text.push_str(&pair(cell));
        }
        for (_, rows) in peers {
            text.push_str(&pair(
                rows.iter().find(|row| row.set == set.name).map(|row| (row.score, row.log_loss)),
            ));
        }
        text.push('\n');
    }
    text.push('\n');
}

fn pair(cell: Option<(f64, f64)>) -> String {
    cell.map_or(" - |".to_string(), |(score, loss)| format!(" {score:.1} / {loss:.2} |"))
}

fn details(text: &mut String, board: &Board, model: &str) {
    let version = board.runs_of(model).find_map(|(_, run)| run.version.clone());
    let _ = writeln!(text, "## {model}{}\n", version.map_or(String::new(), |version| format!(" {version}")));
    text.push_str(
        "| set | items x sources | score | log loss | calibration error | Brier | seconds | MB |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    for (set, run) in board.runs_of(model) {
        let _ = writeln!(text, "| {} | {} | {} | {} |", set.name, size(set), numbers(&run.scores), cost(run));
    }
    text.push('\n');
}

fn size(set: &SetRuns) -> String {
    format!("{} x {}", set.items, set.sources)
}

fn cost(run: &Run) -> String {
    let seconds = run.seconds.map_or("-".to_string(), |seconds| format!("{seconds:.3}"));
    let memory = run.peak_bytes.map_or("-".to_string(), |bytes| format!("{:.0}", bytes as f64 / 1e6));
    format!("{seconds} | {memory}")
}

fn numbers(scores: &Scores) -> String {
    format!(
        "{:.1} | {:.2} | {:.3} | {:.3}",
        scores.score, scores.log_loss, scores.calibration_error, scores.brier
    )
}

fn end_models(text: &mut String, board: &Board) {
    text.push_str(
        "## End models\n\nThe end model is trained on the labels of the training items, with default settings: items with a label, and those \
         without votes as with `train --votes`. Labels are scored on items with a vote, and the end model on all test items. \
         Precision, recall and F1 are those of the second class.\n\n\
         | set | labels | what | items | precision | recall | F1 | score | log loss | calibration error | Brier |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for set in &board.sets {
        for run in &set.end_runs {
            let rows = [
                ("labels, train", &run.labels_train),
                ("labels, test", &run.labels_test),
                ("end model, test", &run.end_model_test),
            ];
            for (what, scores) in rows {
                let _ = writeln!(
                    text,
                    "| {} | {} | {what} | {} | {:.1} | {:.1} | {:.1} | {} |",
                    set.name,
                    run.model,
                    scores.items,
                    scores.precision,
                    scores.recall,
                    scores.f1,
                    numbers(scores)
                );
            }
        }
    }
    text.push('\n');
    for set in &board.sets {
        for run in &set.end_runs {
            let _ = writeln!(
                text,
                "{}, {}: trained on {} items, {} after {} steps, {:.2} s.  ",
                set.name,
                run.model,
                run.trained_on,
                if run.converged { "converged" } else { "not converged" },
                run.iterations,
                run.seconds
            );
        }
    }
}
