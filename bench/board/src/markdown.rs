//! The board as Markdown.

use std::fmt::Write as _;

use crate::end_model::EndRun;
use crate::models::LabelModel;
use crate::score::{Run, Scores};
use crate::set::Metric;

/// A set's name and metric, its size, and the run of each model.
pub(crate) struct SetRuns {
    pub(crate) name: String,
    pub(crate) metric: Metric,
    pub(crate) size: String,
    pub(crate) runs: Vec<Run>,
    pub(crate) end_runs: Vec<EndRun>,
}

/// The whole board.
pub(crate) fn board(sets: &[SetRuns]) -> String {
    let mut text = String::from(
        "# The board\n\nScore: F1 of the second class or accuracy, in per cent; log loss clipped at 1e-6; calibration \
         error over ten bins of confidence. Items without a vote do not count, ties are broken at random (mean of 20 \
         draws), gold is for scoring only. Seconds and memory (beyond the votes) are of fitting and labelling.\n\n",
    );
    for (m, model) in LabelModel::ALL.into_iter().enumerate() {
        let runs: Vec<_> = sets.iter().map(|set| (set, &set.runs[m])).collect();
        labels_table(&mut text, model, &runs);
    }
    if sets.iter().any(|set| !set.end_runs.is_empty()) {
        end_models(&mut text, sets);
    }
    text
}

fn labels_table(text: &mut String, model: LabelModel, runs: &[(&SetRuns, &Run)]) {
    let _ = writeln!(text, "## Labels: {}\n", model.name());
    text.push_str(
        "| set | items x sources | metric | score | log loss | calibration error | Brier | seconds | MB |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|---|\n");
    for (set, run) in runs {
        let metric = if set.metric == Metric::F1 { "f1" } else { "accuracy" };
        let memory = run.memory.map_or("-".to_string(), |bytes| format!("{:.1}", bytes as f64 / 1e6));
        let scores = numbers(&run.scores);
        let _ = writeln!(
            text,
            "| {} | {} | {metric} | {scores} | {:.4} | {memory} |",
            set.name, set.size, run.seconds
        );
    }
    let count = runs.len() as f64;
    let mean = |of: fn(&Scores) -> f64| runs.iter().map(|(_, run)| of(&run.scores)).sum::<f64>() / count;
    let _ = writeln!(
        text,
        "| **average** | | | {:.1} | {:.2} | {:.3} | {:.3} | | |\n",
        mean(|s| s.score),
        mean(|s| s.log_loss),
        mean(|s| s.calibration_error),
        mean(|s| s.brier)
    );
}

fn numbers(scores: &Scores) -> String {
    format!(
        "{:.1} | {:.2} | {:.3} | {:.3}",
        scores.score, scores.log_loss, scores.calibration_error, scores.brier
    )
}

fn end_models(text: &mut String, sets: &[SetRuns]) {
    text.push_str(
        "## End models\n\nLabels fitted on the training items; the end model is trained on them (default settings, items \
         with a label only). Labels are scored where there is a vote, the end model on all test items. Precision, recall \
         and F1 are those of the second class.\n\n\
         | set | labels | what | items | precision | recall | F1 | score | log loss | calibration error | Brier |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for set in sets {
        for run in &set.end_runs {
            let rows = [
                ("labels, train", &run.labels_train),
                ("labels, test", &run.labels_test),
                ("end model, test", &run.end_model_test),
            ];
            for (what, scores) in rows {
                let class = scores.of_second_class;
                let _ = writeln!(
                    text,
                    "| {} | {} | {what} | {} | {:.1} | {:.1} | {:.1} | {} |",
                    set.name,
                    run.model.name(),
                    scores.items,
                    100.0 * class.precision,
                    100.0 * class.recall,
                    100.0 * class.f1,
                    numbers(scores)
                );
            }
        }
    }
    text.push('\n');
    for set in sets {
        for run in &set.end_runs {
            let _ = writeln!(
                text,
                "{}, {}: trained on {} items, {} after {} steps, {:.2} s.",
                set.name,
                run.model.name(),
                run.trained_on,
                if run.converged { "converged" } else { "not converged" },
                run.iterations,
                run.seconds
            );
        }
    }
}
