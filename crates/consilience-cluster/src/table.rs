//! A node of a plan as a table, so that the engine plans what is above it.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::datasource::{TableProvider, TableType};
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;

/// The rows that a node gives.
#[derive(Debug)]
pub(crate) struct NodeTable(pub(crate) Arc<dyn ExecutionPlan>);

#[async_trait]
impl TableProvider for NodeTable {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(kept) = projection else { return Ok(Arc::clone(&self.0)) };
        let schema = self.0.schema();
        let column = |&at: &usize| {
            let name = schema.field(at).name();
            (Arc::new(Column::new(name, at)) as Arc<dyn PhysicalExpr>, name.clone())
        };
        Ok(Arc::new(ProjectionExec::try_new(kept.iter().map(column), Arc::clone(&self.0))?))
    }
}
