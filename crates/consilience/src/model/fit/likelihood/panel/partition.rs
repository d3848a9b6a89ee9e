//! The partition function of a panel, in closed form.

use super::terms::PanelWeights;
use crate::model::fit::likelihood::layout::Layout;
use crate::num::softmax_in_place;

/// What a panel with these weights is expected to vote.
///
/// # Formula
/// ```text
/// Z = Σ_y e^{class(y)} Π_j Z_j(y)^δ_j,   Z_j(y) = 1 + Σ_v e^{r_v - θ} + 1{j votes for y} (e^{r_y + θ} - e^{r_y - θ})
/// π(y) = e^{class(y)} Π_j Z_j(y)^δ_j / Z
/// ```
/// The product over the sources costs one logarithm for each source and class, however many votes a source can cast.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    pub(super) log: f64,
    /// π(y).
    pub(super) class: Vec<f64>,
    /// For each source and class, 1 / Z_j(y): the probability that j abstains.
    pub(super) silent: Vec<f64>,
    /// For each place, e^{r_v - θ}, the odds of a wrong vote against none; 0 at the places of abstaining.
    pub(super) wrong: Vec<f64>,
    /// For each place, π(v) e^{r_v + θ} / Z_j(v): the probability of a right vote.
    pub(super) right: Vec<f64>,
    /// For each place, the probability of the vote.
    pub(super) vote: Vec<f64>,
    /// For each source, the probability that it abstains.
    pub(super) abstain: Vec<f64>,
}

impl Partition {
    pub(super) fn new(layout: &Layout, weights: &PanelWeights, powers: &[f64]) -> Self {
        let (k, n) = (layout.k, layout.domains.len());
        let mut class = weights.class.clone();
        let mut silent = vec![0.0; n * k];
        let mut wrong = vec![0.0; layout.places()];
        for j in 0..n {
            let theta = weights.accuracy[j];
            let places = layout.starts[j] + 1..layout.starts[j + 1];
            for place in places.clone() {
                wrong[place] = (weights.rate[place] - theta).exp();
            }
            let any = 1.0 + wrong[places.clone()].iter().sum::<f64>();
            let of_source = &mut silent[j * k..(j + 1) * k];
            of_source.fill(any);
            let more = (2.0 * theta).exp() - 1.0;
            for (place, &vote) in places.zip(layout.domains[j].classes()) {
                of_source[usize::from(vote) - 1] += wrong[place] * more;
            }
            for (silent, class) in of_source.iter_mut().zip(&mut class) {
                *class += powers[j] * silent.ln();
                *silent = 1.0 / *silent;
            }
        }
        let log = softmax_in_place(&mut class);
        let (mut right, mut vote) = (vec![0.0; wrong.len()], vec![0.0; wrong.len()]);
        let mut abstain = vec![0.0; n];
        for (j, abstain) in abstain.iter_mut().enumerate() {
            let of_source = &silent[j * k..(j + 1) * k];
            *abstain = of_source.iter().zip(&class).map(|(silent, p)| silent * p).sum();
            let odds = (2.0 * weights.accuracy[j]).exp();
            for (place, &v) in (layout.starts[j] + 1..).zip(layout.domains[j].classes()) {
                let y = usize::from(v) - 1;
                let here = class[y] * of_source[y] * wrong[place];
                right[place] = here * odds;
                vote[place] = *abstain * wrong[place] + here * (odds - 1.0);
            }
        }
        Self { log, class, silent, wrong, right, vote, abstain }
    }

    /// P(right) - P(wrong) of source `j`.
    pub(super) fn accuracy(&self, layout: &Layout, j: usize) -> f64 {
        let places = layout.starts[j] + 1..layout.starts[j + 1];
        2.0 * self.right[places].iter().sum::<f64>() - (1.0 - self.abstain[j])
    }
}
