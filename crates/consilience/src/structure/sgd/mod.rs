//! Algorithm 1 of the paper, as printed: a descent by single items for each source, with truncated weights.
//!
//! For every source j the marginal pseudolikelihood of its votes given all others is climbed item by item in the order
//! of the table, the same order in every epoch. After every T items all weights move towards 0 by T η ε, and not past
//! it. Links whose weight ends above ε in the problem of either of their sources are the structure.
//!
//! What the paper leaves open, and our choices:
//!
//! - **Any number of classes, any type of link, several types at once.** The problem of j has all n accuracies and the
//!   links of j with every other source (of a directed type both j <- l and l <- j). Links between two other sources
//!   drop out of the problem if they do not read the class; if they do (conjunction, reinforcing, fixing), they
//!   would in principle tell something about the class and are left out all the same.
//! - **Votes a source never casts** are not part of its domain, as everywhere else in this crate. In the paper's data
//!   every source casts every vote.
//! - **Every accuracy and link is penalised**, as printed. Own vote rates and the class prior, which the paper does not
//!   have, are optional and not penalised.
//! - **When to truncate**: where (epoch · m + item) mod T = 0 with both counted from 1, as printed.
//!
//! The problems do not touch each other, so they are solved side by side in the lanes of vector registers (`kernel`), and
//! batches of them on different threads. The arithmetic of one problem does not depend on the threads.
//!
//! # Formula
//! ```text
//! θ <- θ - η (α - β),   α and β of Eq. (5), see Conditional::add_gradient
//! θ <- sign(θ) max(0, |θ| - T η ε)   every T items
//! ```
//! # Reference
//! Bach et al. (2017), Algorithm 1; Langford et al. (2009) for truncated gradients.

// A function gets the vector instructions of the dispatch only where it becomes part of the dispatched one.
#![expect(clippy::inline_always, reason = "vector instructions reach only what is inlined")]

mod binary;
mod families;
mod fit;
mod general;
mod kernel;
mod options;
mod real;
mod steps;

use std::marker::PhantomData;

pub use fit::{SgdFit, SgdProblem};
pub use options::{DEFAULT_EPSILON, OwnRates, Precision, SgdError, SgdOptions};
use pulp::{Arch, Simd, WithSimd};

use binary::BinaryCorrelation;
use families::Family;
use general::General;
use kernel::{Batch, Head, Schedule};
use real::Real;
use steps::Steps;

use crate::parallel;
use crate::structure::LinkType;
use crate::votes::Votes;

/// Runs Algorithm 1 on `votes`.
///
/// # Example
/// ```
/// use consilience::model::{CellLimit, Links, Planted, simulate};
/// use consilience::structure::{SgdOptions, learn_sgd};
///
/// let mut planted = Planted::new(10)?;
/// planted.links = Links::Pairs(1);
/// planted.strength = 1.0;
/// let votes = simulate(&planted.model()?, 3_000, 1, CellLimit::default(), |_| {})?.votes;
/// let structure = learn_sgd(&votes, &SgdOptions::default())?.structure(&votes);
/// let strongest = structure.selected().max_by(|a, b| a.weight.total_cmp(&b.weight));
/// assert_eq!(strongest.map(|link| link.dependency.to_string()), Some("correlation[0, 1]".to_string()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn learn_sgd(votes: &Votes, options: &SgdOptions) -> Result<SgdFit, SgdError> {
    options.check()?;
    let families = Family::all(&options.types);
    let step = options.step_for(votes.items());
    // 128 bytes of lanes: two 512-bit registers, so that one problem's exponentials do not wait for each other.
    let problems = if options.precision.is_single(step) {
        solve::<f32, 32, 16>(votes, options, &families, step)
    } else {
        solve::<f64, 16, 8>(votes, options, &families, step)
    };
    Ok(SgdFit {
        problems,
        families,
        domains: votes.domains().to_vec(),
        options: options.clone(),
        items: votes.items(),
    })
}

