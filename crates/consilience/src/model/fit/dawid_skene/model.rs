//! The class-conditional model of Dawid and Skene, by expectation maximisation.

use super::known_classes::Known;
use crate::answers::Answers;
use crate::dependency::{ClassPrior, Factor, Table};
use crate::model::Model;
use crate::model::fit::likelihood::dense::Dense;
use crate::model::fit::likelihood::expected::Scores;
use crate::model::fit::likelihood::layout::{Layout, Tables};
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::options::{ClassBalance, FitError};
use crate::model::fit::{Ending, Estimator, Fitted};
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// Options for [`fit_dawid_skene`].
///
/// ```
/// use consilience::model::DawidSkeneOptions;
///
/// let options = DawidSkeneOptions::default().with_smoothing(1.0);
/// assert_eq!(options.iterations, 1_000);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DawidSkeneOptions {
    /// Pseudocount of votes per source, for every class and vote. Above 0; default 0.1.
    pub smoothing: f64,
    /// Additional pseudocount of correct votes. At least 0; default 0.5.
    pub right: f64,
    /// How common the classes are. Default: estimated.
    pub class_balance: ClassBalance,
    /// Fitting ends when a step gains less log likelihood than this. Above 0; default 1e-3.
    pub tolerance: f64,
    /// The maximum number of steps. 1 to 1,000,000; default 1000.
    pub iterations: usize,
}

impl Default for DawidSkeneOptions {
    fn default() -> Self {
        Self {
            smoothing: 0.1,
            right: 0.5,
            class_balance: ClassBalance::Estimated,
            tolerance: 1e-3,
            iterations: 1000,
        }
    }
}

option_setters! {
    DawidSkeneOptions {
        /// Sets the pseudocount of votes per source, for every class and vote. Above 0; default 0.1.
        with_smoothing(smoothing: f64);
        /// Sets the additional pseudocount of correct votes. At least 0; default 0.5.
        with_right(right: f64);
        /// Sets how common the classes are. Default: estimated.
        with_class_balance(class_balance: ClassBalance);
        /// Sets the gain in log likelihood below which fitting ends. Above 0; default 1e-3.
        with_tolerance(tolerance: f64);
        /// Sets the maximum number of steps. 1 to 1,000,000; default 1000.
        with_iterations(iterations: usize);
    }
}

impl DawidSkeneOptions {
    fn check(&self, k: usize) -> Result<(), FitError> {
        let each = |parameter, range: &str, value: String, holds: bool| {
            if holds { Ok(()) } else { Err(FitError::Range { parameter, range: range.to_string(), value }) }
        };
        let finite_from = |x: f64, low: f64| x.is_finite() && x >= low;
        let holds = finite_from(self.smoothing, f64::MIN_POSITIVE);
        each("the smoothing", "above 0", self.smoothing.to_string(), holds)?;
        each(
            "the smoothing of right votes",
            "at least 0",
            self.right.to_string(),
            finite_from(self.right, 0.0),
        )?;
        let holds = finite_from(self.tolerance, f64::MIN_POSITIVE);
        each("the tolerance", "above 0", self.tolerance.to_string(), holds)?;
        let holds = (1..=1_000_000).contains(&self.iterations);
        each("the number of steps", "1 to 1,000,000", self.iterations.to_string(), holds)?;
        let options = crate::model::fit::FitOptions {
            class_balance: self.class_balance.clone(),
            ..crate::model::fit::FitOptions::default()
        };
        options.check(k)
    }
}

