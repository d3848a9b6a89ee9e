//! What was meant: one file a verb.

mod analyze;
mod answers;
#[cfg(feature = "apply")]
mod apply;
mod certify;
#[cfg(feature = "cluster")]
mod cluster;
mod comparison;
mod completions;
mod explain;
mod fit;
mod input;
mod join;
mod label;
#[cfg(feature = "cluster")]
mod label_on_cluster;
mod learn;
mod man;
mod no_overwrite;
mod plan;
mod predict;
mod report;
#[cfg(feature = "reproduce")]
mod reproduce;
#[cfg(not(feature = "reproduce"))]
#[path = "reproduce_left_out.rs"]
mod reproduce;
mod sample;
mod simulate;
#[cfg(feature = "studio")]
mod studio;
mod texts;
mod train;

use anyhow::Context as _;

use crate::args::{Cli, Verb};
use crate::terminal::Talk;

/// Does what was asked for.
pub(crate) fn run(cli: Cli) -> anyhow::Result<()> {
    if let Some(threads) = cli.common.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().with_context(|| {
            format!("{threads} threads cannot be started; use a smaller value for --threads")
        })?;
    }
    let talk = Talk::new(cli.common.quiet);
    match cli.verb {
        Verb::Simulate(args) => simulate::run(&args, talk),
        #[cfg(feature = "apply")]
        Verb::Apply(args) => apply::run(&args, talk),
        Verb::Analyze(args) => analyze::run(&args, talk),
        Verb::Learn(args) => learn::run(&args, talk),
        Verb::Fit(args) => fit::run(&args, talk),
        Verb::Explain(args) => explain::run(&args, talk),
        Verb::Label(args) => label::run(&args, talk),
        Verb::Report(args) => report::run(&args, talk),
        #[cfg(feature = "studio")]
        Verb::Studio(args) => studio::run(&args, talk),
        #[cfg(feature = "cluster")]
        Verb::Cluster(args) => cluster::run(args, talk),
        Verb::Plan(args) => plan::run(&args, talk),
        Verb::Reproduce(args) => reproduce::run(&args, talk),
        Verb::Train(args) => train::run(&args, talk),
        Verb::Predict(args) => predict::run(&args, talk),
        Verb::Sample(args) => sample::run(&args, talk),
        Verb::Certify(args) => certify::run(&args, talk),
        Verb::Completions(args) => completions::run(&args),
        Verb::Man(args) => man::run(&args),
    }
}
