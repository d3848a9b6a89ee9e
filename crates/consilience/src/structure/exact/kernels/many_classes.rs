//! The scores of a row where classes are many: those that nobody votes for in it are summed up in closed form.
//!
//! In a row, the classes without a vote differ in their vote rates and class terms alone, which are the same in all rows. So
//! sums over them are sums over all classes, taken once a pass, less those over the few that somebody votes for.
//!
//! # Formula
//! ```text
//! w(v) = E R_v,   u(v) = s T_v   for classes without a vote,   R_v = e^r_v,   T_v = e^(π_v + δ_v)
//! Σ w(v) m(v) = e^-a U E (Σ R - Σ' R) + (e^a - e^-a) E s (Σ R T - Σ' R T)
//! score of r_v = -R_v G₁ - R_v T_v G₂,   score of δ_v = T_v H₁ - T_v R_v H₂
//! ```
//! with E and s of the row, Σ over all classes and Σ' over those with a vote, and G and H sums over the rows. Letters otherwise as in
//! `class_free.rs`.

use super::block::BlockScores;
use super::kernel::{Kernel, ROWS_AHEAD, Work, ZERO, place, same, sum_of};
use crate::optim::{LANES, Lane, add, add_times, exp, larger, map, map2, map3};
use crate::structure::exact::table::feature::Feature;

/// Energies above that of silence by more than this are not left to the range of single precision.
const FAR: f32 = 60.0;

/// What a class may take off the sums over all classes, as a share of all votes that are possible in a row: more of it leaves too few
/// digits. It is large if links are strong evidence against a class that somebody votes for.
const MOST_TAKEN_OFF: f32 = 64.0;

/// What classes add if nobody votes for them, in all lanes.
#[derive(Clone, Debug)]
pub(crate) struct Absent {
    /// For each class, R, T and R T.
    rates: Vec<Lane>,
    terms: Vec<Lane>,
    both: Vec<Lane>,
    /// Their sums.
    all_rates: Lane,
    all_terms: Lane,
    all_both: Lane,
    /// The largest vote rate and the largest T.
    largest_rate: Lane,
    largest_term: Lane,
}

impl Absent {
    /// `slot` has each class's place among the `rates`; `base` has e^π, `tilt` e^δ.
    pub(crate) fn new(
        slot: &[Option<usize>],
        rates: &[Lane],
        inside: &[Lane],
        base: &[f32],
        tilt: &[Lane],
    ) -> Self {
        let rate = |slot: &Option<usize>| {
            slot.map_or(ZERO, |slot| map2(exp(rates[slot]), inside[slot], |rate, inside| rate * inside))
        };
        let rate_of: Vec<Lane> = slot.iter().map(rate).collect();
        let terms: Vec<Lane> =
            tilt.iter().zip(base).map(|(tilt, &base)| map(*tilt, |tilt| tilt * base)).collect();
        let both: Vec<Lane> =
            rate_of.iter().zip(&terms).map(|(rate, term)| map2(*rate, *term, |r, t| r * t)).collect();
        let sum = |lanes: &[Lane]| {
            // In double precision: what is taken off again is nearly all of it.
            Lane(std::array::from_fn(|i| lanes.iter().map(|lane| f64::from(lane[i])).sum::<f64>() as f32))
        };
        let most = |lanes: &[Lane], least: f32| {
            lanes.iter().fold(Lane([least; LANES]), |most, &lane| map2(most, lane, larger))
        };
        Self {
            all_rates: sum(&rate_of),
            all_terms: sum(&terms),
            all_both: sum(&both),
            largest_rate: most(rates, f32::MIN),
            largest_term: most(&terms, 0.0),
            rates: rate_of,
            terms,
            both,
        }
    }
}

/// What a few rows have in common with the classes they do not vote for: G₁, G₂, which H₂ is too, and H₁.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AbsentSums {
    pub(crate) g1: Lane,
    pub(crate) g2: Lane,
    pub(crate) h1: Lane,
}

