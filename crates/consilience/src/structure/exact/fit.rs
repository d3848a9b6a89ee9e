//! All problems together: what each of them takes from the others, and the estimates of every link.

use rayon::prelude::*;

use super::absent::MANY_CLASSES;
use super::borrowed;
use super::context::Context;
use super::cooccurrence::Cooccurrence;
use super::estimate;
use super::feature::Feature;
use super::group::Group;
use super::layout::Layout;
use super::meetings::Meetings;
use super::options::{ExactError, ExactOptions};
use super::problem::{FIRST_ACCURACY, Problem, layout};
use super::rounds::Rounds;
use super::rows::Rows;
use super::screen::{Screen, alone, nearer_to_zero};
use super::span::Span;
use super::state::{State, class_terms, even_classes};
use super::view::View;
use crate::dependency::{Accuracy, ClassPrior, Factor, VoteRate};
use crate::optim::Lane64;
use crate::votes::Votes;
use crate::watch;

/// The most sources; the information matrices of sixteen problems of this size take 4 GB.
const MOST_SOURCES: usize = 8192;

/// The most weights of a problem, for the same reason; so many sources and a few classes fit in.
const MOST_WEIGHTS: usize = MOST_SOURCES + 256;

/// Rounds in which what the problems take from each other is brought up to date.
const MOST_ROUNDS: usize = 40;

/// Rounds, and passes of a group of problems, before anything is known of how many there will be. Only progress reads them.
const USUAL_ROUNDS: usize = 5;
const USUAL_PASSES: usize = 30;

/// Accuracies that move less than this have converged, in units of 1/√votes, below which no standard error of theirs can be; and
/// so have problems whose unrest is less.
const AT_REST: f64 = 0.05;

/// Unrest above which the next round begins where the rounds before point to.
const CLOSE: f64 = 0.5;

/// Tolerance of the accuracies that only start the links off, how still they must be, and from how many rows they come.
const ROUGH: f64 = 1.0;
const ROUGHLY_AT_REST: f64 = 4.0;
const ROUGH_ROWS: usize = 2048;
/// At least so many rows for each class: from fewer, a source may look as if it knew a class that it does not, and links then make up
/// for that.
const ROUGH_ROWS_OF_CLASS: usize = 256;

/// Tolerance of the problems without links that pairs are tested against, and how still their accuracies must be.
const ALONE: f64 = 1e-2;
const ALONE_AT_REST: f64 = 0.5;

/// Where more pairs than this were tested and not fitted, those with a |z| below the second number are not listed.
const MOST_LISTED: usize = 1 << 20;
const LEAST_LISTED: f64 = 2.0;

/// Where there are far more rows than this for each parameter, links are first fitted on so many.
const FIRST_ROWS_OF_PARAMETER: usize = 256;

/// The estimate of a link from one source's problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct LinkFit {
    pub(in super::super) weight: f64,
    pub(in super::super) stderr: f64,
    /// Between sources that meet too seldom for normal estimates: how far out the sum that tests it is, as a normal number.
    pub(in super::super) tested: Option<f64>,
}

/// A link between sources that seldom meet and that nothing supports: it is not fitted with the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Rejected {
    /// The places of the two sources among the active ones, ascending.
    pub(in super::super) sources: [usize; 2],
    /// The number of its feature.
    pub(in super::super) feature: usize,
    pub(in super::super) weight: f64,
    pub(in super::super) stderr: f64,
    pub(in super::super) z: f64,
}

