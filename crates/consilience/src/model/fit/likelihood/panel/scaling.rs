//! The curvature of a panel's likelihood, as far as the votes are complete: what a step is divided by.

use super::partition::Partition;
use super::terms::PanelTerms;
use crate::model::fit::likelihood::layout::Layout;
use crate::optim::Scaling;

/// A rough inverse of the second derivatives of a panel's loss.
///
/// # Formula
/// ```text
/// H = ⊕_j B_j + V Vᵀ,   B_j = N δ_j Cov(φ_j) + precision,   V_y = √(N π(y)) (E[φ | y] - E[φ]), source j's part times δ_j
/// H⁻¹ g = h - B⁻¹ V (I + Vᵀ B⁻¹ V)⁻¹ Vᵀ h,   h = B⁻¹ g
/// ```
/// with φ_j the vote rates and the accuracy of source j. B_j is the information in source j's own votes; V is how all sources together
/// move the shares of the classes, a direction for each class that is far steeper than any source alone. What not knowing the
/// class takes off is left to the steps taken. Weights that are not free have an infinite precision.
///
/// E[φ_j | y] lies in the span of three vectors of the source and one vector of the class, so that building H takes
/// n k² + k³ / 3 operations and applying it n k + k².
pub(super) struct PanelScaling {
    classes: ClassBlock,
    sources: Vec<SourceBlock>,
    /// √(N π(y)).
    root: Vec<f64>,
    /// The lower triangle of the Cholesky factor of I + Vᵀ B⁻¹ V, row by row, each of full length.
    factor: Vec<f64>,
}

/// The class priors: diagonal, of precisions only.
struct ClassBlock {
    weight: Vec<Option<usize>>,
    /// One over the precision; 0 if the weight is not free.
    inverse: Vec<f64>,
    share: Vec<f64>,
}

/// One source: D - σ p pᵀ over its vote rates, bordered by its accuracy.
struct SourceBlock {
    power: f64,
    /// For each vote, its weight and its class, counted from 0.
    weight: Vec<Option<usize>>,
    class: Vec<usize>,
    accuracy: Option<usize>,
    /// p: the probability of each vote.
    vote: Vec<f64>,
    /// The odds of each wrong vote against none.
    wrong: Vec<f64>,
    /// For each class, the probability of abstaining, and P(right) - P(wrong).
    silent: Vec<f64>,
    sign: Vec<f64>,
    mean_sign: f64,
    /// For each vote, e^{2 θ} - 1 times `wrong`: what a class adds to its own vote.
    more: Vec<f64>,
    /// D⁻¹, 0 if the weight is not free.
    inverse: Vec<f64>,
    /// D⁻¹ p and σ / (1 - σ pᵀ D⁻¹ p).
    turned: Vec<f64>,
    kappa: f64,
    /// The border turned by the inverse, and one over what it leaves of the corner; 0 if the accuracy is not free.
    border: Vec<f64>,
    corner: f64,
}

/// What scaling needs to know of the problem.
pub(super) struct Problem<'a> {
    pub(super) layout: &'a Layout,
    pub(super) terms: &'a PanelTerms,
    pub(super) partition: &'a Partition,
    pub(super) items: f64,
    pub(super) powers: &'a [f64],
    /// For each weight the precision of its prior, and whether it may move.
    pub(super) precision: &'a [f64],
    pub(super) free: &'a [bool],
}

/// Smallest precision that a free weight is taken to have, so that all inverses exist.
const LEAST: f64 = 1e-6;
/// At least this share of a diagonal entry is left by the rows above.
const LEFT: f64 = 1e-12;
/// At least this share of the corner is left by the border.
const LEAST_CORNER: f64 = 1e-3;

impl Problem<'_> {
    /// One over `curvature` and the precision of weight `d`, 0 if it is not free.
    fn inverse(&self, d: Option<usize>, curvature: f64) -> f64 {
        match d {
            Some(d) if self.free[d] => 1.0 / (curvature + self.precision[d].max(LEAST)),
            _ => 0.0,
        }
    }
}

