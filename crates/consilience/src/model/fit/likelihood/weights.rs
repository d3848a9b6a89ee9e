//! The weights of any set of dependencies, each with its prior.

use std::sync::Arc;

use super::exact::ExactLikelihood;
use super::layout::Layout;
use super::panel::{PanelLikelihood, PanelPseudo, is_panel};
use super::prior::Free;
use super::pseudo::PseudoLikelihood;
use super::rows::Rows;
use crate::dependency::Factor;
use crate::model::Model;
use crate::model::fit::options::{FitError, FitOptions, Inference};
use crate::model::fit::{Ending, Estimator, FitNote};
use crate::model::plan::TooWide;
use crate::optim::{Bounds, Curvature, Finish, Scaling, Smooth, Stop, minimise};
use crate::votes::Votes;

/// Tables with more rows than this are first fitted on a part of them.
const LARGE: usize = 1 << 17;
/// Gains below this an item drown in the rounding of single precision.
const SMALLEST_GAIN: f64 = 1e-8;
/// Sums over many rows in single precision are good to about this share.
const ROUNDING: f64 = 1e-10;
/// Second derivatives are differences of slopes this far to both sides.
const STEP: f64 = 1e-3;
/// That part has about this many rows.
const PART: usize = 1 << 14;

/// The objective of fitting, at any weights: log likelihood plus log density of the priors.
pub struct Objective<'a> {
    terms: &'a [Free],
    likelihood: Likelihood<'a>,
}

enum Likelihood<'a> {
    Exact(Box<ExactLikelihood<'a>>),
    Panel(Box<PanelLikelihood<'a>>),
    Pseudo(PseudoLikelihood<'a>),
    PanelPseudo(Box<PanelPseudo<'a>>),
}

impl Objective<'_> {
    /// The share of the loss that is rounding, if rows are summed in single precision.
    fn rounding(&self) -> Option<f64> {
        match &self.likelihood {
            Likelihood::Exact(exact) => exact.is_single().then_some(ROUNDING),
            Likelihood::Panel(panel) => panel.rounding(),
            Likelihood::Pseudo(_) | Likelihood::PanelPseudo(_) => None,
        }
    }

    /// Minus the objective at `weights`, one per term, and its slopes into `slopes`.
    ///
    /// # Formula
    /// ```text
    /// -ℓ(θ) + Σ_d ½ precision_d (θ_d - mean_d)²
    /// ```
    fn loss(&mut self, weights: &[f64], slopes: &mut [f64]) -> f64 {
        let mut loss = match &mut self.likelihood {
            Likelihood::Exact(exact) => exact.loss(weights, slopes),
            Likelihood::Panel(panel) => panel.loss(weights, slopes),
            Likelihood::Pseudo(pseudo) => pseudo.loss(weights, slopes),
            Likelihood::PanelPseudo(pseudo) => pseudo.loss(weights, slopes),
        };
        for ((slope, weight), term) in slopes.iter_mut().zip(weights).zip(self.terms) {
            let away = weight - term.prior.mean;
            *slope += term.prior.precision * away;
            loss += 0.5 * term.prior.precision * away * away;
        }
        loss
    }

    /// The objective of exact inference or of the pseudolikelihood at `weights`, one per term, and its slopes.
    pub fn evaluate(
        votes: &Votes,
        terms: &[Free],
        inference: Inference,
        weights: &[f64],
        options: &FitOptions,
    ) -> Result<(f64, Vec<f64>), FitError> {
        let (model, layout) = lay_out(votes, terms, inference)?;
        let rows = Rows::all(votes);
        let powers = vec![1.0; votes.sources().len()];
        let mut objective = match inference {
            Inference::Pseudo => pseudo(&layout, rows, terms),
            _ => exact(&layout, rows, terms, &model, &powers, options)?,
        };
        let mut slopes = vec![0.0; terms.len()];
        let loss = objective.loss(weights, &mut slopes);
        for slope in &mut slopes {
            *slope = -*slope;
        }
        Ok((-loss, slopes))
    }
}

impl Smooth for Objective<'_> {
    fn loss(&mut self, x: &[f64], slopes: &mut [f64]) -> f64 {
        Objective::loss(self, x, slopes)
    }

    fn scaling(&mut self, x: &[f64], free: &[bool]) -> Option<Arc<dyn Scaling>> {
        match &mut self.likelihood {
            Likelihood::Panel(panel) => Some(Arc::new(panel.scaling(x, free))),
            Likelihood::PanelPseudo(pseudo) => Some(pseudo.scaling(x, free)),
            _ => None,
        }
    }
}

fn exact<'a>(
    layout: &'a Layout,
    rows: Rows<'a>,
    terms: &'a [Free],
    model: &Model,
    powers: &'a [f64],
    options: &FitOptions,
) -> Result<Objective<'a>, TooWide> {
    if let Some(panel) = PanelLikelihood::new(layout, rows, terms, powers) {
        return Ok(Objective { terms, likelihood: Likelihood::Panel(Box::new(panel)) });
    }
    let exact = ExactLikelihood::new(layout, rows, model, powers, options.cells)?;
    Ok(Objective { terms, likelihood: Likelihood::Exact(Box::new(exact)) })
}