/// Fits a confusion matrix to every source, and calls `watch` with the objective after every step.
///
/// # Formula
/// ```text
/// p(λ, y) = p(y) Π over votes cast of π_j(λ_j | y)
/// E: q_u(y) ∝ p(y) Π π_j(λ_uj | y)
/// M: π_j(v | y) = (Σ_u c_u q_u(y) 1{λ_uj = v} + s_vy) / (the same summed over v),   s_vy = smoothing + right 1{v = y}
/// objective = Σ_u c_u log Σ_y p(y) Π π_j(λ_uj | y) + Σ s_vy log π_j(v | y) + smoothing Σ_y log p(y)
/// ```
/// It starts from the shares of the votes. No step lowers the objective. Abstaining says nothing of the class.
///
/// # Reference
/// Dawid and Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm (1979).
///
/// ```
/// use consilience::labels::infer;
/// use consilience::model::{DawidSkeneOptions, fit_dawid_skene};
/// # use consilience::model::{CellLimit, Planted, simulate};
/// # let votes = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?.votes;
///
/// let mut objectives = Vec::new();
/// let fitted = fit_dawid_skene(&votes, &DawidSkeneOptions::default(), |objective| objectives.push(objective))?;
/// assert!(objectives.windows(2).all(|step| step[1] >= step[0] - 1e-6)); // no step lowers it
/// assert_eq!(infer(&fitted, &votes)?.items(), 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit_dawid_skene(
    votes: &Votes,
    options: &DawidSkeneOptions,
    watch: impl FnMut(f64),
) -> Result<Fitted, FitError> {
    fit_dawid_skene_knowing(votes, &Answers::default(), options, watch)
}

/// Like [`fit_dawid_skene`], with the classes of some items known: their q_u is fixed at that class.
pub fn fit_dawid_skene_knowing(
    votes: &Votes,
    answers: &Answers,
    options: &DawidSkeneOptions,
    mut watch: impl FnMut(f64),
) -> Result<Fitted, FitError> {
    let k = votes.classes().len();
    options.check(k)?;
    let layout = Layout::new(&[], votes.domains(), k);
    let rows = Rows::all(votes);
    let dense = Dense::new(&layout, &rows);
    let known = Known::new(votes, answers);
    let mut counts = majority_counts(&layout, &rows);
    known.hold_majority(&layout, &mut counts);
    let mut ending = Ending {
        estimator: Estimator::Em,
        converged: false,
        iterations: 0,
        gradient_norm: 0.0,
        objective: None,
    };
    let mut confusion = Confusion::new(&layout, &counts, options);
    while ending.iterations < options.iterations {
        let energies = confusion.energies(&layout);
        let mut expected = Scores::new(&layout, &energies).expected(&rows, dense.as_ref());
        expected.log_sum += known.hold(&layout, &energies, &mut expected.counts);
        let objective = expected.log_sum + confusion.log_prior(options);
        watch(objective);
        let gain = ending.objective.map(|before| objective - before);
        ending.objective = Some(objective);
        if let Some(gain) = gain {
            ending.gradient_norm = gain.abs() / votes.items() as f64;
            if gain <= options.tolerance {
                ending.converged = true;
                break;
            }
        }
        counts = expected.counts;
        confusion = Confusion::new(&layout, &counts, options);
        ending.iterations += 1;
    }
    let mut notes = Vec::new();
    crate::model::fit::note_what_is_odd(votes, &mut notes);
    let model = confusion.model(votes, &counts)?;
    Ok(Fitted {
        model,
        impression: None,
        ending,
        items: votes.items(),
        shares: vec![1.0; votes.sources().len()],
        repeats: Vec::new(),
        copies: Vec::new(),
        correction: None,
        notes,
    })
}

/// The expected counts if the posterior of an item is the share of its votes.
fn majority_counts(layout: &Layout, rows: &Rows<'_>) -> Tables {
    let k = layout.k;
    let pieces = rows.in_pieces(layout.numbers(), |range| {
        let mut counts = Tables::zero(layout);
        let mut q = vec![0.0; k];
        let mut row: Vec<(usize, Vote)> = Vec::new();
        for at in range {
            row.clear();
            row.extend(rows.votes.patterns().row(rows.pattern(at)));
            let each = if row.is_empty() { 0.0 } else { 1.0 / row.len() as f64 };
            q.fill(if row.is_empty() { 1.0 / k as f64 } else { 0.0 });
            for &(_, vote) in &row {
                q[usize::from(vote) - 1] += each;
            }
            let count = rows.count(at);
            counts.class.iter_mut().zip(&q).for_each(|(sum, q)| *sum += count * q);
            for &(j, vote) in &row {
                let cells = &mut counts.unary[layout.place(j, vote) * k..][..k];
                cells.iter_mut().zip(&q).for_each(|(sum, q)| *sum += count * q);
            }
        }
        counts
    });
    let mut total = Tables::zero(layout);
    for piece in &pieces {
        total.add(piece);
    }
    total
}