impl SourceBlock {
    fn new(problem: &Problem<'_>, j: usize, odds: f64) -> Self {
        let (layout, partition) = (problem.layout, problem.partition);
        let (k, power) = (layout.k, problem.powers[j]);
        let places = layout.starts[j] + 1..layout.starts[j + 1];
        let sigma = problem.items * power;
        let vote = partition.vote[places.clone()].to_vec();
        let wrong = partition.wrong[places.clone()].to_vec();
        let right = &partition.right[places.clone()];
        let weight = problem.terms.rate[places].to_vec();
        let class: Vec<usize> = layout.domains[j].classes().iter().map(|&c| usize::from(c) - 1).collect();
        let silent = partition.silent[j * k..(j + 1) * k].to_vec();
        let mean_sign = partition.accuracy(layout, j);
        let mut sign: Vec<f64> = silent.iter().map(|silent| silent - 1.0).collect();
        for (&y, wrong) in class.iter().zip(&wrong) {
            sign[y] += 2.0 * wrong * odds * silent[y];
        }
        let inverse: Vec<f64> =
            weight.iter().zip(&vote).map(|(&d, p)| problem.inverse(d, sigma * p)).collect();
        let turned: Vec<f64> = inverse.iter().zip(&vote).map(|(inverse, p)| inverse * p).collect();
        let left = 1.0 - sigma * dot(&turned, &vote);
        let kappa = sigma / left.max(LEAST);
        let more = wrong.iter().map(|wrong| wrong * (odds - 1.0)).collect();
        let mut block = Self {
            power,
            weight,
            class,
            accuracy: problem.terms.accuracy[j],
            vote,
            wrong,
            silent,
            sign,
            mean_sign,
            more,
            inverse,
            turned,
            kappa,
            border: Vec::new(),
            corner: 0.0,
        };
        let border: Vec<f64> = block
            .vote
            .iter()
            .zip(right)
            .map(|(p, right)| sigma * (2.0 * right - p - p * mean_sign))
            .collect();
        block.border = block.solve_rates(&border);
        if let Some(d) = block.accuracy.filter(|&d| problem.free[d]) {
            let voted = 1.0 - partition.abstain[j];
            let own = sigma * (voted - mean_sign * mean_sign).max(0.0) + problem.precision[d].max(LEAST);
            block.corner = 1.0 / (own - dot(&border, &block.border)).max(LEAST_CORNER * own);
        }
        block
    }

    /// (D - σ p pᵀ)⁻¹ x.
    fn solve_rates(&self, x: &[f64]) -> Vec<f64> {
        let along = self.kappa * dot(&self.turned, x);
        let each = self.inverse.iter().zip(x).zip(&self.turned);
        each.map(|((inverse, x), turned)| inverse * x + along * turned).collect()
    }

    /// B_j⁻¹ of slopes by rates and by the accuracy.
    fn solve(&self, rates: &[f64], accuracy: f64) -> (Vec<f64>, f64) {
        let mut solved = self.solve_rates(rates);
        let by_accuracy = self.corner * (accuracy - dot(&self.border, rates));
        solved.iter_mut().zip(&self.border).for_each(|(x, border)| *x -= by_accuracy * border);
        (solved, by_accuracy)
    }

    /// Adds Vᵀ h of this source, before the roots.
    fn add_by_class(&self, h: &[f64], h_accuracy: f64, by_class: &mut [f64]) {
        let (wrong, vote) = (dot(&self.wrong, h), dot(&self.vote, h));
        for ((sum, silent), sign) in by_class.iter_mut().zip(&self.silent).zip(&self.sign) {
            *sum += self.power * (silent * wrong - vote + (sign - self.mean_sign) * h_accuracy);
        }
        for ((&y, more), h) in self.class.iter().zip(&self.more).zip(h) {
            by_class[y] += self.power * self.silent[y] * more * h;
        }
    }

    /// This source's part of V z, z with the roots.
    fn spread(&self, z: &[f64]) -> (Vec<f64>, f64) {
        let silent = dot(&self.silent, z);
        let total: f64 = z.iter().sum();
        let signs = dot(&self.sign, z) - self.mean_sign * total;
        let rates = self.class.iter().enumerate().map(|(v, &y)| {
            self.power
                * (silent * self.wrong[v] - total * self.vote[v] + self.more[v] * self.silent[y] * z[y])
        });
        (rates.collect(), self.power * signs)
    }