fn pseudo<'a>(layout: &'a Layout, rows: Rows<'a>, terms: &'a [Free]) -> Objective<'a> {
    if let Some(panel) = PanelPseudo::new(layout, rows, terms) {
        return Objective { terms, likelihood: Likelihood::PanelPseudo(Box::new(panel)) };
    }
    Objective { terms, likelihood: Likelihood::Pseudo(PseudoLikelihood::new(layout, rows)) }
}

fn lay_out(votes: &Votes, terms: &[Free], way: Inference) -> Result<(Model, Layout), FitError> {
    let factors = terms.iter().map(|term| Factor::new(term.dependency.clone(), term.prior.start)).collect();
    let (sources, classes) = (votes.sources().clone(), votes.classes().clone());
    let model = Model::new(sources, classes, votes.domains().to_vec(), factors)?;
    // The closed form of a panel needs no tables.
    let places = Layout::new(&[], votes.domains(), votes.classes().len());
    if way != Inference::Pseudo && way != Inference::Gibbs && is_panel(&places, terms) {
        return Ok((model, places));
    }
    let dependencies: Vec<_> = terms.iter().map(|term| term.dependency.clone()).collect();
    let layout = Layout::new(&dependencies, votes.domains(), votes.classes().len());
    Ok((model, layout))
}

/// Fits the weights of `terms` to `votes`; gives the model, how fitting ended, and what the user should know.
///
/// A large table is first fitted on a part of its rows, whose curvature then serves for all of them.
pub fn fit_weights(
    votes: &Votes,
    terms: &[Free],
    options: &FitOptions,
) -> Result<(Model, Ending, Vec<FitNote>), FitError> {
    fit_raised(Rows::all(votes), terms, &vec![1.0; votes.sources().len()], options)
}

