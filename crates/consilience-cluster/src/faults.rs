//! Where sources failed on a cluster.
//!
//! Votes come back with a sign that something failed near them. Only then is the cluster asked for more, since faults are rare.

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use arrow::datatypes::{Int32Type, UInt64Type};
use consilience_sources::{ApplyError, OnFault, SourceSummary, Summary};
use datafusion::prelude::SessionContext;

use crate::node::Wanted;
use crate::remote::all;
use crate::tables::{FAULT, PART};
use crate::{ClusterError, Remote, session};

/// The part, the row in it, the source, how often it failed on rows near it, and what happened there.
type Fault = (usize, u64, usize, u64, String);

impl Remote<'_> {
    /// Finds out if sources failed: an error if that stops everything, else a part of the summary. The first row and its
    /// source may be known already, if sources are plain expressions.
    pub(crate) fn faults(
        &mut self,
        first: Option<(u64, usize)>,
        summary: &mut Summary,
    ) -> Result<(), ClusterError> {
        if self.is_plain() {
            let found = match first {
                Some(first) => Some(first),
                None => self.first_plain_fault()?,
            };
            let Some((row, source)) = found else { return Ok(()) };
            return Err(self.fault(source, row, self.plans.applier.plan().reason(source)));
        }
        let config = session::config(self.partitions());
        let Self { plans, parts, runtime, scheduler } = self;
        let batches = runtime.block_on(async {
            let job = scheduler.run(plans.node(parts, Wanted::Faults)?, &config).await?;
            all(scheduler, job).await
        })?;
        let (mut faults, starts) = read(&batches, parts.len());
        faults.sort();
        let stops = self.plans.applier.on_fault() == OnFault::Stop;
        for (part, row, source, times, message) in faults {
            let row = starts[part] + row;
            if stops {
                return Err(self.fault(source, row, message));
            }
            let source = &mut summary.sources[source];
            source.faults += times;
            source.first_fault.get_or_insert((row + 1, message));
        }
        Ok(())
    }

    /// Finds out which source failed where, if that is why a job of plain expressions failed: they say only what happened. Executors that
    /// know our functions can say more.
    pub(crate) fn explained(&mut self, error: ClusterError) -> ClusterError {
        if !matches!(error, ClusterError::Failed { .. }) {
            return error;
        }
        let Some(plain) = self.plans.plain.take() else { return error };
        let sources = vec![SourceSummary::default(); self.plans.applier.sources().len()];
        let found = self.faults(None, &mut Summary { rows: 0, sources });
        self.plans.plain = Some(plain);
        match found {
            Err(fault @ ClusterError::Apply(_)) => fault,
            _ => error,
        }
    }

    fn fault(&self, source: usize, row: u64, message: String) -> ClusterError {
        let source_name = self.plans.applier.sources().name(source).to_string();
        ApplyError::Fault { source_name, row: row + 1, message }.into()
    }

    /// The first row that fails, and its source.
    fn first_plain_fault(&mut self) -> Result<Option<(u64, usize)>, ClusterError> {
        let config = session::config(self.partitions());
        let context = SessionContext::new_with_config(config.clone());
        let Self { plans, parts, runtime, scheduler } = self;
        let batches = runtime.block_on(async {
            let votes = plans.votes(&context, parts)?.select_columns(&[PART, FAULT])?;
            let job = scheduler.run(votes.create_physical_plan().await?, &config).await?;
            all(scheduler, job).await
        })?;
        let mut row = 0;
        for batch in &batches {
            let faults = batch.column(1).as_primitive::<Int32Type>().values();
            if let Some(at) = faults.iter().position(|&fault| fault != 0) {
                return Ok(Some((row + at as u64, faults[at] as usize - 1)));
            }
            row += batch.num_rows() as u64;
        }
        Ok(None)
    }
}

/// The faults, and the row of the data that each part begins with.
fn read(batches: &[RecordBatch], parts: usize) -> (Vec<Fault>, Vec<u64>) {
    let mut rows = vec![0; parts];
    let mut faults = Vec::new();
    for batch in batches {
        let part = batch.column(0).as_primitive::<Int32Type>();
        let row = batch.column(1).as_primitive::<UInt64Type>();
        let source = batch.column(2).as_primitive::<Int32Type>();
        let times = batch.column(3).as_primitive::<UInt64Type>();
        let message = batch.column(4).as_string::<i32>();
        for i in 0..batch.num_rows() {
            let part = part.value(i) as usize;
            if source.is_null(i) {
                rows[part] = row.value(i);
            } else {
                let source = source.value(i) as usize;
                faults.push((part, row.value(i), source, times.value(i), message.value(i).to_string()));
            }
        }
    }
    let starts = rows.iter().scan(0, |sum, rows| Some(std::mem::replace(sum, *sum + rows))).collect();
    (faults, starts)
}
