//! All numbers of the board as CSV: one row per set, model and what was labelled.

use std::fmt::Write as _;

use crate::board::Board;
use crate::score::Scores;

/// The table.
pub(crate) fn csv(board: &Board) -> String {
    let mut text = String::from(
        "set,metric,model,what,items,score,precision,recall,f1,log_loss,calibration_error,brier,seconds,peak_bytes\n",
    );
    for set in &board.sets {
        let head = |model: &str, what: &str| format!("{},{},{model},{what}", set.name, set.metric.name());
        for run in &set.runs {
            let seconds = run.seconds.map_or(String::new(), |seconds| seconds.to_string());
            let peak = run.peak_bytes.map_or(String::new(), |bytes| bytes.to_string());
            let _ =
                writeln!(text, "{},{},{seconds},{peak}", head(&run.model, "labels"), numbers(&run.scores));
        }
        for run in &set.end_runs {
            let parts = [
                ("train labels", &run.labels_train),
                ("test labels", &run.labels_test),
                ("end model", &run.end_model_test),
            ];
            for (what, scores) in parts {
                let _ = writeln!(text, "{},{},,", head(&run.model, what), numbers(scores));
            }
        }
    }
    text
}

fn numbers(scores: &Scores) -> String {
    let Scores { items, score, precision, recall, f1, log_loss, calibration_error, brier } = scores;
    format!("{items},{score},{precision},{recall},{f1},{log_loss},{calibration_error},{brier}")
}
