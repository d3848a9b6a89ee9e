//! Which sources repeat each other: how far their agreement goes beyond what their accuracies explain.

use rayon::prelude::*;

use super::Repeat;
use super::common::Common;
use super::rows::Rows;
use super::sayings::Sayings;
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// A pair needs this many common votes, and near copies more.
const COMMON: f64 = 5.0;
const COMMON_OF_COPIES: f64 = 20.0;
/// Copies with fewer votes may be so by chance.
const ENOUGH: f64 = 30.0;
/// Votes added to what is possible, so that few of them prove little.
const SHRINK: f64 = 5.0;
/// Excess agreement above this counts: between sources of one class, and between others.
const KEPT_ONE_CLASS: f64 = 0.25;
const KEPT: f64 = 0.45;
/// ... where it is this many standard deviations above chance.
const CERTAIN: f64 = 5.0;
/// A source of one class is compared with others of its class where there are at least this many.
const FEWEST_RULES: usize = 5;
/// Near copies say the same on this share of the items on which one of them votes; sources of one class, and others.
const NEAR_ONE_CLASS: f64 = 0.95;
const NEAR: f64 = 0.99;
/// Agreement beyond chance that joins sources into a group, at most this with those outside, and how much more these
/// have among themselves, before the group is taken for an echo.
const ECHO: f64 = 0.5;
const ECHO_OUTSIDE: f64 = 0.03;
const ECHO_MARGIN: f64 = 0.02;
/// ... or this many standard errors above 0, which is more where few votes are common, up to this.
const CHANCE: f64 = 3.0;
const ECHO_OUTSIDE_MOST: f64 = 0.06;
/// Less agreement joins too, where each pair of the group agrees by this many standard errors, and nobody in it agrees with
/// anybody outside by this many.
const FAINT_ECHO: f64 = 0.3;
const FAR_INSIDE: f64 = 10.0;
const FAR_OUTSIDE: f64 = 4.0;

/// Rows, their votes listed, and what pairs of sources have in common on them.
pub(super) struct Pairs {
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) rows: Vec<Vec<(u32, Vote)>>,
    pub(super) counts: Vec<f64>,
    /// For each source, the rows on which it votes.
    pub(super) rows_of: Vec<Vec<u32>>,
    /// For each source and class, how often it votes for it.
    cast: Vec<f64>,
    /// For each source, how often it votes.
    total: Vec<f64>,
    /// For each source, its only class; [`ABSTAIN`] for a source of several.
    pub(super) only: Vec<Vote>,
    /// For each pair, on how many items both vote, and cast the same vote.
    both: Vec<f64>,
    same: Vec<f64>,
}

/// How two sources are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Both only ever vote for the same class: by when they vote.
    Firing,
    /// Both only ever vote for one class, and not the same: never.
    Apart,
    /// Else by what they say where both vote.
    Saying,
}

impl Pairs {
    /// Of the sources of `votes` on `rows`.
    pub(super) fn new(votes: &Votes, rows: &Rows<'_>) -> Self {
        let (n, k) = (votes.sources().len(), votes.classes().len());
        let patterns = votes.patterns();
        let list = |row: usize| patterns.row(rows.pattern(row)).map(|(j, vote)| (j as u32, vote)).collect();
        let lists: Vec<Vec<(u32, Vote)>> = (0..rows.len()).map(list).collect();
        let counts: Vec<f64> =
            (0..rows.len()).map(|row| patterns.counts()[rows.pattern(row)] as f64).collect();
        let mut rows_of = vec![Vec::new(); n];
        let mut cast = vec![0.0; n * k];
        for (u, row) in lists.iter().enumerate() {
            for &(j, vote) in row {
                rows_of[j as usize].push(u as u32);
                cast[j as usize * k + usize::from(vote) - 1] += counts[u];
            }
        }
        let only = |domain: &crate::sources::Domain| match *domain.classes() {
            [class] => class,
            _ => ABSTAIN,
        };
        let mut pairs = Self {
            n,
            k,
            rows: lists,
            counts,
            rows_of,
            total: cast.chunks_exact(k).map(|cast| cast.iter().sum()).collect(),
            cast,
            only: votes.domains().iter().map(only).collect(),
            both: Vec::new(),
            same: Vec::new(),
        };
        let common = Common::new(&pairs);
        (pairs.both, pairs.same) = (common.both, common.same);
        pairs
    }

