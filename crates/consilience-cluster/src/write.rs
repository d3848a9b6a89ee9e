//! The node of a plan that writes labels, one file per part, on an executor.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, Int32Array, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Float64Type, Int32Type, Schema, UInt32Type};
use consilience::sources::Classes;
use consilience_io::{LabelRow, LabelWriter, Output};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, Partitioning, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::StreamExt as _;

use crate::error::marked;
use crate::tables::PART;

/// Where labels go, and what their rows need in addition to the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The folder, which all machines see.
    pub(crate) folder: PathBuf,
    pub(crate) classes: Vec<String>,
    /// The number of the first row of each part, if rows have no names.
    pub(crate) starts: Option<Vec<u64>>,
}

/// The file of a part in a folder of labels.
pub(crate) fn file_name(part: i32) -> String {
    format!("part-{part:05}.parquet")
}

/// Writes the labels of its input, whose columns are the part, the pattern, the item if it has a name, the label, the confidence and
/// the probabilities. Gives the part and the number of its rows.
#[derive(Clone, Debug)]
pub(crate) struct WriteExec {
    input: Arc<dyn ExecutionPlan>,
    target: Arc<Target>,
    properties: Arc<PlanProperties>,
}

impl WriteExec {
    pub(crate) fn new(input: Arc<dyn ExecutionPlan>, target: Arc<Target>) -> Self {
        let fields =
            vec![Field::new(PART, DataType::Int32, false), Field::new("rows", DataType::UInt64, false)];
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::new(Schema::new(fields))),
            Partitioning::UnknownPartitioning(input.output_partitioning().partition_count()),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Self { input, target, properties: Arc::new(properties) }
    }

    /// The node as bytes, without its input.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        let target = serde_json::json!({
            "folder": self.target.folder.to_string_lossy(),
            "classes": self.target.classes,
            "starts": self.target.starts,
        });
        bytes.extend_from_slice(target.to_string().as_bytes());
    }

    pub(crate) fn decode(bytes: &[u8], input: Arc<dyn ExecutionPlan>) -> Option<Self> {
        let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
        let classes = value["classes"].as_array()?.iter();
        let starts = value["starts"].as_array().map(|starts| starts.iter().map(serde_json::Value::as_u64));
        let target = Target {
            folder: PathBuf::from(value["folder"].as_str()?),
            classes: classes.map(|name| name.as_str().map(ToString::to_string)).collect::<Option<_>>()?,
            starts: starts.map_or(Some(None), |starts| starts.collect::<Option<Vec<u64>>>().map(Some))?,
        };
        Some(Self::new(input, Arc::new(target)))
    }
}

impl DisplayAs for WriteExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConsilienceWriteExec: {}", self.target.folder.display())
    }
}

impl ExecutionPlan for WriteExec {
    fn name(&self) -> &'static str {
        "ConsilienceWriteExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Arc::new(Self::new(input, Arc::clone(&self.target))))
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().unwrap_or_else(|| Arc::clone(&self.input));
        Ok(Arc::new(Self::new(input, Arc::clone(&self.target))))
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let mut labelled = self.input.execute(partition, context)?;
        let mut stream = RecordBatchReceiverStream::builder(self.schema(), 1);
        let (send, target, schema) = (stream.tx(), Arc::clone(&self.target), self.schema());
        stream.spawn(async move {
            let mut file = None;
            while let Some(batch) = labelled.next().await {
                let batch = batch?;
                if batch.num_rows() > 0 {
                    let file = match &mut file {
                        Some(file) => file,
                        none => none.insert(PartFile::create(&target, &batch)?),
                    };
                    file.add(&target, &batch)?;
                }
            }
            let Some(file) = file else { return Ok(()) };
            let (part, rows) = (file.part, file.rows);
            file.writer.finish().map_err(failed)?;
            let columns: Vec<ArrayRef> =
                vec![Arc::new(Int32Array::from(vec![part])), Arc::new(UInt64Array::from(vec![rows]))];
            let _ = send.send(Ok(RecordBatch::try_new(schema, columns)?)).await;
            Ok(())
        });
        Ok(stream.build())
    }
}

fn failed(error: impl fmt::Display) -> DataFusionError {
    DataFusionError::Execution(marked(&error.to_string()))
}

/// A file that appears when it is complete; a second try of the same task takes its place.
struct PartFile {
    writer: LabelWriter,
    part: i32,
    rows: u64,
}

impl PartFile {
    fn create(target: &Target, batch: &RecordBatch) -> Result<Self> {
        let part = batch.column(0).as_primitive::<Int32Type>().value(0);
        let classes = Classes::new(target.classes.clone()).map_err(failed)?;
        let output = Output::create(&target.folder.join(file_name(part))).map_err(failed)?;
        Ok(Self { writer: LabelWriter::new(output, &classes, None).map_err(failed)?, part, rows: 0 })
    }

    fn add(&mut self, target: &Target, batch: &RecordBatch) -> Result<()> {
        let patterns = batch.column(1).as_primitive::<UInt32Type>();
        let items: Option<&StringArray> = target.starts.is_none().then(|| batch.column(2).as_string());
        let at = 2 + usize::from(items.is_some());
        let labels = batch.column(at).as_string::<i32>();
        let confidence = batch.column(at + 1).as_primitive::<Float64Type>();
        let classes: Vec<_> = (0..target.classes.len())
            .map(|c| batch.column(at + 2 + c).as_primitive::<Float64Type>())
            .collect();
        let start =
            target.starts.as_ref().and_then(|starts| starts.get(self.part as usize)).copied().unwrap_or(0);
        let mut probabilities = vec![0.0; classes.len()];
        for row in 0..batch.num_rows() {
            let number = start + self.rows;
            if patterns.is_null(row) {
                return Err(failed(format!(
                    "the data changed while it was labelled: item {number} of {}",
                    file_name(self.part)
                )));
            }
            for (p, column) in probabilities.iter_mut().zip(&classes) {
                *p = column.value(row);
            }
            let own = number.to_string();
            let item = match items {
                Some(items) if items.is_valid(row) => items.value(row),
                Some(_) => "",
                None => &own,
            };
            let label = labels.is_valid(row).then(|| labels.value(row));
            let label =
                LabelRow { item, label, confidence: confidence.value(row), probabilities: &probabilities };
            self.writer.write(&label).map_err(failed)?;
            self.rows += 1;
        }
        Ok(())
    }
}