/// Logarithms of the confusion tables and of the class balance.
struct Confusion {
    /// log p(y).
    class: Vec<f64>,
    /// For each source, for each vote (all classes) and class, log π_j(v | y).
    sources: Vec<Vec<f64>>,
}

impl Confusion {
    fn new(layout: &Layout, counts: &Tables, options: &DawidSkeneOptions) -> Self {
        let k = layout.k;
        let class = match &options.class_balance {
            ClassBalance::Even => vec![-(k as f64).ln(); k],
            ClassBalance::Given(balance) => balance.iter().map(|p| p.ln()).collect(),
            ClassBalance::Estimated => {
                let total: f64 = counts.class.iter().map(|count| count + options.smoothing).sum();
                counts.class.iter().map(|count| ((count + options.smoothing) / total).ln()).collect()
            }
        };
        let confusion = |j: usize| {
            let mut table = vec![options.smoothing; k * k];
            (0..k).for_each(|y| table[y * k + y] += options.right);
            for (&vote, place) in layout.domains[j].classes().iter().zip(layout.starts[j] + 1..) {
                let cells = &mut table[(usize::from(vote) - 1) * k..][..k];
                cells.iter_mut().zip(&counts.unary[place * k..]).for_each(|(cell, count)| *cell += count);
            }
            for y in 0..k {
                let total: f64 = (0..k).map(|v| table[v * k + y]).sum();
                (0..k).for_each(|v| table[v * k + y] = (table[v * k + y] / total).ln());
            }
            table
        };
        Self { class, sources: (0..layout.domains.len()).map(confusion).collect() }
    }

    fn energies(&self, layout: &Layout) -> Tables {
        let k = layout.k;
        let mut energies = Tables::zero(layout);
        energies.class.copy_from_slice(&self.class);
        for (j, table) in self.sources.iter().enumerate() {
            for (&vote, place) in layout.domains[j].classes().iter().zip(layout.starts[j] + 1..) {
                let from = &table[(usize::from(vote) - 1) * k..][..k];
                energies.unary[place * k..][..k].copy_from_slice(from);
            }
        }
        energies
    }

    fn log_prior(&self, options: &DawidSkeneOptions) -> f64 {
        let k = self.class.len();
        let of_source = |table: &Vec<f64>| {
            let right: f64 = (0..k).map(|y| table[y * k + y]).sum();
            options.smoothing * table.iter().sum::<f64>() + options.right * right
        };
        let balance = match options.class_balance {
            ClassBalance::Estimated => options.smoothing * self.class.iter().sum::<f64>(),
            _ => 0.0,
        };
        self.sources.iter().map(of_source).sum::<f64>() + balance
    }

    /// The model as factors: class priors, and for each source a table with log of coverage · π.
    fn model(&self, votes: &Votes, counts: &Tables) -> Result<Model, FitError> {
        let k = self.class.len();
        let layout = Layout::new(&[], votes.domains(), k);
        let items = votes.items() as f64;
        let mut factors: Vec<Factor> =
            (1..).zip(&self.class).map(|(c, &log_p)| Factor::new(ClassPrior::new(c), log_p)).collect();
        for (j, table) in self.sources.iter().enumerate() {
            if votes.domains()[j].classes().is_empty() {
                continue;
            }
            let cast: f64 = counts.unary[(layout.starts[j] + 1) * k..layout.starts[j + 1] * k].iter().sum();
            let coverage = (cast + 0.5) / (items + 1.0);
            let energy = |scope: &[Vote], y: Vote| match scope[0] {
                ABSTAIN => (1.0 - coverage).ln(),
                vote => coverage.ln() + table[(usize::from(vote) - 1) * k + usize::from(y) - 1],
            };
            // The values are finite: smoothing keeps every probability above 0.
            if let Ok(table) = Table::from_fn(vec![j], k, energy) {
                factors.push(Factor::new(table, 1.0));
            }
        }
        Ok(Model::new(votes.sources().clone(), votes.classes().clone(), votes.domains().to_vec(), factors)?)
    }
}
