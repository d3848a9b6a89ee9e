//! The problems of one batch: their objective, their optimum, and how certain it is.

use super::borrowed::Moved;
use super::estimates::{LinkFit, SourceFit};
use super::newton::{Objective, minimise};
use super::penalised::{self, Hessian};
use super::state::{FIRST_ACCURACY, State, layout};
use crate::optim::{Cholesky, LANES, Lane, Lane64, Solver};
use crate::structure::exact::curvature::cooccurrence::Cooccurrence;
use crate::structure::exact::curvature::information::{FEWEST_ROWS, curvature, information};
use crate::structure::exact::kernels::kernel::{Kernel, Parameters};
use crate::structure::exact::kernels::pass::gradient;
use crate::structure::exact::options::ExactOptions;
use crate::structure::exact::table::batch::Batch;
use crate::structure::exact::table::context::Context;
use crate::structure::exact::table::feature::Feature;
use crate::structure::exact::table::meetings::Meetings;
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::Rows;
use crate::structure::exact::table::span::Span;

/// Precision of the prior of accuracies.
const ACCURACY_PRECISION: f64 = 1.0;

/// Precision of the prior of a problem's class terms around those that all problems share.
const CLASS_PRECISION: f64 = 1.0;

/// Weights above this are judged by the fall of the likelihood without them.
const STRONG: f64 = 1.0;

/// Rows from which the curvature far from the start is taken: what is known there, few rows say. Where weights are many, no more
/// than so many products.
const ROWS_FOR_RARE: usize = 16_384;
const PRODUCTS_FOR_RARE: usize = 1 << 27;

/// Bytes of factors that are kept from round to round.
const MOST_KEPT: usize = 5 << 30;

/// Most passes over the rows with one curvature, and how often it is taken again in a round and in the first one.
const MOST_PASSES: usize = 20;
pub(crate) const MOST_FACTORS: usize = 10;
pub(crate) const FIRST_FACTORS: usize = 3;

