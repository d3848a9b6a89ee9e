//! Options of Algorithm 1.

use crate::structure::LinkType;

/// The precision of the arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Single if the step is at least [`Precision::SMALLEST_SINGLE_STEP`], else double.
    #[default]
    Auto,
    /// Single precision: twice as fast.
    Single,
    /// Double precision.
    Double,
}

impl Precision {
    /// Below this step, updates of a weight near 1 begin to drown in the rounding of single precision.
    ///
    /// Measured on the paper's data (`bench/archive.md`): links end within 1e-4 of those of double precision down to here
    /// (20,000 items); 4e-4 at 50,000 items, 3e-3 at 200,000, 1e-2 at 1,000,000.
    pub const SMALLEST_SINGLE_STEP: f64 = 5e-5;

    /// Whether steps of `step` are taken in single precision.
    pub(super) fn is_single(self, step: f64) -> bool {
        match self {
            Self::Auto => step >= Self::SMALLEST_SINGLE_STEP,
            Self::Single => true,
            Self::Double => false,
        }
    }
}

/// How often the source itself votes, as terms of its own problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OwnRates {
    /// Not modelled, as in the paper.
    #[default]
    None,
    /// One propensity: how often it votes at all.
    Propensity,
    /// One rate for each class it ever votes for.
    VoteRates,
}

/// Options for Algorithm 1.
///
/// The defaults are the paper's: step 1/m, 10 epochs, truncation every 10 items, accuracies from 1, all other weights
/// from 0, no terms but accuracies and correlations.
///
/// ```
/// use consilience::structure::SgdOptions;
///
/// let papers = SgdOptions::default().with_epsilon(0.025);
/// assert!(papers.check().is_ok());
/// assert_eq!(papers.step_for(10_000), 1e-4); // one over the number of items
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SgdOptions {
    /// The types of links, one or more, each once. Default: correlation.
    pub types: Vec<LinkType>,
    /// ε: both the penalty on every weight and the threshold above which a link is selected. 0 to 10. Default: 0.03, the
    /// best on the paper's data; 0.025 gives the paper's own curve (`bench/archive.md`).
    pub epsilon: f64,
    /// η: the step size per item. Above 0, at most 1; default: one over the number of items.
    pub step: Option<f64>,
    /// τ: passes over the items. 1 to 100,000. Default: 10.
    pub epochs: usize,
    /// T: the number of items between truncations. 1 to 1,000,000,000. Default: 10.
    pub truncation: usize,
    /// The initial value of all accuracies. -10 to 10. Default: 1.
    pub accuracy_start: f64,
    /// Whether each problem has the rates of its own source; they start at 0 and are not penalised. Default: none.
    pub own_rates: OwnRates,
    /// Whether each problem has a class prior; it starts at 0 and is not penalised. Default: no.
    pub class_prior: bool,
    /// The precision of the arithmetic. Default: single if the step is large enough for it.
    pub precision: Precision,
}

/// The default of [`SgdOptions::epsilon`].
pub const DEFAULT_EPSILON: f64 = 0.03;

impl Default for SgdOptions {
    fn default() -> Self {
        Self {
            types: vec![LinkType::Correlation],
            epsilon: DEFAULT_EPSILON,
            step: None,
            epochs: 10,
            truncation: 10,
            accuracy_start: 1.0,
            own_rates: OwnRates::None,
            class_prior: false,
            precision: Precision::Auto,
        }
    }
}

/// Why Algorithm 1 cannot run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgdError {
    /// A setting outside its range.
    #[error("{parameter} must be {range}, but is {value}")]
    Range {
        /// The setting.
        parameter: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it is.
        value: String,
    },
}

