//! All problems in rounds: what each of them takes from the others, until that has converged.

use super::borrowed;
use super::estimates::SourceFit;
use super::problem::{FIRST_FACTORS, MOST_FACTORS, Problem};
use super::rounds::Rounds;
use super::screen::{Screen, alone};
use super::state::{State, class_terms, layout};
use crate::optim::Lane64;
use crate::parallel;
use crate::structure::exact::curvature::cooccurrence::Cooccurrence;
use crate::structure::exact::options::ExactOptions;
use crate::structure::exact::table::batch::Batch;
use crate::structure::exact::table::context::Context;
use crate::structure::exact::table::feature::Feature;
use crate::structure::exact::table::meetings::Meetings;
use crate::structure::exact::table::numbering::Numbering;
use crate::structure::exact::table::rows::{MANY_CLASSES, Rows};
use crate::structure::exact::table::span::Span;
use crate::structure::exact::table::view::View;
use crate::watch;

/// Rounds in which what the problems take from each other is brought up to date.
const MOST_ROUNDS: usize = 40;

/// Rounds without progress after which they end: sources that nearly copy each other may swing between two readings of the class
/// for ever.
const GIVEN_UP: usize = 8;

/// Rounds, and passes of a batch of problems, before anything is known of how many there will be. Only progress reads them.
const USUAL_ROUNDS: usize = 5;
const USUAL_PASSES: usize = 30;

/// Accuracies that move less than this have converged, in units of 1/√votes, below which no standard error of theirs can be; and
/// so have problems whose unrest is less.
pub(crate) const CONVERGED: f64 = 0.05;

/// Unrest above which the next round begins where the rounds before point to.
const CLOSE: f64 = 0.5;

/// About how many rounds are still to come, if the unrest goes on falling as it did in the last one.
fn rounds_to_go(before: f64, unrest: f64) -> usize {
    let fall = (before / unrest).ln();
    if !fall.is_finite() || fall <= 0.0 {
        return USUAL_ROUNDS;
    }
    (((unrest / CONVERGED).ln() / fall).ceil().max(1.0) as usize).min(USUAL_ROUNDS)
}

pub(crate) struct Fitter<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) batches: &'a [Batch],
    pub(crate) options: &'a ExactOptions,
    /// For each active source, the others it may be linked with; all by default.
    pub(crate) neighbours: Option<&'a [Vec<usize>]>,
    /// For each active source, √votes.
    pub(crate) roots: Vec<f64>,
    pub(crate) accuracies: Vec<f64>,
    pub(crate) class_terms: Vec<f64>,
    pub(crate) passes: usize,
}