    /// Groups of sources with enough votes that never differ on these rows.
    pub(super) fn copies(&self) -> Vec<Vec<usize>> {
        let equal = |a: f64, b: f64| (a - b).abs() < 0.5;
        groups(self.n, |j, l| {
            let same = self.same[j * self.n + l];
            same >= ENOUGH && equal(same, self.votes(j)) && equal(same, self.votes(l))
        })
    }

    fn kind(&self, j: usize, l: usize) -> Kind {
        match (self.only[j], self.only[l]) {
            (ABSTAIN, _) | (_, ABSTAIN) => Kind::Saying,
            (a, b) if a == b => Kind::Firing,
            _ => Kind::Apart,
        }
    }

    fn votes(&self, j: usize) -> f64 {
        self.total[j]
    }

    /// For each source what is known before any fit: near copies count once, and so does an echo, a group of sources that
    /// agree with each other and with nobody outside, while those outside do agree among themselves.
    ///
    /// # Formula
    /// ```text
    /// near copies:  same votes / items on which either votes >= 0.95 (sources of one class) or 0.99 (others)
    /// echo:         joined by kappa >= 0.5;  mean kappa with others < 3 se within 0.03..0.06 and at least 0.02 below that among the others
    /// faint echo:   the same with kappa >= 0.3, every pair inside 10 se above 0 and no pair across 4 se above 0
    /// share = 1 / size of the group
    /// ```
    pub(super) fn echoes(&self) -> Vec<f64> {
        let n = self.n;
        let near = |j: usize, l: usize| {
            let (both, same) = (self.both[j * n + l], self.same[j * n + l]);
            let either = self.votes(j) + self.votes(l) - both;
            let limit = if self.kind(j, l) == Kind::Firing { NEAR_ONE_CLASS } else { NEAR };
            both >= COMMON_OF_COPIES && same >= limit * either.max(1.0)
        };
        let mut share = vec![1.0; n];
        for group in groups(n, near) {
            for &j in &group {
                share[j] = 1.0 / group.len() as f64;
            }
        }
        let several = |j: usize| self.only[j] == ABSTAIN && !self.rows_of[j].is_empty();
        let kappa: Vec<f64> = (0..n * n).map(|at| self.kappa(at / n, at % n)).collect();
        let near_kappa = |j: usize, l: usize| kappa[j * n + l] >= ECHO || near(j, l);
        self.discount_echoes(&kappa, &several, near_kappa, false, &mut share);
        let faint_kappa = |j: usize, l: usize| kappa[j * n + l] >= FAINT_ECHO;
        self.discount_echoes(&kappa, &several, faint_kappa, true, &mut share);
        share
    }

