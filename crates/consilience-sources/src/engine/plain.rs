//! Sources as plain expressions of the query engine, without functions of ours: any executor can evaluate them.
//!
//! SQL, columns with classes, maps or thresholds of numbers, and compositions of these. Everything else needs our own functions.

use arrow::datatypes::DataType;
use consilience::sources::{ABSTAIN, Classes};
use datafusion_common::tree_node::{Transformed, TreeNode as _};
use datafusion_common::{DataFusionError, ScalarValue};
use datafusion_expr::conditional_expressions::CaseBuilder;
use datafusion_expr::{Expr, cast, lit, when};
use datafusion_functions::core::expr_fn::nullif;
use datafusion_functions::string::expr_fn::btrim;

use super::class::{FAULT, NO, code};
use super::error::ApplyError;
use super::open::TEXT;
use super::plan::{Plan, column, outcome};
use super::sql::told;
use crate::file::{Declared, Kind, Reading, Side};

/// What Rust calls white space, which columns of classes may have around their cells.
const BLANKS: &str = "\t\n\u{b}\u{c}\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\
    \u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";

/// Votes as expressions, layer by layer: each layer is computed from the data and the layers before it.
#[derive(Clone, Debug)]
pub struct PlainVotes {
    /// Columns to compute, named.
    pub layers: Vec<Vec<Expr>>,
    /// The number of the class that each source votes for, 0 if it abstains.
    pub votes: Vec<Expr>,
    /// The number of the first source that failed, from 1; 0 if none did.
    pub fault: Expr,
}

/// The column of what a source reads.
fn raw(source: usize) -> String {
    format!("__consilience_raw_{source}")
}