impl Fitter<'_> {
    /// Solves all problems in rounds, each to the tolerance, until the accuracies that they take from each other have
    /// converged, or until rounds bring no progress; problems that still move are then marked.
    pub(crate) fn settle(
        &mut self,
        features: &[Feature],
        mut states: Vec<State>,
        span: &Span,
        (tolerance, at_rest): (f64, f64),
    ) -> (Vec<State>, usize) {
        let mut rounds = Rounds::default();
        let mut unrest = f64::INFINITY;
        // The smallest unrest so far, and its round.
        let mut least = (f64::INFINITY, 0);
        watch::expect_more_passes(self.batches.len() * USUAL_PASSES);
        for round in 1..=MOST_ROUNDS {
            let context = self.context();
            let began = self.shared();
            let first =
                round == 1 && !features.is_empty() && states.iter().any(|state| state.factor.is_none());
            // What is found in the first round, the others' accuracies soon outdate.
            let factors = if first { FIRST_FACTORS } else { MOST_FACTORS };
            let shared = (first && self.neighbours.is_none())
                .then(|| Cooccurrence::new(self.rows, &context, features))
                .flatten();
            let solved = parallel::map(states.into_iter().zip(self.batches), |(state, batch)| {
                let view = self.view(features, batch);
                let own = (first && self.neighbours.is_some())
                    .then(|| Cooccurrence::new(&view.rows, &context, features))
                    .flatten();
                let counts = shared.as_ref().or(own.as_ref());
                self.problem(features, span, &view, &context).solve(state, counts, (tolerance, factors))
            });
            let passes = solved.iter().map(|solved| solved.1).sum::<usize>();
            self.passes += passes;
            states = solved.into_iter().map(|solved| solved.0).collect();
            if features.is_empty() {
                self.class_terms = class_terms(self.rows, &context, self.batches, &states);
            } else {
                self.share_class_terms(&mut states);
            }
            let moved = self.take_accuracies(&states);
            let furthest = states.iter().map(State::unrest).fold(0.0, f64::max);
            let unfinished = first && states.iter().any(|state| state.converged.contains(&false));
            if !unfinished && (moved < at_rest || furthest < CONVERGED) {
                return (states, round);
            }
            watch::expect_more_passes(passes * rounds_to_go(unrest, furthest));
            unrest = furthest;
            if furthest < least.0 {
                least = (furthest, round);
            }
            // Without links, rounds cost little, and whatever they end with starts the links off.
            let stalled = round - least.1 >= GIVEN_UP || round == MOST_ROUNDS;
            if stalled && !features.is_empty() {
                self.mark_unsettled(&mut states, &began);
                return (states, round);
            }
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
        for (state, batch) in states.iter().zip(self.batches) {
            let accuracy = &state.x[state.layout.accuracy()];
            for (&j, &a) in batch.members.iter().zip(accuracy) {
                moved = moved.max((a - self.accuracies[j]).abs() * self.roots[j]);
                self.accuracies[j] = a;
            }
        }
        moved
    }

    /// Marks the problems whose accuracies still move from round to round, by more than a standard error.
    fn mark_unsettled(&self, states: &mut [State], began: &[f64]) {
        for (state, batch) in states.iter_mut().zip(self.batches) {
            for (&j, converged) in batch.members.iter().zip(&mut state.converged) {
                *converged &= (self.accuracies[j] * self.roots[j] - began[j]).abs() <= 1.0;
            }
        }
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
            for (state, batch) in states.iter().zip(self.batches) {
                let at = state.layout.class_terms() + class;
                sum += state.x[at][..batch.members.len()].iter().sum::<f64>();
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

    /// What the batch's problems see of the table.
    fn view<'b>(&'b self, features: &[Feature], batch: &'b Batch) -> View<'b> {
        match self.neighbours {
            Some(neighbours) if !features.is_empty() => View::near(self.rows, batch, neighbours, features),
            _ => View::all(self.rows, batch),
        }
    }

    pub(crate) fn layout(&self, features: &[Feature], batch: &Batch) -> Numbering {
        let of_all = layout(self.rows, batch, features.len());
        let near = self.neighbours.map(|neighbours| View::sources_near(batch, neighbours).len());
        Numbering { sources: near.unwrap_or(of_all.sources), ..of_all }
    }

    fn problem<'b>(
        &'b self,
        features: &'b [Feature],
        span: &'b Span,
        view: &'b View<'b>,
        context: &'b Context,
    ) -> Problem<'b> {
        Problem::new((&view.rows, span), &view.batch, context, features, self.options)
    }

    /// Tests the pairs that meet too seldom, the problems without links as they stand.
    pub(crate) fn screen(&self, features: &[Feature], states: &[State], meetings: &Meetings) -> Screen {
        let alone = alone(self.rows, self.batches, states);
        Screen::new(self.rows, &self.context(), features, meetings, &alone)
    }

    pub(crate) fn estimates(
        &self,
        features: &[Feature],
        states: &[State],
        span: &Span,
        (votes, meetings): (&[Vec<f64>], Option<&Meetings>),
    ) -> Vec<SourceFit> {
        let context = self.context();
        let mut fits = parallel::flat_map(states.iter().zip(self.batches), |(state, batch)| {
            let view = self.view(features, batch);
            self.problem(features, span, &view, &context).estimates(state, votes, meetings)
        });
        if self.rows.classes >= MANY_CLASSES {
            self.add_borrowed(features, states, &mut fits);
        }
        fits.sort_by_key(|fit| fit.source);
        fits
    }

    /// Adds to the standard errors of links what they are uncertain by because the accuracies of the others are.
    fn add_borrowed(&self, features: &[Feature], states: &[State], fits: &mut [SourceFit]) {
        // Fits are in the order of the batches' members.
        let members: Vec<usize> =
            self.batches.iter().flat_map(|batch| batch.members.iter().copied()).collect();
        let mut errors = vec![0.0; self.accuracies.len()];
        members.iter().zip(&*fits).for_each(|(&j, fit)| errors[j] = fit.accuracy_error);
        let span = Span::share(self.rows, borrowed::ROWS);
        let slopes = |accuracies: &[f64]| -> Vec<Vec<Lane64>> {
            let context = Context::new(self.rows, accuracies, &self.class_terms);
            let of_batch = |(state, batch): (&State, &Batch)| {
                self.problem(features, &span, &self.view(features, batch), &context).slope(state)
            };
            parallel::map(states.iter().zip(self.batches), of_batch)
        };
        let (before, context) = (slopes(&self.accuracies), self.context());
        let squares = borrowed::squares(&errors, &members, |step: &[f64]| {
            let accuracies: Vec<f64> = self.accuracies.iter().zip(step).map(|(a, step)| a + step).collect();
            let after = slopes(&accuracies);
            let of_batch = |at: usize| {
                let view = self.view(features, &self.batches[at]);
                let problem = self.problem(features, &span, &view, &context);
                problem.moved(&states[at], &before[at], &after[at])
            };
            parallel::flat_map(0..states.len(), of_batch)
        });
        for (fit, squares) in fits.iter_mut().zip(squares) {
            for (link, square) in fit.links.iter_mut().zip(squares) {
                link.stderr = link.stderr.hypot(square.sqrt());
            }
        }
    }

    /// For each penalty and each active source, the weights of its links.
    pub(crate) fn path(
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
        let solved = parallel::map(states.iter().zip(self.batches), |(state, batch)| {
            let view = self.view(features, batch);
            self.problem(features, span, &view, &context).path(state, epsilons)
        });
        let mut path = vec![vec![Vec::new(); self.rows.active.len()]; epsilons.len()];
        for ((steps, passes), batch) in solved.into_iter().zip(self.batches) {
            self.passes += passes;
            for (to, step) in path.iter_mut().zip(steps) {
                for (&j, links) in batch.members.iter().zip(step) {
                    to[j] = links;
                }
            }
        }
        path
    }
}
