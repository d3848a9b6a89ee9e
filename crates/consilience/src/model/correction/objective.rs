//! The penalised likelihood of the answers, as a function of the correction.

use rayon::prelude::*;

use super::contradiction::contradiction;
use super::{Correction, CorrectionPriors, LEAST, Shift, crowd};
use crate::num::softmax_in_place;
use crate::sources::{Domain, Vote};

/// The answered items that have the same votes.
#[derive(Clone, Debug)]
pub(crate) struct AnsweredRow {
    /// The votes, ascending by source.
    pub(super) votes: Vec<(usize, Vote)>,
    /// The logarithm of the uncorrected probability of each class.
    pub(super) log_p: Vec<f64>,
    /// How many answers each class has.
    pub(super) counts: Vec<f64>,
}

/// The votes of the answered items by pattern, ascending; `given` are the patterns of answered items and their answers, `class` is
/// the number of each answer in the model, and `posterior` gives a pattern's votes and uncorrected probabilities.
pub(crate) fn answered_rows(
    given: impl Iterator<Item = (u32, Vote)>,
    class: &[Vote],
    posterior: impl Fn(usize) -> (Vec<(usize, Vote)>, Vec<f64>) + Sync,
) -> Vec<AnsweredRow> {
    let mut by_pattern: Vec<(u32, Vote)> = given.collect();
    by_pattern.sort_unstable();
    let groups: Vec<&[(u32, Vote)]> = by_pattern.chunk_by(|a, b| a.0 == b.0).collect();
    let row = |group: &&[(u32, Vote)]| {
        let (votes, mut log_p) = posterior(group[0].0 as usize);
        let mut counts = vec![0.0; log_p.len()];
        group.iter().for_each(|&(_, answer)| counts[usize::from(class[usize::from(answer)]) - 1] += 1.0);
        for p in &mut log_p {
            *p = p.max(LEAST).ln();
        }
        AnsweredRow { votes, log_p, counts }
    };
    let mut rows: Vec<AnsweredRow> = groups.par_iter().map(row).collect();
    // In an order that does not depend on how the table numbers its columns and classes.
    rows.sort_by(|a, b| a.votes.cmp(&b.votes));
    rows
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
    rows: &'a [AnsweredRow],
    priors: CorrectionPriors,
    k: usize,
    usual_votes: f64,
    /// The sources that vote on answered items, ascending.
    sources: Vec<usize>,
    /// Their votes there, ascending by source and vote.
    cells: Vec<(usize, Vote)>,
    /// For each row and each of its votes, the places of the source and of the vote among these.
    places: Vec<Vec<(usize, usize)>>,
}

impl<'a> Objective<'a> {
    /// `usual_votes` is the mean number of votes on an item of the table.
    pub(super) fn new(rows: &'a [AnsweredRow], k: usize, usual_votes: f64, priors: CorrectionPriors) -> Self {
        let answers = rows.iter().flat_map(|row| &row.counts).sum::<f64>() as usize;
        let usual_votes = usual_votes.max(1.0);
        let own = priors.for_table(usual_votes, answers);
        let priors = if priors.wider_where_contradicted {
            own.where_contradicted(contradiction(rows), usual_votes)
        } else {
            own
        };
        let mut cells: Vec<(usize, Vote)> = rows.iter().flat_map(|row| row.votes.iter().copied()).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut sources: Vec<usize> = cells.iter().map(|&(j, _)| j).collect();
        sources.dedup();
        let place = |&(j, vote): &(usize, Vote)| {
            (sources.partition_point(|&source| source < j), cells.partition_point(|&cell| cell < (j, vote)))
        };
        let places = rows.par_iter().map(|row| row.votes.iter().map(place).collect()).collect();
        Self { rows, priors, k, usual_votes, sources, cells, places }
    }

    /// The number of weights.
    pub(super) fn weights(&self) -> usize {
        self.of_cell(self.cells.len())
    }

    // The weights: the slope, the biases, the trends, one for each source, and one for each vote and class.

    fn of_trend(&self, y: usize) -> usize {
        1 + self.k + y
    }

    fn of_source(&self, place: usize) -> usize {
        1 + 2 * self.k + place
    }

    fn of_cell(&self, place: usize) -> usize {
        1 + 2 * self.k + self.sources.len() + place * self.k
    }

    fn slope(&self, x: &[f64]) -> f64 {
        (self.priors.slope * x[0]).exp()
    }

    /// The standard deviation of what a vote adds to class `y`, counted from 0.
    fn spread(&self, vote: Vote, y: usize) -> f64 {
        if y + 1 == usize::from(vote) { self.priors.vote } else { self.priors.other }
    }

