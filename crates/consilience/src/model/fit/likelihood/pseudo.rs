//! The joint marginal pseudolikelihood of the votes and its slopes: Eq. (4) and (5) of the paper for all sources at once.

use super::expected::{Reader, Scores};
use super::layout::{Joint, Layout, Tables};
use super::rows::Rows;
use crate::num::softmax_in_place;
use crate::votes::Patterns;

/// The sum over sources of log p(λ_j | all other votes), the class summed out of each, all with the same weights.
///
/// # Formula
/// ```text
/// p(λ_j | others) = 1 / Σ_y q(y) B_j(y),   q(y) = p(y | all votes),   B_j(y) = 1 / p(λ_j | others, y)
/// B_j(y) = Σ_v exp( E(v, others, y) - E(λ_j, others, y) ),   E = Σ_d θ_d φ_d over the dependencies d that read λ_j
/// slope by the energy of (v, y) with the others' votes:   1{v = λ_j} q(y) - p(v, y | others)
/// ```
/// Where nobody votes whom j is joined with, B_j is one of a table that all items share: such a source costs k products
/// and no exponential.
///
/// # Reference
/// Bach et al. (2017), Eq. (4) and (5), summed over the sources; Besag, Statistical analysis of non-lattice data (1975).
pub(crate) struct PseudoLikelihood<'a> {
    layout: &'a Layout,
    rows: Rows<'a>,
    /// Whether a silent source can support a class, in a dependency of its own.
    silence_speaks: bool,
    /// The joints that read the class.
    class_joints: Vec<usize>,
}

/// What one piece of the rows adds up to.
struct Sums {
    log_likelihood: f64,
    /// Slopes by energies.
    slopes: Tables,
    /// For each place of the vote cast and class, Σ c p(y | others) over items on which nobody votes whom the source is
    /// joined with.
    alone: Vec<f64>,
}

/// The conditional of each source if nobody votes whom it is joined with.
struct Alone {
    /// Σ_v exp(energy(v) - energy(place)) for each place and class.
    inverse: Vec<f64>,
    /// p(v | y) for each place and class.
    share: Vec<f64>,
}

impl<'a> PseudoLikelihood<'a> {
    pub(crate) fn new(layout: &'a Layout, rows: Rows<'a>) -> Self {
        let class_joints = (0..layout.joints.len()).filter(|&s| layout.joints[s].reads_class()).collect();
        Self { layout, rows, silence_speaks: layout.silence_speaks(), class_joints }
    }

    /// Minus the pseudolikelihood, and its slopes into `slopes`.
    pub(crate) fn loss(&self, weights: &[f64], slopes: &mut [f64]) -> f64 {
        let layout = self.layout;
        let energies = layout.energies(weights);
        let scores = Scores::new(layout, &energies);
        let alone = Alone::new(layout, &energies);
        let mut total = Sums {
            log_likelihood: 0.0,
            slopes: Tables::zero(layout),
            alone: vec![0.0; energies.unary.len()],
        };
        for piece in
            self.rows.in_pieces(2 * layout.numbers(), |range| self.piece(range, &energies, &scores, &alone))
        {
            total.log_likelihood += piece.log_likelihood;
            total.slopes.add(&piece.slopes);
            total.alone.iter_mut().zip(&piece.alone).for_each(|(sum, part)| *sum += part);
        }
        alone.give_back(layout, &total.alone, &mut total.slopes);
        slopes.fill(0.0);
        layout.add_slopes(&total.slopes, slopes);
        for slope in slopes.iter_mut() {
            *slope = -*slope;
        }
        -total.log_likelihood
    }

    fn piece(
        &self,
        range: std::ops::Range<usize>,
        energies: &Tables,
        scores: &Scores<'_>,
        alone: &Alone,
    ) -> Sums {
        let layout = self.layout;
        let mut sums = Sums {
            log_likelihood: 0.0,
            slopes: Tables::zero(layout),
            alone: vec![0.0; energies.unary.len()],
        };
        let mut item = Item::new(layout, self.rows.votes.patterns());
        for row in range {
            item.reader.read(self.rows.pattern(row));
            item.count = self.rows.count(row);
            scores.of_row(&item.reader, &mut item.q);
            softmax_in_place(&mut item.q);
            item.mark_near(layout);
            self.add_conditionals(&mut item, energies, alone, &mut sums);
            self.add_shifts(&item, &mut sums.slopes);
        }
        sums
    }

