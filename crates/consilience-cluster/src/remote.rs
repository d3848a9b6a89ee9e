//! Sources that are applied on a cluster.

use std::time::{Duration, Instant};

use arrow::array::{Array as _, AsArray as _, RecordBatch, StringArray};
use arrow::datatypes::{Int16Type, Int32Type, Int64Type, UInt32Type};
use consilience::sources::{ABSTAIN, Vote};
use consilience_sources::{
    Applier, ApplyError, Kind, OnFault, Part, PlainVotes, Progress, Rows, SourceSummary, SourcesFile,
    Summary, Work,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use tokio::runtime::Runtime;

use crate::job::{Finished, Scheduler};
use crate::plans::Plans;
use crate::{Address, ClusterError, session};

/// How often results that were lost are computed again.
const TRIES: usize = 3;

/// Partitions of a shuffle.
const MOST_PARTITIONS: usize = 16;

/// Where sources run, and how.
#[derive(Clone, Debug)]
pub struct ClusterOptions {
    /// The scheduler.
    pub address: Address,
    /// How long it may be without executors.
    pub wait: Duration,
    /// Rows of a task, where files can be split. With fewer, time goes into starting tasks; with more, more is lost with an executor.
    pub rows: u64,
}

/// Sources that are applied on a cluster, wherever the data is.
pub struct Remote<'a> {
    pub(crate) plans: Plans<'a>,
    pub(crate) parts: Vec<Part>,
    pub(crate) runtime: Runtime,
    pub(crate) scheduler: Scheduler,
}

/// The distinct rows of votes, and how many items have each.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// One vote per source.
    pub votes: Vec<Vec<Vote>>,
    /// One count per pattern.
    pub counts: Vec<u64>,
}

impl<'a> Remote<'a> {
    /// Makes the sources of `file`, which `applier` has checked here, ready for a cluster.
    pub fn new(
        options: &ClusterOptions,
        file: &SourcesFile,
        applier: &'a Applier<'a>,
    ) -> Result<Self, ClusterError> {
        if let Some(source) = file.sources.iter().find(|source| matches!(source.kind, Kind::Command(_))) {
            return Err(ClusterError::Command { source_name: source.name.clone(), line: source.place.0 });
        }
        if applier.data().is_stdin() {
            return Err(ClusterError::Stdin);
        }
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(32 << 20).build();
        let runtime =
            runtime.map_err(|error| ClusterError::Plan(format!("cannot start threads: {error}")))?;
        let mut scheduler = runtime.block_on(Scheduler::connect(&options.address, options.wait))?;
        let parts = applier.parts(options.rows)?;
        let (plain, why) = plain(file, applier, &parts)?;
        scheduler.why = why;
        let work = Work::new(file, applier)?.encode().map_err(ClusterError::Plan)?;
        let plans = Plans { applier, work: work.into(), plain };
        Ok(Self { plans, parts, runtime, scheduler })
    }

    /// Whether the plan is one that any Ballista can run.
    pub fn is_plain(&self) -> bool {
        self.plans.plain.is_some()
    }

    /// How many tasks the data makes.
    pub fn tasks(&self) -> usize {
        self.parts.len()
    }

    pub(crate) fn partitions(&self) -> usize {
        self.parts.len().clamp(1, MOST_PARTITIONS)
    }

