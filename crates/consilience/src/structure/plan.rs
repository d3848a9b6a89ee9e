//! How many rows are needed, and what given rows can reveal: Theorem 1, Corollary 2 and Eq. (9) of the paper.

use serde::{Deserialize, Serialize};

use super::LinkType;

/// Options for [`Plan::new`].
///
/// ```
/// use consilience::structure::PlanOptions;
///
/// let options = PlanOptions::new(30).with_strength(0.5);
/// assert_eq!((options.sources, options.degree), (30, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlanOptions {
    /// n: the number of sources, at least 2.
    pub sources: usize,
    /// κ: the smallest |weight| of a link to find. Above 0, at most 10. Default: 0.25, the paper's.
    pub strength: f64,
    /// δ: the accepted probability of any mistake. Above 0, below 1. Default: 0.05.
    pub failure: f64,
    /// d*: the maximum number of true dependencies of one source, including its accuracy. At least 1. Default: 2, one link.
    pub degree: usize,
    /// The names of the link types, see [`LinkType::name`]. Default: correlation.
    pub types: Vec<String>,
    /// c of condition (7), per item; above 0, see [`super::Curvature`]. The theory needs it.
    pub curvature: Option<f64>,
    /// The number of available rows, at least 1. Default: unknown.
    pub rows: Option<u64>,
}

impl PlanOptions {
    /// Options for `sources` sources, with defaults for the rest.
    pub fn new(sources: usize) -> Self {
        Self {
            sources,
            strength: STRENGTH_OF_PRACTICE,
            failure: 0.05,
            degree: 2,
            types: vec![LinkType::Correlation.name().to_string()],
            curvature: None,
            rows: None,
        }
    }
}

option_setters! {
    PlanOptions {
        /// Sets κ, the smallest |weight| of a link to find. Above 0, at most 10; default 0.25.
        with_strength(strength: f64);
        /// Sets δ, the accepted probability of any mistake. Above 0, below 1; default 0.05.
        with_failure(failure: f64);
        /// Sets d*, the maximum number of true dependencies of one source, including its accuracy. At least 1; default 2.
        with_degree(degree: usize);
        /// Sets the names of the link types, see [`LinkType::name`]. Default: correlation.
        with_types(types: Vec<String>);
        /// Sets c of condition (7), per item, see [`super::Curvature`]. Above 0; default: unknown.
        with_curvature(curvature: f64) = Some(curvature);
        /// Sets the number of available rows. At least 1; default: unknown.
        with_rows(rows: u64) = Some(rows);
    }
}

/// Why a plan is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A number outside of its range.
    #[error("{parameter} must be {range}, but is {value}")]
    Range {
        /// Which number.
        parameter: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it is.
        value: String,
    },
    /// No such type of link.
    #[error(transparent)]
    Type(#[from] super::UnknownLinkType),
}

/// One number for each of the three rules.
///
/// Those of the theory are missing if c is unknown; Corollary 2 covers only correlations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByRule {
    /// Theorem 1.
    pub theorem: Option<f64>,
    /// Corollary 2.
    pub corollary: Option<f64>,
    /// The practical rule.
    pub practice: f64,
}

/// The rows needed, and what the available rows can reveal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The options of the plan.
    pub options: PlanOptions,
    /// d: the number of possible dependencies that involve one source or the class.
    pub dependencies: f64,
    /// The rows needed to find links of the requested strength.
    pub rows: ByRule,
    /// The weakest links that the available rows can reveal, if their number is given.
    pub strength: Option<ByRule>,
}

/// The constant of Eq. (9).
const ROWS_OF_PRACTICE: f64 = 750.0;

/// The strength of the links for which Eq. (9) was found.
const STRENGTH_OF_PRACTICE: f64 = 0.25;

/// Rows needed for links of strength `kappa` by Theorem 1.
///
/// # Formula
/// ```text
/// m ≥ 32 d / (c² κ²) · log(2 n d / δ)
/// ```
/// where d is the number of possible dependencies that involve one source or the class, c the curvature per item, and δ
/// the probability of any mistake.
pub fn theorem_rows(n: f64, d: f64, c: f64, kappa: f64, delta: f64) -> f64 {
    32.0 * d / (c * kappa).powi(2) * (2.0 * n * d / delta).ln()
}

