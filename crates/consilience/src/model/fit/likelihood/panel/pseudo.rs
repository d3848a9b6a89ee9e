//! The joint marginal pseudolikelihood of a panel whose sources are linked by dependencies that do not read the class.

use std::sync::Arc;

use super::linked::LinkedScaling;
use super::links::{Links, is_link};
use super::terms::{PanelTerms, PanelWeights};
use crate::model::fit::likelihood::layout::Layout;
use crate::model::fit::likelihood::prior::Free;
use crate::model::fit::likelihood::rows::Rows;
use crate::num::softmax_in_place;
use crate::optim::{EIGHT, Scaling, dispatch, exp_of_eight};

/// The pseudolikelihood of [`crate::model::fit::likelihood::pseudo::PseudoLikelihood`] where links do not read the class.
///
/// # Formula
/// ```text
/// a_v = exp( r_v - θ + Σ_l w_jl φ(v, λ_l) ), a_0 without r - θ,   A = Σ_v a_v,   m = e^{2θ} - 1
/// p(λ_j | others) = 1 / S,   S = Σ_y q(y) h(y) (A + m a_y) / a_λ,   h(y) = 1 / (1 + m) where y = λ_j, else 1
/// p(v | others) = a_v (G + m g(v)),   g(y) = q(y) h(y) / (a_λ S),   G = Σ_y g(y)
/// p(y | others) = g(y) (A + m a_y)
/// ```
/// so that an item costs what its sources have votes to choose from, and each two of its votes that are linked.
pub(crate) struct PanelPseudo<'a> {
    pub(super) layout: &'a Layout,
    pub(super) rows: Rows<'a>,
    pub(super) terms: PanelTerms,
    pub(super) links: Links,
    pub(super) weights: usize,
    precision: Vec<f64>,
    /// The scaling made last, for which free weights, and how often it has served since.
    made: Option<(Arc<LinkedScaling>, Vec<bool>, usize)>,
    /// How often a scaling serves; more often with each that is made, because weights change less and less.
    serves: usize,
}

/// What rows add up to.
#[derive(Clone, Debug)]
struct Sums {
    log_likelihood: f64,
    /// For each place, Σ c (1{the vote is cast} - p(vote | others)).
    vote: Vec<f64>,
    /// Slopes by weights of accuracies and links, what comes from silence left out.
    slopes: Vec<f64>,
    class: Vec<f64>,
}

/// What does not change from row to row.
pub(super) struct Fixed {
    panel: PanelWeights,
    /// e^{2θ} - 1 of each source.
    more: Vec<f64>,
    /// log a of each place where all others abstain.
    silent: Vec<f64>,
    weights: Vec<f64>,
}

/// The current row.
pub(super) struct Item {
    /// p(y | all votes); within the problem of a source, q(y) h(y).
    q: Vec<f64>,
    /// For each source, the position of its vote.
    pub(super) positions: Vec<u32>,
    pub(super) voters: Vec<u32>,
    /// log a and then a of each place, in blocks of eight.
    a: Vec<[f64; EIGHT]>,
    /// c (1{the vote is cast} - p(vote | others)) of each place.
    pub(super) left: Vec<f64>,
    /// The expected sign of each vote, times its probability: p(right) - p(wrong).
    pub(super) sign: Vec<f64>,
    /// Σ_j (q - p(y | others of j)), and of each source at the class of its vote.
    shift: Vec<f64>,
    own_shift: Vec<f64>,
}

impl Item {
    pub(super) fn new(layout: &Layout) -> Self {
        let (k, n, places) = (layout.k, layout.domains.len(), layout.places());
        Self {
            q: vec![0.0; k],
            positions: vec![0; n],
            voters: Vec::new(),
            a: vec![[0.0; EIGHT]; places.div_ceil(EIGHT)],
            left: vec![0.0; places],
            sign: vec![0.0; places],
            shift: vec![0.0; k],
            own_shift: vec![0.0; n],
        }
    }
}

impl<'a> PanelPseudo<'a> {
    /// Of `terms`, if they are a panel and such links.
    pub(in crate::model::fit) fn new(layout: &'a Layout, rows: Rows<'a>, terms: &[Free]) -> Option<Self> {
        let single: Vec<Option<&Free>> =
            terms.iter().map(|term| (!is_link(&term.dependency)).then_some(term)).collect();
        let panel = PanelTerms::of_some(layout, &single)?;
        let precision = terms.iter().map(|term| term.prior.precision).collect();
        let (links, weights) = (Links::new(layout, terms), terms.len());
        Some(Self { layout, rows, terms: panel, links, weights, precision, made: None, serves: 1 })
    }

