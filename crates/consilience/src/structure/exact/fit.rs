//! All problems together: the accuracies that each of them takes from the others, and the estimates of every link.

use rayon::prelude::*;

use super::context::Context;
use super::feature::Feature;
use super::information::information;
use super::newton::{Objective, minimise};
use super::options::{ExactError, ExactOptions};
use super::pass::{Layout, gradient};
use super::rows::{Group, Rows};
use super::scores::{Kernel, Parameters};
use crate::dependency::{Accuracy, Factor, VoteRate};
use crate::optim::{Cholesky, LANES, Lane, Lane64};
use crate::votes::Votes;

/// The most sources; the information matrices of sixteen problems of this size take 4 GB.
const MOST_SOURCES: usize = 8192;

/// Where accuracies start and what their prior is centred on: sources are taken to be better than chance.
const FIRST_ACCURACY: f64 = 1.0;

/// Precision of that prior.
const ACCURACY_PRECISION: f64 = 1.0;

/// Rounds in which the accuracies of the other sources are brought up to date.
const MOST_ROUNDS: usize = 40;

/// Accuracies that move less than this are at rest.
const AT_REST: f64 = 5e-4;

/// Weights above this are judged by the fall of the likelihood without them.
const STRONG: f64 = 1.0;

/// Tolerance of the accuracies that only start the links off.
const ROUGH: f64 = 0.1;

/// Bytes of factors that are kept from round to round.
const MOST_KEPT: usize = 1 << 30;

/// Most passes over the rows in one round.
const MOST_PASSES: usize = 60;

/// Which links a problem may use: for each active source, each feature and each other active source.
pub(in super::super) type Allowed<'a> = &'a (dyn Fn(usize, Feature, usize) -> bool + Sync);

/// The estimates of one source's problem.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFit {
    /// The source's number in the table.
    pub source: usize,
    /// On how many items it votes.
    pub votes: u64,
    /// Weight of its accuracy dependency.
    pub accuracy: f64,
    /// For each class it ever votes for, ascending, the weight of its vote rate.
    pub rates: Vec<f64>,
    /// For each feature and each active source, weight and standard error of the link; 0 with itself.
    pub(in super::super) links: Vec<(f64, f64)>,
    /// log p(its votes | the others).
    pub log_likelihood: f64,
    /// Whether the optimum was reached.
    pub converged: bool,
}

/// The estimates of all problems.
#[derive(Clone, Debug)]
pub struct ExactFit {
    /// One for each active source, ascending.
    pub sources: Vec<SourceFit>,
    /// Groups of exact copies; the first of each is active.
    pub copies: Vec<Vec<usize>>,
    pub(in super::super) features: Vec<Feature>,
    /// Passes over the rows, all groups together.
    pub passes: usize,
    /// Rounds of the accuracies.
    pub rounds: usize,
}

impl ExactFit {
    /// The factors of the problem of the source at `place` among the active ones: its vote rates, the accuracies of all
    /// active sources, and its links with the weights estimated in this problem alone.
    pub fn problem(&self, votes: &Votes, place: usize) -> Vec<Factor> {
        let fit = &self.sources[place];
        let classes = votes.domains()[fit.source].classes();
        let rates =
            classes.iter().zip(&fit.rates).map(|(&c, &rate)| Factor::new(VoteRate::new(fit.source, c), rate));
        let accuracies =
            self.sources.iter().map(|other| Factor::new(Accuracy::new(other.source), other.accuracy));
        let mut factors: Vec<Factor> = rates.chain(accuracies).collect();
        for (links, feature) in fit.links.chunks_exact(self.sources.len()).zip(&self.features) {
            let (kind, reverse) = feature.link();
            for (&(weight, _), other) in
                links.iter().zip(&self.sources).filter(|(_, other)| other.source != fit.source)
            {
                let (to, from) =
                    if reverse { (other.source, fit.source) } else { (fit.source, other.source) };
                // Different sources always make a link.
                factors.extend(kind.between(to, from).ok().map(|dependency| Factor { dependency, weight }));
            }
        }
        factors
    }
}