impl Plan {
    /// The votes as plain expressions; none if a source needs functions of ours.
    pub fn plain(&self) -> Result<Option<PlainVotes>, ApplyError> {
        let mut values = Vec::new();
        let mut codes = Vec::new();
        let mut layers = Vec::new();
        for step in self.layers.iter().flatten() {
            let Some(i) = step.source else { return Ok(None) };
            let source = &self.sources[i];
            if !source.kind.parts().is_empty() {
                continue;
            }
            let Expr::ScalarFunction(function) = &step.expr else { return Ok(None) };
            let [value] = &function.args[..] else { return Ok(None) };
            let made = match &source.kind {
                Kind::Sql(_) => Some(self.of_sql(i, source)),
                Kind::Column { column, reading } => self.of_cells(i, column, reading),
                _ => return Ok(None),
            };
            let Some(made) = made else { return Ok(None) };
            let made = made.map_err(|error| self.failed(i, &error))?;
            let value = self.without_empty_texts(value.clone()).map_err(|error| self.failed(i, &error))?;
            values.push(value.alias(raw(i)));
            codes.push(made.alias(outcome(i)));
        }
        layers.push(values);
        layers.push(codes);
        for layer in &self.layers {
            let made = layer.iter().filter_map(|step| Some((step, step.source?)));
            let made = made.filter(|(_, i)| !self.sources[*i].kind.parts().is_empty());
            let made = made.map(|(step, i)| {
                let Expr::ScalarFunction(function) = &step.expr else { return Ok(step.expr.clone()) };
                let composed = composed(&self.sources[i].kind, self.class(i), &function.args);
                Ok(composed.map_err(|error| self.failed(i, &error))?.alias(outcome(i)))
            });
            let made = made.collect::<Result<Vec<_>, ApplyError>>()?;
            if !made.is_empty() {
                layers.push(made);
            }
        }
        layers.retain(|layer| !layer.is_empty());
        let votes = (0..self.sources.len()).map(|i| self.vote(i)).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(PlainVotes { layers, votes, fault: self.first_fault()? }))
    }

    fn failed(&self, source: usize, error: &DataFusionError) -> ApplyError {
        let Declared { name, place, .. } = &self.sources[source];
        ApplyError::Source { source_name: name.clone(), line: place.0, message: told(error) }
    }

    fn class(&self, source: usize) -> i16 {
        let name = self.sources[source].vote.as_deref();
        name.and_then(|name| self.classes.vote(name)).map_or(0, code)
    }

    /// The same expression with missing values in place of empty texts, as [`super::open`] reads them.
    fn without_empty_texts(&self, expr: Expr) -> Result<Expr, DataFusionError> {
        let is_text =
            |name: &str| self.schema.field_with_name(name).is_ok_and(|field| *field.data_type() == TEXT);
        let filled = expr.transform_up(|expr| match &expr {
            Expr::Column(column) if is_text(column.name()) => Ok(Transformed::yes(nullif(expr, lit("")))),
            _ => Ok(Transformed::no(expr)),
        });
        Ok(filled?.data)
    }

    fn of_sql(&self, i: usize, source: &Declared) -> Built {
        let value = column(&raw(i));
        if source.vote.is_some() {
            let mut holds = when(value.clone(), lit(self.class(i)));
            return holds.when(Expr::Not(Box::new(value)), lit(NO)).otherwise(nothing());
        }
        let text = cast(value, DataType::Utf8);
        let missing = text.clone().is_null().or(text.clone().eq(lit("")));
        named(when(missing, lit(NO)), &text, &self.classes).otherwise(lit(FAULT))
    }

    fn of_cells(&self, i: usize, name: &str, reading: &Reading) -> Option<Built> {
        let value = column(&raw(i));
        let empty = value.clone().is_null().or(value.clone().eq(lit("")));
        Some(match reading {
            Reading::Classes => {
                let text = btrim(vec![value, lit(BLANKS)]);
                named(when(empty, nothing()), &text, &self.classes).otherwise(lit(FAULT))
            }
            Reading::Map(map) => {
                let mut cases = when(empty, nothing());
                for (cell, class) in map {
                    let class = self.classes.vote(class).map_or(FAULT, code);
                    cases = cases.when(value.clone().eq(lit(cell.as_str())), lit(class));
                }
                cases.otherwise(lit(NO))
            }
            Reading::Thresholds(list) => {
                let at = self.survey.position(name)?;
                // Texts are parsed as Rust parses them, which is not how the engine does.
                if !self.survey.columns[at].data_type().is_numeric() {
                    return None;
                }
                let number = cast(value, DataType::Float64);
                let nan = lit(f64::NAN);
                let mut cases = when(number.clone().is_null().or(number.clone().eq(nan)), nothing());
                for threshold in list {
                    // The engine orders -0 before 0, which are equal here.
                    let bound = match (threshold.bound.abs() > 0.0, threshold.side) {
                        (true, _) => threshold.bound,
                        (false, Side::AtLeast | Side::Below) => -0.0,
                        (false, Side::Above | Side::AtMost) => 0.0,
                    };
                    let bound = lit(bound);
                    let holds = match threshold.side {
                        Side::AtLeast => number.clone().gt_eq(bound),
                        Side::Above => number.clone().gt(bound),
                        Side::AtMost => number.clone().lt_eq(bound),
                        Side::Below => number.clone().lt(bound),
                    };
                    cases = cases.when(holds, lit(self.classes.vote(&threshold.vote).map_or(FAULT, code)));
                }
                cases.otherwise(lit(NO))
            }
        })
    }

    /// What a source votes for in the end.
    fn vote(&self, i: usize) -> Result<Expr, ApplyError> {
        let said = column(&outcome(i));
        let cases = when(said.clone().gt(lit(NO)), said.clone())
            .when(said.eq(lit(NO)), lit(code(self.otherwise[i])))
            .otherwise(lit(code(ABSTAIN)));
        cases.map_err(|error| self.failed(i, &error))
    }

    fn first_fault(&self) -> Result<Expr, ApplyError> {
        let mut fault = lit(0_i32);
        for i in (0..self.sources.len()).rev() {
            let failed = column(&outcome(i)).eq(lit(FAULT));
            let case = when(failed, lit(i as i32 + 1)).otherwise(fault);
            fault = case.map_err(|error| self.failed(i, &error))?;
        }
        Ok(fault)
    }
}

type Built = Result<Expr, DataFusionError>;

fn nothing() -> Expr {
    lit(ScalarValue::Int16(None))
}

/// Cases for the names of classes.
fn named(mut cases: CaseBuilder, text: &Expr, classes: &Classes) -> CaseBuilder {
    for (c, name) in classes.names().iter().enumerate() {
        cases = cases.when(text.clone().eq(lit(name.as_str())), lit(c as i16 + 1));
    }
    cases
}

/// A source made of others: what decides it wins, then a fault, then what is missing; as `compose` does.
fn composed(kind: &Kind, class: i16, parts: &[Expr]) -> Built {
    let any = |holds: &dyn Fn(&Expr) -> Expr| {
        parts.iter().map(holds).reduce(Expr::or).unwrap_or_else(|| lit(false))
    };
    let votes = any(&|part| part.clone().gt(lit(NO)));
    let silent = any(&|part| part.clone().eq(lit(NO)));
    let fault = any(&|part| part.clone().eq(lit(FAULT)));
    let missing = any(&|part| part.clone().is_null());
    let (decided, then, rest) = match kind {
        Kind::All(_) => (silent, NO, class),
        Kind::Any(_) => (votes, class, NO),
        _ => (votes, NO, class),
    };
    when(decided, lit(then)).when(fault, lit(FAULT)).when(missing, nothing()).otherwise(lit(rest))
}