/// The problems of one batch, the context held fixed.
pub(crate) struct Problem<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) batch: &'a Batch,
    pub(crate) context: &'a Context,
    pub(crate) features: &'a [Feature],
    options: &'a ExactOptions,
    span: &'a Span,
    pub(crate) layout: Numbering,
    /// For each parameter, the lanes that may use it.
    pub(crate) free: Vec<[bool; LANES]>,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(
        (rows, span): (&'a Rows, &'a Span),
        batch: &'a Batch,
        context: &'a Context,
        features: &'a [Feature],
        options: &'a ExactOptions,
    ) -> Self {
        let layout = layout(rows, batch, features.len());
        let mut free = Vec::with_capacity(layout.len());
        for _ in features {
            free.extend((0..layout.sources).map(|l| std::array::from_fn(|lane| batch.may_link(lane, l))));
        }
        // Lanes without a source of their own have nothing to find.
        let real: [bool; LANES] = std::array::from_fn(|lane| batch.real(lane));
        let in_domain = |inside: &[bool; LANES]| std::array::from_fn(|lane| real[lane] && inside[lane]);
        free.extend(batch.in_domain.iter().map(in_domain));
        free.resize(layout.accuracy(), real.map(|real| real && !features.is_empty()));
        free.push(real);
        Self { rows, batch, context, features, options, span, layout, free }
    }

    fn parameters(&self, x: &[Lane64]) -> Parameters {
        let single = |lane: &Lane64| Lane(lane.map(|value| value as f32));
        Parameters {
            links: x[..self.layout.links()]
                .chunks_exact(self.layout.sources)
                .flat_map(|links| links.iter().map(single).chain([Lane::ZERO]))
                .collect(),
            rates: x[self.layout.links()..self.layout.class_terms()].iter().map(single).collect(),
            class_terms: x[self.layout.class_terms()..self.layout.accuracy()].iter().map(single).collect(),
            accuracy: single(&x[self.layout.accuracy()]),
        }
    }

    fn kernel<'b>(&'b self, parameters: &'b Parameters) -> Kernel<'b> {
        Kernel::new(self.rows, self.batch, self.context, self.features, parameters)
    }

    /// Centre and precision of the prior of parameter `d`.
    fn prior(&self, d: usize) -> (f64, f64) {
        if d == self.layout.accuracy() {
            (FIRST_ACCURACY, ACCURACY_PRECISION)
        } else if d >= self.layout.class_terms() {
            (0.0, CLASS_PRECISION)
        } else {
            (0.0, self.options.ridge)
        }
    }

    /// The information matrix with the prior, parameters that are not free cut out: a packed lower triangle.
    fn information(&self, x: &[Lane64], span: &Span) -> Vec<Lane64> {
        let parameters = self.parameters(x);
        self.with_prior(information(&self.kernel(&parameters), span))
    }

    /// The curvature that steps go by. A share of the rows gives it well enough; the memory of earlier steps refines it.
    fn curvature(&self, x: &[Lane64], counts: Option<&Cooccurrence>) -> Solver {
        let parameters = self.parameters(x);
        let lower = counts.map_or_else(
            || curvature(&self.kernel(&parameters), FEWEST_ROWS),
            |counts| counts.curvature(self.batch, self.features, self.layout, &parameters),
        );
        let lower = self.with_prior(lower);
        Cholesky::new(self.layout.len(), lower, self.batch.members.len()).solver()
    }

    /// The curvature that steps go by at `x` itself.
    fn curvature_here(&self, x: &[Lane64]) -> Solver {
        let parameters = self.parameters(x);
        let rows = (PRODUCTS_FOR_RARE / self.layout.len().pow(2)).clamp(FEWEST_ROWS, ROWS_FOR_RARE);
        let lower = self.with_prior(curvature(&self.kernel(&parameters), rows));
        Cholesky::new(self.layout.len(), lower, self.batch.members.len()).solver()
    }

    fn with_prior(&self, mut lower: Vec<Lane64>) -> Vec<Lane64> {
        let mut at = 0;
        for i in 0..self.layout.len() {
            for j in 0..=i {
                for lane in 0..LANES {
                    if !(self.free[i][lane] && self.free[j][lane]) {
                        lower[at][lane] = f64::from(u8::from(i == j));
                    } else if i == j {
                        lower[at][lane] += self.prior(i).1;
                    }
                }
                at += 1;
            }
        }
        lower
    }

    pub(crate) fn solve(
        &mut self,
        state: State,
        counts: Option<&Cooccurrence>,
        (tolerance, most_factors): (f64, usize),
    ) -> (State, usize) {
        let size = self.layout.len();
        let mut factor = state.factor.unwrap_or_else(|| self.curvature(&state.x, counts));
        let mut minimum = minimise(self, state.x, &factor, tolerance, MOST_PASSES);
        let mut passes = minimum.passes;
        let moved = minimum.first_decrement.into_iter().fold(0.0, f64::max).sqrt();
        // Where votes are never seen to differ, the optimum is far away and the curvature there is another one.
        for _ in 0..most_factors {
            if minimum.converged.iter().all(|converged| *converged) {
                break;
            }
            factor = self.curvature_here(&minimum.x);
            minimum = minimise(self, minimum.x, &factor, tolerance, MOST_PASSES);
            passes += minimum.passes;
        }
        let all_factors = self.rows.active.len() * size * size * size_of::<f32>() / 2;
        let factor = (all_factors <= MOST_KEPT).then_some(factor);
        (
            State {
                layout: self.layout,
                x: minimum.x,
                value: minimum.value,
                converged: minimum.converged,
                moved,
                factor,
            },
            passes,
        )
    }

    /// The estimates of the batch's sources; links between sources that meet too seldom are tested by their sums.
    pub(crate) fn estimates(
        &mut self,
        state: &State,
        votes: &[Vec<f64>],
        meetings: Option<&Meetings>,
    ) -> Vec<SourceFit> {
        let information = self.information(&state.x, self.span);
        let diagonal: Vec<Lane64> = (0..self.layout.len()).map(|d| information[d * (d + 3) / 2]).collect();
        let factor = Cholesky::new(self.layout.len(), information, self.batch.members.len());
        let mut variance = factor.inverse_diagonal();
        self.strong_links(state, &diagonal, &mut variance);
        let seldom = meetings.map_or_else(Vec::new, |meetings| self.seldom_met(meetings));
        let retested =
            if seldom.is_empty() { Vec::new() } else { self.retest(&state.x, &factor.solver(), &seldom) };
        let layout = self.layout;
        let (links, classes, accuracy) = (layout.links(), layout.class_terms(), layout.accuracy());
        // As many parameters as were fitted are lost to the fit, as in any regression; never more than half of the items.
        let items = self.rows.items();
        let lost = items / (items - layout.len() as f64).max(0.5 * items);
        let estimate = |d: usize, lane: usize| LinkFit {
            weight: state.x[d][lane],
            stderr: (lost * variance[d][lane]).sqrt(),
            tested: seldom.binary_search(&(d, lane)).ok().map(|at| retested[at]),
        };
        let number = |l: usize| self.rows.numbers[l];
        let of_lane = |lane: usize| SourceFit {
            source: self.rows.active[self.batch.source(lane)],
            votes: votes[number(self.batch.source(lane))].iter().sum::<f64>() as u64,
            others: (0..layout.sources).filter(|&l| self.batch.may_link(lane, l)).map(number).collect(),
            accuracy: state.x[accuracy][lane],
            accuracy_error: variance[accuracy][lane].sqrt(),
            rates: (links..classes).filter(|&d| self.free[d][lane]).map(|d| state.x[d][lane]).collect(),
            class_terms: (classes..accuracy).map(|d| state.x[d][lane]).collect(),
            links: (0..links).filter(|&d| self.free[d][lane]).map(|d| estimate(d, lane)).collect(),
            log_likelihood: -state.value[lane],
            converged: state.converged[lane],
        };
        (0..self.batch.members.len()).map(of_lane).collect()
    }

    /// The slope where `state` is.
    pub(crate) fn slope(&mut self, state: &State) -> Vec<Lane64> {
        self.evaluate(&state.x).1
    }

    /// For each of the batch's sources, how far its accuracy and its links move if the slope there changes from `before` to `after`.
    pub(crate) fn moved(&self, state: &State, before: &[Lane64], after: &[Lane64]) -> Vec<Moved> {
        let own;
        let factor = if let Some(factor) = &state.factor {
            factor
        } else {
            own = self.curvature_here(&state.x);
            &own
        };
        let change =
            |(before, after): (&Lane64, &Lane64)| std::array::from_fn(|lane| before[lane] - after[lane]);
        let mut step: Vec<Lane64> = before.iter().zip(after).map(change).collect();
        factor.solve(&mut step);
        let of_lane = |lane: usize| Moved {
            accuracy: step[self.layout.accuracy()][lane],
            links: (0..self.layout.links()).filter(|&d| self.free[d][lane]).map(|d| step[d][lane]).collect(),
        };
        (0..self.batch.members.len()).map(of_lane).collect()
    }

    /// The links (parameter and lane, ascending) between sources that meet too seldom for normal estimates.
    fn seldom_met(&self, meetings: &Meetings) -> Vec<(usize, usize)> {
        let number = |l: usize| self.rows.numbers[l];
        let mut seldom = Vec::new();
        for d in 0..self.layout.links() {
            for lane in (0..self.batch.members.len()).filter(|&lane| self.free[d][lane]) {
                let (j, l) = (number(self.batch.source(lane)), number(d % self.layout.sources));
                if !meetings.often(j, l) {
                    seldom.push((d, lane));
                }
            }
        }
        seldom
    }

    /// The links' weights at each penalty, which fall; for each of them and each of the batch's sources, and the passes.
    ///
    /// Starts without links and goes on from penalty to penalty.
    pub(crate) fn path(&mut self, state: &State, epsilons: &[f64]) -> (Vec<Vec<Vec<f64>>>, usize) {
        let (links, items) = (self.layout.links(), self.rows.items());
        let hessian = Hessian::new(self.layout.len(), &self.information(&state.x, self.span));
        let mut x = state.x.clone();
        x[..links].fill([0.0; LANES]);
        let mut passes = 0;
        let steps = epsilons
            .iter()
            .map(|epsilon| {
                let penalty = (links, items * epsilon);
                let start = std::mem::take(&mut x);
                let found =
                    penalised::minimise(self, start, &hessian, penalty, self.options.tolerance, MOST_PASSES);
                passes += found.passes;
                x = found.x;
                let of_lane =
                    |lane: usize| (0..links).filter(|&d| self.free[d][lane]).map(|d| x[d][lane]).collect();
                (0..self.batch.members.len()).map(of_lane).collect()
            })
            .collect();
        (steps, passes)
    }

    /// Puts the variance of strong links right, whose information fades: the likelihood of two near copies hardly
    /// changes once their weight is large, so that weight / stderr falls although the link is beyond doubt (Hauck and
    /// Donner 1977). The fall of the likelihood without the link does not fade.
    ///
    /// # Formula
    /// ```text
    /// z² = 2 (log L - log L without the link) / (J_dd (J⁻¹)_dd),   variance = w² / z²
    /// ```
    /// The divisor turns the fall with all other weights held into that with all others fitted again.
    fn strong_links(&mut self, state: &State, diagonal: &[Lane64], variance: &mut [Lane64]) {
        let strong: Vec<Vec<usize>> = (0..LANES)
            .map(|lane| {
                let is_strong = |&d: &usize| self.free[d][lane] && state.x[d][lane].abs() > STRONG;
                (0..self.layout.links()).filter(is_strong).collect()
            })
            .collect();
        // The accuracies have moved a little since the problem was solved, so the likelihood with the link is taken again.
        let turns = strong.iter().map(Vec::len).max().unwrap_or(0);
        let with_link = if turns > 0 { self.evaluate(&state.x).0 } else { state.value };
        for turn in 0..turns {
            let mut x = state.x.clone();
            for (lane, strong) in strong.iter().enumerate() {
                if let Some(&d) = strong.get(turn) {
                    x[d][lane] = 0.0;
                }
            }
            let (value, _) = self.evaluate(&x);
            for (lane, strong) in strong.iter().enumerate() {
                if let Some(&d) = strong.get(turn) {
                    let fall = (value[lane] - with_link[lane]).max(0.0);
                    let squared = 2.0 * fall / (diagonal[d][lane] * variance[d][lane]).max(1.0);
                    if squared > 0.0 {
                        variance[d][lane] = variance[d][lane].min(state.x[d][lane].powi(2) / squared);
                    }
                }
            }
        }
    }
}