/// The estimates of one source's problem.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFit {
    /// The source's number in the table.
    pub source: usize,
    /// On how many items it votes.
    pub votes: u64,
    /// Weight of its accuracy dependency.
    pub accuracy: f64,
    /// Its standard error, the accuracies of the others taken as known.
    pub(super) accuracy_error: f64,
    /// For each class it ever votes for, ascending, the weight of its vote rate.
    pub rates: Vec<f64>,
    /// For each class, what this problem adds to the class terms that all share.
    pub class_terms: Vec<f64>,
    /// The places among the active sources of those it may be linked with, ascending.
    pub(in super::super) others: Vec<usize>,
    /// For each feature and each of these, the link.
    pub(in super::super) links: Vec<LinkFit>,
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
    /// Sources and their mirror images, which are not active.
    pub mirrors: Vec<[usize; 2]>,
    pub(in super::super) features: Vec<Feature>,
    /// The class terms that all problems share.
    pub class_terms: Vec<f64>,
    /// For each penalty asked for and each active source, the weight of each link as in [`SourceFit`].
    pub(in super::super) penalised: Vec<Vec<Vec<f64>>>,
    /// Links that were tested and not fitted, by sources and feature; those plainly absent are left out where there are very many.
    pub(in super::super) rejected: Vec<Rejected>,
    /// Pairs of active sources that have too few items in common to be tested.
    pub untested: usize,
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
        for (links, feature) in fit.links.chunks_exact(fit.others.len().max(1)).zip(&self.features) {
            let (kind, reverse) = feature.link();
            for (&LinkFit { weight, .. }, &other) in links.iter().zip(&fit.others) {
                let other = &self.sources[other];
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
    let groups = Group::all(&rows, votes);
    let votes_by_class = rows.votes_by_class();
    let meetings = Meetings::new(&rows, &votes_by_class);
    let seldom = !meetings.always_often();
    // Where pairs are tested first, how many links a problem has is not known yet.
    let links = if seldom { 0 } else { features.len() };
    refuse_too_many(groups.iter().map(|group| layout(&rows, group, links)))?;
    if seldom && Screen::too_large(&rows, features.len()) {
        return Err(ExactError::TooManyPairs {
            sources: active,
            bytes: Screen::bytes(&rows, features.len()),
        });
    }
    let rows = if !seldom && features == [Feature::Correlation] { rows.with_contrast() } else { rows };
    let items = votes.items() as f64;
    let mut fitter = Fitter {
        rows: &rows,
        groups: &groups,
        options,
        neighbours: None,
        roots: votes_by_class.iter().map(|votes| votes.iter().sum::<f64>().sqrt()).collect(),
        accuracies: vec![FIRST_ACCURACY; active],
        class_terms: even_classes(&votes_by_class, items, rows.classes),
        passes: 0,
    };
    // First as if sources were independent, on a share of the rows, which costs little and starts the links near their
    // place.
    let states: Vec<State> =
        groups.iter().map(|group| State::start(&rows, group, &votes_by_class, items)).collect();
    let rough = Span::share(&rows, ROUGH_ROWS.max(ROUGH_ROWS_OF_CLASS * rows.classes));
    let (mut states, _) = fitter.settle(&[], states, &rough, (ROUGH, ROUGHLY_AT_REST));
    let span = Span::all(&rows);
    let screen = if seldom {
        // Independence is what pairs that seldom meet are tested against, so that it must be found well.
        (states, _) = fitter.settle(&[], states, &span, (ALONE, ALONE_AT_REST));
        let screen = fitter.screen(&features, &states, &meetings);
        Some(screen)
    } else {
        None
    };
    fitter.neighbours = screen.as_ref().map(|screen| screen.neighbours.as_slice());
    let layouts: Vec<Layout> = groups.iter().map(|group| fitter.layout(&features, group)).collect();
    let weights = refuse_too_many(layouts.iter().copied())?;
    if screen.is_none() {
        estimate::tell(&rows, &layouts);
    }
    let mut states: Vec<State> =
        states.into_iter().zip(&layouts).map(|(state, &layout)| state.with_links(layout)).collect();
    let part = Span::share(&rows, FIRST_ROWS_OF_PARAMETER * weights);
    if part.scale > 2.0 {
        // Where the part's optimum lies from that of all rows is uncertain by about this much for each parameter.
        let tolerance = options.tolerance.max(ROUGH * part.scale);
        states = fitter.settle(&features, states, &part, (tolerance, ROUGHLY_AT_REST)).0;
    }
    let (states, rounds) = fitter.settle(&features, states, &span, (options.tolerance, AT_REST));
    let mut sources =
        fitter.estimates(&features, &states, &span, (&votes_by_class, screen.is_some().then_some(&meetings)));
    let penalised = fitter.path(&features, &states, &span, epsilons);
    let rejected = screen.as_ref().map_or_else(Vec::new, |screen| rejected(screen, &mut sources));
    let Fitter { passes, class_terms, .. } = fitter;
    Ok(ExactFit {
        sources,
        copies: rows.copies.clone(),
        mirrors: rows.mirrors.clone(),
        features,
        class_terms,
        penalised,
        rejected,
        untested: screen.map_or(0, |screen| screen.untested),
        passes,
        rounds,
    })
}

/// How many weights the largest problem has.
fn refuse_too_many(layouts: impl Iterator<Item = Layout>) -> Result<usize, ExactError> {
    let weights = layouts.map(Layout::len).max().unwrap_or(0);
    if weights > MOST_WEIGHTS {
        return Err(ExactError::TooManyWeights { weights, limit: MOST_WEIGHTS });
    }
    Ok(weights)
}

/// The tests of pairs that were not fitted; of the others, the less certain of both tests stays.
fn rejected(screen: &Screen, sources: &mut [SourceFit]) -> Vec<Rejected> {
    for (j, fit) in sources.iter_mut().enumerate() {
        let others = fit.others.len();
        for (at, link) in fit.links.iter_mut().enumerate() {
            let l = fit.others[at % others];
            if let (Some(z), Some(test)) =
                (link.tested.as_mut(), screen.test(at / others, j.min(l), j.max(l)))
            {
                *z = nearer_to_zero(*z, test.z);
            }
        }
    }
    let all: usize = screen.tests.iter().flatten().map(Vec::len).sum();
    let least = if all > MOST_LISTED { LEAST_LISTED } else { 0.0 };
    let mut rejected = Vec::new();
    for (j, features) in screen.tests.iter().enumerate() {
        for at in 0..features.first().map_or(0, Vec::len) {
            for (feature, tests) in features.iter().enumerate() {
                let (test, l) = (&tests[at], tests[at].other as usize);
                if test.z.abs() >= least && screen.neighbours[j].binary_search(&l).is_err() {
                    rejected.push(Rejected {
                        sources: [j, l],
                        feature,
                        weight: test.weight.into(),
                        stderr: test.stderr.into(),
                        z: test.z,
                    });
                }
            }
        }
    }
    rejected
}

/// About how many rounds are still to come, if the unrest goes on falling as it did in the last one.
fn rounds_to_go(before: f64, unrest: f64) -> usize {
    let fall = (before / unrest).ln();
    if !fall.is_finite() || fall <= 0.0 {
        return USUAL_ROUNDS;
    }
    (((unrest / AT_REST).ln() / fall).ceil().max(1.0) as usize).min(USUAL_ROUNDS)
}

struct Fitter<'a> {
    rows: &'a Rows,
    groups: &'a [Group],
    options: &'a ExactOptions,
    /// For each active source, the others it may be linked with; all where it is not said.
    neighbours: Option<&'a [Vec<usize>]>,
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
        let mut rounds = Rounds::default();
        let mut unrest = f64::INFINITY;
        watch::expect_more_passes(self.groups.len() * USUAL_PASSES);
        for round in 1..=MOST_ROUNDS {
            let context = self.context();
            let began = self.shared();
            let first =
                round == 1 && !features.is_empty() && states.iter().any(|state| state.factor.is_none());
            let shared = (first && self.neighbours.is_none())
                .then(|| Cooccurrence::new(self.rows, &context, features))
                .flatten();
            let solved: Vec<(State, usize)> = states
                .into_par_iter()
                .zip(self.groups)
                .map(|(state, group)| {
                    let view = self.view(features, group);
                    let own = (first && self.neighbours.is_some())
                        .then(|| Cooccurrence::new(&view.rows, &context, features))
                        .flatten();
                    let counts = shared.as_ref().or(own.as_ref());
                    self.problem(features, span, &view, &context).solve(state, counts, tolerance)
                })
                .collect();
            let passes = solved.iter().map(|solved| solved.1).sum::<usize>();
            self.passes += passes;
            states = solved.into_iter().map(|solved| solved.0).collect();
            if features.is_empty() {
                self.class_terms = class_terms(self.rows, &context, self.groups, &states);
            } else {
                self.share_class_terms(&mut states);
            }
            let moved = self.take_accuracies(&states);
            let furthest = states.iter().map(State::unrest).fold(0.0, f64::max);
            if moved < at_rest || furthest < AT_REST {
                return (states, round);
            }
            watch::expect_more_passes(passes * rounds_to_go(unrest, furthest));
            unrest = furthest;
            if furthest > CLOSE {
                self.begin_with(&rounds.next(began, self.shared()));
            } else {
                // What is left is too small for the rounds before to tell anything of it.
                rounds = Rounds::default();
            }
        }
        (states, MOST_ROUNDS)
    }

    /// Takes the accuracies over; returns how far one moved at most, in units of 1/√votes.
    fn take_accuracies(&mut self, states: &[State]) -> f64 {
        let mut moved = 0.0f64;
        for (state, group) in states.iter().zip(self.groups) {
            let accuracy = &state.x[state.layout.accuracy()];
            for (&j, &a) in group.members.iter().zip(accuracy) {
                moved = moved.max((a - self.accuracies[j]).abs() * self.roots[j]);
                self.accuracies[j] = a;
            }
        }
        moved
    }

    /// What all problems share, in units of its uncertainty: the accuracies and the class terms.
    fn shared(&self) -> Vec<f64> {
        let accuracies = self.accuracies.iter().zip(&self.roots).map(|(a, root)| a * root);
        let root = (self.rows.items() / self.rows.classes as f64).sqrt();
        accuracies.chain(self.class_terms.iter().map(|term| term * root)).collect()
    }

    fn begin_with(&mut self, shared: &[f64]) {
        let root = (self.rows.items() / self.rows.classes as f64).sqrt();
        let (accuracies, terms) = shared.split_at(self.accuracies.len());
        for ((to, a), root) in self.accuracies.iter_mut().zip(accuracies).zip(&self.roots) {
            *to = a / root;
        }
        for (to, term) in self.class_terms.iter_mut().zip(terms) {
            *to = term / root;
        }
    }

    /// Moves the mean of the problems' class terms into those that all share: the optimum of the common value that their
    /// normal priors are centred on.
    fn share_class_terms(&mut self, states: &mut [State]) {
        let n = self.rows.active.len() as f64;
        for class in 0..self.rows.classes {
            let mut sum = 0.0;
            for (state, group) in states.iter().zip(self.groups) {
                let at = state.layout.class_terms() + class;
                sum += state.x[at][..group.members.len()].iter().sum::<f64>();
            }
            let mean = sum / n;
            self.class_terms[class] += mean;
            for state in states.iter_mut() {
                let at = state.layout.class_terms() + class;
                state.x[at].iter_mut().for_each(|term| *term -= mean);
            }
        }
    }

    fn context(&self) -> Context {
        Context::new(self.rows, &self.accuracies, &self.class_terms)
    }

    /// What the group's problems see of the table.
    fn view<'b>(&'b self, features: &[Feature], group: &'b Group) -> View<'b> {
        match self.neighbours {
            Some(neighbours) if !features.is_empty() => View::near(self.rows, group, neighbours, features),
            _ => View::all(self.rows, group),
        }
    }

    fn layout(&self, features: &[Feature], group: &Group) -> Layout {
        let of_all = layout(self.rows, group, features.len());
        let near = self.neighbours.map(|neighbours| View::sources_near(group, neighbours).len());
        Layout { sources: near.unwrap_or(of_all.sources), ..of_all }
    }

    fn problem<'b>(
        &'b self,
        features: &'b [Feature],
        span: &'b Span,
        view: &'b View<'b>,
        context: &'b Context,
    ) -> Problem<'b> {
        Problem::new((&view.rows, span), &view.group, context, features, self.options)
    }

    /// Tests the pairs that meet too seldom, the problems without links as they stand.
    fn screen(&self, features: &[Feature], states: &[State], meetings: &Meetings) -> Screen {
        let alone = alone(self.rows, self.groups, states);
        Screen::new(self.rows, &self.context(), features, meetings, &alone)
    }

    fn estimates(
        &self,
        features: &[Feature],
        states: &[State],
        span: &Span,
        (votes, meetings): (&[Vec<f64>], Option<&Meetings>),
    ) -> Vec<SourceFit> {
        let context = self.context();
        let mut fits: Vec<SourceFit> = states
            .par_iter()
            .zip(self.groups)
            .flat_map(|(state, group)| {
                let view = self.view(features, group);
                self.problem(features, span, &view, &context).estimates(state, votes, meetings)
            })
            .collect();
        if self.rows.classes >= MANY_CLASSES {
            self.add_borrowed(features, states, &mut fits);
        }
        fits.sort_by_key(|fit| fit.source);
        fits
    }

    /// Adds to the standard errors of links what they are uncertain by because the accuracies of the others are.
    fn add_borrowed(&self, features: &[Feature], states: &[State], fits: &mut [SourceFit]) {
        // Fits are in the order of the groups' members.
        let members: Vec<usize> =
            self.groups.iter().flat_map(|group| group.members.iter().copied()).collect();
        let mut errors = vec![0.0; self.accuracies.len()];
        members.iter().zip(&*fits).for_each(|(&j, fit)| errors[j] = fit.accuracy_error);
        let span = Span::share(self.rows, borrowed::ROWS);
        let slopes = |accuracies: &[f64]| -> Vec<Vec<Lane64>> {
            let context = Context::new(self.rows, accuracies, &self.class_terms);
            let of_group = |(state, group): (&State, &Group)| {
                self.problem(features, &span, &self.view(features, group), &context).slope(state)
            };
            states.par_iter().zip(self.groups).map(of_group).collect()
        };
        let (before, context) = (slopes(&self.accuracies), self.context());
        let squares = borrowed::squares(&errors, &members, |step: &[f64]| {
            let accuracies: Vec<f64> = self.accuracies.iter().zip(step).map(|(a, step)| a + step).collect();
            let after = slopes(&accuracies);
            let of_group = |at: usize| {
                let view = self.view(features, &self.groups[at]);
                let problem = self.problem(features, &span, &view, &context);
                problem.moved(&states[at], &before[at], &after[at])
            };
            (0..states.len()).into_par_iter().flat_map(of_group).collect()
        });
        for (fit, squares) in fits.iter_mut().zip(squares) {
            for (link, square) in fit.links.iter_mut().zip(squares) {
                link.stderr = link.stderr.hypot(square.sqrt());
            }
        }
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
            .map(|(state, group)| {
                let view = self.view(features, group);
                self.problem(features, span, &view, &context).path(state, epsilons)
            })
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