/// Fits all links of the given types.
pub fn fit(votes: &Votes, options: &ExactOptions) -> Result<ExactFit, ExactError> {
    fit_allowed(votes, options, &|_, _, _| true)
}

/// Fits the links that `allowed` lets pass; it is asked by the sources' numbers in the table.
pub(in super::super) fn fit_allowed(
    votes: &Votes,
    options: &ExactOptions,
    allowed: Allowed<'_>,
) -> Result<ExactFit, ExactError> {
    options.check()?;
    let rows = Rows::new(votes);
    let active = rows.active.len();
    if active < 2 {
        return Err(ExactError::TooFewSources { active });
    }
    if active > MOST_SOURCES {
        return Err(ExactError::TooManySources { sources: active, limit: MOST_SOURCES });
    }
    let groups = Group::all(&rows, votes);
    let features = Feature::of(&options.types);
    let mut fitter = Fitter {
        rows: &rows,
        groups: &groups,
        options,
        allowed,
        accuracies: vec![FIRST_ACCURACY; active],
        passes: 0,
    };
    // First the accuracies as if sources were independent, which costs little and starts the links near their place.
    let alone: Vec<State> = groups.iter().map(|group| State::start(&rows, group)).collect();
    let (alone, _) = fitter.settle(&[], alone, ROUGH);
    let with_links = |(state, group): (State, &Group)| state.with_links(layout(&rows, group, features.len()));
    let states = alone.into_iter().zip(&groups).map(with_links).collect();
    let (states, rounds) = fitter.settle(&features, states, options.tolerance);
    let sources = fitter.estimates(&features, &states);
    let passes = fitter.passes;
    Ok(ExactFit { sources, copies: rows.copies.clone(), features, passes, rounds })
}

fn layout(rows: &Rows, group: &Group, features: usize) -> Layout {
    Layout { sources: rows.active.len(), features, rates: group.classes.len() }
}

/// The parameters of a group and how its problems stand.
#[derive(Clone, Debug)]
struct State {
    x: Vec<Lane64>,
    value: Lane64,
    converged: [bool; LANES],
    /// The factor of an earlier round, which serves later ones as well where memory allows to keep it.
    factor: Option<Cholesky>,
}

impl State {
    /// Accuracies at their first value, vote rates where they give the shares of votes seen.
    fn start(rows: &Rows, group: &Group) -> Self {
        let layout = layout(rows, group, 0);
        let mut seen = vec![[0.0; LANES]; layout.rates + 1];
        for (observed, &count) in group.observed.iter().zip(&rows.counts) {
            for (lane, &place) in observed.iter().enumerate() {
                seen[usize::from(place)][lane] += f64::from(count);
            }
        }
        let mut x = vec![[0.0; LANES]; layout.len()];
        x[layout.accuracy()] = [FIRST_ACCURACY; LANES];
        let k = rows.classes as f64;
        let even = ((FIRST_ACCURACY.exp() + (k - 1.0) * (-FIRST_ACCURACY).exp()) / k).ln();
        for (place, inside) in group.in_domain.iter().enumerate() {
            x[place] = std::array::from_fn(|lane| {
                let odds = (seen[place + 1][lane] + 0.5) / (seen[0][lane] + 0.5);
                if inside[lane] { odds.ln() - even } else { 0.0 }
            });
        }
        Self { x, value: [0.0; LANES], converged: [false; LANES], factor: None }
    }

    fn with_links(self, layout: Layout) -> Self {
        let mut x = vec![[0.0; LANES]; layout.links()];
        x.extend(self.x);
        Self { x, factor: None, ..self }
    }
}

struct Fitter<'a> {
    rows: &'a Rows,
    groups: &'a [Group],
    options: &'a ExactOptions,
    allowed: Allowed<'a>,
    accuracies: Vec<f64>,
    passes: usize,
}

