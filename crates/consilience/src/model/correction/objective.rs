//! The penalised likelihood of the answers, as a function of the correction.

use super::contradiction::contradiction;
use super::design::{Design, Tally};
use super::{Correction, CorrectionPriors, Shift};
use crate::num::softmax_in_place;
use crate::parallel;
use crate::sources::{Domain, Vote};

/// The answered items that have the same votes.
#[derive(Clone, Debug)]
pub(crate) struct AnsweredRow {
    /// The votes, ascending by source.
    pub(crate) votes: Vec<(usize, Vote)>,
    /// The logarithm of the uncorrected probability of each class.
    pub(crate) log_p: Vec<f64>,
}

/// Rows that one piece of work takes.
const PIECE: usize = 2048;

/// Minus the logarithm of the penalised likelihood.
///
/// # Formula
/// ```text
/// f(x) = ½ Σ x² - Σ_u Σ_y counts_u(y) log q_u(y)
/// log q_u(y) = e^{σ_slope x_0} log p_u(y) + σ_bias x_y + σ_trend log(votes_u / usual votes) x'_y
///              + Σ over votes (j, v) of u ( 1{v = y} σ_source x_j + σ x_jvy ) - log Z
/// σ = σ_vote for y = v, σ_other for the other classes
/// ```
/// Every x has a standard normal prior, which is what ½ Σ x² says.
pub(super) struct Objective<'a> {
    design: &'a Design,
    tally: &'a Tally,
    priors: CorrectionPriors,
    /// Whether log p counts as 0, as if there was no model.
    without_model: bool,
}

impl<'a> Objective<'a> {
    pub(super) fn new(design: &'a Design, tally: &'a Tally, priors: CorrectionPriors) -> Self {
        let own = priors.for_table(design.usual_votes, tally.answers() as usize);
        let priors = if priors.wider_where_contradicted {
            own.where_contradicted(contradiction(design, tally), design.usual_votes)
        } else {
            own
        };
        Self { design, tally, priors, without_model: false }
    }

    /// The same as if the model said nothing.
    pub(super) fn without_model(self) -> Self {
        Self { without_model: true, ..self }
    }

    /// The number of weights.
    pub(super) fn weights(&self) -> usize {
        self.of_cell(self.design.cells.len())
    }

    // The weights: the slope, the biases, the trends, one for each source, and one for each vote and class.

    fn of_trend(&self, y: usize) -> usize {
        1 + self.design.k + y
    }

    fn of_source(&self, place: usize) -> usize {
        1 + 2 * self.design.k + place
    }

    fn of_cell(&self, place: usize) -> usize {
        1 + 2 * self.design.k + self.design.sources.len() + place * self.design.k
    }

    fn slope(&self, x: &[f64]) -> f64 {
        (self.priors.slope * x[0]).exp()
    }

    /// The standard deviation of what a vote for `class` adds to class `y`, both counted from 0.
    fn spread(&self, class: usize, y: usize) -> f64 {
        if y == class { self.priors.vote } else { self.priors.other }
    }

    /// Sets the weights to 0 that no row with answers has; that is where they are at the minimum.
    pub(super) fn forget_unseen(&self, x: &mut [f64]) {
        let k = self.design.k;
        let mut seen_sources = vec![false; self.design.sources.len()];
        let mut seen_cells = vec![false; self.design.cells.len()];
        for (row, _) in self.tally.iter() {
            for vote in self.design.votes(row) {
                (seen_sources[vote.source], seen_cells[vote.cell]) = (true, true);
            }
        }
        for place in (0..seen_sources.len()).filter(|&place| !seen_sources[place]) {
            x[self.of_source(place)] = 0.0;
        }
        for place in (0..seen_cells.len()).filter(|&place| !seen_cells[place]) {
            x[self.of_cell(place)..][..k].fill(0.0);
        }
    }