    /// log p(λ_j | others) of every source of an item, and the slopes of its own problem.
    fn add_conditionals(&self, item: &mut Item<'_>, energies: &Tables, alone: &Alone, sums: &mut Sums) {
        let layout = self.layout;
        let k = layout.k;
        item.shift.fill(0.0);
        // Products of many probabilities before one logarithm.
        let mut product = 1.0f64;
        for j in 0..layout.domains.len() {
            let cast = item.reader.positions[j] as usize;
            let place = layout.starts[j] + cast;
            let near = item.near[j];
            if near {
                self.fill_table(j, &item.reader, energies, &mut item.table);
            }
            let others = &mut item.without[j * k..(j + 1) * k];
            let mut sum = 0.0;
            for (y, (others, q)) in others.iter_mut().zip(&item.q).enumerate() {
                let inverse = if near {
                    let at = item.table[cast * k + y];
                    item.table.iter().skip(y).step_by(k).map(|energy| (energy - at).exp()).sum()
                } else {
                    alone.inverse[place * k + y]
                };
                *others = q * inverse;
                sum += *others;
            }
            let scale = 1.0 / sum;
            for ((others, shift), q) in others.iter_mut().zip(&mut item.shift).zip(&item.q) {
                *others *= scale;
                *shift += q - *others;
            }
            product *= sum;
            if !(1e-200..1e200).contains(&product) {
                sums.log_likelihood -= item.count * product.ln();
                product = 1.0;
            }
            if near {
                self.add_own(j, item, &mut sums.slopes);
            } else {
                self.add_alone(j, item, sums);
            }
        }
        sums.log_likelihood -= item.count * product.ln();
    }

    /// Every problem but its own moves the posterior of the class through a source's vote.
    fn add_shifts(&self, item: &Item<'_>, slopes: &mut Tables) {
        let layout = self.layout;
        let (k, count) = (layout.k, item.count);
        slopes.class.iter_mut().zip(&item.shift).for_each(|(cell, shift)| *cell += count * shift);
        let of_others = |scope: &[usize], y: usize| {
            item.shift[y] - scope.iter().map(|&l| item.q[y] - item.without[l * k + y]).sum::<f64>()
        };
        let mut add = |j: usize| {
            let place = layout.starts[j] + item.reader.positions[j] as usize;
            for (y, cell) in slopes.unary[place * k..(place + 1) * k].iter_mut().enumerate() {
                *cell += count * of_others(&[j], y);
            }
        };
        if self.silence_speaks {
            (0..layout.domains.len()).for_each(&mut add);
        } else {
            item.reader.voters.iter().for_each(|&j| add(j as usize));
        }
        for joint in self.class_joints.iter().map(|&s| &layout.joints[s]) {
            let cell = joint.cell(|l| item.reader.positions[l] as usize);
            for y in 0..k {
                slopes.joint[cell + y * joint.class_stride] += count * of_others(&joint.scope, y);
            }
        }
    }

    /// The energy of each value of source `j` and each class, given the votes of all others: only what reads λ_j.
    fn fill_table(&self, j: usize, reader: &Reader<'_>, energies: &Tables, table: &mut Vec<f64>) {
        let (k, layout) = (self.layout.k, self.layout);
        table.clear();
        table.extend_from_slice(&energies.unary[layout.starts[j] * k..layout.starts[j + 1] * k]);
        for &s in &layout.joints_of[j] {
            let joint = &layout.joints[s as usize];
            let (cell, stride) = base_of(joint, j, reader);
            for (v, values) in table.chunks_exact_mut(k).enumerate() {
                for (y, value) in values.iter_mut().enumerate() {
                    *value += energies.joint[cell + v * stride + y * joint.class_stride];
                }
            }
        }
    }

    /// Slopes of source j's own problem, where somebody votes whom it is joined with.
    fn add_own(&self, j: usize, item: &mut Item<'_>, slopes: &mut Tables) {
        let (k, layout) = (self.layout.k, self.layout);
        let cast = item.reader.positions[j] as usize;
        // p(v | others, y) in place of the energies.
        for y in 0..k {
            let column = || (y..item.table.len()).step_by(k);
            let top = column().map(|at| item.table[at]).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = column().map(|at| (item.table[at] - top).exp()).sum();
            for at in column() {
                let p = item.without[j * k + y] * (item.table[at] - top).exp() / sum;
                let seen = if at == cast * k + y { item.q[y] } else { 0.0 };
                item.table[at] = item.count * (seen - p);
            }
        }
        let own = &mut slopes.unary[layout.starts[j] * k..layout.starts[j + 1] * k];
        own.iter_mut().zip(&item.table).for_each(|(cell, slope)| *cell += slope);
        for &s in &layout.joints_of[j] {
            let joint = &layout.joints[s as usize];
            let (cell, stride) = base_of(joint, j, &item.reader);
            for (v, by_class) in item.table.chunks_exact(k).enumerate() {
                for (y, slope) in by_class.iter().enumerate() {
                    slopes.joint[cell + v * stride + y * joint.class_stride] += slope;
                }
            }
        }
    }

