//! SQL expressions: parsed, refused if they are more than an expression, typed by the data.

use arrow::datatypes::DataType;
use datafusion_common::tree_node::{Transformed, TreeNode as _, TreeNodeRecursion};
use datafusion_common::{Column, DFSchema, DataFusionError};
use datafusion_expr::{Expr, ExprSchemable as _, Volatility, cast};

use super::growth;
use super::many_rows::looks_at_many_rows;
use super::session::Session;
use super::survey::Survey;

/// Longer expressions are made by programs, which can use several sources.
const MOST_BYTES: usize = 10_000;

/// Deeper expressions are chains that a list would say in one word.
const MOST_DEPTH: usize = 200;

/// Room for expressions that are too deep, until that is known.
const STACK: usize = 256 << 20;

/// Functions whose result can be of any size, whatever the data.
const UNBOUNDED: [&str; 3] = ["repeat", "lpad", "rpad"];

/// An expression over columns of the data.
pub(super) struct Sql {
    /// With columns of text read as what their cells mean.
    pub(super) expr: Expr,
    pub(super) columns: Vec<String>,
    pub(super) returns: DataType,
}

/// Whether `text` can be an expression at all; what its columns are shows only with data.
pub(super) fn check(text: &str, session: &Session) -> Result<(), String> {
    on_a_large_stack(|| check_here(text, session))
}

/// Expressions are trees that are walked, and a deep one needs a deep stack.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("no thread to read the SQL in: {error}"))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// How deep an expression is.
fn depth(expr: &Expr) -> usize {
    let mut deepest = 0;
    // The closure never fails.
    let _ = expr.apply_children(|part| {
        deepest = deepest.max(depth(part));
        Ok(TreeNodeRecursion::Continue)
    });
    deepest + 1
}

fn check_here(text: &str, session: &Session) -> Result<(), String> {
    if text.len() > MOST_BYTES {
        return Err(format!("the SQL has more than {MOST_BYTES} bytes; split it into several sources"));
    }
    session.parse(text).map(drop).map_err(|error| format!("the SQL is not an expression: {}", told(&error)))
}

/// Reads an expression over the columns of `survey`.
pub(super) fn parse(text: &str, survey: &Survey, session: &Session) -> Result<Sql, String> {
    on_a_large_stack(|| parse_here(text, survey, session))
}

fn parse_here(text: &str, survey: &Survey, session: &Session) -> Result<Sql, String> {
    check_here(text, session)?;
    let meant = DFSchema::try_from(survey.meant()).map_err(|error| told(&error))?;
    let wrong = |error: DataFusionError| {
        let message = told(&error);
        match missing_column(&message) {
            Some(column) => {
                let columns: Vec<&str> = survey.columns.iter().map(|field| field.name().as_str()).collect();
                format!("the data has no column {column}; the columns are {}", columns.join(", "))
            }
            None if message.starts_with("table '") => {
                "the SQL is not an expression over one row: it names a table; a query inside is not allowed"
                    .to_string()
            }
            None => match unknown_function(&message) {
                Some(name) if looks_at_many_rows(name) => not_one_row(name),
                _ => format!("the SQL cannot be used: {message}"),
            },
        }
    };
    let expr = session.expr(text, &meant).map_err(wrong)?;
    if depth(&expr) > MOST_DEPTH {
        return Err(format!(
            "the SQL is nested more than {MOST_DEPTH} deep; write x IN (...) instead of a long chain, or several sources"
        ));
    }
    refuse(&expr)?;
    growth::refuse(&expr)?;
    // A plan for it shows what types only let appear.
    session.physical(expr.clone(), &meant).map_err(wrong)?;
    let returns = expr.get_type(&meant).map_err(wrong)?;
    let mut columns: Vec<String> = expr.column_refs().into_iter().map(|column| column.name.clone()).collect();
    columns.sort();
    let expr = as_meant(expr, survey).map_err(wrong)?;
    Ok(Sql { expr, columns, returns })
}

/// Only what is a function of one row: no queries, no aggregates, nothing random, nothing of unbounded size.
fn refuse(expr: &Expr) -> Result<(), String> {
    let mut problem = None;
    let walked = expr.apply(|part| {
        let found = match part {
            Expr::ScalarSubquery(_) | Expr::Exists(_) | Expr::InSubquery(_) | Expr::SetComparison(_) => Some(
                "a query inside an expression is not allowed; write an expression over the columns"
                    .to_string(),
            ),
            Expr::Placeholder(_) | Expr::ScalarVariable(..) => Some("variables are not allowed".to_string()),
            Expr::ScalarFunction(f) if f.func.signature().volatility == Volatility::Volatile => {
                Some(format!("{} gives a different result each time", f.name()))
            }
            Expr::ScalarFunction(f) if UNBOUNDED.contains(&f.name()) => {
                Some(format!("{} can produce texts of any length and is not allowed", f.name()))
            }
            _ => None,
        };
        problem = found;
        Ok(if problem.is_some() { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    walked.map_err(|error| told(&error))?;
    problem.map_or(Ok(()), |problem| Err(format!("the SQL is not an expression over one row: {problem}")))
}

/// Columns of text whose cells are numbers become numbers.
fn as_meant(expr: Expr, survey: &Survey) -> Result<Expr, DataFusionError> {
    let changed = expr.transform(|part| {
        let Expr::Column(Column { name, .. }) = &part else { return Ok(Transformed::no(part)) };
        let meaning = survey.position(name).and_then(|at| survey.meaning[at].clone());
        Ok(match meaning {
            // What is a cast already must not be cast again.
            Some(meaning) => Transformed::new(cast(part, meaning), true, TreeNodeRecursion::Jump),
            None => Transformed::no(part),
        })
    })?;
    Ok(changed.data)
}

/// What the engine says, in one line and without its own prefixes.
pub(super) fn told(error: &DataFusionError) -> String {
    let root = error.find_root().to_string();
    let line = root.split_whitespace().collect::<Vec<_>>().join(" ");
    let prefixes =
        ["Schema error: ", "Error during planning: ", "SQL error: ", "Execution error: ", "Arrow error: "];
    let mut line = line.as_str();
    while let Some(rest) = prefixes.iter().find_map(|prefix| line.strip_prefix(prefix)) {
        line = rest;
    }
    let line = line.strip_prefix("ParserError(\"").and_then(|line| line.strip_suffix("\")")).unwrap_or(line);
    line.split("This issue was likely caused by a bug").next().unwrap_or(line).trim_end().to_string()
}

fn not_one_row(function: &str) -> String {
    format!(
        "the SQL is not an expression over one row: {function} looks at many rows; a source sees one item"
    )
}

fn unknown_function(message: &str) -> Option<&str> {
    message.strip_prefix("Invalid function '")?.split('\'').next()
}

fn missing_column(message: &str) -> Option<String> {
    let rest = message.strip_prefix("No field named ")?;
    let end = rest.find(". ").or_else(|| rest.strip_suffix('.').map(str::len)).unwrap_or(rest.len());
    Some(rest[..end].to_string())
}
