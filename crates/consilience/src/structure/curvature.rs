//! How much the votes say about the weights: the constant c of condition (7) of the paper, estimated from votes.

use super::{Conditional, LinkType, SgdError, SgdOptions, learn_sgd};
use crate::dependency::{DependencyType, Factors, phi_of_row};
use crate::parallel;
use crate::sources::{ABSTAIN, Domain};
use crate::votes::Votes;

/// The curvature of the marginal pseudolikelihood of each source.
///
/// # Formula
/// ```text
/// H_j = 1/m · Σ_i [ Cov(Φ_j | λ_i without j) - Cov(Φ_j | λ_i) ],   c = min over j of the smallest eigenvalue of H_j
/// ```
/// Φ_j are the dependencies that involve source j or the class. H_j is the Hessian of the mean of -log p(λ_j | others).
///
/// # Difference from the paper
/// Condition (7) is printed with sums over the items. The proof of Theorem 1 (Lemmas 2 to 5) takes the gradient as an
/// *average* of m terms and compares it with c, so c belongs to the mean; with c of the sum, the bound would fall with the
/// square of the number of rows. We use the c of the mean. The paper also requires the condition at every feasible weight;
/// we measure it at one, which gives an optimistic estimate. If c is 0 or below, the condition does not hold and the theory
/// guarantees nothing for any number of rows; on the paper's own simulated data, c was 0 or just below
/// (`bench/archive.md`). A source that never votes has c = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Curvature {
    /// For each source, the smallest eigenvalue of H_j.
    pub by_source: Vec<f64>,
    /// The number of items it was computed from.
    pub items: usize,
}

/// Why a curvature cannot be estimated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurvatureError {
    /// Too few or too many sources.
    #[error("the constant c can be estimated for 2 to {MOST_SOURCES} sources, but there are {0}")]
    Sources(usize),
    /// The weights cannot be estimated.
    #[error(transparent)]
    Weights(#[from] SgdError),
}

/// Items × sources × dependencies² that are spent on [`Curvature::of_votes`]: a few seconds.
const WORK: f64 = 4e9;

/// More sources than this have matrices too large for that.
const MOST_SOURCES: usize = 200;

/// No more items than this are read; c changes little beyond.
const MOST_ITEMS: f64 = 5_000.0;

impl Curvature {
    /// The curvature of `votes` at the weights that Algorithm 1 finds, with links of these types as candidates.
    ///
    /// ```
    /// use consilience::structure::{Curvature, LinkType};
    /// # use consilience::model::{CellLimit, Planted, simulate};
    /// # let votes = simulate(&Planted::new(6)?.model()?, 500, 1, CellLimit::default(), |_| {})?.votes;
    ///
    /// let curvature = Curvature::of_votes(&votes, &[LinkType::Correlation])?;
    /// assert_eq!(curvature.by_source.len(), 6);
    /// assert_eq!(curvature.items, 500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_votes(votes: &Votes, types: &[LinkType]) -> Result<Self, CurvatureError> {
        let n = votes.sources().len();
        if !(2..=MOST_SOURCES).contains(&n) {
            return Err(CurvatureError::Sources(n));
        }
        let fit = learn_sgd(votes, &SgdOptions { types: types.to_vec(), ..SgdOptions::default() })?;
        let families = 1 + types.iter().map(|kind| 1 + usize::from(kind.directed())).sum::<usize>();
        let dependencies = (families * n) as f64;
        let items = (WORK / (n as f64 * dependencies.powi(2))).clamp(20.0, MOST_ITEMS);
        Ok(Self::estimate(votes, items as usize, |j| fit.factors_of(j)))
    }

    /// The curvature of `votes` at the weights `factors(j)` of the problem of each source j.
    ///
    /// `factors` returns all candidate dependencies, including those with weight 0, as [`super::SgdFit::factors_of`] does.
    /// At most `most_items` items are used, spread evenly over the table; the work is items × sources × d².
    pub fn estimate(votes: &Votes, most_items: usize, factors: impl Fn(usize) -> Factors + Sync) -> Self {
        let items = votes.items();
        let taken = most_items.clamp(1, items.max(1)).min(items);
        // Item i · items / taken, without repeats as taken <= items.
        let chosen: Vec<usize> = (0..taken).map(|i| i * items / taken).collect();
        let of_source = |j: usize| {
            let factors = factors(j);
            smallest_eigenvalue(hessian(votes, &chosen, &factors, j))
        };
        let by_source = parallel::map(0..votes.sources().len(), of_source);
        Self { by_source, items: taken }
    }

    /// c: the smallest over all sources; `None` if there is no source.
    pub fn smallest(&self) -> Option<f64> {
        self.by_source.iter().copied().reduce(f64::min)
    }
}

