//! The curvature of a linked panel's pseudolikelihood: what a step is divided by.

use super::pseudo::{Fixed, Item, PanelPseudo};
use super::scaling::{factorise, substitute};
use crate::model::fit::likelihood::rows::Rows;
use crate::optim::Scaling;

/// A rough inverse of the second derivatives of a linked panel's loss: the problems of the sources, each solved by itself.
///
/// # Formula
/// ```text
/// H⁻¹ = A (Σ_j D_j F_j⁻¹ D_j) Aᵀ,   F_j = Σ_u c_u Cov( E[φ | λ_j, others] | others ) + precision (links: half of it)
/// A: rates are counted from where all others abstain,   r_jv = b_jv - Σ_d w_d (φ_d(v, 0) - φ_d(0, 0))
/// ```
/// over the vote rates, the accuracy and the links of source j; D_j is ½ at links, which two sources share, and 1 elsewhere.
/// Without A, every link that counts abstaining together would be all but the same as a rate. A part of the rows stands for
/// all.
pub(super) struct LinkedScaling {
    blocks: Vec<Block>,
    /// A: for each link, the rates that it moves, and by how much.
    moved: Vec<(usize, usize, f64)>,
    /// For each weight, whether it may move.
    free: Vec<bool>,
}

/// The problem of one source.
struct Block {
    /// The weights.
    weights: Vec<usize>,
    /// ½ for links, else 1.
    share: Vec<f64>,
    /// The Cholesky factor of F_j.
    factor: Vec<f64>,
}

/// Rows that stand for all.
const PART: usize = 2048;
/// Smallest precision that a weight is taken to have, so that all inverses exist.
const LEAST: f64 = 1e-6;

/// Sums over rows for one source, by features: each of its votes (abstaining first), its accuracy, each of its links.
struct Fisher {
    features: usize,
    sums: Vec<f64>,
    /// For each link, its weight, and its number among the features.
    links: Vec<(usize, usize)>,
}

impl LinkedScaling {
    /// At the weights of `fixed`.
    pub(super) fn new(problem: &PanelPseudo<'_>, fixed: &Fixed, precision: &[f64], free: &[bool]) -> Self {
        let part = problem.rows.thinned(PART);
        let fishers = fishers(problem, fixed, &part);
        let blocks = fishers
            .iter()
            .enumerate()
            .map(|(j, fisher)| Block::new(problem, j, fisher, precision, free))
            .collect();
        Self { blocks, moved: moved(problem, free), free: free.to_vec() }
    }
}

/// φ_d(v, 0) - φ_d(0, 0) of every link d and every vote v of its sources that has a rate.
fn moved(problem: &PanelPseudo<'_>, free: &[bool]) -> Vec<(usize, usize, f64)> {
    let mut moved = Vec::new();
    for (j, silent) in problem.links.silent.iter().enumerate() {
        let places = problem.layout.starts[j] + 1..problem.layout.starts[j + 1];
        let mut add = |link: usize, place: usize, by: f64| {
            if let Some(rate) = problem.terms.rate[place].filter(|&rate| free[rate] && free[link]) {
                moved.push((link, rate, by));
            }
        };
        for &(link, position, phi) in silent {
            match position {
                0 => places.clone().for_each(|place| add(link, place, -phi)),
                v => add(link, problem.layout.starts[j] + v as usize, phi),
            }
        }
    }
    moved
}

impl Scaling for LinkedScaling {
    fn solve(&self, x: &mut [f64]) {
        let mut slopes = x.to_vec();
        for &(link, rate, by) in &self.moved {
            slopes[link] -= by * x[rate];
        }
        x.fill(0.0);
        for block in &self.blocks {
            let at = block.weights.iter().zip(&block.share);
            let mut local: Vec<f64> = at.clone().map(|(&d, share)| share * slopes[d]).collect();
            substitute(&block.factor, local.len(), &mut local);
            for ((&d, share), step) in at.zip(&local) {
                x[d] += share * step;
            }
        }
        for &(link, rate, by) in &self.moved {
            x[rate] -= by * x[link];
        }
        for (d, x) in x.iter_mut().enumerate() {
            if !self.free[d] {
                *x = 0.0;
            }
        }
    }
}