    /// The value at `x`; its slope goes to `gradient`.
    pub(super) fn value(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let pieces: Vec<(f64, Vec<f64>)> = (0..self.rows.len().div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                crate::watch::look();
                let mut slope = vec![0.0; x.len()];
                let range = piece * PIECE..((piece + 1) * PIECE).min(self.rows.len());
                let mut q = vec![0.0; self.k];
                let loss = range.map(|row| self.add_row(row, x, &mut slope, &mut q)).sum();
                (loss, slope)
            })
            .collect();
        gradient.copy_from_slice(x);
        let mut value = 0.5 * x.iter().map(|x| x * x).sum::<f64>();
        for (loss, slope) in pieces {
            value += loss;
            gradient.iter_mut().zip(slope).for_each(|(sum, part)| *sum += part);
        }
        value
    }

    fn add_row(&self, row: usize, x: &[f64], gradient: &mut [f64], q: &mut [f64]) -> f64 {
        let (AnsweredRow { votes, log_p, counts }, places) = (&self.rows[row], &self.places[row]);
        let slope = self.slope(x);
        let crowd = self.priors.trend * crowd(votes.len(), self.usual_votes);
        for y in 0..self.k {
            q[y] = slope * log_p[y] + self.priors.bias * x[1 + y] + crowd * x[self.of_trend(y)];
        }
        for (&(_, vote), &(source, cell)) in votes.iter().zip(places) {
            q[usize::from(vote) - 1] += self.priors.source * x[self.of_source(source)];
            let own = &x[self.of_cell(cell)..][..self.k];
            for y in 0..self.k {
                q[y] += self.spread(vote, y) * own[y];
            }
        }
        let seen: f64 = counts.iter().sum();
        let at_answers: f64 = q.iter().zip(counts).map(|(score, count)| score * count).sum();
        let log_z = softmax_in_place(q);
        // From here on q holds the slope of the loss by the scores.
        q.iter_mut().zip(counts).for_each(|(q, count)| *q = seen * *q - count);
        for y in 0..self.k {
            gradient[0] += self.priors.slope * slope * log_p[y] * q[y];
            gradient[1 + y] += self.priors.bias * q[y];
            gradient[self.of_trend(y)] += crowd * q[y];
        }
        for (&(_, vote), &(source, cell)) in votes.iter().zip(places) {
            gradient[self.of_source(source)] += self.priors.source * q[usize::from(vote) - 1];
            let own = self.of_cell(cell);
            for y in 0..self.k {
                gradient[own + y] += self.spread(vote, y) * q[y];
            }
        }
        seen * log_z - at_answers
    }

    /// The correction at `x`, for the votes that each source can cast.
    pub(super) fn correction(&self, x: &[f64], domains: &[Domain]) -> Correction {
        let mut shifts = Vec::new();
        for (place, &j) in self.sources.iter().enumerate() {
            let common = self.priors.source * x[self.of_source(place)];
            for &vote in domains[j].classes() {
                let mut scores = vec![0.0; self.k];
                if let Ok(cell) = self.cells.binary_search(&(j, vote)) {
                    let own = &x[self.of_cell(cell)..][..self.k];
                    for y in 0..self.k {
                        scores[y] = self.spread(vote, y) * own[y];
                    }
                }
                scores[usize::from(vote) - 1] += common;
                shifts.push(Shift { source: j, vote, scores });
            }
        }
        Correction {
            slope: self.slope(x),
            biases: (0..self.k).map(|y| self.priors.bias * x[1 + y]).collect(),
            trends: (0..self.k).map(|y| self.priors.trend * x[self.of_trend(y)]).collect(),
            usual_votes: self.usual_votes,
            shifts,
            answers: self.rows.iter().flat_map(|row| &row.counts).sum::<f64>() as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Corrector;
    use super::*;
    use crate::rng::{Streams, unit};

    const K: usize = 3;

    fn rows() -> Vec<AnsweredRow> {
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
            AnsweredRow { votes, log_p, counts: (0..K).map(|_| (3.0 * unit(&mut rng)).floor()).collect() }
        };
        (0..30).map(&mut row).collect()
    }

    fn weights(objective: &Objective<'_>) -> Vec<f64> {
        let mut rng = Streams::new(4).stream(0);
        (0..objective.weights()).map(|_| unit(&mut rng) - 0.5).collect()
    }

    /// The slope is that of finite differences.
    #[test]
    fn the_gradient_is_the_slope_of_the_value() {
        let rows = rows();
        let priors = CorrectionPriors { vote: 0.3, other: 0.2, ..CorrectionPriors::default() };
        let objective = Objective::new(&rows, K, 2.5, priors);
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
        let rows = rows();
        let objective = Objective::new(&rows, K, 2.5, CorrectionPriors::default());
        let x = weights(&objective);
        let domains: Vec<Domain> = [&[1, 2, 3][..], &[1, 2, 3], &[1, 2, 3], &[2]]
            .into_iter()
            .map(|classes: &[Vote]| Domain::of(classes.to_vec()))
            .collect();
        let correction = objective.correction(&x, &domains);
        let corrector = Corrector::new(&correction, 4);
        let mut expected = 0.5 * x.iter().map(|x| x * x).sum::<f64>();
        for row in &rows {
            let mut p: Vec<f64> = row.log_p.iter().map(|p| p.exp()).collect();
            corrector.apply(row.votes.iter().copied(), &mut p);
            expected -= row.counts.iter().zip(&p).map(|(count, p)| count * p.ln()).sum::<f64>();
        }
        let value = objective.value(&x, &mut vec![0.0; x.len()]);
        assert!((value - expected).abs() < 1e-9, "{value} and {expected}");
        assert_eq!(correction.shifts.len(), 10);
    }
}