    /// Counts the groups once that `linked` joins and nobody else agrees with; `beyond_doubt` asks that every pair inside
    /// agrees and none across does, by far more than chance.
    fn discount_echoes(
        &self,
        kappa: &[f64],
        several: &impl Fn(usize) -> bool,
        linked: impl Fn(usize, usize) -> bool,
        beyond_doubt: bool,
        share: &mut [f64],
    ) {
        let n = self.n;
        let joined = |j: usize, l: usize| {
            let compared = several(j) && several(l) && self.both[j * n + l] >= COMMON_OF_COPIES;
            compared && linked(j, l)
        };
        let echoes = groups(n, joined);
        let mut group_of: Vec<usize> = (0..n).map(|j| n + j).collect();
        for (g, group) in echoes.iter().enumerate() {
            for &j in group {
                group_of[j] = g;
            }
        }
        // Mean kappa over pairs of `from` and `to` in different groups, weighted by common votes.
        let mean = |from: &[usize], to: &[usize]| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for &j in from {
                for &l in to {
                    if j != l && group_of[j] != group_of[l] && self.kind(j, l) == Kind::Saying {
                        sum += self.both[j * n + l] * kappa[j * n + l];
                        weight += self.both[j * n + l];
                    }
                }
            }
            (weight > 0.0).then(|| sum / weight)
        };
        // The standard error of that mean where nobody agrees: those who say the same count as one.
        let chance = |outside: &[usize], group: &[usize]| {
            let common = |l: usize| group.iter().map(|&j| self.both[j * n + l]).fold(0.0, f64::max);
            outside.iter().map(|&l| common(l)).sum::<f64>().max(1.0).powf(-0.5)
        };
        let z = |j: usize, l: usize| kappa[j * n + l] * self.both[j * n + l].sqrt();
        for (g, group) in echoes.iter().enumerate() {
            let outside: Vec<usize> = (0..n).filter(|&j| several(j) && group_of[j] != g).collect();
            let apart = || {
                let inside = group.iter().all(|&j| group.iter().all(|&l| j == l || z(j, l) > FAR_INSIDE));
                inside && group.iter().all(|&j| outside.iter().all(|&l| z(j, l) < FAR_OUTSIDE))
            };
            if let (Some(with_others), Some(among_others)) = (mean(group, &outside), mean(&outside, &outside))
                && with_others < (CHANCE * chance(&outside, group)).clamp(ECHO_OUTSIDE, ECHO_OUTSIDE_MOST)
                && among_others > with_others + ECHO_MARGIN
                && (!beyond_doubt || apart())
            {
                for &j in group {
                    share[j] = share[j].min(1.0 / group.len() as f64);
                }
            }
        }
    }

    /// Agreement beyond chance where both vote, drawn towards 0 where that is rare.
    fn kappa(&self, j: usize, l: usize) -> f64 {
        if j == l {
            return 0.0;
        }
        let share =
            |j: usize, c: usize| (self.cast[j * self.k + c] + 0.5) / (self.votes(j) + 0.5 * self.k as f64);
        let chance: f64 = (0..self.k).map(|c| share(j, c) * share(l, c)).sum();
        let both = self.both[j * self.n + l];
        let agreement = self.same[j * self.n + l] / both.max(1.0);
        (agreement - chance) / (1.0 - chance) * both / (both + SHRINK)
    }

    /// The discount of every source, given the posteriors `q` of the rows (row by row, classes fastest), and the pairs that
    /// made it.
    ///
    /// # Formula
    /// ```text
    /// δ_j = 1 / (1 + Σ_l r_jl),   r_jl = ρ_jl · (1 for sources of one class, else common votes / n_j)   over kept pairs
    /// ρ_jl = (O - E) / (M - E + 5),   z_jl = (O - E) / √Var,   kept: ρ > 0.25 (one class) or 0.45, and z > 5
    /// O: items with the same vote;  E: expected if j and l were independent given the class;  M: the most possible
    /// one class:  E = Σ_y N_y p(j fires | y) p(l fires | y),   M = √(n_j n_l),   Var = E
    /// others:     E = Σ_{u: both vote} Σ_y q_u(y) g_y,   g_y = Σ_v p(v | j votes, y) p(v | l votes, y),   M = common votes
    /// ```
    /// What all rules of a class share is the class, not repetition: the median of ρ_jl over the rules l of j's class is taken
    /// off, and with fewer than five others the two cannot be told apart.
    pub(super) fn discounts(&self, q: &[f64]) -> (Vec<f64>, Vec<Repeat>) {
        let tables = Given::new(self, q);
        let sayings = Sayings::new(self, q, &tables);
        let of_source: Vec<(f64, Vec<Repeat>)> =
            (0..self.n).into_par_iter().map(|j| self.discount(j, &tables, &sayings)).collect();
        let mut repeated = Vec::new();
        let mut discounts = Vec::with_capacity(self.n);
        for (discount, pairs) in of_source {
            discounts.push(discount);
            repeated.extend(pairs);
        }
        (discounts, repeated)
    }

    fn discount(&self, j: usize, given: &Given, sayings: &Sayings) -> (f64, Vec<Repeat>) {
        crate::watch::look();
        let (n, k) = (self.n, self.k);
        let (mut expected, mut variance) = sayings.of_source(j);
        for l in 0..n {
            if self.kind(j, l) == Kind::Firing {
                let at = usize::from(self.only[j]) - 1;
                let firing = |j: usize, y: usize| given.of_items[(j * k + at) * k + y];
                expected[l] = (0..k).map(|y| given.class[y] * firing(j, y) * firing(l, y)).sum();
                variance[l] = expected[l];
            }
        }
        let compared = |l: usize| l != j && self.both[j * n + l] >= COMMON && self.kind(j, l) != Kind::Apart;
        let excess = |l: usize| {
            if !compared(l) {
                return 0.0;
            }
            let most = match self.kind(j, l) {
                Kind::Firing => (self.votes(j) * self.votes(l)).sqrt(),
                _ => self.both[j * n + l],
            };
            (self.same[j * n + l] - expected[l]) / (most - expected[l] + SHRINK).max(1e-9)
        };
        let mut rho: Vec<f64> = (0..n).map(excess).collect();
        let firing: Vec<usize> = (0..n).filter(|&l| l != j && self.kind(j, l) == Kind::Firing).collect();
        if firing.len() < FEWEST_RULES {
            for &l in &firing {
                rho[l] = 0.0;
            }
        } else {
            let middle = median(firing.iter().map(|&l| rho[l]).collect()).max(0.0);
            for &l in firing.iter().filter(|&&l| compared(l)) {
                rho[l] = (rho[l] - middle) / (1.0 - middle).max(1e-9);
            }
        }
        let mut total = 0.0;
        let mut repeated = Vec::new();
        for l in (0..n).filter(|&l| compared(l)) {
            let one_class = self.kind(j, l) == Kind::Firing;
            let z = (self.same[j * n + l] - expected[l]) / variance[l].max(1.0).sqrt();
            let limit = if one_class { KEPT_ONE_CLASS } else { KEPT };
            let rho = rho[l].clamp(-1.0, 1.0);
            if rho > limit && z > CERTAIN {
                let share = if one_class { 1.0 } else { self.both[j * n + l] / self.votes(j).max(1.0) };
                total += rho * share;
                repeated.push(Repeat { source: j, of: l, share: rho * share });
            }
        }
        (1.0 / (1.0 + total), repeated)
    }
}