    /// Adds Vᵀ B⁻¹ V of this source, before the roots, to the lower triangle of `gram`.
    ///
    /// E(φ | y) - E(φ) = silent(y) (wrong; 0) - (vote; 0) + (sign(y) - mean) (0; 1) + own(y) e_y, so that each entry is a
    /// product of eight numbers of the one class with eight of the other, plus a diagonal.
    fn add_gram(&self, gram: &mut [f64], k: usize) {
        let zero = vec![0.0; self.vote.len()];
        let solved = [self.solve(&self.wrong, 0.0), self.solve(&self.vote, 0.0), self.solve(&zero, 1.0)];
        let mut products = [[0.0; 3]; 3];
        for (row, (rates, accuracy)) in products.iter_mut().zip(&solved) {
            *row = [dot(&self.wrong, rates), dot(&self.vote, rates), *accuracy];
        }
        let mut own = vec![0.0; k];
        // For each class, its part of the three solved vectors, of D⁻¹ p and of the border.
        let mut at_vote = vec![[0.0; 5]; k];
        for (v, &y) in self.class.iter().enumerate() {
            own[y] = self.more[v] * self.silent[y];
            let [a, b, c] = [0, 1, 2].map(|i: usize| solved[i].0[v]);
            at_vote[y] = [a, b, c, self.turned[v], self.border[v]].map(|x| x * own[y]);
        }
        let square = self.power * self.power;
        let common = |y: usize| [self.silent[y], -1.0, self.sign[y] - self.mean_sign];
        // left(y) · right(z), both of eight numbers, is the entry of y and z.
        let left: Vec<[f64; 8]> = (0..k)
            .map(|y| {
                let c = common(y);
                let turned = [0, 1, 2]
                    .map(|i: usize| products[i][0] * c[0] + products[i][1] * c[1] + products[i][2] * c[2]);
                let at = at_vote[y];
                let both = [0, 1, 2].map(|i: usize| turned[i] + at[i]);
                [both[0], both[1], both[2], c[0], c[1], c[2], self.kappa * at[3], self.corner * at[4]]
                    .map(|x| x * square)
            })
            .collect();
        let right: Vec<[f64; 8]> = (0..k)
            .map(|z| {
                let (c, at) = (common(z), at_vote[z]);
                [c[0], c[1], c[2], at[0], at[1], at[2], at[3], at[4]]
            })
            .collect();
        for (y, left) in left.iter().enumerate() {
            for (cell, right) in gram[y * k..].iter_mut().zip(&right[..=y]) {
                *cell += dot(left, right);
            }
        }
        for (v, &y) in self.class.iter().enumerate() {
            gram[y * k + y] += square * own[y] * own[y] * self.inverse[v];
        }
    }
}

impl ClassBlock {
    fn new(problem: &Problem<'_>) -> Self {
        let weight = problem.terms.class.clone();
        let inverse = weight.iter().map(|&d| problem.inverse(d, 0.0)).collect();
        Self { weight, inverse, share: problem.partition.class.clone() }
    }

    /// Adds Vᵀ B⁻¹ V of the class priors, before the roots: E(φ | y) - E(φ) = e_y - π.
    fn add_gram(&self, gram: &mut [f64], k: usize) {
        let turned: Vec<f64> = self.inverse.iter().zip(&self.share).map(|(inverse, p)| inverse * p).collect();
        let all = dot(&turned, &self.share);
        for y in 0..k {
            for z in 0..=y {
                gram[y * k + z] += all - turned[y] - turned[z];
            }
            gram[y * k + y] += self.inverse[y];
        }
    }
}

