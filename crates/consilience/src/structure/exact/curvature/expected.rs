//! What the model expects of the scores' outer product, a row at a time, if no link reads the class.
//!
//! Given the other votes, every score is a function of the own vote v less its mean: of a link, whether v is a certain vote; of a
//! vote rate too; of a class term, how probable the class is given v; of the accuracy, how often v is right less how often it is
//! wrong. Their covariances have closed forms, so that the sum over v is never made.
//!
//! # Formula
//! ```text
//! P(y = c | v) = q_c (α_v + γ_v 1{c = v}),   α_v = e^-a / m_v,   γ_v = (e^a - e^-a) / m_v,   α_0 = 1,   γ_0 = 0
//! Cov(1{v = x}, 1{v = z}) = 1{x = z} p_x - p_x p_z
//! Cov(1{v = x}, P(c | v)) = p_x (q_c (α_x + γ_x 1{c = x}) - P(c))
//! Cov(P(c | v), P(d | v)) = q_c q_d (Σ_v p_v α_v² + p_c α_c γ_c + p_d α_d γ_d) - P(c) P(d)   for c ≠ d
//! ```
//! with q the prior of the class, m_v = e^-a + (e^a - e^-a) q_v, and p_v the probability of vote v.

use super::sparse::Sums;
use crate::optim::{
    Lane, add, add_product, add_times, exp, larger, map, map2, map3, row_start, step_by_step,
};
use crate::structure::exact::kernels::kernel::{Kernel, ROWS_AHEAD, ZERO, unnormalised_prior};
use crate::structure::exact::table::feature::Feature;

/// A function of the own vote that a link has: whether it is a certain slot (0 an abstain), or nothing at all.
type Place = Option<usize>;

/// Room for what a row says.
pub(crate) struct Expected {
    energies: Vec<Lane>,
    observed: Vec<Lane>,
    /// q.
    prior: Vec<Lane>,
    /// For each slot, the abstain first: p, α, γ, and how often it is right less wrong.
    p: Vec<Lane>,
    alpha: Vec<Lane>,
    gamma: Vec<Lane>,
    right: Vec<Lane>,
    /// P(c).
    class: Vec<Lane>,
    /// For each class, p α γ of its own slot.
    own: Vec<Lane>,
    /// For the abstain and each slot, its covariance with each further parameter.
    with_further: Vec<Lane>,
}

#[inline(always)]
fn minus(a: Lane, b: Lane) -> Lane {
    map2(a, b, |a, b| a - b)
}

#[inline(always)]
fn times(a: Lane, b: Lane) -> Lane {
    map2(a, b, |a, b| a * b)
}

impl Expected {
    pub(crate) fn new(kernel: &Kernel<'_>) -> Self {
        let (slots, k) = (kernel.batch.classes.len(), kernel.rows.classes);
        let further = slots + k + 1;
        let lanes = |count: usize| vec![ZERO; count];
        Self {
            energies: lanes(ROWS_AHEAD * (k + 1)),
            observed: lanes(kernel.rows.block_rows()),
            prior: lanes(k),
            p: lanes(slots + 1),
            alpha: lanes(slots + 1),
            gamma: lanes(slots + 1),
            right: lanes(slots + 1),
            class: lanes(k),
            own: lanes(k),
            with_further: lanes((slots + 1) * further),
        }
    }

    /// Adds the rows of `block` to the sums.
    #[inline(always)]
    pub(crate) fn add_block(&mut self, kernel: &Kernel<'_>, block: usize, sums: &mut Sums) {
        let k = kernel.rows.classes;
        let rows = kernel.rows.block(block);
        kernel.observe(block, &mut self.observed);
        for first in rows.clone().step_by(ROWS_AHEAD) {
            let few = first..(first + ROWS_AHEAD).min(rows.end);
            kernel.energies_of(few.clone(), None, &mut self.energies);
            for (ahead, u) in few.enumerate() {
                let energies = ahead * (k + 1)..(ahead + 1) * (k + 1);
                self.take_row(kernel, u, self.observed[u - rows.start], energies);
                self.add_row(kernel, u, sums);
            }
        }
    }

