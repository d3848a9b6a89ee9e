//! What reads and evaluates SQL expressions: the parts of DataFusion that know expressions, without those that know tables,
//! which take most of its time to build.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion_common::config::ConfigOptions;
use datafusion_common::{DFSchema, DataFusionError, Result, TableReference, plan_err};
use datafusion_expr::execution_props::ExecutionProps;
use datafusion_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion_expr::planner::{ContextProvider, ExprPlanner};
use datafusion_expr::simplify::SimplifyContext;
use datafusion_expr::{AggregateUDF, Expr, HigherOrderUDF, ScalarUDF, TableSource, WindowUDF};
use datafusion_optimizer::simplify_expressions::ExprSimplifier;
use datafusion_physical_expr::{PhysicalExpr, create_physical_expr};
use datafusion_sql::parser::DFParserBuilder;
use datafusion_sql::planner::{ParserOptions, PlannerContext, SqlToRel};
use datafusion_sql::sqlparser::ast::ExprWithAlias;
use hashbrown::HashMap;

use super::many_rows::MANY_ROWS;

/// Functions, and how texts become expressions.
pub(super) struct Session {
    functions: HashMap<String, Arc<ScalarUDF>>,
    planners: Vec<Arc<dyn ExprPlanner>>,
    options: Arc<ConfigOptions>,
}

impl Session {
    pub(super) fn new() -> Self {
        let mut functions = HashMap::new();
        for function in datafusion_functions::all_default_functions() {
            let names = function.aliases().iter().cloned().chain([function.name().to_string()]);
            functions.extend(names.map(|name| (name, function.clone())));
        }
        Self {
            functions,
            planners: vec![
                Arc::new(datafusion_functions::core::planner::CoreFunctionPlanner::default()),
                Arc::new(datafusion_functions::datetime::planner::DatetimeFunctionPlanner),
                Arc::new(datafusion_functions::unicode::planner::UnicodeFunctionPlanner),
            ],
            options: Arc::new(ConfigOptions::default()),
        }
    }

    /// What `text` says, before anything is known of columns and functions.
    pub(super) fn parse(&self, text: &str) -> Result<ExprWithAlias> {
        let limit = self.options.sql_parser.recursion_limit.get();
        DFParserBuilder::new(text).with_recursion_limit(limit).build()?.parse_into_expr()
    }

    /// `text` as an expression over columns.
    pub(super) fn expr(&self, text: &str, columns: &DFSchema) -> Result<Expr> {
        let parser = &self.options.sql_parser;
        let options = ParserOptions {
            parse_float_as_decimal: parser.parse_float_as_decimal,
            // Columns are called what they are called.
            enable_ident_normalization: false,
            enable_options_value_normalization: parser.enable_options_value_normalization,
            support_varchar_with_length: parser.support_varchar_with_length,
            map_string_types_to_utf8view: parser.map_string_types_to_utf8view,
            collect_spans: parser.collect_spans,
            default_null_ordering: parser.default_null_ordering.as_str().into(),
        };
        let reader = SqlToRel::new_with_options(self, options);
        reader.sql_to_expr_with_alias(self.parse(text)?, columns, &mut PlannerContext::new())
    }

    /// What evaluates `expr` over batches with these columns.
    pub(super) fn physical(&self, expr: Expr, columns: &DFSchema) -> Result<Arc<dyn PhysicalExpr>> {
        let props = ExecutionProps::new();
        let context = SimplifyContext::builder()
            .with_schema(Arc::new(columns.clone()))
            .with_config_options(self.options.clone())
            .with_query_execution_start_time(props.query_execution_start_time)
            .build();
        let simplifier = ExprSimplifier::new(context);
        // Some functions, such as coalesce, exist only as what they are simplified to.
        let expr = simplifier.simplify(simplifier.coerce(expr, columns)?)?;
        create_physical_expr(&expr, columns, &props, &PhysicalPlanningContext::default())
    }
}

impl ContextProvider for Session {
    fn get_table_source(&self, name: TableReference) -> Result<Arc<dyn TableSource>, DataFusionError> {
        plan_err!("table '{name}' not found")
    }

    fn get_expr_planners(&self) -> &[Arc<dyn ExprPlanner>] {
        &self.planners
    }

    fn get_function_meta(&self, name: &str) -> Option<Arc<ScalarUDF>> {
        self.functions.get(name).cloned()
    }

    fn get_higher_order_meta(&self, _: &str) -> Option<Arc<HigherOrderUDF>> {
        None
    }

    fn get_aggregate_meta(&self, _: &str) -> Option<Arc<AggregateUDF>> {
        None
    }

    fn get_window_meta(&self, _: &str) -> Option<Arc<WindowUDF>> {
        None
    }

    fn get_variable_type(&self, _: &[String]) -> Option<DataType> {
        None
    }

    fn options(&self) -> &ConfigOptions {
        &self.options
    }

    fn udf_names(&self) -> Vec<String> {
        sorted(self.functions.keys())
    }

    fn higher_order_function_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn udaf_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn udwf_names(&self) -> Vec<String> {
        MANY_ROWS.map(str::to_string).to_vec()
    }
}

/// In an order that does not change from run to run: suggestions come from it.
fn sorted<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = names.cloned().collect();
    names.sort();
    names
}
