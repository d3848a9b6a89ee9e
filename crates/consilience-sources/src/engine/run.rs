//! From sources and data to votes.

use std::path::PathBuf;
use std::time::Instant;

use consilience::sources::{ABSTAIN, Classes, Sources};

use super::data::Data;
use super::error::ApplyError;
use super::evaluate::{Evaluator, RowFault, Rows};
use super::open;
use super::pipeline::ordered;
use super::plan::{Plan, PlanOptions};
use crate::file::SourcesFile;

/// What happens if a source fails on an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFault {
    /// Nothing more is done.
    #[default]
    Stop,
    /// The source abstains on the item, and the fault is counted.
    Abstain,
}

/// How sources are applied.
#[derive(Clone, Debug, Default)]
pub struct ApplyOptions {
    /// Columns of the data that are carried to the result.
    pub carried: Vec<String>,
    /// What happens if a source fails.
    pub on_fault: OnFault,
    /// Whether the file's programs may run.
    pub allow_commands: bool,
    /// Where programs' answers are kept; nowhere without.
    pub cache: Option<PathBuf>,
    /// Threads; 0 for all cores.
    pub threads: usize,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Items done.
    pub rows: u64,
    /// The part of the data that has been read, if its length is known.
    pub fraction: Option<f64>,
    /// Items per second so far.
    pub rate: f64,
}

/// What became of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceSummary {
    /// Its votes.
    pub votes: u64,
    /// Items on which it failed.
    pub faults: u64,
    /// The first of them: the row, from 1, and what happened.
    pub first_fault: Option<(u64, String)>,
}

impl SourceSummary {
    pub(super) fn add(&mut self, fault: RowFault) {
        self.faults += fault.count;
        self.first_fault.get_or_insert((fault.row + 1, fault.message));
    }
}

/// What became of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Items.
    pub rows: u64,
    /// One entry per source.
    pub sources: Vec<SourceSummary>,
}

/// Sources that are ready to be applied to data.
pub struct Applier<'a> {
    plan: Plan,
    data: &'a Data,
    options: ApplyOptions,
    sources: Sources,
}

impl<'a> Applier<'a> {
    /// Makes everything ready and checks the sources against the columns of the data; reads no more than its head.
    pub fn new(file: &SourcesFile, data: &'a Data, options: ApplyOptions) -> Result<Self, ApplyError> {
        let needs = PlanOptions {
            allow_commands: options.allow_commands,
            cache: options.cache.as_deref(),
            carried: &options.carried,
        };
        let plan = Plan::new(file, data, needs)?;
        let names = file.sources.iter().map(|source| source.name.clone()).collect();
        let sources = Sources::new(names).map_err(|error| ApplyError::Sink(Box::new(error)))?;
        Ok(Self { plan, data, options, sources })
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.plan.classes
    }

    /// The sources.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The data.
    pub fn data(&self) -> &Data {
        self.data
    }

    /// The columns that are carried to the result.
    pub fn carried(&self) -> &[String] {
        &self.options.carried
    }

    /// What happens if a source fails.
    pub fn on_fault(&self) -> OnFault {
        self.options.on_fault
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Applies the sources; `take` gets the votes in the order of the data, whatever the number of threads and files.
    pub fn run(
        &self,
        mut take: impl FnMut(&Rows) -> Result<(), ApplyError>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Summary, ApplyError> {
        let evaluator = Evaluator::new(&self.plan, &self.options.carried)?
            .with_first_fault_only(self.options.on_fault == OnFault::Stop);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.options.threads == 0 { cores } else { self.options.threads };
        let width = self.sources.len();
        let mut summary = Summary { rows: 0, sources: vec![SourceSummary::default(); width] };
        let started = Instant::now();
        let schema = self.plan.schema.clone();
        ordered(
            threads,
            |send| {
                let mut first = 0;
                let read = |batch: arrow::array::RecordBatch, fraction| {
                    let start = first;
                    first += batch.num_rows() as u64;
                    send((batch, start, fraction))
                };
                let mut read = read;
                open::read(self.data, &schema, &mut read).map_err(ApplyError::from)
            },
            |(batch, start, fraction)| Ok((evaluator.votes(batch, start)?, fraction)),
            |(rows, fraction)| {
                self.count(&rows, &mut summary)?;
                take(&rows)?;
                let rate = summary.rows as f64 / started.elapsed().as_secs_f64().max(1e-9);
                progress(Progress { rows: summary.rows, fraction, rate });
                Ok(())
            },
        )?;
        Ok(summary)
    }

    fn count(&self, rows: &Rows, summary: &mut Summary) -> Result<(), ApplyError> {
        if self.options.on_fault == OnFault::Stop
            && let Some((source, _, row, message)) = rows.faults.iter().min_by_key(|fault| (fault.2, fault.0))
        {
            let source_name = self.sources.name(*source).to_string();
            return Err(ApplyError::Fault { source_name, row: row + 1, message: message.clone() });
        }
        summary.rows += rows.rows as u64;
        for row in rows.votes.chunks_exact(self.sources.len()) {
            for (source, vote) in summary.sources.iter_mut().zip(row) {
                source.votes += u64::from(*vote != ABSTAIN);
            }
        }
        rows.faults().for_each(|fault| summary.sources[fault.source].add(fault));
        Ok(())
    }
}