/// For each source the sums over `rows`.
fn fishers(problem: &PanelPseudo<'_>, fixed: &Fixed, rows: &Rows<'_>) -> Vec<Fisher> {
    let layout = problem.layout;
    let n = layout.domains.len();
    let mut fishers: Vec<Fisher> = (0..n)
        .map(|j| Fisher { features: layout.domains[j].len() + 1, sums: Vec::new(), links: Vec::new() })
        .collect();
    // For each weight of a link, its feature in the problems of its two sources.
    let mut feature_of = vec![[0; 2]; problem.weights];
    for &(weight, sources) in &problem.links.list {
        for (feature, j) in feature_of[weight].iter_mut().zip(sources) {
            let fisher = &mut fishers[j];
            *feature = fisher.features;
            fisher.links.push((weight, fisher.features));
            fisher.features += 1;
        }
    }
    let mut first_source = vec![0; problem.weights];
    problem.links.list.iter().for_each(|&(weight, [first, _])| first_source[weight] = first);
    for fisher in &mut fishers {
        fisher.sums = vec![0.0; fisher.features * fisher.features];
    }
    let mut item = Item::new(layout);
    let mut ignored = vec![0.0; problem.weights];
    // For each source, its links that are at stake: the feature, a position and φ.
    let mut at_stake: Vec<Vec<(usize, u32, f64)>> = vec![Vec::new(); n];
    for row in 0..rows.len() {
        let count = rows.count(row);
        if count <= 0.0 {
            continue;
        }
        crate::watch::look();
        problem.read(&mut item, rows.pattern(row), fixed);
        problem.conditionals(&mut item, fixed, count, &mut ignored);
        at_stake.iter_mut().for_each(Vec::clear);
        for &l in &item.voters {
            let cast = layout.starts[l as usize] + item.positions[l as usize] as usize;
            for change in &problem.links.by_place[cast] {
                let (on, weight) = (change.on as usize, change.weight as usize);
                let feature = feature_of[weight][usize::from(first_source[weight] != on)];
                at_stake[on].push((feature, change.place - layout.starts[on] as u32, change.phi));
            }
        }
        for (j, fisher) in fishers.iter_mut().enumerate() {
            let places = layout.starts[j]..layout.starts[j + 1];
            let cast = item.positions[j] as usize;
            let p: Vec<f64> = item.left[places.clone()]
                .iter()
                .enumerate()
                .map(|(v, left)| if v == cast { 1.0 } else { 0.0 } - left / count)
                .collect();
            fisher.add(count, &p, &item.sign[places], &at_stake[j]);
        }
    }
    fishers
}

impl Fisher {
    /// Adds one row: `p` of each vote, the expected sign of each vote times `p`, and the links at stake.
    fn add(&mut self, count: f64, p: &[f64], sign: &[f64], at_stake: &[(usize, u32, f64)]) {
        let (m, accuracy) = (self.features, p.len());
        // Σ_v p f fᵀ
        for (v, &p) in p.iter().enumerate() {
            self.sums[v * m + v] += count * p;
            self.sums[accuracy * m + v] += count * sign[v];
            self.sums[accuracy * m + accuracy] += count * sign[v] * sign[v] / p.max(f64::MIN_POSITIVE);
        }
        let mut means: Vec<(usize, f64)> = p.iter().copied().enumerate().collect();
        means.push((accuracy, sign.iter().sum()));
        for (i, &(feature, v, phi)) in at_stake.iter().enumerate() {
            let v_at = v as usize;
            self.sums[feature * m + v_at] += count * p[v_at] * phi;
            self.sums[feature * m + accuracy] += count * sign[v_at] * phi;
            for &(other, w, other_phi) in &at_stake[..=i] {
                if w == v {
                    let (high, low) = (feature.max(other), feature.min(other));
                    self.sums[high * m + low] += count * p[v_at] * phi * other_phi;
                }
            }
            match means.last_mut() {
                Some(last) if last.0 == feature => last.1 += p[v_at] * phi,
                _ => means.push((feature, p[v_at] * phi)),
            }
        }
        // - f̄ f̄ᵀ
        for (i, &(a, x)) in means.iter().enumerate() {
            for &(b, z) in &means[..=i] {
                self.sums[a.max(b) * m + a.min(b)] -= count * x * z;
            }
        }
    }
}

impl Block {
    fn new(problem: &PanelPseudo<'_>, j: usize, fisher: &Fisher, precision: &[f64], free: &[bool]) -> Self {
        let (layout, m) = (problem.layout, fisher.features);
        let votes = layout.domains[j].len();
        // For each weight, its share here and its feature.
        let mut columns: Vec<(usize, f64, usize)> = Vec::new();
        for v in 1..votes {
            columns.extend(problem.terms.rate[layout.starts[j] + v].map(|d| (d, 1.0, v)));
        }
        columns.extend(problem.terms.accuracy[j].map(|d| (d, 1.0, votes)));
        for &(d, feature) in &fisher.links {
            columns.push((d, 0.5, feature));
        }
        let size = columns.len();
        let mut factor = vec![0.0; size * size];
        for (a, &(d, share, feature)) in columns.iter().enumerate() {
            for (b, &(e, _, other)) in columns[..=a].iter().enumerate() {
                if free[d] && free[e] {
                    factor[a * size + b] = fisher.sums[feature.max(other) * m + feature.min(other)];
                }
            }
            factor[a * size + a] += share * precision[d].max(LEAST);
        }
        factorise(&mut factor, size);
        let weights = columns.iter().map(|column| column.0).collect();
        let share = columns.iter().map(|column| column.1).collect();
        Self { weights, share, factor }
    }
}
