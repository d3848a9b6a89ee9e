//! From votes to the estimates of every link: what is solved first, and what that starts.

use super::estimate;
use super::options::{ExactError, ExactOptions};
use super::solver::estimates::{ExactFit, Rejected, SourceFit};
use super::solver::fitter::{CONVERGED, Fitter};
use super::solver::screen::{Screen, nearer_to_zero};
use super::solver::state::{FIRST_ACCURACY, State, even_classes, layout};
use super::table::batch::Batch;
use super::table::feature::Feature;
use super::table::meetings::Meetings;
use super::table::numbering::Numbering;
use super::table::rows::Rows;
use super::table::span::Span;
use crate::votes::Votes;

/// The most sources; the information matrices of sixteen problems of this size take 4 GB.
const MOST_SOURCES: usize = 8192;

/// The most weights of a problem, for the same reason; so many sources and a few classes fit in.
const MOST_WEIGHTS: usize = MOST_SOURCES + 256;

/// Tolerance of the accuracies that only start the links off, how still they must be, and from how many rows they come.
const ROUGH: f64 = 1.0;
const ROUGHLY_CONVERGED: f64 = 4.0;
const ROUGH_ROWS: usize = 2048;
/// At least so many rows for each class: from fewer, a source may look as if it knew a class that it does not, and links then make up
/// for that.
const ROUGH_ROWS_OF_CLASS: usize = 256;

/// Tolerance of the problems without links that pairs are tested against, and how still their accuracies must be.
const ALONE: f64 = 1e-2;
const ALONE_CONVERGED: f64 = 0.5;

/// Where more pairs than this were tested and not fitted, those with a |z| below the second number are not listed.
const MOST_LISTED: usize = 1 << 20;
const LEAST_LISTED: f64 = 2.0;

/// Where there are far more rows than this for each parameter, links are first fitted on so many.
const FIRST_ROWS_OF_PARAMETER: usize = 256;

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
    let batches = Batch::all(&rows, votes);
    let votes_by_class = rows.votes_by_class();
    let meetings = Meetings::new(&rows, &votes_by_class);
    let seldom = !meetings.always_often();
    // Where pairs are tested first, how many links a problem has is not known yet.
    let links = if seldom { 0 } else { features.len() };
    refuse_too_many(batches.iter().map(|batch| layout(&rows, batch, links)))?;
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
        batches: &batches,
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
        batches.iter().map(|batch| State::start(&rows, batch, &votes_by_class, items)).collect();
    let rough = Span::share(&rows, ROUGH_ROWS.max(ROUGH_ROWS_OF_CLASS * rows.classes));
    let (mut states, _) = fitter.settle(&[], states, &rough, (ROUGH, ROUGHLY_CONVERGED));
    let span = Span::all(&rows);
    let screen = if seldom {
        // Independence is what pairs that seldom meet are tested against, so that it must be found well.
        (states, _) = fitter.settle(&[], states, &span, (ALONE, ALONE_CONVERGED));
        let screen = fitter.screen(&features, &states, &meetings);
        Some(screen)
    } else {
        None
    };
    fitter.neighbours = screen.as_ref().map(|screen| screen.neighbours.as_slice());
    let layouts: Vec<Numbering> = batches.iter().map(|batch| fitter.layout(&features, batch)).collect();
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
        states = fitter.settle(&features, states, &part, (tolerance, ROUGHLY_CONVERGED)).0;
    }
    let (states, rounds) = fitter.settle(&features, states, &span, (options.tolerance, CONVERGED));
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
fn refuse_too_many(layouts: impl Iterator<Item = Numbering>) -> Result<usize, ExactError> {
    let weights = layouts.map(Numbering::len).max().unwrap_or(0);
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