/// A symmetric matrix; only the lower triangle is kept up to date.
#[derive(Clone, Debug)]
struct Symmetric {
    size: usize,
    values: Vec<f64>,
}

/// H_j over the given items.
///
/// # Formula
/// Cov(Φ | others) - Cov(Φ | all) = Fᵀ K F, where F has φ of every dependency (columns) at every cell (v, y) (rows), and
/// ```text
/// K = diag(p) - p pᵀ - diag(q) + q qᵀ,   p = p(v, y | others),   q = 1{v = λ_j} p(y | λ)
/// ```
fn hessian(votes: &Votes, items: &[usize], factors: &Factors, j: usize) -> Symmetric {
    let (n, k) = (votes.sources().len(), votes.classes().len());
    let domain: &Domain = &votes.domains()[j];
    let reads_j = |d: &u32| factors.list()[*d as usize].dependency.sources().contains(&j);
    let own = factors.of_source(j).iter();
    let involved: Vec<u32> = own.chain(factors.of_class().iter().filter(|d| !reads_j(d))).copied().collect();
    let size = involved.len();
    let mut sum = Symmetric { size, values: vec![0.0; size * size] };
    let mut row = vec![ABSTAIN; n];
    let cells = domain.len() * k;
    let mut phi = vec![0.0; cells * size];
    let mut means = [vec![0.0; size], vec![0.0; size]];
    for &item in items {
        votes.patterns().read_into(votes.item_pattern()[item] as usize, &mut row);
        let conditional = Conditional::new(factors, &row, j, domain, k);
        let p: Vec<f64> = conditional.log_probabilities().iter().map(|log_p| log_p.exp()).collect();
        let observed = domain.position(row[j]).unwrap_or(0);
        let of_vote: f64 = p[observed * k..(observed + 1) * k].iter().sum();
        let q = |cell: usize| if cell / k == observed && of_vote > 0.0 { p[cell] / of_vote } else { 0.0 };
        let vote = row[j];
        for (cell, phi) in phi.chunks_exact_mut(size.max(1)).enumerate() {
            row[j] = domain.values()[cell / k];
            for (phi, &d) in phi.iter_mut().zip(&involved) {
                let y = (cell % k) as u16 + 1;
                *phi = phi_of_row(&factors.list()[d as usize].dependency, &row, y);
            }
        }
        row[j] = vote;
        for mean in &mut means {
            mean.fill(0.0);
        }
        for (cell, phi) in phi.chunks_exact(size.max(1)).enumerate() {
            add_scaled(&mut means[0], phi, p[cell]);
            add_scaled(&mut means[1], phi, q(cell));
            sum.add_outer(phi, p[cell] - q(cell));
        }
        sum.add_outer(&means[0], -1.0);
        sum.add_outer(&means[1], 1.0);
    }
    let share = 1.0 / items.len().max(1) as f64;
    sum.values.iter_mut().for_each(|value| *value *= share);
    sum
}

fn add_scaled(to: &mut [f64], from: &[f64], by: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += by * from;
    }
}

impl Symmetric {
    fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.size..(i + 1) * self.size]
    }

    /// Adds `by · x xᵀ`.
    fn add_outer(&mut self, x: &[f64], by: f64) {
        for (i, &x_i) in x.iter().enumerate() {
            let scale = by * x_i;
            if scale.abs() > 0.0 {
                add_scaled(&mut self.values[i * self.size..=i * self.size + i], &x[..=i], scale);
            }
        }
    }
}

