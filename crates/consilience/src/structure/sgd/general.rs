//! The step of one item for any number of classes, any types of links, and the optional terms.

use pulp::Simd;

use super::families::Family;
use super::kernel::{Head, Lanes};
use super::options::OwnRates;
use super::real::Real;
use crate::sources::{Domain, Vote};

/// φ of one family and vote of another source, at one cell.
#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: u32,
    slot: u32,
    negative: bool,
}

/// The own terms of `L` problems.
///
/// # Formula
/// ```text
/// s(v, y) = Σ over families f and votes u of sums_f(u) φ_f(v, u, y) + a φ_accuracy(v, y) + rate(v) + prior(y)
/// ρ(v, y) = 1{v = λ_j} p(y | λ) - p(v, y | λ_others),   p ∝ e^s
/// the step of family f at vote u: η Σ over v, y of ρ(v, y) φ_f(v, u, y)
/// ```
/// φ is kept as the list of its values that are not 0. Where it does not depend on y (or on v) it is kept once for each
/// v (or y), so there are cells for (v, y), for v and for y.
#[derive(Debug)]
pub(super) struct General<T, const L: usize> {
    classes: usize,
    families: usize,
    step: T,
    entries: Vec<Entry>,
    /// For each vote, 0 if the own source can cast it, else a number so low that its exponential is 0.
    never: Vec<Lanes<T, L>>,
    rates_kind: OwnRates,
    with_prior: bool,
    /// The accuracy of the own source.
    pub(super) accuracy: Lanes<T, L>,
    /// For each vote, its rate.
    pub(super) rates: Vec<Lanes<T, L>>,
    /// For each class, its prior.
    pub(super) prior: Vec<Lanes<T, L>>,
    /// Scores, then ρ: (v, y) with classes fastest, then v, then y.
    cells: Vec<Lanes<T, L>>,
    /// p(y | λ).
    known: Vec<Lanes<T, L>>,
}

impl<T: Real, const L: usize> General<T, L> {
    pub(super) fn new(
        families: &[Family],
        domains: &[Domain],
        classes: usize,
        step: T,
        accuracy: T,
        rates_kind: OwnRates,
        with_prior: bool,
    ) -> Self {
        let never = (0..=classes as Vote).map(|vote| {
            let mut never = [T::NEVER; L];
            for (lane, never) in never.iter_mut().enumerate() {
                // Lanes without a source abstain always.
                let can = domains.get(lane).map_or(vote == 0, |domain| domain.position(vote).is_some());
                if can {
                    *never = T::ZERO;
                }
            }
            never
        });
        let cells = (classes + 1) * classes + (classes + 1) + classes;
        Self {
            classes,
            families: families.len(),
            step,
            entries: entries(families, classes),
            never: never.collect(),
            rates_kind,
            with_prior,
            accuracy: [accuracy; L],
            rates: vec![[T::ZERO; L]; classes + 1],
            prior: vec![[T::ZERO; L]; classes],
            cells: vec![[T::ZERO; L]; cells],
            known: vec![[T::ZERO; L]; classes],
        }
    }

    /// Scores of all (v, y) into the first cells.
    #[inline(always)]
    fn score<S: Simd>(&mut self, sums: &[Lanes<T, L>]) {
        let k = self.classes;
        self.cells.fill([T::ZERO; L]);
        for entry in &self.entries {
            let cell = &mut self.cells[entry.cell as usize];
            let sign = if entry.negative { -T::ONE } else { T::ONE };
            for (cell, &sum) in cell.iter_mut().zip(&sums[entry.slot as usize]) {
                *cell = sum.times_plus::<S>(sign, *cell);
            }
        }
        let (cells, margins) = self.cells.split_at_mut((k + 1) * k);
        let (by_vote, by_class) = margins.split_at(k + 1);
        for (vote, cells) in cells.chunks_exact_mut(k).enumerate() {
            for (class, cell) in cells.iter_mut().enumerate() {
                let right = accuracy_sign::<T>(vote, class);
                for i in 0..L {
                    let margin = by_vote[vote][i] + by_class[class][i];
                    let terms = self.rates[vote][i] + self.prior[class][i] + self.never[vote][i];
                    cell[i] = right.times_plus::<S>(self.accuracy[i], cell[i] + margin + terms);
                }
            }
        }
    }