impl PanelScaling {
    pub(super) fn new(problem: &Problem<'_>, odds: &[f64]) -> Self {
        let k = problem.layout.k;
        let classes = ClassBlock::new(problem);
        let sources: Vec<SourceBlock> = odds
            .iter()
            .enumerate()
            .filter(|(j, _)| problem.layout.starts[j + 1] > problem.layout.starts[*j] + 1)
            .map(|(j, &odds)| SourceBlock::new(problem, j, odds))
            .collect();
        let root: Vec<f64> = problem.partition.class.iter().map(|p| (problem.items * p).sqrt()).collect();
        let mut factor = vec![0.0; k * k];
        classes.add_gram(&mut factor, k);
        for source in &sources {
            source.add_gram(&mut factor, k);
        }
        for y in 0..k {
            for z in 0..=y {
                factor[y * k + z] *= root[y] * root[z];
            }
            factor[y * k + y] += 1.0;
        }
        factorise(&mut factor, k);
        Self { classes, sources, root, factor }
    }

    /// B⁻¹ x in place, and Vᵀ of it.
    fn solve_blocks(&self, x: &mut [f64]) -> Vec<f64> {
        let mut by_class = vec![0.0; self.root.len()];
        let mut along = 0.0;
        for ((d, inverse), share) in
            self.classes.weight.iter().zip(&self.classes.inverse).zip(&self.classes.share)
        {
            if let Some(d) = *d {
                x[d] *= inverse;
                along += share * x[d];
            }
        }
        for (sum, d) in by_class.iter_mut().zip(&self.classes.weight) {
            *sum += d.map_or(0.0, |d| x[d]) - along;
        }
        for source in &self.sources {
            let rates: Vec<f64> = source.weight.iter().map(|d| d.map_or(0.0, |d| x[d])).collect();
            let (rates, accuracy) = source.solve(&rates, source.accuracy.map_or(0.0, |d| x[d]));
            source.add_by_class(&rates, accuracy, &mut by_class);
            put(x, &source.weight, &rates);
            put(x, &[source.accuracy], &[accuracy]);
        }
        by_class.iter_mut().zip(&self.root).for_each(|(sum, root)| *sum *= root);
        by_class
    }
}

impl Scaling for PanelScaling {
    fn solve(&self, x: &mut [f64]) {
        let k = self.root.len();
        let mut z = self.solve_blocks(x);
        substitute(&self.factor, k, &mut z);
        z.iter_mut().zip(&self.root).for_each(|(z, root)| *z *= root);
        // x -= B⁻¹ V z
        let total: f64 = z.iter().sum();
        for (y, d) in self.classes.weight.iter().enumerate() {
            if let Some(d) = *d {
                x[d] -= self.classes.inverse[y] * (z[y] - total * self.classes.share[y]);
            }
        }
        for source in &self.sources {
            let (rates, accuracy) = source.spread(&z);
            let (rates, accuracy) = source.solve(&rates, accuracy);
            for (d, step) in source.weight.iter().zip(&rates).chain([(&source.accuracy, &accuracy)]) {
                if let Some(d) = *d {
                    x[d] -= step;
                }
            }
        }
    }
}

/// Σ a b, in eight sums side by side.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

fn put(x: &mut [f64], places: &[Option<usize>], values: &[f64]) {
    for (d, value) in places.iter().zip(values) {
        if let Some(d) = *d {
            x[d] = *value;
        }
    }
}

/// The Cholesky factor of a positive definite matrix in place, of the lower triangle.
pub(super) fn factorise(a: &mut [f64], k: usize) {
    for i in 0..k {
        let (above, rest) = a.split_at_mut(i * k);
        let row = &mut rest[..=i];
        for j in 0..i {
            let other = &above[j * k..][..=j];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        // Rounding may leave less than nothing.
        let left = row[i] - dot(&row[..i], &row[..i]);
        row[i] = left.max(LEFT * row[i].abs()).max(f64::MIN_POSITIVE).sqrt();
    }
}

/// Solves L Lᵀ x = b in place.
pub(super) fn substitute(factor: &[f64], k: usize, b: &mut [f64]) {
    for i in 0..k {
        let row = &factor[i * k..][..=i];
        b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
    }
    for i in (0..k).rev() {
        b[i] /= factor[i * k + i];
        let here = b[i];
        for j in 0..i {
            b[j] -= here * factor[i * k + j];
        }
    }
}
