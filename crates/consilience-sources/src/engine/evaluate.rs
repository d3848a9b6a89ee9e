//! Evaluates a plan on one batch; a fault of one source on one row costs that vote only.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, Int16Array, RecordBatch, RecordBatchOptions, StringArray};
use arrow::compute::concat;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use consilience::sources::{ABSTAIN, Vote};
use datafusion_common::DFSchema;
use datafusion_physical_expr::PhysicalExpr;

use super::class::{FAULT, NO, texts};
use super::error::ApplyError;
use super::plan::Plan;
use super::sql::told;
use crate::rules::reason;

/// Faults of one source on some items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFault {
    /// The source.
    pub source: usize,
    /// On how many items it failed.
    pub count: u64,
    /// The first of them.
    pub row: u64,
    /// What happened there.
    pub message: String,
}

/// The votes on some items, in the order of the data.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The number of the first item, from 0.
    pub first: u64,
    /// How many items there are.
    pub rows: usize,
    /// One vote per source, item by item.
    pub votes: Vec<Vote>,
    /// The requested columns, as texts.
    pub carried: Vec<StringArray>,
    /// Faults: the source, how many, the first one's row and what happened.
    pub(super) faults: Vec<(usize, u64, u64, String)>,
}

impl Rows {
    /// Votes computed elsewhere: `rows` items from number `first` on, and the requested columns.
    pub fn new(first: u64, rows: usize, votes: Vec<Vote>, carried: Vec<StringArray>) -> Self {
        Self { first, rows, votes, carried, faults: Vec::new() }
    }

    /// Where sources failed, one entry per source.
    pub fn faults(&self) -> impl Iterator<Item = RowFault> {
        let fault = |(source, count, row, message): &(usize, u64, u64, String)| RowFault {
            source: *source,
            count: *count,
            row: *row,
            message: message.clone(),
        };
        self.faults.iter().map(fault)
    }

    /// The cells of the requested columns, of one row; `None` if there is none.
    pub fn texts(&self, row: usize) -> impl Iterator<Item = Option<&str>> {
        self.carried.iter().map(move |column| column.is_valid(row).then(|| column.value(row)))
    }
}

struct Compiled {
    expr: Arc<dyn PhysicalExpr>,
    source: Option<usize>,
}