/// How sources vote given the class, by the posteriors.
pub(super) struct Given {
    /// Expected items of each class.
    class: Vec<f64>,
    /// p(λ_j = v | y) for each source, vote and class.
    of_items: Vec<f64>,
    /// p(λ_j = v | λ_j ≠ 0, y), half a vote added.
    pub(super) of_votes: Vec<f64>,
}

impl Given {
    fn new(pairs: &Pairs, q: &[f64]) -> Self {
        let (n, k) = (pairs.n, pairs.k);
        let mut class = vec![0.0; k];
        let mut joint = vec![0.0; n * k * k];
        for (u, row) in pairs.rows.iter().enumerate() {
            let q = &q[u * k..(u + 1) * k];
            for (y, q) in q.iter().enumerate() {
                class[y] += pairs.counts[u] * q;
            }
            for &(j, vote) in row {
                let cells = &mut joint[(j as usize * k + usize::from(vote) - 1) * k..][..k];
                cells.iter_mut().zip(q).for_each(|(cell, q)| *cell += pairs.counts[u] * q);
            }
        }
        let of_items = (0..joint.len()).map(|at| joint[at] / class[at % k].max(1e-9)).collect();
        let mut voted = vec![0.0; n * k];
        for (at, cells) in joint.chunks_exact(k).enumerate() {
            let voted = &mut voted[at / k * k..][..k];
            voted.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += cell);
        }
        let of_votes = (0..joint.len())
            .map(|at| (joint[at] + 0.5 / k as f64) / (voted[at / (k * k) * k + at % k] + 0.5))
            .collect();
        Self { class, of_items, of_votes }
    }
}

/// The middle one, or the mean of the two in the middle.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[half] } else { 0.5 * (numbers[half - 1] + numbers[half]) }
}

/// The connected components of two sources or more; `joined` is asked with the smaller source first.
pub(super) fn groups(n: usize, joined: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut seen = vec![false; n];
    let mut groups = Vec::new();
    for start in 0..n {
        if seen[start] {
            continue;
        }
        let mut group = vec![start];
        let mut at = 0;
        while at < group.len() {
            let j = group[at];
            for l in start + 1..n {
                if !seen[l] && l != j && joined(j.min(l), j.max(l)) {
                    seen[l] = true;
                    group.push(l);
                }
            }
            at += 1;
        }
        if group.len() > 1 {
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}