    /// A rough inverse of the loss's curvature near `weights`, over those that are `free`.
    pub(in crate::model::fit) fn scaling(&mut self, weights: &[f64], free: &[bool]) -> Arc<dyn Scaling> {
        if let Some((made, for_free, served)) = &mut self.made
            && *served < self.serves
            && for_free == free
        {
            *served += 1;
            return Arc::clone(made) as Arc<dyn Scaling>;
        }
        let made = Arc::new(LinkedScaling::new(self, &self.fixed(weights), &self.precision, free));
        self.serves = if self.made.is_some() { 2 * self.serves } else { 1 };
        self.made = Some((Arc::clone(&made), free.to_vec(), 1));
        made
    }

    /// Minus the pseudolikelihood, and its slopes into `slopes`.
    pub(in crate::model::fit) fn loss(&self, weights: &[f64], slopes: &mut [f64]) -> f64 {
        let fixed = self.fixed(weights);
        let pieces = self.rows.in_pieces(self.weights + self.layout.places(), |range| {
            dispatch(
                #[inline(always)]
                || self.piece(range, &fixed),
            )
        });
        let mut total = self.zero();
        for piece in &pieces {
            total.log_likelihood += piece.log_likelihood;
            for (to, from) in [
                (&mut total.vote, &piece.vote),
                (&mut total.slopes, &piece.slopes),
                (&mut total.class, &piece.class),
            ] {
                to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
            }
        }
        slopes.iter_mut().zip(&total.slopes).for_each(|(slope, sum)| *slope = -sum);
        for (place, d) in self.terms.rate.iter().enumerate() {
            if let Some(d) = *d {
                slopes[d] -= total.vote[place];
            }
        }
        for (y, d) in self.terms.class.iter().enumerate() {
            if let Some(d) = *d {
                slopes[d] -= total.class[y];
            }
        }
        for (j, silent) in self.links.silent.iter().enumerate() {
            for &(d, position, phi) in silent {
                slopes[d] -= phi * total.vote[self.layout.starts[j] + position as usize];
            }
        }
        -total.log_likelihood
    }

    fn zero(&self) -> Sums {
        let places = vec![0.0; self.layout.places()];
        let slopes = vec![0.0; self.weights];
        Sums { log_likelihood: 0.0, vote: places, slopes, class: vec![0.0; self.layout.k] }
    }

    fn fixed(&self, weights: &[f64]) -> Fixed {
        let panel = self.terms.weights(weights);
        let mut silent = panel.rate.clone();
        for (j, links) in self.links.silent.iter().enumerate() {
            let start = self.layout.starts[j];
            for place in start + 1..self.layout.starts[j + 1] {
                silent[place] -= panel.accuracy[j];
            }
            for &(d, position, phi) in links {
                silent[start + position as usize] += weights[d] * phi;
            }
        }
        let more = panel.accuracy.iter().map(|theta| (2.0 * theta).exp_m1()).collect();
        Fixed { panel, more, silent, weights: weights.to_vec() }
    }

    #[inline(always)]
    fn piece(&self, range: std::ops::Range<usize>, fixed: &Fixed) -> Sums {
        let mut sums = self.zero();
        let mut item = Item::new(self.layout);
        for row in range {
            let count = self.rows.count(row);
            if count <= 0.0 {
                continue;
            }
            self.read(&mut item, self.rows.pattern(row), fixed);
            sums.log_likelihood += count * self.conditionals(&mut item, fixed, count, &mut sums.slopes);
            self.add(&item, count, &mut sums);
        }
        sums
    }

    /// Reads pattern `p`: its votes, the posterior of its class, and a of every place.
    #[inline(always)]
    pub(super) fn read(&self, item: &mut Item, p: usize, fixed: &Fixed) {
        let layout = self.layout;
        let Item { q, positions, voters, .. } = item;
        for &j in voters.iter() {
            positions[j as usize] = 0;
        }
        voters.clear();
        q.copy_from_slice(&fixed.panel.class);
        self.rows.votes.patterns().row(p).for_each(|(j, vote)| {
            voters.push(j as u32);
            positions[j] = (layout.place(j, vote) - layout.starts[j]) as u32;
            q[usize::from(vote) - 1] += 2.0 * fixed.panel.accuracy[j];
        });
        softmax_in_place(q);
        self.fill(item, fixed);
    }

