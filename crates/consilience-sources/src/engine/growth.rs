//! How much longer the texts that an expression makes can be than those it reads.
//!
//! A short expression can ask for more memory than there is: each of a few nested replacements makes a text ten times as long.

use datafusion_common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion_expr::expr::ScalarFunction;
use datafusion_expr::{BinaryExpr, Expr, Operator};

/// Texts may become so many times as long.
const MOST: f64 = 1000.0;

/// Refuses an expression that can make much longer texts than it reads.
pub(super) fn refuse(expr: &Expr) -> Result<(), String> {
    growth(expr).map(drop)
}

/// How many times as long as the longest cell or text in quotes the expression's text can be; 0 where it is not a text.
fn growth(expr: &Expr) -> Result<f64, String> {
    let found = match expr {
        Expr::Column(_) | Expr::Literal(..) => 1.0,
        Expr::ScalarFunction(function) => of_function(function)?,
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
            let both = growth(left)? + growth(right)?;
            // All other operators give numbers, or true and false.
            if *op == Operator::StringConcat { both } else { 0.0 }
        }
        Expr::Cast(_) | Expr::TryCast(_) | Expr::Alias(_) | Expr::Case(_) => of_parts(expr)?,
        _ => {
            of_parts(expr)?;
            0.0
        }
    };
    if found > MOST {
        return Err(format!(
            "the SQL can produce texts that are more than {MOST} times as long as those it reads; use fewer or shorter replacements"
        ));
    }
    Ok(found)
}

/// All parts together.
fn of_parts(expr: &Expr) -> Result<f64, String> {
    let mut sum = Ok(0.0);
    // The closure never fails.
    let _ = expr.apply_children(|part| {
        match (growth(part), &mut sum) {
            (Ok(part), Ok(sum)) => *sum += part,
            (Err(message), _) => sum = Err(message),
            _ => {}
        }
        Ok(if sum.is_ok() { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    });
    sum
}

fn of_function(function: &ScalarFunction) -> Result<f64, String> {
    let mut parts = Vec::with_capacity(function.args.len());
    for part in &function.args {
        parts.push(growth(part)?);
    }
    let sum: f64 = parts.iter().sum();
    let name = function.name();
    let times = match (name, &function.args[..]) {
        ("replace", [_, from, to]) => {
            let from = text(from).map_or(1, str::len);
            let to = text(to).ok_or_else(|| not_written_out(name))?.len();
            // Nothing is found between all characters.
            if from == 0 { to + 1 } else { to.div_ceil(from).max(1) }
        }
        ("regexp_replace", [_, _, to, ..]) => text(to).ok_or_else(|| not_written_out(name))?.len() + 1,
        ("encode", _) => 2,
        ("concat_ws", parts) => parts.len(),
        _ => 1,
    };
    Ok(sum * times as f64)
}

fn not_written_out(function: &str) -> String {
    format!(
        "the SQL can produce texts of any length: write out the replacement of {function} as a text in quotes"
    )
}

/// The text that an expression is, if it is one.
fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(value, _) => value.try_as_str().flatten(),
        _ => None,
    }
}