/// Groups of `L` problems, and one of `HALF` if the rest fits into it.
fn solve<T: Real, const L: usize, const HALF: usize>(
    votes: &Votes,
    options: &SgdOptions,
    families: &[Family],
    step: f64,
) -> Vec<SgdProblem> {
    let n = votes.sources().len();
    let batches = n.div_ceil(L);
    let steps = Steps::new(votes, L);
    crate::watch::expect_passes(batches * options.epochs);
    let solve_group = |batch: usize| {
        let first = batch * L;
        if n - first <= HALF {
            Job::<T, HALF> { votes, options, families, steps: &steps, first, step, number: PhantomData }.run()
        } else {
            Job::<T, L> { votes, options, families, steps: &steps, first, step, number: PhantomData }.run()
        }
    };
    parallel::flat_map(0..batches, solve_group)
}

/// The problems of up to `L` sources from `first`.
struct Job<'a, T, const L: usize> {
    votes: &'a Votes,
    options: &'a SgdOptions,
    families: &'a [Family],
    steps: &'a Steps,
    first: usize,
    step: f64,
    number: PhantomData<T>,
}

impl<T: Real, const L: usize> Job<'_, T, L> {
    /// With the widest vectors the processor has.
    fn run(self) -> Vec<SgdProblem> {
        Arch::new().dispatch(self)
    }
}

impl<T: Real, const L: usize> WithSimd for Job<'_, T, L> {
    type Output = Vec<SgdProblem>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
        self.solve(simd)
    }
}

impl<T: Real, const L: usize> Job<'_, T, L> {
    #[inline(always)]
    fn solve<S: Simd>(self, simd: S) -> Vec<SgdProblem> {
        let Self { votes, options, families, .. } = self;
        let k = votes.classes().len();
        let domains = &votes.domains()[self.first..];
        let domains = &domains[..domains.len().min(L)];
        let (step, start) = (T::of(self.step), T::of(options.accuracy_start));
        let no_terms = options.own_rates == OwnRates::None && !options.class_prior;
        if k == 2 && no_terms && options.types == [LinkType::Correlation] {
            let mut head = BinaryCorrelation::<T, L>::new(domains, step, start);
            let batch = self.descend(simd, &mut head);
            let none = |size| vec![[T::ZERO; L]; size];
            self.collect(&batch, domains.len(), &head.accuracy, &none(k + 1), &none(k))
        } else {
            let rates = options.own_rates;
            let mut head = General::new(families, domains, k, step, start, rates, options.class_prior);
            let batch = self.descend(simd, &mut head);
            self.collect(&batch, domains.len(), &head.accuracy, &head.rates, &head.prior)
        }
    }

    #[inline(always)]
    fn descend<S: Simd>(&self, simd: S, head: &mut impl Head<T, L>) -> Batch<'_, T, L> {
        let k = self.votes.classes().len();
        let reads_abstain: Vec<bool> = self.families.iter().map(|family| family.reads_abstain(k)).collect();
        let start = T::of(self.options.accuracy_start);
        let n = self.votes.sources().len();
        let mut batch = Batch::new(self.steps, self.first, n, &reads_abstain, start);
        let schedule = Schedule {
            epochs: self.options.epochs,
            truncation: self.options.truncation,
            shrink: self.options.truncation as f64 * self.step * self.options.epsilon,
        };
        batch.run(simd, head, schedule);
        batch
    }

    /// The weights of the first `count` lanes.
    fn collect(
        &self,
        batch: &Batch<'_, T, L>,
        count: usize,
        own: &[T; L],
        rates: &[[T; L]],
        prior: &[[T; L]],
    ) -> Vec<SgdProblem> {
        let n = self.votes.sources().len();
        let problem = |lane: usize| {
            let family = |f: usize| (0..n).map(|l| batch.weight(f, l, lane)).collect::<Vec<f64>>();
            let mut accuracies = family(0);
            accuracies[self.first + lane] = own[lane].as_f64();
            let of_lane = |all: &[[T; L]]| all.iter().map(|x| x[lane].as_f64()).collect();
            SgdProblem {
                accuracies,
                rates: of_lane(rates),
                prior: of_lane(prior),
                links: (1..self.families.len()).map(family).collect(),
            }
        };
        (0..count).map(problem).collect()
    }
}
