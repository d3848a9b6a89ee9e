//! The test of a link between sources that seldom meet, the other links of the problem in place.
//!
//! The sum of `screen.rs` is held against what the problem expects with this one link taken out and everything else fitted
//! again, to the first order: a link that only follows from two others is explained by them.
//!
//! # Formula
//! ```text
//! x without link d = x - J⁻¹_·d x_d / J⁻¹_dd
//! ```

use crate::optim::{LANES, Lane64, Solver};
use crate::structure::exact::solver::problem::Problem;
use crate::structure::exact::tail::{Draw, two_sided, z_of};

impl Problem<'_> {
    /// For each of some links (parameter and lane), how far out its sum is, as a normal number.
    pub(crate) fn retest(&self, x: &[Lane64], solver: &Solver, links: &[(usize, usize)]) -> Vec<f64> {
        let mut z = vec![0.0; links.len()];
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); LANES];
        for (at, &(_, lane)) in links.iter().enumerate() {
            waiting[lane].push(at);
        }
        while waiting.iter().any(|of_lane| !of_lane.is_empty()) {
            let turn: Vec<usize> = waiting.iter_mut().filter_map(Vec::pop).collect();
            let mut column = vec![[0.0; LANES]; x.len()];
            for &at in &turn {
                let (d, lane) = links[at];
                column[d][lane] = 1.0;
            }
            solver.solve(&mut column);
            for &at in &turn {
                let (d, lane) = links[at];
                let share = x[d][lane] / column[d][lane].max(f64::MIN_POSITIVE);
                let without: Vec<f64> =
                    x.iter().zip(&column).map(|(x, column)| x[lane] - share * column[lane]).collect();
                z[at] = self.tail_of(&without, d, lane);
            }
        }
        z
    }

    /// How far out the sum of link `d` is if the lane's parameters are `x`, whose weight of that link is 0.
    fn tail_of(&self, x: &[f64], d: usize, lane: usize) -> f64 {
        let (rows, layout) = (self.rows, self.layout);
        let (feature, l) = (self.features[d / layout.sources], d % layout.sources);
        let worth = feature.worth();
        let links: Vec<usize> = (0..layout.links()).filter(|&i| i != d && self.free[i][lane]).collect();
        let own_source = self.batch.source(lane) as u16;
        let mut votes = vec![0u16; layout.sources];
        let (mut draws, mut seen, mut mean) = (Vec::new(), 0u64, 0.0);
        for block in 0..rows.blocks() {
            let first = rows.block(block).start;
            for &cell in rows.of_source(block, l) {
                let (row, class) = rows.row_and_class(cell);
                let u = first + row;
                votes.fill(0);
                for class in 0..rows.classes {
                    for &source in rows.of_class(u, class) {
                        votes[usize::from(source)] = class as u16 + 1;
                    }
                }
                let own = std::mem::take(&mut votes[usize::from(own_source)]);
                let p = self.expected_votes(x, &links, &votes, (u, lane, own));
                let times = rows.counts[u] as u32;
                let same = p[class + 1];
                let draw: Draw = worth.draw(same, (1.0 - p[0] - same).max(0.0), times);
                mean += f64::from(times) * (draw.one + 2.0 * draw.two);
                draws.push(draw);
                seen += u64::from(worth.of(own, class as u16 + 1)) * u64::from(times);
            }
        }
        worth.sign * z_of(two_sided(&draws, seen)).copysign(seen as f64 - mean)
    }

    /// The probability of an abstain and of a vote for each class in row `u`, given the other sources' votes.
    ///
    /// # Formula
    /// ```text
    /// p(v) ∝ Σ_y q(y) exp( r_v + a φ^acc(v, y) + Σ_links w φ(v, λ_l, y) )
    /// ```
    fn expected_votes(
        &self,
        x: &[f64],
        links: &[usize],
        votes: &[u16],
        (u, lane, own): (usize, usize, u16),
    ) -> Vec<f64> {
        let (layout, k) = (self.layout, self.rows.classes);
        let take_out = f64::from(self.context.take_out(self.rows.numbers[self.batch.source(lane)]));
        let q: Vec<f64> = self
            .context
            .row(u)
            .iter()
            .enumerate()
            .map(|(y, &q)| {
                let out = if y + 1 == usize::from(own) { take_out } else { 1.0 };
                f64::from(q) * out * x[layout.class_terms() + y].exp()
            })
            .collect();
        let reads_class = self.features.iter().any(|feature| feature.link().0.reads_class());
        let energy = |v: usize, y: usize| -> f64 {
            let of_link = |&d: &usize| {
                x[d] * self.features[d / layout.sources].phi(v, votes[d % layout.sources].into(), y)
            };
            links.iter().map(of_link).sum()
        };
        let accuracy = x[layout.accuracy()];
        let mut log_p = vec![f64::NEG_INFINITY; k + 1];
        let slots = self.batch.classes.iter().zip(&self.batch.in_domain).enumerate();
        let cast = slots
            .filter(|(_, (_, inside))| inside[lane])
            .map(|(slot, (&class, _))| (usize::from(class), x[layout.links() + slot]));
        for (v, rate) in std::iter::once((0, 0.0)).chain(cast) {
            let right = |y: usize| {
                if v == 0 {
                    0.0
                } else if v == y {
                    accuracy
                } else {
                    -accuracy
                }
            };
            // Links that do not read the class add the same for each.
            let (shared, of_class) = if reads_class { (0.0, true) } else { (energy(v, 1), false) };
            let sum: f64 = (1..=k)
                .map(|y| q[y - 1] * (right(y) + if of_class { energy(v, y) } else { 0.0 }).exp())
                .sum();
            log_p[v] = rate + shared + sum.ln();
        }
        crate::num::softmax_in_place(&mut log_p);
        log_p
    }
}