/// Rows needed for correlations of strength `kappa` by Corollary 2.
///
/// # Formula
/// ```text
/// m ≥ 64 n / (c² κ²) · log(4 n / δ)
/// ```
/// It is Theorem 1 with d = 2n - 1 < 2n. (With d = 2n this would be log(4 n² / δ); the paper prints log(4 n / δ), and we
/// follow it.)
pub fn corollary_rows(n: f64, c: f64, kappa: f64, delta: f64) -> f64 {
    64.0 * n / (c * kappa).powi(2) * (4.0 * n / delta).ln()
}

/// Rows that are enough in practice for links of strength `kappa`.
///
/// # Formula
/// ```text
/// m = 750 · d* · ln n · (0.25 / κ)²
/// ```
/// The paper's Eq. (9) at γ = 1, which holds for κ = 0.25 and accuracies of 1; d* is the maximum number of true
/// dependencies of one source. The scaling with 1/κ² comes from the theorem, not from the paper's experiments.
///
/// ```
/// use consilience::structure::practice_rows;
///
/// let rows = practice_rows(100.0, 2.0, 0.25);
/// assert!((rows - 750.0 * 2.0 * 100.0_f64.ln()).abs() < 1e-9);
/// assert!(practice_rows(100.0, 2.0, 0.5) < rows / 3.9); // links twice as strong need a quarter of the rows
/// ```
pub fn practice_rows(n: f64, degree: f64, kappa: f64) -> f64 {
    ROWS_OF_PRACTICE * degree * n.ln() * (STRENGTH_OF_PRACTICE / kappa).powi(2)
}

/// d: how many dependencies of these types could involve one source or the class.
///
/// # Formula
/// ```text
/// n accuracies, and for each type: n - 1 links of the source, twice that where links are directed;
/// all n (n - 1) / 2 pairs, twice that where directed, for a type that reads the class
/// ```
pub fn possible_dependencies(n: usize, types: &[LinkType]) -> f64 {
    let n = n as f64;
    let of_type = |kind: &LinkType| {
        let pairs = if kind.reads_class() { n * (n - 1.0) / 2.0 } else { n - 1.0 };
        if kind.directed() { 2.0 * pairs } else { pairs }
    };
    n + types.iter().map(of_type).sum::<f64>()
}

impl Plan {
    /// The plan for `options`.
    ///
    /// # Formula
    /// All rules have the form rows = a / κ², so κ = sqrt(a / rows).
    ///
    /// ```
    /// use consilience::structure::{Plan, PlanOptions};
    ///
    /// let plan = Plan::new(&PlanOptions::new(20).with_rows(5_000))?;
    /// assert!(plan.rows.practice < 5_000.0); // enough for links of the default strength, 0.25 ...
    /// assert!(plan.strength.is_some_and(|weakest| weakest.practice < 0.25)); // ... and for weaker ones
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(options: &PlanOptions) -> Result<Self, PlanError> {
        let types = check(options)?;
        let n = options.sources as f64;
        let d = possible_dependencies(options.sources, &types);
        let rows_for = |kappa: f64| ByRule {
            theorem: options.curvature.map(|c| theorem_rows(n, d, c, kappa, options.failure)),
            corollary: options
                .curvature
                .filter(|_| types == [LinkType::Correlation])
                .map(|c| corollary_rows(n, c, kappa, options.failure)),
            practice: practice_rows(n, options.degree as f64, kappa),
        };
        let unit = rows_for(1.0);
        let strength_of = |rows: u64| {
            let invert = |a: f64| (a / rows as f64).sqrt();
            ByRule {
                theorem: unit.theorem.map(invert),
                corollary: unit.corollary.map(invert),
                practice: invert(unit.practice),
            }
        };
        Ok(Self {
            options: options.clone(),
            dependencies: d,
            rows: rows_for(options.strength),
            strength: options.rows.map(strength_of),
        })
    }
}