impl Fitter<'_> {
    /// Solves all problems in rounds until the accuracies that they take from each other are at rest.
    fn settle(
        &mut self,
        features: &[Feature],
        mut states: Vec<State>,
        tolerance: f64,
    ) -> (Vec<State>, usize) {
        for round in 1..=MOST_ROUNDS {
            let context = self.context();
            let solved: Vec<(State, usize)> = states
                .into_par_iter()
                .zip(self.groups)
                .map(|(state, group)| self.problem(features, group, &context).solve(state, tolerance))
                .collect();
            self.passes += solved.iter().map(|solved| solved.1).sum::<usize>();
            states = solved.into_iter().map(|solved| solved.0).collect();
            let mut moved = 0.0f64;
            for (state, group) in states.iter().zip(self.groups) {
                let accuracy = &state.x[layout(self.rows, group, features.len()).accuracy()];
                for (&j, &a) in group.members.iter().zip(accuracy) {
                    moved = moved.max((a - self.accuracies[j]).abs());
                    self.accuracies[j] = a;
                }
            }
            if moved < AT_REST {
                return (states, round);
            }
        }
        (states, MOST_ROUNDS)
    }

    fn context(&self) -> Context {
        Context::new(self.rows, &self.accuracies, &vec![0.0; self.rows.classes])
    }

    fn problem<'a>(&'a self, features: &'a [Feature], group: &'a Group, context: &'a Context) -> Problem<'a> {
        Problem::new(self.rows, group, context, features, self.options, self.allowed)
    }

    fn estimates(&self, features: &[Feature], states: &[State]) -> Vec<SourceFit> {
        let context = self.context();
        let mut fits: Vec<SourceFit> = states
            .par_iter()
            .zip(self.groups)
            .flat_map(|(state, group)| self.problem(features, group, &context).estimates(state))
            .collect();
        fits.sort_by_key(|fit| fit.source);
        fits
    }
}

/// The problems of one group, the context held fixed.
struct Problem<'a> {
    rows: &'a Rows,
    group: &'a Group,
    context: &'a Context,
    features: &'a [Feature],
    options: &'a ExactOptions,
    layout: Layout,
    /// For each parameter, the lanes that may use it.
    free: Vec<[bool; LANES]>,
}

impl<'a> Problem<'a> {
    fn new(
        rows: &'a Rows,
        group: &'a Group,
        context: &'a Context,
        features: &'a [Feature],
        options: &'a ExactOptions,
        allowed: Allowed<'a>,
    ) -> Self {
        let layout = layout(rows, group, features.len());
        let mut free = Vec::with_capacity(layout.len());
        for &feature in features {
            for l in 0..layout.sources {
                free.push(std::array::from_fn(|lane| {
                    let j = group.source(lane);
                    group.real(lane) && j != l && allowed(rows.active[j], feature, rows.active[l])
                }));
            }
        }
        free.extend(&group.in_domain);
        free.push([true; LANES]);
        Self { rows, group, context, features, options, layout, free }
    }

    fn parameters(&self, x: &[Lane64]) -> Parameters {
        let single = |lane: &Lane64| Lane(lane.map(|value| value as f32));
        Parameters {
            links: x[..self.layout.links()].iter().map(single).collect(),
            rates: x[self.layout.links()..self.layout.accuracy()].iter().map(single).collect(),
            accuracy: single(&x[self.layout.accuracy()]),
        }
    }

    fn kernel<'b>(&'b self, parameters: &'b Parameters) -> Kernel<'b> {
        Kernel::new(self.rows, self.group, self.context, self.features, parameters)
    }

    /// Centre and precision of the prior of parameter `d`.
    fn prior(&self, d: usize) -> (f64, f64) {
        if d == self.layout.accuracy() {
            (FIRST_ACCURACY, ACCURACY_PRECISION)
        } else {
            (0.0, self.options.ridge)
        }
    }