    /// The same if nobody does: q of the vote cast now, and what is expected of all votes once for all items.
    fn add_alone(&self, j: usize, item: &Item<'_>, sums: &mut Sums) {
        let (k, count) = (self.layout.k, item.count);
        let cast = item.reader.positions[j] as usize;
        let cells = (self.layout.starts[j] + cast) * k..(self.layout.starts[j] + cast + 1) * k;
        let others = &item.without[j * k..(j + 1) * k];
        sums.alone[cells.clone()].iter_mut().zip(others).for_each(|(cell, p)| *cell += count * p);
        sums.slopes.unary[cells].iter_mut().zip(&item.q).for_each(|(cell, q)| *cell += count * q);
        for &s in &self.layout.joints_of[j] {
            let joint = &self.layout.joints[s as usize];
            let cell = joint.start + cast * joint.stride_of(j);
            for (y, q) in item.q.iter().enumerate() {
                sums.slopes.joint[cell + y * joint.class_stride] += count * q;
            }
        }
    }
}

/// What is known about the current item.
struct Item<'a> {
    reader: Reader<'a>,
    count: f64,
    /// p(y | all votes).
    q: Vec<f64>,
    /// p(y | the votes of all but j) for each source j and class.
    without: Vec<f64>,
    /// Σ_j (q - without_j).
    shift: Vec<f64>,
    /// For each source, whether somebody votes whom it is joined with.
    near: Vec<bool>,
    /// Those for which this holds.
    marked: Vec<usize>,
    /// Energies of one source's values.
    table: Vec<f64>,
}

impl<'a> Item<'a> {
    fn new(layout: &'a Layout, patterns: &'a Patterns) -> Self {
        let (k, n) = (layout.k, layout.domains.len());
        Self {
            reader: Reader::new(layout, patterns, true),
            count: 0.0,
            q: vec![0.0; k],
            without: vec![0.0; n * k],
            shift: vec![0.0; k],
            near: vec![false; n],
            marked: Vec::new(),
            table: Vec::new(),
        }
    }

    fn mark_near(&mut self, layout: &Layout) {
        for &j in &self.marked {
            self.near[j] = false;
        }
        self.marked.clear();
        for &l in &self.reader.voters {
            for &s in &layout.joints_of[l as usize] {
                for &j in &layout.joints[s as usize].scope {
                    if j != l as usize && !self.near[j] {
                        self.near[j] = true;
                        self.marked.push(j);
                    }
                }
            }
        }
    }
}

impl Alone {
    fn new(layout: &Layout, energies: &Tables) -> Self {
        let k = layout.k;
        let mut energy = energies.unary.clone();
        for (j, joints) in layout.joints_of.iter().enumerate() {
            for &s in joints {
                let joint = &layout.joints[s as usize];
                let stride = joint.stride_of(j);
                for (v, place) in (layout.starts[j]..layout.starts[j + 1]).enumerate() {
                    for y in 0..k {
                        energy[place * k + y] +=
                            energies.joint[joint.start + v * stride + y * joint.class_stride];
                    }
                }
            }
        }
        let (mut inverse, mut share) = (vec![0.0; energy.len()], vec![0.0; energy.len()]);
        for places in layout.starts.windows(2) {
            for y in 0..k {
                for at in places[0]..places[1] {
                    let of = |place: usize| (energy[place * k + y] - energy[at * k + y]).exp();
                    inverse[at * k + y] = (places[0]..places[1]).map(of).sum();
                    share[at * k + y] = 1.0 / inverse[at * k + y];
                }
            }
        }
        Self { inverse, share }
    }

    /// Takes Σ c p(y | others) p(v | y) off the slopes of each value v of each source, its joints' silent cells included.
    fn give_back(&self, layout: &Layout, seen: &[f64], slopes: &mut Tables) {
        let k = layout.k;
        for j in 0..layout.domains.len() {
            let places = layout.starts[j]..layout.starts[j + 1];
            for y in 0..k {
                let total: f64 = places.clone().map(|place| seen[place * k + y]).sum();
                for (v, place) in places.clone().enumerate() {
                    let expected = total * self.share[place * k + y];
                    slopes.unary[place * k + y] -= expected;
                    for &s in &layout.joints_of[j] {
                        let joint = &layout.joints[s as usize];
                        let cell = joint.start + v * joint.stride_of(j) + y * joint.class_stride;
                        slopes.joint[cell] -= expected;
                    }
                }
            }
        }
    }
}

/// The cell of a joint where source `j` abstains and all others vote as they do, and the distance between j's values.
fn base_of(joint: &Joint, j: usize, reader: &Reader<'_>) -> (usize, usize) {
    (joint.cell(|l| if l == j { 0 } else { reader.positions[l] as usize }), joint.stride_of(j))
}