/// The same on `rows`, with the probability of each source raised to a power.
pub(crate) fn fit_raised(
    rows: Rows<'_>,
    terms: &[Free],
    powers: &[f64],
    options: &FitOptions,
) -> Result<(Model, Ending, Vec<FitNote>), FitError> {
    let votes = rows.votes;
    options.check(votes.classes().len())?;
    let (model, layout) = lay_out(votes, terms, options.inference)?;
    let mut notes = Vec::new();
    let mut way = options.inference;
    if way == Inference::Auto {
        way = Inference::Exact;
        if !is_panel(&layout, terms)
            && let Err(refused) =
                ExactLikelihood::new(&layout, rows.thinned(1), &model, powers, options.cells)
        {
            let note = FitNote::Pseudolikelihood { sources: refused.group_size, example: refused.example };
            crate::watch::tell(&note.to_string());
            notes.push(note);
            way = Inference::Pseudo;
        }
    }
    if way == Inference::Gibbs {
        let (weights, ending) = super::gibbs::fit_by_gibbs(votes, &layout, terms, &model, options)?;
        return Ok((with_weights(model, &weights), ending, notes));
    }
    let bounds = Bounds {
        lower: terms.iter().map(|term| term.prior.lower).collect(),
        upper: terms.iter().map(|term| term.prior.upper).collect(),
    };
    let mut weights: Vec<f64> = terms.iter().map(|term| term.prior.start).collect();
    let mut curvature = Curvature::new(rough_curvature(&layout, votes, terms));
    let mut run = |weights: &mut [f64], rows: Rows<'_>, stop: Stop| -> Result<Finish, FitError> {
        let objective = match way {
            Inference::Pseudo => pseudo(&layout, rows, terms),
            _ => exact(&layout, rows, terms, &model, powers, options)?,
        };
        let stop = if let Some(rounding) = objective.rounding() {
            Stop { tolerance: stop.tolerance.max(SMALLEST_GAIN * rows.items()), rounding, ..stop }
        } else {
            stop
        };
        Ok(minimise(weights, &bounds, &mut curvature, stop, objective))
    };
    let mut stop = Stop { tolerance: options.tolerance, iterations: options.iterations, rounding: 0.0 };
    if rows.len() > LARGE {
        // A hundredth of the noise that the part's own votes leave.
        let rough = Stop { tolerance: 0.01 * rows.len() as f64 / PART as f64, ..stop };
        let before = run(&mut weights, rows.thinned(PART), rough)?;
        stop.iterations = stop.iterations.saturating_sub(before.iterations).max(1);
    }
    let finish = run(&mut weights, rows, stop)?;
    let ending = Ending {
        estimator: if way == Inference::Pseudo { Estimator::Pseudo } else { Estimator::Exact },
        converged: finish.converged,
        iterations: finish.iterations,
        gradient_norm: finish.slope / votes.items() as f64,
        objective: Some(-finish.value).filter(|objective| objective.is_finite()),
    };
    Ok((with_weights(model, &weights), ending, notes))
}

/// Minus the second derivatives of the objective of exact inference at `weights`, along the weights at `places`, by differences of
/// its slopes.
pub(crate) fn curvature_along(
    rows: Rows<'_>,
    terms: &[Free],
    weights: &[f64],
    places: &[usize],
    options: &FitOptions,
) -> Result<Vec<Vec<f64>>, FitError> {
    let (model, layout) = lay_out(rows.votes, terms, Inference::Exact)?;
    let powers = vec![1.0; rows.votes.sources().len()];
    let mut objective = exact(&layout, rows, terms, &model, &powers, options)?;
    let mut slopes_at = |place: usize, step: f64| {
        let (mut x, mut slopes) = (weights.to_vec(), vec![0.0; weights.len()]);
        x[place] += step;
        objective.loss(&x, &mut slopes);
        slopes
    };
    let mut curvature = vec![vec![0.0; places.len()]; places.len()];
    for (i, &place) in places.iter().enumerate() {
        let (above, below) = (slopes_at(place, STEP), slopes_at(place, -STEP));
        for (j, &other) in places.iter().enumerate() {
            let bend = (above[other] - below[other]) / (2.0 * STEP);
            curvature[i][j] += 0.5 * bend;
            curvature[j][i] += 0.5 * bend;
        }
    }
    Ok(curvature)
}

/// `model` with other weights.
pub(crate) fn with_weights(mut model: Model, weights: &[f64]) -> Model {
    model.factors.set_weights(weights);
    model.silent_scores = model.factors.silent_scores(model.classes.len());
    model
}

/// A rough second derivative along each weight: how often its dependency is at stake.
///
/// # Formula
/// ```text
/// ¼ Σ_u c_u 1{ a source of the dependency votes on u } + precision,   ¼ N for those that read no vote
/// ```
pub(crate) fn rough_curvature(layout: &Layout, table: &Votes, terms: &[Free]) -> Vec<f64> {
    let part = Rows::all(table).thinned(PART);
    let mut votes = vec![0.0; layout.domains.len()];
    for row in 0..part.len() {
        let count = part.count(row);
        part.votes.patterns().row(part.pattern(row)).for_each(|(j, _)| votes[j] += count);
    }
    let items = table.items() as f64;
    let at_stake = |term: &Free| {
        let sources = crate::dependency::DependencyType::sources(&term.dependency);
        sources.iter().map(|&j| votes[j]).fold(items, f64::min)
    };
    terms.iter().map(|term| 0.25 * at_stake(term) + term.prior.precision + 1e-3).collect()
}
