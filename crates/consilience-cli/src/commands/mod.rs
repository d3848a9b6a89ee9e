//! What was meant: one file a verb.

mod analyze;
mod answers;
mod certify;
mod comparison;
mod completions;
mod explain;
pub mod fit;
mod heavy;
pub mod input;
mod join;
pub mod label;
mod learn;
mod man;
pub mod no_overwrite;
mod plan;
mod predict;
mod report;
#[cfg(not(feature = "reproduce"))]
mod reproduce_left_out;
mod sample;
mod simulate;
pub mod texts;
mod train;

use anyhow::Context as _;

pub use heavy::Heavy;
pub(crate) use heavy::InEngine;

use crate::args::{Cli, Verb};
use crate::terminal::Talk;

/// Does what was asked for.
pub(crate) fn run(cli: Cli, heavy: &dyn Heavy) -> anyhow::Result<()> {
    heavy.enter(&cli.verb)?;
    if let Some(threads) = cli.common.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().with_context(|| {
            format!("{threads} threads cannot be started; use a smaller value for --threads")
        })?;
    }
    let talk = Talk::new(cli.common.quiet);
    match cli.verb {
        Verb::Simulate(args) => simulate::run(&args, talk),
        #[cfg(feature = "apply")]
        Verb::Apply(args) => heavy.apply(&args, talk),
        Verb::Analyze(args) => analyze::run(&args, talk),
        Verb::Learn(args) => learn::run(&args, heavy, talk),
        Verb::Fit(args) => fit::run(&args, talk),
        Verb::Explain(args) => explain::run(&args, talk),
        Verb::Label(args) => label::run(&args, heavy, talk),
        Verb::Report(args) => report::run(&args, heavy, talk),
        #[cfg(feature = "studio")]
        Verb::Studio(args) => heavy.studio(&args, talk),
        #[cfg(feature = "cluster")]
        Verb::Cluster(args) => heavy.cluster(args, talk),
        Verb::Plan(args) => plan::run(&args, talk),
        #[cfg(feature = "reproduce")]
        Verb::Reproduce(args) => heavy.reproduce(&args, talk),
        #[cfg(not(feature = "reproduce"))]
        Verb::Reproduce(args) => reproduce_left_out::run(&args, talk),
        Verb::Train(args) => train::run(&args, talk),
        Verb::Predict(args) => predict::run(&args, talk),
        Verb::Sample(args) => sample::run(&args, talk),
        Verb::Certify(args) => certify::run(&args, talk),
        Verb::Completions(args) => completions::run(&args),
        Verb::Man(args) => man::run(&args),
    }
}