    /// Applies the sources there; `take` gets the votes here, in the order of the data.
    pub fn run(
        &mut self,
        mut take: impl FnMut(&Rows) -> Result<(), ApplyError>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Summary, ClusterError> {
        let (texts, sources) = (self.plans.applier.carried().len(), self.plans.applier.sources().len());
        let mut summary = empty(sources);
        let mut failed = None;
        let started = Instant::now();
        let total = self.parts.len().max(1) as f64;
        let applied = self.each(Plans::votes, |part, batches| {
            for batch in batches {
                let rows = rows(&batch, summary.rows, texts, sources);
                let faults = batch.column(1).as_primitive::<Int32Type>();
                if let Some(at) = faults.values().iter().position(|&fault| fault != 0) {
                    failed.get_or_insert((summary.rows + at as u64, faults.value(at)));
                }
                summary.rows += rows.rows as u64;
                count(&rows.votes, 1, &mut summary);
                take(&rows)?;
                let rate = summary.rows as f64 / started.elapsed().as_secs_f64().max(1e-9);
                progress(Progress { rows: summary.rows, fraction: Some((part + 1) as f64 / total), rate });
            }
            Ok(())
        });
        applied.map_err(|error| self.explained(error))?;
        if let Some((row, source)) = failed {
            self.faults(Some((row, source as usize - 1)), &mut summary)?;
        }
        Ok(summary)
    }

    /// Counts the patterns there; only these come back.
    pub fn patterns(&mut self) -> Result<(Patterns, Summary), ClusterError> {
        let sources = self.plans.applier.sources().len();
        let config = session::config(self.partitions());
        let context = SessionContext::new_with_config(config.clone());
        for left in (0..TRIES).rev() {
            let Self { plans, parts, runtime, scheduler } = self;
            let collected = runtime.block_on(async {
                let plan = plans.patterns(&context, parts)?.create_physical_plan().await?;
                let job = scheduler.run(plan, &config).await?;
                all(scheduler, job).await
            });
            let batches: Vec<RecordBatch> = match collected {
                // Results of an executor that is lost are computed again by the others.
                Err(ClusterError::Gone { .. }) if left > 0 && self.is_there() => continue,
                collected => collected.map_err(|error| self.explained(error))?,
            };
            let mut found = Patterns::default();
            let mut summary = empty(sources);
            let mut failed = false;
            for batch in batches {
                let counts = batch.column(sources).as_primitive::<Int64Type>();
                let faults = batch.column(sources + 1).as_primitive::<Int32Type>();
                for row in 0..batch.num_rows() {
                    let vote = |i: usize| batch.column(i).as_primitive::<Int16Type>().value(row) as Vote;
                    let votes: Vec<Vote> = (0..sources).map(vote).collect();
                    let times = counts.value(row).unsigned_abs();
                    summary.rows += times;
                    count(&votes, times, &mut summary);
                    failed |= faults.value(row) != 0;
                    found.votes.push(votes);
                    found.counts.push(times);
                }
            }
            if failed {
                self.faults(None, &mut summary)?;
            }
            return Ok((found, summary));
        }
        Err(ClusterError::Plan("no try was made".to_string()))
    }

    /// Joins the items with patterns there; `take` gets what is carried of each item and the number of its pattern, in the order of
    /// the data.
    pub fn items(
        &mut self,
        patterns: &[Vec<Vote>],
        mut take: impl FnMut(&[Option<&str>], usize) -> Result<(), ApplyError>,
        progress: &dyn Fn(f64),
    ) -> Result<u64, ClusterError> {
        let texts = self.plans.applier.carried().len();
        let total = self.parts.len().max(1) as f64;
        let mut done = 0;
        self.each(
            |plans, context, parts| plans.items(context, parts, patterns, Vec::new()),
            |part, batches| {
                for batch in batches {
                    let numbers = batch.column(1).as_primitive::<UInt32Type>();
                    let columns: Vec<&StringArray> =
                        (0..texts).map(|i| batch.column(2 + i).as_string()).collect();
                    let mut cells = Vec::with_capacity(texts);
                    for row in 0..batch.num_rows() {
                        done += 1;
                        if numbers.is_null(row) {
                            let detail = format!("row {done} has votes that were not there before");
                            return Err(ClusterError::Changed { detail });
                        }
                        cells.clear();
                        cells.extend(
                            columns.iter().map(|texts| texts.is_valid(row).then(|| texts.value(row))),
                        );
                        take(&cells, numbers.value(row) as usize)?;
                    }
                }
                progress((part + 1) as f64 / total);
                Ok(())
            },
        )?;
        Ok(done)
    }

    /// Runs a plan over all parts and hands out their rows in order. Parts whose results are lost before they are fetched are
    /// computed again, with all that follow.
    fn each(
        &mut self,
        plan: impl Fn(
            &Plans<'a>,
            &SessionContext,
            &[Part],
        ) -> datafusion::error::Result<datafusion::prelude::DataFrame>,
        mut take: impl FnMut(usize, Vec<RecordBatch>) -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        let config = session::config(self.partitions());
        let context = SessionContext::new_with_config(config.clone());
        let (mut first, mut tries) = (0, TRIES);
        while first < self.parts.len() {
            let Self { plans, parts, runtime, scheduler } = self;
            let left = &parts[first..];
            let run = async {
                let plan = plan(plans, &context, left)?.create_physical_plan().await?;
                one_partition_per_part(plan.as_ref(), left.len())?;
                let job = scheduler.run(plan, &config).await?;
                let start = first;
                for (number, place) in &job.results {
                    let batches = scheduler.fetch(&job, place).await?;
                    take(start + number, batches)?;
                    first = start + number + 1;
                }
                scheduler.forget(&job).await;
                first = parts.len();
                Ok::<(), ClusterError>(())
            };
            match runtime.block_on(run) {
                Err(ClusterError::Gone { .. }) if tries > 1 && self.is_there() => tries -= 1,
                Err(error) => return Err(error),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Whether the scheduler still answers, so that trying again can help.
    fn is_there(&self) -> bool {
        self.runtime.block_on(crate::http::health(&self.scheduler.address)).is_ok()
    }
}

/// The sources as plain expressions; if they cannot be, why.
fn plain(
    file: &SourcesFile,
    applier: &Applier<'_>,
    parts: &[Part],
) -> Result<(Option<PlainVotes>, String), ClusterError> {
    let Some(plain) = applier.plan().plain()? else {
        let of_rules = |source: &&consilience_sources::Declared| {
            matches!(source.kind, Kind::Regex { .. } | Kind::Keywords { .. } | Kind::Lookup { .. })
        };
        let why = file.sources.iter().find(of_rules).map_or_else(
            || "a source reads numbers from texts".to_string(),
            |source| {
                format!("source {:?} is of kind {}, which is not plain SQL", source.name, source.kind.name())
            },
        );
        return Ok((None, why));
    };
    if applier.on_fault() != OnFault::Stop {
        return Ok((None, "failing sources should abstain".to_string()));
    }
    if parts.iter().any(|part| part.bytes.is_none()) {
        return Ok((None, "the data is not Parquet".to_string()));
    }
    let shape = |part: &Part| part.constants.iter().map(Option::is_some).collect::<Vec<_>>();
    if parts.windows(2).any(|pair| shape(&pair[0]) != shape(&pair[1])) {
        return Ok((None, "files and folders give different columns".to_string()));
    }
    Ok((Some(plain), String::new()))
}

/// A plan whose partitions are not the parts would lose the order of rows.
pub(crate) fn one_partition_per_part(plan: &dyn ExecutionPlan, parts: usize) -> Result<(), ClusterError> {
    let found = plan.properties().output_partitioning().partition_count();
    if found == parts {
        return Ok(());
    }
    Err(ClusterError::Plan(format!("{parts} parts became {found} partitions")))
}

/// All rows of a job, in any order.
pub(crate) async fn all(scheduler: &mut Scheduler, job: Finished) -> Result<Vec<RecordBatch>, ClusterError> {
    let mut batches = Vec::new();
    for (_, place) in &job.results {
        batches.extend(scheduler.fetch(&job, place).await?);
    }
    scheduler.forget(&job).await;
    Ok(batches)
}

fn empty(sources: usize) -> Summary {
    Summary { rows: 0, sources: vec![SourceSummary::default(); sources] }
}

/// Adds so many times the votes of items.
fn count(votes: &[Vote], times: u64, summary: &mut Summary) {
    for row in votes.chunks_exact(summary.sources.len().max(1)) {
        for (source, vote) in summary.sources.iter_mut().zip(row) {
            source.votes += times * u64::from(*vote != ABSTAIN);
        }
    }
}

/// The rows of a batch of votes.
fn rows(batch: &RecordBatch, first: u64, texts: usize, sources: usize) -> Rows {
    let mut votes = vec![ABSTAIN; batch.num_rows() * sources];
    for source in 0..sources {
        let column = batch.column(2 + texts + source).as_primitive::<Int16Type>();
        for (row, vote) in column.values().iter().enumerate() {
            votes[row * sources + source] = *vote as Vote;
        }
    }
    let carried = (0..texts).map(|i| batch.column(2 + i).as_string().clone()).collect();
    Rows::new(first, batch.num_rows(), votes, carried)
}