    /// Fills in the probabilities of the own vote and of the class given it.
    #[inline(always)]
    fn take_row(&mut self, kernel: &Kernel<'_>, u: usize, observed: Lane, energies: std::ops::Range<usize>) {
        let slots = kernel.batch.classes.len();
        let terms = (&kernel.tilt[..], &kernel.tilt_without[..], &kernel.written[..]);
        let all = unnormalised_prior(kernel.context.row(u), observed, terms, &mut self.prior);
        for q in &mut self.prior {
            step_by_step();
            *q = map2(*q, all, |q, all| q / all);
        }
        let energies = &self.energies[energies];
        let mut top = energies[0];
        for slot in 0..slots {
            let matched = energies[usize::from(kernel.batch.classes[slot])];
            let energy =
                map3(kernel.parameters.rates[slot], matched, kernel.forbidden[slot], |r, m, f| r + m + f);
            self.p[slot + 1] = energy;
            top = map2(top, energy, larger);
        }
        self.p[0] = exp(minus(energies[0], top));
        (self.alpha[0], self.gamma[0], self.right[0]) = (map(top, |_| 1.0), ZERO, ZERO);
        let mut total = self.p[0];
        for slot in 0..slots {
            let q = self.prior[usize::from(kernel.batch.classes[slot]) - 1];
            let mixed = map3(kernel.down, kernel.gap, q, |down, gap, q| down + gap * q);
            let weight = times(exp(minus(self.p[slot + 1], top)), kernel.inside[slot]);
            self.p[slot + 1] = times(weight, mixed);
            add(&mut total, &self.p[slot + 1]);
            self.alpha[slot + 1] = map2(kernel.down, mixed, |down, mixed| down / mixed);
            self.gamma[slot + 1] = map2(kernel.gap, mixed, |gap, mixed| gap / mixed);
            self.right[slot + 1] = map3(kernel.up, mixed, q, |up, mixed, q| 2.0 * q * up / mixed - 1.0);
        }
        for p in &mut self.p {
            step_by_step();
            *p = map2(*p, total, |p, total| p / total);
        }
    }

    #[inline(always)]
    fn add_row(&mut self, kernel: &Kernel<'_>, u: usize, sums: &mut Sums) {
        let (slots, k) = (kernel.batch.classes.len(), kernel.rows.classes);
        let further = slots + k + 1;
        let count = kernel.rows.counts[u];
        // Σ_v p_v α_v, Σ_v p_v α_v², and of the accuracy Σ_v p_v right_v, Σ_v p_v α_v right_v, Σ_v p_v right_v².
        let (mut first, mut second) = (ZERO, ZERO);
        let (mut right, mut right_first, mut right_square) = (ZERO, ZERO, ZERO);
        for v in 0..=slots {
            let weighted = times(self.p[v], self.alpha[v]);
            add(&mut first, &weighted);
            add_product(&mut second, &weighted, &self.alpha[v]);
            let of_right = times(self.p[v], self.right[v]);
            add(&mut right, &of_right);
            add_product(&mut right_first, &of_right, &self.alpha[v]);
            add_product(&mut right_square, &of_right, &self.right[v]);
        }
        self.own.fill(ZERO);
        for c in 0..k {
            let mut share = first;
            if let Some(slot) = kernel.slot[c] {
                let own = times(self.p[slot + 1], self.gamma[slot + 1]);
                add(&mut share, &own);
                self.own[c] = times(own, self.alpha[slot + 1]);
            }
            self.class[c] = times(self.prior[c], share);
        }
        // What each vote shares with the further parameters: vote rates, class terms, accuracy.
        for x in 0..=slots {
            let to = &mut self.with_further[x * further..(x + 1) * further];
            let p = self.p[x];
            for s in 0..slots {
                step_by_step();
                to[s] = map2(p, self.p[s + 1], |p, other| -p * other);
            }
            if x > 0 {
                add(&mut to[x - 1], &p);
            }
            for c in 0..k {
                step_by_step();
                let given = times(self.prior[c], self.alpha[x]);
                to[slots + c] = map3(p, given, self.class[c], |p, given, mean| p * (given - mean));
            }
            if x > 0 {
                let c = usize::from(kernel.batch.classes[x - 1]) - 1;
                let more = map3(p, self.prior[c], self.gamma[x], |p, q, gamma| p * q * gamma);
                add(&mut to[slots + c], &more);
            }
            to[slots + k] = map3(p, self.right[x], right, |p, own, mean| p * (own - mean));
        }
        for s in 0..slots {
            let from = &self.with_further[(s + 1) * further..][..=s];
            for (to, from) in sums.further[s * further..].iter_mut().zip(from) {
                step_by_step();
                add_times(to, from, count);
            }
        }
        for c in 0..k {
            let row = &mut sums.further[(slots + c) * further..(slots + c + 1) * further];
            for s in 0..slots {
                step_by_step();
                add_times(&mut row[s], &self.with_further[(s + 1) * further + slots + c], count);
            }
            let (q, mean) = (self.prior[c], self.class[c]);
            let shared = map2(second, self.own[c], |second, own| second + own);
            for d in 0..c {
                step_by_step();
                let both = map3(shared, self.own[d], self.prior[d], |shared, own, q| (shared + own) * q);
                let value = map3(both, q, times(mean, self.class[d]), |both, q, means| both * q - means);
                add_times(&mut row[slots + d], &value, count);
            }
            let mut square = second;
            if let Some(slot) = kernel.slot[c] {
                let (p, gamma, alpha) = (self.p[slot + 1], self.gamma[slot + 1], self.alpha[slot + 1]);
                let more = map3(p, gamma, alpha, |p, gamma, alpha| p * gamma * (2.0 * alpha + gamma));
                add(&mut square, &more);
            }
            let value = map3(square, q, mean, |square, q, mean| square * q * q - mean * mean);
            add_times(&mut row[slots + c], &value, count);
        }
        let row = &mut sums.further[(slots + k) * further..(slots + k + 1) * further];
        for s in 0..slots {
            add_times(&mut row[s], &self.with_further[(s + 1) * further + slots + k], count);
        }
        for c in 0..k {
            let mut sum = right_first;
            if let Some(slot) = kernel.slot[c] {
                let own = times(self.p[slot + 1], self.gamma[slot + 1]);
                add_product(&mut sum, &own, &self.right[slot + 1]);
            }
            let value =
                map3(sum, self.prior[c], times(self.class[c], right), |sum, q, means| sum * q - means);
            add_times(&mut row[slots + c], &value, count);
        }
        let value = map2(right_square, right, |square, mean| square - mean * mean);
        add_times(&mut row[slots + k], &value, count);
        self.add_links(kernel, u, sums);
    }