    /// The value at `x`; its slope goes to `gradient`.
    pub(super) fn value(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let of_piece = |piece: usize| {
            crate::watch::look();
            let mut slope = vec![0.0; x.len()];
            let range = piece * PIECE..((piece + 1) * PIECE).min(self.tally.len());
            let mut q = vec![0.0; self.design.k];
            let own_slope = self.slope(x);
            let loss: f64 = range.map(|place| self.add_row(place, x, own_slope, &mut slope, &mut q)).sum();
            (loss, slope)
        };
        let pieces: Vec<(f64, Vec<f64>)> = match self.tally.len().div_ceil(PIECE) {
            // Waking other threads takes longer than a few rows.
            0 => Vec::new(),
            1 => vec![of_piece(0)],
            many => parallel::map(0..many, of_piece),
        };
        gradient.copy_from_slice(x);
        let mut value = 0.5 * x.iter().map(|x| x * x).sum::<f64>();
        for (loss, slope) in pieces {
            value += loss;
            gradient.iter_mut().zip(slope).for_each(|(sum, part)| *sum += part);
        }
        value
    }

    /// The scores of the classes of `row` at `x` into `q`; `slope` is that of `x`.
    #[inline]
    pub(super) fn scores(&self, row: usize, x: &[f64], slope: f64, q: &mut [f64]) {
        let k = self.design.k;
        let crowd = self.priors.trend * self.design.crowds[row];
        let log_p = self.design.log_p(row);
        for y in 0..k {
            let read = if self.without_model { 0.0 } else { slope * log_p[y] };
            q[y] = read + self.priors.bias * x[1 + y] + crowd * x[self.of_trend(y)];
        }
        for vote in self.design.votes(row) {
            q[vote.class] += self.priors.source * x[self.of_source(vote.source)];
            let own = &x[self.of_cell(vote.cell)..][..k];
            for y in 0..k {
                q[y] += self.spread(vote.class, y) * own[y];
            }
        }
    }

    /// The scores of the classes of `row` at `x`.
    pub(super) fn scores_at(&self, row: usize, x: &[f64]) -> Vec<f64> {
        let mut q = vec![0.0; self.design.k];
        self.scores(row, x, self.slope(x), &mut q);
        q
    }

    fn add_row(&self, place: usize, x: &[f64], slope: f64, gradient: &mut [f64], q: &mut [f64]) -> f64 {
        let k = self.design.k;
        let (row, counts) = self.tally.at(place);
        self.scores(row, x, slope, q);
        let crowd = self.priors.trend * self.design.crowds[row];
        let seen: f64 = counts.iter().sum();
        let at_answers: f64 = q.iter().zip(counts).map(|(score, count)| score * count).sum();
        let log_z = softmax_in_place(q);
        // From here on q holds the slope of the loss by the scores.
        q.iter_mut().zip(counts).for_each(|(q, count)| *q = seen * *q - count);
        let log_p = self.design.log_p(row);
        for y in 0..k {
            if !self.without_model {
                gradient[0] += self.priors.slope * slope * log_p[y] * q[y];
            }
            gradient[1 + y] += self.priors.bias * q[y];
            gradient[self.of_trend(y)] += crowd * q[y];
        }
        for vote in self.design.votes(row) {
            gradient[self.of_source(vote.source)] += self.priors.source * q[vote.class];
            let own = &mut gradient[self.of_cell(vote.cell)..][..k];
            for y in 0..k {
                own[y] += self.spread(vote.class, y) * q[y];
            }
        }
        seen * log_z - at_answers
    }

