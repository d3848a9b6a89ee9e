//! All problems together: what each of them takes from the others, and the estimates of every link.

use rayon::prelude::*;

use super::context::Context;
use super::cooccurrence::Cooccurrence;
use super::feature::Feature;
use super::group::Group;
use super::options::{ExactError, ExactOptions};
use super::problem::{FIRST_ACCURACY, Problem, layout};
use super::rows::Rows;
use super::span::Span;
use super::state::{State, class_terms, even_classes};
use crate::dependency::{Accuracy, ClassPrior, Factor, VoteRate};
use crate::votes::Votes;

/// The most sources; the information matrices of sixteen problems of this size take 4 GB.
const MOST_SOURCES: usize = 8192;

/// The most weights of a problem, for the same reason; so many sources and a few classes fit in.
const MOST_WEIGHTS: usize = MOST_SOURCES + 256;

/// Rounds in which what the problems take from each other is brought up to date.
const MOST_ROUNDS: usize = 40;

/// Accuracies that move less than this are at rest, in units of 1/√votes, below which no standard error of theirs can be; and
/// so are problems all of whose weights together move less, in standard errors.
const AT_REST: f64 = 0.05;

/// Tolerance of the accuracies that only start the links off, how still they must be, and from how many rows they come.
const ROUGH: f64 = 1.0;
const ROUGHLY_AT_REST: f64 = 4.0;
const ROUGH_ROWS: usize = 2048;

/// Where there are far more rows than this for each parameter, links are first fitted on so many.
const FIRST_ROWS_OF_PARAMETER: usize = 256;

/// Which links a problem may use: for each active source, each feature and each other active source.
pub(super) type Allowed<'a> = &'a (dyn Fn(usize, Feature, usize) -> bool + Sync);

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
    /// For each class, what this problem adds to the class terms that all share.
    pub class_terms: Vec<f64>,
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
    /// The class terms that all problems share.
    pub class_terms: Vec<f64>,
    /// For each penalty asked for and each active source, the weight of each link as in [`SourceFit`].
    pub(in super::super) penalised: Vec<Vec<Vec<f64>>>,
    /// Passes over the rows, all groups together.
    pub passes: usize,
    /// Rounds of the accuracies.
    pub rounds: usize,
}

impl ExactFit {
    /// The factors of the problem of the source at `place` among the active ones: its vote rates and class terms, the accuracies
    /// of all active sources, and its links with the weights estimated in this problem alone.
    pub fn problem(&self, votes: &Votes, place: usize) -> Vec<Factor> {
        let fit = &self.sources[place];
        let classes = votes.domains()[fit.source].classes();
        let rates =
            classes.iter().zip(&fit.rates).map(|(&c, &rate)| Factor::new(VoteRate::new(fit.source, c), rate));
        let accuracies =
            self.sources.iter().map(|other| Factor::new(Accuracy::new(other.source), other.accuracy));
        let terms = self.class_terms.iter().zip(&fit.class_terms).zip(1..);
        let terms = terms.map(|((shared, own), c)| Factor::new(ClassPrior::new(c), shared + own));
        let mut factors: Vec<Factor> = rates.chain(accuracies).chain(terms).collect();
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
    fit_path(votes, options, &[])
}

/// Fits all links of the given types without a penalty, and with each of the l1 penalties ε, which fall.
///
/// The penalised fits take the accuracies of the other sources from the one without.
pub(in super::super) fn fit_path(
    votes: &Votes,
    options: &ExactOptions,
    epsilons: &[f64],
) -> Result<ExactFit, ExactError> {
    fit_allowed(votes, options, epsilons, &|_, _, _| true)
}

/// Fits the links that `allowed` lets pass; it is asked by the sources' numbers in the table.
fn fit_allowed(
    votes: &Votes,
    options: &ExactOptions,
    epsilons: &[f64],
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
    let features = Feature::of(&options.types);
    let rows = if features == [Feature::Correlation] { rows.with_contrast() } else { rows };
    let groups = Group::all(&rows, votes);
    let weights = groups.iter().map(|group| layout(&rows, group, features.len()).len()).max().unwrap_or(0);
    if weights > MOST_WEIGHTS {
        return Err(ExactError::TooManyWeights { weights, limit: MOST_WEIGHTS });
    }
    let votes_by_class = rows.votes_by_class();
    let items = votes.items() as f64;
    let mut fitter = Fitter {
        rows: &rows,
        groups: &groups,
        options,
        allowed,
        roots: votes_by_class.iter().map(|votes| votes.iter().sum::<f64>().sqrt()).collect(),
        accuracies: vec![FIRST_ACCURACY; active],
        class_terms: even_classes(&votes_by_class, items, rows.classes),
        passes: 0,
    };
    // First as if sources were independent, on a share of the rows, which costs little and starts the links near their
    // place.
    let states = groups.iter().map(|group| State::start(&rows, group, &votes_by_class, items)).collect();
    let (states, _) = fitter.settle(&[], states, &Span::share(&rows, ROUGH_ROWS), (ROUGH, ROUGHLY_AT_REST));
    let with_links = |(state, group): (State, &Group)| state.with_links(layout(&rows, group, features.len()));
    let mut states: Vec<State> = states.into_iter().zip(&groups).map(with_links).collect();
    let span = Span::all(&rows);
    let parameters = states.iter().map(|state| state.x.len()).max().unwrap_or(0);
    let part = Span::share(&rows, FIRST_ROWS_OF_PARAMETER * parameters);
    if part.scale > 2.0 {
        // Where the part's optimum lies from that of all rows is uncertain by about this much for each parameter.
        let tolerance = options.tolerance.max(ROUGH * part.scale);
        states = fitter.settle(&features, states, &part, (tolerance, ROUGHLY_AT_REST)).0;
    }
    let (states, rounds) = fitter.settle(&features, states, &span, (options.tolerance, AT_REST));
    let sources = fitter.estimates(&features, &states, &span, &votes_by_class);
    let penalised = fitter.path(&features, &states, &span, epsilons);
    let Fitter { passes, class_terms, .. } = fitter;
    Ok(ExactFit { sources, copies: rows.copies.clone(), features, class_terms, penalised, passes, rounds })
}

struct Fitter<'a> {
    rows: &'a Rows,
    groups: &'a [Group],
    options: &'a ExactOptions,
    allowed: Allowed<'a>,
    /// For each active source, √votes.
    roots: Vec<f64>,
    accuracies: Vec<f64>,
    class_terms: Vec<f64>,
    passes: usize,
}