fn check(options: &PlanOptions) -> Result<Vec<LinkType>, PlanError> {
    let each = |parameter, range, value: String, holds: bool| {
        if holds { Ok(()) } else { Err(PlanError::Range { parameter, range, value }) }
    };
    let PlanOptions { sources, strength, failure, degree, .. } = *options;
    each("sources", "at least 2", sources.to_string(), sources >= 2)?;
    each("strength", "above 0 and at most 10", strength.to_string(), strength > 0.0 && strength <= 10.0)?;
    each("failure", "above 0 and below 1", failure.to_string(), failure > 0.0 && failure < 1.0)?;
    each("degree", "at least 1", degree.to_string(), degree >= 1)?;
    if let Some(c) = options.curvature {
        each("curvature", "above 0 and finite", c.to_string(), c > 0.0 && c.is_finite())?;
    }
    if let Some(rows) = options.rows {
        each("rows", "at least 1", rows.to_string(), rows >= 1)?;
    }
    let mut types: Vec<LinkType> = options.types.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    types.sort_unstable();
    types.dedup();
    Ok(types)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_hand() {
        // 32 · 19 / (0.25 · 0.0625) · ln(2 · 10 · 19 / 0.05) = 38,912 · ln 7,600
        let options = PlanOptions { curvature: Some(0.5), ..PlanOptions::new(10) };
        let plan = Plan::new(&options).unwrap();
        assert!((plan.dependencies - 19.0).abs() < 1e-12);
        assert!((plan.rows.theorem.unwrap() - 38_912.0 * 7_600f64.ln()).abs() < 1e-6);
        assert!((plan.rows.corollary.unwrap() - 40_960.0 * 800f64.ln()).abs() < 1e-6);
        assert!((plan.rows.practice - 1500.0 * 10f64.ln()).abs() < 1e-9);
        assert!(plan.strength.is_none());
    }

    #[test]
    fn the_other_way_round() {
        let rows = Some(20_000);
        let options = PlanOptions { curvature: Some(0.1), strength: 0.4, rows, ..PlanOptions::new(50) };
        let strength = Plan::new(&options).unwrap().strength.unwrap();
        for kappa in [strength.theorem.unwrap(), strength.corollary.unwrap(), strength.practice] {
            assert!(kappa.is_finite() && kappa > 0.0);
        }
        let back = |kappa: f64| Plan::new(&PlanOptions { strength: kappa, ..options.clone() });
        let again = back(strength.practice).unwrap().rows.practice;
        assert!((again - 20_000.0).abs() < 1e-6);
        let again = theorem_rows(50.0, 99.0, 0.1, strength.theorem.unwrap(), 0.05);
        assert!((again - 20_000.0).abs() < 1e-6);
    }

    #[test]
    fn dependencies_of_other_types() {
        assert!(
            (possible_dependencies(5, &[LinkType::Correlation, LinkType::Exclusive]) - 13.0).abs() < 1e-12
        );
        assert!((possible_dependencies(5, &[LinkType::Conjunction]) - 15.0).abs() < 1e-12);
        assert!((possible_dependencies(5, &[LinkType::Fixing]) - 25.0).abs() < 1e-12);
        let types = vec!["fixing".to_string()];
        let options = PlanOptions { types, curvature: Some(0.1), ..PlanOptions::new(5) };
        let plan = Plan::new(&options).unwrap();
        assert!(plan.rows.corollary.is_none() && plan.rows.theorem.is_some());
    }

    #[test]
    fn refusals_name_parameter_range_and_value() {
        let base = PlanOptions::new(10);
        let wrong = [
            (PlanOptions { sources: 1, ..base.clone() }, "sources must be at least 2, but is 1"),
            (
                PlanOptions { strength: 0.0, ..base.clone() },
                "strength must be above 0 and at most 10, but is 0",
            ),
            (PlanOptions { failure: 1.0, ..base.clone() }, "failure must be above 0 and below 1, but is 1"),
            (PlanOptions { degree: 0, ..base.clone() }, "degree must be at least 1, but is 0"),
            (
                PlanOptions { curvature: Some(-0.1), ..base.clone() },
                "curvature must be above 0 and finite, but is -0.1",
            ),
            (PlanOptions { rows: Some(0), ..base.clone() }, "rows must be at least 1, but is 0"),
        ];
        for (options, message) in wrong {
            assert_eq!(Plan::new(&options).unwrap_err().to_string(), message);
        }
        let unknown = PlanOptions { types: vec!["friendship".to_string()], ..base };
        assert!(matches!(Plan::new(&unknown), Err(PlanError::Type(_))));
    }
}