impl AbsentSums {
    pub(crate) const ZERO: Self = Self { g1: ZERO, g2: ZERO, h1: ZERO };

    #[inline(always)]
    pub(crate) fn add(&mut self, sums: &Self, count: f32) {
        add_times(&mut self.g1, &sums.g1, count);
        add_times(&mut self.g2, &sums.g2, count);
        add_times(&mut self.h1, &sums.h1, count);
    }
}

impl Kernel<'_> {
    /// Adds what rows have collected for the classes they do not vote for to the sums of the further parameters.
    #[inline(always)]
    pub(crate) fn settle_absent(&self, scores: &mut BlockScores<true>) {
        let Some(absent) = &self.absent else { return };
        let AbsentSums { g1, g2, h1 } = std::mem::replace(&mut scores.absent, AbsentSums::ZERO);
        let slots = self.batch.classes.len();
        let sums = scores.further_sums();
        for class in 0..absent.rates.len() {
            let (rate, term, both) = (absent.rates[class], absent.terms[class], absent.both[class]);
            if let Some(slot) = self.slot[class] {
                let first = map3(sums[slot], rate, g1, |sum, rate, g1| sum - rate * g1);
                sums[slot] = map3(first, both, g2, |sum, both, g2| sum - both * g2);
            }
            let first = map3(sums[slots + class], term, h1, |sum, term, h1| sum + term * h1);
            sums[slots + class] = map3(first, both, g2, |sum, both, h2| sum - both * h2);
        }
    }

    /// All rows of a block, their scores summed up.
    #[inline(always)]
    pub(crate) fn score_present<const SUMMED: bool>(
        &self,
        absent: &Absent,
        block: usize,
        work: &mut Work,
        scores: &mut BlockScores<SUMMED>,
    ) {
        let block = self.rows.block(block);
        for first in block.clone().step_by(ROWS_AHEAD) {
            for u in first..(first + ROWS_AHEAD).min(block.end) {
                let at = u - block.start;
                if !self.score_present_row(absent, (u, self.rows.present(u)), at, work, scores) {
                    self.score_present_row(absent, (u, &self.all_classes), at, work, scores);
                }
            }
        }
    }

    /// Scores row `u`, the classes outside of `present` in closed form; not if that would lose digits.
    #[inline(always)]
    #[expect(clippy::too_many_lines, reason = "one formula, whose parts share all that a row is worth")]
    fn score_present_row<const SUMMED: bool>(
        &self,
        absent: &Absent,
        (u, present): (usize, &[u16]),
        at: usize,
        work: &mut Work,
        scores: &mut BlockScores<SUMMED>,
    ) -> bool {
        let (n, slots) = (self.rows.active.len(), self.batch.classes.len());
        let here = present.len();
        let observed = scores.observed[at];
        // Energies: of the abstain, and of each class with a vote.
        let energies = &mut work.energies[..here];
        energies.fill(ZERO);
        let mut silence = self.silence;
        for (feature, links) in self.features.iter().zip(self.parameters.links.chunks_exact(n + 1)) {
            let share = feature.silence_where_voted() - feature.silence_where_abstained();
            let mut all = ZERO;
            for (energy, &class) in energies.iter_mut().zip(present) {
                let sum = sum_of(links, self.rows.of_class_by_fours(u, usize::from(class)));
                add(&mut all, &sum);
                if feature.channel().is_some() {
                    add(energy, &sum);
                }
            }
            add_times(&mut silence, &all, share);
        }
        // w(v), u(v), and what the classes with a vote take off the sums over all.
        let (weights, prior) = (&mut work.weights[..here], &mut work.prior[..here]);
        let probability = self.context.row(u);
        let mut top = map2(absent.largest_rate, silence, |rate, silence| larger(rate - silence, 0.0));
        let (mut rates, mut terms, mut both) = (absent.all_rates, absent.all_terms, absent.all_both);
        let mut all_classes = ZERO;
        for c in 0..here {
            let class = usize::from(present[c]);
            let (p, own) = (probability[class], self.written[class]);
            prior[c] = map3(observed, self.tilt[class], self.tilt_without[class], |seen, tilt, without| {
                p * if same(seen, own) { without } else { tilt }
            });
            add(&mut all_classes, &prior[c]);
            if let Some(slot) = self.slot[class] {
                let energy = map3(self.parameters.rates[slot], energies[c], silence, |r, m, s| r + m - s);
                weights[c] = map2(energy, self.forbidden[slot], |energy, forbidden| energy + forbidden);
                top = map2(top, weights[c], larger);
            }
            rates = map2(rates, absent.rates[class], |all, here| all - here);
            terms = map2(terms, absent.terms[class], |all, here| all - here);
            both = map2(both, absent.both[class], |all, here| all - here);
        }
        let s = self.context.rest(u);
        let some_absent = here < self.rows.classes;
        let positive = |x: f32| if some_absent { larger(x, 0.0) } else { 0.0 };
        (rates, terms, both) = (map(rates, positive), map(terms, positive), map(both, positive));
        add_times(&mut all_classes, &terms, s);
        let shift = if any_above(top, FAR) { top } else { ZERO };
        let silent = exp(map(shift, |shift| -shift));
        let unvoted = exp(map2(silence, shift, |silence, shift| -silence - shift));
        let absent_weight = map2(unvoted, rates, |e, rates| e * rates);
        let absent_both = map2(unvoted, both, |e, both| e * both * s);

        let wrong = map2(self.down, all_classes, |down, all| down * all);
        let silent_mass = map2(silent, all_classes, |silent, all| silent * all);
        let mut total = map3(silent_mass, wrong, absent_weight, |sum, wrong, w| sum + wrong * w);
        total = map3(total, self.gap, absent_both, |sum, gap, both| sum + gap * both);
        let mut all_weights = absent_weight;
        let mut expected =
            map3(self.both, absent_both, map2(wrong, absent_weight, |m, w| m * w), |b, wu, m| b * wu - m);
        let (mut slope_at_vote, mut mass_at_vote, mut mixed_at_vote) = (ZERO, silent_mass, wrong);
        let masses = &mut work.residuals[..here];
        for c in 0..here {
            let class = usize::from(present[c]);
            masses[c] = ZERO;
            let Some(slot) = self.slot[class] else {
                weights[c] = ZERO;
                continue;
            };
            let shifted = map2(weights[c], shift, |energy, shift| energy - shift);
            let weight = map2(exp(shifted), self.inside[slot], |weight, inside| weight * inside);
            weights[c] = weight;
            let u = prior[c];
            let mixed = map3(self.gap, u, wrong, |gap, u, wrong| wrong + gap * u);
            let slope = map3(self.both, u, wrong, |both, u, wrong| both * u - wrong);
            let mass = map2(weight, mixed, |weight, mixed| weight * mixed);
            add(&mut all_weights, &weight);
            add(&mut total, &mass);
            expected = map3(expected, weight, slope, |sum, weight, slope| sum + weight * slope);
            let seen = place(slot);
            let pick = |now: Lane, before: Lane| {
                map3(observed, now, before, |vote, now, before| if same(vote, seen) { now } else { before })
            };
            slope_at_vote = pick(slope, slope_at_vote);
            mass_at_vote = pick(mass, mass_at_vote);
            mixed_at_vote = pick(mixed, mixed_at_vote);
            masses[c] = mass;
        }
        let inverse = map(total, |total| 1.0 / total);
        let gap = map2(self.gap, inverse, |gap, inverse| gap * inverse);
        // G₁ and G₂ of this row, which H₂ is too.
        let share = |x: f32| if some_absent { x } else { 0.0 };
        let g1 = map3(unvoted, wrong, inverse, |e, wrong, inverse| share(e * wrong * inverse));
        let g2 = map2(unvoted, gap, |e, gap| share(e * gap * s));
        for &class in present {
            let class = usize::from(class);
            let first = map2(absent.rates[class], g1, |rate, g1| rate * g1);
            let taken_off = map3(first, absent.both[class], g2, |first, both, g2| first + both * g2);
            if any_above(taken_off, MOST_TAKEN_OFF) {
                return false;
            }
        }
        let inverse_mixed = map(mixed_at_vote, |mixed| 1.0 / mixed);
        scores.set_cast(at, map2(mass_at_vote, inverse, |mass, inverse| mass * inverse));
        let silent_score = map3(observed, silent_mass, inverse, |seen, mass, inverse| {
            (if same(seen, 0.0) { 1.0 } else { 0.0 }) - mass * inverse
        });
        let expected = map2(expected, inverse, |expected, inverse| expected * inverse);
        let accuracy =
            map3(slope_at_vote, inverse_mixed, expected, |slope, mixed, expected| slope * mixed - expected);
        scores.set_further(slots + self.rows.classes, at, accuracy);

        let not_right = map3(all_weights, self.down, silent, |sum, down, silent| sum * down + silent);
        let not_right = map2(not_right, inverse, |sum, inverse| sum * inverse);
        let cast_wrong = map2(self.down, inverse_mixed, |down, inverse| down * inverse);
        let cast_right = map2(self.up, inverse_mixed, |up, inverse| up * inverse);
        let h1 = map2(cast_wrong, not_right, |cast, not| share(s * (cast - not)));
        scores.add_absent(at, &AbsentSums { g1, g2, h1 });

        // Scores of the class terms, the likeliest class's as minus the sum of all others.
        let of_class = &mut work.of_class[..here];
        let mut others = map2(terms, h1, |terms, h1| terms * h1);
        others = map3(others, both, g2, |sum, both, h2| sum - both * h2);
        let (mut largest, mut likeliest) = (map(absent.largest_term, |term| term * s), Lane([-1.0; LANES]));
        for c in 0..here {
            let class = usize::from(present[c]);
            let expected = map3(not_right, gap, weights[c], |not, gap, weight| not + gap * weight);
            let own = self.written[class];
            let given = map3(
                observed,
                cast_right,
                cast_wrong,
                |seen, right, wrong| {
                    if same(seen, own) { right } else { wrong }
                },
            );
            of_class[c] = map3(prior[c], given, expected, |u, given, expected| u * (given - expected));
            add(&mut others, &of_class[c]);
            let number = c as f32;
            likeliest =
                map3(prior[c], largest, likeliest, |u, top, before| if u > top { number } else { before });
            largest = map2(prior[c], largest, larger);
        }
        for c in 0..here {
            let class = usize::from(present[c]);
            let number = c as f32;
            // `others` holds this class too.
            let without = map2(others, of_class[c], |sum, score| sum - score);
            let score =
                map3(
                    likeliest,
                    of_class[c],
                    without,
                    |likeliest, score, without| {
                        if same(likeliest, number) { -without } else { score }
                    },
                );
            let (rate, term, both) = (absent.rates[class], absent.terms[class], absent.both[class]);
            let counted = map3(score, term, h1, |score, term, h1| score - term * h1);
            let counted = map3(counted, both, g2, |score, both, h2| score + both * h2);
            scores.set_further(slots + class, at, counted);
            let Some(slot) = self.slot[class] else {
                work.residuals[c] = ZERO;
                continue;
            };
            let seen = place(slot);
            let score = map3(observed, work.residuals[c], inverse, |vote, mass, inverse| {
                (if same(vote, seen) { 1.0 } else { 0.0 }) - mass * inverse
            });
            work.residuals[c] = score;
            let counted = map3(score, rate, g1, |score, rate, g1| score + rate * g1);
            let counted = map3(counted, both, g2, |score, both, g2| score + both * g2);
            scores.set_further(slot, at, counted);
        }
        for (t, feature) in self.features.iter().enumerate() {
            let base = if *feature == Feature::Correlation { silent_score } else { ZERO };
            scores.set_abstained(t, at, base);
            for (place, &class) in present.iter().enumerate() {
                let score = if *feature == Feature::Exclusive { silent_score } else { work.residuals[place] };
                scores.voted_row_mut(t, at)[usize::from(class)] =
                    map2(score, base, |score, base| score - base);
            }
        }
        true
    }
}