    /// a of every place, given the votes of the others.
    #[inline(always)]
    fn fill(&self, item: &mut Item, fixed: &Fixed) {
        let layout = self.layout;
        let flat = item.a.as_flattened_mut();
        flat[..layout.places()].copy_from_slice(&fixed.silent);
        for &l in &item.voters {
            let cast = layout.starts[l as usize] + item.positions[l as usize] as usize;
            for change in &self.links.by_place[cast] {
                flat[change.place as usize] += fixed.weights[change.weight as usize] * change.phi;
            }
        }
        for places in layout.starts.windows(2) {
            let of_source = &mut flat[places[0]..places[1]];
            let top = of_source.iter().copied().fold(f64::NEG_INFINITY, |a, b| if a > b { a } else { b });
            for a in of_source {
                *a -= top;
            }
        }
        for eight in &mut item.a {
            *eight = exp_of_eight(eight);
        }
    }

    /// Σ_j log p(λ_j | others), what it leaves of every vote, and the slopes by the accuracies of the problems themselves.
    #[inline(always)]
    pub(super) fn conditionals(&self, item: &mut Item, fixed: &Fixed, count: f64, slopes: &mut [f64]) -> f64 {
        let layout = self.layout;
        let flat = item.a.as_flattened();
        item.shift.fill(0.0);
        let (mut log, mut product) = (0.0, 1.0f64);
        for j in 0..layout.domains.len() {
            let start = layout.starts[j];
            let a = &flat[start..layout.starts[j + 1]];
            let (more, position) = (fixed.more[j], item.positions[j] as usize);
            let classes = layout.domains[j].classes();
            let all: f64 = a.iter().sum();
            let cast = (position > 0).then(|| usize::from(classes[position - 1]) - 1);
            // h of the class voted for, and Σ_y q(y) h(y).
            let kept = 1.0 / (1.0 + more);
            let q_cast = cast.map_or(0.0, |y| item.q[y]);
            let share = 1.0 - q_cast + q_cast * kept;
            if let Some(y) = cast {
                item.q[y] = q_cast * kept;
            }
            let mut sum = all * share;
            for (&c, a) in classes.iter().zip(&a[1..]) {
                sum += more * item.q[usize::from(c) - 1] * a;
            }
            product *= sum / a[position];
            if !(1e-200..1e200).contains(&product) {
                log -= product.ln();
                product = 1.0;
            }
            // g(y) = q(y) h(y) / (a_λ S)
            let scale = 1.0 / sum;
            let total = share * scale;
            let left = &mut item.left[start..layout.starts[j + 1]];
            left[0] = -count * a[0] * total;
            let (mut right, mut voted) = (0.0, 0.0);
            for (v, &c) in classes.iter().enumerate() {
                let y = usize::from(c) - 1;
                let g = item.q[y] * scale;
                let p = a[v + 1] * (total + more * g);
                let right_here = a[v + 1] * (1.0 + more) * g;
                right += right_here;
                voted += p;
                item.sign[start + v + 1] = 2.0 * right_here - p;
                left[v + 1] = -count * p;
                // p(y | others) beyond g(y) A, which all classes have.
                item.shift[y] -= more * a[v + 1] * g;
            }
            left[position] += count;
            for (shift, q) in item.shift.iter_mut().zip(&item.q) {
                *shift += q - q * scale * all;
            }
            if let Some(y) = cast {
                let g = item.q[y] * scale;
                item.own_shift[j] = q_cast - g * (all + more * a[position]);
                item.shift[y] += q_cast - item.q[y];
                item.q[y] = q_cast;
            }
            if let Some(d) = self.terms.accuracy[j] {
                let seen = if cast.is_some() { 2.0 * q_cast - 1.0 } else { 0.0 };
                slopes[d] += count * (seen - (2.0 * right - voted));
            }
        }
        log - product.ln()
    }

    #[inline(always)]
    fn add(&self, item: &Item, count: f64, sums: &mut Sums) {
        let layout = self.layout;
        sums.vote.iter_mut().zip(&item.left).for_each(|(sum, left)| *sum += left);
        sums.class.iter_mut().zip(&item.shift).for_each(|(sum, shift)| *sum += count * shift);
        for &l in &item.voters {
            let (l, position) = (l as usize, item.positions[l as usize] as usize);
            let y = usize::from(layout.domains[l].classes()[position - 1]) - 1;
            if let Some(d) = self.terms.accuracy[l] {
                sums.slopes[d] += 2.0 * count * (item.shift[y] - item.own_shift[l]);
            }
            for change in &self.links.by_place[layout.starts[l] + position] {
                sums.slopes[change.weight as usize] += change.phi * item.left[change.place as usize];
            }
        }
    }
}