impl Objective for Problem<'_> {
    /// Votes that are nearly certain add next to nothing, but their probability is rounded all the same.
    fn rounding(&self) -> f64 {
        f64::from(f32::EPSILON) * self.rows.items()
    }

    fn evaluate(&mut self, x: &[Lane64]) -> (Lane64, Vec<Lane64>) {
        let parameters = self.parameters(x);
        let gradient = gradient(&self.kernel(&parameters), self.span);
        let scale = self.span.scale;
        let mut value = gradient.log_likelihood.map(|likelihood| -likelihood * scale);
        let mut slope = gradient.by_parameter;
        for (d, slope) in slope.iter_mut().enumerate() {
            let (centre, precision) = self.prior(d);
            for lane in 0..LANES {
                if self.free[d][lane] {
                    let away = x[d][lane] - centre;
                    value[lane] += 0.5 * precision * away * away;
                    slope[lane] = precision * away - slope[lane] * scale;
                } else {
                    slope[lane] = 0.0;
                }
            }
        }
        (value, slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CellLimit, Links, Planted, simulate};

    /// At the optimum with a penalty the slope of a link is the penalty where the link is not 0, and within it where it is.
    #[test]
    fn the_penalised_optimum_meets_its_conditions() {
        let planted = Planted { links: Links::Density(0.2), seed: 5, ..Planted::new(16).unwrap() };
        let votes =
            simulate(&planted.model().unwrap(), 2_000, 5, CellLimit::default(), |_| {}).unwrap().votes;
        let rows = Rows::new(&votes);
        let (batches, span, options) = (Batch::all(&rows, &votes), Span::all(&rows), ExactOptions::default());
        let context = Context::new(&rows, &[1.0; 16], &[0.0, 0.0]);
        let features = Feature::of(&options.types);
        let mut problem = Problem::new((&rows, &span), &batches[0], &context, &features, &options);
        let start = State::start(&rows, &batches[0], &rows.votes_by_class(), rows.items());
        let state = problem.solve(start.with_links(problem.layout), None, (1e-4, MOST_FACTORS)).0;
        let hessian = Hessian::new(problem.layout.len(), &problem.information(&state.x, &span));
        let links = problem.layout.links();
        let mut at_zero = 0;
        for epsilon in [0.05, 0.01, 0.002] {
            let penalty = 2_000.0 * epsilon;
            let found =
                penalised::minimise(&mut problem, state.x.clone(), &hessian, (links, penalty), 1e-5, 200);
            let (_, slope) = problem.evaluate(&found.x);
            let information = problem.information(&found.x, &span);
            for d in 0..problem.layout.len() {
                for lane in 0..LANES {
                    let (x, slope) = (found.x[d][lane], slope[d][lane]);
                    // In units of the slope's own sampling error.
                    let unit = information[d * (d + 3) / 2][lane].sqrt();
                    let off = if d >= links {
                        slope.abs()
                    } else if x.abs() > 0.0 {
                        (slope + penalty * x.signum()).abs()
                    } else {
                        at_zero += 1;
                        (slope.abs() - penalty).max(0.0)
                    };
                    assert!(
                        off / unit < 0.02,
                        "epsilon {epsilon}, parameter {d}, lane {lane}: {off} of {unit}"
                    );
                }
            }
        }
        assert!(at_zero > 100, "{at_zero}");
    }
}