impl Fitter<'_> {
    /// Solves all problems in rounds, each to the tolerance, until the accuracies that they take from each other are at
    /// rest.
    fn settle(
        &mut self,
        features: &[Feature],
        mut states: Vec<State>,
        span: &Span,
        (tolerance, at_rest): (f64, f64),
    ) -> (Vec<State>, usize) {
        for round in 1..=MOST_ROUNDS {
            let context = self.context();
            let counts =
                (round == 1 && !features.is_empty() && states.iter().any(|state| state.factor.is_none()))
                    .then(|| Cooccurrence::new(self.rows, &context, features))
                    .flatten();
            let solved: Vec<(State, usize)> = states
                .into_par_iter()
                .zip(self.groups)
                .map(|(state, group)| {
                    self.problem(features, span, group, &context).solve(state, counts.as_ref(), tolerance)
                })
                .collect();
            self.passes += solved.iter().map(|solved| solved.1).sum::<usize>();
            states = solved.into_iter().map(|solved| solved.0).collect();
            if features.is_empty() {
                self.class_terms = class_terms(self.rows, &context, self.groups, &states);
            } else {
                self.share_class_terms(features.len(), &mut states);
            }
            let moved = self.take_accuracies(features.len(), &states);
            if moved < at_rest || states.iter().all(|state| state.moved < AT_REST) {
                return (states, round);
            }
        }
        (states, MOST_ROUNDS)
    }

    /// Takes the accuracies over; returns how far one moved at most, in units of 1/√votes.
    fn take_accuracies(&mut self, features: usize, states: &[State]) -> f64 {
        let mut moved = 0.0f64;
        for (state, group) in states.iter().zip(self.groups) {
            let accuracy = &state.x[layout(self.rows, group, features).accuracy()];
            for (&j, &a) in group.members.iter().zip(accuracy) {
                moved = moved.max((a - self.accuracies[j]).abs() * self.roots[j]);
                self.accuracies[j] = a;
            }
        }
        moved
    }

    /// Moves the mean of the problems' class terms into those that all share: the optimum of the common value that their
    /// normal priors are centred on.
    fn share_class_terms(&mut self, features: usize, states: &mut [State]) {
        let n = self.rows.active.len() as f64;
        for class in 0..self.rows.classes {
            let mut sum = 0.0;
            for (state, group) in states.iter().zip(self.groups) {
                let at = layout(self.rows, group, features).class_terms() + class;
                sum += state.x[at][..group.members.len()].iter().sum::<f64>();
            }
            let mean = sum / n;
            self.class_terms[class] += mean;
            for (state, group) in states.iter_mut().zip(self.groups) {
                let at = layout(self.rows, group, features).class_terms() + class;
                state.x[at].iter_mut().for_each(|term| *term -= mean);
            }
        }
    }

    fn context(&self) -> Context {
        Context::new(self.rows, &self.accuracies, &self.class_terms)
    }

    fn problem<'a>(
        &'a self,
        features: &'a [Feature],
        span: &'a Span,
        group: &'a Group,
        context: &'a Context,
    ) -> Problem<'a> {
        Problem::new((self.rows, span), group, context, features, self.options, self.allowed)
    }

    fn estimates(
        &self,
        features: &[Feature],
        states: &[State],
        span: &Span,
        votes: &[Vec<f64>],
    ) -> Vec<SourceFit> {
        let context = self.context();
        let mut fits: Vec<SourceFit> = states
            .par_iter()
            .zip(self.groups)
            .flat_map(|(state, group)| self.problem(features, span, group, &context).estimates(state, votes))
            .collect();
        fits.sort_by_key(|fit| fit.source);
        fits
    }

    /// For each penalty and each active source, the weights of its links.
    fn path(
        &mut self,
        features: &[Feature],
        states: &[State],
        span: &Span,
        epsilons: &[f64],
    ) -> Vec<Vec<Vec<f64>>> {
        if epsilons.is_empty() {
            return Vec::new();
        }
        let context = self.context();
        let solved: Vec<(Vec<Vec<Vec<f64>>>, usize)> = states
            .par_iter()
            .zip(self.groups)
            .map(|(state, group)| self.problem(features, span, group, &context).path(state, epsilons))
            .collect();
        let mut path = vec![vec![Vec::new(); self.rows.active.len()]; epsilons.len()];
        for ((steps, passes), group) in solved.into_iter().zip(self.groups) {
            self.passes += passes;
            for (to, step) in path.iter_mut().zip(steps) {
                for (&j, links) in group.members.iter().zip(step) {
                    to[j] = links;
                }
            }
        }
        path
    }
}
