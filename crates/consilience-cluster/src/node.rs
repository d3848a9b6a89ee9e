//! The node of a plan that applies sources to parts of the data, on an executor.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow::array::{Array as _, ArrayRef, Int16Array, Int32Array, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::SchemaRef;
use consilience_sources::{Part, Rows, Work, Worker};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::common::collect;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning, PlanProperties,
    ReplaceChildrenOptions,
};

use crate::error::marked;
use crate::tables;

/// What is asked of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Their votes.
    Votes,
    /// Where they failed, and how many rows there are.
    Faults,
    /// How many rows there are.
    Rows,
}

impl Wanted {
    const ALL: [Self; 3] = [Self::Votes, Self::Faults, Self::Rows];
}

/// Applies sources to the parts that its input lists, one task per part.
///
/// The scheduler gives each task its share of the input, so that the list of parts is what is distributed.
#[derive(Clone, Debug)]
pub(crate) struct ApplyExec {
    input: Arc<dyn ExecutionPlan>,
    work: Arc<[u8]>,
    wanted: Wanted,
    texts: usize,
    sources: usize,
    properties: Arc<PlanProperties>,
}

impl ApplyExec {
    pub(crate) fn new(
        input: Arc<dyn ExecutionPlan>,
        work: Arc<[u8]>,
        wanted: Wanted,
        (texts, sources): (usize, usize),
    ) -> Self {
        let schema = match wanted {
            Wanted::Votes => tables::votes(texts, sources),
            Wanted::Faults | Wanted::Rows => tables::faults(),
        };
        let parts = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(parts),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { input, work, wanted, texts, sources, properties: Arc::new(properties) }
    }

    /// The node as bytes, without its input.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.wanted as u8);
        bytes.extend((self.texts as u32).to_le_bytes());
        bytes.extend((self.sources as u32).to_le_bytes());
        bytes.extend_from_slice(&self.work);
    }

    pub(crate) fn decode(bytes: &[u8], input: Arc<dyn ExecutionPlan>) -> Option<Self> {
        let (head, work) = bytes.split_at_checked(9)?;
        let wanted = *Wanted::ALL.get(usize::from(head[0]))?;
        let number = |at: usize| Some(u32::from_le_bytes(head[at..at + 4].try_into().ok()?) as usize);
        Some(Self::new(input, work.into(), wanted, (number(1)?, number(5)?)))
    }
}

impl DisplayAs for ApplyExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConsilienceApplyExec: {:?} of {} sources", self.wanted, self.sources)
    }
}

impl ExecutionPlan for ApplyExec {
    fn name(&self) -> &'static str {
        "ConsilienceApplyExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    /// A part must stay one task.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Arc::new(Self::new(input, Arc::clone(&self.work), self.wanted, (self.texts, self.sources))))
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Arc::new(Self::new(input, Arc::clone(&self.work), self.wanted, (self.texts, self.sources))))
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let listed = self.input.execute(partition, context)?;
        let mut stream = RecordBatchReceiverStream::builder(self.schema(), 2);
        let send = stream.tx();
        let (work, wanted, schema) = (Arc::clone(&self.work), self.wanted, self.schema());
        stream.spawn(async move {
            let parts = parts(&collect(listed).await?)?;
            // Reading and matching block; the runtime's own threads stay free to answer.
            let done = tokio::task::spawn_blocking(move || {
                let worker = worker(&work)?;
                let mut take = |batch: Result<RecordBatch>| send.blocking_send(batch).is_ok();
                parts.iter().try_for_each(|part| run(&worker, part, wanted, &schema, &mut take))
            });
            done.await.map_err(|error| DataFusionError::Execution(marked(&error.to_string())))?
        });
        Ok(stream.build())
    }
}

fn failed(error: impl fmt::Display) -> DataFusionError {
    DataFusionError::Execution(marked(&error.to_string()))
}

