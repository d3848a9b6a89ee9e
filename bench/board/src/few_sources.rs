//! Labels of a few sources, next to those of independent sources and the shares of the votes.

use std::fmt::Write as _;

use consilience::labels::{Labels, infer, majority_vote};
use consilience::model::{Dependence, FitOptions, fit};
use consilience_reproduce::set::Set;

use crate::kind::{KINDS, kind};
use crate::score::Scores;
use crate::sub_panels::of_sources;

/// Numbers of sources.
const SOURCES: [usize; 6] = [3, 4, 5, 6, 7, 8];
/// By how much a log loss may be above that of the shares of the votes.
const WITHIN: f64 = 0.01;

/// For each kind of set and number of sources, mean scores and log losses over random parts of its panels.
#[expect(clippy::print_stderr, reason = "progress")]
pub(crate) fn tables(sets: &[Set], draws: u64) -> anyhow::Result<String> {
    let mut text = "| kind | sources | panels | default | independent | shares of the votes | worse than these by more than 0.01 | at most |\n\
        |---|---|---|---|---|---|---|---|\n"
        .to_string();
    for kind_of_set in KINDS {
        for count in SOURCES {
            eprintln!("{kind_of_set}, {count} sources");
            let mut seen = Seen::default();
            for set in sets.iter().filter(|set| kind(&set.name) == kind_of_set) {
                for draw in 0..draws {
                    seen.add(&of_sources(set, count, draw)?)?;
                }
            }
            if seen.panels > 0 {
                let _ = writeln!(text, "| {kind_of_set} | {count} | {} |", seen.shown());
            }
        }
    }
    Ok(text)
}

/// What panels have shown.
#[derive(Default)]
struct Seen {
    panels: usize,
    /// Sums of scores and log losses: default, independent, shares of the votes.
    sums: [(f64, f64); 3],
    above: usize,
    most: f64,
}

impl Seen {
    fn add(&mut self, set: &Set) -> anyhow::Result<()> {
        let labels = |dependence: Dependence<'_>| -> anyhow::Result<Labels> {
            let fitted = fit(&set.votes, dependence, &FitOptions::default())?;
            Ok(infer(&fitted, &set.votes)?)
        };
        let all = [labels(Dependence::Repeats)?, labels(Dependence::Independent)?, majority_vote(&set.votes)];
        let mut losses = [0.0; 3];
        for ((labels, sum), loss) in all.iter().zip(&mut self.sums).zip(&mut losses) {
            let (scores, _) = Scores::of_labels(labels, &set.gold, set.metric)?;
            *sum = (sum.0 + scores.score, sum.1 + scores.log_loss);
            *loss = scores.log_loss;
        }
        self.panels += 1;
        self.above += usize::from(losses[0] > losses[2] + WITHIN);
        self.most = self.most.max(losses[0] - losses[2]);
        Ok(())
    }

    fn shown(&self) -> String {
        let count = self.panels as f64;
        let means = self.sums.map(|(score, loss)| format!("{:.2} / {:.4}", score / count, loss / count));
        format!("{} | {} | {} | {:+.3}", self.panels, means.join(" | "), self.above, self.most)
    }
}