    /// p(y | λ), from the scores of the vote that was cast.
    #[inline(always)]
    fn know<S: Simd>(&mut self, votes: &[Vote; L]) {
        let k = self.classes;
        self.known.fill([T::ZERO; L]);
        for (vote, cells) in (0..=k as Vote).zip(self.cells.chunks_exact(k)) {
            for (known, cell) in self.known.iter_mut().zip(cells) {
                for i in 0..L {
                    known[i] = if votes[i] == vote { cell[i] } else { known[i] };
                }
            }
        }
        softmax::<S, T, L>(&mut self.known);
    }

    /// From p(v, y | λ_others) in the first cells to ρ in all cells.
    #[inline(always)]
    fn compare(&mut self, votes: &[Vote; L]) {
        let k = self.classes;
        let (cells, margins) = self.cells.split_at_mut((k + 1) * k);
        let (by_vote, by_class) = margins.split_at_mut(k + 1);
        by_class.fill([T::ZERO; L]);
        for ((vote, cells), of_vote) in (0..=k as Vote).zip(cells.chunks_exact_mut(k)).zip(by_vote) {
            *of_vote = [T::ZERO; L];
            for ((cell, known), of_class) in cells.iter_mut().zip(&self.known).zip(&mut *by_class) {
                for i in 0..L {
                    let rho = known[i].only_if(votes[i] == vote) - cell[i];
                    cell[i] = rho;
                    of_vote[i] += rho;
                    of_class[i] += rho;
                }
            }
        }
    }

    /// Moves the own terms.
    #[inline(always)]
    fn move_own<S: Simd>(&mut self) {
        let k = self.classes;
        let (cells, margins) = self.cells.split_at((k + 1) * k);
        let (by_vote, by_class) = margins.split_at(k + 1);
        let step = self.step;
        for (vote, cells) in cells.chunks_exact(k).enumerate().skip(1) {
            for (class, cell) in cells.iter().enumerate() {
                let signed = accuracy_sign::<T>(vote, class) * step;
                for (accuracy, &rho) in self.accuracy.iter_mut().zip(cell) {
                    *accuracy = rho.times_plus::<S>(signed, *accuracy);
                }
            }
        }
        if self.with_prior {
            for (prior, rho) in self.prior.iter_mut().zip(by_class) {
                for (prior, &rho) in prior.iter_mut().zip(rho) {
                    *prior = rho.times_plus::<S>(step, *prior);
                }
            }
        }
        match self.rates_kind {
            OwnRates::None => {}
            OwnRates::VoteRates => {
                for (rate, rho) in self.rates.iter_mut().zip(by_vote).skip(1) {
                    for (rate, &rho) in rate.iter_mut().zip(rho) {
                        *rate = rho.times_plus::<S>(step, *rate);
                    }
                }
            }
            OwnRates::Propensity => {
                // Σ over v of ρ(v) is 0, so voting at all gains what abstaining loses.
                for rate in self.rates.iter_mut().skip(1) {
                    for (rate, &rho) in rate.iter_mut().zip(&by_vote[0]) {
                        *rate = (-rho).times_plus::<S>(step, *rate);
                    }
                }
            }
        }
    }
}