/// The parts that a task was given.
fn parts(batches: &[RecordBatch]) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for batch in batches {
        let texts = batch.column(0).as_any().downcast_ref::<StringArray>();
        let texts = texts.ok_or_else(|| failed("the list of parts is not text"))?;
        for text in texts.iter().flatten() {
            parts.push(Part::decode(text).map_err(failed)?);
        }
    }
    Ok(parts)
}

/// Sources that are ready. Tasks of one job, and jobs that follow each other, share them: automata and dictionaries are large.
fn worker(work: &Arc<[u8]>) -> Result<Arc<Worker>> {
    const MOST: usize = 4;
    type Ready = Vec<(Arc<[u8]>, Arc<Worker>)>;
    static READY: OnceLock<Mutex<Ready>> = OnceLock::new();
    // Held while sources are made ready, so that tasks that start together make them once.
    let mut ready = READY.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, worker)) = ready.iter().find(|(known, _)| known == work) {
        return Ok(Arc::clone(worker));
    }
    let worker = Work::decode(work).map_err(failed)?.start().map_err(failed)?;
    let worker = Arc::new(worker);
    if ready.len() == MOST {
        ready.remove(0);
    }
    ready.push((Arc::clone(work), Arc::clone(&worker)));
    Ok(worker)
}

fn run(
    worker: &Worker,
    part: &Part,
    wanted: Wanted,
    schema: &SchemaRef,
    take: &mut dyn FnMut(Result<RecordBatch>) -> bool,
) -> Result<()> {
    let number = part.number as i32;
    let mut rows = 0;
    match wanted {
        Wanted::Rows => rows = worker.count(part).map_err(failed)?,
        Wanted::Votes => worker.run(part, |found| take(votes(&found, number, schema))).map_err(failed)?,
        Wanted::Faults => worker
            .run(part, |found| {
                rows += found.rows as u64;
                faults(&found, number, schema).is_none_or(&mut *take)
            })
            .map_err(failed)?,
    }
    if wanted != Wanted::Votes {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int32Array::from(vec![number])),
            Arc::new(UInt64Array::from(vec![rows])),
            Arc::new(Int32Array::from(vec![None])),
            Arc::new(UInt64Array::from(vec![0])),
            Arc::new(StringArray::from(vec![""])),
        ];
        take(Ok(RecordBatch::try_new(Arc::clone(schema), columns)?));
    }
    Ok(())
}

fn votes(found: &Rows, part: i32, schema: &SchemaRef) -> Result<RecordBatch> {
    let width = found.votes.len() / found.rows.max(1);
    let mut fault = vec![0; found.rows];
    if let Some(first) = fault.first_mut() {
        *first = i32::from(found.faults().next().is_some());
    }
    let mut columns: Vec<ArrayRef> =
        vec![Arc::new(Int32Array::from(vec![part; found.rows])), Arc::new(Int32Array::from(fault))];
    columns.extend(found.carried.iter().map(|texts| Arc::new(texts.clone()) as ArrayRef));
    for source in 0..width {
        let votes = found.votes.iter().skip(source).step_by(width).map(|&vote| vote as i16);
        columns.push(Arc::new(Int16Array::from_iter_values(votes)));
    }
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

fn faults(found: &Rows, part: i32, schema: &SchemaRef) -> Option<Result<RecordBatch>> {
    let faults: Vec<_> = found.faults().collect();
    if faults.is_empty() {
        return None;
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![part; faults.len()])),
        Arc::new(UInt64Array::from_iter_values(faults.iter().map(|fault| fault.row))),
        Arc::new(Int32Array::from_iter_values(faults.iter().map(|fault| fault.source as i32))),
        Arc::new(UInt64Array::from_iter_values(faults.iter().map(|fault| fault.count))),
        Arc::new(StringArray::from_iter_values(faults.iter().map(|fault| &fault.message))),
    ];
    Some(RecordBatch::try_new(Arc::clone(schema), columns).map_err(Into::into))
}