/// A plan whose expressions are compiled.
pub(super) struct Evaluator<'a> {
    plan: &'a Plan,
    layers: Vec<Vec<Compiled>>,
    /// The columns after each layer, the data's own first.
    schemas: Vec<SchemaRef>,
    carried: Vec<usize>,
    /// Whether only the first fault of a source in a batch matters.
    first_fault_only: bool,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(plan: &'a Plan, carried: &[String]) -> Result<Self, ApplyError> {
        let mut schema = plan.schema.clone();
        let mut schemas = vec![schema.clone()];
        let mut layers = Vec::new();
        for layer in &plan.layers {
            let known = DFSchema::try_from(schema.as_ref().clone())
                .map_err(|error| ApplyError::Sink(Box::new(error)))?;
            let mut fields: Vec<Field> = schema.fields().iter().map(|field| field.as_ref().clone()).collect();
            let mut compiled = Vec::new();
            for step in layer {
                let expr = plan.session.physical(step.expr.clone(), &known);
                let expr = expr.map_err(|error| match step.source {
                    Some(i) => ApplyError::Source {
                        source_name: plan.sources[i].name.clone(),
                        line: plan.sources[i].place.0,
                        message: told(&error),
                    },
                    None => ApplyError::Sink(Box::new(error)),
                })?;
                let returns = expr.data_type(&schema).unwrap_or(DataType::Int16);
                fields.push(Field::new(&step.name, returns, true));
                compiled.push(Compiled { expr, source: step.source });
            }
            schema = Arc::new(Schema::new(fields));
            schemas.push(schema.clone());
            layers.push(compiled);
        }
        let position = |name: &String| plan.schema.index_of(name).unwrap_or(0);
        let carried = carried.iter().map(position).collect();
        Ok(Self { plan, layers, schemas, carried, first_fault_only: false })
    }

    /// A source that failed on a row is not asked about the rows behind it in the batch, which count as failed.
    pub(super) fn with_first_fault_only(self, first_fault_only: bool) -> Self {
        Self { first_fault_only, ..self }
    }

    /// The votes on a batch whose first row is number `first` of the data.
    pub(super) fn votes(&self, batch: RecordBatch, first: u64) -> Result<Rows, ApplyError> {
        let count = batch.num_rows();
        let mut faults = Vec::new();
        let carried = self.carried.iter().map(|&at| texts(batch.column(at))).collect::<Result<Vec<_>, _>>();
        let carried = carried.map_err(|message| ApplyError::Sink(message.into()))?;
        let mut votes = vec![ABSTAIN; count * self.plan.sources.len()];
        let mut all = batch;
        for (layer, schema) in self.layers.iter().zip(&self.schemas[1..]) {
            let mut columns = all.columns().to_vec();
            for step in layer {
                let found = self.evaluate(step, &all, first, &mut faults)?;
                if let Some(source) = step.source {
                    self.take(source, &found, first, &mut votes, &mut faults);
                }
                columns.push(found);
            }
            let options = RecordBatchOptions::new().with_row_count(Some(count));
            all = RecordBatch::try_new_with_options(schema.clone(), columns, &options)
                .map_err(|error| ApplyError::Sink(Box::new(error)))?;
        }
        Ok(Rows { first, rows: count, votes, carried, faults: summed(faults) })
    }

    /// The column of a step. Where the expression fails on the batch, it is halved until the failing rows are isolated.
    fn evaluate(
        &self,
        step: &Compiled,
        batch: &RecordBatch,
        first: u64,
        faults: &mut Vec<(usize, u64, u64, String)>,
    ) -> Result<ArrayRef, ApplyError> {
        let rows = batch.num_rows();
        let result = step.expr.evaluate(batch).and_then(|value| value.into_array(rows));
        let error = match (result, step.source) {
            (Ok(column), _) => return Ok(column),
            (Err(error), None) => return Err(ApplyError::Sink(Box::new(error))),
            (Err(error), Some(source)) => (source, told(&error)),
        };
        let (source, message) = error;
        // A program that cannot be asked does not fail on single rows.
        if self.plan.judges[source].is_some() {
            let name = &self.plan.sources[source];
            return Err(ApplyError::Source { source_name: name.name.clone(), line: name.place.0, message });
        }
        if rows <= 1 {
            faults.push((source, 1, first, message));
            return Ok(Arc::new(Int16Array::from(vec![Some(FAULT); rows])));
        }
        let half = rows / 2;
        let before = faults.len();
        let front = self.evaluate(step, &batch.slice(0, half), first, faults)?;
        if self.first_fault_only && faults.len() > before {
            let rest: ArrayRef = Arc::new(Int16Array::from(vec![Some(FAULT); rows - half]));
            return concat(&[&front, &rest]).map_err(|error| ApplyError::Sink(Box::new(error)));
        }
        let back = self.evaluate(step, &batch.slice(half, rows - half), first + half as u64, faults)?;
        concat(&[&front, &back]).map_err(|error| ApplyError::Sink(Box::new(error)))
    }

    /// Writes a source's votes into the rows.
    fn take(
        &self,
        source: usize,
        found: &ArrayRef,
        first: u64,
        votes: &mut [Vote],
        faults: &mut Vec<(usize, u64, u64, String)>,
    ) {
        let Some(found) = found.as_any().downcast_ref::<Int16Array>() else { return };
        let width = self.plan.sources.len();
        let otherwise = self.plan.otherwise[source];
        // Those of an expression that failed are noted already.
        let noted: Vec<u64> = faults.iter().filter(|fault| fault.0 == source).map(|fault| fault.2).collect();
        for row in 0..found.len() {
            votes[row * width + source] = match found.is_valid(row).then(|| found.value(row)) {
                None => ABSTAIN,
                Some(NO) => otherwise,
                Some(FAULT) => {
                    let number = first + row as u64;
                    if noted.binary_search(&number).is_err() {
                        faults.push((source, 1, number, self.reason(source)));
                    }
                    ABSTAIN
                }
                Some(class) => class as Vote,
            };
        }
    }

    fn reason(&self, source: usize) -> String {
        self.plan.reason(source)
    }
}

impl Plan {
    /// What a fault of a source means that is not an error of the engine.
    pub fn reason(&self, source: usize) -> String {
        if let Some(problem) = self.judges[source].as_ref().and_then(|judge| judge.first_problem()) {
            return problem;
        }
        reason(&self.sources[source].kind, &self.classes)
    }
}

/// One entry per source: how many faults, and the first of them.
fn summed(mut faults: Vec<(usize, u64, u64, String)>) -> Vec<(usize, u64, u64, String)> {
    faults.sort_by_key(|fault| (fault.0, fault.2));
    let mut all: Vec<(usize, u64, u64, String)> = Vec::new();
    for fault in faults {
        match all.last_mut() {
            Some(last) if last.0 == fault.0 => last.1 += fault.1,
            _ => all.push(fault),
        }
    }
    all
}