/// The smallest eigenvalue; infinite for a matrix of size 0.
///
/// Householder reflections bring the matrix to tridiagonal form (Golub and Van Loan, section 8.3.1); the number of
/// eigenvalues of such a matrix below a given number is the number of negative pivots (Sturm), which bisection uses.
fn smallest_eigenvalue(matrix: Symmetric) -> f64 {
    let (diagonal, beside) = tridiagonal(matrix);
    let reach = |i: usize| {
        let left = if i == 0 { 0.0 } else { beside[i - 1].abs() };
        left + beside.get(i).map_or(0.0, |b| b.abs())
    };
    // Gershgorin: all eigenvalues lie within these discs.
    let low = diagonal.iter().enumerate().map(|(i, d)| d - reach(i)).fold(f64::INFINITY, f64::min);
    let high = diagonal.iter().copied().fold(f64::INFINITY, f64::min);
    if !low.is_finite() {
        return low;
    }
    let any_below = |x: f64| {
        let mut pivot = 1.0_f64;
        diagonal.iter().enumerate().any(|(i, d)| {
            let b = if i == 0 { 0.0 } else { beside[i - 1] };
            // A pivot of 0 is moved a little, which moves the eigenvalue by no more than rounding does.
            let safe = if pivot.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { pivot };
            pivot = d - x - b * b / safe;
            pivot < 0.0
        })
    };
    // The smallest eigenvalue is at most the smallest diagonal entry.
    let (mut low, mut high) = (low, high);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if any_below(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The diagonal, and the off-diagonal, of a tridiagonal matrix with the same eigenvalues.
fn tridiagonal(mut a: Symmetric) -> (Vec<f64>, Vec<f64>) {
    let n = a.size;
    for i in 0..n {
        for j in 0..i {
            a.values[j * n + i] = a.values[i * n + j];
        }
    }
    let mut beside = Vec::with_capacity(n.saturating_sub(1));
    for step in 0..n.saturating_sub(1) {
        // Column `step` below the diagonal is turned onto its first place by I - 2 v vᵀ / vᵀv.
        let mut v: Vec<f64> = a.row(step)[step + 1..].to_vec();
        let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let alpha = if v[0] > 0.0 { -norm } else { norm };
        beside.push(alpha);
        v[0] -= alpha;
        let square: f64 = v.iter().map(|x| x * x).sum();
        if square < f64::MIN_POSITIVE {
            continue;
        }
        let below = step + 1..n;
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let mut w: Vec<f64> = below.clone().map(|i| 2.0 / square * dot(&a.row(i)[step + 1..], &v)).collect();
        let shift = dot(&w, &v) / square;
        add_scaled(&mut w, &v, -shift);
        for (i, (&v_i, &w_i)) in below.zip(v.iter().zip(&w)) {
            let row = &mut a.values[i * n + step + 1..(i + 1) * n];
            add_scaled(row, &w, -v_i);
            add_scaled(row, &v, -w_i);
        }
    }
    ((0..n).map(|i| a.row(i)[i]).collect(), beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symmetric(rows: &[&[f64]]) -> Symmetric {
        Symmetric { size: rows.len(), values: rows.concat() }
    }

    #[test]
    fn eigenvalues_by_hand() {
        let smallest = |rows: &[&[f64]]| smallest_eigenvalue(symmetric(rows));
        assert!((smallest(&[&[3.0]]) - 3.0).abs() < 1e-12);
        assert!((smallest(&[&[2.0, 1.0], &[1.0, 2.0]]) - 1.0).abs() < 1e-12);
        let second_differences: &[&[f64]] = &[
            &[2.0, -1.0, 0.0, 0.0],
            &[-1.0, 2.0, -1.0, 0.0],
            &[0.0, -1.0, 2.0, -1.0],
            &[0.0, 0.0, -1.0, 2.0],
        ];
        let expected = 2.0 - 2.0 * (std::f64::consts::PI / 5.0).cos();
        assert!((smallest(second_differences) - expected).abs() < 1e-12);
        // One number everywhere: the eigenvalues are n times it and 0.
        assert!(smallest(&[&[1.0; 3], &[1.0; 3], &[1.0; 3]]).abs() < 1e-12);
        assert!((smallest(&[&[-1.0; 3], &[-1.0; 3], &[-1.0; 3]]) + 3.0).abs() < 1e-12);
        assert!(smallest(&[]).is_infinite());
    }

    #[test]
    fn known_eigenvalues_come_back_from_a_turned_matrix() {
        // Reflections of diag(1, 2, ..., 12) / 7 - 1/2.
        let n = 12;
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            a[i * n + i] = (i + 1) as f64 / 7.0 - 0.5;
        }
        for turn in 0..5 {
            let v: Vec<f64> = (0..n).map(|i| ((i * (turn + 2)) as f64).sin() + 0.1).collect();
            let square: f64 = v.iter().map(|x| x * x).sum();
            let mirror = |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 * v[i] * v[j] / square;
            let product = |a: &[f64], i: usize, j: usize| -> f64 {
                (0..n)
                    .flat_map(|s| (0..n).map(move |t| (s, t)))
                    .map(|(s, t)| mirror(i, s) * a[s * n + t] * mirror(t, j))
                    .sum()
            };
            a = (0..n * n).map(|cell| product(&a, cell / n, cell % n)).collect();
        }
        let smallest = smallest_eigenvalue(Symmetric { size: n, values: a });
        assert!((smallest - (1.0 / 7.0 - 0.5)).abs() < 1e-12);
    }
}