    /// Cov(1{v = x}, 1{v = z}).
    #[inline(always)]
    fn of_places(&self, x: Place, z: Place) -> Lane {
        let (Some(x), Some(z)) = (x, z) else { return ZERO };
        let product = map2(self.p[x], self.p[z], |x, z| -x * z);
        if x == z { map2(product, self.p[x], |a, b| a + b) } else { product }
    }

    /// Adds what the links have to do with each other and with the further parameters.
    #[inline(always)]
    fn add_links(&self, kernel: &Kernel<'_>, u: usize, sums: &mut Sums) {
        let (rows, layout) = (kernel.rows, kernel.layout());
        let (n, k, links) = (layout.sources, layout.classes, layout.links());
        let further = layout.len() - links;
        let count = rows.counts[u];
        for (t, feature) in kernel.features.iter().enumerate() {
            let base = silent_place(*feature);
            for (s, other) in kernel.features.iter().enumerate().take(t + 1) {
                let value = self.of_places(base, silent_place(*other));
                add_times(&mut sums.abstained[t * layout.features + s], &value, count);
            }
            if let Some(base) = base {
                for x in 0..further {
                    let value = self.with_further[base * further + x];
                    add_times(&mut sums.further_abstained[x * layout.features + t], &value, count);
                }
            }
            for class in (0..k).filter(|&class| !rows.of_class(u, class).is_empty()) {
                let place = voted_place(kernel, *feature, class);
                for (s, other) in kernel.features.iter().enumerate() {
                    let silent = silent_place(*other);
                    let value = minus(self.of_places(silent, place), self.of_places(silent, base));
                    for &l in rows.of_class(u, class) {
                        let to = &mut sums.abstained_voted[s * links + t * n + usize::from(l)];
                        add_times(to, &value, count);
                    }
                }
                for x in 0..further {
                    let of =
                        |place: Place| place.map_or(ZERO, |place| self.with_further[place * further + x]);
                    let value = minus(of(place), of(base));
                    for &l in rows.of_class(u, class) {
                        add_times(&mut sums.further_voted[x * links + t * n + usize::from(l)], &value, count);
                    }
                }
                for (s, other) in kernel.features.iter().enumerate().take(t + 1) {
                    let silent = silent_place(*other);
                    for second in (0..k).filter(|&class| !rows.of_class(u, class).is_empty()) {
                        let voted = voted_place(kernel, *other, second);
                        let (a, b) = (self.of_places(place, voted), self.of_places(place, silent));
                        let (c, d) = (self.of_places(base, voted), self.of_places(base, silent));
                        let value = minus(minus(a, b), minus(c, d));
                        let value = map(value, |value| value * count);
                        for &l in rows.of_class(u, class) {
                            let f = t * n + usize::from(l);
                            for &m in rows.of_class(u, second) {
                                let g = s * n + usize::from(m);
                                if g <= f {
                                    add(&mut sums.voted[row_start(f) + g], &value);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Which own vote a link asks for if its other source abstains.
#[inline(always)]
fn silent_place(feature: Feature) -> Place {
    (feature == Feature::Correlation).then_some(0)
}

/// Which own vote a link asks for if its other source votes for `class`, counted from 0.
#[inline(always)]
fn voted_place(kernel: &Kernel<'_>, feature: Feature, class: usize) -> Place {
    if feature == Feature::Exclusive { Some(0) } else { kernel.slot[class].map(|slot| slot + 1) }
}