impl<T: Real, const L: usize> Head<T, L> for General<T, L> {
    #[inline(always)]
    fn step<S: Simd>(
        &mut self,
        votes: &[Vote; L],
        sums: &mut [Lanes<T, L>],
        own: &mut [Lanes<T, L>],
        steps: &mut [Lanes<T, L>],
    ) {
        let k = self.classes;
        for (sums, own) in sums.chunks_exact_mut(k + 1).zip(&*own).take(self.families) {
            for (vote, sum) in (0..).zip(sums) {
                for i in 0..L {
                    sum[i] -= own[i].only_if(votes[i] == vote);
                }
            }
        }
        self.score::<S>(sums);
        self.know::<S>(votes);
        softmax::<S, T, L>(&mut self.cells[..(k + 1) * k]);
        self.compare(votes);
        self.move_own::<S>();

        steps.fill([T::ZERO; L]);
        for entry in &self.entries {
            let signed = if entry.negative { -self.step } else { self.step };
            let step = &mut steps[entry.slot as usize];
            for (step, &rho) in step.iter_mut().zip(&self.cells[entry.cell as usize]) {
                *step = rho.times_plus::<S>(signed, *step);
            }
        }
        for (steps, own) in steps.chunks_exact(k + 1).zip(own).take(self.families) {
            for (vote, step) in (0..).zip(steps) {
                for i in 0..L {
                    own[i] += step[i].only_if(votes[i] == vote);
                }
            }
        }
    }

    #[inline(always)]
    fn truncate(&mut self, by: T) {
        for accuracy in &mut self.accuracy {
            *accuracy = accuracy.shrunk(by);
        }
    }
}

/// φ of an accuracy if the vote is `vote` (0: abstain) and the class is number `class` from 0.
#[inline(always)]
fn accuracy_sign<T: Real>(vote: usize, class: usize) -> T {
    match vote {
        0 => T::ZERO,
        _ if vote == class + 1 => T::ONE,
        _ => -T::ONE,
    }
}

/// Turns scores into probabilities, lane by lane.
#[inline(always)]
fn softmax<S: Simd, T: Real, const L: usize>(scores: &mut [Lanes<T, L>]) {
    let Some(&(mut top)) = scores.first() else { return };
    for score in scores.iter() {
        for (top, &score) in top.iter_mut().zip(score) {
            *top = top.most(score);
        }
    }
    let mut sum = [T::ZERO; L];
    for score in scores.iter_mut() {
        for i in 0..L {
            let e = (score[i] - top[i]).exponential::<S>();
            score[i] = e;
            sum[i] += e;
        }
    }
    for sum in &mut sum {
        *sum = T::ONE / *sum;
    }
    for score in scores {
        for (score, &scale) in score.iter_mut().zip(&sum) {
            *score = *score * scale;
        }
    }
}

/// The values of φ that are not 0.
fn entries(families: &[Family], k: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut phi = vec![0.0; (k + 1) * k];
    for (f, family) in families.iter().enumerate() {
        for other in 0..=k {
            for (cell, phi) in phi.iter_mut().enumerate() {
                *phi = family.phi((cell / k) as Vote, other as Vote, (cell % k) as Vote + 1);
            }
            let same = |a: f64, b: f64| (a - b).abs() < 0.5;
            let any_class = phi.chunks_exact(k).all(|row| row.iter().all(|&x| same(x, row[0])));
            let any_vote = phi.chunks_exact(k).all(|row| row.iter().zip(&phi).all(|(&x, &y)| same(x, y)));
            let cells: Vec<(usize, f64)> = if any_class {
                (0..=k).map(|v| ((k + 1) * k + v, phi[v * k])).collect()
            } else if any_vote {
                (0..k).map(|y| ((k + 1) * k + k + 1 + y, phi[y])).collect()
            } else {
                phi.iter().copied().enumerate().collect()
            };
            let slot = (f * (k + 1) + other) as u32;
            let present = cells.into_iter().filter(|(_, phi)| phi.abs() > 0.5);
            entries.extend(present.map(|(cell, phi)| Entry { cell: cell as u32, slot, negative: phi < 0.0 }));
        }
    }
    entries
}
