//! The plans that are sent: votes, patterns, faults, and items with the number of their pattern.

use std::fs;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int16Array, RecordBatch, StringArray, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use consilience::sources::Vote;
use consilience_sources::{Applier, Part, PlainVotes};
use datafusion::common::{Column, JoinType, ScalarValue};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::functions_aggregate::expr_fn::{count, max};
use datafusion::logical_expr::{Expr, cast, lit};
use datafusion::object_store::path::Path;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{DataFrame, SessionContext};

use crate::node::{ApplyExec, Wanted};
use crate::table::NodeTable;
use crate::tables::{self, COUNT, FAULT, PART, PATTERN};

/// What all plans are made of.
pub(crate) struct Plans<'a> {
    pub(crate) applier: &'a Applier<'a>,
    pub(crate) work: Arc<[u8]>,
    /// The sources as plain expressions, if they can be and the data allows it.
    pub(crate) plain: Option<PlainVotes>,
}

fn column(name: &str) -> Expr {
    Expr::Column(Column::new_unqualified(name))
}

impl Plans<'_> {
    fn sizes(&self) -> (usize, usize) {
        (self.applier.carried().len(), self.applier.sources().len())
    }

    /// The columns of votes.
    fn votes_of(&self) -> Vec<Expr> {
        (0..self.applier.sources().len()).map(|i| column(&tables::vote(i))).collect()
    }

    /// The votes on all items of some parts, one partition each.
    pub(crate) fn votes(&self, context: &SessionContext, parts: &[Part]) -> Result<DataFrame> {
        let Some(plain) = &self.plain else {
            return context.read_table(Arc::new(NodeTable(self.node(parts, Wanted::Votes)?)));
        };
        let scan = self.scan(parts)?;
        let mut known: Vec<String> =
            scan.schema().fields().iter().map(|field| field.name().clone()).collect();
        let mut frame = context.read_table(Arc::new(NodeTable(scan)))?;
        for layer in &plain.layers {
            let kept = known.iter().map(|name| column(name));
            frame = frame.select(kept.chain(layer.iter().cloned()).collect::<Vec<_>>())?;
            known.extend(layer.iter().map(|expr| expr.schema_name().to_string()));
        }
        let mut last = vec![column(PART), plain.fault.clone().alias(FAULT)];
        for (i, name) in self.applier.carried().iter().enumerate() {
            last.push(cast(column(name), DataType::Utf8).alias(tables::carried(i)));
        }
        last.extend(plain.votes.iter().enumerate().map(|(i, vote)| vote.clone().alias(tables::vote(i))));
        frame.select(last)
    }

    /// How many items have each pattern, and whether sources failed on them.
    pub(crate) fn patterns(&self, context: &SessionContext, parts: &[Part]) -> Result<DataFrame> {
        let counted = vec![count(lit(1_i64)).alias(COUNT), max(column(FAULT)).alias(FAULT)];
        self.votes(context, parts)?.aggregate(self.votes_of(), counted)
    }

    /// The items of some parts with the number of their pattern, what is carried, and more columns of the pattern. Nothing stands
    /// for a pattern that is not one of these.
    pub(crate) fn items(
        &self,
        context: &SessionContext,
        parts: &[Part],
        patterns: &[Vec<Vote>],
        more: Vec<(Field, ArrayRef)>,
    ) -> Result<DataFrame> {
        let known = |i: usize| format!("__known_{i}");
        let (texts, sources) = self.sizes();
        let mut fields = vec![Field::new(PATTERN, DataType::UInt32, false)];
        fields.extend((0..sources).map(|i| Field::new(known(i), DataType::Int16, false)));
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(UInt32Array::from_iter_values(0..patterns.len() as u32))];
        for i in 0..sources {
            let votes = patterns.iter().map(|pattern| pattern[i] as i16);
            columns.push(Arc::new(Int16Array::from_iter_values(votes)));
        }
        let mut kept = vec![column(PART), column(PATTERN)];
        kept.extend((0..texts).map(|i| column(&tables::carried(i))));
        for (field, values) in more {
            kept.push(column(field.name()));
            fields.push(field);
            columns.push(values);
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
        let names: Vec<String> = (0..sources).map(known).collect();
        let votes: Vec<String> = (0..sources).map(tables::vote).collect();
        let left: Vec<&str> = names.iter().map(String::as_str).collect();
        let right: Vec<&str> = votes.iter().map(String::as_str).collect();
        let joined = context.read_batch(batch)?.join(
            self.votes(context, parts)?,
            JoinType::Right,
            &left,
            &right,
            None,
        )?;
        joined.select(kept)
    }

    /// Where sources failed in some parts, or how many rows these have.
    pub(crate) fn node(&self, parts: &[Part], wanted: Wanted) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = tables::parts();
        let list = |part: &Part| -> Result<Vec<RecordBatch>> {
            let text: ArrayRef = Arc::new(StringArray::from(vec![part.encode()]));
            Ok(vec![RecordBatch::try_new(Arc::clone(&schema), vec![text])?])
        };
        let lists = parts.iter().map(list).collect::<Result<Vec<_>>>()?;
        let input = MemorySourceConfig::try_new_exec(&lists, Arc::clone(&schema), None)?;
        Ok(Arc::new(ApplyExec::new(input, Arc::clone(&self.work), wanted, self.sizes())))
    }

    /// A scan that any executor can do: the columns that are read, those that folders give, and the number of the part.
    fn scan(&self, parts: &[Part]) -> Result<Arc<dyn ExecutionPlan>> {
        let fields = self.applier.plan().columns().fields();
        let constants = parts.first().map_or(&[][..], |part| &part.constants);
        let is_constant = |i: usize| constants.get(i).is_some_and(Option::is_some);
        let (of_folders, of_files): (Vec<_>, Vec<_>) =
            fields.iter().enumerate().partition(|(i, _)| is_constant(*i));
        let of_files: SchemaRef = Arc::new(Schema::new(
            of_files.into_iter().map(|(_, field)| Arc::clone(field)).collect::<Vec<_>>(),
        ));
        let mut added = vec![Arc::new(Field::new(PART, DataType::Int32, false))];
        added.extend(of_folders.iter().map(|(_, field)| Arc::clone(field)));
        let groups = parts.iter().map(|part| {
            let path = Path::from_absolute_path(part.path())
                .map_err(|error| DataFusionError::Execution(error.to_string()))?;
            let size = fs::metadata(part.path())?.len();
            let mut values = vec![ScalarValue::Int32(Some(part.number as i32))];
            values.extend(of_folders.iter().map(|(i, _)| {
                ScalarValue::Utf8(part.constants[*i].clone().filter(|value| !value.is_empty()))
            }));
            let mut file = PartitionedFile::new(String::new(), size).with_partition_values(values);
            file.object_meta.location = path;
            if let Some((from, to)) = part.bytes {
                file = file.with_range(from, to.min(i64::try_from(size).unwrap_or(i64::MAX)));
            }
            Ok(FileGroup::new(vec![file]))
        });
        let groups = groups.collect::<Result<Vec<_>>>()?;
        let source =
            ParquetSource::new(TableSchema::builder(of_files).with_table_partition_cols(added).build());
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), Arc::new(source))
            .with_file_groups(groups)
            .with_preserve_order(true)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