    /// The correction at `x`, for the votes that each source can cast.
    pub(super) fn correction(&self, x: &[f64], domains: &[Domain]) -> Correction {
        let (design, k) = (self.design, self.design.k);
        let mut shifts = Vec::new();
        for (place, &j) in design.sources.iter().enumerate() {
            let common = self.priors.source * x[self.of_source(place)];
            for &vote in domains[j].classes() {
                let class = usize::from(vote) - 1;
                let mut scores = vec![0.0; k];
                if let Ok(cell) = design.cells.binary_search(&(j, vote)) {
                    let own = &x[self.of_cell(cell)..][..k];
                    for y in 0..k {
                        scores[y] = self.spread(class, y) * own[y];
                    }
                }
                scores[class] += common;
                shifts.push(Shift { source: j, vote, scores });
            }
        }
        Correction {
            slope: self.slope(x),
            biases: (0..k).map(|y| self.priors.bias * x[1 + y]).collect(),
            trends: (0..k).map(|y| self.priors.trend * x[self.of_trend(y)]).collect(),
            usual_votes: design.usual_votes,
            shifts,
            without_votes: None,
            answers: self.tally.answers() as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Corrector;
    use super::*;
    use crate::rng::{Streams, unit};

    const K: usize = 3;

    /// Answered rows, and the answers for each class, row by row.
    fn rows() -> (Vec<AnsweredRow>, Vec<f64>) {
        let mut rng = Streams::new(3).stream(0);
        let mut row = |_| {
            let mut votes = Vec::new();
            for j in 0..4 {
                let vote = (unit(&mut rng) * 4.0) as Vote;
                // Source 3 only ever votes for the second class.
                match (j, vote) {
                    (_, 0) => {}
                    (3, _) => votes.push((j, 2)),
                    _ => votes.push((j, vote)),
                }
            }
            let mut log_p: Vec<f64> = (0..K).map(|_| 2.0 * unit(&mut rng)).collect();
            softmax_in_place(&mut log_p);
            for p in &mut log_p {
                *p = p.ln();
            }
            let counts: Vec<f64> = (0..K).map(|_| (3.0 * unit(&mut rng)).floor()).collect();
            (AnsweredRow { votes, log_p }, counts)
        };
        let (rows, counts): (Vec<AnsweredRow>, Vec<Vec<f64>>) = (0..30).map(&mut row).unzip();
        (rows, counts.concat())
    }

    fn weights(objective: &Objective<'_>) -> Vec<f64> {
        let mut rng = Streams::new(4).stream(0);
        (0..objective.weights()).map(|_| unit(&mut rng) - 0.5).collect()
    }

    /// The slope is that of finite differences.
    #[test]
    fn the_gradient_is_the_slope_of_the_value() {
        let (rows, counts) = rows();
        let priors = CorrectionPriors { vote: 0.3, other: 0.2, ..CorrectionPriors::default() };
        let (design, tally) = (Design::new(&rows, K, 2.5), Tally::new(K, &counts));
        let objective = Objective::new(&design, &tally, priors);
        let x = weights(&objective);
        let mut gradient = vec![0.0; x.len()];
        objective.value(&x, &mut gradient);
        let mut unused = vec![0.0; x.len()];
        for i in 0..x.len() {
            let mut at = |step: f64| {
                let mut x = x.clone();
                x[i] += step;
                objective.value(&x, &mut unused)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((slope - gradient[i]).abs() < 1e-6, "weight {i}: {slope} and {}", gradient[i]);
        }
    }

    /// The likelihood is that of the probabilities that the correction gives: the same formula by the code that labels.
    #[test]
    fn the_value_is_that_of_the_corrected_probabilities() {
        let (rows, counts) = rows();
        let (design, tally) = (Design::new(&rows, K, 2.5), Tally::new(K, &counts));
        let objective = Objective::new(&design, &tally, CorrectionPriors::default());
        let x = weights(&objective);
        let domains: Vec<Domain> = [&[1, 2, 3][..], &[1, 2, 3], &[1, 2, 3], &[2]]
            .into_iter()
            .map(|classes: &[Vote]| Domain::of(classes.to_vec()))
            .collect();
        let correction = objective.correction(&x, &domains);
        let corrector = Corrector::new(&correction, 4);
        let mut expected = 0.5 * x.iter().map(|x| x * x).sum::<f64>();
        for (row, counts) in rows.iter().zip(counts.chunks(K)) {
            let mut p: Vec<f64> = row.log_p.iter().map(|p| p.exp()).collect();
            corrector.apply(row.votes.iter().copied(), &mut p);
            expected -= counts.iter().zip(&p).map(|(count, p)| count * p.ln()).sum::<f64>();
        }
        let value = objective.value(&x, &mut vec![0.0; x.len()]);
        assert!((value - expected).abs() < 1e-9, "{value} and {expected}");
        assert_eq!(correction.shifts.len(), 10);
    }
}