option_setters! {
    SgdOptions {
        /// Sets the types of links, one or more, each once. Default: correlation.
        with_types(types: Vec<LinkType>);
        /// Sets ε, both the penalty on every weight and the threshold above which a link is selected. 0 to 10; default 0.03.
        with_epsilon(epsilon: f64);
        /// Sets η, the step size per item. Above 0, at most 1; default: one over the number of items.
        with_step(step: f64) = Some(step);
        /// Sets τ, the number of passes over the items. 1 to 100,000; default 10.
        with_epochs(epochs: usize);
        /// Sets T, the number of items between truncations. 1 to 1,000,000,000; default 10.
        with_truncation(truncation: usize);
        /// Sets the initial value of all accuracies. -10 to 10; default 1.
        with_accuracy_start(accuracy_start: f64);
        /// Sets whether each problem has the rates of its own source. Default: none.
        with_own_rates(own_rates: OwnRates);
        /// Sets whether each problem has a class prior. Default: false.
        with_class_prior(class_prior: bool);
        /// Sets the precision of the arithmetic. Default: single if the step is large enough for it.
        with_precision(precision: Precision);
    }
}

impl SgdOptions {
    /// The step for a table of `items` items.
    pub fn step_for(&self, items: usize) -> f64 {
        self.step.unwrap_or(1.0 / items.max(1) as f64)
    }

    /// Checks that every setting is in its range.
    pub fn check(&self) -> Result<(), SgdError> {
        let each = |parameter, range, value: String, holds: bool| {
            if holds { Ok(()) } else { Err(SgdError::Range { parameter, range, value }) }
        };
        let mut once = self.types.clone();
        once.sort_unstable();
        once.dedup();
        let names: Vec<&str> = self.types.iter().map(|kind| kind.name()).collect();
        each(
            "types",
            "one or more types of links, each once",
            if names.is_empty() { "empty".to_string() } else { names.join(", ") },
            !once.is_empty() && once.len() == self.types.len(),
        )?;
        let epsilon = self.epsilon;
        each("epsilon", "between 0 and 10", epsilon.to_string(), (0.0..=10.0).contains(&epsilon))?;
        if let Some(step) = self.step {
            each("step", "above 0 and at most 1", step.to_string(), step > 0.0 && step <= 1.0)?;
        }
        let (epochs, truncation, start) = (self.epochs, self.truncation, self.accuracy_start);
        each("epochs", "between 1 and 100000", epochs.to_string(), (1..=100_000).contains(&epochs))?;
        let every = (1..=1_000_000_000).contains(&truncation);
        each("truncation", "between 1 and 1000000000", truncation.to_string(), every)?;
        each("accuracy_start", "between -10 and 10", start.to_string(), (-10.0..=10.0).contains(&start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_papers() {
        let options = SgdOptions::default();
        assert_eq!(options.check(), Ok(()));
        assert_eq!((options.epochs, options.truncation), (10, 10));
        assert!((options.step_for(250) - 1.0 / 250.0).abs() < 1e-18);
        assert!((options.accuracy_start - 1.0).abs() < 1e-18);
        assert_eq!(options.types, [LinkType::Correlation]);
    }

    #[test]
    fn refusals_name_parameter_range_and_value() {
        let base = SgdOptions::default();
        let twice = vec![LinkType::Fixing, LinkType::Agreement, LinkType::Fixing];
        let wrong = [
            (SgdOptions { types: vec![], ..base.clone() }, "types", "empty"),
            (SgdOptions { types: twice, ..base.clone() }, "types", "fixing, agreement, fixing"),
            (SgdOptions { epsilon: -0.1, ..base.clone() }, "epsilon", "-0.1"),
            (SgdOptions { epsilon: f64::NAN, ..base.clone() }, "epsilon", "NaN"),
            (SgdOptions { step: Some(0.0), ..base.clone() }, "step", "0"),
            (SgdOptions { step: Some(f64::INFINITY), ..base.clone() }, "step", "inf"),
            (SgdOptions { epochs: 0, ..base.clone() }, "epochs", "0"),
            (SgdOptions { truncation: 0, ..base.clone() }, "truncation", "0"),
            (SgdOptions { accuracy_start: 11.0, ..base }, "accuracy_start", "11"),
        ];
        for (options, name, got) in wrong {
            let Err(SgdError::Range { parameter, value, .. }) = options.check() else {
                panic!("{name} was let through");
            };
            assert_eq!((parameter, value.as_str()), (name, got));
        }
        let message = SgdOptions { epochs: 0, ..SgdOptions::default() }.check().unwrap_err().to_string();
        assert_eq!(message, "epochs must be between 1 and 100000, but is 0");
    }
}