/// Whether any lane is above the limit.
#[inline(always)]
fn any_above(lane: Lane, limit: f32) -> bool {
    let mut any = false;
    for i in 0..LANES {
        any |= lane[i] > limit;
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use crate::sources::{Classes, Sources};
    use crate::structure::exact::kernels::kernel::Parameters;
    use crate::structure::exact::kernels::pass::gradient;
    use crate::structure::exact::table::batch::Batch;
    use crate::structure::exact::table::context::Context;
    use crate::structure::exact::table::rows::Rows;
    use crate::structure::exact::table::span::Span;
    use crate::votes::VotesBuilder;
    use rand::RngExt as _;

    /// The closed form against the sums over all classes, sources of few classes and repeated rows included.
    #[test]
    fn sums_over_classes_with_votes_are_those_over_all() {
        let mut rng = Streams::new(12).stream(0);
        let (n, k) = (21, 9);
        let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
        for i in 0..900 {
            let row: Vec<u16> = (0..n)
                .map(|j| match j {
                    _ if i % 11 == 0 => 0,
                    _ if i % 7 == 0 && j > 2 => 0,
                    3 => 2 * u16::from(rng.random_range(0..3) == 0),
                    4 => rng.random_range(0..3),
                    _ if rng.random::<f64>() < 0.6 => 0,
                    _ => rng.random_range(1..=k as u16),
                })
                .collect();
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(k).unwrap()).unwrap();
        let rows = Rows::new(&votes);
        let terms: Vec<f64> = (0..k).map(|c| 0.2 * (c as f64 - 4.0)).collect();
        let context = Context::new(&rows, &vec![0.7; n], &terms);
        for features in [vec![Feature::Correlation], vec![Feature::Agreement, Feature::Exclusive], Vec::new()]
        {
            for scale in [0.3, 9.0] {
                for batch in &Batch::all(&rows, &votes) {
                    let mut lane = || Lane(std::array::from_fn(|_| rng.random_range(-scale..scale)));
                    let links = (0..(n + 1) * features.len())
                        .map(|at| if at % (n + 1) < n { lane() } else { ZERO })
                        .collect();
                    let parameters = Parameters {
                        links,
                        rates: batch.classes.iter().map(|_| lane()).collect(),
                        class_terms: (0..k).map(|_| map(lane(), |x| x / scale)).collect(),
                        accuracy: map(lane(), |x| x / scale),
                    };
                    let mut kernel = Kernel::new(&rows, batch, &context, &features, &parameters);
                    let few = gradient(&kernel, &Span::all(&rows));
                    kernel.absent = None;
                    let all = gradient(&kernel, &Span::all(&rows));
                    for lane in 0..batch.members.len() {
                        let off = few.log_likelihood[lane] - all.log_likelihood[lane];
                        assert!(off.abs() < 1e-5 * all.log_likelihood[lane].abs(), "{off}");
                        for (d, (few, all)) in few.by_parameter.iter().zip(&all.by_parameter).enumerate() {
                            let off = few[lane] - all[lane];
                            assert!(
                                off.abs() < 2e-3 + 2e-5 * all[lane].abs(),
                                "{features:?} {d}: {off} of {}",
                                all[lane]
                            );
                        }
                    }
                }
            }
        }
    }
}