    /// The information matrix with the prior, parameters that are not free cut out: a packed lower triangle.
    fn information(&self, x: &[Lane64]) -> Vec<Lane64> {
        let parameters = self.parameters(x);
        let mut lower = information(&self.kernel(&parameters));
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

    fn solve(&mut self, state: State, tolerance: f64) -> (State, usize) {
        let size = self.layout.len();
        let factor = state.factor.unwrap_or_else(|| Cholesky::new(size, self.information(&state.x)));
        let minimum = minimise(self, state.x, &factor, tolerance, MOST_PASSES);
        let all_factors = self.rows.active.len() * size * size * size_of::<f64>() / 2;
        let factor = (all_factors <= MOST_KEPT).then_some(factor);
        (State { x: minimum.x, value: minimum.value, converged: minimum.converged, factor }, minimum.passes)
    }

    fn estimates(&mut self, state: &State) -> Vec<SourceFit> {
        let information = self.information(&state.x);
        let diagonal: Vec<Lane64> = (0..self.layout.len()).map(|d| information[d * (d + 3) / 2]).collect();
        let mut variance = Cholesky::new(self.layout.len(), information).inverse_diagonal();
        self.strong_links(state, &diagonal, &mut variance);
        let (links, accuracy) = (self.layout.links(), self.layout.accuracy());
        let estimate = |d: usize, lane: usize| {
            if self.free[d][lane] { (state.x[d][lane], variance[d][lane].sqrt()) } else { (0.0, 0.0) }
        };
        let votes = |lane: usize| {
            let seen =
                self.group.observed.iter().zip(&self.rows.counts).filter(|(observed, _)| observed[lane] > 0);
            seen.map(|(_, &count)| f64::from(count)).sum::<f64>() as u64
        };
        let of_lane = |lane: usize| SourceFit {
            source: self.rows.active[self.group.source(lane)],
            votes: votes(lane),
            accuracy: state.x[accuracy][lane],
            rates: (links..accuracy).filter(|&d| self.free[d][lane]).map(|d| state.x[d][lane]).collect(),
            links: (0..links).map(|d| estimate(d, lane)).collect(),
            log_likelihood: -state.value[lane],
            converged: state.converged[lane],
        };
        (0..self.group.members.len()).map(of_lane).collect()
    }

    /// Puts the variance of strong links right, whose information fades: the likelihood of two near copies hardly
    /// changes once their weight is large, so that weight / stderr falls although the link is beyond doubt (Hauck and
    /// Donner 1977). The fall of the likelihood without the link does not fade.
    ///
    /// # Formula
    /// ```text
    /// z² = 2 (log L - log L without the link) / (J_dd (J⁻¹)_dd),   variance = w² / z²
    /// ```
    /// The divisor turns the fall with all other weights held into that with all others fitted anew.
    fn strong_links(&mut self, state: &State, diagonal: &[Lane64], variance: &mut [Lane64]) {
        let strong: Vec<Vec<usize>> = (0..LANES)
            .map(|lane| {
                let is_strong = |&d: &usize| self.free[d][lane] && state.x[d][lane].abs() > STRONG;
                (0..self.layout.links()).filter(is_strong).collect()
            })
            .collect();
        // The accuracies have moved a little since the problem was solved, so the likelihood with the link is taken anew.
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
                    let certain = state.x[d][lane].powi(2) / squared.max(f64::MIN_POSITIVE);
                    variance[d][lane] = variance[d][lane].min(certain);
                }
            }
        }
    }
}

impl Objective for Problem<'_> {
    fn evaluate(&mut self, x: &[Lane64]) -> (Lane64, Vec<Lane64>) {
        let parameters = self.parameters(x);
        let gradient = gradient(&self.kernel(&parameters));
        let mut value = gradient.log_likelihood.map(|likelihood| -likelihood);
        let mut slope = gradient.by_parameter;
        for (d, slope) in slope.iter_mut().enumerate() {
            let (centre, precision) = self.prior(d);
            for lane in 0..LANES {
                if self.free[d][lane] {
                    let away = x[d][lane] - centre;
                    value[lane] += 0.5 * precision * away * away;
                    slope[lane] = precision * away - slope[lane];
                } else {
                    slope[lane] = 0.0;
                }
            }
        }
        (value, slope)
    }
}
