//! Accuracies and posteriors with each source counted in its share.

use super::pooled_confusion::pooled_confusion;
use super::useless::LEFT_OF_USELESS;
use crate::dependency::{Accuracy, Dependency, DependencyType as _, Factor, Table};
use crate::model::Model;
use crate::model::fit::Ending;
use crate::model::fit::likelihood::expected::{Reader, Scores};
use crate::model::fit::likelihood::layout::{Layout, Tables};
use crate::model::fit::likelihood::prior::{Counted, single_source_terms};
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::likelihood::weights::fit_raised;
use crate::model::fit::options::{FitError, FitOptions};
use crate::num::softmax_in_place;
use crate::sources::ABSTAIN;
use crate::votes::Votes;

/// Posteriors are computed in pieces of about this many rows.
const PIECE_OF_ROWS: usize = 1 << 10;

/// Fits the accuracies of all sources on `rows`; those `below` chance count against their votes, and none is more accurate than `best`.
pub(crate) fn fit_accuracies(
    rows: Rows<'_>,
    counted: &Counted,
    shares: &[f64],
    below: &[bool],
    best: Option<f64>,
    options: &FitOptions,
) -> Result<(Model, Ending), FitError> {
    let votes = rows.votes;
    let mut terms = single_source_terms(votes, counted, shares, options);
    for term in terms.iter_mut().filter(|term| matches!(term.dependency, Dependency::Accuracy(_))) {
        if let [j] = *term.dependency.sources()
            && below[j]
        {
            term.prior = term.prior.turned();
        }
    }
    if let Some(best) = best {
        let k = votes.classes().len() as f64;
        let most = 0.5 * (best * (k - 1.0) / (1.0 - best)).ln();
        for term in terms.iter_mut().filter(|term| matches!(term.dependency, Dependency::Accuracy(_))) {
            term.prior.upper = term.prior.upper.min(most);
        }
    }
    let (model, ending, _) = fit_raised(rows, &terms, shares, options)?;
    Ok((model, ending))
}

/// The posterior of every row, classes fastest.
pub(crate) fn posteriors(model: &Model, shares: &[f64], votes: &Votes, rows: &Rows<'_>) -> Vec<f64> {
    let (layout, energies) = raised_energies(model, shares, votes);
    let scores = Scores::new(&layout, &energies);
    let k = layout.k;
    let pieces = rows.in_pieces(k * PIECE_OF_ROWS, |range| {
        let mut reader = Reader::new(&layout, votes.patterns(), false);
        let mut q = vec![0.0; range.len() * k];
        for (row, q) in range.zip(q.chunks_exact_mut(k)) {
            reader.read(rows.pattern(row));
            scores.of_row(&reader, q);
            softmax_in_place(q);
        }
        q
    });
    pieces.concat()
}

/// The energies of `model` with those of each source in its share.
fn raised_energies(model: &Model, shares: &[f64], votes: &Votes) -> (Layout, Tables) {
    let dependencies: Vec<Dependency> =
        model.factors().list().iter().map(|factor| factor.dependency.clone()).collect();
    let layout = Layout::new(&dependencies, votes.domains(), votes.classes().len());
    let mut energies = layout.energies(&model.factors().weights());
    for (places, share) in layout.starts.windows(2).zip(shares) {
        let cells = places[0] * layout.k..places[1] * layout.k;
        energies.unary[cells].iter_mut().for_each(|cell| *cell *= share);
    }
    (layout, energies)
}

/// For each source, the log odds of one vote in the share that counts.
pub(crate) fn log_odds(model: &Model, shares: &[f64]) -> Vec<f64> {
    let mut odds = vec![0.0; shares.len()];
    for factor in model.factors().list() {
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            odds[*j] = 2.0 * factor.weight * shares[*j];
        }
    }
    odds
}

/// The model whose scores count every vote in its share: accuracies times δ, and for three classes and more what all
/// sources mistake together.
pub(crate) fn with_shares(
    model: &Model,
    votes: &Votes,
    shares: &[f64],
    useless: &[bool],
    pooled: bool,
) -> Result<Model, FitError> {
    let k = votes.classes().len();
    let several: Vec<bool> = votes.domains().iter().map(|domain| domain.classes().len() > 1).collect();
    let mut factors: Vec<Factor> = Vec::with_capacity(model.factors().len());
    for factor in model.factors().list() {
        let mut factor = factor.clone();
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            factor.weight *= if useless[*j] { LEFT_OF_USELESS } else { 1.0 };
        }
        factors.push(factor);
    }
    if pooled && k > 2 && several.iter().any(|&several| several) {
        let plain = raised_energies(model, &vec![1.0; shares.len()], votes);
        let useful = Model::new(
            model.sources().clone(),
            model.classes().clone(),
            model.domains().to_vec(),
            factors.clone(),
        )?;
        let (layout, scores_of) = raised_energies(&useful, shares, votes);
        let ratio = pooled_confusion(&layout, &Rows::voted(votes), &plain.1, &scores_of, shares, &several);
        for j in (0..several.len()).filter(|&j| several[j]) {
            let energy = |scope: &[u16], y: u16| match scope[0] {
                ABSTAIN => 0.0,
                vote => ratio[(usize::from(vote) - 1) * k + usize::from(y) - 1],
            };
            if let Ok(table) = Table::from_fn(vec![j], k, energy) {
                factors.push(Factor::new(table, shares[j]));
            }
        }
    }
    for factor in &mut factors {
        if let (Dependency::Accuracy(_), [j]) = (&factor.dependency, factor.dependency.sources()) {
            let j = *j;
            *factor = Factor::new(Accuracy::new(j), factor.weight * shares[j]);
        }
    }
    Ok(Model::new(model.sources().clone(), model.classes().clone(), model.domains().to_vec(), factors)?)
}
