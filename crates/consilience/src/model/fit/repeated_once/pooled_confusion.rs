//! Which classes are mistaken for which, by all sources together.

use crate::model::fit::likelihood::expected::Scores;
use crate::model::fit::likelihood::layout::{Layout, Tables};
use crate::model::fit::likelihood::rows::Rows;

/// Rounds of labelling and counting.
const ROUNDS: usize = 3;
/// Votes added to what is seen and to what is expected.
const POOL: f64 = 5.0;

/// For each vote and class, the log of how much more often the sources of several classes cast that vote on items of that
/// class than their accuracies and vote rates alone would have it.
///
/// # Formula
/// ```text
/// R(v, y) = log( (Σ_j n_j(v, y) + 5) / (Σ_j n_j(y) p_j(v | voted, y) + 5) )
/// n_j(v, y): votes expected by the posteriors;   p_j: by accuracy and vote rates;   three rounds, R enters the scores
/// ```
/// One source's votes are too few to estimate a whole confusion matrix; those of all sources are enough.
pub(crate) fn pooled_confusion(
    layout: &Layout,
    rows: &Rows<'_>,
    plain: &Tables,
    scores_of: &Tables,
    shares: &[f64],
    several: &[bool],
) -> Vec<f64> {
    let k = layout.k;
    let mut ratio = vec![0.0; k * k];
    for _ in 0..ROUNDS {
        let mut energies = scores_of.clone();
        add(layout, &ratio, shares, several, &mut energies);
        let counts = Scores::new(layout, &energies).expected(rows, None).counts.unary;
        let (mut seen, mut expected) = (vec![POOL; k * k], vec![POOL; k * k]);
        for (j, domain) in layout.domains.iter().enumerate().filter(|(j, _)| several[*j]) {
            let places = layout.starts[j] + 1..layout.starts[j + 1];
            for y in 0..k {
                let voted: f64 = places.clone().map(|place| counts[place * k + y]).sum();
                let sum: f64 = places.clone().map(|place| plain.unary[place * k + y].exp()).sum();
                for (place, &vote) in places.clone().zip(domain.classes()) {
                    let cell = (usize::from(vote) - 1) * k + y;
                    seen[cell] += counts[place * k + y];
                    expected[cell] += voted * plain.unary[place * k + y].exp() / sum;
                }
            }
        }
        ratio = seen.iter().zip(&expected).map(|(seen, expected)| (seen / expected).ln()).collect();
    }
    ratio
}

fn add(layout: &Layout, ratio: &[f64], shares: &[f64], several: &[bool], energies: &mut Tables) {
    let k = layout.k;
    for (j, domain) in layout.domains.iter().enumerate().filter(|(j, _)| several[*j]) {
        for (&vote, place) in domain.classes().iter().zip(layout.starts[j] + 1..) {
            for y in 0..k {
                energies.unary[place * k + y] += shares[j] * ratio[(usize::from(vote) - 1) * k + y];
            }
        }
    }
}
