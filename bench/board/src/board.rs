//! All that was measured, and averages of it.

use consilience_reproduce::set::Metric;
use serde::Serialize;

use crate::end_model::EndRun;
use crate::score::{Bin, Run, Scores};

/// A set's name and metric, its size, and the run of each model.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SetRuns {
    pub(crate) name: String,
    pub(crate) metric: Metric,
    pub(crate) items: usize,
    pub(crate) sources: usize,
    pub(crate) runs: Vec<Run>,
    pub(crate) end_runs: Vec<EndRun>,
}

/// The runs of all models on all sets.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Board {
    pub(crate) sets: Vec<SetRuns>,
}

impl Board {
    /// Every model's name once: ours first, peers as they come.
    pub(crate) fn models(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for run in self.sets.iter().flat_map(|set| &set.runs) {
            if !names.contains(&run.model) {
                names.push(run.model.clone());
            }
        }
        names
    }

    /// The runs of a model, with their sets.
    pub(crate) fn runs_of<'a>(
        &'a self,
        model: &'a str,
    ) -> impl Iterator<Item = (&'a SetRuns, &'a Run)> + Clone {
        self.sets.iter().filter_map(move |set| Some((set, set.run(model)?)))
    }

    /// A mean over the sets that a model ran on, and their number.
    pub(crate) fn mean(&self, model: &str, of: fn(&Scores) -> f64) -> (f64, usize) {
        let values: Vec<f64> = self.runs_of(model).map(|(_, run)| of(&run.scores)).collect();
        (values.iter().sum::<f64>() / values.len().max(1) as f64, values.len())
    }

    /// The bins of a model over all sets, every set with the same weight.
    pub(crate) fn reliability(&self, model: &str) -> Vec<Bin> {
        let mut total: Vec<Bin> = Vec::new();
        for (_, run) in self.runs_of(model) {
            total.resize(run.reliability.len(), Bin::default());
            let items: f64 = run.reliability.iter().map(|bin| bin.items).sum::<f64>().max(1.0);
            for (sum, bin) in total.iter_mut().zip(&run.reliability) {
                sum.items += bin.items / items;
                sum.right += bin.right / items;
                sum.confidence += bin.confidence / items;
            }
        }
        total
    }
}

impl SetRuns {
    /// The run of a model, if it ran.
    pub(crate) fn run(&self, model: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.model == model)
    }
}
